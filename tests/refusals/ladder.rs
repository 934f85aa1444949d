//! Ladders: a request that breaks every rule of its operation is cured of one after the other, in the order in which they are
//! checked, until nothing is left to refuse.

use arrayplane::model::OpError;
use arrayplane::ops::{Actor, AnyOperation, Ctx, World};
use serde_json::{Value, json};

use crate::given;

/// A refusal that a ladder met.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    /// The operation's tag.
    pub(crate) operation: &'static str,
    /// Why.
    pub(crate) error: OpError,
}

/// A request on its way up.
pub(crate) struct Ladder {
    name: &'static str,
    world: World,
    request: Value,
    met: Vec<Refusal>,
}

/// The variant, in snake case.
pub(crate) fn variant(error: &OpError) -> String {
    let written = serde_json::to_value(error).expect("a refusal is data");
    written.as_object().and_then(|fields| fields.keys().next().cloned()).expect("a refusal is written under its variant")
}

/// Fields of `patch` replace those of `request`; `null` takes one away.
fn patched(request: &Value, patch: &Value) -> Value {
    let (mut fields, changes) = (request.as_object().cloned().unwrap_or_default(), patch.as_object().cloned().unwrap_or_default());
    for (field, value) in changes {
        fields.remove(&field);
        if !value.is_null() {
            fields.insert(field, value);
        }
    }
    Value::Object(fields)
}

impl Ladder {
    /// A request that is wrong in every way.
    pub(crate) const fn new(world: World, name: &'static str, request: Value) -> Ladder {
        Ladder { name, world, request, met: Vec::new() }
    }
    fn operation(&self, request: &Value) -> AnyOperation {
        given::operation(&json!({ self.name: request }))
    }
    /// It must be refused for this: variant, noun, and field (`""` where none is to blame).
    fn meets(&mut self, request: &Value, expected: (&str, &str, &str)) {
        let operation = self.operation(request);
        let step = self.met.len() + 1;
        let Err(error) = given::attempt(&mut self.world, &operation) else { panic!("{} {step}, {request}: it was not refused", self.name) };
        let found = (variant(&error), error.noun().name(), error.field().unwrap_or_default().to_owned());
        assert_eq!((found.0.as_str(), found.1, found.2.as_str()), expected, "{} {step}, {request}: {error}", self.name);
        self.met.push(Refusal { operation: self.name, error });
    }
    /// It is refused for this; fields that are changed cure it of it.
    pub(crate) fn refused(mut self, expected: (&str, &str, &str), cure: Value) -> Ladder {
        self.meets(&self.request.clone(), expected);
        self.request = patched(&self.request, &cure);
        self
    }
    /// It is refused for this; a change of the array's rules cures it of it.
    pub(crate) fn refused_until(mut self, expected: (&str, &str, &str), cure: impl FnOnce(&mut World)) -> Ladder {
        self.meets(&self.request.clone(), expected);
        cure(&mut self.world);
        self
    }
    /// It is refused for this; other operations cure it of it.
    pub(crate) fn refused_before<const N: usize>(mut self, expected: (&str, &str, &str), cure: [Value; N]) -> Ladder {
        self.meets(&self.request.clone(), expected);
        for operation in cure {
            given::done(&mut self.world, &operation);
        }
        self
    }
    /// With these fields instead it would be refused at this place, too.
    pub(crate) fn also(mut self, expected: (&str, &str, &str), patch: Value) -> Ladder {
        self.meets(&patched(&self.request, &patch), expected);
        self
    }
    /// It is refused for this; another actor's asking cures it of it.
    pub(crate) fn refused_to(mut self, actor: &Actor, expected: (&str, &str, &str)) -> Ladder {
        let (operation, ctx) = (self.operation(&self.request), Ctx { now: self.world.now(), actor: actor.clone() });
        let Err(error) = operation.run(&mut self.world, &ctx) else { panic!("{} {}: it was not refused", self.name, self.request) };
        assert_eq!((variant(&error).as_str(), error.noun().name(), error.field().unwrap_or_default()), expected, "{}: {error}", self.name);
        self.met.push(Refusal { operation: self.name, error });
        self
    }
    /// Nothing is left to refuse.
    pub(crate) fn done(mut self) -> Vec<Refusal> {
        given::done(&mut self.world, &json!({ self.name: self.request }));
        self.met
    }
}
