"""LUNs, initiator groups, LUN maps, reporting nodes."""

from checks import check, same, true, within
from lab import GB, SVM, change, fresh, names, raw, reads, refused, refused_raw, value
from netapp_ontap.resources import (
    Igroup,
    IgroupInitiator,
    IgroupNested,
    Lun,
    LunAttribute,
    LunMap,
    LunMapReportingNode,
    Portset,
    QosPolicy,
    Snapshot,
    Volume,
)

IQN = "iqn.1994-05.com.redhat:host"
NOBODY = "00000000-0000-4000-8000-000000000000"


def lun(name, size=GB, **more):
    made = Lun(name=name, svm={"name": SVM}, os_type="linux", space={"size": size}, **more)
    made.post(hydrate=True)
    return made


def luns(lab):
    with check("lun: created by its path"):
        made = lun("/vol/thick/lun1", comment="first")
        made.get(fields="*,status.mapped")
        same((value(made, "location.volume.name"), value(made, "location.logical_unit"), made.os_type), ("thick", "lun1", "linux"), "place and type")
        same(
            (value(made, "space.size"), made.enabled, value(made, "status.state"), value(made, "status.mapped")),
            (GB, True, "online", False),
            "size and state",
        )
        same((len(made.serial_number), made.serial_number.encode().hex()), (12, made.serial_number_hex.lower()), "serial number")
        lab.lun = made
    with check("lun: created by volume and name, thin"):
        made = Lun(
            svm={"name": SVM},
            location={"volume": {"name": "thin"}, "logical_unit": "lun2"},
            os_type="vmware",
            space={"size": 2 * GB, "guarantee": {"requested": False}},
        )
        made.post(hydrate=True)
        same(
            (made.name, value(made, "space.guarantee.requested"), value(made, "space.guarantee.reserved")),
            ("/vol/thin/lun2", False, False),
            "name and guarantee",
        )
        lab.thin_lun = made
    with check("lun: in a qtree"):
        made = lun("/vol/thick/q2/lun3")
        same((value(made, "location.qtree.name"), value(made, "location.logical_unit")), ("q2", "lun3"), "place")
        made.delete()
    with check("lun: grown"):
        change(Lun(uuid=lab.lun.uuid), space={"size": 2 * GB})
        reads(lab.lun, space__size=2 * GB)
    with check("lun: a smaller size is refused"):
        refused([5374892, 5374125, 5374124], 400, lambda: change(Lun(uuid=lab.lun.uuid), space={"size": GB}))
    with check("lun: renamed and back"):
        change(Lun(uuid=lab.lun.uuid), name="/vol/thick/other")
        reads(lab.lun, name="/vol/thick/other", location__logical_unit="other")
        change(Lun(uuid=lab.lun.uuid), name="/vol/thick/lun1")
        reads(lab.lun, name="/vol/thick/lun1")
    with check("lun: comment changed, disabled and enabled"):
        change(Lun(uuid=lab.lun.uuid), comment="changed", enabled=False)
        reads(lab.lun, comment="changed", enabled=False, status__state="offline")
        change(Lun(uuid=lab.lun.uuid), enabled=True)
        reads(lab.lun, enabled=True, status__state="online")
    with check("lun: attributes are created, changed and deleted"):
        LunAttribute(lab.lun.uuid, name="owner", value="workflow").post()
        LunAttribute(lab.lun.uuid, name="fs", value="ext4").post()
        reads(LunAttribute(lab.lun.uuid, name="owner"), value="workflow")
        change(LunAttribute(lab.lun.uuid, name="owner"), value="nobody")
        lab.lun.get(fields="attributes")
        same({each["name"]: each["value"] for each in value(lab.lun, "attributes")}, {"owner": "nobody", "fs": "ext4"}, "attributes")
        LunAttribute(lab.lun.uuid, name="fs").delete()
        same(names(LunAttribute.get_collection(lab.lun.uuid)), ["owner"], "attributes")
    with check("lun: a clone of a LUN"):
        made = Lun(name="/vol/thick/clone1", svm={"name": SVM}, clone={"source": {"name": "/vol/thick/lun1"}})
        made.post(hydrate=True)
        same((value(made, "space.size"), made.os_type), (2 * GB, "linux"), "size and type")
        lab.lun.get(fields="*")
        true(made.serial_number != lab.lun.serial_number, "it has the serial number of its source")
        made.delete()
    with check("lun: a clone of a LUN in a snapshot"):
        Snapshot(lab.thick.uuid, name="luns").post()
        made = Lun(name="/vol/thick/clone2", svm={"name": SVM}, clone={"source": {"name": "/vol/thick/.snapshot/luns/lun1"}})
        made.post(hydrate=True)
        same(value(made, "space.size"), 2 * GB, "size")
        made.delete()
        fresh(Snapshot, lab.thick.uuid, name="luns").delete()
    with check("lun: a QoS policy assigned and taken off"):
        policy = QosPolicy(name="for-lun", svm={"name": SVM}, fixed={"max_throughput_iops": 900})
        policy.post(hydrate=True)
        change(Lun(uuid=lab.lun.uuid), qos_policy={"name": "for-lun"})
        reads(lab.lun, qos_policy__name="for-lun")
        change(Lun(uuid=lab.lun.uuid), qos_policy={"name": ""})
        lab.lun.get(fields="*")
        same(value(lab.lun, "qos_policy.name"), None, "qos_policy.name")
        policy.delete()
    with check("lun: moved to another volume"):
        made = lun("/vol/lean/moving")
        change(Lun(uuid=made.uuid), name="/vol/thick/moving")
        reads(made, location__volume__name="thick", name="/vol/thick/moving")
        made.delete()


