//! Secrets: kept in the value and the journal, shown to nobody.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A password or another text that is written and never read back. Fronts show [`Secret::MASK`] in its place.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = String, example = "a long secret")]
pub struct Secret(String);

impl Secret {
    /// What is shown in the place of a secret; it is refused as a secret itself.
    pub const MASK: &'static str = "********";

    /// A secret.
    pub fn new(text: impl Into<String>) -> Secret {
        Secret(text.into())
    }
    /// What stands for any secret where it is shown.
    pub fn masked() -> Secret {
        Secret::new(Secret::MASK)
    }
    /// The text itself, for whoever has to compare or prove it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(Secret::MASK)
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn a_secret_is_not_printed() {
        assert_eq!(format!("{:?}", Some(Secret::new("open sesame"))), "Some(********)");
        assert_eq!(Secret::masked().reveal(), Secret::MASK);
    }
}
