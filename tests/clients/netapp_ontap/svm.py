"""SVMs, their services, ports, LIFs, portsets, routes and other networking."""

from checks import check, same, true, within
from lab import SVM, change, names, reads, refused, value
from netapp_ontap.resources import (
    BroadcastDomain,
    FcInterface,
    FcPort,
    FcpService,
    IpInterface,
    IpServicePolicy,
    Ipspace,
    IscsiCredentials,
    IscsiService,
    NetworkRoute,
    NvmeService,
    Port,
    Portset,
    PortsetInterface,
    Svm,
)


def svms(lab):
    with check("svm: created with iSCSI"):
        svm = Svm(name=SVM, comment="workflow", aggregates=[{"name": "data1"}, {"name": "data2"}], iscsi={"enabled": True})
        svm.post(hydrate=True)
        same(
            (svm.state, svm.subtype, value(svm, "ipspace.name"), value(svm, "snapshot_policy.name")),
            ("running", "default", "Default", "default"),
            "defaults",
        )
        same(names(svm.aggregates), ["data1", "data2"], "aggregates")
        same(value(svm, "iscsi.enabled"), True, "iscsi.enabled")
        lab.svm = svm
    with check("svm: a second one"):
        other = Svm(name="vs2")
        other.post(hydrate=True)
        lab.other_svm = other
    with check("svm: a taken name is refused"):
        refused(13434908, [409, 400], lambda: Svm(name=SVM).post())
    with check("svm: a name that starts with a digit is refused"):
        refused([13434911, 2621519], 400, lambda: Svm(name="1svm").post())
    with check("svm: comment changed, renamed and back"):
        change(Svm(uuid=lab.other_svm.uuid), comment="second", name="vs2b")
        reads(lab.other_svm, comment="second", name="vs2b")
        change(Svm(uuid=lab.other_svm.uuid), name="vs2")
        reads(lab.other_svm, name="vs2")
    with check("svm: stopped and started"):
        change(Svm(uuid=lab.other_svm.uuid), state="stopped")
        reads(lab.other_svm, state="stopped")
        change(Svm(uuid=lab.other_svm.uuid), state="running")
        reads(lab.other_svm, state="running")


def services(lab):
    svm = {"name": SVM}
    with check("iscsi service: it came with the SVM, and has a target name"):
        service = IscsiService(svm={"uuid": lab.svm.uuid})
        service.get(fields="*")
        same((service.enabled, value(service, "target.alias")), (True, SVM), "enabled and alias")
        true(value(service, "target.name").startswith("iqn.1992-08.com.netapp:sn."), f"target.name is {value(service, 'target.name')}")
        lab.iscsi = service
    with check("iscsi service: a second one is refused"):
        refused(5374077, [409, 400], lambda: IscsiService(svm=svm).post())
    with check("iscsi service: alias changed"):
        change(IscsiService(svm={"uuid": lab.svm.uuid}), target={"alias": "workflow"})
        reads(lab.iscsi, target__alias="workflow")
    with check("iscsi service: deleting an enabled one is refused"):
        refused(5373960, [409, 400], lambda: IscsiService(svm={"uuid": lab.svm.uuid}).delete())
    with check("fc service: created"):
        service = FcpService(svm=svm)
        service.post(hydrate=True)
        same(service.enabled, True, "enabled")
        true(value(service, "target.name").startswith("20:"), f"target.name is {value(service, 'target.name')}")
        lab.fcp = service
    with check("fc service: disabled and enabled"):
        change(FcpService(svm={"uuid": lab.svm.uuid}), enabled=False)
        reads(lab.fcp, enabled=False)
        change(FcpService(svm={"uuid": lab.svm.uuid}), enabled=True)
        reads(lab.fcp, enabled=True)
    with check("nvme service: created"):
        service = NvmeService(svm=svm, enabled=True)
        service.post(hydrate=True)
        same(service.enabled, True, "enabled")
        lab.nvme = service
    with check("nvme service: a second one is refused"):
        refused(72089650, [409, 400], lambda: NvmeService(svm=svm).post())
    with check("iscsi credentials: the default is there, without authentication"):
        found = list(IscsiCredentials.get_collection(fields="*", **{"svm.name": SVM}))
        same([(each.initiator, each.authentication_type) for each in found], [("default", "none")], "credentials")
    with check("iscsi credentials: CHAP for an initiator is created, changed and deleted"):
        initiator = "iqn.1995-08.com.example:chap"
        IscsiCredentials(
            svm=svm, initiator=initiator, authentication_type="chap", chap={"inbound": {"user": "in", "password": "a-long-secret-1"}}
        ).post()
        credentials = IscsiCredentials(svm={"uuid": lab.svm.uuid}, initiator=initiator)
        reads(credentials, authentication_type="chap", chap__inbound__user="in")
        change(IscsiCredentials(svm={"uuid": lab.svm.uuid}, initiator=initiator), chap={"inbound": {"user": "inward", "password": "a-long-secret-2"}})
        reads(credentials, chap__inbound__user="inward")
        IscsiCredentials(svm={"uuid": lab.svm.uuid}, initiator=initiator).delete()
        same(IscsiCredentials.count_collection(**{"svm.name": SVM}), 1, "the number of credentials")


