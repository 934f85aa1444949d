//! Keyed digests: what was proven is remembered by them, never by itself.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// A keyed digest of a password or a token.
pub(super) type Digest = [u8; 32];

/// Makes digests with a key that this process drew by lot.
#[derive(Clone)]
pub(in crate::site) struct Digester(Option<Hmac<Sha256>>);

/// What a digest is of, so that a token is never taken for a password.
#[derive(Clone, Copy, Debug)]
pub(super) enum Of {
    Password,
    Token,
}

impl Digester {
    /// With a new key. Without a source of random bytes nothing is remembered, and everything proven anew.
    pub(in crate::site) fn new() -> Digester {
        let keyed = random().and_then(|key| <Hmac<Sha256> as Mac>::new_from_slice(&key).ok());
        if keyed.is_none() {
            tracing::error!("this machine gives no random bytes: no credential can be remembered, and nobody can log in for a token");
        }
        Digester(keyed)
    }
    /// The digest of a text.
    pub(super) fn digest(&self, of: Of, text: &str) -> Option<Digest> {
        self.fed(of, text).map(|mac| mac.finalize().into_bytes().into())
    }
    /// Whether the digest is that of the text; takes equally long wherever they differ.
    pub(super) fn is_of(&self, digest: &Digest, of: Of, text: &str) -> bool {
        self.fed(of, text).is_some_and(|mac| mac.verify_slice(digest).is_ok())
    }
    fn fed(&self, of: Of, text: &str) -> Option<Hmac<Sha256>> {
        let mut mac = self.0.clone()?;
        mac.update(&[of as u8]);
        mac.update(text.as_bytes());
        Some(mac)
    }
}

/// A new token: 256 bits drawn by lot.
pub(super) fn token() -> Option<String> {
    random().map(|bytes| BASE64.encode(bytes))
}

fn random() -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_of_one_text_for_one_purpose_under_one_key() {
        let (one, other) = (Digester::new(), Digester::new());
        let digest = one.digest(Of::Password, "letters1").expect("random bytes");
        assert!(one.is_of(&digest, Of::Password, "letters1"));
        assert!(!one.is_of(&digest, Of::Password, "letters2") && !one.is_of(&digest, Of::Token, "letters1"));
        assert!(!other.is_of(&digest, Of::Password, "letters1"));
        assert_ne!(token(), token());
        assert_eq!(token().map(|token| token.len()), Some(43));
    }
}
