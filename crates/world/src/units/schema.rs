//! How sizes, ratios and spans appear in the OpenAPI document.

use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{KnownFormat, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::{Bytes, Ratio, SimSpan};

fn text(description: &str, example: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::new(Type::String)).description(Some(description)).examples([serde_json::json!(example)])
}

impl PartialSchema for Bytes {
    fn schema() -> RefOr<Schema> {
        let count =
            ObjectBuilder::new().schema_type(SchemaType::new(Type::Integer)).format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64))).minimum(Some(0));
        OneOfBuilder::new()
            .item(count)
            .item(text("A number with B, kB, MB, GB, TB, PB, KiB, MiB, GiB, TiB or PiB.", "4TB"))
            .description(Some("A size: bytes as an integer, or text with a unit."))
            .into()
    }
}
impl ToSchema for Bytes {}

impl PartialSchema for Ratio {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(SchemaType::new(Type::Number))
            .minimum(Some(1))
            .maximum(Some(1000))
            .description(Some("A reduction ratio: bytes before over bytes after."))
            .examples([serde_json::json!(2.5)])
            .into()
    }
}
impl ToSchema for Ratio {}

impl PartialSchema for SimSpan {
    fn schema() -> RefOr<Schema> {
        let seconds = ObjectBuilder::new().schema_type(SchemaType::new(Type::Number)).minimum(Some(0)).description(Some("Seconds."));
        OneOfBuilder::new().item(text("Such as 10m, 1h 30m or PT10M.", "10m")).item(seconds).description(Some("A span of virtual time.")).into()
    }
}
impl ToSchema for SimSpan {}
