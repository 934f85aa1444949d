"""Cluster, nodes, disks, aggregates, schedules, policies of the cluster, licences."""

from checks import check, same, true, within
from lab import change, fresh, names, reads, refused, value
from netapp_ontap.resources import (
    Aggregate,
    Cluster,
    ClusterSpace,
    Disk,
    LicensePackage,
    Node,
    Schedule,
    SnapshotPolicy,
    SnapshotPolicySchedule,
    VolumeEfficiencyPolicy,
)


def at_start(lab):
    with check("cluster: name and version"):
        cluster = Cluster()
        cluster.get(fields="*")
        same(cluster.name, "lab", "name")
        same((value(cluster, "version.generation"), value(cluster, "version.major"), value(cluster, "version.minor")), (9, 16, 1), "version")
        true(value(cluster, "version.full").startswith("NetApp Release 9.16.1"), f"version.full is {value(cluster, 'version.full')}")
    with check("cluster: contact and location are changed, and changed back"):
        change(Cluster(), contact="storage team", location="room 7")
        reads(Cluster(), contact="storage team", location="room 7")
        change(Cluster(), contact="", location="")
    with check("nodes: two, each other's partner"):
        nodes = list(Node.get_collection(fields="name,uuid,model,serial_number,ha.partners,state,membership,version"))
        same(names(nodes), ["lab-01", "lab-02"])
        for node in nodes:
            other = "lab-02" if node.name == "lab-01" else "lab-01"
            same([partner["name"] for partner in value(node, "ha.partners")], [other], f"the partner of {node.name}")
            same(node.state, "up", "state")
        lab.nodes = {node.name: node.uuid for node in nodes}
    with check("nodes: one by its uuid"):
        node = Node(uuid=lab.nodes["lab-01"])
        node.get()
        same(node.name, "lab-01", "name")
    with check("disks: twelve spares a node"):
        for node in ("lab-01", "lab-02"):
            same(Disk.count_collection(container_type="spare", **{"home_node.name": node}), 12, f"spares of {node}")
    with check("schedules: hourly, daily and weekly are there"):
        present = names(Schedule.get_collection(type="cron"))
        for name in ("hourly", "daily", "weekly"):
            within(name, present, "the cron schedules")
    with check("snapshot policies: default and none are there"):
        policy = fresh(SnapshotPolicy, name="default")
        same(
            [(copy["schedule"]["name"], copy["count"]) for copy in value(policy, "copies")],
            [("hourly", 6), ("daily", 2), ("weekly", 2)],
            "copies of default",
        )
        fresh(SnapshotPolicy, name="none")
    with check("efficiency policies: the built-in ones are there"):
        present = names(VolumeEfficiencyPolicy.get_collection())
        for name in ("default", "inline-only", "auto"):
            within(name, present, "the efficiency policies")
    with check("licences: iSCSI, FC and NVMe are compliant"):
        present = {package.name: package.state for package in LicensePackage.get_collection(fields="state,scope")}
        for name in ("iscsi", "fcp", "nvme_of", "flexclone"):
            same(present.get(name), "compliant", f"licence {name}")
    with check("aggregates: none at first"):
        same(Aggregate.count_collection(), 0, "the number of aggregates")


def aggregates(lab):
    with check("aggregate: created of six disks"):
        aggregate = Aggregate(name="data1", node={"name": "lab-01"}, block_storage={"primary": {"disk_count": 6, "raid_type": "raid_dp"}})
        aggregate.post(hydrate=True, poll=True)
        same(aggregate.state, "online", "state")
        same(value(aggregate, "block_storage.primary.disk_count"), 6, "disk_count")
        same(value(aggregate, "block_storage.primary.raid_type"), "raid_dp", "raid_type")
        same(value(aggregate, "home_node.name"), "lab-01", "home_node")
        size = value(aggregate, "space.block_storage.size")
        true(size > 0 and value(aggregate, "space.block_storage.available") <= size, f"space is {value(aggregate, 'space')}")
        lab.aggregate = aggregate
    with check("disks: six of them left the spares"):
        same(Disk.count_collection(container_type="spare", **{"home_node.name": "lab-01"}), 6, "spares of lab-01")
        same(Disk.count_collection(container_type="aggregate", **{"aggregates.name": "data1"}), 6, "disks of data1")
    with check("aggregate: a second one by node uuid"):
        second = Aggregate(name="data2", node={"uuid": lab.nodes["lab-02"]}, block_storage={"primary": {"disk_count": 5}})
        second.post(hydrate=True)
        same(value(second, "block_storage.primary.raid_type"), "raid_dp", "raid_type by default")
        lab.second_aggregate = second
    with check("aggregate: grown by a spare"):
        before = value(lab.aggregate, "space.block_storage.size")
        change(Aggregate(uuid=lab.aggregate.uuid), block_storage={"primary": {"disk_count": 7}})
        reads(lab.aggregate, block_storage__primary__disk_count=7)
        true(value(lab.aggregate, "space.block_storage.size") > before, "it did not become larger")
        same(Disk.count_collection(container_type="spare", **{"home_node.name": "lab-01"}), 5, "spares of lab-01")
    with check("aggregate: a disk less is refused"):
        refused(
            [787170, 787169, 787167],
            [400, 409, 500],
            lambda: change(Aggregate(uuid=lab.aggregate.uuid), block_storage={"primary": {"disk_count": 6}}),
        )
    with check("aggregate: a taken name is refused"):
        refused(786439, [409, 400], lambda: Aggregate(name="data1", node={"name": "lab-01"}, block_storage={"primary": {"disk_count": 5}}).post())
    with check("aggregate: more disks than spares are refused"):
        refused(
            [19726341, 786973, 787267],
            [400, 409, 500],
            lambda: Aggregate(name="huge", node={"name": "lab-02"}, block_storage={"primary": {"disk_count": 40}}).post(),
        )
    with check("aggregate: renamed, and back"):
        change(Aggregate(uuid=lab.second_aggregate.uuid), name="data2b")
        reads(lab.second_aggregate, name="data2b")
        change(Aggregate(uuid=lab.second_aggregate.uuid), name="data2")
        reads(lab.second_aggregate, name="data2")
    with check("cluster space: block storage is counted"):
        space = ClusterSpace()
        space.get(fields="*")
        true(value(space, "block_storage.size") > 0, f"block_storage is {value(space, 'block_storage')}")


