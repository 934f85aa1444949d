//! Licences: register a key, remove it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::tell;
use crate::model::{Array, Feature, Licence, Noun, Object, OpError, Place, Policy, Protocol, Secret};
use crate::ops::{Ctx, Operation, World};

/// Registers the key of a licence. Which ones there are, and what needs them, follows from the model; this stand-in takes any key of the right
/// form.
///
/// Refused, in this order: a licence that the array does not know; a key that is none; registered already.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = LicenceRegister, examples(json!({"licence": "storage_cluster", "key": "ABCD-EFGH-IJKL-MNOP"})))]
pub struct Register {
    /// Its name.
    pub licence: String,
    /// The key, 16 to 64 letters, digits and hyphens; it is not shown again.
    pub key: Secret,
}

fn is_known(array: &Array, licence: &str, place: Place) -> Result<(), OpError> {
    if array.personality.offer.licences.contains_key(licence) {
        return Ok(());
    }
    Err(OpError::NotFound { noun: Noun::Licence, reference: licence.to_owned(), place })
}

impl Operation for Register {
    const NAME: &'static str = "licence.register";
    const POLICY: Policy = Policy::StorageManagement;
    const SINGLETON: Option<Noun> = Some(Noun::Settings);
    type Plan = Register;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Register, OpError> {
        let array = &world.array;
        is_known(array, &self.licence, Place::field("licence"))?;
        let key = self.key.reveal();
        if !(16..=64).contains(&key.len()) || !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            let (value, expected) = (Secret::MASK.to_owned(), "a key of 16 to 64 letters, digits and hyphens".into());
            return Err(OpError::ValueInvalid { noun: Noun::Licence, field: "key".into(), value, expected });
        }
        if array.settings.licences.iter().any(|licence| licence.name == self.licence) {
            return Err(OpError::NameTaken { noun: Noun::Licence, name: self.licence.clone() });
        }
        Ok(self.clone())
    }

    fn apply(plan: Register, world: &mut World, ctx: &Ctx) {
        let message = format!("the licence '{}' has been registered", plan.licence);
        let licences = &mut world.array.settings.licences;
        licences.push(Licence { name: plan.licence, key: Some(plan.key), registered: ctx.now });
        licences.sort_by(|one, other| one.name.cmp(&other.name));
        tell(world, "licence_registered", message);
    }

    fn masked(&self) -> Register {
        Register { key: Secret::masked(), ..self.clone() }
    }
}

/// Removes a licence.
///
/// Refused, in this order: a licence that is not registered; something that is on or exists needs it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = LicenceRemove)]
pub struct Remove {
    /// Its name.
    pub licence: String,
}

impl Operation for Remove {
    const NAME: &'static str = "licence.remove";
    const POLICY: Policy = Policy::StorageManagement;
    const SINGLETON: Option<Noun> = Some(Noun::Settings);
    type Plan = String;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<String, OpError> {
        let array = &world.array;
        if !array.settings.licences.iter().any(|licence| licence.name == self.licence) {
            return Err(OpError::NotFound { noun: Noun::Licence, reference: self.licence.clone(), place: Place::Target });
        }
        let offer = array.personality.offer.licences.get(&self.licence);
        match offer.iter().flat_map(|offer| &offer.features).find_map(|feature| user(array, *feature)) {
            Some((by, by_name)) => Err(OpError::InUse { noun: Noun::Licence, name: self.licence.clone(), by, by_name: by_name.to_owned() }),
            None => Ok(self.licence.clone()),
        }
    }

    fn apply(name: String, world: &mut World, _: &Ctx) {
        world.array.settings.licences.retain(|licence| licence.name != name);
        tell(world, "licence_removed", format!("the licence '{name}' has been removed"));
    }
}

/// What needs a feature now, first found: its noun and name.
fn user(array: &Array, feature: Feature) -> Option<(Noun, &str)> {
    let host = |protocol: Protocol| {
        let host = array.hosts.iter().find(|host| host.initiator.protocol() == protocol).map(|host| (Noun::Host, host.name()));
        host.or_else(|| array.services.iter().find(|service| service.protocol == protocol).map(|service| (Noun::Service, service.name())))
    };
    match feature {
        Feature::Fc => host(Protocol::Fc),
        Feature::Iscsi => host(Protocol::Iscsi),
        Feature::Nvme => host(Protocol::Nvme),
        Feature::DataReduction => array.settings.data_reduction.then_some((Noun::Settings, "data_reduction")),
        Feature::Clones => array.containers.iter().find(|container| container.clone.is_some()).map(|container| (Noun::Container, container.name())),
        Feature::Copies | Feature::RemoteCopies | Feature::Restore | Feature::Cluster => None,
    }
}
