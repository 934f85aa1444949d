//! Passwords in requests: plain as people give them, or sealed as journals carry them. Hashing is a pure function: the same password
//! of the same user of the same array gives the same bytes.
//!
//! The salt follows from the array's seed and the user's name, so that equal runs give equal bytes, and so that a former password is
//! known again by its bytes. A salt need not be secret; it keeps two users from sharing a hash, and it does.

use std::fmt;

use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::World;
use crate::model::{Identity, Noun, Object, OpError, PasswordHash, Place, Traits};

/// A password in a request.
#[derive(Clone, PartialEq, Eq)]
pub enum Password {
    /// As somebody typed it. It must not be kept.
    Plain(String),
    /// As it may be kept.
    Sealed(Sealed),
}

/// A password that has been hashed, with what a policy asks of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sealed {
    /// The hash.
    #[serde(rename = "sealed")]
    pub secret: PasswordHash,
    /// How many characters it has.
    pub characters: u32,
    /// Whether a letter is among them.
    pub letter: bool,
    /// Whether a digit is among them.
    pub digit: bool,
}

/// What makes the hashes of one user of one array its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Salt([u8; 16]);

/// Memory of one hash in KiB: 8 MiB, so that a server that checks two at a time stays small.
const MEMORY_KIB: u32 = 8 * 1024;
/// Passes over that memory.
const PASSES: u32 = 1;
/// The most passes of a hash that comes from outside.
const PASSES_MAX: u32 = 10;
const HASH_BYTES: usize = 32;

impl Salt {
    /// That of a user.
    pub fn of(identity: Identity, user: &str) -> Salt {
        let halves = ["salt", "pepper"].map(|half| identity.bits(&format!("{half}:{user}")).to_be_bytes());
        let mut salt = [0; 16];
        salt[..8].copy_from_slice(&halves[0]);
        salt[8..].copy_from_slice(&halves[1]);
        Salt(salt)
    }
}

/// Hashes a password by argon2id with 8 MiB of memory; takes some milliseconds.
pub fn seal(plain: &str, salt: &Salt) -> PasswordHash {
    let hash = hash(plain, &salt.0, (MEMORY_KIB, PASSES)).unwrap_or_default();
    PasswordHash::new(format!("$argon2id$v=19$m={MEMORY_KIB},t={PASSES},p=1${}${}", BASE64.encode(salt.0), BASE64.encode(hash)))
}

/// Whether a password is the one that was sealed; takes as long as [`seal`]. A secret that cannot be read is opened by nothing.
pub fn opens(secret: &PasswordHash, plain: &str) -> bool {
    let Some((cost, salt, expected)) = parts(secret.text()) else { return false };
    let found = hash(plain, &salt, cost).unwrap_or_default();
    // Every byte is compared, so that the time tells nothing about where they differ.
    found.len() == expected.len() && found.iter().zip(&expected).fold(0, |all, (one, other)| all | (one ^ other)) == 0
}

fn hash(plain: &str, salt: &[u8], (memory, passes): (u32, u32)) -> Option<Vec<u8>> {
    let params = Params::new(memory, passes, 1, Some(HASH_BYTES)).ok()?;
    let mut hash = vec![0; HASH_BYTES];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params).hash_password_into(plain.as_bytes(), salt, &mut hash).ok()?;
    Some(hash)
}

/// Memory in KiB and passes; salt; hash.
type Parts = ((u32, u32), Vec<u8>, Vec<u8>);

/// Cost, salt and hash of a text in the PHC format, if its cost is bearable.
fn parts(text: &str) -> Option<Parts> {
    let mut parts = text.strip_prefix("$argon2id$v=19$")?.split('$');
    let (cost, salt, hash) = (parts.next()?, BASE64.decode(parts.next()?).ok()?, BASE64.decode(parts.next()?).ok()?);
    let mut numbers = cost.split(',').zip(["m=", "t=", "p="]).map(|(number, name)| number.strip_prefix(name)?.parse::<u32>().ok());
    let (memory, passes, lanes) = (numbers.next()??, numbers.next()??, numbers.next()??);
    let bearable = memory <= MEMORY_KIB && passes <= PASSES_MAX && lanes == 1 && hash.len() == HASH_BYTES;
    bearable.then_some(((memory, passes), salt, hash))
}

impl Password {
    /// Whether it is as somebody typed it.
    pub const fn is_plain(&self) -> bool {
        matches!(self, Password::Plain(_))
    }
    /// What somebody typed.
    pub fn into_plain(self) -> Option<String> {
        if let Password::Plain(plain) = self { Some(plain) } else { None }
    }
    /// The same, sealed.
    #[must_use]
    pub fn sealed(self, salt: &Salt) -> Password {
        match self {
            Password::Plain(plain) => Password::Sealed(Sealed::of(&plain, salt)),
            sealed @ Password::Sealed(_) => sealed,
        }
    }
    /// The sealed password, which must be as the array's policy demands.
    pub(super) fn accepted(&self, world: &World, user: &str) -> Result<PasswordHash, OpError> {
        let sealed = match self {
            Password::Sealed(sealed) => sealed.clone(),
            Password::Plain(plain) => Sealed::of(plain, &Salt::of(world.array.identity, user)),
        };
        let traits = Traits { characters: sealed.characters, letter: sealed.letter, digit: sealed.digit };
        match world.array.password_policy.objection(traits, world.array.personality.accounts.password_length_max) {
            Some(expected) => Err(refused(expected)),
            None => Ok(sealed.secret),
        }
    }
}

