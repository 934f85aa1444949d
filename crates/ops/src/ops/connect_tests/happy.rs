//! What succeeds, and what it brings about.

use serde_json::{Value, json};

use super::{World, attempt, limits, run, world};
use crate::model::reach::{self, Way};
use crate::model::{Object, Place};

fn named(world: &mut World, operation: &Value) -> String {
    attempt(world, operation).expect("it succeeds")[0].name.clone()
}

/// LUN by volume, as a host sees them.
fn sees(world: &World, host: &str) -> Vec<(u32, String)> {
    let array = &world.array;
    let host = array.hosts.find(host, Place::Target).expect("the host").key();
    let luns = reach::initiator_luns(array, host);
    luns.iter().flat_map(|((_, lun), seen)| seen.iter().map(|(volume, _)| (*lun, array.volumes[*volume].name().to_owned()))).collect()
}

fn pairs(expected: &[(u32, &str)]) -> Vec<(u32, String)> {
    expected.iter().map(|(lun, volume)| (*lun, (*volume).to_owned())).collect()
}

/// The ports through which hosts reach a volume.
fn ports_to(world: &World, volume: &str) -> Vec<String> {
    let volume = world.array.volumes.find(volume, Place::Target).expect("the volume").key();
    reach::volume_paths(&world.array, volume).into_iter().map(|port| world.array.host_ports[port].name().to_owned()).collect()
}

#[test]
fn hosts_see_what_affinities_and_mappings_show() {
    let world = world();
    assert_eq!(sees(&world, "H0"), pairs(&[(0, "V0"), (1, "V1"), (5, "V4")]));
    assert_eq!(sees(&world, "H1"), pairs(&[(0, "V2"), (1, "V3")]));
    assert_eq!(sees(&world, "H2"), []);
    assert_eq!(ports_to(&world, "V0"), ["CM0-CA0-P0", "CM1-CA0-P0"]);
    assert_eq!(ports_to(&world, "V4"), ["CM0-CA0-P1"]);
    assert_eq!(ports_to(&world, "V7"), [""; 0]);
}

#[test]
fn a_host_changes_its_name_address_and_alias() {
    let mut world = world();
    run(&mut world, &[json!({"host.update": {"host": "H0", "name": "H9", "wwn": "10:00:00:90:FA:00:00:09", "alias": "new adapter"}})]);
    let host = world.array.hosts.named("H9", None).expect("the host").clone();
    assert_eq!((host.initiator.address(), host.alias.as_str()), ("10000090fa000009", "new adapter"));
    run(&mut world, &[json!({"host.update": {"host": "H9", "name": "H9", "wwn": "10000090fa000009", "alias": ""}})]);
    assert_eq!(world.array.hosts[host.key()].alias, "");
    assert_eq!(sees(&world, "H9").len(), 3, "its LUNs stay");
}

#[test]
fn groups_list_their_members_in_order_of_number() {
    let mut world = world();
    run(&mut world, &[json!({"host.delete": {"host": "H2"}}), json!({"host.create": {"name": "H8", "protocol": "fc", "wwn": "10000090fa000008"}})]);
    run(&mut world, &[json!({"host-group.create": {"name": "HG2", "hosts": ["H3", "H8"]}})]);
    let group = world.array.host_groups.named("HG2", None).expect("the group");
    assert_eq!(group.hosts.iter().map(|host| world.array.hosts[*host].name()).collect::<Vec<_>>(), ["H8", "H3"], "H8 took the number of H2");
    run(&mut world, &[json!({"port-group.update": {"port_group": "PG0", "ports": ["CM1-CA0-P0", "CM0-CA0-P0"]}})]);
    assert_eq!(ports_to(&world, "V0"), ["CM0-CA0-P0", "CM1-CA0-P0"]);
}

#[test]
fn a_host_group_gains_and_loses_hosts() {
    let mut world = world();
    run(&mut world, &[json!({"host-group.update": {"host_group": "HG0", "add_hosts": ["H3", "H2"], "remove_hosts": ["H0"], "name": "HGX"}})]);
    assert_eq!(sees(&world, "H0"), []);
    assert_eq!(sees(&world, "H2"), pairs(&[(0, "V0"), (1, "V1"), (5, "V4")]));
    run(&mut world, &[json!({"host-group.update": {"host_group": "HGX", "hosts": []}})]);
    assert_eq!(sees(&world, "H2"), []);
    assert_eq!(ports_to(&world, "V0"), [""; 0]);
}

#[test]
fn a_host_group_needs_no_hosts_when_it_has_a_protocol() {
    let mut world = world();
    run(
        &mut world,
        &[
            json!({"host-group.create": {"name": "HG2", "protocol": "fc"}}),
            json!({"affinity.create": {"host_group": "HG2", "port_group": "PG0", "lun_group": "LG0"}}),
            json!({"affinity.create": {"host_group": "HG2", "port_group": "PG0", "lun_group": "LG1"}}),
        ],
    );
    let refusal = attempt(&mut world, &json!({"host-group.update": {"host_group": "HG2", "hosts": ["H2"]}})).expect_err("two LUN groups by one path");
    assert_eq!(refusal.to_string(), "the host 'H2' already sees LUNs through the port 'CM0-CA0-P0', by the host affinity 'HG2-PG0'");
}

