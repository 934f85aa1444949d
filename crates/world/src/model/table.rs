//! A numbered collection of one noun, found by id, number or name.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Bound, Index};
use std::sync::Arc;

use imbl::{OrdMap, OrdSet};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use uuid::Uuid;

use super::notes::{self, Notes};
use super::{Identity, Noun, OpError, Place};

/// A reference from one object to another: the creation sequence of its kind, never reused.
pub struct Key<T> {
    raw: u32,
    noun: PhantomData<fn() -> T>,
}

/// What every object carries: its key, its identifier, the number that the vendor's tools show (reused), its name, its revision,
/// and the notes that somebody keeps beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    key: u32,
    id: Uuid,
    number: u32,
    name: String,
    #[serde(default, skip_serializing_if = "is_untouched")]
    revision: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    notes: Option<Box<Notes>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_untouched(revision: &u64) -> bool {
    *revision == 0
}

/// A noun that lives in a [`Table`].
pub trait Object: Clone {
    /// Which noun it is.
    const NOUN: Noun;
    /// Whether a number that became free is given out again, lowest first. Otherwise numbers only rise.
    const REUSES_NUMBERS: bool = true;
    /// Its identity.
    fn head(&self) -> &Head;
    /// Its identity, to be changed by the table only.
    fn head_mut(&mut self) -> &mut Head;
    /// Where its name must be unique: `None` in the whole array, otherwise among objects of the same scope.
    fn scope(&self) -> Option<u32> {
        None
    }
    /// The raw key of what it belongs to, by which [`Table::owned_by`] finds it without a search. It must stay as it is.
    fn owner(&self) -> Option<u32> {
        None
    }
    /// How it is referred to from elsewhere.
    fn key(&self) -> Key<Self> {
        Key::from_raw(self.head().key)
    }
    /// Its name.
    fn name(&self) -> &str {
        &self.head().name
    }
    /// Its number.
    fn number(&self) -> u32 {
        self.head().number
    }
    /// Its identifier.
    fn id(&self) -> Uuid {
        self.head().id
    }
    /// Which operation of the array changed it last, counted from 1; 0 while none has. What happens by itself does not move it.
    fn revision(&self) -> u64 {
        self.head().revision
    }
    /// What somebody keeps beside it; `None` when that is nothing.
    fn notes(&self) -> Option<&Notes> {
        self.head().notes()
    }
    /// One of these notes.
    fn note(&self, name: &str) -> Option<&Value> {
        self.notes().and_then(|notes| notes.get(name))
    }
}

/// All objects of one noun, in order of number. A clone costs next to nothing, however many there are: it shares what neither of the
/// two has changed since.
#[derive(Clone, Debug)]
pub struct Table<T> {
    next_key: u32,
    items: OrdMap<u32, Arc<T>>,
    by_number: OrdMap<u32, u32>,
    by_id: OrdMap<Uuid, u32>,
    by_name: OrdSet<NameKey>,
    by_owner: OrdSet<(u32, u32)>,
    fresh: u32,
    free: OrdSet<u32>,
    /// How often it may have been changed since it was made or read. Not part of the value: it only says that nothing has changed.
    stirred: u64,
}

impl Head {
    /// The identity that [`Table::insert`] hands out.
    fn new(identity: Identity, noun: Noun, key: u32, number: u32, name: String) -> Head {
        Head { key, id: identity.uuid(noun, key), number, name, revision: 0, notes: None }
    }
    /// The creation sequence.
    pub const fn key(&self) -> u32 {
        self.key
    }
    /// The number.
    pub const fn number(&self) -> u32 {
        self.number
    }
    /// The identifier.
    pub const fn id(&self) -> Uuid {
        self.id
    }
    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The revision, see [`Object::revision`].
    pub const fn revision(&self) -> u64 {
        self.revision
    }
    /// The notes, see [`Object::notes`].
    pub fn notes(&self) -> Option<&Notes> {
        self.notes.as_deref()
    }
    /// The same with the notes of another.
    #[must_use]
    pub fn with_notes_of(mut self, other: &Head) -> Head {
        self.notes.clone_from(&other.notes);
        self
    }
    /// The same as another object, under the same name and with the same notes.
    #[must_use]
    pub(super) fn with_identity_of(self, other: &Head) -> Head {
        Head { key: other.key, id: other.id, number: other.number, ..self }
    }
    /// Takes away the notes that `refers` says.
    pub(super) fn forget_notes(&mut self, refers: impl Fn(&Value) -> bool) {
        let kept: Notes = self.notes.take().into_iter().flat_map(|notes| *notes).filter(|(_, value)| !refers(value)).collect();
        self.notes = Some(kept).filter(|kept| !kept.is_empty()).map(Box::new);
    }
}

