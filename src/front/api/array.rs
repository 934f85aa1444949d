//! The arrays of this server.

use actix_web::HttpRequest;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Reply;
use super::listing::{self, Listing};
use super::resource::{self, Answered, part, site};
use crate::model::{Dialect, Noun};
use crate::ops::World;
use crate::site::Hosted;

/// An array.
#[derive(Serialize, ToSchema)]
#[schema(as = Array)]
pub(super) struct View {
    /// Identifier: it follows from the seed.
    id: Uuid,
    /// Its name on this server.
    #[schema(example = "lab")]
    name: String,
    /// The model's name in the catalogue.
    #[schema(example = "eternus-af250")]
    model: String,
    /// Who makes it.
    #[schema(example = "Fujitsu")]
    vendor: String,
    /// What they call it.
    #[schema(example = "ETERNUS AF250")]
    product: String,
    /// Whose words it speaks.
    dialect: Dialect,
    /// Serial number.
    serial_number: String,
    /// World-wide name, 16 hexadecimal digits.
    wwn: String,
    /// Firmware version.
    firmware: String,
    /// Where its identifiers come from: equal seeds and operations give equal bytes.
    seed: u64,
    /// Whether workloads can run on it.
    calibrated: bool,
    /// How many drives it has.
    drives: usize,
    /// How many volumes it has.
    volumes: usize,
    /// Virtual time.
    #[schema(format = DateTime)]
    now: String,
    /// The path of its nouns.
    #[schema(example = "/v1/arrays/lab")]
    path: String,
}

impl View {
    fn of(hosted: &Hosted) -> View {
        hosted.read(|world| View::at(hosted.name(), world))
    }
    fn at(name: &str, world: &World) -> View {
        let (array, facts) = (&world.array, world.array.facts.clone());
        View {
            id: array.identity.uuid(Noun::Array, 0),
            name: name.to_owned(),
            model: facts.model,
            vendor: facts.vendor,
            product: facts.product,
            dialect: array.personality.dialect,
            serial_number: facts.serial_number,
            wwn: facts.wwn,
            firmware: facts.firmware,
            seed: array.identity.seed(),
            calibrated: array.calibration.is_some(),
            drives: array.drives.len(),
            volumes: array.volumes.len(),
            now: world.now().stamp(facts.epoch),
            path: format!("/v1/arrays/{name}"),
        }
    }
}

/// Lists arrays, in order of name.
pub(super) async fn list(request: HttpRequest) -> Answered {
    let listing = Listing::read::<View>(request.query_string())?;
    let arrays = site(&request).map(crate::site::Site::arrays).unwrap_or_default();
    let skipped = usize::try_from(listing.after().unwrap_or(0)).unwrap_or(usize::MAX);
    let views = arrays.iter().zip(1..).skip(skipped).map(|(hosted, number)| (number, View::of(hosted)));
    Ok(Reply::json(listing.page(views)).into())
}

/// Reads one array.
pub(super) async fn get(request: HttpRequest) -> Answered {
    let hosted = resource::array(&request)?;
    let fields = listing::only_fields::<View>(request.query_string())?;
    let mut json = Vec::new();
    listing::write(&mut json, &View::of(&hosted), &fields);
    Ok(Reply::json(json).into())
}

/// Takes an array out.
pub(super) async fn delete(request: HttpRequest) -> Answered {
    listing::no_query(request.query_string())?;
    let name = part(&request, "array");
    let removed = site(&request).map(|site| site.remove(&name));
    removed.transpose()?;
    Ok(Reply::nothing().into())
}
