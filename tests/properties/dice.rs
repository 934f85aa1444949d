//! Rolled numbers, from which a step is made on the world as it is then. Smaller numbers make plainer steps, so that proptest can
//! shrink a failure to them.

use std::fmt;

use arrayplane::model::{Object, Table};
use arrayplane::units::Bytes;
use proptest::prelude::*;
use serde_json::{Value, json};

/// What one step is made from.
#[derive(Clone)]
pub(crate) struct Dice {
    rolls: Vec<u16>,
    thrown: usize,
}

/// Sizes that make sense somewhere.
const SIZES: [&str; 10] = ["100GiB", "1TB", "500GB", "24MiB", "2TB", "300GB", "1000000007", "4TB", "10TB", "1GiB"];

impl fmt::Debug for Dice {
    /// In one line, because a failure prints many.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.rolls.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }
}

impl Dice {
    /// Any dice.
    pub(crate) fn any() -> impl Strategy<Value = Dice> {
        prop::collection::vec(any::<u16>(), 14).prop_map(|rolls| Dice { rolls, thrown: 0 })
    }
    /// A number below `sides`.
    pub(crate) fn throw(&mut self, sides: usize) -> usize {
        let roll = usize::from(self.rolls[self.thrown % self.rolls.len()]);
        self.thrown += 1;
        roll % sides.max(1)
    }
    /// True once in so many throws; never when everything rolls 0.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.throw(times) + 1 == times
    }
    /// One of several.
    pub(crate) fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.throw(of.len())].clone()
    }
    /// A value, or nothing, once in so many throws.
    pub(crate) fn maybe(&mut self, times: usize, value: impl FnOnce(&mut Dice) -> Value) -> Value {
        if self.once_in(times) { value(self) } else { Value::Null }
    }
    /// A new name from a small pool; now and then one that no array takes.
    pub(crate) fn name(&mut self, noun: &str) -> String {
        if self.once_in(40) {
            return self.one(&[String::new(), "a/b,c".to_owned(), "x".repeat(300), " padded".to_owned()]);
        }
        format!("{noun}{}", self.throw(8))
    }
    /// What something that exists is called; now and then, or when there is none, what nothing is called.
    pub(crate) fn of<T: Object>(&mut self, table: &Table<T>) -> String {
        if table.is_empty() || self.once_in(60) {
            return "nothing".to_owned();
        }
        let place = self.throw(table.len());
        let Some(item) = table.iter().nth(place) else { return "nothing".to_owned() };
        match self.throw(8) {
            0..=4 => item.number().to_string(),
            5 => item.id().to_string(),
            _ => item.name().to_owned(),
        }
    }
    /// Several things that exist, mostly each once.
    pub(crate) fn several<T: Object>(&mut self, table: &Table<T>, most: usize) -> Vec<String> {
        let (count, first) = (1 + self.throw(most), self.throw(table.len()));
        let all: Vec<String> = table.iter().map(|item| item.number().to_string()).collect();
        let mut chosen: Vec<String> = all.iter().cycle().skip(first).take(count.min(all.len())).cloned().collect();
        if self.once_in(30) {
            chosen.push(chosen.first().cloned().unwrap_or_default());
        }
        chosen
    }
    /// A size.
    pub(crate) fn size(&mut self) -> Value {
        json!(self.one(&SIZES))
    }
    /// A part of a size, from little to somewhat more than all.
    pub(crate) fn part_of(&mut self, size: Bytes) -> u64 {
        let percent = self.one(&[10_u64, 1, 25, 50, 75, 100, 130]);
        size.scaled(percent, 100).get() + self.throw(3) as u64 * 4096 + u64::from(self.once_in(4))
    }
    /// A number in percent around the bounds of percentages.
    pub(crate) fn percent(&mut self) -> u32 {
        self.one(&[50, 5, 70, 80, 90, 99, 4, 100, 0])
    }
    /// How far data shrinks.
    pub(crate) fn ratio(&mut self) -> Value {
        self.one(&[json!(1), json!(2), json!(3.5), json!(1.001), json!(1000), json!(7)])
    }
    /// True or false.
    pub(crate) fn flag(&mut self) -> bool {
        self.throw(2) == 1
    }
}
