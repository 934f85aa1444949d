//! Settings of the whole array.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What an administrator sets once for the array.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Settings {
    /// The name of the storage system.
    pub system_name: String,
    /// Where it stands.
    pub location: String,
    /// Whom to ask.
    pub contact: String,
    /// Free text.
    pub description: String,
    /// Whether pools, containers and volumes may use data reduction.
    pub data_reduction: bool,
}