def interfaces(lab):
    with check("ethernet ports: data ports in the broadcast domain Default"):
        ports = list(Port.get_collection(fields="*", order_by="name", **{"broadcast_domain.name": "Default", "type": "physical"}))
        true(len(ports) >= 4, f"there are {len(ports)}")
        lab.ethernet = {node: [port.name for port in ports if value(port, "node.name") == node and port.name != "e0M"] for node in lab.nodes}
    with check("fc ports: online, for FC and NVMe"):
        ports = list(FcPort.get_collection(fields="*", order_by="name"))
        for port in ports:
            same(sorted(value(port, "supported_protocols")), ["fc_nvme", "fcp"], f"protocols of {port.name}")
        lab.fc = {node: [port.name for port in ports if value(port, "node.name") == node] for node in lab.nodes}
        same([len(lab.fc[node]) for node in sorted(lab.fc)], [4, 4], "FC ports a node")
    for number, node in ((1, "lab-01"), (2, "lab-02")):
        with check(f"ip interface: iscsi{number} for iSCSI on {node}"):
            port = lab.ethernet[node][0]
            lif = IpInterface(
                name=f"iscsi{number}",
                svm={"name": SVM},
                ip={"address": f"10.1.0.{number}", "netmask": "24"},
                location={"home_node": {"name": node}, "home_port": {"name": port, "node": {"name": node}}},
                service_policy={"name": "default-data-blocks"},
            )
            lif.post(hydrate=True)
            same(
                (lif.enabled, lif.state, value(lif, "location.is_home"), value(lif, "location.node.name")),
                (True, "up", True, node),
                "state and place",
            )
            same((value(lif, "ip.address"), value(lif, "ip.netmask")), (f"10.1.0.{number}", "24"), "address")
            within("data_iscsi", lif.services, "services")
    with check("ip interface: one for NVMe/TCP"):
        node = "lab-01"
        lif = IpInterface(
            name="tcp1",
            svm={"name": SVM},
            ip={"address": "10.1.0.11", "netmask": "255.255.255.0"},
            location={"home_port": {"name": lab.ethernet[node][1], "node": {"name": node}}},
            service_policy={"name": "default-data-nvme-tcp"},
        )
        lif.post(hydrate=True)
        within("data_nvme_tcp", lif.services, "services")
    with check("ip interface: found by its service"):
        same(names(IpInterface.get_collection(services="data_iscsi", **{"svm.name": SVM})), ["iscsi1", "iscsi2"], "LIFs with data_iscsi")
    with check("ip interface: disabled, then enabled"):
        lif = IpInterface.find(name="iscsi2")
        change(IpInterface(uuid=lif.uuid), enabled=False)
        reads(lif, enabled=False, state="down")
        change(IpInterface(uuid=lif.uuid), enabled=True)
        reads(lif, enabled=True, state="up")
    with check("ip interface: address changed"):
        lif = IpInterface.find(name="iscsi2")
        change(IpInterface(uuid=lif.uuid), ip={"address": "10.1.0.22", "netmask": "24"})
        reads(lif, ip__address="10.1.0.22")
    place = {"home_port": {"name": "e0c", "node": {"name": "lab-01"}}}
    policy = {"name": "default-data-blocks"}
    with check("ip interface: a taken name is refused"):
        refused(
            1966140,
            [409, 400],
            lambda: IpInterface(
                name="iscsi1", svm={"name": SVM}, ip={"address": "10.1.0.99", "netmask": "24"}, location=place, service_policy=policy
            ).post(),
        )
    with check("ip interface: a taken address is refused"):
        refused(
            1376963,
            [409, 400],
            lambda: IpInterface(
                name="iscsi9", svm={"name": SVM}, ip={"address": "10.1.0.1", "netmask": "24"}, location=place, service_policy=policy
            ).post(),
        )
    for name, protocol, at in (("fc1", "fcp", 0), ("fcnvme1", "fc_nvme", 1)):
        with check(f"fc interface: {name} for {protocol}"):
            lif = FcInterface(
                name=name,
                svm={"name": SVM},
                data_protocol=protocol,
                location={"home_port": {"name": lab.fc["lab-01"][at], "node": {"name": "lab-01"}}},
            )
            lif.post(hydrate=True)
            same(
                (lif.enabled, lif.state, lif.data_protocol, value(lif, "location.home_node.name")),
                (True, "up", protocol, "lab-01"),
                "state and place",
            )
            true(lif.wwpn.startswith("20:"), f"wwpn is {lif.wwpn}")
    with check("fc interface: disabled and enabled"):
        lif = FcInterface.find(name="fc1")
        change(FcInterface(uuid=lif.uuid), enabled=False)
        reads(lif, enabled=False, state="down")
        change(FcInterface(uuid=lif.uuid), enabled=True)
        reads(lif, enabled=True, state="up")


