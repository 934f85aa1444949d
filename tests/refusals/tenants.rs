//! Tenants, and what they change for the things that belong to them.

use arrayplane::ops::World;
use serde_json::{Value, json};

use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    let own = [create(), update(), delete()].concat();
    let space = [volume_create(), volume_in_raid_group(), volume_grow(), volume_migrate(), volume_update(), pool_create(), pool_delete()].concat();
    let contained = [container_create(), container_update(), container_clone(), volume_clone(), restore()].concat();
    let access = [host_create(), host_update(), host_group_create(), host_group_update(), lun_group(), affinity(), mapping(), mapping_update()].concat();
    [own, space, contained, access].concat()
}

#[test]
fn tenants_and_what_belongs_to_them_refuse_in_the_documented_order() {
    ladders();
}

/// Pools P0 and P1, which is assigned to nobody; the tenants T0 (pool P0; volume TV, hosts TH and TI, LUN group TL) and T1; V, H and LG without a tenant.
fn world() -> World {
    let operations = [
        json!({"pool.create": {"name": "P0", "level": "raid1", "drive_count": 2}}),
        json!({"pool.create": {"name": "P1", "level": "raid1", "drive_count": 2}}),
        json!({"raid-group.create": {"name": "RG0", "level": "raid1", "drive_count": 2}}),
        json!({"tenant.create": {"name": "T0", "pools": ["P0"]}}),
        json!({"tenant.create": {"name": "T1", "protocols": ["iscsi"]}}),
        json!({"volume.create": {"name": "TV", "pool": "P0", "size": "1GiB", "tenant": "T0"}}),
        json!({"volume.create": {"name": "V", "pool": "P0", "size": "1GiB"}}),
        json!({"host.create": {"name": "TH", "protocol": "fc", "wwn": "10000090fa000000", "tenant": "T0"}}),
        json!({"host.create": {"name": "H", "protocol": "fc", "wwn": "10000090fa000001"}}),
        json!({"host-group.create": {"name": "TG", "hosts": ["TH"], "tenant": "T0"}}),
        json!({"host-group.create": {"name": "G", "hosts": ["H"]}}),
        json!({"port-group.create": {"name": "PG", "ports": ["CM0-CA0-P0"]}}),
        json!({"port-group.create": {"name": "PT", "ports": ["CM0-CA0-P1"], "tenant": "T1"}}),
        json!({"lun-group.create": {"name": "TL", "luns": [{"volume": "TV"}], "tenant": "T0"}}),
        json!({"lun-group.create": {"name": "LG", "luns": [{"volume": "V"}]}}),
        json!({"qos-policy.create": {"name": "Q1", "level": 3, "tenant": "T1"}}),
    ];
    given::with("eternus-af250", &operations)
}

/// A pool, the tenant T0 with the container C0 and the volume L0 in it, and a snapshot of it.
fn contained() -> World {
    let operations = [
        json!({"pool.create": {"name": "P0", "level": "raid-dp", "drive_count": 6}}),
        json!({"pool.create": {"name": "P1", "level": "raid-dp", "drive_count": 6}}),
        json!({"tenant.create": {"name": "T0", "pools": ["P0"]}}),
        json!({"tenant.create": {"name": "T1", "pools": ["P1"]}}),
        json!({"container.create": {"name": "C0", "pool": "P0", "size": "1TB", "tenant": "T0"}}),
        json!({"volume.create": {"name": "L0", "container": "C0", "size": "1GiB"}}),
        json!({"snapshot.create": {"container": "C0", "name": "S0"}}),
        json!({"qos-policy.create": {"name": "Q1", "fixed": {"iops": 100}, "tenant": "T1"}}),
    ];
    given::with("aff-a250", &operations)
}

fn register(licence: &str) -> Value {
    json!({"licence.register": {"licence": licence, "key": "ABCD-EFGH-IJKL-MNOP"}})
}

fn create() -> Vec<Refusal> {
    let mut world = world();
    world.array.personality.limits.tenants = 2;
    Ladder::new(world, "tenant.create", json!({"name": "a,b", "pools": ["X"], "comment": "c".repeat(256), "protocols": []}))
        .refused(("not_found", "pool", "pools"), json!({"pools": ["P0", "P0"]}))
        .refused(("conflicting", "tenant", "pools"), json!({"pools": ["P0"]}))
        .refused(("name_invalid", "tenant", "name"), json!({"name": "T0"}))
        .refused(("name_taken", "tenant", "name"), json!({"name": "T9"}))
        .refused(("out_of_range", "tenant", "comment"), json!({"comment": null}))
        .refused(("missing", "tenant", "protocols"), json!({"protocols": ["fc", "fc"]}))
        .refused(("conflicting", "tenant", "protocols"), json!({"protocols": ["nvme"]}))
        .refused(("not_supported", "tenant", "protocols"), json!({"protocols": ["fc"]}))
        .refused_until(("limit_reached", "tenant", ""), |world| world.array.personality.limits.tenants = 3)
        .done()
}

