//! From page to page of any list: cursors are opaque, and every way ends (spec R3).

use std::collections::HashSet;

use sha2::{Digest as _, Sha256};

use super::{Cursor, Page};
use crate::{
    error::{ProtocolCode, ProtocolError},
    limits::{MAX_PAGES, MAX_WALK_BYTES},
    text::{parse, quoted},
};

/// Where a walk stands: what it has followed and seen.
#[derive(Debug)]
pub(super) struct Pager {
    /// The list's method, for messages.
    what: &'static str,
    followed: HashSet<Cursor>,
    /// Digests of the pages so far.
    seen: HashSet<[u8; 32]>,
    /// The cursor that the page at hand was asked for with.
    last: Option<Cursor>,
    /// The page at hand is one that came before.
    repeats: bool,
    pages: usize,
    bytes: usize,
}

impl Pager {
    pub(super) fn new(what: &'static str) -> Self {
        let (followed, seen) = (HashSet::new(), HashSet::new());
        Self { what, followed, seen, last: None, repeats: false, pages: 0, bytes: 0 }
    }

    /// Pages read so far.
    pub(super) fn pages(&self) -> usize {
        self.pages
    }

    /// Counts the next page.
    pub(super) fn count(&mut self, text: &str) -> Result<(), ProtocolError> {
        self.pages += 1;
        self.bytes = self.bytes.saturating_add(text.len());
        if self.bytes > MAX_WALK_BYTES {
            return Err(self.limit(&format!("at most {MAX_WALK_BYTES} bytes")));
        }
        Ok(())
    }

    /// Reads the next page; nothing where it only says once more that there is no more.
    ///
    /// A server for which `""` means "no more" answers that cursor with a page it sent before: its entries are no duplicates.
    pub(super) fn open<'a>(&mut self, text: &'a str) -> Result<Option<Page<'a>>, ProtocolError> {
        self.count(text)?;
        let page = Page::read(text, self.what, self.pages)?;
        // An only page, as most servers have, is compared with nothing.
        self.repeats = (self.pages > 1 || page.next.is_some()) && !self.seen.insert(digest_of(&page));
        let after_empty = self.last.as_ref().is_some_and(Cursor::is_empty);
        let leads_nowhere = page.next.as_ref().is_none_or(Cursor::is_empty);
        if after_empty && self.repeats && leads_nowhere {
            return Ok(None);
        }
        match &page.next {
            Some(next) if !next.is_empty() && self.followed.contains(next) => Err(self.cycle(next)),
            _ => Ok(Some(page)),
        }
    }

    /// The cursor to follow after the page at hand, if any.
    pub(super) fn advance(&mut self, next: Option<Cursor>) -> Result<Option<Cursor>, ProtocolError> {
        let Some(next) = next else { return Ok(None) };
        if !self.followed.insert(next.clone()) {
            // Only "" comes here twice: whoever sends it again has nothing further to show.
            return Ok(None);
        }
        if self.pages >= MAX_PAGES {
            return Err(self.limit(&format!("at most {MAX_PAGES} pages")));
        }
        self.last = Some(next.clone());
        Ok(Some(next))
    }

    fn limit(&self, expected: &str) -> ProtocolError {
        ProtocolError::new(
            ProtocolCode::CatalogLimitExceeded,
            format!("expected {expected} from {}, and the server has more", self.what),
        )
    }

    fn cycle(&self, next: &Cursor) -> ProtocolError {
        let why = if self.repeats { "the page is one that came before" } else { "that cursor was followed before" };
        let cursor = parse(next.text()).ok().and_then(|value| value.as_str().map(quoted)).unwrap_or_default();
        ProtocolError::new(
            ProtocolCode::CursorCycle,
            format!("expected page {} of {} to lead on, got the cursor {cursor} again: {why}", self.pages, self.what),
        )
    }
}

fn digest_of(page: &Page<'_>) -> [u8; 32] {
    let mut hash = Sha256::new();
    for entry in &page.tools {
        hash.update(entry.get().as_bytes());
        hash.update(b"\n");
    }
    hash.finalize().into()
}