#[test]
fn a_host_in_several_groups_sees_the_luns_of_all() {
    let mut world = world();
    run(
        &mut world,
        &[
            json!({"host-group.create": {"name": "HG2", "hosts": ["H0", "H2"]}}),
            json!({"lun-group.create": {"name": "LG2", "luns": [{"lun": 7, "volume": "V7"}]}}),
            json!({"affinity.create": {"host_group": "HG2", "port_group": "PG1", "lun_group": "LG2"}}),
        ],
    );
    assert_eq!(sees(&world, "H0"), pairs(&[(0, "V0"), (1, "V1"), (5, "V4"), (7, "V7")]));
    assert_eq!(sees(&world, "H2"), pairs(&[(7, "V7")]));
}

#[test]
fn one_number_may_stand_for_two_volumes_through_different_ports() {
    let mut world = world();
    run(&mut world, &[json!({"affinity.create": {"host_group": "HG0", "port_group": "PG1", "lun_group": "LG1"}})]);
    assert_eq!(sees(&world, "H0"), pairs(&[(0, "V0"), (0, "V2"), (1, "V1"), (5, "V4")]));
}

#[test]
fn luns_without_a_number_get_the_lowest_free_ones() {
    let mut world = world();
    run(&mut world, &[json!({"lun-group.create": {"name": "LG2", "luns": [{"volume": "V5"}, {"lun": 0, "volume": "V6"}, {"volume": "V7"}]}})]);
    let luns = |world: &World, name: &str| world.array.lun_groups.named(name, None).expect("the group").luns.keys().copied().collect::<Vec<_>>();
    assert_eq!(luns(&world, "LG2"), [0, 1, 2]);
    let add = json!([{"volume": "V2"}, {"volume": "V3"}, {"volume": "V5"}, {"volume": "V6"}]);
    run(&mut world, &[json!({"lun-group.update": {"lun_group": "LG0", "remove_luns": [0], "add_luns": add}})]);
    assert_eq!(luns(&world, "LG0"), [0, 1, 2, 3, 4], "and not 5, which H0 sees by a mapping");
    run(&mut world, &[json!({"lun-group.update": {"lun_group": "LG0", "add_luns": [{"volume": "V7"}]}})]);
    assert_eq!(luns(&world, "LG0"), [0, 1, 2, 3, 4, 6]);
    run(&mut world, &[json!({"lun-group.update": {"lun_group": "LG0", "luns": []}})]);
    assert_eq!(luns(&world, "LG0"), [0; 0]);
}

#[test]
fn a_lun_changes_its_number_in_one_update() {
    let mut world = world();
    run(&mut world, &[json!({"lun-group.update": {"lun_group": "LG0", "remove_luns": [0], "add_luns": [{"lun": 9, "volume": "V0"}]}})]);
    assert_eq!(sees(&world, "H0"), pairs(&[(1, "V1"), (5, "V4"), (9, "V0")]));
}

#[test]
fn a_mapping_gets_the_lowest_number_that_none_of_the_hosts_sees() {
    let mut world = world();
    run(&mut world, &[json!({"host-group.update": {"host_group": "HG0", "add_hosts": ["H2"]}}), json!({"mapping.create": {"volume": "V6", "host": "H2"}})]);
    assert_eq!(sees(&world, "H2"), pairs(&[(0, "V0"), (1, "V1"), (2, "V6"), (5, "V4")]));
    assert_eq!(ports_to(&world, "V6"), ["CM0-CA0-P0", "CM0-CA0-P1", "CM1-CA0-P0"], "all ports that speak FC");
    run(&mut world, &[json!({"mapping.create": {"volume": "V7", "host_group": "HG0"}})]);
    assert_eq!(sees(&world, "H0"), pairs(&[(0, "V0"), (1, "V1"), (3, "V7"), (5, "V4")]));
}

#[test]
fn nvme_hosts_reach_volumes_over_fibre_channel() {
    let mut world = world();
    run(&mut world, &[json!({"mapping.create": {"volume": "V7", "host": "N0"}}), json!({"mapping.create": {"volume": "V7", "host": "I0"}})]);
    assert_eq!(ports_to(&world, "V7"), ["CM0-CA0-P0", "CM0-CA0-P1", "CM1-CA0-P0", "CM1-CA0-P1"]);
}

