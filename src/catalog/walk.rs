//! The walk over the pages of `tools/list`: opaque cursors, every bound, and an end in every case (spec R3–R7).

use std::{
    collections::{HashMap, HashSet},
    future::Future,
};

use sha2::{Digest as _, Sha256};

use super::{Catalog, Cursor, Page, Tool, duplicate};
use crate::{
    error::{ProtocolCode, ProtocolError},
    limits::{MAX_PAGES, MAX_WALK_BYTES},
    text::quoted,
};

/// What becomes of a malformed tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidTool {
    /// The walk fails with the tool's error.
    Throw,
    /// The tool is left out and reported.
    Skip,
}

/// How far a walk goes and what it keeps.
#[derive(Debug, Clone)]
pub struct WalkOptions {
    /// Native names to find; the walk ends when it has them. `None` keeps every tool.
    pub filter: Option<Vec<String>>,
    /// Follow `nextCursor`; else the first page is all.
    pub auto_paginate: bool,
    /// Distinct names at most.
    pub max_items: usize,
    /// A whole catalog or none: more than `max_items` tools, or a name that comes twice, is an error (`loadMcpToolCatalog`).
    pub strict: bool,
    pub invalid: InvalidTool,
}

/// Why a walk stopped where it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The server has no more.
    Complete,
    /// Everything in the filter was found.
    Found,
    /// `autoPaginate: false`, and the server has more.
    FirstPage,
    /// `maxItems` was reached, and the server has more.
    MaxItems,
}

/// What a walk brought home.
#[derive(Debug)]
pub struct Walked {
    pub catalog: Catalog,
    /// The error of each malformed tool that was left out.
    pub skipped: Vec<ProtocolError>,
    pub ended: Ended,
}

/// Why a walk brought nothing home.
#[derive(Debug)]
pub enum WalkError {
    /// The server broke the protocol, or a bound was hit.
    Protocol(ProtocolError),
    /// Names of the filter that are not there, and the limit that ended the search, in words.
    NotFound { missing: Vec<String>, limit: String },
    /// The client failed; whoever asked holds its error.
    Source(SourceFailed),
}

impl From<ProtocolError> for WalkError {
    fn from(error: ProtocolError) -> Self {
        Self::Protocol(error)
    }
}

/// The client failed. Its error is a JavaScript object and stays on that side, so that it keeps its identity (R4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceFailed;

/// Whatever answers `tools/list`: the application's client, or a fake in tests.
pub trait PageSource {
    /// The page under `cursor` (JSON text of a string; `None` for the first page), as the envelope of [`Page`].
    fn page(&self, cursor: Option<&str>) -> impl Future<Output = Result<String, SourceFailed>> + Send;
}

/// Asks `source` for page after page until the walk is over.
///
/// # Errors
/// [`WalkError`].
pub async fn walk(source: &impl PageSource, options: WalkOptions) -> Result<Walked, WalkError> {
    let mut walk = Walk::new(options);
    let mut cursor: Option<Cursor> = None;
    loop {
        let page = source.page(cursor.as_ref().map(Cursor::text)).await.map_err(WalkError::Source)?;
        match walk.take(&page)? {
            Step::Next(next) => cursor = Some(next),
            Step::End(ended) => return walk.finish(ended),
        }
    }
}

/// What to do after a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Ask for the page under this cursor.
    Next(Cursor),
    End(Ended),
}

/// A walk between two pages.
#[derive(Debug)]
pub struct Walk {
    options: WalkOptions,
    tools: Vec<Tool>,
    /// Every name met, whether kept or not: `maxItems` counts these.
    names: HashSet<String>,
    wanted: Option<HashSet<String>>,
    skipped: Vec<ProtocolError>,
    /// Cursors already followed.
    followed: HashSet<Cursor>,
    /// Digest of each page's tools, by the cursor the page ended with.
    seen: HashMap<Option<Cursor>, [u8; 32]>,
    last: Option<Cursor>,
    pages: usize,
    bytes: usize,
}

impl Walk {
    #[must_use]
    pub fn new(options: WalkOptions) -> Self {
        let wanted = options.filter.as_ref().map(|names| names.iter().cloned().collect());
        Self {
            options,
            tools: Vec::new(),
            names: HashSet::new(),
            wanted,
            skipped: Vec::new(),
            followed: HashSet::new(),
            seen: HashMap::new(),
            last: None,
            pages: 0,
            bytes: 0,
        }
    }

