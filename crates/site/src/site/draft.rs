//! A copy of an array on which operations are tried, where what comes next depends on what came before.

use super::Tag;
use super::hosted::{Done, one_of_list};
use crate::model::OpError;
use crate::ops::{Actor, AnyOperation, World};

/// A copy of an array with what was done on it. The array itself has not changed: [`super::Hosted::carry_out`] does it there, all or nothing.
pub struct Draft {
    world: World,
    actor: Actor,
    /// The array as it was copied.
    seen: Tag,
    operations: Vec<AnyOperation>,
}

impl Draft {
    pub(super) fn of(world: &World, actor: Actor) -> Draft {
        Draft { world: world.clone(), actor, seen: Tag::of_array(world), operations: Vec::new() }
    }
    /// The copy as it is after what was done on it.
    pub const fn world(&self) -> &World {
        &self.world
    }
    /// Does operations on the copy, one after the other. A refusal is [`OpError::InList`] and names the operation by its index among these;
    /// a copy that has refused something is of no use any more.
    pub fn run(&mut self, operations: Vec<AnyOperation>) -> Result<Vec<Done>, OpError> {
        let mut done = Vec::with_capacity(operations.len());
        for (index, operation) in operations.into_iter().enumerate() {
            let (_, made) = one_of_list(&mut self.world, &self.actor, index, operation.clone())?;
            self.operations.push(operation);
            done.push(made);
        }
        Ok(done)
    }
    pub(super) fn into_parts(self) -> (Actor, Tag, Vec<AnyOperation>) {
        (self.actor, self.seen, self.operations)
    }
}