#[test]
fn a_mapping_changes_its_number_and_ports() {
    let mut world = world();
    run(&mut world, &[json!({"mapping.update": {"mapping": "M0", "name": "MX", "lun": 9, "port_group": "PG0"}})]);
    assert_eq!((sees(&world, "H1"), ports_to(&world, "V3")), (pairs(&[(0, "V2"), (9, "V3")]), vec!["CM0-CA0-P0".into(), "CM1-CA0-P0".into()]));
    run(&mut world, &[json!({"mapping.update": {"mapping": "MX", "port_group": ""}})]);
    assert_eq!(ports_to(&world, "V3"), ["CM0-CA0-P0", "CM0-CA0-P1", "CM1-CA0-P0"]);
    run(&mut world, &[json!({"mapping.update": {"mapping": "MX"}}), json!({"mapping.delete": {"mapping": "MX"}})]);
    assert_eq!(sees(&world, "H1"), pairs(&[(0, "V2")]));
}

#[test]
fn an_affinity_changes_its_ports_and_volumes() {
    let mut world = world();
    run(&mut world, &[json!({"affinity.update": {"affinity": "A0", "name": "AX", "port_group": "PG1", "lun_group": "LG1"}})]);
    assert_eq!((sees(&world, "H0"), ports_to(&world, "V0")), (pairs(&[(0, "V2"), (5, "V4")]), Vec::new()));
    run(&mut world, &[json!({"affinity.delete": {"affinity": "AX"}}), json!({"host-group.update": {"host_group": "HG0", "hosts": ["H0"]}})]);
    assert_eq!(sees(&world, "H0"), pairs(&[(5, "V4")]));
}

#[test]
fn names_are_made_when_none_is_given() {
    let mut world = world();
    run(&mut world, &[json!({"host-group.create": {"name": "HG-of-production", "hosts": ["H2", "H3"]}})]);
    run(&mut world, &[json!({"volume.create": {"name": "a-very-long-name-of-a-volume", "raid_group": "RG0", "size": "1GiB"}})]);
    let affinity = |ports: &str| json!({"affinity.create": {"host_group": "HG-of-production", "port_group": ports, "lun_group": "LG0"}});
    assert_eq!(named(&mut world, &affinity("PG0")), "HG-of-production");
    assert_eq!(named(&mut world, &affinity("PG1")), "HG-of-producti-2");
    assert_eq!(named(&mut world, &json!({"mapping.create": {"volume": "V7", "host": "H2"}})), "V7-H2");
    assert_eq!(named(&mut world, &json!({"mapping.create": {"volume": "a-very-long-name-of-a-volume", "host": "H2"}})), "a-very-long-name");
    assert_eq!(named(&mut world, &json!({"mapping.create": {"volume": "a-very-long-name-of-a-volume", "host": "H3"}})), "a-very-long-na-2");
}

#[test]
fn a_port_may_serve_as_many_hosts_as_its_limit_says() {
    let mut world = world();
    limits(&mut world).hosts_per_port = 3;
    run(&mut world, &[json!({"host-group.update": {"host_group": "HG0", "add_hosts": ["H2"]}})]);
    let refusal = attempt(&mut world, &json!({"host-group.update": {"host_group": "HG1", "add_hosts": ["H3"]}})).expect_err("a fourth host");
    assert_eq!(refusal.to_string(), "the limit of 3 hosts in the host port 'CM0-CA0-P0' is reached");
    run(&mut world, &[json!({"host-group.update": {"host_group": "HG1", "hosts": ["H3"]}})]);
}

#[test]
fn what_is_no_longer_used_can_be_deleted() {
    let mut world = world();
    let deletions = [
        json!({"affinity.delete": {"affinity": "A0"}}),
        json!({"affinity.delete": {"affinity": "A1"}}),
        json!({"mapping.delete": {"mapping": "M0"}}),
        json!({"mapping.delete": {"mapping": "M1"}}),
        json!({"lun-group.delete": {"lun_group": "LG0"}}),
        json!({"port-group.delete": {"port_group": "PG0"}}),
        json!({"host-group.delete": {"host_group": "HG0"}}),
        json!({"host.delete": {"host": "H0"}}),
        json!({"volume.delete": {"volume": "V0"}}),
    ];
    run(&mut world, &deletions);
    assert!(reach::links(&world.array).next().is_none());
}

#[test]
fn links_of_groups_are_those_of_their_affinities_and_mappings() {
    let world = world();
    let array = &world.array;
    let (affinity, mapping) = (array.affinities.named("A0", None).expect("A0").key(), array.mappings.named("M1", None).expect("M1").key());
    let group = array.host_groups.named("HG0", None).expect("HG0").key();
    assert_eq!(reach::links_of_host_group(array, group).map(|link| link.way).collect::<Vec<_>>(), [Way::Affinity(affinity), Way::Mapping(mapping)]);
    let ports = array.port_groups.named("PG1", None).expect("PG1").key();
    assert_eq!(reach::links_of_port_group(array, ports).count(), 2);
    let luns = array.lun_groups.named("LG0", None).expect("LG0").key();
    assert_eq!(reach::links_of_lun_group(array, luns).map(|link| link.way).collect::<Vec<_>>(), [Way::Affinity(affinity)]);
}
