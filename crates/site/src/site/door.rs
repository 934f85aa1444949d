//! An address of an array's own. It belongs to the array and goes with it; what it is made of is for who opens it.

use std::fmt;
use std::net::SocketAddr;

use super::Hosted;

/// An address at which one array is answered for. It is closed when it is dropped.
pub trait Door: fmt::Debug + Send + Sync {
    /// Where it is.
    fn address(&self) -> SocketAddr;
    /// How clients call it.
    fn url(&self) -> String;
}

impl Hosted {
    /// Gives the array a door, in the place of the one that it has.
    pub fn set_door(&self, door: Box<dyn Door>) {
        let former = self.door.lock().replace(door);
        drop(former);
    }
    /// Closes its door; answers whether there was one.
    pub fn close_door(&self) -> bool {
        let former = self.door.lock().take();
        former.is_some()
    }
    /// What its door says of itself, if it has one.
    pub fn door<R>(&self, ask: impl FnOnce(&(dyn Door + 'static)) -> R) -> Option<R> {
        self.door.lock().as_deref().map(ask)
    }
}
