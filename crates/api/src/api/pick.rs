//! Taking a few fields out of a view without writing the rest: what filters, sort orders and `fields` look at.

use serde::ser::{Error as _, Impossible, SerializeStruct};
use serde::{Serialize, Serializer};
use serde_json::{Error, Map, Value};

/// A field of a view by dotted path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FieldPath {
    head: String,
    rest: Vec<String>,
}

impl FieldPath {
    /// From `a.b.c`.
    pub(super) fn new(text: &str) -> FieldPath {
        let mut parts = text.split('.').map(str::to_owned);
        FieldPath { head: parts.next().unwrap_or_default(), rest: parts.collect() }
    }
    /// Whether any of the values that stand at this path passes. `top` is the value at its first part; a path through arrays
    /// leads to every element, and one through nothing to null.
    pub(super) fn any(&self, top: &Value, passes: &mut dyn FnMut(&Value) -> bool) -> bool {
        any_at(top, &self.rest, passes)
    }
    /// The first value at this path.
    pub(super) fn first(&self, top: &Value) -> Value {
        let mut found = Value::Null;
        self.any(top, &mut |value| {
            found = value.clone();
            true
        });
        found
    }
}

fn any_at(value: &Value, rest: &[String], passes: &mut dyn FnMut(&Value) -> bool) -> bool {
    match (value, rest) {
        (Value::Array(items), _) if items.is_empty() => passes(&Value::Null),
        (Value::Array(items), _) => items.iter().any(|item| any_at(item, rest, passes)),
        (_, []) => passes(value),
        (Value::Object(fields), [next, rest @ ..]) => any_at(fields.get(next).unwrap_or(&Value::Null), rest, passes),
        (_, _) => passes(&Value::Null),
    }
}

/// The values at the first parts of these paths, in their order; null where the view has none.
pub(super) fn tops<V: Serialize>(view: &V, wanted: &[FieldPath]) -> Vec<Value> {
    let picker = Picker { wanted, found: vec![Value::Null; wanted.len()] };
    view.serialize(picker).unwrap_or_else(|_| vec![Value::Null; wanted.len()])
}

/// A view with only these fields, in the order in which they are asked for.
pub(super) fn project<V: Serialize>(view: &V, wanted: &[FieldPath]) -> Value {
    let mut fields = Map::new();
    for (path, top) in wanted.iter().zip(tops(view, wanted)) {
        merge(fields.entry(path.head.clone()).or_insert(Value::Null), narrowed(top, &path.rest));
    }
    Value::Object(fields)
}

fn narrowed(value: Value, rest: &[String]) -> Value {
    match (value, rest) {
        (value, []) => value,
        (Value::Array(items), _) => Value::Array(items.into_iter().map(|item| narrowed(item, rest)).collect()),
        (Value::Object(mut fields), [next, rest @ ..]) => {
            let inner = fields.shift_remove(next).unwrap_or(Value::Null);
            Value::Object(Map::from_iter([(next.clone(), narrowed(inner, rest))]))
        }
        (value, _) => value,
    }
}

/// Joins two narrowed copies of one value.
fn merge(into: &mut Value, more: Value) {
    match (into, more) {
        (Value::Object(into), Value::Object(more)) => more.into_iter().for_each(|(name, value)| merge(into.entry(name).or_insert(Value::Null), value)),
        (Value::Array(into), Value::Array(more)) if into.len() == more.len() => into.iter_mut().zip(more).for_each(|(into, more)| merge(into, more)),
        (into, more) => *into = more,
    }
}

/// Serialises a struct by keeping some of its fields.
struct Picker<'w> {
    wanted: &'w [FieldPath],
    found: Vec<Value>,
}

impl SerializeStruct for Picker<'_> {
    type Ok = Vec<Value>;
    type Error = Error;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        for (path, found) in self.wanted.iter().zip(&mut self.found) {
            if path.head == name {
                *found = serde_json::to_value(value)?;
            }
        }
        Ok(())
    }
    fn end(self) -> Result<Vec<Value>, Error> {
        Ok(self.found)
    }
}

macro_rules! no_view {
    ($($method:ident($($argument:ty),*);)+) => { $(
        fn $method(self, $(_: $argument),*) -> Result<Self::Ok, Error> {
            Err(Error::custom("a view is a struct"))
        }
    )+ };
}

impl Serializer for Picker<'_> {
    type Ok = Vec<Value>;
    type Error = Error;
    type SerializeSeq = Impossible<Vec<Value>, Error>;
    type SerializeTuple = Impossible<Vec<Value>, Error>;
    type SerializeTupleStruct = Impossible<Vec<Value>, Error>;
    type SerializeTupleVariant = Impossible<Vec<Value>, Error>;
    type SerializeMap = Impossible<Vec<Value>, Error>;
    type SerializeStruct = Self;
    type SerializeStructVariant = Impossible<Vec<Value>, Error>;

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
        Ok(self)
    }
    no_view! {
        serialize_bool(bool); serialize_i8(i8); serialize_i16(i16); serialize_i32(i32); serialize_i64(i64); serialize_u8(u8); serialize_u16(u16);
        serialize_u32(u32); serialize_u64(u64); serialize_f32(f32); serialize_f64(f64); serialize_char(char); serialize_str(&str);
        serialize_bytes(&[u8]); serialize_none(); serialize_unit(); serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Vec<Value>, Error> {
        value.serialize(self)
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<Vec<Value>, Error> {
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(self, _: &'static str, _: u32, _: &'static str, value: &T) -> Result<Vec<Value>, Error> {
        value.serialize(self)
    }
    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Error> {
        Err(Error::custom("a view is a struct"))
    }
    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
        Err(Error::custom("a view is a struct"))
    }
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Error> {
        Err(Error::custom("a view is a struct"))
    }
    fn serialize_tuple_variant(self, _: &'static str, _: u32, _: &'static str, _: usize) -> Result<Self::SerializeTupleVariant, Error> {
        Err(Error::custom("a view is a struct"))
    }
    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
        Err(Error::custom("a view is a struct"))
    }
    fn serialize_struct_variant(self, _: &'static str, _: u32, _: &'static str, _: usize) -> Result<Self::SerializeStructVariant, Error> {
        Err(Error::custom("a view is a struct"))
    }
}