def lun_refusals(lab):
    with check("lun: a taken path is refused"):
        refused([5374242, 5440688], [409, 400], lambda: lun("/vol/thick/lun1"))
    with check("lun: too small is refused"):
        refused([5374124, 5374123, 5374130], 400, lambda: Lun(name="/vol/thick/x", svm={"name": SVM}, os_type="linux", space={"size": 1024}).post())
    with check("lun: no size is refused"):
        refused([5374884, 262177, 262212], 400, lambda: Lun(name="/vol/thick/x", svm={"name": SVM}, os_type="linux").post())
    with check("lun: an unknown volume is refused"):
        refused([917927, 918235], [400, 404], lambda: lun("/vol/nowhere/x"))
    with check("lun: an unknown SVM is refused"):
        refused([2621462], [400, 404], lambda: Lun(name="/vol/thick/x", svm={"name": "nobody"}, os_type="linux", space={"size": GB}).post())
    with check("lun: no SVM is refused"):
        refused([2621707, 5374884], 400, lambda: Lun(name="/vol/thick/x", os_type="linux", space={"size": GB}).post())
    with check("lun: an unknown one is not found"):
        refused([4, 5374875, 5374876], 404, lambda: Lun(uuid=NOBODY).get())
    with check("lun: an unknown source of a clone is refused"):
        refused(
            [5374876, 5374875],
            [400, 404],
            lambda: Lun(name="/vol/thick/x", svm={"name": SVM}, clone={"source": {"name": "/vol/thick/nothing"}}).post(),
        )
    with check("lun: a word that is no os_type is refused"):
        body = {"name": "/vol/thick/x", "svm": {"name": SVM}, "os_type": "amiga", "space": {"size": GB}}
        refused_raw([262185, 262197, 262247, 2, 5374884], 400, "POST", "/api/storage/luns", json=body)