    /// Takes in the next page.
    ///
    /// # Errors
    /// The codes of R3, R5 and R7.
    pub fn take(&mut self, text: &str) -> Result<Step, ProtocolError> {
        self.pages += 1;
        self.bytes = self.bytes.saturating_add(text.len());
        if self.bytes > MAX_WALK_BYTES {
            return Err(ProtocolError::new(
                ProtocolCode::CatalogLimitExceeded,
                format!("expected at most {MAX_WALK_BYTES} bytes of tools, got more by page {}", self.pages),
            ));
        }
        let page = Page::read(text, self.pages)?;
        let digest = digest_of(&page);
        // A server for which "" means "no more" answers it with the page it sent before: that page holds nothing new,
        // and its tools must not count as duplicates.
        let repeats = self.seen.values().any(|earlier| *earlier == digest);
        let empty_again = self.last.as_ref().is_some_and(Cursor::is_empty) && repeats;
        if empty_again && page.next.as_ref().is_none_or(Cursor::is_empty) {
            return Ok(Step::End(Ended::Complete));
        }
        self.check_progress(&page, repeats)?;
        for entry in &page.tools {
            if let Some(ended) = self.take_tool(entry)? {
                return Ok(Step::End(ended));
            }
        }
        if self.wanted.as_ref().is_some_and(HashSet::is_empty) {
            return Ok(Step::End(Ended::Found));
        }
        self.seen.insert(page.next.clone(), digest);
        let Some(next) = page.next else { return Ok(Step::End(Ended::Complete)) };
        if !self.options.auto_paginate {
            return Ok(Step::End(Ended::FirstPage));
        }
        if self.names.len() >= self.options.max_items && !self.options.strict {
            return Ok(Step::End(Ended::MaxItems));
        }
        if !self.followed.insert(next.clone()) {
            // Only "" comes here twice with something new on the page: whoever sends it again has nothing further to show.
            return Ok(Step::End(Ended::Complete));
        }
        if self.pages >= MAX_PAGES {
            return Err(ProtocolError::new(
                ProtocolCode::CatalogLimitExceeded,
                format!("expected at most {MAX_PAGES} pages of tools, and the server has more"),
            ));
        }
        self.last = Some(next.clone());
        Ok(Step::Next(next))
    }

    /// A cursor followed before leads nowhere new (R3); the empty one has its own rule.
    fn check_progress(&self, page: &Page<'_>, repeats: bool) -> Result<(), ProtocolError> {
        let Some(next) = &page.next else { return Ok(()) };
        if !self.options.auto_paginate || next.is_empty() || !self.followed.contains(next) {
            return Ok(());
        }
        let what = if repeats { "the page is one that came before" } else { "that cursor was followed before" };
        Err(ProtocolError::new(
            ProtocolCode::CursorCycle,
            format!("expected page {} to lead on, got the cursor {} again: {what}", self.pages, shortened(next)),
        ))
    }

    fn take_tool(&mut self, entry: &serde_json::value::RawValue) -> Result<Option<Ended>, ProtocolError> {
        let tool = match Tool::read(entry, self.names.len()) {
            Ok(tool) => tool,
            Err(error) if self.options.invalid == InvalidTool::Skip => {
                self.skipped.push(error);
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        if self.names.contains(tool.name()) {
            // The first of a name wins in a kit (R7).
            return if self.options.strict { Err(duplicate(tool.name())) } else { Ok(None) };
        }
        if self.names.len() >= self.options.max_items {
            return if self.options.strict {
                Err(ProtocolError::new(
                    ProtocolCode::CatalogLimitExceeded,
                    format!("expected at most {} tools (maxItems), and the server has more", self.options.max_items),
                ))
            } else {
                Ok(Some(Ended::MaxItems))
            };
        }
        self.names.insert(tool.name().to_owned());
        match &mut self.wanted {
            None => self.tools.push(tool),
            Some(wanted) => {
                if wanted.remove(tool.name()) {
                    self.tools.push(tool);
                    if wanted.is_empty() {
                        return Ok(Some(Ended::Found));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The catalog of what was taken in.
    ///
    /// # Errors
    /// [`WalkError::NotFound`], when names of the filter are missing (R6).
    pub fn finish(self, ended: Ended) -> Result<Walked, WalkError> {
        if let (Some(filter), Some(wanted)) = (&self.options.filter, &self.wanted)
            && !wanted.is_empty()
        {
            let mut named = HashSet::new();
            let missing = filter.iter().filter(|name| wanted.contains(*name) && named.insert(*name)).cloned().collect();
            let limit = match ended {
                Ended::MaxItems => format!("the limit maxItems = {} was hit", self.options.max_items),
                Ended::FirstPage => "only the first page was read (autoPaginate: false)".to_owned(),
                Ended::Complete | Ended::Found => {
                    format!("all {} pages were read: {} tools, no limit hit", self.pages, self.names.len())
                }
            };
            return Err(WalkError::NotFound { missing, limit });
        }
        Ok(Walked { catalog: Catalog::new(self.tools), skipped: self.skipped, ended })
    }
}

fn digest_of(page: &Page<'_>) -> [u8; 32] {
    let mut hash = Sha256::new();
    for tool in &page.tools {
        hash.update(tool.get().as_bytes());
        hash.update(b"\n");
    }
    hash.finalize().into()
}

fn shortened(cursor: &Cursor) -> String {
    crate::text::parse(cursor.text())
        .ok()
        .and_then(|value| value.as_str().map(quoted))
        .unwrap_or_else(|| quoted(cursor.text()))
}

#[cfg(test)]
mod tests;