/// The refusal of a password, which does not quote it.
pub(super) fn refused(expected: String) -> OpError {
    OpError::ValueInvalid { noun: Noun::User, field: "password".into(), value: "********".into(), expected }
}

impl Sealed {
    fn of(plain: &str, salt: &Salt) -> Sealed {
        let Traits { characters, letter, digit } = Traits::of(plain);
        Sealed { secret: seal(plain, salt), characters, letter, digit }
    }
}

/// The salt of the user that a reference means; of one that does not exist, the salt of that name.
pub(super) fn salt(world: &World, reference: &str) -> Salt {
    let name = world.array.users.find(reference, Place::Target).map_or(reference, Object::name);
    Salt::of(world.array.identity, name)
}

impl fmt::Debug for Password {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("********")
    }
}

impl Serialize for Password {
    /// A plain one is written plainly, because `apply` sends lists of operations; who keeps operations seals them first.
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            Password::Plain(plain) => out.serialize_str(plain),
            Password::Sealed(sealed) => sealed.serialize(out),
        }
    }
}

impl<'de> Deserialize<'de> for Password {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Password, D::Error> {
        input.deserialize_any(Reader)
    }
}

/// Takes text or a sealed password. Objections do not quote what was given.
struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Password;
    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a password as text")
    }
    fn visit_str<E: de::Error>(self, plain: &str) -> Result<Password, E> {
        Ok(Password::Plain(plain.to_owned()))
    }
    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Password, A::Error> {
        Sealed::deserialize(de::value::MapAccessDeserializer::new(fields)).map(Password::Sealed)
    }
    fn visit_bool<E: de::Error>(self, _: bool) -> Result<Password, E> {
        Err(no_text())
    }
    fn visit_i64<E: de::Error>(self, _: i64) -> Result<Password, E> {
        Err(no_text())
    }
    fn visit_u64<E: de::Error>(self, _: u64) -> Result<Password, E> {
        Err(no_text())
    }
    fn visit_f64<E: de::Error>(self, _: f64) -> Result<Password, E> {
        Err(no_text())
    }
}

fn no_text<E: de::Error>() -> E {
    E::custom("a password is text: give it in quotes")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn salt(seed: u64, user: &str) -> Salt {
        Salt::of(Identity::new(seed), user)
    }

    #[test]
    fn the_same_password_of_the_same_user_gives_the_same_bytes_and_no_other_does() {
        let secret = seal("letters1", &salt(7, "bob"));
        assert_eq!(secret, seal("letters1", &salt(7, "bob")));
        for other in [seal("letters2", &salt(7, "bob")), seal("letters1", &salt(7, "eve")), seal("letters1", &salt(8, "bob"))] {
            assert_ne!(secret, other);
        }
        assert!(opens(&secret, "letters1") && !opens(&secret, "letters2") && !opens(&secret, ""));
        assert!(secret.text().starts_with("$argon2id$v=19$m=8192,t=1,p=1$"), "{}", secret.text());
    }

    #[test]
    fn a_secret_that_is_none_or_would_cost_too_much_is_opened_by_nothing() {
        let secret = seal("letters1", &salt(7, "bob"));
        for (from, to) in [("m=8192", "m=8193"), ("t=1", "t=11"), ("p=1", "p=2"), ("argon2id", "argon2i"), ("v=19", "v=16"), ("$m", "m")] {
            assert!(!opens(&PasswordHash::new(secret.text().replacen(from, to, 1)), "letters1"), "{to}");
        }
        for text in ["", "$argon2id$v=19$", "$argon2id$v=19$m=8192,t=1,p=1$AAAA$AAAA", "letters1"] {
            assert!(!opens(&PasswordHash::new(text.to_owned()), "letters1"), "{text}");
        }
    }

    #[test]
    fn a_password_is_text_or_sealed_and_neither_objections_nor_debug_texts_quote_it() {
        let plain: Password = serde_json::from_str(r#""letters1""#).expect("text");
        assert!(plain.is_plain());
        let sealed = plain.clone().sealed(&salt(7, "bob"));
        let written = serde_json::to_string(&sealed).expect("JSON");
        assert_eq!(serde_json::from_str::<Password>(&written).expect("it was written so"), sealed);
        assert_eq!(sealed.clone().sealed(&salt(8, "eve")), sealed);
        assert_eq!(format!("{plain:?} {sealed:?}"), "******** ********");
        for wrong in ["4711", "-4711", "4711.5", "true"] {
            let objection = serde_json::from_str::<Password>(wrong).expect_err(wrong).to_string();
            assert!(objection.contains("in quotes") && !objection.contains("4711"), "{objection}");
        }
        assert!(serde_json::from_str::<Password>(r#"{"sealed": "x"}"#).is_err());
        assert!(serde_saphyr::from_str::<Password>("0815").is_err(), "YAML would lose the zero");
        assert_eq!(serde_saphyr::from_str::<Password>("'0815'").expect("text"), Password::Plain("0815".into()));
    }
}
