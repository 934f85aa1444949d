//! Where a path leads: a tree over its segments. Finding takes one look-up a segment, however many paths there are.

use std::borrow::Cow;
use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;

/// Things by the pattern of their path, such as `/arrays/{array}/volumes/{volume}/expand`.
#[derive(Debug)]
pub(super) struct Tree<T> {
    /// What stands here.
    here: Option<T>,
    /// Below a segment that is written out. It comes before what stands below any segment.
    named: BTreeMap<String, Tree<T>>,
    /// Below any segment.
    any: Option<Box<Tree<T>>>,
}

impl<T> Default for Tree<T> {
    fn default() -> Tree<T> {
        Tree { here: None, named: BTreeMap::new(), any: None }
    }
}

impl<T> Tree<T> {
    /// What stands at a pattern, to be filled.
    pub(super) fn entry(&mut self, pattern: &str) -> &mut Option<T> {
        let mut place = self;
        for segment in segments(pattern) {
            place = if is_parameter(segment) { place.any.get_or_insert_default() } else { place.named.entry(segment.to_owned()).or_default() };
        }
        &mut place.here
    }
    /// What a path leads to, and the segments that stand for the pattern's parameters, decoded, in order.
    pub(super) fn find<'p>(&self, path: &'p str) -> Option<(&T, Vec<Cow<'p, str>>)> {
        let mut values = Vec::with_capacity(3);
        let found = self.descend(segments(path), &mut values)?;
        Some((found, values))
    }
    fn descend<'p>(&self, mut rest: impl Iterator<Item = &'p str> + Clone, values: &mut Vec<Cow<'p, str>>) -> Option<&T> {
        let Some(segment) = rest.next() else { return self.here.as_ref() };
        let decoded = percent_decode_str(segment).decode_utf8_lossy();
        if let Some(found) = self.named.get(&*decoded).and_then(|below| below.descend(rest.clone(), values)) {
            return Some(found);
        }
        let below = self.any.as_ref().filter(|_| !segment.is_empty())?;
        let before = values.len();
        values.push(decoded);
        let found = below.descend(rest, values);
        if found.is_none() {
            values.truncate(before);
        }
        found
    }
}

/// The names of the parameters of a pattern, in order.
pub(super) fn parameters(pattern: &str) -> impl Iterator<Item = &str> {
    segments(pattern).filter(|segment| is_parameter(segment)).map(|segment| &segment[1..segment.len() - 1])
}

fn segments(path: &str) -> impl Iterator<Item = &str> + Clone {
    path.strip_prefix('/').unwrap_or(path).split('/')
}

fn is_parameter(segment: &str) -> bool {
    segment.starts_with('{') && segment.ends_with('}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Tree<&'static str> {
        let mut tree = Tree::default();
        for pattern in ["/arrays", "/arrays/{array}", "/arrays/{array}/sessions/current", "/arrays/{array}/sessions/{session}", "/{any}/{thing}/sessions/x"] {
            *tree.entry(pattern) = Some(pattern);
        }
        tree
    }

    #[test]
    fn a_path_leads_to_the_pattern_that_says_most_and_brings_its_parameters_decoded() {
        for (path, expected) in [
            ("/arrays", Some(("/arrays", vec![]))),
            ("/arrays/lab", Some(("/arrays/{array}", vec!["lab"]))),
            ("/%61rrays/a%20b%2Fc", Some(("/arrays/{array}", vec!["a b/c"]))),
            ("/arrays/lab/sessions/current", Some(("/arrays/{array}/sessions/current", vec!["lab"]))),
            ("/arrays/lab/sessions/7", Some(("/arrays/{array}/sessions/{session}", vec!["lab", "7"]))),
            ("/other/lab/sessions/x", Some(("/{any}/{thing}/sessions/x", vec!["other", "lab"]))),
            ("/arrays/lab%FF", Some(("/arrays/{array}", vec!["lab\u{fffd}"]))),
            ("/arrays/", None),
            ("/arrays//sessions/7", None),
            ("/arrays/lab/", None),
            ("/arrays/lab/sessions", None),
            ("/arrays/lab/sessions/7/x", None),
            ("/", None),
            ("", None),
        ] {
            let tree = tree();
            let found = tree.find(path).map(|(pattern, values)| (*pattern, values));
            let expected = expected.map(|(pattern, values)| (pattern, values.into_iter().map(Cow::Borrowed).collect::<Vec<_>>()));
            assert_eq!(found, expected, "{path}");
        }
    }

    #[test]
    fn the_parameters_of_a_pattern_have_names() {
        assert_eq!(parameters("/arrays/{array}/volumes/{volume}/expand").collect::<Vec<_>>(), ["array", "volume"]);
        assert_eq!(parameters("/arrays").count(), 0);
    }
}
