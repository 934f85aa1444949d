//! Charts: from a plain value (axes, lines, published points) to an SVG picture, the same bytes every time.
//!
//! Owns: what a chart is ([`Chart`]), and how it is laid out and drawn. A chart carries its own colours for light and dark, names
//! the unit of every axis, and lets no two texts overlap.
//! Must not know: what its numbers mean. This room imports nothing of the house.
//! Read first: [`Chart`], then `frame.rs` (what goes where), then `svg.rs` (how it is written).

mod frame;
mod labels;
mod range;
mod style;
mod svg;
mod text;

pub use text::number;

#[cfg(test)]
mod tests;

/// A chart of lines and of points that somebody published.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// What it shows, above the picture.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The lines, in the order of the legend. A colour stands for eight of them, then the same colours come again, dotted.
    pub lines: Vec<Line>,
    /// Points that stand out, with words beside them.
    pub marks: Vec<Mark>,
    /// A sentence below the picture: where the points come from, say.
    pub note: Option<String>,
}

/// One axis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Axis {
    /// What is counted: `Throughput`.
    pub name: String,
    /// In what: `IOPS`. Empty for a bare number.
    pub unit: String,
    /// How values are spread over it.
    pub scale: Scale,
}

/// How values are spread over an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Evenly; from zero when nothing is below.
    #[default]
    Linear,
    /// Each factor of ten as long as the next. Values that are not above zero are left out.
    Log,
}

/// A line through points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// What the legend calls it.
    pub name: String,
    /// Its points in the order of drawing. What is not a finite number is left out.
    pub points: Vec<(f64, f64)>,
    /// How it is stroked.
    pub stroke: Stroke,
}

/// How a line is stroked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stroke {
    /// Without gaps.
    #[default]
    Solid,
    /// In dashes.
    Dashed,
}

/// A point that stands out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mark {
    /// The words beside it; empty for none. Words that find no room stand in the tooltip, where all stand.
    pub label: String,
    /// Where it is on the horizontal axis.
    pub x: f64,
    /// Where it is on the vertical axis.
    pub y: f64,
    /// The line whose colour it has, by its place in [`Chart::lines`].
    pub line: Option<usize>,
}

impl Axis {
    /// An axis that is spread evenly.
    #[must_use]
    pub fn linear(name: &str, unit: &str) -> Self {
        Self { name: name.to_owned(), unit: unit.to_owned(), scale: Scale::Linear }
    }

    /// An axis on which each factor of ten is as long as the next.
    #[must_use]
    pub fn log(name: &str, unit: &str) -> Self {
        Self { name: name.to_owned(), unit: unit.to_owned(), scale: Scale::Log }
    }
}

impl Chart {
    /// The picture: a whole SVG document, the same bytes for equal charts.
    ///
    /// Total: whatever the numbers and texts are, the document is well formed.
    #[must_use]
    pub fn svg(&self) -> String {
        svg::document(self)
    }
}
