//! The journal: what came from outside, in order.

use actix_web::HttpRequest;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Reply;
use super::job::Asker;
use super::listing::Listing;
use super::masked::Masked;
use super::resource::{Answered, array};
use crate::site::Entry;

/// One operation that came from outside. What happens by itself is not in the journal: it follows from the rest.
#[derive(Serialize, ToSchema)]
#[schema(as = JournalEntry)]
pub(super) struct View<'a> {
    /// Rising by one from 1; it goes on rising when older entries are dropped.
    number: u64,
    /// Virtual time.
    #[schema(format = DateTime)]
    time: String,
    /// The operation's name.
    #[schema(example = "volume.create")]
    name: &'a str,
    /// The operation, its secrets hidden.
    #[schema(value_type = Object, example = json!({"volume.create": {"name": "V1", "pool": "P0", "size": 4_000_000_000_000_u64}}))]
    operation: Masked,
    /// Who asked.
    actor: Asker<'a>,
    /// A digest of what came of it: equal in equal runs.
    #[schema(required = true)]
    outcome: Option<Uuid>,
}

fn view(entry: &Entry, epoch: i64) -> View<'_> {
    View {
        number: entry.sequence,
        time: entry.at.stamp(epoch),
        name: entry.operation.name(),
        operation: Masked::of(&entry.operation),
        actor: Asker::of(&entry.actor),
        outcome: entry.outcome.map(|outcome| outcome.0),
    }
}

/// Lists entries.
pub(super) async fn list(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    let listing = Listing::read::<View<'static>>(request.query_string())?;
    let epoch = array.read(|world| world.array.facts.epoch);
    let page = array.journal(|journal| {
        let entries = journal.entries();
        let start = entries.partition_point(|entry| entry.sequence <= listing.after().unwrap_or(0));
        listing.page(entries[start..].iter().map(|entry| (entry.sequence, view(entry, epoch))))
    });
    Ok(Reply::json(page).into())
}
