//! The clock: how virtual time moves on, and moving it on.

use actix_web::{HttpRequest, web};
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::Reply;
use super::listing::no_query;
use super::problem::Problem;
use super::resource::{Answered, array};
use super::terms;
use crate::engine::ClockMode;
use crate::model::Noun;
use crate::ops::{Operation, World};
use crate::site::Tag;
use crate::units::SimTime;

/// The clock of an array.
#[derive(Serialize, ToSchema)]
#[schema(as = Clock)]
pub(super) struct View {
    /// Virtual time.
    #[schema(format = DateTime)]
    now: String,
    /// How it moves on.
    mode: ClockMode,
    /// Virtual seconds that pass in one second of the wall clock; 0 on a clock that is advanced by hand.
    factor: f64,
    /// Whole seconds of virtual time since the array's beginning.
    elapsed_seconds: u64,
    /// When something is due next: a job begins or ends, the load of a workload turns, or data that workloads write is entered.
    #[schema(required = true, format = DateTime)]
    next_due_at: Option<String>,
}

impl View {
    fn of(world: &World) -> View {
        let stamp = |time: SimTime| time.stamp(world.array.facts.epoch);
        View {
            now: stamp(world.now()),
            mode: world.clock.mode,
            factor: world.clock.speed().factor(),
            elapsed_seconds: world.now().0 / 1_000_000,
            next_due_at: world.agenda.next_time().map(stamp),
        }
    }
}

/// What stands for the clock as it was set; that it moves on does not move the tag.
fn tag(world: &World) -> Tag {
    Tag::of_singleton(world, Noun::Clock)
}

/// Reads the clock.
pub(super) async fn get(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    no_query(request.query_string())?;
    Ok(array.read(|world| Reply::view(200, &View::of(world)).tagged(tag(world))).into())
}

/// Sets or advances the clock.
pub(super) async fn change<O: Operation<Output = ()>>(request: HttpRequest, payload: web::Payload) -> Answered {
    let array = array(&request)?;
    let (operation, terms) = terms::asked::<O>(&request, payload, (|world, _| Some(tag(world)), String::new())).await?;
    let done = array.perform(&terms, operation, |world, ()| Reply::view(200, &View::of(world)).tagged(tag(world)).into()).await;
    Ok(Reply::from(done.map_err(Problem::from)?).into())
}
