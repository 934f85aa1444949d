//! High availability: which node of the pair works for which, and how far a takeover or a giveback is.

use serde_json::{Value, json};

use crate::collection::View;
use crate::model::{Controller, ControllerState, Object, Possession};

/// The node that works for one now: itself, or the partner that has taken over.
pub(super) fn acting<'a>(view: &View<'a>, node: &'a Controller) -> &'a Controller {
    let is_taken = matches!(node.possession, Possession::Away | Possession::Returning);
    partner(view, node).filter(|_| is_taken).unwrap_or(node)
}

/// How a node is.
pub(super) fn state(node: &Controller) -> &'static str {
    match (node.state, node.possession) {
        (ControllerState::Online, Possession::Own) => "up",
        (ControllerState::Online, _) => "waiting_for_giveback",
        (ControllerState::Starting, _) => "booting",
        (_, Possession::Away | Possession::Returning) => "taken_over",
        _ => "down",
    }
}

/// Why a node cannot take its partner over; empty if it can.
pub(crate) fn obstacles(node: &Controller, partner: Option<&Controller>) -> Vec<String> {
    let Some(partner) = partner else { return vec!["The node has no partner.".to_owned()] };
    let mut all = Vec::new();
    if !node.is_online() {
        all.push("The node is not up.".to_owned());
    }
    if node.possession != Possession::Own {
        all.push("The partner works for the aggregates of the node.".to_owned());
    }
    if partner.possession != Possession::Own {
        all.push("The partner is taken over already.".to_owned());
    } else if !partner.is_online() {
        all.push("The partner is not up.".to_owned());
    }
    all
}

/// The other node of the pair.
pub(crate) fn partner<'a>(view: &View<'a>, node: &Controller) -> Option<&'a Controller> {
    view.array.controllers.iter().find(|other| other.key() != node.key())
}

pub(super) fn record(view: &View<'_>, node: &Controller) -> Value {
    let partner = partner(view, node);
    let (obstacles, backwards) = (obstacles(node, partner), partner.map(|partner| obstacles(partner, Some(node))));
    let whole = view.array.controllers.iter().all(Controller::is_online);
    json!({
        "enabled": partner.is_some(), "auto_giveback": node.auto_giveback, "type": "shared_storage",
        "partners": partner.map(|partner| view.refer_node(partner)).into_iter().collect::<Vec<Value>>(),
        "takeover": {"state": takeover(partner, "in_takeover", obstacles.is_empty())},
        "takeover_of": {"state": takeover(Some(node), "taken_over", backwards.is_some_and(|reasons| reasons.is_empty()))},
        "giveback": {"state": giveback(partner)}, "giveback_of": {"state": giveback(Some(node))},
        "takeover_check": {"takeover_possible": obstacles.is_empty(), "reasons": obstacles}, "interconnect": {"state": if whole { "up" } else { "down" }},
    })
}

/// How far the takeover of a node is.
fn takeover(taken: Option<&Controller>, done: &'static str, possible: bool) -> &'static str {
    match taken.map(|node| node.possession) {
        Some(Possession::Leaving) => "in_progress",
        Some(Possession::Away | Possession::Returning) => done,
        _ if possible => "not_attempted",
        _ => "not_possible",
    }
}

/// How far the giveback to a node is.
fn giveback(taken: Option<&Controller>) -> &'static str {
    match taken.map(|node| node.possession) {
        Some(Possession::Away) => "not_attempted",
        Some(Possession::Returning) => "in_progress",
        _ => "nothing_to_giveback",
    }
}
