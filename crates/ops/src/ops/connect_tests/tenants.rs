//! Tenants that are targets of their own: which names they give, who goes together, which numbers volumes have, and through which ports
//! hosts come to them.

use serde_json::{Value, json};

use super::super::test_world::{self, attempt, run};
use super::super::{Reference, World};
use crate::model::reach::{self, hosts_of};
use crate::model::{HostResponse, Manners, Object, OpError, Party, Place, Service};

/// The tenants T0 (volumes V0 to V3) and T1 (volume W); hosts of the array itself: H0 and H1 by Fibre Channel, I0 by iSCSI, N0 and N1 by
/// NVMe; the fourth port speaks iSCSI.
fn world() -> World {
    let mut world = test_world::world();
    let offer = &mut world.array.personality.offer;
    offer.services = vec![Service::Fc, Service::NvmeFc, Service::Iscsi, Service::Management];
    (offer.names_per_tenant, offer.hosts_join_many_groups, offer.nvme_subsystems) = (true, true, true);
    (offer.portsets, offer.tenants_serve, offer.interface_placement) = (true, true, true);
    offer.nvme_host_responses = vec!["linux".into()];
    for (number, name) in [(0, "linux"), (1, "windows")] {
        let identity = world.array.identity;
        let make = |head| HostResponse { head, built_in: true, manners: Manners::default() };
        world.array.host_responses.insert_numbered(identity, number, name.to_owned(), make);
    }
    let operations = [
        json!({"host-port.update": {"host_port": "CM1-CA0-P1", "protocol": "iscsi"}}),
        json!({"pool.create": {"name": "P0", "level": "raid1", "drive_count": 2}}),
        json!({"tenant.create": {"name": "T0", "pools": ["P0"]}}),
        json!({"tenant.create": {"name": "T1", "pools": ["P0"]}}),
        json!({"volume.create": {"name": "V", "pool": "P0", "size": "1GiB", "count": 4, "tenant": "T0"}}),
        json!({"volume.create": {"name": "W", "pool": "P0", "size": "1GiB", "tenant": "T1"}}),
        json!({"host.create": {"name": "H0", "protocol": "fc", "wwn": "10000090fa000000"}}),
        json!({"host.create": {"name": "H1", "protocol": "fc", "wwn": "10000090fa000001"}}),
        json!({"host.create": {"name": "I0", "protocol": "iscsi", "iscsi_name": "iqn.1994-05.com.example:i0"}}),
        json!({"host.create": {"name": "N0", "protocol": "nvme", "nqn": "nqn.2014-08.com.example:n0"}}),
        json!({"host.create": {"name": "N1", "protocol": "nvme", "nqn": "nqn.2014-08.com.example:n1"}}),
    ];
    run(&mut world, &operations);
    world
}

fn done(world: &mut World, operation: &Value) -> Vec<Reference> {
    attempt(world, operation).unwrap_or_else(|refusal| panic!("{operation}: {refusal}"))
}

fn group(world: &mut World, name: &str, tenant: &str, hosts: &[&str]) -> String {
    done(world, &json!({"host-group.create": {"name": name, "tenant": tenant, "protocol": "mixed", "hosts": hosts}}))[0].id.to_string()
}

fn map(world: &mut World, volume: &str, group: &str, lun: Option<u32>) -> Result<u32, OpError> {
    let made = attempt(world, &json!({"mapping.create": {"volume": volume, "host_group": group, "lun": lun}}))?;
    Ok(world.array.mappings.find(&made[0].id.to_string(), Place::Target)?.lun)
}

fn refusal(world: &mut World, operation: &Value) -> OpError {
    attempt(world, operation).expect_err("it is refused")
}

/// The ports through which I/O to a volume flows now.
fn ports(world: &World, volume: &str) -> Vec<String> {
    let volume = world.array.find_volume(volume, Place::Target).expect(volume).key();
    reach::mapped_ports(&world.array, volume).into_iter().map(|port| world.array.host_ports[port].name().to_owned()).collect()
}

fn hosts(world: &World, group: &str) -> Vec<String> {
    let group = world.array.host_groups.find(group, Place::Target).expect(group).key();
    hosts_of(&world.array, Party::HostGroup(group)).iter().map(|host| world.array.hosts[*host].name().to_owned()).collect()
}

