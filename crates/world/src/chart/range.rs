//! From values to places on an axis: the range that holds all values, its ticks, and where a value lies in it.

use super::{Scale, text};

/// The stretch of an axis that is shown, with its ticks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Range {
    low: f64,
    high: f64,
    scale: Scale,
    /// Values that get a line of the grid and a text.
    pub(super) ticks: Vec<f64>,
}

/// The smallest value that a logarithmic axis shows beside one that is a thousand million times as large.
const DEEPEST: f64 = 1e-9;

impl Range {
    /// The range that holds all of `values` that the scale can show, with about `wanted` ticks.
    pub(super) fn of(values: impl Iterator<Item = f64>, scale: Scale, wanted: f64) -> Self {
        let shown = values.filter(|value| can_show(scale, *value));
        let (least, most) = shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(value), most.max(value)));
        match scale {
            _ if least > most => Self::linear(0.0, 1.0, wanted),
            Scale::Linear => Self::linear(least.min(0.0), most.max(0.0), wanted),
            Scale::Log => Self::log(least.max(most * DEEPEST), most),
        }
    }

    fn linear(least: f64, most: f64, wanted: f64) -> Self {
        let (least, most) = if most > least { (least, most) } else { (least, least + 1.0) };
        let step = nice((most - least) / wanted);
        let (first, last) = ((least / step + 1e-9).floor(), (most / step - 1e-9).ceil());
        let count = (last - first).clamp(1.0, 100.0);
        let ticks = (0..=100).map(f64::from).take_while(|at| *at <= count).map(|at| (first + at) * step).collect();
        Self { low: first * step, high: last * step, scale: Scale::Linear, ticks }
    }

    fn log(least: f64, most: f64) -> Self {
        let (low, high) = (step_down(least), step_up(most));
        let (low, high) = if high > low * 1.5 { (low, high) } else { (step_down(low * 0.99), step_up(high * 1.01)) };
        let decades = (high / low).log10();
        let steps: &[f64] = if decades < 3.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let first = low.log10().floor() as i32;
        let last = high.log10().ceil() as i32;
        let all = (first..=last).flat_map(|decade| steps.iter().map(move |step| step * 10f64.powi(decade)));
        let ticks = all.filter(|tick| *tick >= low * (1.0 - 1e-9) && *tick <= high * (1.0 + 1e-9)).collect();
        Self { low, high, scale: Scale::Log, ticks }
    }

    /// Where a value lies, from 0 at the low end to 1 at the high one; `None` for what cannot be shown. What lies outside lies on the edge.
    pub(super) fn place(&self, value: f64) -> Option<f64> {
        if !can_show(self.scale, value) {
            return None;
        }
        let share = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        Some(share.clamp(0.0, 1.0))
    }

    /// A tick as a text, with the places that its neighbours need.
    pub(super) fn words(&self, tick: f64) -> String {
        let finest = match self.scale {
            Scale::Linear => self.ticks.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min),
            Scale::Log => tick,
        };
        let decimals = if finest.is_finite() && finest > 0.0 { (-(finest.log10() + 1e-9).floor()).clamp(0.0, 9.0) } else { 0.0 };
        text::number(tick, decimals as usize)
    }
}

/// Whether a value has a place on an axis.
pub(super) fn can_show(scale: Scale, value: f64) -> bool {
    value.is_finite() && value.abs() < 1e15 && (scale == Scale::Linear || value > 1e-15)
}

/// The round number (1, 2 or 5 times a power of ten) that is not below `value`.
fn nice(value: f64) -> f64 {
    step_up(value.max(1e-12))
}

fn step_up(value: f64) -> f64 {
    let decade = 10f64.powi(value.log10().floor() as i32);
    let found = [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * decade >= value * (1.0 - 1e-9));
    found.unwrap_or(10.0) * decade
}

fn step_down(value: f64) -> f64 {
    let decade = 10f64.powi(value.log10().floor() as i32);
    let found = [5.0, 2.0, 1.0].into_iter().find(|step| step * decade <= value * (1.0 + 1e-9));
    found.unwrap_or(1.0) * decade
}
