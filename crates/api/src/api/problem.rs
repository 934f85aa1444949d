//! Problem documents (RFC 9457): every refusal of this front, and the one table that turns a refusal of the array into one.

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, CONTENT_TYPE, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use utoipa::ToSchema;

use crate::catalogue::{CatalogueError, ScenarioError};
use crate::http::CHALLENGE;
use crate::model::{Noun, OpError, Place};
use crate::site::{ChangeError, Denial, SiteError};

/// One kind of refusal, as clients tell them apart.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// The HTTP status. 400: this array would never accept the request; 409: it would in another state.
    pub status: u16,
    /// The stable word.
    pub code: &'static str,
    /// What it means, whatever the details.
    pub title: &'static str,
}

macro_rules! kinds {
    ($($name:ident = $status:literal $code:literal, $title:literal;)+) => {
        $( pub(super) const $name: &Kind = &Kind { status: $status, code: $code, title: $title }; )+

        /// Every kind of refusal of this front.
        pub const KINDS: &[&Kind] = &[$($name),+];
    };
}

kinds! {
    NO_SUCH_ROUTE = 404 "no_such_route", "Nothing answers at this path";
    AUTHENTICATION_NEEDED = 401 "authentication_needed", "The request brings no credentials";
    INVALID_CREDENTIALS = 401 "invalid_credentials", "The credentials open nothing here";
    USER_LOCKED = 401 "user_locked", "The user is locked";
    PASSWORD_EXPIRED = 401 "password_expired", "The password is too old";
    INVALID_TOKEN = 401 "invalid_token", "The token opens nothing here";
    FORBIDDEN = 403 "forbidden", "The user may not do that";
    METHOD_NOT_ALLOWED = 405 "method_not_allowed", "This path does not take this method";
    UNSUPPORTED_MEDIA_TYPE = 415 "unsupported_media_type", "The body is not JSON";
    PAYLOAD_TOO_LARGE = 413 "payload_too_large", "The body is too large";
    BROKEN_BODY = 400 "broken_body", "The body did not arrive whole";
    MALFORMED_JSON = 400 "malformed_json", "The body is not well-formed JSON";
    INVALID_BODY = 400 "invalid_body", "The body has not the form that is asked for";
    UNKNOWN_FIELD = 400 "unknown_field", "There is no such field";
    UNKNOWN_OPERATION = 400 "unknown_operation", "There is no such operation";
    INVALID_PARAMETER = 400 "invalid_parameter", "A query parameter has a value that it cannot have";
    INVALID_HEADER = 400 "invalid_header", "A header has not the form that it takes";
    CHANGED_MEANWHILE = 412 "changed_meanwhile", "The object is no longer as the client has seen it";
    KEY_REUSED = 422 "key_reused", "The key was used for another request";
    NOT_STORED = 507 "not_stored", "The server's disk does not take the change";
    ARRAY_NOT_FOUND = 404 "array_not_found", "There is no such array";
    NOT_FOUND = 404 "not_found", "There is no such thing";
    REFERENCE_NOT_FOUND = 400 "reference_not_found", "The request refers to something that does not exist";
    AMBIGUOUS = 400 "ambiguous", "The reference fits several things";
    NAME_TAKEN = 409 "name_taken", "The name is in use";
    INVALID_NAME = 400 "invalid_name", "The name breaks the rule for names";
    INVALID_VALUE = 400 "invalid_value", "The value has not the form that the field takes";
    OUT_OF_RANGE = 400 "out_of_range", "The value lies outside its range";
    MISSING_FIELD = 400 "missing_field", "A field is needed";
    CONFLICTING_FIELDS = 400 "conflicting_fields", "Fields exclude each other";
    NOT_SUPPORTED = 400 "not_supported", "This array cannot do that";
    LAST_ADMINISTRATOR = 409 "last_administrator", "Nobody would be left who can manage users";
    OWN_USER = 409 "own_user", "A user cannot do that to itself";
    LIMIT_REACHED = 409 "limit_reached", "The most that the array allows is reached";
    IN_USE = 409 "in_use", "Something still depends on it";
    BUSY = 409 "busy", "A job is working on it";
    NOT_RUNNING = 409 "not_running", "Nothing of that kind is going on";
    WRONG_STATE = 409 "wrong_state", "It is in a state in which that cannot be done";
    NOT_ENOUGH_DRIVES = 409 "not_enough_drives", "There are not enough unused drives of one kind";
    DRIVE_NOT_FREE = 409 "drive_not_free", "A named drive is not free";
    DRIVES_DIFFER = 400 "drives_differ", "The drives of one RAID group must be alike";
    DRIVE_COUNT = 400 "drive_count", "The RAID level does not take that many drives";
    RAID_GROUPS_DIFFER = 400 "raid_groups_differ", "The RAID groups of one pool must be alike";
    RAID_GROUP_IN_POOL = 409 "raid_group_in_pool", "The RAID group belongs to a pool";
    NO_SPACE = 409 "no_space", "No unused area of the RAID group is large enough";
    POOL_FULL = 409 "pool_full", "The pool has too few free chunks";
    CONTAINER_FULL = 409 "container_full", "The container has too little space";
    OVER_PROVISIONED = 409 "over_provisioned", "The pool would promise more than it may";
    POOL_CAPACITY = 409 "pool_capacity", "All pools together would be larger than the array allows";
    COPY_CAPACITY = 409 "copy_capacity", "More would be copied at the same time than the array allows";
    THRESHOLD_ORDER = 400 "threshold_order", "The attention threshold must lie below the warning threshold";
    REDUCTION_OFF = 409 "reduction_off", "Data reduction is switched off for the array";
    REDUCTION_ON = 409 "reduction_on", "The pool uses data reduction";
    REDUCTION_MISMATCH = 409 "reduction_mismatch", "The volume wants another data reduction than its pool has";
    REDUCTION_IN_USE = 409 "reduction_in_use", "Data reduction is in use";
    REDUCTION_PROMISE = 409 "reduction_promise", "The reduced volumes of the pool would promise too much";
    SHRINKING = 400 "shrinking", "Things only grow";
    LUN_TAKEN = 409 "lun_taken", "The logical unit number is in use";
    ALREADY_MAPPED = 409 "already_mapped", "The volume is there already";
    NOT_MAPPED = 409 "not_mapped", "No host can reach the volume";
    PROTOCOL_MISMATCH = 400 "protocol_mismatch", "The protocols do not fit";
    INITIATOR_TAKEN = 409 "initiator_taken", "Another host has that address";
    PATH_TAKEN = 409 "path_taken", "The host already sees other LUNs through that port";
    TENANT_MISMATCH = 409 "tenant_mismatch", "It belongs to another tenant";
    TENANT_FULL = 409 "tenant_full", "The tenant would have more than it may";
    LUN_TOO_HIGH = 409 "lun_too_high", "The host response does not allow such high logical unit numbers";
    SWITCHED_OFF = 409 "switched_off", "A setting of the array stands in the way";
    LICENCE_MISSING = 409 "licence_missing", "A licence is needed";
    ADDRESS_TAKEN = 409 "address_taken", "The address is in use";
    ADDRESS_UNUSABLE = 409 "address_unusable", "The server does not listen at that address";
    DRIVE_NOT_OFFERED = 400 "drive_not_offered", "The model has no such drive";
    NOT_CALIBRATED = 400 "not_calibrated", "The model is not calibrated for that workload";
}

