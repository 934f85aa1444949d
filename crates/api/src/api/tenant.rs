//! Tenants.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::answer::Shown;
use super::lens::Lens;
use crate::model::{Object, Protocol, Tenant, TenantState};

/// A tenant: a part of the array that belongs to somebody.
#[derive(Serialize, ToSchema)]
#[schema(as = Tenant)]
pub(super) struct View<'a> {
    /// Identifier: it stays, whatever happens to number and name.
    id: Uuid,
    /// Number: the vendor's; it can be given out again.
    number: u32,
    /// Name.
    #[schema(example = "finance")]
    name: &'a str,
    /// Whether its hosts are served.
    state: TenantState,
    /// Free text.
    comment: &'a str,
    /// What its hosts may speak.
    protocols: &'a [Protocol],
    /// The pools in which its volumes and containers may live.
    #[schema(example = json!(["P0"]))]
    pools: Vec<&'a str>,
    /// The most that its containers, and volumes outside containers, may promise together, in bytes.
    #[schema(required = true)]
    capacity_limit: Option<u64>,
    /// The most volumes that it may have.
    #[schema(required = true)]
    volume_limit: Option<u64>,
    /// What they promise, in bytes.
    promised: u64,
    /// How many volumes it has.
    volumes: usize,
    /// Its interfaces.
    interfaces: Vec<&'a str>,
    /// When it was made.
    #[schema(format = DateTime)]
    created_at: String,
    /// Its target services.
    #[schema(example = json!(["finance/iscsi"]))]
    services: Vec<&'a str>,
}

impl Shown for Tenant {
    const PLURAL: &'static str = "tenants";
    type View<'a> = View<'a>;
    fn view<'a>(&'a self, lens: &Lens<'a>) -> View<'a> {
        let (array, key) = (&lens.world().array, self.key());
        View {
            id: self.id(),
            number: self.number(),
            name: self.name(),
            state: self.state,
            comment: &self.comment,
            protocols: &self.protocols,
            pools: Lens::names(&array.pools, self.pools.iter().copied()),
            capacity_limit: self.capacity_limit.map(|limit| limit.get()),
            volume_limit: self.volume_limit,
            promised: Tenant::promised(array, key).get(),
            volumes: Tenant::volumes(array, key),
            interfaces: array.interfaces_of(Some(key)).map(Object::name).collect(),
            created_at: lens.stamp(self.created),
            services: array.services.owned_by(key.raw()).map(Object::name).collect(),
        }
    }
}
