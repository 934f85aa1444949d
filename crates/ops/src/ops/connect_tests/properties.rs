//! Random sequences of operations: the world always agrees with itself, and a refusal changes nothing ([`attempt`] looks at both).

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{World, attempt, limits, run, world};

const HOSTS: [&str; 7] = ["H0", "H1", "H2", "H3", "H4", "I0", "N0"];
const HOST_GROUPS: [&str; 4] = ["HG0", "HG1", "HG2", "IG"];
const PORT_GROUPS: [&str; 4] = ["PG0", "PG1", "PG2", "IPG"];
const PORTS: [&str; 4] = ["CM0-CA0-P0", "CM0-CA0-P1", "CM1-CA0-P0", "CM1-CA0-P1"];
const LUN_GROUPS: [&str; 3] = ["LG0", "LG1", "LG2"];
const VOLUMES: [&str; 9] = ["V0", "V1", "V2", "V3", "V4", "V5", "V6", "V7", "V8"];
const AFFINITIES: [&str; 3] = ["A0", "A1", "A2"];
const MAPPINGS: [&str; 4] = ["M0", "M1", "M2", "M3"];

fn one(of: &'static [&'static str]) -> impl Strategy<Value = Value> + Clone {
    prop::sample::select(of).prop_map(Value::from)
}

fn some(of: &'static [&'static str]) -> impl Strategy<Value = Value> + Clone {
    prop::collection::vec(one(of), 0..3).prop_map(Value::from)
}

fn number() -> impl Strategy<Value = Value> + Clone {
    (0_u32..8).prop_map(Value::from)
}

fn numbers() -> impl Strategy<Value = Value> + Clone {
    prop::collection::vec(number(), 0..3).prop_map(Value::from)
}

fn entries() -> impl Strategy<Value = Value> + Clone {
    prop::collection::vec((prop::option::of(0_u32..8), one(&VOLUMES)), 0..4).prop_map(|entries| {
        let entry = |(lun, volume): (Option<u32>, Value)| lun.map_or_else(|| json!({"volume": volume}), |lun| json!({"lun": lun, "volume": volume}));
        entries.into_iter().map(entry).collect()
    })
}

fn address() -> impl Strategy<Value = (&'static str, Value)> + Clone {
    (0_usize..3, 0_u32..4).prop_map(|(kind, which)| match kind {
        0 => ("wwn", Value::from(format!("10000090fa00000{which}"))),
        1 => ("iscsi_name", Value::from(format!("iqn.1994-05.com.example:i{which}"))),
        _ => ("nqn", Value::from(format!("nqn.2014-08.com.example:n{which}"))),
    })
}

/// An operation with its fields; those given as an option are left out now and then.
fn operation(name: &'static str, fields: impl IntoIterator<Item = (&'static str, Option<Value>)>) -> Value {
    let fields: Map<String, Value> = fields.into_iter().filter_map(|(field, value)| value.map(|value| (field.to_owned(), value))).collect();
    json!({ name: fields })
}

