"""NVMe subsystems with hosts, namespaces, and their maps."""

import re

from checks import check, same, true
from lab import GB, SVM, change, fresh, reads, refused, value
from netapp_ontap.resources import Igroup, NvmeNamespace, NvmeService, NvmeSubsystem, NvmeSubsystemHost, NvmeSubsystemMap

NQN = "nqn.2014-08.org.nvmexpress:uuid:00000000-0000-4000-8000-00000000000"


def hosts_of(subsystem):
    return sorted(each.nqn for each in NvmeSubsystemHost.get_collection(subsystem.uuid))


def subsystems(lab):
    with check("subsystem: created with a host"):
        made = NvmeSubsystem(name="sub1", svm={"name": SVM}, os_type="linux", comment="first", hosts=[{"nqn": f"{NQN}1"}])
        made.post(hydrate=True)
        same((made.os_type, made.comment, len(made.serial_number)), ("linux", "first", 20), "type, comment and length of the serial number")
        true(re.fullmatch(r"nqn\.1992-08\.com\.netapp:sn\.[0-9a-f]+:subsystem\.sub1", made.target_nqn), f"target_nqn is {made.target_nqn}")
        lab.subsystem = made
    with check("subsystem: hosts are added, one and several, and one is removed"):
        NvmeSubsystemHost(lab.subsystem.uuid, nqn=f"{NQN}2").post()
        NvmeSubsystemHost.post_collection([NvmeSubsystemHost(lab.subsystem.uuid, nqn=f"{NQN}{number}") for number in (3, 4)], lab.subsystem.uuid)
        same(hosts_of(lab.subsystem), [f"{NQN}{number}" for number in (1, 2, 3, 4)], "hosts")
        NvmeSubsystemHost(lab.subsystem.uuid, nqn=f"{NQN}4").delete()
        same(len(hosts_of(lab.subsystem)), 3, "the number of hosts")
    with check("subsystem: comment changed"):
        change(NvmeSubsystem(uuid=lab.subsystem.uuid), comment="changed")
        reads(lab.subsystem, comment="changed")
    with check("subsystem: a taken name is refused"):
        refused(72090025, [409, 400], lambda: NvmeSubsystem(name="sub1", svm={"name": SVM}, os_type="linux").post())
    with check("subsystem: the name of an igroup is refused"):
        group = Igroup(name="taken", svm={"name": SVM}, os_type="linux")
        group.post()
        try:
            refused(72090043, [409, 400], lambda: NvmeSubsystem(name="taken", svm={"name": SVM}, os_type="linux").post())
        finally:
            fresh(Igroup, name="taken").delete()
    with check("subsystem: a host that is in it is refused"):
        refused(72089705, [409, 400], lambda: NvmeSubsystemHost(lab.subsystem.uuid, nqn=f"{NQN}1").post())
    with check("subsystem: a malformed host is refused"):
        refused([72089771, 72089772, 72089773], 400, lambda: NvmeSubsystemHost(lab.subsystem.uuid, nqn="not an nqn").post())


def namespaces(lab):
    with check("namespace: created"):
        made = NvmeNamespace(name="/vol/thick/ns1", svm={"name": SVM}, os_type="linux", space={"size": GB}, comment="first")
        made.post(hydrate=True)
        same(
            (value(made, "space.size"), value(made, "space.block_size"), value(made, "status.state"), value(made, "location.volume.name")),
            (GB, 4096, "online", "thick"),
            "namespace",
        )
        lab.namespace = made
    with check("namespace: grown, its comment changed"):
        change(NvmeNamespace(uuid=lab.namespace.uuid), space={"size": 2 * GB}, comment="larger")
        reads(lab.namespace, space__size=2 * GB, comment="larger")
    with check("namespace: cloned"):
        made = NvmeNamespace(name="/vol/thick/ns2", svm={"name": SVM}, clone={"source": {"name": "/vol/thick/ns1"}})
        made.post(hydrate=True)
        same((value(made, "space.size"), made.os_type), (2 * GB, "linux"), "size and type")
        lab.second_namespace = made
    with check("namespace: a taken path is refused"):
        refused(72089725, [409, 400], lambda: NvmeNamespace(name="/vol/thick/ns1", svm={"name": SVM}, os_type="linux", space={"size": GB}).post())
    with check("namespace: the path of a LUN is refused"):
        refused(
            [72089725, 5374242],
            [409, 400],
            lambda: NvmeNamespace(name="/vol/thick/lun1", svm={"name": SVM}, os_type="linux", space={"size": GB}).post(),
        )


def maps(lab):
    with check("subsystem map: the first namespace is 1, the next 2"):
        for made, wanted in ((lab.namespace, "00000001h"), (lab.second_namespace, "00000002h")):
            NvmeSubsystemMap(svm={"name": SVM}, subsystem={"name": "sub1"}, namespace={"name": made.name}).post()
            found = fresh(NvmeSubsystemMap, namespace__uuid=made.uuid)
            same((found.nsid, value(found, "subsystem.name")), (wanted, "sub1"), "map")
    with check("subsystem map: the namespace tells of it"):
        lab.namespace.get(fields="status.mapped,subsystem_map")
        same(
            (value(lab.namespace, "status.mapped"), value(lab.namespace, "subsystem_map.subsystem.name")), (True, "sub1"), "mapped and subsystem_map"
        )
    with check("subsystem map: a second subsystem for a namespace is refused"):
        other = NvmeSubsystem(name="sub2", svm={"name": SVM}, os_type="linux")
        other.post(hydrate=True)
        try:
            refused(
                [72089790, 72090017],
                [409, 400],
                lambda: NvmeSubsystemMap(svm={"name": SVM}, subsystem={"name": "sub2"}, namespace={"name": "/vol/thick/ns1"}).post(),
            )
        finally:
            other.delete()
    with check("namespace: a mapped one is not deleted"):
        refused(72089796, [409, 400], lambda: NvmeNamespace(uuid=lab.namespace.uuid).delete())
    with check("subsystem: a mapped one is not deleted"):
        refused([72090023, 72090024], [409, 400], lambda: NvmeSubsystem(uuid=lab.subsystem.uuid).delete())
    with check("nvme service: one with subsystems is not deleted"):
        change(NvmeService(svm={"uuid": lab.svm.uuid}), enabled=False)
        try:
            refused([72089653, 72089654], [409, 400], lambda: NvmeService(svm={"uuid": lab.svm.uuid}).delete())
        finally:
            change(NvmeService(svm={"uuid": lab.svm.uuid}), enabled=True)


def end(lab):
    with check("subsystem map: deleted; one that is gone is not found"):
        keys = {"subsystem": {"uuid": lab.subsystem.uuid}, "namespace": {"uuid": lab.second_namespace.uuid}}
        NvmeSubsystemMap(**keys).delete()
        refused([72090019, 4], 404, lambda: NvmeSubsystemMap(**keys).get())
    with check("subsystem: one with hosts is not deleted without the switch"):
        NvmeSubsystemMap(subsystem={"uuid": lab.subsystem.uuid}, namespace={"uuid": lab.namespace.uuid}).delete()
        refused(72090024, [409, 400], lambda: NvmeSubsystem(uuid=lab.subsystem.uuid).delete())
        NvmeSubsystem(uuid=lab.subsystem.uuid).delete(allow_delete_with_hosts=True)
        same(NvmeSubsystem.count_collection(), 0, "the number of subsystems")
    with check("namespaces: deleted"):
        lab.namespace.delete()
        lab.second_namespace.delete()
        same(NvmeNamespace.count_collection(), 0, "the number of namespaces")
