//! Views with the notes that somebody keeps beside what they show: the one place where they are added.

use std::borrow::Cow;

use serde::ser::{Error as _, Impossible, SerializeStruct};
use serde::{Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::model::Notes;

/// A view, and the notes of what it shows: its last field, when there are any.
pub(super) struct Noted<'a, V> {
    pub view: V,
    pub notes: Option<&'a Notes>,
}

/// The field.
const FIELD: &str = "notes";

impl<V: Serialize> Serialize for Noted<'_, V> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self.notes {
            None => self.view.serialize(out),
            Some(notes) => self.view.serialize(Adding { out, notes }),
        }
    }
}

impl<V: ToSchema> PartialSchema for Noted<'_, V> {
    fn schema() -> RefOr<Schema> {
        let mut schema = V::schema();
        if let RefOr::T(Schema::Object(object)) = &mut schema {
            let notes = ObjectBuilder::new()
                .schema_type(SchemaType::new(Type::Object))
                .description(Some("What somebody keeps beside it, by name; left out when that is nothing."));
            object.properties.insert(FIELD.to_owned(), notes.into());
        }
        schema
    }
}

impl<V: ToSchema> ToSchema for Noted<'_, V> {
    fn name() -> Cow<'static, str> {
        V::name()
    }
    fn schemas(found: &mut Vec<(String, RefOr<Schema>)>) {
        V::schemas(found);
    }
}

/// Serialises a struct with one field more.
struct Adding<'a, S> {
    out: S,
    notes: &'a Notes,
}

struct AddingTo<'a, S> {
    fields: S,
    notes: &'a Notes,
}

impl<S: SerializeStruct> SerializeStruct for AddingTo<'_, S> {
    type Ok = S::Ok;
    type Error = S::Error;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), S::Error> {
        self.fields.serialize_field(name, value)
    }
    fn end(mut self) -> Result<S::Ok, S::Error> {
        self.fields.serialize_field(FIELD, self.notes)?;
        self.fields.end()
    }
}

macro_rules! no_view {
    ($($method:ident($($argument:ty),*) -> $answer:ty;)+) => { $(
        fn $method(self, $(_: $argument),*) -> Result<$answer, S::Error> {
            Err(S::Error::custom("a view is a struct"))
        }
    )+ };
}

impl<'a, S: Serializer> Serializer for Adding<'a, S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Impossible<S::Ok, S::Error>;
    type SerializeTuple = Impossible<S::Ok, S::Error>;
    type SerializeTupleStruct = Impossible<S::Ok, S::Error>;
    type SerializeTupleVariant = Impossible<S::Ok, S::Error>;
    type SerializeMap = Impossible<S::Ok, S::Error>;
    type SerializeStruct = AddingTo<'a, S::SerializeStruct>;
    type SerializeStructVariant = Impossible<S::Ok, S::Error>;

    fn serialize_struct(self, name: &'static str, length: usize) -> Result<Self::SerializeStruct, S::Error> {
        Ok(AddingTo { fields: self.out.serialize_struct(name, length + 1)?, notes: self.notes })
    }
    no_view! {
        serialize_bool(bool) -> S::Ok; serialize_i8(i8) -> S::Ok; serialize_i16(i16) -> S::Ok; serialize_i32(i32) -> S::Ok;
        serialize_i64(i64) -> S::Ok; serialize_u8(u8) -> S::Ok; serialize_u16(u16) -> S::Ok; serialize_u32(u32) -> S::Ok;
        serialize_u64(u64) -> S::Ok; serialize_f32(f32) -> S::Ok; serialize_f64(f64) -> S::Ok; serialize_char(char) -> S::Ok;
        serialize_str(&str) -> S::Ok; serialize_bytes(&[u8]) -> S::Ok; serialize_none() -> S::Ok; serialize_unit() -> S::Ok;
        serialize_unit_struct(&'static str) -> S::Ok; serialize_unit_variant(&'static str, u32, &'static str) -> S::Ok;
        serialize_seq(Option<usize>) -> Self::SerializeSeq; serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        value.serialize(self)
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<S::Ok, S::Error> {
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(self, _: &'static str, _: u32, _: &'static str, value: &T) -> Result<S::Ok, S::Error> {
        value.serialize(self)
    }
}