/// A mistake of this server, which no request can bring about.
pub(super) const DEFECT: &Kind = &Kind { status: 500, code: "defect", title: "This server is broken" };

/// Too many passwords are being checked; the next try may find room.
const TOO_BUSY: &Kind = &Kind { status: 503, code: "too_busy", title: "Too many passwords are being checked" };

/// The kind of a refusal. Space that the array has run out of is 409: 507 is kept for this server's own disk.
pub fn kind(refusal: &OpError) -> &'static Kind {
    match refusal {
        OpError::NotFound { noun: Noun::Array, .. } => ARRAY_NOT_FOUND,
        OpError::NotFound { place: Place::Target, .. } => NOT_FOUND,
        OpError::NotFound { place: Place::Field(_), .. } => REFERENCE_NOT_FOUND,
        OpError::Ambiguous { .. } => AMBIGUOUS,
        OpError::NameTaken { .. } => NAME_TAKEN,
        OpError::NameInvalid { .. } => INVALID_NAME,
        OpError::ValueInvalid { .. } => INVALID_VALUE,
        OpError::OutOfRange { .. } => OUT_OF_RANGE,
        OpError::Missing { .. } => MISSING_FIELD,
        OpError::Conflicting { .. } => CONFLICTING_FIELDS,
        OpError::NotSupported { .. } => NOT_SUPPORTED,
        OpError::LimitReached { .. } => LIMIT_REACHED,
        OpError::InUse { .. } => IN_USE,
        OpError::Busy { .. } => BUSY,
        OpError::NotRunning { .. } => NOT_RUNNING,
        OpError::WrongState { .. } => WRONG_STATE,
        OpError::NotEnoughDrives { .. } => NOT_ENOUGH_DRIVES,
        OpError::DriveNotFree { .. } => DRIVE_NOT_FREE,
        OpError::DrivesDiffer { .. } => DRIVES_DIFFER,
        OpError::DriveCount { .. } => DRIVE_COUNT,
        OpError::RaidGroupsDiffer { .. } => RAID_GROUPS_DIFFER,
        OpError::RaidGroupInPool { .. } => RAID_GROUP_IN_POOL,
        OpError::NoSpace { .. } => NO_SPACE,
        OpError::PoolFull { .. } => POOL_FULL,
        OpError::ContainerFull { .. } => CONTAINER_FULL,
        OpError::OverProvisioned { .. } => OVER_PROVISIONED,
        OpError::PoolCapacity { .. } => POOL_CAPACITY,
        OpError::CopyCapacity { .. } => COPY_CAPACITY,
        OpError::ThresholdOrder { .. } => THRESHOLD_ORDER,
        OpError::ReductionOff { .. } => REDUCTION_OFF,
        OpError::ReductionOn { .. } => REDUCTION_ON,
        OpError::ReductionMismatch { .. } => REDUCTION_MISMATCH,
        OpError::ReductionInUse { .. } => REDUCTION_IN_USE,
        OpError::ReductionPromise { .. } => REDUCTION_PROMISE,
        OpError::Shrinking { .. } => SHRINKING,
        OpError::LunTaken { .. } => LUN_TAKEN,
        OpError::AlreadyMapped { .. } => ALREADY_MAPPED,
        OpError::NotMapped { .. } => NOT_MAPPED,
        OpError::ProtocolMismatch { .. } => PROTOCOL_MISMATCH,
        OpError::InitiatorTaken { .. } => INITIATOR_TAKEN,
        OpError::PathTaken { .. } => PATH_TAKEN,
        OpError::TenantMismatch { .. } => TENANT_MISMATCH,
        OpError::TenantFull { .. } => TENANT_FULL,
        OpError::LunTooHigh { .. } => LUN_TOO_HIGH,
        OpError::SwitchedOff { .. } => SWITCHED_OFF,
        OpError::LicenceMissing { .. } => LICENCE_MISSING,
        OpError::AddressTaken { .. } => ADDRESS_TAKEN,
        OpError::NotCalibrated { .. } => NOT_CALIBRATED,
        OpError::Forbidden { .. } => FORBIDDEN,
        OpError::LastAdministrator { .. } => LAST_ADMINISTRATOR,
        OpError::OwnUser { .. } => OWN_USER,
        OpError::InList { cause, .. } => kind_in_list(cause),
    }
}