macro_rules! operations {
    ($name:literal { $($field:literal: $value:expr),+ ; $($option:literal: $maybe:expr),* }) => {{
        let needed = vec![$( ($field, $value.prop_map(Some).boxed()) ),+];
        let optional: Vec<(&'static str, BoxedStrategy<Option<Value>>)> = vec![$( ($option, prop::option::of($maybe).boxed()) ),*];
        let (fields, values): (Vec<_>, Vec<_>) = needed.into_iter().chain(optional).unzip();
        values.prop_map(move |values| operation($name, fields.iter().copied().zip(values))).boxed()
    }};
}

fn on_hosts() -> impl Strategy<Value = Value> {
    let protocols = prop::sample::select(&["fc", "iscsi", "nvme"][..]);
    let any = (one(&HOSTS), protocols, address()).prop_map(|(name, protocol, (field, address))| {
        operation("host.create", [("name", Some(name)), ("protocol", Some(protocol.into())), (field, Some(address))])
    });
    let fc =
        (one(&HOSTS), 0_u32..8).prop_map(|(name, which)| json!({"host.create": {"name": name, "protocol": "fc", "wwn": format!("10000090fa00000{which}")}}));
    let update = (one(&HOSTS), prop::option::of(one(&HOSTS)), address())
        .prop_map(|(host, name, (field, address))| operation("host.update", [("host", Some(host)), ("name", name), (field, Some(address))]));
    prop_oneof![1 => any, 2 => fc, 1 => update, 1 => operations!("host.delete" { "host": one(&HOSTS); })]
}

fn on_groups() -> impl Strategy<Value = Value> {
    prop_oneof![
        2 => operations!("host-group.create" { "name": one(&HOST_GROUPS); "hosts": some(&HOSTS) }),
        1 => operations!("host-group.update" { "host_group": one(&HOST_GROUPS), "hosts": some(&HOSTS); "name": one(&HOST_GROUPS) }),
        4 => operations!("host-group.update" { "host_group": one(&HOST_GROUPS), "add_hosts": some(&HOSTS[..5]); }),
        2 => operations!("host-group.update" { "host_group": one(&HOST_GROUPS); "add_hosts": some(&HOSTS[..5]), "remove_hosts": some(&HOSTS[..5]) }),
        1 => operations!("host-group.delete" { "host_group": one(&HOST_GROUPS); }),
        2 => operations!("port-group.create" { "name": one(&PORT_GROUPS), "ports": some(&PORTS); }),
        1 => operations!("port-group.update" { "port_group": one(&PORT_GROUPS), "ports": some(&PORTS[..3]); "name": one(&PORT_GROUPS) }),
        3 => operations!("port-group.update" { "port_group": one(&PORT_GROUPS), "add_ports": some(&PORTS[..3]); "remove_ports": some(&PORTS[..3]) }),
        1 => operations!("port-group.delete" { "port_group": one(&PORT_GROUPS); }),
        2 => operations!("lun-group.create" { "name": one(&LUN_GROUPS); "luns": entries() }),
        1 => operations!("lun-group.update" { "lun_group": one(&LUN_GROUPS), "luns": entries(); "name": one(&LUN_GROUPS) }),
        4 => operations!("lun-group.update" { "lun_group": one(&LUN_GROUPS), "add_luns": entries(); "remove_luns": numbers() }),
        1 => operations!("lun-group.delete" { "lun_group": one(&LUN_GROUPS); }),
    ]
}

fn on_paths() -> impl Strategy<Value = Value> {
    let protocols = prop::sample::select(&["fc", "fcoe", "iscsi", "ethernet"][..]).prop_map(Value::from);
    let (fc_hosts, fc_ports) = (&HOST_GROUPS[..3], &PORT_GROUPS[..3]);
    prop_oneof![
        8 => operations!("affinity.create" { "host_group": one(fc_hosts), "port_group": one(fc_ports), "lun_group": one(&LUN_GROUPS); "name": one(&AFFINITIES) }),
        2 => operations!("affinity.create" { "host_group": one(&HOST_GROUPS), "port_group": one(&PORT_GROUPS), "lun_group": one(&LUN_GROUPS); }),
        4 => operations!("affinity.update" { "affinity": one(&AFFINITIES); "port_group": one(fc_ports), "lun_group": one(&LUN_GROUPS) }),
        1 => operations!("affinity.delete" { "affinity": one(&AFFINITIES); }),
        4 => operations!("mapping.create" { "volume": one(&VOLUMES), "host": one(&HOSTS); "name": one(&MAPPINGS), "port_group": one(fc_ports), "lun": number() }),
        4 => operations!("mapping.create" { "volume": one(&VOLUMES), "host_group": one(&HOST_GROUPS); "name": one(&MAPPINGS), "lun": number() }),
        4 => operations!("mapping.update" { "mapping": one(&MAPPINGS); "lun": number(), "port_group": one(&["PG0", "PG1", "IPG", ""]) }),
        2 => operations!("mapping.delete" { "mapping": one(&MAPPINGS); }),
        1 => operations!("host-port.update" { "host_port": one(&PORTS), "protocol": protocols; }),
        1 => operations!("volume.delete" { "volume": one(&VOLUMES[5..]); }),
    ]
}

fn empty(world: &mut World) {
    run(
        world,
        &[
            json!({"affinity.delete": {"affinity": "A0"}}),
            json!({"affinity.delete": {"affinity": "A1"}}),
            json!({"mapping.delete": {"mapping": "M0"}}),
            json!({"mapping.delete": {"mapping": "M1"}}),
        ],
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_world_always_agrees_with_itself(
        from_nothing in prop::bool::weighted(0.2),
        operations in prop::collection::vec(prop_oneof![1 => on_hosts(), 4 => on_groups(), 5 => on_paths()], 1..80),
    ) {
        let mut world = world();
        if from_nothing {
            empty(&mut world);
        }
        world.array.personality.lun_max = 7;
        *limits(&mut world) = crate::model::Limits { hosts_per_port: 4, hosts_per_group: 3, luns_per_group: 5, affinities: 6, mappings: 9, ..limits(&mut world).clone() };
        for operation in &operations {
            let _ = attempt(&mut world, operation);
        }
    }
}
