//! Named checkpoints: values of an array that somebody has saved, to come back to them.

use std::sync::Arc;

use uuid::Uuid;

use super::hosted::{Hosted, Performed};
use super::journal::length_of;
use super::site_error::name_is_valid;
use super::state::State;
use super::store::Heading;
use super::{Answer, ChangeError, Terms, checkpoint};
use crate::model::{Noun, OpError, Place};
use crate::ops::World;
use crate::units::{Bytes, SimTime};

/// A value that was saved under a name.
#[derive(Clone, Debug)]
pub struct Saved {
    /// Its number, the lowest that was free.
    pub number: u32,
    /// Its name.
    pub name: String,
    /// Virtual time of the value.
    pub at: SimTime,
    /// The epoch in which it was saved.
    pub epoch: u32,
    /// The last entry of the journal that is in it.
    pub sequence: u64,
    /// How much it takes, written down.
    pub size: Bytes,
    value: Option<Arc<World>>,
}

const NAMESPACE: Uuid = Uuid::from_u128(0x2b55_7f0c_96f1_4a1e_bb29_03de_71c4_5e90);

impl Saved {
    /// The most that one array keeps.
    pub const MOST: usize = 100;

    /// One that was found on disk.
    pub(super) fn found(heading: Heading, size: u64) -> Saved {
        let Heading { sequence, epoch, at, name, number, .. } = heading;
        Saved { number: number.unwrap_or_default(), name: name.unwrap_or_default(), at, epoch, sequence, size: Bytes::new(size), value: None }
    }
    /// Its identifier.
    pub fn id(&self, seed: u64) -> Uuid {
        let text = format!("{seed}/{}/{}/{}/{}/{}", self.epoch, self.sequence, self.at.0, self.number, self.name);
        Uuid::new_v5(&NAMESPACE, text.as_bytes())
    }
}

/// Finds one by id, number or name.
fn find<'s>(state: &'s State, reference: &str) -> Result<&'s Saved, OpError> {
    let seed = state.world.array.identity.seed();
    let number = |saved: &&Saved| saved.number.to_string() == reference;
    let by_id = state.saved.iter().find(|saved| saved.id(seed).to_string() == reference);
    let numbered = state.saved.iter().find(number);
    let named = state.saved.iter().find(|saved| saved.name == reference);
    match (by_id, numbered, named) {
        (Some(saved), ..) => Ok(saved),
        (None, Some(one), Some(other)) if one.number != other.number => {
            Err(OpError::Ambiguous { noun: Noun::Checkpoint, reference: reference.to_owned(), place: Place::Target })
        }
        (None, Some(saved), _) | (None, None, Some(saved)) => Ok(saved),
        (None, None, None) => Err(OpError::NotFound { noun: Noun::Checkpoint, reference: reference.to_owned(), place: Place::Target }),
    }
}

fn value(state: &State, saved: &Saved) -> Result<World, ChangeError> {
    match (&saved.value, &state.store) {
        (Some(value), _) => Ok(World::clone(value)),
        (None, Some(store)) => store.saved(saved.number).map_err(|cause| ChangeError::Broken { cause: cause.to_string() }),
        (None, None) => Err(ChangeError::Broken { cause: "the value is on a disk that is not used any more".to_owned() }),
    }
}

fn not_written(cause: &std::io::Error) -> ChangeError {
    ChangeError::NotWritten { cause: cause.to_string() }
}

impl Hosted {
    /// Shows what was saved, in order of number, beside the world as it is now.
    pub fn saved<R>(&self, look: impl FnOnce(&[Saved], &World) -> R) -> R {
        let (state, _) = self.begin();
        look(&state.saved, &state.world)
    }
    /// Shows one of them.
    pub fn saved_one<R>(&self, reference: &str, look: impl FnOnce(&Saved, &World) -> R) -> Result<R, OpError> {
        let (state, _) = self.begin();
        find(&state, reference).map(|saved| look(saved, &state.world))
    }
    /// The value of one of them, written down.
    pub fn saved_text(&self, reference: &str) -> Result<String, ChangeError> {
        let (state, _) = self.begin();
        let value = value(&state, find(&state, reference)?)?;
        checkpoint(&value).map_err(|cause| ChangeError::Broken { cause: cause.to_string() })
    }
    /// Saves the value as it is now.
    ///
    /// Refused, in this order: invalid name; name taken; too many; it cannot be written.
    pub async fn save(&self, terms: &Terms, name: &str, render: impl FnOnce(&Saved, &World) -> Answer) -> Result<Performed, ChangeError> {
        self.administer(terms, |state, _| {
            state.can_be_changed()?;
            let noun = Noun::Checkpoint;
            if name_is_valid(name).is_err() {
                let objection = "a name has 1 to 63 letters, digits, '-', '_' and '.', and begins with a letter or digit".to_owned();
                return Err(OpError::NameInvalid { noun, name: name.to_owned(), objection }.into());
            }
            if state.saved.iter().any(|saved| saved.name == name) {
                return Err(OpError::NameTaken { noun, name: name.to_owned() }.into());
            }
            if state.saved.len() >= Saved::MOST {
                return Err(OpError::LimitReached { noun, limit: Saved::MOST as u64, within: "the array".to_owned() }.into());
            }
            let number = (0..).find(|number| state.saved.iter().all(|saved| saved.number != *number)).unwrap_or_default();
            let heading = Heading { name: Some(name.to_owned()), number: Some(number), keys: Vec::new(), ..state.heading() };
            let (size, value) = match &state.store {
                Some(store) => (store.save(number, &heading, &state.world).map_err(|cause| not_written(&cause))?, None),
                None => (length_of(&state.world), Some(Arc::new(state.world.clone()))),
            };
            let saved = Saved { value, ..Saved::found(heading, size) };
            let answer = render(&saved, &state.world);
            let place = state.saved.partition_point(|other| other.number < number);
            state.saved.insert(place, saved);
            Ok(answer)
        })
        .await
    }
    /// Forgets one of them.
    pub async fn forget(&self, terms: &Terms, reference: &str, answer: Answer) -> Result<Performed, ChangeError> {
        self.administer(terms, |state, _| {
            let number = find(state, reference)?.number;
            if let Some(store) = &state.store {
                store.forget(number).map_err(|cause| not_written(&cause))?;
            }
            state.saved.retain(|saved| saved.number != number);
            Ok(answer)
        })
        .await
    }
    /// Goes back to one of them. A new epoch begins; the journal begins with that value, and the clock shows its time.
    pub async fn go_back(&self, terms: &Terms, reference: &str, render: impl FnOnce(&World) -> Answer) -> Result<Performed, ChangeError> {
        self.administer(terms, |state, wall| {
            let value = value(state, find(state, reference)?)?;
            state.replace(wall, value)?;
            Ok(render(&state.world))
        })
        .await
    }
    /// Goes back to the value with which the array was made. A new epoch begins.
    pub async fn reset(&self, terms: &Terms, render: impl FnOnce(&World) -> Answer) -> Result<Performed, ChangeError> {
        self.administer(terms, |state, wall| {
            let value = state.origin()?;
            state.replace(wall, value)?;
            Ok(render(&state.world))
        })
        .await
    }
}
