//! Changing who is in a group: the whole list at once, or some more and some less.

use crate::model::{Key, Noun, Object, OpError, Place, Table};

/// What an operation says about the members of a group.
pub(super) struct Members<'a> {
    /// The group's noun.
    pub noun: Noun,
    /// Whom the group shall have, and the field that says so.
    pub all: (&'static str, Option<&'a [String]>),
    /// Who shall join, and the field that says so.
    pub more: (&'static str, Option<&'a [String]>),
    /// Who shall leave, and the field that says so.
    pub less: (&'static str, Option<&'a [String]>),
}

/// Members by key, with the field that named each; `None` when nothing was said.
type Named<T> = Option<Vec<(Key<T>, &'static str)>>;

impl Members<'_> {
    /// The whole list excludes joining and leaving.
    pub(super) fn is_one_way(&self) -> Result<(), OpError> {
        let parts = [self.more, self.less].into_iter().filter(|(_, named)| named.is_some()).map(|(field, _)| field.to_owned());
        let fields: Vec<String> = std::iter::once(self.all.0.to_owned()).chain(parts).collect();
        if self.all.1.is_none() || fields.len() == 1 {
            return Ok(());
        }
        Err(OpError::Conflicting { noun: self.noun, fields, because: "the members are either given as a whole or added and removed".into() })
    }
    /// The first field that says something.
    pub(super) fn first_field(&self) -> Option<&'static str> {
        [self.all, self.more, self.less].into_iter().find(|(_, named)| named.is_some()).map(|(field, _)| field)
    }
    /// The members as they would be, in the order in which they were named; who leaves must be one of them.
    pub(super) fn resolve<T: Object>(&self, table: &Table<T>, present: &[Key<T>]) -> Result<Named<T>, OpError> {
        if [self.all, self.more, self.less].iter().all(|(_, named)| named.is_none()) {
            return Ok(None);
        }
        let mut members: Vec<(Key<T>, &'static str)> = if self.all.1.is_some() { Vec::new() } else { present.iter().map(|key| (*key, "")).collect() };
        for reference in self.less.1.unwrap_or_default() {
            let leaves = table.find(reference, Place::field(self.less.0))?.key();
            let place = members.iter().position(|(member, _)| *member == leaves);
            let absent = || OpError::NotFound { noun: T::NOUN, reference: reference.clone(), place: Place::field(self.less.0) };
            members.remove(place.ok_or_else(absent)?);
        }
        for (field, named) in [self.all, self.more] {
            for reference in named.unwrap_or_default() {
                members.push((table.find(reference, Place::field(field))?.key(), field));
            }
        }
        Ok(Some(members))
    }
    /// Nobody may be in a group twice; answers with the members in order of number.
    pub(super) fn once_each<T: Object>(&self, table: &Table<T>, members: &[(Key<T>, &'static str)]) -> Result<Vec<Key<T>>, OpError> {
        for (place, (member, field)) in members.iter().enumerate() {
            if members[..place].iter().any(|(other, _)| other == member) {
                let because = format!("the {} '{}' would be in the {} twice", T::NOUN, table[*member].name(), self.noun);
                return Err(OpError::Conflicting { noun: self.noun, fields: vec![(*field).to_owned()], because });
            }
        }
        let mut keys: Vec<Key<T>> = members.iter().map(|(member, _)| *member).collect();
        keys.sort_by_key(|member| table[*member].number());
        Ok(keys)
    }
}
