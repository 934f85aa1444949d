//! Operations as they are shown: without the passwords that they carry, hashed or not.

use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::ops::AnyOperation;

/// An operation that is shown.
#[derive(Clone, Debug)]
pub(super) struct Masked(AnyOperation);

impl Masked {
    /// What is shown of an operation.
    pub(super) fn of(operation: &AnyOperation) -> Masked {
        Masked(operation.masked())
    }
}

/// What is shown instead of a secret.
const MASK: &str = "********";

impl Serialize for Masked {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut shown = serde_json::to_value(&self.0).map_err(S::Error::custom)?;
        mask(&mut shown);
        shown.serialize(out)
    }
}

/// Covers everything whose name says that it is secret.
pub(super) fn mask(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                if name.contains("password") && !name.contains('.') || name.contains("secret") {
                    *inner = Value::String(MASK.to_owned());
                } else {
                    mask(inner);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(mask),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn passwords_are_covered_wherever_they_stand() {
        for (operation, shown) in [
            (
                json!({"user.create": {"name": "bob", "role": "Admin", "password": "letters1"}}),
                json!({"user.create": {"name": "bob", "role": "Admin", "password": MASK}}),
            ),
            (
                json!({"job.submit": {"operation": {"user.update": {"user": "bob", "password": {"sealed": "$", "characters": 1, "letter": true, "digit": true}}}}}),
                json!({"job.submit": {"operation": {"user.update": {"user": "bob", "password": MASK}}}}),
            ),
            (json!({"password-policy.update": {"length_min": 4}}), json!({"password-policy.update": {"length_min": 4}})),
        ] {
            let operation: AnyOperation = serde_json::from_value(operation).expect("an operation");
            assert_eq!(serde_json::to_value(Masked::of(&operation)).expect("JSON"), shown);
        }
    }
}
