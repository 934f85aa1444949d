//! The schemas that the document's operations refer to, collected as they are used.

use std::collections::BTreeMap;

use utoipa::ToSchema;
use utoipa::openapi::schema::{AdditionalProperties, AnyOfBuilder, ArrayBuilder, ObjectBuilder, OneOfBuilder, Ref, Schema, SchemaType, Type};
use utoipa::openapi::{RefOr, Required};

use crate::ops::Operation;

/// Named schemas.
#[derive(Default)]
pub(super) struct Schemas {
    named: BTreeMap<String, RefOr<Schema>>,
    conflicts: Vec<String>,
}

/// An operation whose fields have a schema.
pub(super) trait Described: Operation + ToSchema + 'static {}
impl<O: Operation + ToSchema + 'static> Described for O {}

impl Schemas {
    /// A reference to a type's schema, which is taken in with all that it refers to.
    pub(super) fn refer<V: ToSchema>(&mut self) -> RefOr<Schema> {
        let name = V::name().into_owned();
        if !self.named.contains_key(&name) {
            self.take(&name, V::schema());
            self.take_parts::<V>();
        }
        Ref::from_schema_name(name).into()
    }
    /// The schema of a view of which `fields` can choose a part.
    pub(super) fn view_or_part<V: ToSchema>(&mut self) -> RefOr<Schema> {
        let (whole, part) = (self.refer::<V>(), format!("{}Part", V::name()));
        let names: Vec<String> = if let RefOr::T(Schema::Object(object)) = V::schema() { object.properties.keys().cloned().collect() } else { Vec::new() };
        let most = names.len().saturating_sub(1);
        let name = Schema::from(ObjectBuilder::new().schema_type(SchemaType::new(Type::String)).enum_values(Some(names)).build());
        let fields = ObjectBuilder::new().property_names(Some(name)).max_properties(Some(most)).description(Some("What `fields` has chosen."));
        self.take(&part, Schema::from(fields.build()).into());
        AnyOfBuilder::new().item(whole).item(Ref::from_schema_name(part)).into()
    }
    /// A reference to the schema of a list of that type's views, as pages have it.
    pub(super) fn page<V: ToSchema>(&mut self) -> RefOr<Schema> {
        let name = format!("{}Page", V::name());
        let cursor = ObjectBuilder::new()
            .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
            .description(Some("Give it as `cursor` to get the next page; null on the last one."));
        let items = ArrayBuilder::new().items(self.view_or_part::<V>());
        let page = ObjectBuilder::new().property("items", items).required("items").property("next_cursor", cursor).required("next_cursor");
        self.take(&name, Schema::from(page.build()).into());
        Ref::from_schema_name(name).into()
    }
    /// The schema of a list of that type's views without pages.
    pub(super) fn items<V: ToSchema>(&mut self) -> RefOr<Schema> {
        ObjectBuilder::new().property("items", ArrayBuilder::new().items(self.refer::<V>())).required("items").into()
    }
    /// A reference to the schema of an operation's fields without the one that stands in the path, and whether any is needed.
    pub(super) fn operation<O: Described>(&mut self, target: &str) -> (RefOr<Schema>, Required) {
        let name = camel(O::NAME);
        let (mut fields, mut needed) = (fields::<O>(), Required::True);
        if let RefOr::T(Schema::Object(object)) = &mut fields {
            object.properties.shift_remove(target);
            object.required.retain(|field| field != target);
            needed = if object.required.is_empty() { Required::False } else { Required::True };
        }
        self.take(&name, fields);
        self.take_parts::<O>();
        (Ref::from_schema_name(name).into(), needed)
    }
    /// The schema of an operation's fields with the one that can stand in the path, as lists of operations have it.
    pub(super) fn whole_operation<O: Described>(&mut self, target: &str) -> RefOr<Schema> {
        let mut fields = fields::<O>();
        if let RefOr::T(Schema::Object(object)) = &mut fields {
            if !target.is_empty() && !object.properties.contains_key(target) {
                let reference = ObjectBuilder::new().schema_type(SchemaType::new(Type::String)).description(Some("Which one."));
                object.properties.insert(target.to_owned(), reference.into());
                object.required.insert(0, target.to_owned());
            }
            object.description = None;
            object.examples.clear();
        }
        self.take_parts::<O>();
        fields
    }
    /// A reference to the schema of any operation, see [`Schemas::take_operations`].
    pub(super) fn any_operation() -> RefOr<Schema> {
        Ref::from_schema_name("AnyOperation").into()
    }
    /// Takes in the schema of any operation: one field, which is called like the operation and holds its fields.
    pub(super) fn take_operations(&mut self, operations: impl IntoIterator<Item = (&'static str, RefOr<Schema>)>) {
        let any = operations.into_iter().fold(OneOfBuilder::new(), |any, (name, fields)| {
            let one = ObjectBuilder::new().title(Some(name)).property(name, fields).required(name);
            any.item(one.additional_properties(Some(AdditionalProperties::FreeForm(false))))
        });
        let example = serde_json::json!({"volume.create": {"name": "V1", "pool": "P0", "size": "4TB"}});
        let any = any.description(Some("An operation: one field, which is called like the operation and holds its fields.")).examples([example]);
        self.take("AnyOperation", any.into());
    }
    fn take_parts<V: ToSchema>(&mut self) {
        let mut parts = Vec::new();
        V::schemas(&mut parts);
        parts.into_iter().for_each(|(name, schema)| self.take(&name, schema));
    }
    fn take(&mut self, name: &str, schema: RefOr<Schema>) {
        match self.named.get(name) {
            Some(known) if *known != schema => self.conflicts.push(name.to_owned()),
            Some(_) => {}
            None => drop(self.named.insert(name.to_owned(), schema)),
        }
    }
    /// All that was taken in, and the names that stood for two different things.
    pub(super) fn into_parts(self) -> (BTreeMap<String, RefOr<Schema>>, Vec<String>) {
        (self.named, self.conflicts)
    }
}

/// The schema of an operation's fields; where one holds an operation, it refers to the schema of any.
fn fields<O: Described>() -> RefOr<Schema> {
    let mut fields = O::schema();
    if let RefOr::T(Schema::Object(object)) = &mut fields
        && let Some(inner) = object.properties.get_mut("operation")
    {
        *inner = Schemas::any_operation();
    }
    fields
}

/// What an operation says about itself.
pub(super) fn description<O: Described>() -> String {
    match O::schema() {
        RefOr::T(Schema::Object(object)) => object.description.unwrap_or_default(),
        RefOr::T(Schema::OneOf(one)) => one.description.unwrap_or_default(),
        _ => String::new(),
    }
}

/// `raid-group.create` as `RaidGroupCreate`.
fn camel(name: &str) -> String {
    name.split(['-', '.']).flat_map(|word| [word[..1].to_ascii_uppercase(), word[1..].to_owned()]).collect()
}
