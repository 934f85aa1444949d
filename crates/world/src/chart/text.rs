//! Texts: how wide they are, how they are broken into rows, how they and numbers are written.

/// The size of ordinary text, in pixels.
pub(super) const SIZE: f64 = 13.0;
/// The size of the title.
pub(super) const TITLE: f64 = 17.0;
/// The size of labels beside points, and of the note.
pub(super) const SMALL: f64 = 12.0;

/// How wide a text is at most, in pixels: fonts differ, so this is generous.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let of = |character: char| match character {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.36,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.98,
        character if !character.is_ascii() => 1.05,
        character if character.is_ascii_uppercase() => 0.74,
        _ => 0.62,
    };
    text.chars().map(of).sum::<f64>() * size
}

/// The text in rows that are no wider than `room`; a word that is wider alone is cut.
pub(super) fn rows(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = cut(word, size, room);
        match rows.last_mut() {
            Some(row) if width(row, size) + width(" ", size) + width(&word, size) <= room => {
                row.push(' ');
                row.push_str(&word);
            }
            _ => rows.push(word),
        }
    }
    rows
}

/// The text, or its beginning and an ellipsis if it is wider than `room`.
pub(super) fn cut(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    for character in text.chars() {
        kept.push(character);
        if width(&kept, size) + width("…", size) > room {
            kept.pop();
            break;
        }
    }
    kept.push('…');
    kept
}

/// The text as it may stand in a document: what XML would read as its own is escaped, what it does not allow is replaced.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            character if character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            character => out.push(character),
        }
    }
    out
}

/// A coordinate, to a tenth of a pixel.
pub(super) fn pixel(value: f64) -> String {
    let text = format!("{value:.1}");
    let short = text.strip_suffix(".0").unwrap_or(&text);
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

/// A number for people: thousands apart, at most `decimals` places and none that say nothing.
#[must_use]
pub fn number(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let part = part.trim_end_matches('0');
    let sign = if value < 0.0 && (part.chars().chain(whole.chars()).any(|digit| digit != '0')) { "-" } else { "" };
    if part.is_empty() { format!("{sign}{grouped}") } else { format!("{sign}{grouped}.{part}") }
}
