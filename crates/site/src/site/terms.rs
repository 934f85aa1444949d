//! The terms of a request: who asks, under which key, and only if the object is still as the client has seen it.

use std::fmt;

use super::{ChangeError, RequestKey};
use crate::model::{Head, Noun};
use crate::ops::{Actor, Listed, World};

/// What a request says besides its operation.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Who asks.
    pub actor: Actor,
    /// Under which key.
    pub key: Option<RequestKey>,
    /// Only if this holds.
    pub condition: Option<Condition>,
}

impl Terms {
    /// Without key and condition.
    pub const fn of(actor: Actor) -> Terms {
        Terms { actor, key: None, condition: None }
    }
}

/// What stands for an object as it is: the array's epoch and the object's revision. It never stands for two states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    epoch: u32,
    revision: u64,
}

impl Tag {
    /// Of an object.
    pub fn of<T: Listed>(world: &World, item: &T) -> Tag {
        Tag { epoch: world.revisions.epoch, revision: item.revision() }
    }
    /// Of an object of any noun, by its identity.
    pub const fn of_head(world: &World, head: &Head) -> Tag {
        Tag { epoch: world.revisions.epoch, revision: head.revision() }
    }
    /// Of something of which an array has only one.
    pub fn of_singleton(world: &World, noun: Noun) -> Tag {
        Tag { epoch: world.revisions.epoch, revision: world.revisions.of(noun) }
    }
    /// Of a whole array: every operation moves it.
    pub fn of_array(world: &World) -> Tag {
        Tag { epoch: world.revisions.epoch, revision: world.revisions.changes() }
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "\"{}-{}\"", self.epoch, self.revision)
    }
}

/// Tags that a client names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tags {
    /// `*`: whatever is there.
    Any,
    /// One of these; weak ones have lost their `W/`.
    Of(Vec<NamedTag>),
}

/// A tag as a client writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedTag {
    weak: bool,
    text: String,
}

impl Tags {
    /// Reads the value of `If-Match` or `If-None-Match`; nothing when it has not their form.
    pub fn read(text: &str) -> Option<Tags> {
        let mut rest = text.trim();
        if rest == "*" {
            return Some(Tags::Any);
        }
        let mut tags = Vec::new();
        loop {
            let (weak, quoted) = rest.strip_prefix("W/").map_or((false, rest), |quoted| (true, quoted));
            let inside = quoted.strip_prefix('"')?;
            let end = inside.find('"')?;
            if inside[..end].bytes().any(|byte| byte <= b' ' || byte == 0x7f) {
                return None;
            }
            tags.push(NamedTag { weak, text: quoted[..end + 2].to_owned() });
            rest = inside[end + 1..].trim_start();
            if rest.is_empty() {
                return Some(Tags::Of(tags));
            }
            rest = rest.strip_prefix(',')?.trim_start();
        }
    }
    /// Whether the tag is among them, none of those that count being weak.
    pub fn hold(&self, tag: Tag) -> bool {
        match self {
            Tags::Any => true,
            Tags::Of(tags) => tags.iter().any(|named| !named.weak && named.text == tag.to_string()),
        }
    }
    /// Whether the tag is among them, weak or not.
    pub fn hold_weakly(&self, tag: Tag) -> bool {
        match self {
            Tags::Any => true,
            Tags::Of(tags) => tags.iter().any(|named| named.text == tag.to_string()),
        }
    }
}

impl fmt::Display for Tags {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tags::Of(tags) = self else { return out.write_str("*") };
        let written: Vec<String> = tags.iter().map(|named| format!("{}{}", if named.weak { "W/" } else { "" }, named.text)).collect();
        out.write_str(&written.join(", "))
    }
}

/// Finds the tag of what a reference names; nothing when it names nothing.
pub type TagOf = fn(&World, &str) -> Option<Tag>;

/// A change is only done while what it changes has one of these tags.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The tags.
    pub tags: Tags,
    /// Finds the tag that is there now.
    pub tag_of: TagOf,
    /// What is changed.
    pub reference: String,
}

impl Condition {
    /// What is not there is left to the operation to refuse.
    pub(super) fn holds(&self, world: &World) -> Result<(), ChangeError> {
        match (self.tag_of)(world, &self.reference) {
            Some(tag) if !self.tags.hold(tag) => Err(ChangeError::TagDiffers { is: tag.to_string(), asked: self.tags.to_string() }),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str, tag: Tag) -> Option<(bool, bool)> {
        Tags::read(text).map(|tags| (tags.hold(tag), tags.hold_weakly(tag)))
    }

    #[test]
    fn tags_are_read_as_clients_write_them() {
        let tag = Tag { epoch: 1, revision: 17 };
        assert_eq!(tag.to_string(), "\"1-17\"");
        assert_eq!(holds("*", tag), Some((true, true)));
        assert_eq!(holds("\"1-17\"", tag), Some((true, true)));
        assert_eq!(holds(" \"a,b\" ,\"1-17\"", tag), Some((true, true)));
        assert_eq!(holds("W/\"1-17\"", tag), Some((false, true)));
        assert_eq!(holds("\"0-17\", \"1-1\"", tag), Some((false, false)));
        for malformed in ["", "1-17", "\"1-17", "\"1-17\",", "\"1-17\" \"1-18\"", "w/\"1\"", "\"a b\"", "*, \"1\""] {
            assert_eq!(Tags::read(malformed), None, "{malformed}");
        }
        assert_eq!(Tags::read("W/\"a\",\"b\"").map(|tags| tags.to_string()), Some("W/\"a\", \"b\"".to_owned()));
    }
}