fn update() -> Vec<Refusal> {
    let request = json!({
        "tenant": "X", "name": "a,b", "pools": ["X"], "add_pools": ["X"], "remove_pools": ["P1"], "comment": "c".repeat(256), "protocols": [],
    });
    Ladder::new(world(), "tenant.update", request)
        .refused(("conflicting", "tenant", "pools"), json!({"pools": null}))
        .refused(("not_found", "tenant", ""), json!({"tenant": "T0"}))
        .refused(("not_found", "pool", "remove_pools"), json!({"remove_pools": null}))
        .refused(("not_found", "pool", "add_pools"), json!({"add_pools": ["P0"]}))
        .refused(("conflicting", "tenant", "add_pools"), json!({"add_pools": null, "pools": ["P1"]}))
        .refused(("name_invalid", "tenant", "name"), json!({"name": "T1"}))
        .refused(("name_taken", "tenant", "name"), json!({"name": null}))
        .refused(("out_of_range", "tenant", "comment"), json!({"comment": null}))
        .refused(("missing", "tenant", "protocols"), json!({"protocols": ["iscsi"]}))
        .refused(("in_use", "tenant", ""), json!({"protocols": ["fc"]}))
        .refused(("in_use", "tenant", ""), json!({"pools": ["P0", "P1"]}))
        .done()
}

fn delete() -> Vec<Refusal> {
    Ladder::new(world(), "tenant.delete", json!({"tenant": "X"}))
        .refused(("not_found", "tenant", ""), json!({"tenant": "T0"}))
        .refused_before(("in_use", "tenant", ""), [json!({"lun-group.delete": {"lun_group": "TL"}}), json!({"volume.delete": {"volume": "TV"}})])
        .refused_before(("in_use", "tenant", ""), [json!({"host-group.delete": {"host_group": "TG"}}), json!({"host.delete": {"host": "TH"}})])
        .done()
}

fn volume_create() -> Vec<Refusal> {
    let mut world = world();
    let limits = json!({"tenant.update": {"tenant": "T0", "capacity_limit": "2GiB", "volume_limit": 1}});
    given::done(&mut world, &limits);
    given::done(&mut world, &json!({"encryption.update": {"mode": "off"}}));
    world.array.personality.offer.tenant_required = true;
    let raised = |change: Value| json!({"tenant.update": change});
    Ladder::new(world, "volume.create", json!({"name": "N", "pool": "P1", "size": "2GiB", "qos_policy": "X", "encryption": true}))
        .refused(("missing", "volume", "tenant"), json!({"tenant": "X"}))
        .refused(("not_found", "tenant", "tenant"), json!({"tenant": "T0"}))
        .refused(("not_found", "qos-policy", "qos_policy"), json!({"qos_policy": "Q1"}))
        .refused(("switched_off", "settings", "encryption"), json!({"encryption": null}))
        .refused(("tenant_mismatch", "pool", "tenant"), json!({"pool": "P0"}))
        .refused(("tenant_mismatch", "qos-policy", "tenant"), json!({"qos_policy": null}))
        .refused_before(("limit_reached", "volume", ""), [raised(json!({"tenant": "T0", "volume_limit": 0}))])
        .refused_before(("tenant_full", "tenant", ""), [raised(json!({"tenant": "T0", "capacity_limit": 0}))])
        .done()
}

fn volume_in_raid_group() -> Vec<Refusal> {
    Ladder::new(world(), "volume.create", json!({"name": "N", "raid_group": "RG0", "size": "2GiB", "tenant": "T0"}))
        .refused(("not_supported", "volume", "tenant"), json!({"tenant": null}))
        .done()
}

fn volume_grow() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"tenant.update": {"tenant": "T0", "capacity_limit": "2GiB"}}));
    Ladder::new(world, "volume.expand", json!({"volume": "TV", "size": "3GiB"}))
        .refused_before(("tenant_full", "tenant", ""), [json!({"tenant.update": {"tenant": "T0", "capacity_limit": "3GiB"}})])
        .done()
}

