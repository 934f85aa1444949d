//! The sections of the settings that have operations of their own.

use serde_json::{Value, json};

use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    let outside = [network(), notification(), snmp_users(), certificate(), certificate_text()].concat();
    [outside, licence_register(), licence_remove(), firmware(), encryption(), encryption_of_a_generic(), thin_provisioning(), fixed_pools()].concat()
}

#[test]
fn sections_of_the_settings_refuse_in_the_documented_order() {
    ladders();
}

fn network() -> Vec<Refusal> {
    let operations = [
        json!({"host-port.update": {"host_port": "CM1-CA0-P1", "protocol": "iscsi"}}),
        json!({"interface.create": {"name": "I0", "services": ["iscsi"], "home_port": "CM1-CA0-P1", "address": "192.168.1.9", "prefix_length": 24}}),
    ];
    let ports = |ports: Value| json!({"ports": ports});
    let request = json!({
        "ports": [{"port": "X"}], "domain": "a b", "dns_servers": ["1.1.1.1", "1.1.1.2", "1.1.1.3", "1.1.1.4"], "ntp_servers": ["a", "b", "c", "d"],
        "allowed_networks": ["10.0.0.1/8"], "services": {"gopher": true},
    });
    Ladder::new(given::with("eternus-af250", &operations), "network.update", request)
        .refused(("not_found", "settings", "ports"), ports(json!([{"port": "MNT", "address": "x"}, {"port": "MNT"}])))
        .refused(("value_invalid", "settings", "address"), ports(json!([{"port": "MNT", "address": "192.168.1.9"}, {"port": "MNT"}])))
        .refused(("address_taken", "interface", "address"), ports(json!([{"port": "MNT", "address": "192.168.1.8"}, {"port": "MNT"}])))
        .refused(("conflicting", "settings", "ports"), ports(json!([{"port": "RMT", "address": "192.168.1.1"}])))
        .refused(("missing", "settings", "prefix_length"), ports(json!([{"port": "RMT", "address": "192.168.1.1", "prefix_length": 24}])))
        .refused(("address_taken", "settings", "address"), ports(json!([{"port": "RMT", "address": "10.0.0.1", "prefix_length": 8}])))
        .refused(("value_invalid", "settings", "domain"), json!({"domain": "example.com"}))
        .refused(("out_of_range", "settings", "dns_servers"), json!({"dns_servers": ["dns.example.com"]}))
        .refused(("value_invalid", "settings", "dns_servers"), json!({"dns_servers": ["2001:DB8::35"]}))
        .refused(("out_of_range", "settings", "ntp_servers"), json!({"ntp_servers": ["a b"]}))
        .refused(("value_invalid", "settings", "ntp_servers"), json!({"ntp_servers": ["ntp.example.com"]}))
        .refused(("value_invalid", "settings", "allowed_networks"), json!({"allowed_networks": ["10.0.0.0/8"]}))
        .refused(("not_found", "settings", "services"), json!({"services": {"http": true}}))
        .done()
}

fn notification() -> Vec<Refusal> {
    let mail = |sender: &str, recipients: &[&str]| json!({"mail": {"server": "mail.example.com", "sender": sender, "recipients": recipients}});
    let servers: Vec<Value> = (0..4).map(|number| json!({"server": format!("log{number}")})).collect();
    let communities: Vec<Value> = (0..11).map(|number| json!({"community": format!("word{number}")})).collect();
    let snmp = |snmp: Value| json!({"snmp": snmp});
    let request = json!({
        "mail": {"server": "a b", "sender": "nobody", "recipients": ["nobody"]}, "no_mail": true, "syslog": servers, "snmp": {"communities": communities},
    });
    Ladder::new(given::model("eternus-af250", 7), "notification.update", request)
        .refused(("conflicting", "settings", "no_mail"), json!({"no_mail": false}))
        .refused(("value_invalid", "settings", "mail.server"), mail("nobody", &["nobody"]))
        .refused(("value_invalid", "settings", "mail.sender"), mail("array@example.com", &["nobody"]))
        .refused(("value_invalid", "settings", "mail.recipients"), mail("array@example.com", &[]))
        .refused(("out_of_range", "settings", "mail.recipients"), mail("array@example.com", &["ops@example.com"]))
        .refused(("out_of_range", "settings", "syslog"), json!({"syslog": [{"server": "a b"}]}))
        .refused(("value_invalid", "settings", "syslog.server"), json!({"syslog": [{"server": "log.example.com"}]}))
        .refused(("out_of_range", "settings", "snmp.communities"), snmp(json!({"communities": [{"community": "********"}], "traps": [{"server": "a b"}]})))
        .refused(("value_invalid", "settings", "snmp.communities.community"), snmp(json!({"traps": [{"server": "a b"}]})))
        .refused(("value_invalid", "settings", "snmp.traps.server"), snmp(json!({"traps": [{"server": "nms.example.com", "user": "X"}]})))
        .refused(("value_invalid", "settings", "snmp.traps.user"), snmp(json!({"traps": [{"server": "nms.example.com"}]})))
        .done()
}

