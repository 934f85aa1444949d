//! Host responses.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{HostResponse, Manners, Object};

/// A host response: how the array answers hosts of one kind.
#[derive(Serialize, ToSchema)]
#[schema(as = HostResponse)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "Linux")]
    name: &'a str,
    /// Whether the array comes with it: it can be neither changed nor deleted.
    built_in: bool,
    /// Whether hosts have it when nobody says otherwise.
    standard: bool,
    /// How the array answers.
    manners: Manners,
    /// The highest logical unit number that hosts with it see.
    lun_max: u32,
    /// How many hosts have it.
    hosts: usize,
}

impl Shown for HostResponse {
    const PLURAL: &'static str = "host-responses";
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let array = &lens.world().array;
        let standard = HostResponse::standard(array).is_some_and(|response| response.key() == self.key());
        let given = Some(self.key()).filter(|_| !standard);
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            built_in: self.built_in,
            standard,
            manners: self.manners,
            lun_max: HostResponse::lun_most(array, Some(self.key())),
            hosts: array.hosts.iter().filter(|host| host.host_response == given).count(),
        }
    }
}
