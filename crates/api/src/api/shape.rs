//! The fields of a view, as its schema has them: what lists can be filtered and sorted by, and what `fields` can name.

use std::collections::BTreeMap;

use utoipa::ToSchema;
use utoipa::openapi::schema::{ArrayItems, SchemaType, Type};
use utoipa::openapi::{KnownFormat, RefOr, Schema, SchemaFormat};

/// What a field holds, as far as comparing goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A number.
    Number,
    /// True or false.
    Truth,
    /// An instant.
    Time,
    /// Text.
    Text,
}

/// The fields of a view by dotted path, in the order of the schema.
pub(super) struct Shape {
    scalars: Vec<(String, Kind)>,
    parts: Vec<String>,
}

impl Shape {
    /// The shape of a view. Fields of the elements of an array count as its own.
    pub(super) fn of<V: ToSchema>() -> Shape {
        let mut named = Vec::new();
        V::schemas(&mut named);
        let named: BTreeMap<String, RefOr<Schema>> = named.into_iter().collect();
        let mut shape = Shape { scalars: Vec::new(), parts: Vec::new() };
        shape.enter("", &V::schema(), &named);
        shape
    }
    /// What a field holds, if there is such a scalar field.
    pub(super) fn kind(&self, path: &str) -> Option<Kind> {
        self.scalars.iter().find(|(name, _)| name == path).map(|(_, kind)| *kind)
    }
    /// Whether there is such a field, scalar or not.
    pub(super) fn has(&self, path: &str) -> bool {
        self.kind(path).is_some() || self.parts.iter().any(|part| part == path)
    }
    /// All scalar fields.
    pub(super) fn scalars(&self) -> impl Iterator<Item = &str> {
        self.scalars.iter().map(|(name, _)| name.as_str())
    }
    fn enter(&mut self, path: &str, schema: &RefOr<Schema>, named: &BTreeMap<String, RefOr<Schema>>) {
        match schema {
            RefOr::Ref(reference) => {
                let name = reference.ref_location.rsplit('/').next().unwrap_or_default();
                if let Some(target) = named.get(name) {
                    self.enter(path, target, named);
                }
            }
            RefOr::T(Schema::OneOf(one)) => one.items.iter().filter(|item| !is_null(item)).for_each(|item| self.enter(path, item, named)),
            RefOr::T(Schema::Array(array)) => {
                self.part(path);
                if let ArrayItems::RefOrSchema(items) = &array.items {
                    self.enter(path, items, named);
                }
            }
            RefOr::T(Schema::Object(object)) if !object.properties.is_empty() => {
                self.part(path);
                for (name, property) in &object.properties {
                    let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                    self.enter(&path, property, named);
                }
            }
            RefOr::T(Schema::Object(object)) => match scalar(&object.schema_type, object.format.as_ref()) {
                Some(kind) => self.scalars.push((path.to_owned(), kind)),
                None => self.part(path),
            },
            RefOr::T(_) => self.part(path),
        }
    }
    fn part(&mut self, path: &str) {
        if !path.is_empty() {
            self.parts.push(path.to_owned());
        }
    }
}

fn is_null(schema: &RefOr<Schema>) -> bool {
    matches!(schema, RefOr::T(Schema::Object(object)) if matches!(object.schema_type, SchemaType::Type(Type::Null)))
}

fn scalar(schema_type: &SchemaType, format: Option<&SchemaFormat>) -> Option<Kind> {
    let types = match schema_type {
        SchemaType::Type(one) => std::slice::from_ref(one),
        SchemaType::Array(several) => several,
        SchemaType::AnyValue => return None,
    };
    types.iter().find_map(|one| match one {
        Type::Integer | Type::Number => Some(Kind::Number),
        Type::Boolean => Some(Kind::Truth),
        Type::String if matches!(format, Some(SchemaFormat::KnownFormat(KnownFormat::DateTime))) => Some(Kind::Time),
        Type::String => Some(Kind::Text),
        _ => None,
    })
}
