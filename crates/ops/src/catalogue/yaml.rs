//! How YAML is read: as a tree first, and what it says from there. One reader of YAML serves all types then, which keeps the program small
//! where it runs.

use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads what somebody wrote. What does not fit is read once more, straight from the text: that forgives a number where a name is wanted, and
/// names the line of what is wrong.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, serde_saphyr::Error> {
    let tree: Value = serde_saphyr::from_str(text)?;
    serde_json::from_value(tree).or_else(|_| serde_saphyr::from_str(text))
}

/// Reads one of our own files; a test proves that every one can be read.
pub(super) fn read_own<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let tree: Value = serde_saphyr::from_str(text).map_err(|error| error.to_string())?;
    serde_json::from_value(tree).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_look_like_numbers_and_mistakes_have_a_line() {
        let names = "first: 007\nsecond: 1e3\nthird: true";
        let texts: std::collections::BTreeMap<String, String> = read(names).expect("texts");
        assert_eq!(texts.into_values().collect::<Vec<_>>(), ["007", "1e3", "true"]);
        let wrong = read::<std::collections::BTreeMap<String, u32>>("one: 1\ntwo: 2\nthree: many").expect_err("that is no number");
        assert!(wrong.to_string().contains("line 3"), "{wrong}");
        assert!(read::<Value>("one: 1\none: 2").is_err(), "nothing is said twice");
    }
}
