//! Hosts.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{Host, HostResponse, Object, Protocol};

/// A host: one initiator, not a server.
#[derive(Serialize, ToSchema)]
#[schema(as = Host)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "H0")]
    name: &'a str,
    /// How it is addressed.
    protocol: Protocol,
    /// Its address: WWN, iSCSI name or NQN.
    #[schema(example = "10000090fa000001")]
    address: &'a str,
    /// A second name.
    alias: &'a str,
    /// The host groups that it is in.
    #[schema(example = json!(["HG0"]))]
    host_groups: Vec<&'a str>,
    /// Whose it is; `null`: the array's own.
    #[schema(required = true, example = json!(null))]
    tenant: Option<&'a str>,
    /// How the array answers.
    #[schema(required = true, example = "Default")]
    host_response: Option<&'a str>,
    /// The user by which it proves who it is (CHAP); the secret is not shown.
    #[schema(required = true, example = json!(null))]
    chap_user: Option<&'a str>,
}

impl Shown for Host {
    const PLURAL: &'static str = "hosts";
    const LASTS: bool = true;
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let (array, key) = (&lens.world().array, self.key());
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            protocol: self.initiator.protocol(),
            address: self.initiator.address(),
            alias: &self.alias,
            host_groups: Lens::names_where(&array.host_groups, |group| group.hosts.contains(&key)),
            tenant: self.tenant.map(|tenant| Lens::name(&array.tenants, tenant)),
            host_response: HostResponse::of(array, self.host_response).map(Object::name),
            chap_user: self.chap.as_ref().map(|chap| chap.user.as_str()),
        }
    }
}