#[test]
fn a_name_is_taken_in_its_tenant_only() {
    let mut world = world();
    let (first, second) = (group(&mut world, "G", "T0", &[]), group(&mut world, "G", "T1", &[]));
    let again = json!({"host-group.create": {"name": "G", "tenant": "T1", "protocol": "nvme"}});
    assert!(matches!(refusal(&mut world, &again), OpError::NameTaken { .. }), "subsystems and groups share their names");
    let delete = json!({"host-group.delete": {"host_group": "G"}});
    assert!(matches!(refusal(&mut world, &delete), OpError::Ambiguous { .. }));
    done(&mut world, &json!({"host-group.delete": {"host_group": first}}));
    assert_eq!(world.array.host_groups.find("G", Place::Target).map(|found| found.id().to_string()), Ok(second));
    world.array.personality.offer.names_per_tenant = false;
    let other = json!({"host-group.create": {"name": "G", "tenant": "T0", "protocol": "fc"}});
    assert!(matches!(refusal(&mut world, &other), OpError::NameTaken { .. }), "elsewhere names are unique in the array");
}

#[test]
fn numbers_count_in_a_tenant_over_all_groups_of_a_host() {
    let mut world = world();
    let (a, b) = (group(&mut world, "A", "T0", &["H0"]), group(&mut world, "B", "T0", &["H0", "H1"]));
    let elsewhere = group(&mut world, "C", "T1", &["H0"]);
    assert_eq!(map(&mut world, "V0", &a, None), Ok(0));
    assert_eq!(map(&mut world, "V1", &b, None), Ok(1), "a host of both groups sees 0 already");
    assert_eq!(map(&mut world, "W", &elsewhere, None), Ok(0), "another tenant is another target");
    assert!(matches!(map(&mut world, "V2", &b, Some(0)), Err(OpError::LunTaken { .. })));
    let seen = map(&mut world, "V0", &b, None);
    assert!(matches!(&seen, Err(OpError::InUse { by_name, .. }) if by_name == "H0"), "{seen:?}");
    assert!(matches!(map(&mut world, "V0", &a, None), Err(OpError::AlreadyMapped { .. })));
    // A group without hosts has its numbers, too; a host that joins must see none of them.
    let empty = group(&mut world, "D", "T0", &[]);
    assert_eq!((map(&mut world, "V2", &empty, None), map(&mut world, "V3", &empty, None)), (Ok(0), Ok(1)));
    assert!(matches!(map(&mut world, "V1", &empty, Some(1)), Err(OpError::LunTaken { .. })));
    let join = json!({"host-group.update": {"host_group": empty, "add_hosts": ["H1"]}});
    assert!(matches!(refusal(&mut world, &join), OpError::LunTaken { lun: 1, .. }));
}

#[test]
fn hosts_of_nested_groups_are_hosts_of_the_outer_group() {
    let mut world = world();
    let inner = group(&mut world, "inner", "T0", &["H0"]);
    let middle = done(&mut world, &json!({"host-group.create": {"name": "middle", "tenant": "T0", "protocol": "mixed", "groups": [inner]}}))[0].id.to_string();
    let outer = group(&mut world, "outer", "T0", &["I0"]);
    done(&mut world, &json!({"host-group.update": {"host_group": outer, "add_groups": [middle]}}));
    assert_eq!((hosts(&world, "middle"), hosts(&world, "outer")), (vec!["H0".into()], vec!["H0".into(), "I0".into()]));
    for (holder, held) in [(&inner, &outer), (&inner, &inner)] {
        let circle = refusal(&mut world, &json!({"host-group.update": {"host_group": holder, "add_groups": [held]}}));
        assert!(matches!(circle, OpError::Conflicting { .. }), "{circle}");
    }
    let deep = refusal(&mut world, &json!({"host-group.create": {"name": "deep", "tenant": "T0", "protocol": "mixed", "groups": [outer]}}));
    assert!(matches!(deep, OpError::Conflicting { .. }), "{deep}");
    assert!(matches!(refusal(&mut world, &json!({"host-group.delete": {"host_group": inner}})), OpError::InUse { .. }));
    // What the inner group gains, the outer one does.
    assert_eq!(map(&mut world, "V0", &outer, None), Ok(0));
    let other = group(&mut world, "other", "T0", &["H1"]);
    assert_eq!(map(&mut world, "V1", &other, None), Ok(0));
    let join = json!({"host-group.update": {"host_group": inner, "add_hosts": ["H1"]}});
    assert!(matches!(refusal(&mut world, &join), OpError::LunTaken { lun: 0, .. }));
    done(&mut world, &json!({"host-group.update": {"host_group": outer, "remove_groups": [middle]}}));
    done(&mut world, &join);
}

#[test]
fn a_group_is_answered_in_its_own_way_unless_a_host_of_the_tenant_is_answered_otherwise() {
    let mut world = world();
    let windows = json!({"name": "A", "tenant": "T0", "protocol": "mixed", "hosts": ["H0"], "host_response": "windows"});
    done(&mut world, &json!({ "host-group.create": windows }));
    group(&mut world, "A", "T1", &["H0"]);
    let other = json!({"host-group.create": {"name": "B", "tenant": "T0", "protocol": "mixed", "hosts": ["H0"]}});
    assert_eq!(refusal(&mut world, &other).field(), Some("host_response"));
    let nvme = json!({"host-group.create": {"name": "S", "tenant": "T0", "protocol": "nvme", "host_response": "windows"}});
    assert!(matches!(refusal(&mut world, &nvme), OpError::NotSupported { .. }));
    assert!(world.array.hosts.iter().all(|host| host.host_response.is_none()));
}

