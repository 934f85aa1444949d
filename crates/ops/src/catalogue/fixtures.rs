//! The texts in `fixtures/`, embedded in the binary.

/// One embedded file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fixture {
    /// Where it lies below `fixtures/`.
    pub file: &'static str,
    /// Its name without folder and ending.
    pub name: &'static str,
    /// What it says.
    pub text: &'static str,
}

macro_rules! embedded {
    ($folder:literal: $($name:literal),+ $(,)?) => {
        [$( Fixture {
            file: concat!($folder, "/", $name, ".yaml"),
            name: $name,
            text: include_str!(concat!("../../../../fixtures/", $folder, "/", $name, ".yaml")),
        } ),+]
    };
}

/// Hardware models, in order of name.
pub(super) const MODELS: [Fixture; 9] = embedded!("models":
    "aff-a200", "aff-a250", "esds-s16f", "eternus-af250", "eternus-af250-s2", "eternus-dx200f", "flachesan1l-d", "oceanstor-dorado2100-g2", "unlimited"
);
/// Rules that models share.
pub(super) const PERSONALITIES: [Fixture; 3] = embedded!("personalities": "eternus", "generic", "ontap");
/// What was measured of models.
pub(super) const CALIBRATIONS: [Fixture; 10] = embedded!("calibration":
    "aff-a200", "aff-a250-fc", "aff-a250-nvme", "esds-s16f", "eternus-af250", "eternus-af250-s2", "eternus-dx200f", "flachesan1l-d", "flachesan1l-d-raw",
    "oceanstor-dorado2100-g2"
);
/// Workload profiles.
pub(super) const WORKLOADS: [Fixture; 5] = embedded!("workloads": "databases", "fio", "four-corners", "transactions", "virtual-desktops");
/// Scenarios, in order of name.
pub(super) const SCENARIOS: [Fixture; 11] = embedded!("scenarios":
    "af250", "af250-dr", "af250-s2", "aff-a200", "aff-a250", "aff-a250-factory", "dorado2100-g2", "dx200f", "esds-s16f", "flachesan1l-d", "flachesan1l-d-raw"
);