fn volume_migrate() -> Vec<Refusal> {
    Ladder::new(world(), "volume.migrate", json!({"volume": "TV", "pool": "P1"}))
        .also(("not_supported", "volume", "tenant"), json!({"pool": null, "raid_group": "RG0"}))
        .refused_before(("tenant_mismatch", "pool", "tenant"), [json!({"tenant.update": {"tenant": "T0", "add_pools": ["P1"]}})])
        .done()
}

fn volume_update() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"volume.update": {"volume": "V", "uid": "6".repeat(32)}}));
    given::done(&mut world, &json!({"encryption.update": {"mode": "off"}}));
    let kept = world.array.volumes.named("TV", None).expect("a volume").uid.clone();
    Ladder::new(world, "volume.update", json!({"volume": "TV", "qos_policy": "X", "encryption": true, "uid": "6"}))
        .refused(("not_found", "qos-policy", "qos_policy"), json!({"qos_policy": "Q1"}))
        .refused(("switched_off", "settings", "encryption"), json!({"encryption": false}))
        .refused(("tenant_mismatch", "qos-policy", "tenant"), json!({"qos_policy": ""}))
        .refused(("value_invalid", "volume", "uid"), json!({"uid": format!("{}00090000", &kept[..24])}))
        .refused(("value_invalid", "volume", "uid"), json!({"uid": "6".repeat(32)}))
        .refused(("address_taken", "volume", "uid"), json!({"uid": "7".repeat(32)}))
        .done()
}

fn pool_create() -> Vec<Refusal> {
    let operations = [json!({"thin-provisioning.update": {"enabled": false}}), json!({"encryption.update": {"mode": "off"}})];
    let request = json!({"name": "P", "level": "raid1", "drive_count": 2, "encryption": true});
    Ladder::new(given::with("eternus-af250", &operations), "pool.create", request)
        .refused_before(("switched_off", "settings", ""), [json!({"thin-provisioning.update": {"enabled": true}})])
        .refused_before(("switched_off", "settings", "encryption"), [json!({"encryption.update": {"mode": "controller"}})])
        .done()
}

fn pool_delete() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"tenant.update": {"tenant": "T1", "pools": ["P1"]}}));
    Ladder::new(world, "pool.delete", json!({"pool": "P1"}))
        .refused_before(("in_use", "pool", ""), [json!({"tenant.update": {"tenant": "T1", "pools": []}})])
        .done()
}

fn container_create() -> Vec<Refusal> {
    let mut world = contained();
    given::done(&mut world, &json!({"tenant.update": {"tenant": "T0", "capacity_limit": "1.5TB"}}));
    world.array.personality.offer.tenant_required = true;
    Ladder::new(world, "container.create", json!({"name": "C9", "pool": "P1", "size": "1TB", "qos_policy": "X"}))
        .refused(("missing", "container", "tenant"), json!({"tenant": "X"}))
        .refused(("not_found", "tenant", "tenant"), json!({"tenant": "T0"}))
        .refused(("not_found", "qos-policy", "qos_policy"), json!({"qos_policy": "Q1"}))
        .refused(("tenant_mismatch", "pool", "tenant"), json!({"pool": "P0"}))
        .refused(("tenant_mismatch", "qos-policy", "tenant"), json!({"qos_policy": null}))
        .refused_before(("tenant_full", "tenant", ""), [json!({"tenant.update": {"tenant": "T0", "capacity_limit": "2TB"}})])
        .done()
}

fn container_update() -> Vec<Refusal> {
    let mut world = contained();
    given::done(&mut world, &json!({"tenant.update": {"tenant": "T0", "capacity_limit": "1.5TB"}}));
    Ladder::new(world, "container.update", json!({"container": "C0", "size": "2TB", "qos_policy": "X"}))
        .refused(("not_found", "qos-policy", "qos_policy"), json!({"qos_policy": "Q1"}))
        .refused(("tenant_mismatch", "qos-policy", "tenant"), json!({"qos_policy": ""}))
        .refused(("tenant_full", "tenant", ""), json!({"size": "1.4TB"}))
        .done()
}

