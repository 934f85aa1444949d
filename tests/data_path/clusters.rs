//! A cluster whose tenants are targets of their own: what services, interfaces and port groups of interfaces do to I/O.

use arrayplane::ops::World;
use serde_json::json;

use super::{named, report};
use crate::given;

/// The tenant vs0 with the volume L0, which the host group G sees through four interfaces for Fibre Channel, two on each node, under 64
/// requests of 64 KiB at a time.
fn cluster() -> World {
    let interface = |name: &str, port: &str| json!({"interface.create": {"name": name, "tenant": "vs0", "services": ["fc"], "home_port": port}});
    let operations = [
        json!({"clock.set": {"mode": "manual"}}),
        json!({"pool.create": {"name": "P0", "level": "raid-dp", "drive_count": 12}}),
        json!({"tenant.create": {"name": "vs0"}}),
        json!({"container.create": {"name": "C0", "pool": "P0", "size": "2TB", "tenant": "vs0"}}),
        json!({"volume.create": {"name": "L0", "container": "C0", "size": "500GB"}}),
        interface("F0", "node-01:0a"),
        interface("F1", "node-01:0b"),
        interface("F2", "node-02:0a"),
        interface("F3", "node-02:0b"),
        json!({"service.create": {"tenant": "vs0", "protocol": "fc"}}),
        json!({"host.create": {"name": "H0", "protocol": "fc", "wwn": "10000090fa000000"}}),
        json!({"host-group.create": {"name": "G", "tenant": "vs0", "protocol": "mixed", "hosts": ["H0"]}}),
        json!({"mapping.create": {"volume": "C0/L0", "host_group": "G"}}),
        json!({"workload.create": {
            "name": "W0", "profile": "custom", "volumes": ["C0/L0"], "outstanding": 512, "read_percent": 100, "block_size": "1MiB",
        }}),
    ];
    given::with("aff-a250", &operations)
}

fn iops(world: &World) -> f64 {
    report(world).total.iops
}

#[test]
fn a_disabled_service_stops_the_io_of_its_tenant() {
    let mut world = cluster();
    let before = iops(&world);
    assert!(before > 0.0);
    for (stop, go) in [
        (json!({"service.update": {"service": "vs0/fc", "enabled": false}}), json!({"service.update": {"service": "vs0/fc", "enabled": true}})),
        (json!({"tenant.update": {"tenant": "vs0", "state": "stopped"}}), json!({"tenant.update": {"tenant": "vs0", "state": "running"}})),
    ] {
        given::done(&mut world, &stop);
        assert!(iops(&world).abs() < f64::EPSILON, "{stop}");
        given::done(&mut world, &go);
        assert!((iops(&world) / before - 1.0).abs() < 1e-9, "{go}");
    }
    for interface in ["F0", "F1", "F2", "F3"] {
        assert!(iops(&world) > 0.0);
        given::done(&mut world, &json!({"interface.update": {"interface": interface, "enabled": false}}));
    }
    assert!(iops(&world).abs() < f64::EPSILON, "no interface is left");
}

#[test]
fn a_port_group_of_interfaces_narrows_the_ports_and_the_io() {
    let mut world = cluster();
    let before = report(&world);
    given::done(&mut world, &json!({"port-group.create": {"name": "PG", "tenant": "vs0", "interfaces": ["F0"]}}));
    given::done(&mut world, &json!({"host-group.update": {"host_group": "G", "port_group": "PG"}}));
    let narrow = report(&world);
    assert!(narrow.total.iops < 0.9 * before.total.iops, "{} of {}", narrow.total.iops, before.total.iops);
    assert!((named(&narrow.ports, "node-01:0a").iops / narrow.total.iops - 1.0).abs() < 1e-9, "all of it goes through one port");
    given::done(&mut world, &json!({"port-group.update": {"port_group": "PG", "add_interfaces": ["F2"]}}));
    let wider = iops(&world);
    assert!(wider > 1.1 * narrow.total.iops && wider <= before.total.iops, "{wider}");
}