def policies(lab):
    with check("schedule: a cron schedule is created and changed"):
        schedule = Schedule(name="nightly", cron={"hours": [2], "minutes": [30]})
        schedule.post(hydrate=True)
        same(value(schedule, "cron.hours"), [2], "cron.hours")
        change(Schedule(uuid=schedule.uuid), cron={"hours": [3], "minutes": [30]})
        reads(schedule, cron__hours=[3], cron__minutes=[30], type="cron")
        lab.schedule = schedule
    with check("schedule: an interval schedule is created"):
        schedule = Schedule(name="often", interval="PT10M")
        schedule.post(hydrate=True)
        same((schedule.type, schedule.interval), ("interval", "PT10M"), "type and interval")
        schedule.delete()
    with check("snapshot policy: created with two schedules"):
        policy = SnapshotPolicy(
            name="keep",
            enabled=True,
            comment="of the workflow",
            copies=[
                {"count": 3, "schedule": {"name": "hourly"}, "prefix": "hour"},
                {"count": 5, "schedule": {"name": "nightly"}, "snapmirror_label": "night"},
            ],
        )
        policy.post(hydrate=True)
        copies = {copy["schedule"]["name"]: copy for copy in value(policy, "copies")}
        same((copies["hourly"]["count"], copies["hourly"]["prefix"]), (3, "hour"), "the hourly copies")
        same((copies["nightly"]["count"], copies["nightly"]["snapmirror_label"]), (5, "night"), "the nightly copies")
        same(copies["nightly"]["prefix"], "nightly", "the prefix by default")
        lab.snapshot_policy = policy
    with check("snapshot policy: a schedule is added, changed and removed"):
        added = SnapshotPolicySchedule(lab.snapshot_policy.uuid, schedule={"name": "weekly"}, count=2)
        added.post()
        found = {value(each, "schedule.name"): each for each in SnapshotPolicySchedule.get_collection(lab.snapshot_policy.uuid, fields="*")}
        same(sorted(found), ["hourly", "nightly", "weekly"], "schedules")
        uuid = value(found["weekly"], "schedule.uuid")
        change(SnapshotPolicySchedule(lab.snapshot_policy.uuid, schedule={"uuid": uuid}), count=4)
        found = {value(each, "schedule.name"): each for each in SnapshotPolicySchedule.get_collection(lab.snapshot_policy.uuid, fields="*")}
        same(found["weekly"].count, 4, "the count of weekly")
        SnapshotPolicySchedule(lab.snapshot_policy.uuid, schedule={"uuid": uuid}).delete()
        same(SnapshotPolicySchedule.count_collection(lab.snapshot_policy.uuid), 2, "the number of schedules")
    with check("snapshot policy: disabled"):
        change(SnapshotPolicy(uuid=lab.snapshot_policy.uuid), enabled=False, comment="off")
        reads(lab.snapshot_policy, enabled=False, comment="off")
    with check("snapshot policy: a taken name is refused"):
        refused(1638527, [409, 400], lambda: SnapshotPolicy(name="keep", copies=[{"count": 1, "schedule": {"name": "daily"}}]).post())
    with check("snapshot policy: an unknown schedule is refused"):
        refused(1638413, [400, 404], lambda: SnapshotPolicy(name="lost", copies=[{"count": 1, "schedule": {"name": "never"}}]).post())


def end(lab):
    with check("snapshot policy and schedule: deleted"):
        lab.snapshot_policy.delete()
        lab.schedule.delete()
        same(SnapshotPolicy.count_collection(name="keep") + Schedule.count_collection(name="nightly"), 0, "what is left")
    with check("aggregates: deleted, their disks are spares again"):
        lab.aggregate.delete()
        lab.second_aggregate.delete()
        same(Aggregate.count_collection(), 0, "the number of aggregates")
        same(Disk.count_collection(container_type="spare"), 24, "spares")
    with check("aggregate: one that is gone is not found"):
        refused([4, 786771], 404, lambda: Aggregate(uuid=lab.aggregate.uuid).get())
