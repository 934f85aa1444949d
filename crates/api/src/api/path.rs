//! The paths to a volume: through which ports hosts reach it, and how well.

use actix_web::HttpRequest;
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::Reply;
use super::lens::Lens;
use super::listing::Listing;
use super::resource::{Answered, array, part};
use crate::model::reach::{self, PathState};
use crate::model::{Object, Place, Volume};
use crate::ops::World;

/// One path to a volume.
#[derive(Serialize, ToSchema)]
#[schema(as = Path)]
pub(super) struct View<'a> {
    /// The host.
    #[schema(example = "H0")]
    host: &'a str,
    /// The host port.
    #[schema(example = "CM0-CA0-P0")]
    host_port: &'a str,
    /// The controller that the port belongs to.
    #[schema(example = "CM0")]
    controller: &'a str,
    /// The logical unit number.
    lun: u32,
    /// How well the volume is reached through it (ALUA).
    state: PathState,
}

/// Lists the paths to a volume, in order of port, host and number.
pub(super) async fn list(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    let listing = Listing::read::<View<'static>>(request.query_string())?;
    let reference = part(&request, "volume");
    let skipped = usize::try_from(listing.after().unwrap_or(0)).unwrap_or(usize::MAX);
    let page = array.read(|world| {
        world.array.find_volume(&reference, Place::Target).map(|volume| {
            let numbered = (1..).zip(paths(world, volume)).skip(skipped);
            listing.page(numbered)
        })
    })?;
    Ok(Reply::json(page).into())
}

fn paths<'a>(world: &'a World, volume: &Volume) -> Vec<View<'a>> {
    let array = &world.array;
    let mut found = Vec::new();
    for link in reach::links(array) {
        for lun in link.luns.iter().filter(|(_, held)| **held == volume.key()).map(|(lun, _)| *lun) {
            let ends = link.ports.iter().flat_map(|port| link.hosts.iter().map(move |host| (*port, *host, lun)));
            found.extend(ends);
        }
    }
    found.sort_by_key(|(port, host, lun)| (array.host_ports[*port].number(), array.hosts[*host].number(), *lun));
    let view = |(port, host, lun)| View {
        host: Lens::name(&array.hosts, host),
        host_port: Lens::name(&array.host_ports, port),
        controller: Lens::name(&array.controllers, array.host_ports[port].controller),
        lun,
        state: reach::path_state(array, volume, port),
    };
    found.into_iter().map(view).collect()
}
