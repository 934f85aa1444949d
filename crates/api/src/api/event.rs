//! Events: what the array says happened.

use std::time::Duration;

use actix_web::HttpRequest;
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::Reply;
use super::listing::{self, Listing};
use super::resource::{Answered, array, part};
use super::terms;
use crate::model::{Event, Events, Noun, OpError, Place, Severity};
use crate::ops::World;

/// One event.
#[derive(Serialize, ToSchema)]
#[schema(as = Event)]
pub(super) struct View<'a> {
    /// The epoch in which it was told, and its number: it names one event for ever, also after a restore or reset.
    #[schema(example = "0-17")]
    id: String,
    /// Rising from 1.
    number: u64,
    /// When it happened.
    #[schema(format = DateTime)]
    time: String,
    /// How bad it is.
    severity: Severity,
    /// What happened, as a stable word.
    #[schema(example = "pool_warning")]
    code: &'a str,
    /// What it is about.
    #[schema(example = "pool")]
    noun: &'a str,
    /// The name of that when it happened.
    #[schema(example = "P0")]
    name: &'a str,
    /// A sentence.
    message: &'a str,
}

fn view(event: &Event, epoch: i64) -> View<'_> {
    View {
        id: event.id(),
        number: event.number,
        time: event.time.stamp(epoch),
        severity: event.severity,
        code: &event.code,
        noun: event.noun.name(),
        name: &event.name,
        message: &event.message,
    }
}

/// The kept events with a higher number, oldest first.
fn after(events: &Events, number: u64) -> impl Iterator<Item = &Event> {
    let first = events.iter().next().map_or(1, |event| event.number);
    events.iter().skip(usize::try_from((number + 1).saturating_sub(first)).unwrap_or(usize::MAX))
}

/// Lists events. When there are none and the client would wait, waits for one.
pub(super) async fn list(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    let listing = Listing::read::<View<'static>>(request.query_string())?;
    let page = |world: &World| {
        let events = after(&world.array.events, listing.after().unwrap_or(0));
        listing.page(events.map(|event| (event.number, view(event, world.array.facts.epoch))))
    };
    let Some(seconds) = terms::wait_seconds(&request) else { return Ok(Reply::json(array.read(page)).into()) };
    let found = array.wait_for(Duration::from_secs(seconds), |world| Some(page(world)).filter(|page| !listing::is_empty(page))).await;
    Ok(Reply::json(found.unwrap_or_else(|| array.read(page))).waited(seconds).into())
}

/// Reads one event, by its number or identifier.
pub(super) async fn get(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    let fields = listing::only_fields::<View<'static>>(request.query_string())?;
    let reference = part(&request, "event");
    let named = |event: &&Event| event.number.to_string() == reference || event.id() == reference;
    let number = reference.rsplit('-').next().and_then(|number| number.parse::<u64>().ok()).filter(|number| *number > 0);
    let found = array.read(|world| {
        let event = number.and_then(|number| after(&world.array.events, number - 1).next().filter(named))?;
        let mut json = Vec::new();
        listing::write(&mut json, &view(event, world.array.facts.epoch), &fields);
        Some(Reply::json(json).tagged(format!("\"{}\"", event.id())))
    });
    Ok(found.ok_or(OpError::NotFound { noun: Noun::Event, reference, place: Place::Target })?.into())
}