fn container_clone() -> Vec<Refusal> {
    let mut world = contained();
    given::done(&mut world, &json!({"tenant.update": {"tenant": "T0", "capacity_limit": "1.5TB", "volume_limit": 1}}));
    given::done(&mut world, &json!({"licence.remove": {"licence": "flexclone"}}));
    Ladder::new(world, "container.clone", json!({"snapshot": "S0", "name": "C9"}))
        .refused_before(("licence_missing", "licence", ""), [register("flexclone")])
        .refused_before(("limit_reached", "volume", ""), [json!({"tenant.update": {"tenant": "T0", "volume_limit": 2}})])
        .refused_before(("tenant_full", "tenant", ""), [json!({"tenant.update": {"tenant": "T0", "capacity_limit": "2TB"}})])
        .done()
}

fn volume_clone() -> Vec<Refusal> {
    let mut world = contained();
    given::done(&mut world, &json!({"tenant.update": {"tenant": "T0", "volume_limit": 1}}));
    given::done(&mut world, &json!({"licence.remove": {"licence": "flexclone"}}));
    Ladder::new(world, "volume.clone", json!({"volume": "L0", "name": "L9"}))
        .refused_before(("licence_missing", "licence", ""), [register("flexclone")])
        .refused_before(("limit_reached", "volume", ""), [json!({"tenant.update": {"tenant": "T0", "volume_limit": 2}})])
        .done()
}

fn restore() -> Vec<Refusal> {
    let mut world = contained();
    given::done(&mut world, &json!({"licence.remove": {"licence": "snaprestore"}}));
    Ladder::new(world, "snapshot.restore", json!({"snapshot": "S0"})).refused_before(("licence_missing", "licence", ""), [register("snaprestore")]).done()
}

fn host_create() -> Vec<Refusal> {
    let operations = [json!({"tenant.create": {"name": "T1", "protocols": ["iscsi"]}}), json!({"licence.remove": {"licence": "fcp"}})];
    let request = json!({
        "name": "N", "protocol": "fc", "wwn": "10000090fa000009", "tenant": "X", "host_response": "X", "chap_user": "u", "chap_secret": "s",
    });
    Ladder::new(given::with("aff-a250", &operations), "host.create", request)
        .refused(("not_found", "tenant", "tenant"), json!({"tenant": "T1"}))
        .refused(("not_found", "host-response", "host_response"), json!({"host_response": "vmware"}))
        .refused(("protocol_mismatch", "host", "protocol"), json!({"tenant": null}))
        .refused_before(("licence_missing", "licence", ""), [register("fcp")])
        .also(("value_invalid", "host", "nqn"), json!({"protocol": "nvme", "wwn": null, "nqn": "x"}))
        .refused(("conflicting", "host", "chap_user"), json!({"protocol": "iscsi", "wwn": null, "iscsi_name": "iqn.1991-05.com.example:9"}))
        .also(("missing", "host", "chap_secret"), json!({"chap_secret": null}))
        .also(("missing", "host", "chap_user"), json!({"chap_user": null}))
        .also(("conflicting", "host", "chap_secret"), json!({"chap_user": ""}))
        .also(("value_invalid", "host", "chap_user"), json!({"chap_user": "two words"}))
        .refused(("value_invalid", "host", "chap_secret"), json!({"chap_secret": "********"}))
        .refused(("value_invalid", "host", "chap_secret"), json!({"chap_secret": "a long secret".replace(' ', "-")}))
        .done()
}

fn host_update() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"host-response.create": {"name": "flat", "manners": {"flat_space_addressing": true}}}));
    given::done(&mut world, &json!({"host.update": {"host": "H", "host_response": "flat"}}));
    given::done(&mut world, &json!({"mapping.create": {"name": "M", "volume": "V", "host": "H", "lun": 300}}));
    Ladder::new(world, "host.update", json!({"host": "H", "host_response": "X"}))
        .refused(("not_found", "host-response", "host_response"), json!({"host_response": "AIX"}))
        .refused_before(("lun_too_high", "host-response", "lun"), [json!({"mapping.update": {"mapping": "M", "lun": 200}})])
        .done()
}

fn host_group_create() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"host-response.create": {"name": "flat", "manners": {"flat_space_addressing": true}}}));
    given::done(&mut world, &json!({"host.update": {"host": "TH", "host_response": "flat"}}));
    given::done(&mut world, &json!({"mapping.create": {"name": "M", "volume": "TV", "host": "TH", "lun": 300}}));
    Ladder::new(world, "host-group.create", json!({"name": "N", "hosts": ["TH"], "tenant": "X", "host_response": "X"}))
        .refused(("not_found", "tenant", "tenant"), json!({"tenant": "T1"}))
        .refused(("not_found", "host-response", "host_response"), json!({"host_response": "AIX"}))
        .refused(("tenant_mismatch", "host", "tenant"), json!({"tenant": "T0"}))
        .refused(("lun_too_high", "host-response", "lun"), json!({"host_response": "flat"}))
        .done()
}

