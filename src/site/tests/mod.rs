//! Tests of the room: time that passes, changes and refusals, the journal, checkpoints, and several threads.

mod changes;
mod journal;
mod logins;
mod time;