/// In a list the target, too, is named in the body.
fn kind_in_list(cause: &OpError) -> &'static Kind {
    match kind(cause) {
        kind if kind == NOT_FOUND => REFERENCE_NOT_FOUND,
        kind => kind,
    }
}

/// Why a request was refused, and what to do about it (RFC 9457).
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[schema(as = Problem, examples(json!({
    "type": "urn:arrayplane:problem:pool_full", "title": "The pool has too few free chunks", "status": 409, "code": "pool_full",
    "detail": "the pool 'P0' is out of space: 4 TB are needed, 21 MiB are free", "noun": "pool", "limit": "22020096",
    "cure": "expand the pool, unmap or delete data, or migrate volumes to another pool"
})))]
pub(super) struct Document {
    /// `urn:arrayplane:problem:` and the code.
    #[serde(rename = "type")]
    kind: String,
    /// What the code means.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// What went wrong, in one sentence.
    detail: String,
    /// The kind of refusal as a stable word.
    code: &'static str,
    /// The kind of thing that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    noun: Option<Noun>,
    /// The field of the request that is to blame, as a path such as `luns[0].lun`.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    /// The value that was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    /// The limit that was hit; sizes are in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<String>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    cure: Option<String>,
    /// In a list of operations: which one was refused, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    /// In a list of operations: its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    operation: Option<String>,
}

