//! The order in which each operation refuses, and every refusal that the ladders meet, printed.

mod access;
mod broken;
mod clusters;
mod containers;
mod copies;
mod copy_volumes;
mod drives;
mod hardware;
mod interfaces;
mod ladder;
mod parts;
mod pools;
mod qos_and_responses;
mod raid_groups;
mod records;
mod settings;
mod snapshots;
mod tenants;
mod users;
mod variants;
mod volume_create;
mod volumes;
mod work;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use arrayplane::front;
use arrayplane::model::OpError;

use ladder::{Refusal, variant};

/// Every ladder that was climbed, in order of operations.
fn all() -> Vec<Refusal> {
    let tables = [
        parts::ladders(),
        hardware::ladders(),
        drives::ladders(),
        broken::ladders(),
        raid_groups::ladders(),
        pools::ladders(),
        containers::ladders(),
        snapshots::ladders(),
        volume_create::ladders(),
        volumes::ladders(),
        access::ladders(),
        copies::ladders(),
        copy_volumes::ladders(),
        users::ladders(),
        tenants::ladders(),
        interfaces::ladders(),
        qos_and_responses::ladders(),
        settings::ladders(),
        work::ladders(),
        clusters::ladders(),
        records::ladders(),
    ];
    tables.concat()
}

/// One refusal: what it is to a program, and below what it says.
fn row(error: &OpError) -> String {
    let (place, value, limit) = (error.field().unwrap_or("-"), error.value(), error.limit());
    let api = front::api::kind(error);
    assert!((400..500).contains(&api.status), "a refusal is never a fault of the server: {error:?}");
    let mut text = format!("  {:<18} {:<11} {place}\n      {error}\n      cure: {}\n", variant(error), error.noun().name(), error.cure());
    writeln!(text, "      api: {} {}", api.status, api.code).expect("text can be written");
    if value.is_some() || limit.is_some() {
        writeln!(text, "      value: {}; limit: {}", value.as_deref().unwrap_or("-"), limit.as_deref().unwrap_or("-")).expect("text can be written");
    }
    text
}

#[test]
fn every_refusal_is_printed() {
    let mut text = "Every refusal that the ladders meet: variant, noun, field; message; cure; what each front makes of it.\n".to_owned();
    let (mut operation, mut printed) = ("", BTreeSet::new());
    for refusal in all() {
        if refusal.operation != operation {
            operation = refusal.operation;
            write!(text, "\n{operation}\n").expect("text can be written");
        }
        let row = row(&refusal.error);
        if printed.insert((operation, row.clone())) {
            text.push_str(&row);
        }
    }
    crate::golden::check("refusals/refusals.golden", &text);
}

#[test]
fn every_operation_that_can_be_refused_has_a_ladder() {
    let climbed: BTreeSet<&str> = all().iter().map(|refusal| refusal.operation).collect();
    let known: BTreeSet<&str> = arrayplane::ops::OPERATIONS.iter().map(|facts| facts.name).collect();
    assert_eq!(climbed, known);
}

#[test]
fn every_variant_is_met() {
    let met: BTreeSet<String> = all().iter().map(|refusal| variant(&refusal.error)).collect();
    let missing: Vec<&str> = variants::ALL.iter().copied().filter(|name| !met.contains(*name)).collect();
    assert_eq!(missing, ["forbidden", "in_list"], "rights and lists of operations are looked at by the site, which has tests of its own");
}
