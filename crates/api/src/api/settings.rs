//! Settings of the whole array: one document with a section for each thing that is set.

use actix_web::{HttpRequest, web};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::answer::Reply;
use super::listing::no_query;
use super::problem::Problem;
use super::resource::{Answered, Way, array, part, with_body};
use super::terms;
use crate::model::{Encryption, Network, Notification, Noun, OperationMode, Subject};
use crate::ops::settings::{firmware, licence};
use crate::ops::{Operation, World};
use crate::site::Tag;

/// Whether there can be pools, and how large they may be together.
#[derive(Serialize, ToSchema)]
#[schema(as = ThinProvisioningSettings)]
pub(super) struct ThinProvisioning {
    /// Whether pools can be made.
    enabled: bool,
    /// The most capacity of all pools, in bytes.
    maximum_pool_capacity: u64,
    /// The chunk size of a new pool when none is asked for, in bytes.
    chunk_size: u64,
    /// The most capacities that can be chosen, in bytes.
    choices: Vec<u64>,
}

/// A licence that the array knows.
#[derive(Serialize, ToSchema)]
#[schema(as = LicenceState)]
pub(super) struct Licence {
    /// Its name.
    #[schema(example = "advanced_copy")]
    name: String,
    /// Whether it is registered.
    registered: bool,
    /// When it was.
    #[schema(required = true, format = DateTime)]
    registered_at: Option<String>,
}

/// The firmware.
#[derive(Serialize, ToSchema)]
#[schema(as = FirmwareSettings)]
pub(super) struct Firmware {
    /// The version.
    #[schema(example = "V10L70-0000")]
    version: String,
    /// When it was applied; `null`: it came with the array.
    #[schema(required = true, format = DateTime)]
    applied_at: Option<String>,
}

/// By what the array proves who it is.
#[derive(Serialize, ToSchema)]
#[schema(as = CertificateSettings)]
pub(super) struct Certificate {
    /// Whether the array has made it for itself.
    self_signed: bool,
    /// Whom it stands for; empty of a registered one, whose text is not read.
    subject: Subject,
    /// When it was made or registered.
    #[schema(format = DateTime)]
    since: String,
    /// When a self-made one ends.
    #[schema(required = true, format = DateTime)]
    until: Option<String>,
    /// The text of a registered one.
    #[schema(required = true)]
    pem: Option<String>,
}

/// What is set once for the array.
#[derive(Serialize, ToSchema)]
#[schema(as = Settings)]
pub(super) struct View {
    /// The name of the storage system.
    system_name: String,
    /// Where it stands.
    location: String,
    /// Whom to ask.
    contact: String,
    /// Free text.
    description: String,
    /// Whether pools, containers and volumes may use data reduction.
    data_reduction: bool,
    /// By which local time its own tools show events.
    #[schema(example = "UTC")]
    time_zone: String,
    /// The identifier by which other arrays know it.
    box_id: String,
    /// Whether it is being serviced.
    operation_mode: OperationMode,
    /// Whether parts that nobody uses save power.
    eco_mode: bool,
    /// Whether the array shares out its speed by the priorities of volumes.
    automatic_qos: bool,
    /// Pools.
    thin_provisioning: ThinProvisioning,
    /// How data is encrypted.
    encryption: Encryption,
    /// The management network.
    network: Network,
    /// Whom the array tells what happens.
    notification: Notification,
    /// All licences that the array knows.
    licences: Vec<Licence>,
    /// The firmware.
    firmware: Firmware,
    /// By what the array proves who it is.
    certificate: Certificate,
}

impl View {
    fn of(world: &World) -> View {
        let (array, settings) = (&world.array, world.array.settings.clone());
        let stamp = |time: crate::units::SimTime| time.stamp(array.facts.epoch);
        let licences = array.personality.offer.licences.keys().map(|name| {
            let registered = settings.licences.iter().find(|licence| licence.name == *name);
            Licence { name: name.clone(), registered: registered.is_some(), registered_at: registered.map(|licence| stamp(licence.registered)) }
        });
        View {
            thin_provisioning: ThinProvisioning {
                enabled: settings.thin_provisioning.enabled,
                maximum_pool_capacity: array.pool_capacity_most().get(),
                chunk_size: array.chunk_size().get(),
                choices: array.personality.offer.pool_capacities.iter().map(|choice| choice.capacity.get()).collect(),
            },
            licences: licences.collect(),
            firmware: Firmware { version: array.facts.firmware.clone(), applied_at: settings.firmware_applied.map(stamp) },
            certificate: Certificate {
                since: stamp(settings.certificate.since),
                until: settings.certificate.ends().map(stamp),
                self_signed: settings.certificate.self_signed,
                subject: settings.certificate.subject,
                pem: settings.certificate.pem,
            },
            notification: settings.notification.masked(),
            system_name: settings.system_name,
            location: settings.location,
            contact: settings.contact,
            description: settings.description,
            data_reduction: settings.data_reduction,
            time_zone: settings.time_zone,
            box_id: settings.box_id,
            operation_mode: settings.operation_mode,
            eco_mode: settings.eco_mode,
            automatic_qos: settings.automatic_qos,
            encryption: settings.encryption,
            network: settings.network,
        }
    }
}

/// What stands for the settings as they are.
fn tag(world: &World) -> Tag {
    Tag::of_singleton(world, Noun::Settings)
}

/// Reads the settings.
pub(super) async fn get(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    no_query(request.query_string())?;
    let (tag, reply) = array.read(|world| (tag(world), Reply::view(200, &View::of(world))));
    Ok(if terms::has_it(&request, tag)? { Reply::not_modified() } else { reply }.tagged(tag).into())
}

/// Changes a section of the settings.
pub(super) async fn change<O: Operation<Output = ()>>(request: HttpRequest, payload: web::Payload) -> Answered {
    let array = array(&request)?;
    let (operation, terms) = terms::asked::<O>(&request, payload, (|world, _| Some(tag(world)), String::new())).await?;
    let done = array.perform(&terms, operation, |world, ()| Reply::view(200, &View::of(world)).tagged(tag(world)).into()).await;
    Ok(Reply::from(done.map_err(Problem::from)?).into())
}

/// Removes the licence that the path names.
pub(super) async fn remove_licence(request: HttpRequest) -> Answered {
    let array = array(&request)?;
    no_query(request.query_string())?;
    let operation = licence::Remove { licence: part(&request, "licence") };
    let terms = terms::of(&request, &json!({"licence": &operation.licence}), (|world, _| Some(tag(world)), String::new()))?;
    let done = array.perform(&terms, operation, |_, ()| Reply::nothing().into()).await;
    Ok(Reply::from(done.map_err(Problem::from)?).into())
}

/// Applies firmware; answers with the job.
pub(super) async fn update_firmware(request: HttpRequest, payload: web::Payload) -> Answered {
    with_body(request, payload, Way::to_only::<firmware::Update>(Noun::Settings, |world, _| Some(tag(world)))).await
}