fn host_group_update() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"host-response.create": {"name": "flat", "manners": {"flat_space_addressing": true}}}));
    given::done(&mut world, &json!({"host-group.update": {"host_group": "G", "host_response": "flat"}}));
    given::done(&mut world, &json!({"mapping.create": {"name": "M", "volume": "V", "host_group": "G", "lun": 300}}));
    Ladder::new(world, "host-group.update", json!({"host_group": "G", "add_hosts": ["TH"], "host_response": "X"}))
        .refused(("not_found", "host-response", "host_response"), json!({"host_response": "Default"}))
        .refused(("tenant_mismatch", "host", "tenant"), json!({"add_hosts": null}))
        .refused_before(("lun_too_high", "host-response", "lun"), [json!({"mapping.delete": {"mapping": "M"}})])
        .done()
}

fn lun_group() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"affinity.create": {"name": "A", "host_group": "G", "port_group": "PG", "lun_group": "LG"}}));
    given::done(&mut world, &json!({"host-response.create": {"name": "flat", "manners": {"flat_space_addressing": true}}}));
    given::done(&mut world, &json!({"volume.create": {"name": "W", "pool": "P0", "size": "1GiB"}}));
    let create = Ladder::new(world.clone(), "lun-group.create", json!({"name": "N", "tenant": "X", "luns": [{"lun": 300, "volume": "V"}]}))
        .refused(("not_found", "tenant", "tenant"), json!({"tenant": "T0"}))
        .refused(("tenant_mismatch", "volume", "tenant"), json!({"tenant": null}))
        .done();
    let update = Ladder::new(world, "lun-group.update", json!({"lun_group": "LG", "add_luns": [{"lun": 300, "volume": "TV"}]}))
        .refused(("tenant_mismatch", "volume", "tenant"), json!({"add_luns": [{"lun": 300, "volume": "W"}]}))
        .refused_before(("lun_too_high", "host-response", "lun"), [json!({"host-group.update": {"host_group": "G", "host_response": "flat"}})])
        .done();
    [create, update].concat()
}

fn affinity() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"host-response.create": {"name": "flat", "manners": {"flat_space_addressing": true}}}));
    given::done(&mut world, &json!({"lun-group.create": {"name": "L9", "luns": [{"lun": 300, "volume": "V"}]}}));
    let create = Ladder::new(world.clone(), "affinity.create", json!({"name": "A9", "host_group": "G", "port_group": "PT", "lun_group": "TL"}))
        .refused(("tenant_mismatch", "port-group", "tenant"), json!({"port_group": "PG"}))
        .refused(("tenant_mismatch", "lun-group", "tenant"), json!({"lun_group": "L9"}))
        .refused_before(("lun_too_high", "host-response", "lun"), [json!({"host-group.update": {"host_group": "G", "host_response": "flat"}})])
        .done();
    given::done(&mut world, &json!({"affinity.create": {"name": "A", "host_group": "G", "port_group": "PG", "lun_group": "LG"}}));
    let update = Ladder::new(world, "affinity.update", json!({"affinity": "A", "port_group": "PT", "lun_group": "TL"}))
        .refused(("tenant_mismatch", "port-group", "tenant"), json!({"port_group": null}))
        .refused(("tenant_mismatch", "lun-group", "tenant"), json!({"lun_group": "L9"}))
        .refused(("lun_too_high", "host-response", "lun"), json!({"lun_group": "LG"}))
        .done();
    [create, update].concat()
}

fn mapping() -> Vec<Refusal> {
    Ladder::new(world(), "mapping.create", json!({"name": "M9", "volume": "TV", "host": "H", "port_group": "PT", "lun": 300}))
        .refused(("tenant_mismatch", "volume", "tenant"), json!({"volume": "V"}))
        .refused(("tenant_mismatch", "port-group", "tenant"), json!({"port_group": "PG"}))
        .refused(("out_of_range", "mapping", "lun"), json!({"lun": 255}))
        .done()
}

fn mapping_update() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"mapping.create": {"name": "M", "volume": "V", "host": "H"}}));
    Ladder::new(world, "mapping.update", json!({"mapping": "M", "port_group": "PT"}))
        .refused(("tenant_mismatch", "port-group", "tenant"), json!({"port_group": ""}))
        .done()
}
