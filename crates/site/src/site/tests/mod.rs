//! Tests of the room: time that passes, changes and refusals, the journal, checkpoints, what is kept on disk, and several threads.

mod changes;
mod damage;
mod disk;
mod doors;
mod epochs;
mod journal;
mod keys;
mod logins;
mod pages;
mod time;
