//! The ONTAP listener of an array: an address of its own, at which it answers the clients of its vendor.

use std::net::{IpAddr, SocketAddr};

use actix_web::{HttpRequest, web};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::answer::Reply;
use super::listing::no_query;
use super::problem::{ADDRESS_TAKEN, ADDRESS_UNUSABLE, NOT_FOUND, NOT_SUPPORTED, Problem};
use super::resource::{Answered, array, site};
use super::terms::{self, tag_of_array};
use crate::http::{BoundDoor, DoorError, Doors};
use crate::model::{Dialect, Noun, OpError};
use crate::ops::World;
use crate::site::{Door, Hosted, TagOf};

/// Where an array answers the clients of its vendor.
#[derive(Serialize, ToSchema)]
#[schema(as = OntapAddress)]
pub(super) struct Address {
    /// The beginning of its URLs.
    #[schema(example = "https://127.0.0.1:8443/api")]
    url: String,
}

impl Address {
    /// That of an array, if it listens.
    pub(super) fn of(array: &Hosted) -> Option<Address> {
        array.door(|door| Address { url: door.url() })
    }
}

/// The ONTAP listener of an array.
#[derive(Serialize, ToSchema)]
#[schema(as = OntapListener)]
pub(super) struct View {
    /// The beginning of its URLs.
    #[schema(example = "https://127.0.0.1:8443/api")]
    url: String,
    /// The IP address.
    #[schema(example = "127.0.0.1")]
    address: String,
    /// The port.
    port: u16,
    /// What clients must trust, as PEM: the authority of the certificate, which is the same for all arrays of this server.
    certificate: String,
}

impl View {
    fn of(array: &Hosted, doors: &Doors) -> Result<View, Problem> {
        let shown = array.door(|door| (door.url(), door.address()));
        let (url, address) = shown.ok_or_else(|| none(array))?;
        let certificate = doors.trust()?.to_owned();
        Ok(View { url, address: address.ip().to_string(), port: address.port(), certificate })
    }
}

/// Where an array shall listen.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = OntapListenerSet, examples(json!({"port": 0}), json!({"address": "127.0.0.11", "port": 8443})))]
pub(super) struct Wanted {
    /// The port; 0 is a free one.
    #[serde(default)]
    port: u16,
    /// The IP address; where the server opens such listeners if left out. Other addresses than those of loopback need a password of the server.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "127.0.0.1")]
    address: Option<IpAddr>,
}

impl Wanted {
    /// Takes the address for an array, where nobody is answered yet.
    pub(super) fn bind(&self, request: &HttpRequest, world: &World) -> Result<BoundDoor, Problem> {
        speaks_ontap(world)?;
        let doors = doors(request)?;
        Ok(doors.bind(self.at(&doors))?)
    }
    fn at(&self, doors: &Doors) -> SocketAddr {
        SocketAddr::new(self.address.unwrap_or_else(|| doors.address()), self.port)
    }
}

fn speaks_ontap(world: &World) -> Result<(), OpError> {
    match world.array.personality.dialect {
        Dialect::Ontap => Ok(()),
        Dialect::Eternus | Dialect::Generic => {
            Err(OpError::NotSupported { noun: Noun::Array, field: "ontap".to_owned(), what: "an ONTAP listener: it is no ONTAP array".to_owned() })
        }
    }
}

fn doors(request: &HttpRequest) -> Result<Doors, Problem> {
    let without = || Problem::new(NOT_SUPPORTED, "this server opens no ONTAP listeners").field("ontap").cure("start it without --no-ontap");
    Doors::of(request).ok_or_else(without)
}

fn none(array: &Hosted) -> Problem {
    Problem::new(NOT_FOUND, format!("the array '{}' has no ONTAP listener", array.name())).cure("open one: PUT .../ontap with {\"port\": 0}")
}

impl From<DoorError> for Problem {
    fn from(refusal: DoorError) -> Problem {
        let kind = match &refusal {
            DoorError::Taken { .. } => ADDRESS_TAKEN,
            DoorError::NotForEverybody { .. } | DoorError::Unusable { .. } | DoorError::NotReady { .. } => ADDRESS_UNUSABLE,
        };
        let problem = Problem::new(kind, refusal.to_string()).cure(refusal.cure());
        match refusal.address() {
            Some(address) => problem.value(address.to_string()),
            None => problem,
        }
    }
}

/// Keeps where an array listens, for the next start.
fn keep(request: &HttpRequest, array: &Hosted) {
    if let Some(site) = site(request) {
        site.keep_door(array.name(), array.door(Door::address));
    }
}

/// What conditions are about.
fn of_array() -> (TagOf, String) {
    (tag_of_array, String::new())
}

/// Shows the listener of an array.
pub(super) async fn get(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    no_query(request.query_string())?;
    Ok(Reply::view(200, &View::of(&array, &doors(&request)?)?).into())
}

/// Opens a listener, in the place of the one that there is.
pub(super) async fn set(request: HttpRequest, payload: web::Payload) -> Answered {
    let array = array(&request)?;
    let (wanted, terms) = terms::asked::<Wanted>(&request, payload, of_array()).await?;
    let open = || {
        array.meets(terms.condition.as_ref())?;
        array.read(speaks_ontap)?;
        let doors = doors(&request)?;
        let address = wanted.at(&doors);
        if address.port() == 0 || array.door(Door::address) != Some(address) {
            let door = doors.bind(address)?.open(array.name())?;
            array.set_door(Box::new(door));
        }
        keep(&request, &array);
        Ok::<_, Problem>(Reply::view(200, &View::of(&array, &doors)?).into())
    };
    let opened = site(&request).map(|site| site.once(terms.key.as_ref(), open)).transpose()?;
    Ok(opened.map_or_else(Reply::nothing, Reply::from).into())
}

/// Closes the listener of an array.
pub(super) async fn close(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    no_query(request.query_string())?;
    let terms = terms::of(&request, &Value::Null, of_array())?;
    let close = || {
        array.meets(terms.condition.as_ref())?;
        if !array.close_door() {
            return Err(none(&array));
        }
        keep(&request, &array);
        Ok::<_, Problem>(Reply::nothing().into())
    };
    let closed = site(&request).map(|site| site.once(terms.key.as_ref(), close)).transpose()?;
    Ok(closed.map_or_else(Reply::nothing, Reply::from).into())
}