/// The hash of a name, the scope in which it must be unique, and who has it. Names that share a hash are told apart by who has them.
type NameKey = (u64, u32, u32);

fn name_key<T: Object>(item: &T) -> NameKey {
    (hash_of(item.name()), scope_index(item.scope()), item.head().key)
}

fn scope_index(scope: Option<u32>) -> u32 {
    scope.map_or(0, |scope| scope + 1)
}

fn hash_of(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

impl<T: Object> Table<T> {
    /// An empty table. Numbers that are reused begin at 0, those that only rise at 1.
    pub fn new() -> Table<T> {
        Table {
            next_key: 0,
            items: OrdMap::new(),
            by_number: OrdMap::new(),
            by_id: OrdMap::new(),
            by_name: OrdSet::new(),
            by_owner: OrdSet::new(),
            fresh: u32::from(!T::REUSES_NUMBERS),
            free: OrdSet::new(),
            stirred: 0,
        }
    }
    /// How many there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// A count that rises whenever something in it may have changed: as long as it stays, everything derived from it stays.
    pub const fn stirred(&self) -> u64 {
        self.stirred
    }
    /// The key that the next new object gets.
    pub fn next_key(&self) -> Key<T> {
        Key::from_raw(self.next_key)
    }
    /// Makes an object with the next key and the next number; `make` receives its identity.
    pub fn insert(&mut self, identity: Identity, name: String, make: impl FnOnce(Head) -> T) -> Key<T> {
        let key = self.next_key;
        self.next_key += 1;
        let number = if T::REUSES_NUMBERS { self.lowest_free() } else { self.fresh };
        self.place(make(Head::new(identity, T::NOUN, key, number, name)));
        Key::from_raw(key)
    }
    /// The same with that number; nothing happens when it is taken.
    pub fn insert_numbered(&mut self, identity: Identity, number: u32, name: String, make: impl FnOnce(Head) -> T) {
        if !self.by_number.contains_key(&number) {
            let key = self.next_key;
            self.next_key += 1;
            self.place(make(Head::new(identity, T::NOUN, key, number, name)));
        }
    }
    /// Puts back an object that this table handed out before, with its key and identifier, under `number` or else its own; it gets a
    /// new one if that is taken.
    pub fn reinsert(&mut self, mut item: T, number: Option<u32>) {
        let wanted = number.unwrap_or_else(|| item.number());
        let taken = self.by_number.contains_key(&wanted);
        item.head_mut().number = if taken { self.lowest_free() } else { wanted };
        self.place(item);
    }
    fn place(&mut self, item: T) {
        self.stirred += 1;
        let head = item.head();
        let (key, number) = (head.key, head.number);
        self.by_id.insert(head.id, key);
        self.by_name.insert(name_key(&item));
        self.by_number.insert(number, key);
        if let Some(owner) = item.owner() {
            self.by_owner.insert((owner, key));
        }
        self.free.remove(&number);
        if number >= self.fresh {
            self.free.extend(self.fresh..number);
            self.fresh = number + 1;
        }
        self.items.insert(key, Arc::new(item));
    }
    fn lowest_free(&self) -> u32 {
        self.free.get_min().copied().unwrap_or(self.fresh)
    }
    fn in_scopes(&self, name: &str, from: u32, to: u32) -> impl Iterator<Item = &T> {
        let hash = hash_of(name);
        let keys = self.by_name.range((hash, from, 0)..=(hash, to, u32::MAX)).map(|(_, _, key)| key);
        self.of_keys(keys).filter(move |item| item.name() == name)
    }
    fn of_keys<'a>(&'a self, keys: impl DoubleEndedIterator<Item = &'a u32>) -> impl DoubleEndedIterator<Item = &'a T> {
        keys.filter_map(|key| self.items.get(key)).map(Arc::as_ref)
    }
    /// Takes an object out; its number becomes free.
    pub fn remove(&mut self, key: Key<T>) -> Option<T> {
        let item = self.items.remove(&key.raw)?;
        self.stirred += 1;
        self.by_id.remove(&item.id());
        self.by_number.remove(&item.number());
        if let Some(owner) = item.owner() {
            self.by_owner.remove(&(owner, key.raw));
        }
        self.by_name.remove(&name_key(item.as_ref()));
        if T::REUSES_NUMBERS {
            self.free.insert(item.number());
        }
        Some(Arc::unwrap_or_clone(item))
    }
    /// Takes out all that `matches` says.
    pub fn remove_where(&mut self, matches: impl Fn(&T) -> bool) {
        let keys: Vec<Key<T>> = self.items.values().filter(|item| matches(item)).map(|item| item.key()).collect();
        for key in keys {
            self.remove(key);
        }
    }
    /// Puts a new object in the place of one, under its number and name but with a key and an identifier of its own.
    pub fn replace(&mut self, identity: Identity, old: Key<T>, make: impl FnOnce(Head, &T) -> T) -> Option<Key<T>> {
        let item = self.remove(old)?;
        let key = self.next_key;
        self.next_key += 1;
        self.place(make(Head::new(identity, T::NOUN, key, item.number(), item.name().to_owned()), &item));
        Some(Key::from_raw(key))
    }
    /// Gives an object another name.
    pub fn rename(&mut self, key: Key<T>, name: String) {
        if let Some(item) = self.get_mut(key) {
            let before = name_key(item);
            item.head_mut().name = name;
            let after = name_key(item);
            self.by_name.remove(&before);
            self.by_name.insert(after);
        }
    }
    /// Changes an object so that it belongs elsewhere, under a name that is free there. Key, identifier and number stay.
    pub fn rehome(&mut self, key: Key<T>, name: String, change: impl FnOnce(&mut T)) {
        if let Some(mut item) = self.remove(key) {
            let number = item.number();
            item.head_mut().name = name;
            change(&mut item);
            self.reinsert(item, Some(number));
        }
    }
    /// An identity for an object that is not in the table yet.
    pub fn reserve(&mut self, identity: Identity) -> Head {
        let key = self.next_key;
        self.next_key += 1;
        Head::new(identity, T::NOUN, key, self.lowest_free(), String::new())
    }
    /// The object of that key, if it still exists.
    pub fn get(&self, key: Key<T>) -> Option<&T> {
        self.items.get(&key.raw).map(Arc::as_ref)
    }
    /// The object of that key, to be changed; its scope must stay as it is.
    pub fn get_mut(&mut self, key: Key<T>) -> Option<&mut T> {
        self.stirred += 1;
        self.unstirred_mut(key)
    }
    fn unstirred_mut(&mut self, key: Key<T>) -> Option<&mut T> {
        self.items.get_mut(&key.raw).map(Arc::make_mut)
    }
    /// Notes which operation changed an object last.
    pub fn touch(&mut self, key: Key<T>, revision: u64) {
        if let Some(item) = self.unstirred_mut(key) {
            item.head_mut().revision = revision;
        }
    }
    /// Changes what is kept beside an object; null takes a note away. Nothing is derived from notes.
    pub fn annotate(&mut self, key: Key<T>, changes: &Notes) {
        if let Some(item) = self.unstirred_mut(key) {
            let after = notes::changed(item.notes(), changes);
            item.head_mut().notes = Some(after).filter(|after| !after.is_empty()).map(Box::new);
        }
    }
    /// The key of the object with that identifier.
    pub fn key_of(&self, id: Uuid) -> Option<Key<T>> {
        self.by_id.get(&id).copied().map(Key::from_raw)
    }
    /// Whether the key still stands for an object.
    pub fn contains(&self, key: Key<T>) -> bool {
        self.items.contains_key(&key.raw)
    }
    /// All objects in order of number.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.of_keys(self.by_number.values())
    }
    /// All objects with a number above `number`, in order.
    pub fn after(&self, number: Option<u32>) -> impl Iterator<Item = &T> {
        let from = number.map_or(Bound::Unbounded, Bound::Excluded);
        self.of_keys(self.by_number.range((from, Bound::Unbounded)).map(|(_, key)| key))
    }
    /// All objects that belong to `owner` (see [`Object::owner`]), oldest first.
    pub fn owned_by(&self, owner: u32) -> impl DoubleEndedIterator<Item = &T> {
        self.of_keys(self.by_owner.range((owner, 0)..=(owner, u32::MAX)).map(|(_, key)| key))
    }
    /// The one that was made last.
    pub fn newest(&self) -> Option<&T> {
        self.items.get_max().map(|(_, item)| item.as_ref())
    }
    /// The object of that name in that scope.
    pub fn named(&self, name: &str, scope: Option<u32>) -> Option<&T> {
        let scope = scope_index(scope);
        self.in_scopes(name, scope, scope).next()
    }
    /// All objects of that name, whatever their scope, in order of scope.
    pub fn all_named(&self, name: &str) -> impl Iterator<Item = &T> {
        self.in_scopes(name, 0, u32::MAX)
    }
    /// Finds what a request's text refers to: tried as id, as number, as name, in that order. A number that is also the name of another
    /// object is ambiguous, so that nobody deletes the wrong one.
    pub fn find(&self, reference: &str, place: Place) -> Result<&T, OpError> {
        let by_id = Uuid::try_parse(reference).ok().and_then(|id| self.by_id.get(&id));
        if let Some(item) = by_id.and_then(|key| self.get(Key::from_raw(*key))) {
            return Ok(item);
        }
        let number = reference.parse::<u32>().ok().filter(|number| number.to_string() == reference);
        let numbered = number.and_then(|number| self.by_number.get(&number));
        let named = self.all_named(reference).filter(|item| Some(&item.head().key) != numbered);
        let mut found = self.of_keys(numbered.into_iter()).chain(named);
        match (found.next(), found.next()) {
            (Some(item), None) => Ok(item),
            (Some(_), Some(_)) => Err(OpError::Ambiguous { noun: T::NOUN, reference: reference.to_owned(), place }),
            (None, _) => Err(OpError::NotFound { noun: T::NOUN, reference: reference.to_owned(), place }),
        }
    }
}

