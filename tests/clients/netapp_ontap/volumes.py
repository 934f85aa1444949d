"""Volumes, snapshots, clones, qtrees, efficiency, QoS, consistency groups."""

from checks import check, same, true, within
from lab import GB, MB, SVM, change, names, reads, refused, value
from netapp_ontap.resources import (
    ConsistencyGroup,
    ConsistencyGroupSnapshot,
    QosPolicy,
    Qtree,
    Snapshot,
    Volume,
    VolumeEfficiencyPolicy,
)


def volume(name, size=10 * GB, **more):
    made = Volume(name=name, svm={"name": SVM}, aggregates=[{"name": "data1"}], size=size, **more)
    made.post(hydrate=True)
    return made


def volumes(lab):
    with check("volume: thick"):
        made = volume("thick", guarantee={"type": "volume"}, snapshot_policy={"name": "none"})
        same((made.state, made.style, made.type, made.size), ("online", "flexvol", "rw", 10 * GB), "state, style, type and size")
        reads(made, "guarantee,space", guarantee__type="volume", guarantee__honored=True, space__size=10 * GB)
        true(0 < value(made, "space.available") <= 10 * GB, f"space is {value(made, 'space')}")
        lab.thick = made
    with check("volume: thin, with a snapshot policy and a comment"):
        made = volume("thin", 40 * GB, guarantee={"type": "none"}, snapshot_policy={"name": "none"}, comment="thin one")
        reads(made, "guarantee,snapshot_policy,comment", guarantee__type="none", snapshot_policy__name="none", comment="thin one")
        lab.thin = made
    with check("volume: with efficiency"):
        made = volume("lean", efficiency={"dedupe": "both", "compression": "inline", "compaction": "inline", "cross_volume_dedupe": "none"})
        reads(
            made,
            "efficiency",
            efficiency__state="enabled",
            efficiency__dedupe="both",
            efficiency__compression="inline",
            efficiency__volume_path="/vol/lean",
        )
        lab.lean = made
    with check("volume: grown"):
        change(Volume(uuid=lab.thick.uuid), size=12 * GB)
        reads(lab.thick, "size,space", size=12 * GB, space__size=12 * GB)
    with check("volume: renamed, and back"):
        change(Volume(uuid=lab.thin.uuid), name="thinner")
        reads(lab.thin, name="thinner")
        change(Volume(uuid=lab.thin.uuid), name="thin")
        reads(lab.thin, name="thin")
    with check("volume: autosize"):
        change(Volume(uuid=lab.thin.uuid), autosize={"mode": "grow", "maximum": 80 * GB})
        reads(lab.thin, "autosize", autosize__mode="grow", autosize__maximum=80 * GB)
    with check("volume: snapshot reserve"):
        change(Volume(uuid=lab.thin.uuid), space={"snapshot": {"reserve_percent": 10}})
        reads(lab.thin, "space.snapshot", space__snapshot__reserve_percent=10)
    with check("volume: offline and online"):
        change(Volume(uuid=lab.lean.uuid), state="offline")
        reads(lab.lean, state="offline")
        change(Volume(uuid=lab.lean.uuid), state="online")
        reads(lab.lean, state="online")
    with check("volume: a taken name is refused"):
        refused([917526, 13107405], [409, 400], lambda: volume("thick"))
    with check("volume: too small is refused"):
        refused(917534, 400, lambda: volume("tiny", MB))
    with check("volume: an unknown aggregate is refused"):
        refused([917508, 787140], [400, 404], lambda: Volume(name="v", svm={"name": SVM}, aggregates=[{"name": "nowhere"}], size=GB).post())
    with check("volume: an unknown SVM is refused"):
        refused([2621462, 917505], [400, 404], lambda: Volume(name="v", svm={"name": "nobody"}, aggregates=[{"name": "data1"}], size=GB).post())
    with check("aggregate: one with volumes is not deleted"):
        refused(786497, [409, 400], lab.aggregate.delete)


def efficiency(lab):
    with check("efficiency: switched off and on"):
        change(Volume(uuid=lab.lean.uuid), efficiency={"dedupe": "none", "compression": "none", "compaction": "none"})
        reads(lab.lean, "efficiency", efficiency__dedupe="none", efficiency__compression="none")
        change(Volume(uuid=lab.lean.uuid), efficiency={"dedupe": "inline"})
        reads(lab.lean, "efficiency", efficiency__dedupe="inline", efficiency__state="enabled")
    with check("efficiency policy: created, assigned, detached and deleted"):
        policy = VolumeEfficiencyPolicy(
            name="calm", svm={"name": SVM}, type="scheduled", schedule={"name": "daily"}, qos_policy="background", comment="calm"
        )
        policy.post(hydrate=True)
        reads(policy, type="scheduled", schedule__name="daily", qos_policy="background", enabled=True)
        change(Volume(uuid=lab.lean.uuid), efficiency={"policy": {"name": "calm"}})
        reads(lab.lean, "efficiency", efficiency__policy__name="calm")
        change(Volume(uuid=lab.lean.uuid), efficiency={"policy": {"name": "default"}})
        change(VolumeEfficiencyPolicy(uuid=policy.uuid), comment="calmer")
        reads(policy, comment="calmer")
        policy.delete()
        same(VolumeEfficiencyPolicy.count_collection(name="calm"), 0, "what is left")


