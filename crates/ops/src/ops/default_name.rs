//! Names that the array makes from other names when none is given.

use crate::model::{NameRule, Object, Table};

/// `<first>-<second>`, cut to the rule's length, characters that the rule forbids replaced; where that is taken, `-2`, `-3` ...
/// takes the place of its end.
pub(super) fn joined<T: Object>(table: &Table<T>, rule: &NameRule, first: &str, second: &str) -> String {
    let wanted: String = format!("{first}-{second}").chars().map(|c| if rule.forbidden.contains(c) { '_' } else { c }).collect();
    let base = if rule.reserved.iter().any(|start| wanted.starts_with(start)) { format!("{}-{second}", T::NOUN.name()) } else { wanted };
    let endings = std::iter::once(String::new()).chain((2_u32..).map(|count| format!("-{count}")));
    endings.map(|ending| cut(&base, rule.max, &ending)).find(|name| table.named(name, None).is_none()).unwrap_or(base)
}

/// As much of `base` as leaves room for `ending`, and `ending`.
fn cut(base: &str, most: usize, ending: &str) -> String {
    let kept: String = base.chars().take(most.saturating_sub(ending.len())).collect();
    format!("{}{ending}", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::joined;
    use crate::model::{Host, Identity, Initiator, NameRule, Table};

    #[test]
    fn joined_names_are_cut_and_made_unique() {
        let rule = NameRule { max: 12, forbidden: ",".into(), reserved: vec!["$".into()] };
        let mut table: Table<Host> = Table::new();
        let expected = ["HG0-PG0", "HG0-PG0-2", "HG0-PG0-3"];
        for name in expected {
            let made = joined(&table, &rule, "HG0", "PG0");
            assert_eq!(made, name);
            let initiator = Initiator::Nqn(format!("nqn.{name}"));
            table.insert(Identity::new(1), made, |head| Host { head, initiator, alias: String::new(), tenant: None, host_response: None, chap: None });
        }
        assert_eq!(joined(&table, &rule, "production", "front"), "production-f");
        assert_eq!(joined(&table, &rule, "production ", "front"), "production -");
        assert_eq!(joined(&table, &rule, "elevenchars", "P"), "elevenchars-");
        assert_eq!(joined(&table, &rule, "eleven char ", "P"), "eleven char");
        assert_eq!(joined(&table, &rule, "a,b", "c"), "a_b-c");
        assert_eq!(joined(&table, &rule, "$V", "c"), "host-c");
    }
}
