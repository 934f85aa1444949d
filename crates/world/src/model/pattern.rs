//! Patterns by which a model names its parts.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Identity;

/// A name with blanks: `{controller}`, `{owner}`, `{number}`, `{bay}`, `{index}`, `{place}`, `{digits}`, `{hex}`, each with an optional width after a colon
/// (`{number:2}` is two digits, `{hex:5}` five).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern {
    text: String,
    pieces: Vec<Piece>,
}

/// A pattern that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError(String);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Blank(Blank, usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blank {
    Controller,
    Owner,
    Number,
    Bay,
    Index,
    Place,
    Digits,
    Hex,
}

/// What fills the blanks.
#[derive(Clone, Copy, Debug)]
pub struct PatternFilling<'a> {
    /// The source of `digits` and `hex`.
    pub identity: Identity,
    /// What those digits belong to; equal words give equal digits.
    pub what: &'a str,
    /// The controller's name.
    pub controller: &'a str,
    /// The name of what it belongs to.
    pub owner: &'a str,
    /// The enclosure's number.
    pub number: u32,
    /// The bay's number.
    pub bay: u32,
    /// Its place among others of its kind, from 0.
    pub index: u32,
    /// Two hexadecimal digits that tell the array's ports apart.
    pub place: u32,
}

/// The most digits that come from one draw.
const WIDEST: usize = 15;

impl Pattern {
    /// The name with its blanks filled.
    pub fn fill(&self, filling: &PatternFilling<'_>) -> String {
        self.pieces.iter().map(|piece| piece.fill(filling)).collect()
    }
}

impl Piece {
    fn fill(&self, filling: &PatternFilling<'_>) -> String {
        let Piece::Blank(blank, width) = self else {
            let Piece::Text(text) = self else { return String::new() };
            return text.clone();
        };
        let (width, bits) = (*width, filling.identity.bits(filling.what));
        match blank {
            Blank::Controller => filling.controller.to_owned(),
            Blank::Owner => filling.owner.to_owned(),
            Blank::Number => format!("{:0width$}", filling.number),
            Blank::Bay => format!("{:0width$}", filling.bay),
            Blank::Index => format!("{:0width$}", filling.index),
            Blank::Place => format!("{:02x}", filling.place),
            Blank::Digits => format!("{:0width$}", bits % 10u64.pow(u32::try_from(width).unwrap_or(0))),
            Blank::Hex => format!("{:0width$x}", bits % 16u64.pow(u32::try_from(width).unwrap_or(0))),
        }
    }
}

impl TryFrom<String> for Pattern {
    type Error = PatternError;

    fn try_from(text: String) -> Result<Pattern, PatternError> {
        let mut pieces = Vec::new();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let (blank, behind) = after.split_once('}').ok_or_else(|| PatternError(text.clone()))?;
            pieces.push(Piece::Text(before.to_owned()));
            pieces.push(read_blank(blank).ok_or_else(|| PatternError(text.clone()))?);
            rest = behind;
        }
        pieces.push(Piece::Text(rest.to_owned()));
        Ok(Pattern { text, pieces })
    }
}

fn read_blank(text: &str) -> Option<Piece> {
    let (word, width) = text.split_once(':').map_or((text, Some(1)), |(word, width)| (word, width.parse().ok()));
    let blank = match word {
        "controller" => Blank::Controller,
        "owner" => Blank::Owner,
        "number" => Blank::Number,
        "bay" => Blank::Bay,
        "index" => Blank::Index,
        "place" => Blank::Place,
        "digits" => Blank::Digits,
        "hex" => Blank::Hex,
        _ => return None,
    };
    width.filter(|width| (1..=WIDEST).contains(width)).map(|width| Piece::Blank(blank, width))
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> String {
        pattern.text
    }
}
impl fmt::Display for Pattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}
impl fmt::Display for PatternError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "'{}' is no pattern of a name: blanks are {{controller}}, {{owner}}, {{number}}, {{bay}}, {{index}}, {{place}}, {{digits:n}} and {{hex:n}}",
            self.0
        )
    }
}
impl std::error::Error for PatternError {}

#[cfg(test)]
mod tests {
    use super::{Pattern, PatternFilling};
    use crate::model::Identity;

    #[test]
    fn blanks_are_filled_to_their_width() {
        let filling = PatternFilling { controller: "CM0", owner: "CE", number: 1, bay: 12, index: 3, place: 0x21, ..PatternFilling::of(Identity::new(7), "x") };
        let filled = |text: &str| Pattern::try_from(text.to_owned()).map(|pattern| pattern.fill(&filling)).map_err(|error| error.to_string());
        assert_eq!(filled("DE{number:2}-Disk#{bay}").as_deref(), Ok("DE01-Disk#12"));
        assert_eq!(filled("{controller}-CA0-P0").as_deref(), Ok("CM0-CA0-P0"));
        assert_eq!(filled("{place}").as_deref(), Ok("21"));
        assert_eq!(filled("{owner}-PSU#{index}").as_deref(), Ok("CE-PSU#3"));
        let (digits, hex) = (filled("46{digits:8}"), filled("{hex:15}"));
        assert!(digits.is_ok_and(|text| text.len() == 10 && text.chars().all(|c| c.is_ascii_digit())));
        assert!(hex.is_ok_and(|text| text.len() == 15 && text.chars().all(|c| c.is_ascii_hexdigit())));
    }

    #[test]
    fn unknown_blanks_are_refused() {
        for text in ["{what}", "{number", "{hex:16}", "{hex:0}", "{bay:x}"] {
            assert!(Pattern::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
