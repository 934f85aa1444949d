//! `/api/private/cli`: commands of the command line as paths.

use std::sync::Arc;

use actix_web::http::Method;

use crate::answer::Answer;
use crate::ops::Actor;
use crate::query::Query;
use crate::refusal::{Outcome, Refusal};
use crate::site::Hosted;
use crate::version::Version;

/// A command.
pub(crate) struct Asked<'a> {
    pub(crate) method: &'a Method,
    /// The path behind `private`.
    pub(crate) words: &'a [String],
    pub(crate) query: &'a Query,
    pub(crate) body: &'a [u8],
}

/// Does what a command says.
pub(crate) fn answer(_: &Arc<Hosted>, _: &Actor, _: &Asked<'_>, _: Version) -> Outcome<Answer> {
    Err(Refusal::no_such_api())
}
