//! Worlds that tests start from, and doing operations on them.

use arrayplane::catalogue::{self, BuildOptions};
use arrayplane::engine;
use arrayplane::model::OpError;
use arrayplane::ops::{Actor, AnyOperation, Ctx, Reference, World};
use serde_json::Value;

/// A new array of a model, with nothing configured.
pub(crate) fn model(name: &str, seed: u64) -> World {
    let model = catalogue::model(name).expect("the catalogue knows the model");
    World::new(model.build(&BuildOptions { seed, ..BuildOptions::default() }).expect("the model can be built"))
}

/// The circumstances of every operation in tests.
pub(crate) fn ctx(world: &World) -> Ctx {
    Ctx { now: world.now(), actor: Actor::new("test", "tester", "a test") }
}

/// Reads an operation as lists carry it: `{"volume.create": {..}}`.
pub(crate) fn operation(json: &Value) -> AnyOperation {
    serde_json::from_value(json.clone()).unwrap_or_else(|error| panic!("{json} is no operation: {error}"))
}

/// The whole value, written down.
pub(crate) fn bytes(world: &World) -> String {
    serde_json::to_string(world).expect("a world is data")
}

/// Tries an operation. A refusal must change nothing, and whatever comes of it, the world must agree with itself.
pub(crate) fn attempt(world: &mut World, operation: &AnyOperation) -> Result<Vec<Reference>, OpError> {
    let before = bytes(world);
    let outcome = operation.run(world, &ctx(world));
    if outcome.is_err() {
        assert_eq!(bytes(world), before, "refused, yet changed: {}", written(operation));
    }
    assert_eq!(engine::problems(world), Vec::<String>::new(), "after {}", written(operation));
    outcome
}

/// Does what must not be refused.
pub(crate) fn done(world: &mut World, json: &Value) -> Vec<Reference> {
    attempt(world, &operation(json)).unwrap_or_else(|refusal| panic!("{json} was refused: {refusal}"))
}

/// An operation in one line.
pub(crate) fn written(operation: &AnyOperation) -> String {
    serde_json::to_string(operation).expect("an operation is data")
}
