//! Raw counters of what things have done, for clients that make rates of them.

use actix_web::HttpRequest;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Reply;
use super::listing::{Listing, only_fields, write};
use super::performance_subject::{KINDS, Measured, find, of_kind};
use super::problem::{NOT_FOUND, Problem};
use super::resource::{Answered, array, part};
use crate::model::Place;
use crate::ops::World;
use crate::perf::history::{Counters, counters};

/// The counters of one thing. They never fall, but with a restore or reset, which begins another epoch.
#[derive(Serialize, ToSchema)]
#[schema(as = PerformanceCounters)]
pub(super) struct View {
    /// The kind of the object.
    #[schema(example = "volume")]
    noun: &'static str,
    /// Its identifier.
    id: Uuid,
    /// Its number.
    number: u32,
    /// Its name.
    #[schema(example = "V0")]
    name: String,
    /// When they were read.
    #[schema(format = DateTime)]
    time: String,
    /// The epoch.
    epoch: u32,
    /// What it has done.
    counters: Counters,
}

fn view(world: &World, of: Measured) -> View {
    View {
        noun: of.subject.noun.name(),
        id: of.id,
        number: of.number,
        name: of.name,
        time: world.now().stamp(world.array.facts.epoch),
        epoch: world.revisions.epoch,
        counters: counters(&world.load, world.now(), of.subject.noun, of.subject.key),
    }
}

/// Lists the counters of everything, kind by kind.
pub(super) async fn list(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    let listing = Listing::read::<View>(request.query_string())?;
    let page = |world: &World| {
        let place = |kind: usize, of: &Measured| ((kind as u64) << 32) + u64::from(of.number);
        let all = (0..KINDS.len()).flat_map(|kind| of_kind(world, KINDS[kind]).into_iter().map(move |of| (place(kind, &of), of)));
        let behind = all.filter(|(place, _)| listing.after().is_none_or(|after| *place > after));
        listing.page(behind.map(|(place, of)| (place, view(world, of))))
    };
    Ok(Reply::json(array.read(page)).into())
}

/// Reads the counters of one thing.
pub(super) async fn get(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    let fields = only_fields::<View>(request.query_string())?;
    let (kind, reference) = (part(&request, "kind"), part(&request, "object"));
    let noun = KINDS.into_iter().find(|noun| noun.name() == kind);
    let noun = noun.ok_or_else(|| {
        let kinds = KINDS.map(crate::model::Noun::name).join(", ");
        Problem::new(NOT_FOUND, format!("nothing of the kind '{kind}' is counted")).value(&kind).cure(format!("use one of {kinds}"))
    })?;
    let json = array.read(|world| {
        find(world, noun, &reference, &Place::Target).map(|of| {
            let mut json = Vec::new();
            write(&mut json, &view(world, of), &fields);
            json
        })
    })?;
    Ok(Reply::json(json).into())
}