def igroups(lab):
    with check("igroup: created with an initiator"):
        group = Igroup(name="hosts", svm={"name": SVM}, os_type="linux", protocol="iscsi", initiators=[{"name": f"{IQN}1", "comment": "one"}])
        group.post(hydrate=True)
        same((group.os_type, group.protocol), ("linux", "iscsi"), "type and protocol")
        same([(each["name"], each["comment"]) for each in value(group, "initiators")], [(f"{IQN}1", "one")], "initiators")
        lab.igroup = group
    with check("igroup: initiators are added, one and several"):
        IgroupInitiator(lab.igroup.uuid, name=f"{IQN}2").post()
        IgroupInitiator.post_collection([IgroupInitiator(lab.igroup.uuid, name=f"{IQN}{number}") for number in (3, 4)], lab.igroup.uuid)
        same(names(IgroupInitiator.get_collection(lab.igroup.uuid)), [f"{IQN}{number}" for number in (1, 2, 3, 4)], "initiators")
    with check("igroup: an initiator's comment changed, another deleted"):
        change(IgroupInitiator(lab.igroup.uuid, name=f"{IQN}2"), comment="two")
        reads(IgroupInitiator(lab.igroup.uuid, name=f"{IQN}2"), comment="two")
        IgroupInitiator(lab.igroup.uuid, name=f"{IQN}4").delete()
        same(IgroupInitiator.count_collection(lab.igroup.uuid), 3, "the number of initiators")
    with check("igroup: found by its initiator"):
        same(names(Igroup.get_collection(**{"initiators.name": f"{IQN}3"})), ["hosts"], "igroups")
    with check("igroup: FC initiators"):
        group = Igroup(name="fc-hosts", svm={"name": SVM}, os_type="vmware", protocol="fcp", initiators=[{"name": "10:00:00:90:FA:11:22:33"}])
        group.post(hydrate=True)
        same([each["name"] for each in value(group, "initiators")], ["10:00:00:90:fa:11:22:33"], "initiators")
        lab.fc_igroup = group
    with check("igroup: nested in another"):
        parent = Igroup(name="cluster", svm={"name": SVM}, os_type="linux", protocol="iscsi", igroups=[{"name": "hosts"}])
        parent.post(hydrate=True)
        parent.get(fields="igroups")
        same([each["name"] for each in value(parent, "igroups")], ["hosts"], "igroups")
        more = Igroup(name="more-hosts", svm={"name": SVM}, os_type="linux", protocol="iscsi")
        more.post(hydrate=True)
        IgroupNested(parent.uuid, name="more-hosts").post()
        same(names(IgroupNested.get_collection(parent.uuid)), ["hosts", "more-hosts"], "igroups")
        IgroupNested(parent.uuid, uuid=more.uuid).delete()
        same(IgroupNested.count_collection(parent.uuid), 1, "the number of nested igroups")
        parent.delete()
        more.delete()
    with check("igroup: bound to a portset, which then is not deleted"):
        change(Igroup(uuid=lab.igroup.uuid), portset={"name": "ps1"})
        reads(lab.igroup, portset__name="ps1")
        refused(5374063, [409, 400], lambda: Portset(uuid=lab.portset.uuid).delete())
        # The library refuses an empty name itself; ONTAP takes the igroup out of its portset by it.
        raw("PATCH", f"/api/protocols/san/igroups/{lab.igroup.uuid}", json={"portset": {"name": ""}}).raise_for_status()
        lab.igroup = fresh(Igroup, name="hosts", svm__name=SVM)
        same(value(lab.igroup, "portset.name"), None, "portset.name")
    with check("igroup: renamed, os_type changed, and back"):
        change(Igroup(uuid=lab.igroup.uuid), name="servers", os_type="windows")
        reads(lab.igroup, name="servers", os_type="windows")
        change(Igroup(uuid=lab.igroup.uuid), name="hosts", os_type="linux")
        reads(lab.igroup, name="hosts", os_type="linux")
    with check("igroup: a taken name is refused"):
        refused(5374023, [409, 400], lambda: Igroup(name="hosts", svm={"name": SVM}, os_type="linux").post())
    with check("igroup: an initiator that is in it is refused"):
        refused(5374035, [409, 400], lambda: IgroupInitiator(lab.igroup.uuid, name=f"{IQN}1").post())
    with check("igroup: a malformed initiator is refused"):
        malformed = [5373969, 5373971, 5373972, 5373977, 5373978, 5373982, 5373983, 5373992, 5373993, 5374038, 5374039, 5374040]
        refused(malformed, 400, lambda: IgroupInitiator(lab.igroup.uuid, name="not an initiator").post())