#[test]
fn a_volume_is_in_one_subsystem_under_a_number_from_1() {
    let mut world = world();
    for (name, host) in [("S0", "N0"), ("S1", "N0"), ("S2", "N1")] {
        done(&mut world, &json!({"host-group.create": {"name": name, "tenant": "T0", "protocol": "nvme", "hosts": [host]}}));
    }
    assert_eq!((map(&mut world, "V0", "S0", None), map(&mut world, "V1", "S0", None)), (Ok(1), Ok(2)));
    assert_eq!(map(&mut world, "V2", "S1", None), Ok(1), "each subsystem counts for itself");
    assert!(matches!(map(&mut world, "V3", "S1", Some(0)), Err(OpError::OutOfRange { .. })));
    for subsystem in ["S0", "S2"] {
        assert!(matches!(map(&mut world, "V0", subsystem, None), Err(OpError::AlreadyMapped { .. })), "{subsystem}");
    }
    done(&mut world, &json!({"host-group.update": {"host_group": "S1", "add_hosts": ["N1"]}}));
}

/// A mixed group of H0 and I0 to which V0 is mapped, interfaces on all four ports, and services.
fn served() -> World {
    let mut world = world();
    let group = group(&mut world, "G", "T0", &["H0", "I0"]);
    assert_eq!(map(&mut world, "V0", &group, None), Ok(0));
    for (name, port) in [("F0", "CM0-CA0-P0"), ("F1", "CM0-CA0-P1"), ("F2", "CM1-CA0-P0")] {
        done(&mut world, &json!({"interface.create": {"name": name, "tenant": "T0", "services": ["fc"], "home_port": port}}));
    }
    let iscsi = json!({"name": "I", "tenant": "T0", "services": ["iscsi"], "home_port": "CM1-CA0-P1", "address": "10.0.0.1", "prefix_length": 24});
    done(&mut world, &json!({ "interface.create": iscsi }));
    world
}

#[test]
fn volumes_of_a_tenant_are_reached_by_its_services_through_its_interfaces() {
    let mut world = served();
    assert_eq!(ports(&world, "V0"), Vec::<String>::new(), "nothing serves");
    done(&mut world, &json!({"service.create": {"tenant": "T0", "protocol": "iscsi"}}));
    assert_eq!(ports(&world, "V0"), ["CM1-CA0-P1"]);
    done(&mut world, &json!({"service.create": {"tenant": "T0", "protocol": "fc", "enabled": false}}));
    assert_eq!(ports(&world, "V0"), ["CM1-CA0-P1"]);
    done(&mut world, &json!({"service.update": {"service": "T0/fc", "enabled": true}}));
    assert_eq!(ports(&world, "V0"), ["CM0-CA0-P0", "CM0-CA0-P1", "CM1-CA0-P0", "CM1-CA0-P1"]);
    done(&mut world, &json!({"interface.update": {"interface": "F1", "enabled": false}}));
    done(&mut world, &json!({"host-group.update": {"host_group": "G", "remove_hosts": ["I0"]}}));
    assert_eq!(ports(&world, "V0"), ["CM0-CA0-P0", "CM1-CA0-P0"], "iSCSI ports are for iSCSI hosts");
    done(&mut world, &json!({"tenant.update": {"tenant": "T0", "name": "renamed", "state": "stopped"}}));
    assert_eq!(ports(&world, "V0"), Vec::<String>::new());
    assert!(world.array.services.find("renamed/fc", Place::Target).is_ok());
}

