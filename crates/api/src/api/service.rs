//! Target services of tenants.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{Object, Protocol, TargetService};

/// A target service: by it a tenant serves hosts by one protocol.
#[derive(Serialize, ToSchema)]
#[schema(as = TargetService)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: it can be given out again.
    number: u32,
    /// Name: the tenant's and the protocol.
    #[schema(example = "finance/iscsi")]
    name: &'a str,
    /// Whose it is.
    #[schema(example = "finance")]
    tenant: &'a str,
    /// What it speaks.
    protocol: Protocol,
    /// Whether it serves.
    enabled: bool,
    /// Under which name hosts find it: an iSCSI name, or the world-wide name of a node; `null`: NVMe has none.
    #[schema(required = true, example = "iqn.1992-08.com.netapp:sn.0123456789abcdef0123456789abcdef:vs.1")]
    target: Option<&'a str>,
    /// A second name, over iSCSI.
    #[schema(example = "finance")]
    alias: &'a str,
    /// When it was made.
    #[schema(format = DateTime)]
    created_at: String,
}

impl Shown for TargetService {
    const PLURAL: &'static str = "services";
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            tenant: Lens::name(&lens.world().array.tenants, self.tenant),
            protocol: self.protocol,
            enabled: self.enabled,
            target: self.target.as_deref(),
            alias: &self.alias,
            created_at: lens.stamp(self.created),
        }
    }
}
