//! Which drives a new array gets.

use std::fmt;

use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::{CatalogueError, Model};
use crate::model::DriveType;
use crate::units::Bytes;

/// The drives that somebody asks for: so many of the model's default drive, or a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum DriveRequest {
    /// So many of the model's default drive.
    #[schema(example = 48)]
    Count(u32),
    /// So many of each kind, in this order from the first bay on.
    Kinds(Vec<DriveOrder>),
}

/// Drives of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({"count": 12, "type": "sas_ssd", "capacity": "3.84TB"})))]
pub struct DriveOrder {
    /// How many.
    #[schema(minimum = 1)]
    pub count: u32,
    /// What kind of drive they are.
    #[serde(rename = "type")]
    pub drive_type: DriveType,
    /// Capacity as sold.
    pub capacity: Bytes,
    /// Whether they encrypt themselves.
    #[serde(default)]
    pub self_encrypting: bool,
}

impl Model {
    /// The drives of a new array, in order of bays.
    ///
    /// Refused, in this order: a count of none; a drive that the model does not offer; more drives than bays.
    pub(super) fn drives_for(&self, request: Option<&DriveRequest>) -> Result<Vec<DriveOrder>, CatalogueError> {
        let most = self.bays_most();
        let (orders, field) = match request {
            None => (self.drives.new.iter().map(super::NewDrives::order).collect(), None),
            Some(DriveRequest::Count(count)) => {
                let default = self.drives.new.first().map(super::NewDrives::order);
                (default.map(|order| DriveOrder { count: *count, ..order }).into_iter().collect(), Some("drives"))
            }
            Some(DriveRequest::Kinds(orders)) => (orders.clone(), None),
        };
        for (index, order) in orders.iter().enumerate() {
            let place = |last: &str| field.map_or_else(|| format!("drives.{index}.{last}"), str::to_owned);
            if order.count == 0 {
                return Err(CatalogueError::DriveCount { field: place("count"), count: 0, most });
            }
            if !self.drives.offered.iter().any(|offered| offered.is(order)) {
                let offered = self.drives.offered.iter().map(|drive| kind(drive.drive_type, drive.capacity, drive.self_encrypting)).collect();
                let asked = kind(order.drive_type, order.capacity, order.self_encrypting);
                return Err(CatalogueError::DriveNotOffered { field: place("capacity"), model: self.name.clone(), asked, offered });
            }
        }
        let count: u64 = orders.iter().map(|order| u64::from(order.count)).sum();
        if count == 0 || count > u64::from(most) {
            return Err(CatalogueError::DriveCount { field: "drives".into(), count, most });
        }
        Ok(orders)
    }
}

fn kind(drive_type: DriveType, capacity: Bytes, self_encrypting: bool) -> String {
    format!("{drive_type} {capacity}{}", if self_encrypting { " self_encrypting" } else { "" })
}

impl<'de> Deserialize<'de> for DriveRequest {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<DriveRequest, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = DriveRequest;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("drives: how many of the default drive, or a list of {\"count\", \"type\", \"capacity\", \"self_encrypting\"}")
            }
            fn visit_u64<E: de::Error>(self, count: u64) -> Result<DriveRequest, E> {
                u32::try_from(count).map(DriveRequest::Count).map_err(|_| E::invalid_value(de::Unexpected::Unsigned(count), &self))
            }
            fn visit_i64<E: de::Error>(self, count: i64) -> Result<DriveRequest, E> {
                u32::try_from(count).map(DriveRequest::Count).map_err(|_| E::invalid_value(de::Unexpected::Signed(count), &self))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<DriveRequest, A::Error> {
                let mut orders = Vec::new();
                while let Some(order) = items.next_element()? {
                    orders.push(order);
                }
                Ok(DriveRequest::Kinds(orders))
            }
        }
        input.deserialize_any(Reader)
    }
}
