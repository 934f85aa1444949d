//! Worlds that tests start from, and doing operations on them.

use arrayplane::catalogue::{self, BuildOptions, DriveOrder, DriveRequest};
use arrayplane::engine;
use arrayplane::model::{DriveType, OpError};
use arrayplane::ops::{Actor, AnyOperation, Ctx, Reference, World};
use arrayplane::units::Bytes;
use serde_json::Value;

/// A new array of a model, with nothing configured.
pub(crate) fn model(name: &str, seed: u64) -> World {
    let model = catalogue::model(name).expect("the catalogue knows the model");
    World::new(model.build(&BuildOptions { seed, ..BuildOptions::default() }).expect("the model can be built"))
}

/// The same with other drives than the model's own.
fn model_with_drives(name: &str, drives: DriveRequest) -> World {
    let options = BuildOptions { seed: 7, drives: Some(drives), ..BuildOptions::default() };
    World::new(catalogue::model(name).and_then(|model| model.build(&options)).expect("the model can be built"))
}

/// 12 drives of 1.92 TB, then 8 of 960 GB.
pub(crate) fn two_kinds() -> DriveRequest {
    let order = |count, capacity| DriveOrder { count, drive_type: DriveType::SasSsd, capacity: Bytes::new(capacity), self_encrypting: false };
    DriveRequest::Kinds(vec![order(12, 1_920_000_000_000), order(8, 960_000_000_000)])
}

/// The same with as many drives.
pub(crate) fn with_many_drives(name: &str, drives: u32, seed: u64) -> World {
    let options = BuildOptions { seed, drives: Some(DriveRequest::Count(drives)), ..BuildOptions::default() };
    World::new(catalogue::model(name).and_then(|model| model.build(&options)).expect("the model can be built"))
}

/// An array of a model on which something has been done.
pub(crate) fn with(model: &str, operations: &[Value]) -> World {
    after(self::model(model, 7), operations)
}

/// The same with other drives than the model's own.
pub(crate) fn with_drives(model: &str, drives: DriveRequest, operations: &[Value]) -> World {
    after(model_with_drives(model, drives), operations)
}

fn after(mut world: World, operations: &[Value]) -> World {
    for operation in operations {
        done(&mut world, operation);
    }
    world
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
