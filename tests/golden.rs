//! Golden files: text that tests print, kept in the repository and compared. `UPDATE_GOLDEN=1` writes it anew.

use std::path::PathBuf;
use std::{env, fs};

use similar::TextDiff;

/// The text must be what the file below `tests/` holds.
pub(crate) fn check(file: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
    if env::var_os("UPDATE_GOLDEN").is_some_and(|asked| asked == "1") {
        fs::write(&path, text).unwrap_or_else(|error| panic!("{} cannot be written: {error}", path.display()));
        return;
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    if kept != text {
        let difference = TextDiff::from_lines(kept.as_str(), text).unified_diff().context_radius(2).header("kept", "printed").to_string();
        panic!("tests/{file} is no longer what is printed; if that is right, run the tests with UPDATE_GOLDEN=1\n{difference}");
    }
}