/// A refusal on its way to the client.
#[derive(Debug)]
pub(super) struct Problem {
    document: Box<Document>,
    allow: Option<String>,
}

impl Problem {
    /// A problem of that kind.
    pub(super) fn new(kind: &Kind, detail: impl Into<String>) -> Problem {
        let document = Document {
            kind: format!("urn:arrayplane:problem:{}", kind.code),
            title: kind.title,
            status: kind.status,
            detail: detail.into(),
            code: kind.code,
            ..Document::default()
        };
        Problem { document: Box::new(document), allow: None }
    }
    /// The refusal of an operation whose target stood in the path, under `field` in the operation.
    pub(super) fn at_target(refusal: ChangeError, field: &str) -> Problem {
        match refusal {
            ChangeError::Refused(OpError::NotFound { noun, reference, place: Place::Field(place) }) if place == field => {
                OpError::NotFound { noun, reference, place: Place::Target }.into()
            }
            other => other.into(),
        }
    }
    /// Names the field.
    pub(super) fn field(mut self, field: impl Into<String>) -> Problem {
        self.document.field = Some(field.into());
        self
    }
    /// Quotes the value.
    pub(super) fn value(mut self, value: impl Into<String>) -> Problem {
        self.document.value = Some(value.into());
        self
    }
    /// Says the limit.
    pub(super) fn limit(mut self, limit: impl Into<String>) -> Problem {
        self.document.limit = Some(limit.into());
        self
    }
    /// Says what to do.
    pub(super) fn cure(mut self, cure: impl Into<String>) -> Problem {
        self.document.cure = Some(cure.into());
        self
    }
    /// Says which operation of a list it is about.
    pub(super) fn in_list(mut self, index: usize, operation: Option<String>) -> Problem {
        self.document.index = Some(index);
        self.document.operation = operation;
        self
    }
    /// Says which methods the path takes.
    pub(super) fn allow(mut self, methods: String) -> Problem {
        self.allow = Some(methods);
        self
    }
    /// What the client reads.
    pub(super) fn into_document(self) -> Document {
        *self.document
    }
}

impl From<OpError> for Problem {
    fn from(refusal: OpError) -> Problem {
        let mut problem = Problem::new(kind(&refusal), refusal.to_string());
        let document = &mut problem.document;
        document.noun = Some(refusal.noun());
        document.field = refusal.field().map(str::to_owned);
        document.value = refusal.value();
        document.limit = refusal.limit();
        document.cure = Some(refusal.cure());
        if let OpError::InList { index, operation, .. } = refusal {
            problem = problem.in_list(index, Some(operation));
        }
        problem
    }
}