fn snmp_users() -> Vec<Refusal> {
    let users = |users: Value| json!({"snmp": {"enabled": true, "users": users}});
    let proven = |secret: &str| json!({"name": "m", "authentication": "sha", "authentication_secret": secret});
    Ladder::new(given::model("eternus-af250", 7), "notification.update", users(json!([{"name": "two words"}])))
        .refused(("value_invalid", "settings", "snmp.users.name"), users(json!([{"name": "m", "authentication": "sha"}])))
        .refused(("missing", "settings", "snmp.users.authentication_secret"), users(json!([{"name": "m", "authentication_secret": "long-enough"}])))
        .refused(
            ("conflicting", "settings", "snmp.users.authentication_secret"),
            users(json!([{"name": "m", "privacy": "aes", "privacy_secret": "long-enough"}])),
        )
        .refused(("missing", "settings", "snmp.users.authentication"), users(json!([proven("long-enough"), {"name": "m"}])))
        .refused(("conflicting", "settings", "snmp.users"), users(json!([proven("short")])))
        .refused(("value_invalid", "settings", "snmp.users.authentication_secret"), users(json!([proven("long-enough")])))
        .done()
}

fn certificate() -> Vec<Refusal> {
    let long = "o".repeat(65);
    let request = json!({"subject": {"common_name": "a b", "organization": long, "country": "Germany"}, "days": 0, "pem": "x"});
    let subject = |subject: Value| json!({"subject": subject});
    Ladder::new(given::model("eternus-af250", 7), "certificate.update", request)
        .also(("missing", "settings", "subject"), json!({"subject": null, "pem": null}))
        .refused(("conflicting", "settings", "subject"), json!({"pem": null}))
        .refused(("value_invalid", "settings", "subject.common_name"), subject(json!({"common_name": "array", "organization": long, "country": "Germany"})))
        .refused(("out_of_range", "settings", "subject.organization"), subject(json!({"common_name": "array", "country": "Germany"})))
        .refused(("value_invalid", "settings", "subject.country"), subject(json!({"common_name": "array", "country": "DE"})))
        .refused(("out_of_range", "settings", "days"), json!({"days": 365}))
        .done()
}

fn certificate_text() -> Vec<Refusal> {
    let text = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
    Ladder::new(given::model("eternus-af250", 7), "certificate.update", json!({"pem": "MIIB", "days": 3}))
        .refused(("value_invalid", "settings", "pem"), json!({"pem": text}))
        .refused(("conflicting", "settings", "days"), json!({"days": null}))
        .done()
}

fn licence_register() -> Vec<Refusal> {
    Ladder::new(given::model("eternus-af250", 7), "licence.register", json!({"licence": "X", "key": "short"}))
        .refused(("not_found", "licence", "licence"), json!({"licence": "data_reduction"}))
        .refused(("value_invalid", "licence", "key"), json!({"key": "ABCD-EFGH-IJKL-MNOP"}))
        .refused(("name_taken", "licence", "name"), json!({"licence": "storage_cluster"}))
        .done()
}

