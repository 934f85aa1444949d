//! Hardware models: a fixture of hardware on top of a personality that models share.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::built_in::{BuiltInInterface, BuiltInRecord};
use super::calibration::{self, VariantSpec};
use super::facts::{bare, facts, lay_over};
use super::fixtures::{Fixture, MODELS, PERSONALITIES};
use super::library::Library;
use super::{CatalogueError, Drives, EnclosureSpec, Fact, HostPortSpec, PartsSpec, Sourced, yaml};
use crate::model::{Calibration, Pattern, Personality};

/// A hardware model.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its name in the catalogue (`eternus-af250`).
    pub name: String,
    /// Who makes it.
    pub vendor: String,
    /// What they call it.
    pub product: String,
    /// The firmware of a new array.
    pub firmware: Sourced<String>,
    /// The rules by which its arrays decide.
    pub personality: Personality,
    /// Its enclosures, the one with the controllers first.
    pub enclosures: Vec<EnclosureSpec>,
    /// The names of its controllers.
    pub controllers: Sourced<Vec<String>>,
    /// Its host ports.
    pub host_ports: Vec<HostPortSpec>,
    /// Its parts that are watched and replaced.
    pub parts: PartsSpec,
    /// Its drives.
    pub drives: Drives,
    /// What else its data sheet says; nothing depends on it.
    pub data_sheet: BTreeMap<String, Sourced<Value>>,
    /// Everything above that has a source, rules included, as a list.
    pub facts: Vec<Fact>,
    /// How its arrays make serial numbers and addresses.
    pub(super) identifiers: Identifiers,
    /// What its arrays have configured by themselves.
    pub(super) records: Vec<BuiltInRecord>,
    pub(super) interfaces: Vec<BuiltInInterface>,
    calibration: Option<String>,
    variants: Vec<VariantSpec>,
}

/// How an array makes serial numbers and addresses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Identifiers {
    pub(super) array_serial: Pattern,
    pub(super) array_wwn: Pattern,
    pub(super) port_wwn: Pattern,
    pub(super) iscsi_name: Pattern,
    pub(super) enclosure_serial: Pattern,
    pub(super) controller_serial: Pattern,
    pub(super) drive_serial: Pattern,
    pub(super) drive_wwn: Pattern,
    pub(super) port_mac: Pattern,
    pub(super) part_serial: Pattern,
    pub(super) parts: PartNames,
}

/// How an array names its parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PartNames {
    pub(super) power_supply: Pattern,
    pub(super) fan: Pattern,
    pub(super) inlet_temperature: Pattern,
    pub(super) exhaust_temperature: Pattern,
    pub(super) io_module: Pattern,
    pub(super) battery: Pattern,
    pub(super) transceiver: Pattern,
}

/// A fixture in `fixtures/models/`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelFile {
    name: String,
    vendor: String,
    product: String,
    firmware: Sourced<String>,
    personality: String,
    #[serde(default)]
    calibration: Option<String>,
    #[serde(default)]
    calibration_variants: Vec<VariantSpec>,
    #[serde(default)]
    rules: Value,
    enclosures: Vec<EnclosureSpec>,
    controllers: Sourced<Vec<String>>,
    host_ports: Vec<HostPortSpec>,
    parts: PartsSpec,
    drives: Drives,
    data_sheet: BTreeMap<String, Sourced<Value>>,
}

/// A fixture in `fixtures/personalities/`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PersonalityFile {
    name: String,
    identifiers: Identifiers,
    rules: Value,
    #[serde(default)]
    records: Vec<BuiltInRecord>,
    #[serde(default)]
    interfaces: Vec<BuiltInInterface>,
}

static SHELF: Library<Model, { MODELS.len() }> = Library::new(MODELS, read_model);
static RULES: Library<PersonalityFile, { PERSONALITIES.len() }> = Library::new(PERSONALITIES, read_personality);

/// All models, in order of name.
pub fn models() -> Vec<&'static Model> {
    SHELF.all()
}

/// The model of that name.
pub fn model(name: &str) -> Result<&'static Model, CatalogueError> {
    SHELF.get(name).unwrap_or_else(|| Err(CatalogueError::UnknownModel { name: name.to_owned(), known: SHELF.names().map(str::to_owned).collect() }))
}

impl Model {
    /// What was measured of it; `None` while nobody has calibrated it.
    pub fn calibration(&self) -> Result<Option<Calibration>, CatalogueError> {
        let Some(own) = &self.calibration else { return Ok(None) };
        let variants = self.variants.iter().map(VariantSpec::variant).collect::<Result<_, _>>()?;
        Ok(Some(Calibration { variants, ..calibration::calibration(own)?.clone() }))
    }
    /// Whether workloads can run on it.
    pub const fn is_calibrated(&self) -> bool {
        self.calibration.is_some()
    }
    /// How many drives it holds with every enclosure that can be added.
    pub fn bays_most(&self) -> u32 {
        self.enclosures.iter().map(|enclosure| enclosure.bays.value.saturating_mul(enclosure.most.value)).fold(0, u32::saturating_add)
    }
}

fn read_personality(fixture: &Fixture) -> Result<PersonalityFile, String> {
    let file: PersonalityFile = yaml::read_own(fixture.text)?;
    named(fixture, &file.name)?;
    Ok(file)
}

fn read_model(fixture: &Fixture) -> Result<Model, String> {
    let mut document: Value = yaml::read_own(fixture.text)?;
    let file = ModelFile::deserialize(&document).map_err(|error| error.to_string())?;
    named(fixture, &file.name)?;
    let shared = RULES.get(&file.personality).ok_or_else(|| format!("there is no personality '{}'", file.personality))?.map_err(|error| error.to_string())?;
    let mut rules = shared.rules.clone();
    if !file.rules.is_null() {
        lay_over(&mut rules, &file.rules);
    }
    let personality = Personality::deserialize(bare(&rules)).map_err(|error| error.to_string())?;
    lay_over(&mut document, &serde_json::json!({ "rules": rules }));
    Ok(Model {
        name: file.name,
        vendor: file.vendor,
        product: file.product,
        firmware: file.firmware,
        personality,
        enclosures: file.enclosures,
        controllers: file.controllers,
        host_ports: file.host_ports,
        parts: file.parts,
        drives: file.drives,
        data_sheet: file.data_sheet,
        facts: facts(&document),
        identifiers: shared.identifiers.clone(),
        records: shared.records.clone(),
        interfaces: shared.interfaces.clone(),
        calibration: file.calibration,
        variants: file.calibration_variants,
    })
}

/// A fixture must be named like its file.
fn named(fixture: &Fixture, name: &str) -> Result<(), String> {
    if fixture.name == name { Ok(()) } else { Err(format!("it is named '{name}'")) }
}
