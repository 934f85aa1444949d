//! Colours for light and dark, in the document itself.
//!
//! Selectors begin with the chart's own class, so that a page into which the picture is put keeps its own look.

/// Colours of lines on light and on dark paper, told apart also by people who see few colours (after Okabe and Ito).
const COLOURS: [(&str, &str); 8] = [
    ("#0060b0", "#58a6ff"),
    ("#c2410c", "#ff9d5c"),
    ("#00795c", "#3fcf9f"),
    ("#a0337f", "#ec92cd"),
    ("#8a6d00", "#e3c34a"),
    ("#4b3fb5", "#b3a6ff"),
    ("#177e9a", "#6fd3ee"),
    ("#5a5f66", "#b9c0c8"),
];

/// How many lines have a colour of their own.
pub(super) const COLOURED: usize = COLOURS.len();

/// The style sheet. What understands no question for the colour scheme shows the light one.
pub(super) fn sheet() -> String {
    let mut sheet = String::from(concat!(
        ".ap-chart{color:#1f2328;background:#fff}",
        ".ap-chart text{fill:currentColor;font-family:system-ui,-apple-system,\"Segoe UI\",\"DejaVu Sans\",Arial,sans-serif}",
        ".ap-chart .paper{fill:#fff}",
        ".ap-chart .title{font-size:17px;font-weight:600}",
        ".ap-chart .words{font-size:13px}",
        ".ap-chart .small{font-size:12px}",
        ".ap-chart .halo{stroke:#fff;stroke-width:4px;stroke-linejoin:round;paint-order:stroke}",
        ".ap-chart .grid{stroke:currentColor;stroke-opacity:.14}",
        ".ap-chart .edge{stroke:currentColor;stroke-opacity:.6}",
        ".ap-chart .line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}",
        ".ap-chart .mark{stroke:#fff;stroke-width:1.5}",
        ".ap-chart .plain{fill:currentColor}",
    ));
    for (number, (light, _)) in COLOURS.iter().enumerate() {
        sheet.push_str(&rule(number, light));
    }
    sheet.push_str("@media (prefers-color-scheme:dark){.ap-chart{color:#e6edf3;background:#0d1117}.ap-chart .paper{fill:#0d1117}.ap-chart .halo,.ap-chart .mark{stroke:#0d1117}");
    for (number, (_, dark)) in COLOURS.iter().enumerate() {
        sheet.push_str(&rule(number, dark));
    }
    sheet.push('}');
    sheet
}

fn rule(number: usize, colour: &str) -> String {
    format!(".ap-chart .line.c{number}{{stroke:{colour}}}.ap-chart .mark.c{number}{{fill:{colour}}}")
}