fn licence_remove() -> Vec<Refusal> {
    let world = given::with("eternus-af250", &[json!({"settings.update": {"data_reduction": true}})]);
    let unused = Ladder::new(world, "licence.remove", json!({"licence": "storage_cluster"}))
        .refused(("not_found", "licence", ""), json!({"licence": "data_reduction"}))
        .refused_before(("in_use", "licence", ""), [json!({"settings.update": {"data_reduction": false}})])
        .done();
    let host = json!({"host.create": {"name": "H0", "protocol": "nvme", "nqn": "nqn.2014-08.org.example:1"}});
    let unneeded = Ladder::new(given::with("aff-a250", &[host]), "licence.remove", json!({"licence": "nvme_of"}))
        .refused_before(("in_use", "licence", ""), [json!({"host.delete": {"host": "H0"}})])
        .done();
    [unused, unneeded].concat()
}

fn firmware() -> Vec<Refusal> {
    let operations = [
        json!({"clock.set": {"mode": "manual"}}),
        json!({"raid-group.create": {"name": "RG0", "level": "raid1", "drive_count": 2}}),
        json!({"volume.create": {"name": "V", "raid_group": "RG0", "size": "1TB"}}),
        json!({"volume.format": {"volume": "V"}}),
    ];
    Ladder::new(given::with("eternus-af250", &operations), "firmware.update", json!({"version": "V10 L90"}))
        .refused(("value_invalid", "settings", "version"), json!({"version": "V10L70-0000"}))
        .refused(("value_invalid", "settings", "version"), json!({"version": "V10L90-0000"}))
        .refused_before(("busy", "array", ""), [json!({"clock.advance": {"until": "idle"}})])
        .done()
}

fn encryption() -> Vec<Refusal> {
    let operations = [json!({"pool.create": {"name": "P0", "level": "raid1", "drive_count": 2, "encryption": true}})];
    let mut world = given::with("eternus-af250", &operations);
    world.array.personality.offer.encryption_modes.truncate(1);
    Ladder::new(world, "encryption.update", json!({"mode": "self_encrypting_drives", "key_servers": ["a", "b", "c"]}))
        .refused_until(("not_supported", "settings", "mode"), |world| {
            world.array.personality.offer.encryption_modes.push(arrayplane::model::EncryptionMode::SelfEncryptingDrives);
        })
        .refused(("out_of_range", "settings", "key_servers"), json!({"key_servers": ["a b"]}))
        .refused(("value_invalid", "settings", "key_servers"), json!({"key_servers": ["kms.example.com"]}))
        .also(("conflicting", "settings", "key_servers"), json!({"mode": "off"}))
        .refused_before(("in_use", "settings", ""), [json!({"pool.delete": {"pool": "P0"}})])
        .refused(("wrong_state", "array", ""), json!({"mode": "controller"}))
        .done()
}

fn encryption_of_a_generic() -> Vec<Refusal> {
    let operations = [
        json!({"raid-group.create": {"name": "RG0", "level": "raid1", "drive_count": 2}}),
        json!({"volume.create": {"name": "V", "raid_group": "RG0", "size": "1GB", "encryption": true}}),
    ];
    Ladder::new(given::with("esds-s16f", &operations), "encryption.update", json!({"mode": "off"}))
        .refused_before(("in_use", "settings", ""), [json!({"volume.update": {"volume": "V", "encryption": false}})])
        .done()
}

fn thin_provisioning() -> Vec<Refusal> {
    let operations = [json!({"pool.create": {"name": "P0", "level": "raid1", "drive_count": 2}})];
    let request = json!({"enabled": true, "maximum_pool_capacity": "1TiB"});
    Ladder::new(given::with("eternus-af250", &operations), "thin-provisioning.update", request)
        .refused(("value_invalid", "settings", "maximum_pool_capacity"), json!({"maximum_pool_capacity": "1536TiB"}))
        .refused_before(("in_use", "settings", ""), [json!({"pool.delete": {"pool": "P0"}})])
        .done()
}

fn fixed_pools() -> Vec<Refusal> {
    Ladder::new(given::model("esds-s16f", 7), "thin-provisioning.update", json!({"enabled": false}))
        .refused(("not_supported", "settings", "enabled"), json!({"enabled": true}))
        .done()
}
