//! How data is encrypted.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{form_is_good, tell};
use crate::model::{Array, Encryption, EncryptionMode, Noun, Object, OpError, Policy, is_machine};
use crate::ops::{Ctx, Operation, World, rules};

/// Changes how data is encrypted; what is left out stays.
///
/// Refused, in this order: a way that the array does not have; too many key servers, or one that is none; key servers without encryption;
/// another way than now while a pool or volume is encrypted; drives that encrypt themselves when the array has none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = EncryptionUpdate, examples(json!({"mode": "controller", "key_servers": ["kms.example.com"]})))]
pub struct Update {
    /// By what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<EncryptionMode>,
    /// All servers that keep the keys, up to two; none: the array keeps them itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_servers: Option<Vec<String>>,
}

impl Operation for Update {
    const NAME: &'static str = "encryption.update";
    const POLICY: Policy = Policy::SecuritySetting;
    const SINGLETON: Option<Noun> = Some(Noun::Settings);
    type Plan = Encryption;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Encryption, OpError> {
        let array = &world.array;
        let present = &array.settings.encryption;
        let mode = self.mode.unwrap_or(present.mode);
        if mode != EncryptionMode::Off && self.mode.is_some() && !array.personality.offer.encryption_modes.contains(&mode) {
            let what = format!("encryption by {}", by(mode));
            return Err(OpError::NotSupported { noun: Noun::Settings, field: "mode".into(), what });
        }
        if let Some(servers) = &self.key_servers {
            rules::in_range(Noun::Settings, "key_servers", u64::try_from(servers.len()).unwrap_or(u64::MAX), (0, 2))?;
            servers.iter().try_for_each(|text| form_is_good("key_servers", Some(text), is_machine, "the name or address of a machine"))?;
            if !servers.is_empty() && mode == EncryptionMode::Off {
                let (fields, because) = (vec!["key_servers".into(), "mode".into()], "without encryption there are no keys".into());
                return Err(OpError::Conflicting { noun: Noun::Settings, fields, because });
            }
        }
        if mode != present.mode {
            nothing_is_encrypted(array)?;
        }
        if mode == EncryptionMode::SelfEncryptingDrives && !array.drives.iter().any(|drive| drive.self_encrypting) {
            let (name, state) = (array.facts.product.clone(), "without drives that encrypt themselves".into());
            return Err(OpError::WrongState { noun: Noun::Array, name, state, expected: "with some".into() });
        }
        let kept = if mode == EncryptionMode::Off { Vec::new() } else { present.key_servers.clone() };
        Ok(Encryption { mode, key_servers: self.key_servers.clone().unwrap_or(kept) })
    }

    fn apply(plan: Encryption, world: &mut World, _: &Ctx) {
        if world.array.settings.encryption != plan {
            let message = format!("data is now encrypted by {}", by(plan.mode));
            world.array.settings.encryption = plan;
            tell(world, "encryption_changed", message);
        }
    }
}

const fn by(mode: EncryptionMode) -> &'static str {
    match mode {
        EncryptionMode::Off => "nothing",
        EncryptionMode::Controller => "the controllers",
        EncryptionMode::SelfEncryptingDrives => "drives that encrypt themselves",
    }
}

/// No pool and no volume must be encrypted.
fn nothing_is_encrypted(array: &Array) -> Result<(), OpError> {
    let pool = array.pools.iter().find(|pool| pool.encryption).map(|pool| (Noun::Pool, pool.name()));
    match pool.or_else(|| array.volumes.iter().find(|volume| volume.encryption).map(|volume| (Noun::Volume, volume.name()))) {
        Some((by, by_name)) => Err(OpError::InUse { noun: Noun::Settings, name: "encryption".into(), by, by_name: by_name.to_owned() }),
        None => Ok(()),
    }
}
