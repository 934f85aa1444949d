//! What is an address, and in which form it is kept.

use serde_json::json;

use super::{attempt, test_world};

fn kept(protocol: &str, field: &str, address: &str) -> Option<String> {
    let mut world = test_world::world();
    let made = attempt(&mut world, &json!({"host.create": {"name": "H", "protocol": protocol, field: address}}));
    made.ok().and_then(|_| world.array.hosts.named("H", None).map(|host| host.initiator.address().to_owned()))
}

#[test]
fn wwns_are_kept_as_sixteen_lower_case_digits() {
    for good in ["10000090fa0000ab", "10000090FA0000AB", "10:00:00:90:fa:00:00:ab", "10:00:00:90:FA:00:00:AB"] {
        assert_eq!(kept("fc", "wwn", good).as_deref(), Some("10000090fa0000ab"), "{good}");
    }
    let bad =
        ["", "10000090fa0000a", "10000090fa0000abc", "10000090fa0000ag", "1000:0090:fa00:00ab", "10:00:00:90:fa:00:00:a:b", "0000000000000000", "::::::::"];
    for bad in bad.into_iter().chain(["00:00:00:00:00:00:00:00", "10-00-00-90-fa-00-00-ab", "0x10000090fa0000ab"]) {
        assert_eq!(kept("fc", "wwn", bad), None, "{bad}");
    }
}

#[test]
fn iscsi_names_are_kept_in_lower_case() {
    let longest = format!("iqn.{}", "x".repeat(219));
    for good in ["iqn.1991-05.com.microsoft:host-1", "eui.02004567a425678d", &longest] {
        assert_eq!(kept("iscsi", "iscsi_name", good).as_deref(), Some(good));
    }
    assert_eq!(kept("iscsi", "iscsi_name", "IQN.1991-05.com.Example:Host").as_deref(), Some("iqn.1991-05.com.example:host"));
    for bad in ["", "iqn", "naa.52004567ba64678d", "iqn.1991-05.com.example:a b", "iqn.a_b", "iqn.naïve", &format!("{longest}x")] {
        assert_eq!(kept("iscsi", "iscsi_name", bad), None, "{bad}");
    }
}

#[test]
fn nqns_are_kept_as_they_are() {
    let longest = format!("nqn.{}", "x".repeat(219));
    for good in ["nqn.2014-08.org.nvmexpress:uuid:F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6", &longest] {
        assert_eq!(kept("nvme", "nqn", good).as_deref(), Some(good));
    }
    for bad in ["", "nqn", "NQN.2014-08.org", "nqn.a b", "nqn.a\tb", "iqn.2014-08.org", &format!("{longest}x")] {
        assert_eq!(kept("nvme", "nqn", bad), None, "{bad}");
    }
}

#[test]
fn the_form_of_a_wwn_does_not_hide_that_it_is_taken() {
    let mut world = test_world::world();
    attempt(&mut world, &json!({"host.create": {"name": "H0", "protocol": "fc", "wwn": "10000090fa0000ab"}})).expect("the first host");
    let again = attempt(&mut world, &json!({"host.create": {"name": "H1", "protocol": "fc", "wwn": "10:00:00:90:FA:00:00:AB"}}));
    assert_eq!(again.map_err(|refusal| refusal.to_string()), Err("the fc address '10000090fa0000ab' belongs to the host 'H0'".into()));
}
