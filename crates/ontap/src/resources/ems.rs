//! `/support/ems/events`, `/support/ems/messages` and `/support/ems/application-logs`: what the array has told, in ONTAP's words.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Shape, Verb, View};
use crate::ems;
use crate::fields::Want;
use crate::model::{Event, Noun};
use crate::refusal::{Outcome, Refusal};
use crate::resources::ems_choice::Choice;

/// The events, newest first.
pub(crate) struct Events;

/// The kinds of events.
pub(crate) struct Messages;

/// What hosts tell the array. It is taken, and nothing follows from it.
pub(crate) struct ApplicationLogs;

impl Collection for Events {
    fn path(&self) -> &'static str {
        "/support/ems/events"
    }
    fn defaults(&self) -> &'static [&'static str] {
        &["node", "index", "time", "message", "log_message"]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let choice = Choice::asked(view)?;
        let passes = |event: &Event| {
            let passes = |choice: &Choice| choice.passes(&ems::name(event), ems::severity(event), Some(&ems::parameters(view, event)));
            choice.as_ref().is_none_or(passes)
        };
        let numbered = (0..).zip(view.array.events.iter()).filter(|(_, event)| passes(event));
        let mut rows: Vec<Row> = numbered.map(|(place, _)| Row(place, 0)).collect();
        rows.reverse();
        Ok(rows)
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let Some(event) = view.array.events.iter().nth(row.0 as usize) else { return json!({}) };
        let (name, severity) = (ems::name(event), ems::severity(event));
        let mut record = json!({
            "index": event.number, "time": view.stamp(event.time), "source": source(event), "log_message": format!("{name}: {}", ems::text(view, event)),
            "message": {"name": name, "severity": severity},
        });
        if let Some(node) = ems::node(view, event).or_else(|| view.array.controllers.iter().next()) {
            record["node"] = view.refer_node(node);
        }
        if want.has("parameters") {
            record["parameters"] = ems::parameters(view, event).into_iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
        }
        record
    }
}

/// What told it.
fn source(event: &Event) -> &'static str {
    match event.noun {
        Noun::Drive | Noun::RaidGroup => "config_thread",
        Noun::Pool | Noun::Container | Noun::Volume => "monitor",
        Noun::Controller => "cf_main",
        Noun::HostPort | Noun::Interface => "vifmgr",
        _ => "mgwd",
    }
}

impl Collection for Messages {
    fn path(&self) -> &'static str {
        "/support/ems/messages"
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        let choice = Choice::asked(view)?;
        let passes = |message: &ems::Message| choice.as_ref().is_none_or(|choice| choice.passes(message.name, message.severity, None));
        // Several events of the array may be one message.
        let is_first = |place: usize| ems::MESSAGES[..place].iter().all(|message| message.name != ems::MESSAGES[place].name);
        let all = ems::MESSAGES.iter().enumerate().filter(|(place, message)| is_first(*place) && passes(message));
        Ok(all.filter_map(|(place, _)| u32::try_from(place).ok()).map(|place| Row(place, 0)).collect())
    }
    fn record(&self, _: &View<'_>, row: Row, _: &Want) -> Value {
        let Some(message) = ems::MESSAGES.get(row.0 as usize) else { return json!({}) };
        json!({
            "name": message.name, "severity": message.severity, "description": message.description, "corrective_action": message.action,
            "deprecated": false, "snmp_trap_type": "severity_based",
        })
    }
}

impl Collection for ApplicationLogs {
    fn path(&self) -> &'static str {
        "/support/ems/application-logs"
    }
    fn shape(&self) -> Shape {
        Shape::Many
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create]
    }
    fn rows(&self, _: &View<'_>) -> Outcome<Vec<Row>> {
        Err(Refusal::method_not_allowed("GET"))
    }
    fn record(&self, _: &View<'_>, _: Row, _: &Want) -> Value {
        json!({})
    }
    fn create(&self, call: &Call<'_>, _: &Body) -> Outcome<Row> {
        call.run(Vec::new())?;
        Ok(Row::default())
    }
}
