//! What every chart must be: well formed, the same bytes, legible, and true to its numbers.

use super::labels::{self, Rect};
use super::range::Range;
use super::{Axis, Chart, Line, Mark, Scale, Stroke, text};

fn penalty() -> Chart {
    let curve = |capacity: f64| (1..=60).map(|at| f64::from(at) * capacity / 61.0).map(|x| (x, 1.0 + x / (capacity - x))).collect();
    Chart {
        title: "What data reduction costs".to_owned(),
        x: Axis::linear("Throughput", "transactions/s"),
        y: Axis::log("Latency", "ms"),
        lines: vec![
            Line { name: "data_reduction=off".to_owned(), points: curve(20_000.0), stroke: Stroke::Solid },
            Line { name: "data_reduction=on".to_owned(), points: curve(9_900.0), stroke: Stroke::Dashed },
        ],
        marks: vec![
            Mark { label: "12,622 at 9.8 ms".to_owned(), x: 12_622.0, y: 9.8, line: Some(0) },
            Mark { label: "9,837 at 1,374 ms".to_owned(), x: 9_837.0, y: 1_374.0, line: Some(1) },
        ],
        note: Some("Published: a review.".to_owned()),
    }
}

/// Reads the elements of a document far enough to see that it is well formed: names open and close in order, texts have no bare `<` or `&`.
fn well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some(at) = rest.find('<') {
        let text = &rest[..at];
        for (place, _) in text.match_indices('&') {
            assert!(["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"].iter().any(|entity| text[place..].starts_with(entity)), "a bare & in {text:?}");
        }
        let end = rest.find('>').expect("every tag ends");
        let tag = &rest[at + 1..end];
        assert!(!tag.contains('<') && tag.matches('"').count().is_multiple_of(2), "{tag:?}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap_or_default());
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "left open: {open:?}");
}

#[test]
fn a_chart_names_its_units_its_lines_and_its_published_points() {
    let svg = penalty().svg();
    well_formed(&svg);
    for words in ["What data reduction costs", "Throughput, transactions/s", "Latency, ms (logarithmic)", "data_reduction=on", "published", "9,837 at 1,374 ms"]
    {
        assert!(svg.contains(&format!(">{words}</text>")), "{words} is missing");
    }
    assert_eq!(svg, penalty().svg());
}

#[test]
fn a_chart_has_colours_for_light_and_dark() {
    let svg = penalty().svg();
    assert!(svg.contains("@media (prefers-color-scheme:dark)") && svg.contains("fill:currentColor"));
    assert!(!svg.contains("fill=\"#") && !svg.contains("stroke=\"#"), "colours stand in the style sheet only");
}

#[test]
fn hostile_texts_and_numbers_leave_it_well_formed() {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -5.0, 1e300, 1e-300, 3.0];
    let words = "</text><script>alert('&\"')</script>\u{0}\u{1b}".to_owned();
    for scale in [Scale::Linear, Scale::Log] {
        let axis = Axis { name: words.clone(), unit: words.clone(), scale };
        let points: Vec<(f64, f64)> = odd.iter().flat_map(|x| odd.iter().map(move |y| (*x, *y))).collect();
        let marks = points.iter().map(|(x, y)| Mark { label: words.clone(), x: *x, y: *y, line: Some(99) }).collect();
        let lines = vec![Line { name: words.clone(), points, stroke: Stroke::Solid }; 20];
        let svg = Chart { title: words.repeat(20), x: axis.clone(), y: axis, lines, marks, note: Some(words.clone()) }.svg();
        well_formed(&svg);
        assert!(!svg.contains("<script") && !svg.contains("NaN") && !svg.contains("inf") && !svg.contains('\u{0}'));
    }
    well_formed(&Chart::default().svg());
}

#[test]
fn labels_never_overlap_each_other_or_a_point() {
    let plot = Rect { x: 0.0, y: 0.0, width: 300.0, height: 200.0 };
    let points: Vec<(f64, f64)> = (0..40).map(|at| (f64::from(at % 8) * 37.0, f64::from(at / 8) * 45.0)).collect();
    let wanted: Vec<_> = points.iter().map(|point| (*point, 60.0, 16.0)).collect();
    let places: Vec<Rect> = labels::place(&plot, &points, &wanted, &[]).into_iter().flatten().collect();
    assert!(places.len() > 5, "some find room");
    for (number, one) in places.iter().enumerate() {
        assert!(plot.holds(one));
        assert!(!points.iter().any(|(x, y)| one.meets(&Rect { x: x - 5.0, y: y - 5.0, width: 10.0, height: 10.0 })));
        assert!(!places[number + 1..].iter().any(|other| other.meets(one)));
    }
}

#[test]
fn ranges_hold_all_values_and_have_round_ticks() {
    let linear = Range::of([0.0, 12_622.0].into_iter(), Scale::Linear, 6.0);
    assert_eq!(linear.ticks, [0.0, 5_000.0, 10_000.0, 15_000.0]);
    assert_eq!(linear.words(10_000.0), "10,000");
    let log = Range::of([0.28, 1_374.0].into_iter(), Scale::Log, 6.0);
    assert_eq!((log.ticks.first(), log.ticks.last()), (Some(&1.0), Some(&1_000.0)));
    assert!(log.place(0.28).is_some_and(|at| at > 0.0 && at < 0.1) && log.place(0.0).is_none());
    let fine = Range::of([0.2, 0.9].into_iter(), Scale::Log, 6.0);
    assert_eq!(fine.ticks.iter().map(|tick| fine.words(*tick)).collect::<Vec<_>>(), ["0.2", "0.5", "1"]);
}

#[test]
fn numbers_are_written_for_people() {
    let written: Vec<String> = [(1_234_567.0, 0), (0.25, 2), (10.0, 1), (-0.0, 1), (-1_500.5, 1)].map(|(value, places)| text::number(value, places)).into();
    assert_eq!(written, ["1,234,567", "0.25", "10", "0", "-1,500.5"]);
}

#[test]
fn long_texts_are_broken_and_cut() {
    assert!(text::rows(&"word ".repeat(60), 12.0, 400.0).len() > 3);
    assert!(text::width(&text::cut(&"w".repeat(500), 12.0, 100.0), 12.0) <= 100.0);
}
