//! What load the array bore, and when. Load and configuration stay as they are between two changes, so a segment for every change tells
//! the whole history; nothing is sampled.
//!
//! A segment keeps what the data path made of load and configuration, in whole numbers: what happened is not computed again, whatever
//! becomes of the law. Requests of one workload to volumes that are alike are one [`Bundle`], and routes are kept once for all segments.
//! Beside the segments stand tallies of everything that ever had load, up to the last change; of the oldest segments, when they are too
//! many, only the tallies stay.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Amounts, Bundle, Gauge, Noun, Route};
use crate::units::{SimSpan, SimTime};

/// The log. A clone shares its segments and routes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadLog {
    routes: BTreeMap<u32, HeldRoute>,
    next_route: u32,
    segments: VecDeque<Arc<Segment>>,
    tallies: BTreeMap<Noun, BTreeMap<u32, Amounts>>,
    tallied: SimTime,
    /// Since when the segments that are no longer kept reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    merged: Option<SimTime>,
    /// Up to when what workloads wrote is in the books of space.
    #[serde(default)]
    entered: SimTime,
}

/// A route, and in how many segments it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct HeldRoute {
    uses: u32,
    route: Arc<Route>,
}

/// From one change to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// When it began; it ends where the next begins.
    pub from: SimTime,
    /// The requests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bundles: Vec<Bundle>,
    /// The share of the time that parts are busy, in billionths, by key; of those that are.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub busy: BTreeMap<Noun, Vec<(u32, u64)>>,
}

/// How the array bears its load now, to be entered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// The requests; the number of the route is still open.
    pub bundles: Vec<(Route, Bundle)>,
    /// As in [`Segment::busy`].
    pub busy: BTreeMap<Noun, Vec<(u32, u64)>>,
}

impl LoadLog {
    /// The most segments that are kept.
    pub const SEGMENTS: usize = 10_000;
    /// The most bundles that all segments may have together.
    pub const BUNDLES: usize = 1_000_000;