def qos(lab):
    with check("qos: a fixed policy is created and changed"):
        policy = QosPolicy(name="limit", svm={"name": SVM}, fixed={"max_throughput_iops": 5000, "min_throughput_iops": 100})
        policy.post(hydrate=True)
        same((value(policy, "fixed.max_throughput_iops"), value(policy, "fixed.capacity_shared")), (5000, False), "fixed")
        change(QosPolicy(uuid=policy.uuid), fixed={"max_throughput_iops": 8000})
        reads(policy, fixed__max_throughput_iops=8000, fixed__min_throughput_iops=100)
        lab.fixed = policy
    with check("qos: an adaptive policy is created"):
        policy = QosPolicy(name="scale", svm={"name": SVM}, adaptive={"expected_iops": 1000, "peak_iops": 2000, "absolute_min_iops": 75})
        policy.post(hydrate=True)
        same((value(policy, "adaptive.expected_iops"), value(policy, "adaptive.peak_iops")), (1000, 2000), "adaptive")
        lab.adaptive = policy
    with check("qos: policies assigned to volumes"):
        for made, name in ((lab.thick, "limit"), (lab.thin, "scale")):
            change(Volume(uuid=made.uuid), qos={"policy": {"name": name}})
            reads(made, "qos", qos__policy__name=name)
    with check("qos: the policy counts what it holds"):
        reads(lab.fixed, object_count=1)
    with check("qos: a taken name is refused"):
        refused([8454154, 8454379, 8454380], [409, 400], lambda: QosPolicy(name="limit", svm={"name": SVM}, fixed={"max_throughput_iops": 1}).post())
    with check("qos: a minimum above the maximum is refused"):
        refused(
            [8454194, 8454260],
            400,
            lambda: QosPolicy(name="odd", svm={"name": SVM}, fixed={"max_throughput_iops": 100, "min_throughput_iops": 200}).post(),
        )
    with check("qos: fixed and adaptive at once is refused"):
        both = {"name": "odd", "svm": {"name": SVM}, "fixed": {"max_throughput_iops": 100}, "adaptive": {"expected_iops": 1, "peak_iops": 2}}
        refused([8454277, 8454278, 8454389, 262186], 400, lambda: QosPolicy(**both).post())
    with check("qos: taken off the volumes"):
        for made in (lab.thick, lab.thin):
            change(Volume(uuid=made.uuid), qos={"policy": {"name": "none"}})
            made.get(fields="qos")
            true(value(made, "qos.policy.name") in (None, "none"), f"qos is {value(made, 'qos')}")


def snapshots(lab):
    with check("snapshot: created, with a comment and a label"):
        snapshot = Snapshot(lab.thick.uuid, name="before", comment="of the workflow", snapmirror_label="keep")
        snapshot.post(hydrate=True)
        same((snapshot.name, snapshot.comment, snapshot.snapmirror_label), ("before", "of the workflow", "keep"), "snapshot")
        true(snapshot.create_time is not None, "it has no create_time")
        lab.snapshot = snapshot
    with check("snapshot: renamed and its comment changed"):
        change(Snapshot(lab.thick.uuid, uuid=lab.snapshot.uuid), name="first", comment="renamed")
        reads(lab.snapshot, name="first", comment="renamed")
    with check("snapshot: a second one, listed in order"):
        Snapshot(lab.thick.uuid, name="second").post()
        same([each.name for each in Snapshot.get_collection(lab.thick.uuid, order_by="create_time")], ["first", "second"], "snapshots")
    with check("snapshot: a taken name is refused"):
        refused(525059, [409, 400], lambda: Snapshot(lab.thick.uuid, name="first").post())
    with check("snapshot: an unknown one is not found"):
        refused([4, 1638600], 404, lambda: Snapshot(lab.thick.uuid, uuid="00000000-0000-4000-8000-000000000000").get())
    with check("volume: restored, later snapshots are gone"):
        Volume(uuid=lab.thick.uuid).patch(**{"restore_to.snapshot.name": "first"})
        same(names(Snapshot.get_collection(lab.thick.uuid)), ["first"], "snapshots")


