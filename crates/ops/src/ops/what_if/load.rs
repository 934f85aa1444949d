//! The workloads of a question: made on the copy by the operation that makes workloads, so that the same rules hold.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::model::{Key, Noun, Object, OpError, Workload, WorkloadState, reach};
use crate::ops::{self, Actor, Ctx, World, workload};
use crate::units::{Bytes, SimSpan};

/// A workload of a question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = WhatIfLoad, examples(json!({"profile": "sqlserver-tpcc", "users": 60000})))]
pub struct Load {
    /// The name of a profile (see `/v1/profiles`), or `custom`.
    pub profile: String,
    /// Its name in the answer; the profile's if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The volumes; if left out, those that the array's own workloads use, else all that hosts reach.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volumes: Option<Vec<String>>,
    /// How many users or threads at 100 % of the load; the profile's own number if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub users: Option<u64>,
    /// The same, for workloads that do not think.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outstanding: Option<u64>,
    /// Requests per second: of a load generator, those that are offered at 100 % of the load; of users, the most that they make.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<u64>,
    /// Custom: bytes of one I/O operation, 512 B to 16 MiB; 4 KiB if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_size: Option<Bytes>,
    /// Custom: share of reads in percent; 70 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_percent: Option<u32>,
    /// Custom: share of random operations in percent; 100 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub random_percent: Option<u32>,
    /// Custom: time between an answer and the next request, up to a day; none if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub think_time: Option<SimSpan>,
}

/// Starts the workloads of a question; without any, those that run are taken. There must be one.
pub(super) fn start(world: &mut World, loads: &[Load]) -> Result<Vec<Key<Workload>>, OpError> {
    if loads.is_empty() {
        let running: Vec<Key<Workload>> = world.workloads.iter().filter(|workload| workload.state == WorkloadState::Running).map(Object::key).collect();
        if running.is_empty() {
            let because = "no workload runs on the array, so say which one shall".to_owned();
            return Err(OpError::Missing { noun: Noun::Workload, field: "workloads".to_owned(), because });
        }
        return Ok(running);
    }
    let usual = usual_volumes(world);
    loads.iter().map(|load| make(world, load, &usual)).collect()
}

fn make(world: &mut World, load: &Load, usual: &[String]) -> Result<Key<Workload>, OpError> {
    let operation = workload::Create {
        name: load.name.clone().unwrap_or_else(|| free_name(world, &load.profile)),
        profile: load.profile.clone(),
        volumes: load.volumes.clone().unwrap_or_else(|| usual.to_vec()),
        users: load.users,
        outstanding: load.outstanding,
        rate: load.rate,
        block_size: load.block_size,
        read_percent: load.read_percent,
        random_percent: load.random_percent,
        think_time: load.think_time,
        ..workload::Create::default()
    };
    let ctx = Ctx { now: world.now(), actor: Actor::new("what-if", "admin", "workload.create") };
    ops::execute(&operation, world, &ctx)
}

/// The profile's name, with a number if it is taken.
fn free_name(world: &World, profile: &str) -> String {
    let taken = |name: &str| world.workloads.named(name, None).is_some();
    if !taken(profile) {
        return profile.to_owned();
    }
    (2..).map(|number| format!("{profile}-{number}")).find(|name| !taken(name)).unwrap_or_default()
}

/// The volumes of the workloads that the array has, else all that hosts reach; by id, which always names one.
fn usual_volumes(world: &World) -> Vec<String> {
    let array = &world.array;
    let mut used: BTreeSet<_> = world.workloads.iter().flat_map(|workload| workload.volumes.iter().copied()).collect();
    if used.is_empty() {
        used = array.volumes.iter().map(Object::key).filter(|key| !reach::volume_paths(array, *key).is_empty()).collect();
    }
    used.into_iter().filter_map(|key| array.volumes.get(key)).map(|volume| volume.id().to_string()).collect()
}
