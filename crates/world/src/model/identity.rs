//! Where identifiers come from: everything that looks random is derived from the array's seed.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Noun;

/// The source of an array's identifiers, serial numbers and WWNs. Equal seeds give equal bytes; the array's name plays no part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Identity {
    seed: u64,
}

const NAMESPACE: Uuid = Uuid::from_u128(0x6d9c_1d5e_8a53_4b0f_9b5e_41b1_a220_7e11);

impl Identity {
    /// From a seed.
    pub const fn new(seed: u64) -> Identity {
        Identity { seed }
    }
    /// The seed.
    pub const fn seed(self) -> u64 {
        self.seed
    }
    /// The identifier of the `key`-th object of its kind ever made in this array.
    pub fn uuid(self, noun: Noun, key: u32) -> Uuid {
        self.derive(&format!("{}:{key}", noun.name()))
    }
    /// 64 bits that belong to `what`.
    pub fn bits(self, what: &str) -> u64 {
        self.derive(what).as_u64_pair().1 & 0x3fff_ffff_ffff_ffff
    }
    fn derive(self, what: &str) -> Uuid {
        Uuid::new_v5(&NAMESPACE, format!("{}/{what}", self.seed).as_bytes())
    }
}
