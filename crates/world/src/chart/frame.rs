//! What goes where: the plot, the texts around it, the legend and the note.

use super::labels::Rect;
use super::range::{Range, can_show};
use super::{Axis, Chart, Scale, text};

/// How wide every picture is, in pixels.
pub(super) const WIDTH: f64 = 800.0;
const EDGE: f64 = 20.0;
const ROW: f64 = 20.0;
const PLOT_HEIGHT: f64 = 340.0;
/// The room that the stroke of a line takes in the legend.
pub(super) const SAMPLE: f64 = 30.0;

/// A row of text and where its baseline begins.
pub(super) struct Row {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) text: String,
}

/// One entry of the legend.
pub(super) struct Entry {
    /// The line it stands for, or none: the points that were published.
    pub(super) line: Option<usize>,
    pub(super) row: Row,
}

/// The laid out chart.
pub(super) struct Frame {
    pub(super) height: f64,
    pub(super) title: Vec<Row>,
    pub(super) plot: Rect,
    pub(super) x: Range,
    pub(super) y: Range,
    pub(super) x_name: Row,
    pub(super) y_name: Row,
    pub(super) legend: Vec<Entry>,
    pub(super) note: Vec<Row>,
}

impl Frame {
    /// Lays a chart out.
    pub(super) fn of(chart: &Chart) -> Self {
        let x = Range::of(values(chart).map(|point| point.0), chart.x.scale, 7.0);
        let y = Range::of(values(chart).map(|point| point.1), chart.y.scale, 6.0);
        let mut at = EDGE + 12.0;
        let title = stack(&chart.title, text::TITLE, 24.0, &mut at);
        let y_name = Row { x: EDGE, y: at + 4.0, text: text::cut(&axis_words(&chart.y), text::SIZE, WIDTH - 2.0 * EDGE) };
        at += 18.0;
        let widest = y.ticks.iter().map(|tick| text::width(&y.words(*tick), text::SIZE)).fold(20.0, f64::max);
        let left = EDGE + widest + 8.0;
        let plot = Rect { x: left, y: at, width: WIDTH - left - EDGE - 16.0, height: PLOT_HEIGHT };
        at += PLOT_HEIGHT + 42.0;
        let words = text::cut(&axis_words(&chart.x), text::SIZE, plot.width);
        let x_name = Row { x: plot.x + plot.width, y: at, text: words };
        at += 26.0;
        let legend = legend(chart, &mut at);
        let note = stack(chart.note.as_deref().unwrap_or_default(), text::SMALL, 17.0, &mut at);
        Self { height: at + EDGE - 8.0, title, plot, x, y, x_name, y_name, legend, note }
    }

    /// Where a point lies in the picture; `None` for what the axes cannot show.
    pub(super) fn spot(&self, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        let (across, up) = (self.x.place(x)?, self.y.place(y)?);
        Some((self.plot.x + across * self.plot.width, self.plot.y + (1.0 - up) * self.plot.height))
    }
}

/// All points that both axes can show.
fn values(chart: &Chart) -> impl Iterator<Item = (f64, f64)> {
    let lines = chart.lines.iter().flat_map(|line| line.points.iter().copied());
    let marks = chart.marks.iter().map(|mark| (mark.x, mark.y));
    lines.chain(marks).filter(|point| can_show(chart.x.scale, point.0) && can_show(chart.y.scale, point.1))
}

/// `Latency, ms (logarithmic)`
fn axis_words(axis: &Axis) -> String {
    let unit = if axis.unit.is_empty() { String::new() } else { format!(", {}", axis.unit) };
    let scale = if axis.scale == Scale::Log { " (logarithmic)" } else { "" };
    format!("{}{unit}{scale}", axis.name)
}

/// Rows of a text below each other; `at` moves below them.
fn stack(words: &str, size: f64, step: f64, at: &mut f64) -> Vec<Row> {
    let rows = text::rows(words, size, WIDTH - 2.0 * EDGE).into_iter().map(|text| {
        let row = Row { x: EDGE, y: *at, text };
        *at += step;
        row
    });
    rows.collect()
}

/// The entries in columns, as many as fit beside each other.
fn legend(chart: &Chart, at: &mut f64) -> Vec<Entry> {
    let mut entries: Vec<(Option<usize>, String)> = chart.lines.iter().enumerate().map(|(number, line)| (Some(number), line.name.clone())).collect();
    if !chart.marks.is_empty() {
        entries.push((None, "published".to_owned()));
    }
    let room = WIDTH - 2.0 * EDGE;
    let widest = entries.iter().map(|(_, name)| text::width(name, text::SIZE)).fold(40.0, f64::max);
    let column = (SAMPLE + 8.0 + widest + 20.0).min(room);
    let columns = ((room / column).floor() as usize).clamp(1, 6);
    let top = *at;
    *at += entries.len().div_ceil(columns) as f64 * ROW + 4.0;
    let place = |(number, (line, name)): (usize, (Option<usize>, String))| {
        let x = EDGE + SAMPLE + 8.0 + (number % columns) as f64 * column;
        let y = top + (number / columns) as f64 * ROW;
        Entry { line, row: Row { x, y, text: text::cut(&name, text::SIZE, column - SAMPLE - 28.0) } }
    };
    entries.into_iter().enumerate().map(place).collect()
}
