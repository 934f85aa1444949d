//! Events: what the array says happened.

use actix_web::HttpRequest;
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::Reply;
use super::listing::{self, Listing};
use super::resource::{Answered, array, part};
use crate::model::{Event, Events, Noun, OpError, Place, Severity};

/// One event.
#[derive(Serialize, ToSchema)]
#[schema(as = Event)]
pub(super) struct View<'a> {
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

/// Lists events.
pub(super) async fn list(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    let listing = Listing::read::<View<'static>>(request.query_string())?;
    let page = array.read(|world| {
        let events = after(&world.array.events, listing.after().unwrap_or(0));
        listing.page(events.map(|event| (event.number, view(event, world.array.facts.epoch))))
    });
    Ok(Reply::json(page).into())
}

/// Reads one event.
pub(super) async fn get(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    let fields = listing::only_fields::<View<'static>>(request.query_string())?;
    let reference = part(&request, "event");
    let number = reference.parse::<u64>().ok().filter(|number| *number > 0);
    let json = array.read(|world| {
        let event = number.and_then(|number| after(&world.array.events, number - 1).next().filter(|event| event.number == number))?;
        let mut json = Vec::new();
        listing::write(&mut json, &view(event, world.array.facts.epoch), &fields);
        Some(json)
    });
    let json = json.ok_or(OpError::NotFound { noun: Noun::Event, reference, place: Place::Target })?;
    Ok(Reply::json(json).into())
}
