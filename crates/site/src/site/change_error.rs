//! Why a change of an array was not done.

use std::fmt;

use crate::model::OpError;

/// A change that was not done; the array is as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeError {
    /// The array refuses it.
    Refused(OpError),
    /// The object is no longer as the client has seen it.
    TagDiffers {
        /// Its tag now.
        is: String,
        /// The tags that the client named.
        asked: String,
    },
    /// The key was used for another request.
    KeyReused {
        /// The key.
        key: String,
    },
    /// It cannot be written to the disk.
    NotWritten {
        /// Why.
        cause: String,
    },
    /// The program broke while it was done; the array was put back to what it was before.
    BrokeOff {
        /// What was being done.
        what: String,
    },
    /// An earlier change has left the array in a state that cannot be trusted.
    Broken {
        /// Why.
        cause: String,
    },
}

impl ChangeError {
    /// One sentence that says what to do.
    pub fn cure(&self) -> String {
        match self {
            ChangeError::Refused(refusal) => refusal.cure(),
            ChangeError::TagDiffers { .. } => "read the object again, see what has changed, and repeat the request with its present ETag".to_owned(),
            ChangeError::KeyReused { .. } => "use a new Idempotency-Key for every new request; repeat one only with the very same request".to_owned(),
            ChangeError::NotWritten { .. } => {
                "make room on the server's disk; reading goes on, and changes work again as soon as they can be written".to_owned()
            }
            ChangeError::BrokeOff { .. } => "report this as a defect, with the journal; the array is as it was before".to_owned(),
            ChangeError::Broken { .. } => "restart the server: what was answered is found again; report this as a defect".to_owned(),
        }
    }
}

impl From<OpError> for ChangeError {
    fn from(refusal: OpError) -> ChangeError {
        ChangeError::Refused(refusal)
    }
}

impl fmt::Display for ChangeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChangeError::Refused(refusal) => refusal.fmt(out),
            ChangeError::TagDiffers { is, asked } => write!(out, "it has the tag {is} now, which is not among {asked}"),
            ChangeError::KeyReused { key } => write!(out, "the key '{key}' was used for another request"),
            ChangeError::NotWritten { cause } => write!(out, "the change cannot be written to the server's disk: {cause}"),
            ChangeError::BrokeOff { what } => write!(out, "the server broke while it did {what}; nothing was changed"),
            ChangeError::Broken { cause } => write!(out, "the array takes no changes any more: {cause}"),
        }
    }
}
impl std::error::Error for ChangeError {}