def maps(lab):
    with check("lun map: the lowest number is taken"):
        made = LunMap(svm={"name": SVM}, lun={"name": "/vol/thick/lun1"}, igroup={"name": "hosts"})
        made.post(hydrate=True)
        same((made.logical_unit_number, value(made, "lun.uuid"), value(made, "igroup.uuid")), (0, lab.lun.uuid, lab.igroup.uuid), "map")
    with check("lun map: a number of one's own, then the lowest free one"):
        LunMap(svm={"name": SVM}, lun={"name": "/vol/thin/lun2"}, igroup={"name": "hosts"}, logical_unit_number=7).post()
        same(fresh(LunMap, lun__name="/vol/thin/lun2").logical_unit_number, 7, "logical_unit_number")
        third = lun("/vol/thick/lun3")
        LunMap(svm={"name": SVM}, lun={"uuid": third.uuid}, igroup={"uuid": lab.igroup.uuid}).post()
        same(fresh(LunMap, lun__uuid=third.uuid).logical_unit_number, 1, "logical_unit_number")
    with check("lun map: a LUN in two igroups"):
        LunMap(svm={"name": SVM}, lun={"name": "/vol/thick/lun1"}, igroup={"name": "fc-hosts"}).post()
        same(LunMap.count_collection(**{"lun.name": "/vol/thick/lun1"}), 2, "the number of maps")
    with check("lun map: LUN and igroup tell of it"):
        lab.lun.get(fields="status.mapped,lun_maps")
        same(value(lab.lun, "status.mapped"), True, "status.mapped")
        same(sorted(each["igroup"]["name"] for each in value(lab.lun, "lun_maps")), ["fc-hosts", "hosts"], "lun_maps of the LUN")
        lab.igroup.get(fields="lun_maps")
        found = sorted((each["lun"]["name"], each["logical_unit_number"]) for each in value(lab.igroup, "lun_maps"))
        same(found, [("/vol/thick/lun1", 0), ("/vol/thick/lun3", 1), ("/vol/thin/lun2", 7)], "lun_maps of the igroup")
    with check("reporting nodes: the owner and its partner; one is removed and added"):
        keys = (lab.lun.uuid, lab.igroup.uuid)
        same(names(LunMapReportingNode.get_collection(*keys)), ["lab-01", "lab-02"], "reporting nodes")
        LunMapReportingNode(*keys, uuid=lab.nodes["lab-02"]).delete()
        same(names(LunMapReportingNode.get_collection(*keys)), ["lab-01"], "reporting nodes")
        LunMapReportingNode(*keys, name="lab-02").post()
        same(LunMapReportingNode.count_collection(*keys), 2, "the number of reporting nodes")
    with check("lun map: a second one to the same igroup is refused"):
        refused(1254207, [409, 400], lambda: LunMap(svm={"name": SVM}, lun={"name": "/vol/thick/lun1"}, igroup={"name": "hosts"}).post())
    with check("lun map: a taken number is refused"):
        made = lun("/vol/thick/lun4")
        refused(
            [1254207, 5374053, 5374316, 5374329, 5374652],
            [409, 400],
            lambda: LunMap(svm={"name": SVM}, lun={"name": made.name}, igroup={"name": "hosts"}, logical_unit_number=7).post(),
        )
        made.delete()
    with check("lun map: an unknown LUN is refused"):
        refused(
            [5374875, 1254201, 5374876],
            [400, 404],
            lambda: LunMap(svm={"name": SVM}, lun={"name": "/vol/thick/nothing"}, igroup={"name": "hosts"}).post(),
        )
    with check("lun map: an unknown igroup is refused"):
        refused([5374878, 5374852], [400, 404], lambda: LunMap(svm={"name": SVM}, lun={"name": "/vol/thick/lun1"}, igroup={"name": "nobody"}).post())
    with check("lun map: one that is not there is not found"):
        refused([5374922, 4], 404, lambda: LunMap(lun={"uuid": lab.thin_lun.uuid}, igroup={"uuid": lab.fc_igroup.uuid}).delete())
    with check("lun: a mapped one is not deleted"):
        refused(1254197, [409, 400], lambda: Lun(uuid=lab.lun.uuid).delete())
    with check("igroup: a mapped one is not deleted"):
        refused(1254213, [409, 400], lambda: Igroup(uuid=lab.igroup.uuid).delete())


def end(lab):
    with check("lun map: deleted"):
        LunMap(lun={"uuid": lab.lun.uuid}, igroup={"uuid": lab.fc_igroup.uuid}).delete()
        same(names_of_groups(lab), ["hosts"], "igroups of the LUN")
    with check("lun: a mapped one is deleted with the switch for that"):
        Lun(uuid=lab.lun.uuid).delete(allow_delete_while_mapped=True)
        same(LunMap.count_collection(**{"lun.name": "/vol/thick/lun1"}), 0, "its maps")
    with check("igroup: a mapped one is deleted with the switch for that"):
        Igroup(uuid=lab.igroup.uuid).delete(allow_delete_while_mapped=True)
        lab.fc_igroup.delete()
        same(Igroup.count_collection() + LunMap.count_collection(), 0, "what is left")
    with check("luns: the others are deleted"):
        for made in list(Lun.get_collection(**{"svm.name": SVM})):
            made.delete()
        same(Lun.count_collection(), 0, "the number of LUNs")
        within("thick", names(Volume.get_collection(**{"svm.name": SVM})), "the volumes")


def names_of_groups(lab):
    return sorted(value(each, "igroup.name") for each in LunMap.get_collection(**{"lun.uuid": lab.lun.uuid}))
