//! Names of volumes that are created together.

use std::collections::BTreeSet;

use crate::model::{NameRule, OpError, Table, Volume};
use crate::ops::rules;

/// The names of `count` new volumes: the base itself for one, else the base with a number. An overlong base is cut with `~` before
/// the number; a number whose name is taken, or was just given to another of them, is passed over.
pub(super) fn bulk_names(
    table: &Table<Volume>,
    scope: Option<u32>,
    base: &str,
    numbering: Option<(u32, usize)>,
    count: u32,
    rule: &NameRule,
) -> Result<Vec<String>, OpError> {
    rules::name_in(rule, base, scope)?;
    let Some((start, digits)) = numbering else {
        rules::name_is_free(table, base, scope, None)?;
        return Ok(vec![base.to_owned()]);
    };
    let mut given = BTreeSet::new();
    let free = |name: &String| table.named(name, scope).is_none() && given.insert(name.clone());
    Ok((start..u32::MAX).map(|number| numbered(base, number, digits, rule.max)).filter(free).take(usize::try_from(count).unwrap_or(0)).collect())
}

fn numbered(base: &str, number: u32, digits: usize, max: usize) -> String {
    let suffix = format!("{number:0digits$}");
    if base.len() + suffix.len() <= max {
        return format!("{base}{suffix}");
    }
    let keep = max.saturating_sub(suffix.len() + 1);
    format!("{}~{suffix}", base.chars().take(keep).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::{bulk_names, numbered};
    use crate::model::{NameRule, Table};

    #[test]
    fn numbers_are_padded_and_overlong_bases_cut() {
        assert_eq!(numbered("Volume#", 10, 3, 32), "Volume#010");
        assert_eq!(numbered("Volume#", 7, 1, 32), "Volume#7");
        assert_eq!(numbered("sixteen-letters!", 12, 2, 16), "sixteen-lette~12");
    }

    #[test]
    fn no_name_is_given_twice() {
        let rule = NameRule { max: 16, forbidden: String::new(), reserved: Vec::new() };
        let names = bulk_names(&Table::new(), None, "thirteen-lett~1", Some((0, 1)), 12, &rule);
        let mut names = names.expect("the base is a name");
        assert_eq!((names.len(), names[0].as_str(), names[11].as_str()), (12, "thirteen-lett~10", "thirteen-lett~21"));
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 12);
    }
}