    /// Whether nothing was ever noted.
    pub fn is_new(&self) -> bool {
        *self == LoadLog::default()
    }
    /// Whether there is none since the last change.
    pub fn is_quiet(&self) -> bool {
        self.segments.back().is_none_or(|last| last.bundles.is_empty() && last.busy.is_empty())
    }
    /// The segments that are kept, oldest first.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &Segment> {
        self.segments.iter().map(Arc::as_ref)
    }
    /// The segments that are kept, as far as they reach into a time: from when, to when.
    pub fn between(&self, from: SimTime, to: SimTime, now: SimTime) -> impl Iterator<Item = (SimTime, SimTime, &Segment)> {
        let first = self.segments.partition_point(|segment| segment.from <= from).saturating_sub(1);
        let ends = self.segments.iter().skip(first + 1).map(|next| next.from).chain([now]);
        let reaches = move |(begins, _, _): &(SimTime, SimTime, &Segment)| *begins < to;
        self.segments.iter().skip(first).zip(ends).map(|(segment, end)| (segment.from, end, segment.as_ref())).take_while(reaches)
    }
    /// The last one.
    pub fn last(&self) -> Option<&Segment> {
        self.segments.back().map(Arc::as_ref)
    }
    /// A route.
    pub fn route(&self, number: u32) -> Option<&Route> {
        self.routes.get(&number).map(|held| held.route.as_ref())
    }
    /// All routes of the segments that are kept, in order of number.
    pub fn routes(&self) -> impl DoubleEndedIterator<Item = (u32, &Route)> {
        self.routes.iter().map(|(number, held)| (*number, held.route.as_ref()))
    }
    /// From when to when only the tallies tell of the load.
    pub fn merged(&self) -> Option<(SimTime, SimTime)> {
        self.merged.zip(self.segments.front().map(|first| first.from))
    }
    /// Up to when what workloads wrote is in the books of space.
    pub const fn entered(&self) -> SimTime {
        self.entered
    }
    /// Notes that what they wrote is in the books.
    pub const fn enter(&mut self, now: SimTime) {
        self.entered = now;
    }
    /// What has come together for a thing since the beginning, in parts (see [`Amounts::PARTS`]).
    pub fn tally(&self, noun: Noun, key: u32, now: SimTime) -> Amounts {
        let mut sum = self.tallies.get(&noun).and_then(|of| of.get(&key)).copied().unwrap_or_default();
        if let Some(last) = self.last() {
            sum.add(&self.rates(last, noun, key).over(now.since(self.tallied)));
        }
        sum
    }
    /// What flows through a thing per second during a segment.
    pub fn rates(&self, segment: &Segment, noun: Noun, key: u32) -> Amounts {
        let mut sum = Amounts::NONE.with(Gauge::Busy, segment.busy_of(noun, key));
        for bundle in &segment.bundles {
            if let Some((route, part)) = self.route(bundle.route).and_then(|route| route.part_of(noun, key).map(|part| (route, part))) {
                sum.add(&bundle.amounts(route, part));
            }
        }
        sum
    }
    /// Whether that is how the last segment says it is.
    pub fn is_as(&self, load: &Load) -> bool {
        let Some(last) = self.last() else { return load.bundles.is_empty() && load.busy.is_empty() };
        let is_same = |(bundle, (route, other)): (&Bundle, &(Route, Bundle))| {
            *bundle == Bundle { route: bundle.route, ..*other } && self.route(bundle.route).is_some_and(|known| known == route)
        };
        last.bundles.len() == load.bundles.len() && last.busy == load.busy && last.bundles.iter().zip(&load.bundles).all(is_same)
    }
    /// Enters how it is from now on, if that is something else.
    pub fn turn(&mut self, now: SimTime, load: Load) {
        if self.is_as(&load) {
            return;
        }
        self.count_up_to(now);
        if self.segments.back().is_some_and(|last| last.from == now) {
            let last = self.segments.pop_back();
            self.let_go(last);
        }
        if !self.is_as(&load) {
            let bundles = self.take_routes(load.bundles);
            self.segments.push_back(Arc::new(Segment { from: now, bundles, busy: load.busy }));
        }
        self.keep_within_bounds();
    }
    /// Adds what came together since the tallies were last brought up to date.
    fn count_up_to(&mut self, now: SimTime) {
        let span = now.since(self.tallied);
        self.tallied = now;
        let Some(last) = self.segments.back().filter(|_| span != SimSpan::ZERO) else { return };
        for bundle in &last.bundles {
            let Some(HeldRoute { route, .. }) = self.routes.get(&bundle.route) else { continue };
            for (noun, key, part) in route.parts() {
                self.tallies.entry(noun).or_default().entry(key).or_default().add(&bundle.amounts(route, part).over(span));
            }
        }
        for (noun, parts) in &last.busy {
            for (key, share) in parts {
                let work = Amounts::NONE.with(Gauge::Busy, (*share).into()).over(span);
                self.tallies.entry(*noun).or_default().entry(*key).or_default().add(&work);
            }
        }
    }
    fn take_routes(&mut self, bundles: Vec<(Route, Bundle)>) -> Vec<Bundle> {
        let found = self.find_routes(&bundles);
        let mut taken = Vec::with_capacity(bundles.len());
        for ((route, bundle), found) in bundles.into_iter().zip(found) {
            let number = found.unwrap_or(self.next_route);
            self.routes.entry(number).or_insert(HeldRoute { uses: 0, route: Arc::new(route) }).uses += 1;
            self.next_route = self.next_route.max(number.saturating_add(1));
            taken.push(Bundle { route: number, ..bundle });
        }
        taken
    }
    /// The numbers of routes that are known; most often they are those of the last segment, in the same order.
    fn find_routes(&self, bundles: &[(Route, Bundle)]) -> Vec<Option<u32>> {
        let before = self.segments.back().map_or(&[][..], |last| &last.bundles);
        let as_before = |place: usize, route: &Route| before.get(place).map(|bundle| bundle.route).filter(|number| self.route(*number) == Some(route));
        let found: Vec<Option<u32>> = bundles.iter().enumerate().map(|(place, (route, _))| as_before(place, route)).collect();
        if found.iter().all(Option::is_some) {
            return found;
        }
        let known: BTreeMap<&Route, u32> = self.routes().map(|(number, route)| (route, number)).collect();
        bundles.iter().map(|(route, _)| known.get(route).copied()).collect()
    }
    fn let_go(&mut self, segment: Option<Arc<Segment>>) {
        for bundle in segment.iter().flat_map(|segment| &segment.bundles) {
            if let Some(held) = self.routes.get_mut(&bundle.route) {
                held.uses = held.uses.saturating_sub(1);
                if held.uses == 0 {
                    self.routes.remove(&bundle.route);
                }
            }
        }
    }
    /// Of the oldest segments, only the tallies stay.
    fn keep_within_bounds(&mut self) {
        let mut bundles: usize = self.routes.values().map(|held| held.uses as usize).sum();
        while self.segments.len() > 1 && (self.segments.len() > Self::SEGMENTS || bundles > Self::BUNDLES) {
            let oldest = self.segments.pop_front();
            self.merged = self.merged.or(oldest.as_ref().map(|oldest| oldest.from));
            bundles -= oldest.as_ref().map_or(0, |oldest| oldest.bundles.len());
            self.let_go(oldest);
        }
    }
}

impl Segment {
    /// The share of the time that a part is busy, in billionths.
    pub fn busy_of(&self, noun: Noun, key: u32) -> u128 {
        self.busy.get(&noun).and_then(|of| of.iter().find(|(other, _)| *other == key)).map_or(0, |(_, share)| u128::from(*share))
    }
}
