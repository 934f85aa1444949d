//! A shelf of embedded fixtures, each read when it is first asked for and then kept.

use std::sync::OnceLock;

use super::CatalogueError;
use super::fixtures::Fixture;

/// What one fixture says, or why it cannot be read.
pub(super) type Reading<T> = Result<T, CatalogueError>;

/// Fixtures of one kind.
pub(super) struct Library<T: 'static, const N: usize> {
    fixtures: [Fixture; N],
    read: fn(&Fixture) -> Result<T, String>,
    kept: [OnceLock<Reading<T>>; N],
}

impl<T, const N: usize> Library<T, N> {
    /// Unread fixtures and the way to read one.
    pub(super) const fn new(fixtures: [Fixture; N], read: fn(&Fixture) -> Result<T, String>) -> Library<T, N> {
        Library { fixtures, read, kept: [const { OnceLock::new() }; N] }
    }
    /// The names, in the order of the fixtures.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.fixtures.iter().map(|fixture| fixture.name)
    }
    /// The fixture of that name; `None`: there is none.
    pub(super) fn get(&'static self, name: &str) -> Option<Result<&'static T, CatalogueError>> {
        let index = self.fixtures.iter().position(|fixture| fixture.name == name)?;
        Some(self.at(index))
    }
    /// All fixtures that can be read; a test proves that every one can.
    pub(super) fn all(&'static self) -> Vec<&'static T> {
        (0..N).filter_map(|index| self.at(index).ok()).collect()
    }
    fn at(&'static self, index: usize) -> Result<&'static T, CatalogueError> {
        let fixture = &self.fixtures[index];
        let read = || (self.read)(fixture).map_err(|message| CatalogueError::Fixture { file: fixture.file.to_owned(), message });
        self.kept[index].get_or_init(read).as_ref().map_err(Clone::clone)
    }
}