#[test]
fn a_port_group_of_interfaces_narrows_the_way_to_the_group_that_is_bound_to_it() {
    let mut world = served();
    done(&mut world, &json!({"service.create": {"tenant": "T0", "protocol": "fc"}}));
    done(&mut world, &json!({"service.create": {"tenant": "T0", "protocol": "iscsi"}}));
    done(&mut world, &json!({"port-group.create": {"name": "PG", "tenant": "T0", "protocol": "fc"}}));
    let bind = json!({"host-group.update": {"host_group": "G", "port_group": "PG"}});
    assert!(matches!(refusal(&mut world, &bind), OpError::WrongState { .. }), "it is empty");
    let iscsi = json!({"port-group.update": {"port_group": "PG", "add_interfaces": ["I"]}});
    assert!(matches!(refusal(&mut world, &iscsi), OpError::ProtocolMismatch { .. }));
    done(&mut world, &json!({"port-group.update": {"port_group": "PG", "add_interfaces": ["F0"]}}));
    done(&mut world, &bind);
    assert_eq!(ports(&world, "V0"), ["CM0-CA0-P0"]);
    for operation in [
        json!({"port-group.delete": {"port_group": "PG"}}),
        json!({"port-group.update": {"port_group": "PG", "remove_interfaces": ["F0"]}}),
        json!({"interface.delete": {"interface": "F0"}}),
    ] {
        assert!(matches!(refusal(&mut world, &operation), OpError::InUse { .. }), "{operation}");
    }
    done(&mut world, &json!({"interface.update": {"interface": "F0", "home_port": "CM1-CA0-P0"}}));
    assert_eq!(ports(&world, "V0"), ["CM1-CA0-P0"], "the port follows the interface");
    done(&mut world, &json!({"host-group.update": {"host_group": "G", "port_group": ""}}));
    done(&mut world, &json!({"port-group.delete": {"port_group": "PG"}}));
}

#[test]
fn a_target_has_names_of_its_tenant() {
    let mut world = served();
    done(&mut world, &json!({"service.create": {"tenant": "T0", "protocol": "iscsi"}}));
    done(&mut world, &json!({"service.create": {"tenant": "T0", "protocol": "fc"}}));
    let tenant = world.array.tenants.find("T0", Place::Target).expect("T0").id().simple().to_string();
    let target = |name: &str| world.array.services.find(name, Place::Target).expect(name).target.clone().expect("a target");
    assert_eq!(target("T0/iscsi"), format!("iqn.1992-08.com.netapp:sn.{tenant}:vs.1"));
    let node = world.array.interfaces.find("F0", Place::Target).map(|interface| interface.address.clone());
    assert!(matches!(node, Ok(crate::model::InterfaceAddress::Wwn { node, .. }) if node == target("T0/fc")), "its interfaces have it, too");
}

#[test]
fn a_place_is_found_for_an_interface() {
    let mut world = world();
    let made = |world: &mut World, name: &str, more: Value| {
        let mut fields = json!({"name": name, "tenant": "T0", "services": ["fc"]});
        fields.as_object_mut().expect("fields").extend(more.as_object().cloned().unwrap_or_default());
        done(world, &json!({ "interface.create": fields }));
        let port = world.array.interfaces.find(name, Place::Target).expect(name).port().expect("a port");
        world.array.host_ports[port].name().to_owned()
    };
    assert_eq!(made(&mut world, "A", json!({})), "CM0-CA0-P0");
    assert_eq!(made(&mut world, "B", json!({"home_controller": "CM0"})), "CM0-CA0-P1");
    assert_eq!(made(&mut world, "C", json!({})), "CM1-CA0-P0");
    assert_eq!(made(&mut world, "D", json!({"home_controller": "CM1"})), "CM1-CA0-P0");
    let iscsi = json!({"interface.create": {"name": "E", "services": ["iscsi"], "home_controller": "CM0", "address": "10.0.0.1", "prefix_length": 8}});
    assert!(matches!(refusal(&mut world, &iscsi), OpError::ProtocolMismatch { .. }));
}

#[test]
fn a_tenant_goes_with_its_contents_but_never_with_data() {
    let mut world = served();
    done(&mut world, &json!({"service.create": {"tenant": "T0", "protocol": "fc"}}));
    done(&mut world, &json!({"host.create": {"name": "own", "protocol": "fc", "wwn": "10000090fa000009", "tenant": "T0"}}));
    done(&mut world, &json!({"port-group.create": {"name": "PG", "tenant": "T0", "interfaces": ["F0"]}}));
    done(&mut world, &json!({"host-group.update": {"host_group": "G", "port_group": "PG", "add_hosts": ["own"]}}));
    let delete = json!({"tenant.delete": {"tenant": "T0", "with_contents": true}});
    assert!(matches!(refusal(&mut world, &delete), OpError::InUse { .. }));
    done(&mut world, &json!({"mapping.delete": {"mapping": "0"}}));
    for volume in ["V0", "V1", "V2", "V3"] {
        done(&mut world, &json!({"volume.delete": {"volume": volume}}));
    }
    assert!(matches!(refusal(&mut world, &json!({"tenant.delete": {"tenant": "T0"}})), OpError::InUse { .. }));
    done(&mut world, &delete);
    let array = &world.array;
    assert_eq!((array.tenants.len(), array.host_groups.len(), array.interfaces.len(), array.services.len(), array.port_groups.len()), (1, 0, 0, 0, 0));
    assert_eq!(array.hosts.len(), 5, "hosts of the array itself stay");
}