def clones(lab):
    with check("clone: a FlexClone of a snapshot"):
        made = Volume(
            name="copy", svm={"name": SVM}, clone={"is_flexclone": True, "parent_volume": {"name": "thick"}, "parent_snapshot": {"name": "first"}}
        )
        made.post(hydrate=True)
        reads(made, "clone,size", clone__is_flexclone=True, clone__parent_volume__name="thick", clone__parent_snapshot__name="first", size=12 * GB)
        lab.copy = made
    with check("clone: found by its parent"):
        same(names(Volume.get_collection(**{"clone.parent_volume.name": "thick"})), ["copy"], "clones of thick")
    with check("snapshot: one with a clone is not deleted"):
        refused([1638555, 1638543, 524601], [409, 400, 500], lambda: Snapshot(lab.thick.uuid, uuid=lab.snapshot.uuid).delete())
    with check("volume: one with a clone is not deleted"):
        refused([524615, 917536], [409, 400], lambda: Volume(uuid=lab.thick.uuid).delete())
    with check("clone: split from its parent"):
        change(Volume(uuid=lab.copy.uuid), clone={"split_initiated": True})
        lab.copy.get(fields="clone")
        same(value(lab.copy, "clone.is_flexclone"), False, "clone.is_flexclone")
    with check("clone: one without a snapshot makes its own"):
        made = Volume(name="quick", svm={"name": SVM}, clone={"is_flexclone": True, "parent_volume": {"name": "thick"}})
        made.post(hydrate=True)
        made.get(fields="clone")
        within(value(made, "clone.parent_snapshot.name"), names(Snapshot.get_collection(lab.thick.uuid)), "the snapshots of thick")
        made.delete()


def qtrees(lab):
    with check("qtree: created and renamed"):
        Qtree(name="q1", svm={"name": SVM}, volume={"name": "thick"}).post()
        qtree = Qtree.find(name="q1", **{"volume.name": "thick"})
        same(qtree.id, 1, "id")
        change(Qtree(volume={"uuid": lab.thick.uuid}, id=1), name="q2")
        same(names(Qtree.get_collection(**{"volume.name": "thick", "id": ">0"})), ["q2"], "qtrees")
        lab.qtree = qtree


def groups(lab):
    with check("consistency group: of two existing volumes"):
        members = [{"name": name, "provisioning_options": {"action": "add"}} for name in ("thick", "thin")]
        group = ConsistencyGroup(name="app", svm={"name": SVM}, volumes=members)
        group.post(hydrate=True)
        group.get(fields="volumes")
        same(names(group.volumes), ["thick", "thin"], "volumes")
        lab.group = group
    with check("consistency group: a snapshot of all volumes"):
        made = ConsistencyGroupSnapshot(lab.group.uuid, name="together", consistency_type="crash", comment="both")
        made.post(hydrate=True)
        same((made.name, made.comment, made.consistency_type), ("together", "both", "crash"), "snapshot")
        for member in (lab.thick, lab.thin):
            within("together", names(Snapshot.get_collection(member.uuid)), f"the snapshots of {member.name}")
        lab.group_snapshot = made
    with check("consistency group: a taken name is refused"):
        refused(
            53411860,
            [409, 400],
            lambda: ConsistencyGroup(name="app", svm={"name": SVM}, volumes=[{"name": "lean", "provisioning_options": {"action": "add"}}]).post(),
        )
    with check("consistency group: a taken snapshot name is refused"):
        refused(53411921, [409, 400], lambda: ConsistencyGroupSnapshot(lab.group.uuid, name="together").post())
    with check("consistency group: deleted, its volumes stay"):
        lab.group_snapshot.delete()
        lab.group.delete()
        same(ConsistencyGroup.count_collection(), 0, "the number of consistency groups")
        same(Volume.count_collection(name="thick|thin", **{"svm.name": SVM}), 2, "the volumes")


def end(lab):
    with check("qtree, snapshot, QoS policies: deleted"):
        Qtree(volume={"uuid": lab.thick.uuid}, id=1).delete()
        Snapshot(lab.thick.uuid, uuid=lab.snapshot.uuid).delete()
        same(Snapshot.count_collection(lab.thick.uuid), 0, "the number of snapshots")
        lab.fixed.delete()
        lab.adaptive.delete()
        same(QosPolicy.count_collection(**{"svm.name": SVM}), 0, "the number of QoS policies")
    with check("volumes: deleted, each with its job"):
        for made in list(Volume.get_collection(is_svm_root=False, **{"svm.name": "vs*"})):
            made.delete()
        same(Volume.count_collection(is_svm_root=False), 0, "what is left")
