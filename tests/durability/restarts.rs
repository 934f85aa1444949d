//! Random operations with restarts between them leave the value that they leave without.

use std::sync::Arc;
use std::time::Duration;

use arrayplane::ops::World;
use arrayplane::site::{DataOptions, Options, Site, TimeSource};
use arrayplane::units::Bytes;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError};

use crate::folder::Folder;
use crate::given;
use crate::properties::{Case, cases, config, generate};

/// Wall time that stands still.
#[derive(Debug)]
struct Still;

impl TimeSource for Still {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

fn open(folder: &Folder) -> Result<Arc<Site>, TestCaseError> {
    let data = DataOptions { folder: folder.path().to_owned(), ..DataOptions::default() };
    let opened = Site::open_on(Arc::new(Still), Options { journal_budget: Bytes::new(4096) }, &data);
    opened.map(|(site, _)| site).map_err(|refusal| TestCaseError::fail(refusal.to_string()))
}

/// Plays a case on disk; `ends` says after which steps the process ends, and whether cleanly.
fn on_disk(case: &Case, ends: impl Fn(usize) -> Option<bool>) -> Result<World, TestCaseError> {
    let folder = Folder::new();
    let mut site = open(&folder)?;
    site.create("lab", case.start.world()).map_err(|refusal| TestCaseError::fail(refusal.to_string()))?;
    for (step, dice) in case.steps.iter().enumerate() {
        let hosted = site.find("lab").map_err(|refusal| TestCaseError::fail(refusal.to_string()))?;
        let (operation, actor) = hosted.read(|world| (generate::operation(world, dice), given::ctx(world).actor));
        drop(hosted.batch(actor, vec![operation]));
        if let Some(clean) = ends(step) {
            if clean {
                site.close();
            }
            drop((site, hosted));
            site = open(&folder)?;
        }
    }
    let hosted = site.find("lab").map_err(|refusal| TestCaseError::fail(refusal.to_string()))?;
    Ok(hosted.read(World::clone))
}

fn in_memory(case: &Case) -> World {
    let mut world = case.start.world();
    for dice in &case.steps {
        let operation = generate::operation(&world, dice);
        let ctx = given::ctx(&world);
        drop(operation.run(&mut world, &ctx));
    }
    world
}

proptest! {
    #![proptest_config(Config { cases: config().cases / 2, ..config() })]

    #[test]
    fn what_is_read_back_from_disk_is_the_value_that_was(case in cases(), every in 3_usize..20) {
        let ends = |step: usize| step.is_multiple_of(every).then_some(step.is_multiple_of(2 * every));
        prop_assert_eq!(given::bytes(&on_disk(&case, ends)?), given::bytes(&in_memory(&case)));
    }
}