impl From<ChangeError> for Problem {
    fn from(refusal: ChangeError) -> Problem {
        let (detail, cure) = (refusal.to_string(), refusal.cure());
        let problem = match refusal {
            ChangeError::Refused(refusal) => return refusal.into(),
            ChangeError::TagDiffers { is, .. } => Problem::new(CHANGED_MEANWHILE, detail).field("If-Match").value(is),
            ChangeError::KeyReused { key } => Problem::new(KEY_REUSED, detail).field("Idempotency-Key").value(key),
            ChangeError::NotWritten { .. } => Problem::new(NOT_STORED, detail),
            ChangeError::BrokeOff { .. } | ChangeError::Broken { .. } => Problem::new(DEFECT, detail),
        };
        problem.cure(cure)
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.document.detail)
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.document.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        response.insert_header((CONTENT_TYPE, "application/problem+json"));
        if self.document.status == StatusCode::UNAUTHORIZED.as_u16() {
            response.insert_header((WWW_AUTHENTICATE, CHALLENGE));
        }
        if let Some(methods) = &self.allow {
            response.insert_header((ALLOW, methods.as_str()));
        }
        response.body(serde_json::to_vec(&self.document).unwrap_or_default())
    }
}

impl From<SiteError> for Problem {
    fn from(refusal: SiteError) -> Problem {
        let (kind, field, name) = match &refusal {
            SiteError::Changed { cause } => return ChangeError::clone(cause).into(),
            SiteError::ArrayExists { name } | SiteError::FilesExist { name } => (NAME_TAKEN, Some("name"), name),
            SiteError::ArrayNameInvalid { name } => (INVALID_NAME, Some("name"), name),
            SiteError::NoSuchArray { name } => (ARRAY_NOT_FOUND, None, name),
            SiteError::NotWritten { name, .. } => (NOT_STORED, None, name),
        };
        let mut problem = Problem::new(kind, refusal.to_string()).value(name).cure(refusal.cure());
        problem.document.noun = Some(Noun::Array);
        problem.document.field = field.map(str::to_owned);
        problem
    }
}

impl From<Denial> for Problem {
    fn from(denial: Denial) -> Problem {
        let kind = match &denial {
            Denial::Missing => AUTHENTICATION_NEEDED,
            Denial::Malformed | Denial::Wrong => INVALID_CREDENTIALS,
            Denial::Locked { .. } => USER_LOCKED,
            Denial::PasswordExpired { .. } => PASSWORD_EXPIRED,
            Denial::TokenInvalid => INVALID_TOKEN,
            Denial::Busy => TOO_BUSY,
        };
        Problem::new(kind, denial.to_string()).cure(denial.cure())
    }
}

impl From<CatalogueError> for Problem {
    fn from(refusal: CatalogueError) -> Problem {
        let kind = match &refusal {
            CatalogueError::UnknownModel { .. } | CatalogueError::UnknownScenario { .. } => REFERENCE_NOT_FOUND,
            CatalogueError::DriveCount { .. } => OUT_OF_RANGE,
            CatalogueError::DriveNotOffered { .. } => DRIVE_NOT_OFFERED,
            CatalogueError::Fixture { .. } => DEFECT,
        };
        let mut problem = Problem::new(kind, refusal.to_string()).cure(refusal.cure());
        problem.document.noun = Some(Noun::Array);
        problem.document.field = refusal.field().map(str::to_owned);
        problem.document.value = refusal.value();
        problem.document.limit = refusal.limit();
        problem
    }
}

impl From<ScenarioError> for Problem {
    fn from(refusal: ScenarioError) -> Problem {
        match refusal {
            ScenarioError::Unreadable { .. } => Problem::new(DEFECT, refusal.to_string()),
            ScenarioError::Catalogue(refusal) => refusal.into(),
            ScenarioError::Refused { index, operation, cause } => OpError::InList { index, operation: operation.to_owned(), cause }.into(),
        }
    }
}