impl<T: Object> Default for Table<T> {
    fn default() -> Table<T> {
        Table::new()
    }
}

impl<T: Object> Index<Key<T>> for Table<T> {
    type Output = T;
    /// The object of a key that is known to exist: references inside the value never dangle (see [`super::consistency`]).
    fn index(&self, key: Key<T>) -> &T {
        &self.items[&key.raw]
    }
}

#[derive(Serialize)]
struct StoredRef<'a, T> {
    next_key: u32,
    fresh: u32,
    items: Vec<&'a T>,
}
#[derive(Deserialize)]
struct Stored<T> {
    next_key: u32,
    fresh: u32,
    items: Vec<T>,
}

impl<T: Object + Serialize> Serialize for Table<T> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        StoredRef { next_key: self.next_key, fresh: self.fresh, items: self.iter().collect() }.serialize(out)
    }
}

impl<'de, T: Object + Deserialize<'de>> Deserialize<'de> for Table<T> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Table<T>, D::Error> {
        let stored = Stored::<T>::deserialize(input)?;
        let mut table = Table::new();
        for item in stored.items {
            table.place(item);
        }
        table.next_key = stored.next_key;
        if T::REUSES_NUMBERS {
            table.free.extend(table.fresh..stored.fresh);
        } else {
            table.free.clear();
        }
        table.fresh = stored.fresh;
        Ok(table)
    }
}

impl<T> Key<T> {
    /// From a creation sequence.
    pub const fn from_raw(raw: u32) -> Key<T> {
        Key { raw, noun: PhantomData }
    }
    /// The creation sequence.
    pub const fn raw(self) -> u32 {
        self.raw
    }
}
impl<T> Clone for Key<T> {
    fn clone(&self) -> Key<T> {
        *self
    }
}
impl<T> Copy for Key<T> {}
impl<T> fmt::Debug for Key<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "#{}", self.raw)
    }
}
impl<T> PartialEq for Key<T> {
    fn eq(&self, other: &Key<T>) -> bool {
        self.raw == other.raw
    }
}
impl<T> Eq for Key<T> {}
impl<T> PartialOrd for Key<T> {
    fn partial_cmp(&self, other: &Key<T>) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Key<T> {
    fn cmp(&self, other: &Key<T>) -> std::cmp::Ordering {
        self.raw.cmp(&other.raw)
    }
}
impl<T> Hash for Key<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}
impl<T> Serialize for Key<T> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_u32(self.raw)
    }
}
impl<'de, T> Deserialize<'de> for Key<T> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Key<T>, D::Error> {
        u32::deserialize(input).map(Key::from_raw)
    }
}
