//! The document: one element after another, in a fixed order and with fixed rounding.

use std::fmt::Write as _;

use super::frame::{Frame, Row, SAMPLE, WIDTH};
use super::labels::{self, Rect};
use super::text::{escaped, pixel};
use super::{Chart, Stroke, style, text};

/// The whole document.
pub(super) fn document(chart: &Chart) -> String {
    let frame = Frame::of(chart);
    let mut out = String::new();
    let (width, height) = (pixel(WIDTH), pixel(frame.height));
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ap-chart\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">"
    );
    let _ = write!(out, "\n<title>{}</title>\n<style>{}</style>\n", escaped(&chart.title), style::sheet());
    let _ = writeln!(out, "<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>");
    for row in &frame.title {
        words(&mut out, row, "title", "start");
    }
    axes(&mut out, &frame);
    let lines: Vec<Vec<(f64, f64)>> = chart.lines.iter().map(|line| line.points.iter().filter_map(|point| frame.spot(*point)).collect()).collect();
    for (number, spots) in lines.iter().enumerate() {
        let path: Vec<String> = spots.iter().map(|(x, y)| format!("{},{}", pixel(*x), pixel(*y))).collect();
        let _ = writeln!(out, "<polyline class=\"{}\"{} points=\"{}\"/>", colour("line", number), dashes(chart, number), path.join(" "));
    }
    marks(&mut out, chart, &frame, &lines);
    for entry in &frame.legend {
        sample(&mut out, chart, entry.line, entry.row.x - SAMPLE - 8.0, entry.row.y - 4.5);
        words(&mut out, &entry.row, "words", "start");
    }
    for row in &frame.note {
        words(&mut out, row, "small", "start");
    }
    out.push_str("</svg>\n");
    out
}

/// The grid, the ticks and what the axes are called.
fn axes(out: &mut String, frame: &Frame) {
    let plot = &frame.plot;
    let (left, right, top, bottom) = (plot.x, plot.x + plot.width, plot.y, plot.y + plot.height);
    for tick in &frame.y.ticks {
        let y = bottom - frame.y.place(*tick).unwrap_or(0.0) * plot.height;
        stroke(out, "grid", (left, y), (right, y));
        words(out, &Row { x: left - 8.0, y: y + 4.5, text: frame.y.words(*tick) }, "words", "end");
    }
    let mut free_from = f64::NEG_INFINITY;
    for tick in &frame.x.ticks {
        let x = left + frame.x.place(*tick).unwrap_or(0.0) * plot.width;
        stroke(out, "grid", (x, top), (x, bottom));
        let text = frame.x.words(*tick);
        let half = text::width(&text, text::SIZE) / 2.0;
        if x - half >= free_from {
            free_from = x + half + 6.0;
            words(out, &Row { x, y: bottom + 20.0, text }, "words", "middle");
        }
    }
    stroke(out, "edge", (left, top), (left, bottom));
    stroke(out, "edge", (left, bottom), (right, bottom));
    words(out, &frame.y_name, "words", "start");
    words(out, &frame.x_name, "words", "end");
}

/// The points that stand out, and the words beside them where there is room.
fn marks(out: &mut String, chart: &Chart, frame: &Frame, lines: &[Vec<(f64, f64)>]) {
    let shown: Vec<_> = chart.marks.iter().filter_map(|mark| Some((mark, frame.spot((mark.x, mark.y))?))).collect();
    let points: Vec<(f64, f64)> = shown.iter().map(|(_, spot)| *spot).collect();
    let sized = |label: &str| if label.is_empty() { (0.0, 0.0) } else { (text::width(label, text::SMALL), text::SMALL + 4.0) };
    let wanted: Vec<_> = shown.iter().map(|(mark, spot)| (*spot, sized(&mark.label).0, sized(&mark.label).1)).collect();
    let places = labels::place(&frame.plot, &points, &wanted, lines);
    for (mark, (x, y)) in &shown {
        let (name, whole) = (mark.line.map_or("mark plain".to_owned(), |line| colour("mark", line)), escaped(&mark.label));
        let _ = writeln!(out, "<circle class=\"{name}\" cx=\"{}\" cy=\"{}\" r=\"5\"><title>{whole}</title></circle>", pixel(*x), pixel(*y));
    }
    for ((mark, _), place) in shown.iter().zip(&places).filter(|((mark, _), _)| !mark.label.is_empty()) {
        if let Some(Rect { x, y, .. }) = place {
            words(out, &Row { x: *x, y: y + text::SMALL, text: mark.label.clone() }, "small halo", "start");
        }
    }
}

/// What a line, or a published point, looks like in the legend.
fn sample(out: &mut String, chart: &Chart, line: Option<usize>, x: f64, y: f64) {
    match line {
        Some(number) => {
            let (x1, x2, y) = (pixel(x), pixel(x + SAMPLE), pixel(y));
            let _ = writeln!(out, "<line class=\"{}\"{} x1=\"{x1}\" y1=\"{y}\" x2=\"{x2}\" y2=\"{y}\"/>", colour("line", number), dashes(chart, number));
        }
        None => {
            let _ = writeln!(out, "<circle class=\"mark plain\" cx=\"{}\" cy=\"{}\" r=\"5\"/>", pixel(x + SAMPLE / 2.0), pixel(y));
        }
    }
}

fn colour(kind: &str, number: usize) -> String {
    format!("{kind} c{}", number % style::COLOURED)
}

/// The gaps of a line: its own, and dots for those whose colour is another's already.
fn dashes(chart: &Chart, number: usize) -> &'static str {
    let dashed = chart.lines.get(number).is_some_and(|line| line.stroke == Stroke::Dashed);
    match (dashed, (number / style::COLOURED).is_multiple_of(2)) {
        (false, true) => "",
        (true, true) => " stroke-dasharray=\"7 5\"",
        (false, false) => " stroke-dasharray=\"1 5\"",
        (true, false) => " stroke-dasharray=\"9 4 1 4\"",
    }
}

fn stroke(out: &mut String, class: &str, from: (f64, f64), to: (f64, f64)) {
    let _ = writeln!(out, "<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>", pixel(from.0), pixel(from.1), pixel(to.0), pixel(to.1));
}

fn words(out: &mut String, row: &Row, class: &str, anchor: &str) {
    let _ = writeln!(out, "<text class=\"{class}\" x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\">{}</text>", pixel(row.x), pixel(row.y), escaped(&row.text));
}