def portsets(lab):
    with check("portset: created with an interface"):
        portset = Portset(name="ps1", svm={"name": SVM}, protocol="iscsi", interfaces=[{"ip": {"name": "iscsi1"}}])
        portset.post(hydrate=True)
        same([value(each, "ip.name") for each in value(portset, "interfaces")], ["iscsi1"], "interfaces")
        lab.portset = portset
    with check("portset: an interface is added and removed"):
        PortsetInterface(lab.portset.uuid, ip={"name": "iscsi2"}).post()
        found = {value(each, "ip.name"): each.uuid for each in PortsetInterface.get_collection(lab.portset.uuid, fields="*")}
        same(sorted(found), ["iscsi1", "iscsi2"], "interfaces")
        PortsetInterface(lab.portset.uuid, uuid=found["iscsi2"]).delete()
        same(PortsetInterface.count_collection(lab.portset.uuid), 1, "the number of interfaces")
    with check("portset: a taken name is refused"):
        refused(1254259, [409, 400], lambda: Portset(name="ps1", svm={"name": SVM}, protocol="iscsi").post())
    with check("portset: an unknown interface is refused"):
        refused(5374906, [400, 404], lambda: PortsetInterface(lab.portset.uuid, ip={"name": "nowhere"}).post())


def network(lab):
    with check("ipspace and broadcast domain: created, changed and deleted"):
        ipspace = Ipspace(name="blue")
        ipspace.post(hydrate=True)
        domain = BroadcastDomain(name="blue-net", ipspace={"name": "blue"}, mtu=1500)
        domain.post(hydrate=True)
        change(BroadcastDomain(uuid=domain.uuid), mtu=9000)
        reads(domain, mtu=9000, ipspace__name="blue")
        domain.delete()
        ipspace.delete()
        same(Ipspace.count_collection(name="blue"), 0, "what is left")
    with check("route: created and deleted"):
        route = NetworkRoute(svm={"name": SVM}, gateway="10.1.0.254", destination={"address": "10.9.0.0", "netmask": "16"})
        route.post(hydrate=True)
        reads(route, gateway="10.1.0.254", destination__address="10.9.0.0", destination__netmask="16", scope="svm")
        route.delete()
        same(NetworkRoute.count_collection(gateway="10.1.0.254"), 0, "what is left")
    with check("service policy: created, changed and deleted"):
        policy = IpServicePolicy(name="blocks", svm={"name": SVM}, scope="svm", services=["data_core", "data_iscsi"])
        policy.post(hydrate=True)
        same(sorted(policy.services), ["data_core", "data_iscsi"], "services")
        change(IpServicePolicy(uuid=policy.uuid), services=["data_core", "data_nvme_tcp"])
        reads(policy, services=["data_core", "data_nvme_tcp"], scope="svm")
        policy.delete()
        same(IpServicePolicy.count_collection(name="blocks"), 0, "what is left")


def end(lab):
    with check("portset, LIFs: deleted"):
        lab.portset.delete()
        for kind in (IpInterface, FcInterface):
            for lif in kind.get_collection(**{"svm.name": SVM}):
                lif.delete()
        same(IpInterface.count_collection(**{"svm.name": SVM}) + FcInterface.count_collection(**{"svm.name": SVM}), 0, "what is left")
    with check("services: disabled and deleted"):
        for kind in (IscsiService, FcpService, NvmeService):
            change(kind(svm={"uuid": lab.svm.uuid}), enabled=False)
            kind(svm={"uuid": lab.svm.uuid}).delete()
            same(kind.count_collection(**{"svm.name": SVM}), 0, kind.__name__)
    with check("svms: deleted"):
        lab.other_svm.delete()
        lab.svm.delete()
        same(Svm.count_collection(), 0, "the number of SVMs")
