//! The walk over the pages of `tools/list`: opaque cursors, every bound, and an end in every case (spec R3–R7).

use std::{collections::HashSet, future::Future};

use super::{Catalog, Cursor, Tool, duplicate, page::only_page, pager::Pager};
use crate::error::{ProtocolCode, ProtocolError};

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
    /// The error of each malformed tool that was left out, and of each name whose later tools were.
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

/// Every entry of a list that is no list of tools (prompts), over all its pages, each as its JSON text. `what` is the list's method.
///
/// # Errors
/// [`WalkError`], but never `NotFound`.
pub async fn walk_list(source: &impl PageSource, what: &'static str) -> Result<Vec<String>, WalkError> {
    let mut pager = Pager::new(what);
    let mut entries = Vec::new();
    let mut cursor: Option<Cursor> = None;
    loop {
        let text = source.page(cursor.as_ref().map(Cursor::text)).await.map_err(WalkError::Source)?;
        let Some(page) = pager.open(&text)? else { return Ok(entries) };
        entries.extend(page.tools.iter().map(|entry| entry.get().to_owned()));
        match pager.advance(page.next)? {
            Some(next) => cursor = Some(next),
            None => return Ok(entries),
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
    /// Names met again, each told of once.
    repeated: HashSet<String>,
    wanted: Option<HashSet<String>>,
    skipped: Vec<ProtocolError>,
    pager: Pager,
    /// Entries taken in, over all pages.
    entries: usize,
}

impl Walk {
    #[must_use]
    pub fn new(options: WalkOptions) -> Self {
        let wanted = options.filter.as_ref().map(|names| names.iter().cloned().collect());
        Self {
            options,
            tools: Vec::new(),
            names: HashSet::new(),
            repeated: HashSet::new(),
            wanted,
            skipped: Vec::new(),
            pager: Pager::new("tools/list"),
            entries: 0,
        }
    }

    /// Takes in the next page.
    ///
    /// # Errors
    /// The codes of R3, R5 and R7.
    pub fn take(&mut self, text: &str) -> Result<Step, ProtocolError> {
        if self.pager.pages() == 0
            && let Some(tools) = only_page(text)
        {
            self.pager.count(text)?;
            let ended = self.take_tools(tools.iter().map(|sent| |position| Tool::of(sent, position)))?;
            return Ok(Step::End(ended.unwrap_or(Ended::Complete)));
        }
        let Some(page) = self.pager.open(text)? else { return Ok(Step::End(Ended::Complete)) };
        if let Some(ended) = self.take_tools(page.tools.iter().map(|entry| |position| Tool::read(entry, position)))? {
            return Ok(Step::End(ended));
        }
        if page.next.is_some() && !self.options.auto_paginate {
            return Ok(Step::End(Ended::FirstPage));
        }
        if page.next.is_some() && self.names.len() >= self.options.max_items && !self.options.strict {
            return Ok(Step::End(Ended::MaxItems));
        }
        Ok(self.pager.advance(page.next)?.map_or(Step::End(Ended::Complete), Step::Next))
    }

    /// Takes in the tools of a page, each read for its place among all entries.
    fn take_tools<R: FnOnce(usize) -> Result<Tool, ProtocolError>>(
        &mut self,
        tools: impl Iterator<Item = R>,
    ) -> Result<Option<Ended>, ProtocolError> {
        for read in tools {
            let ended = self.take_tool(read)?;
            if ended.is_some() {
                return Ok(ended);
            }
        }
        Ok(self.wanted.as_ref().is_some_and(HashSet::is_empty).then_some(Ended::Found))
    }

    fn take_tool(
        &mut self,
        read: impl FnOnce(usize) -> Result<Tool, ProtocolError>,
    ) -> Result<Option<Ended>, ProtocolError> {
        let position = self.entries;
        self.entries += 1;
        let tool = match read(position) {
            Ok(tool) => tool,
            Err(error) if self.options.invalid == InvalidTool::Skip => {
                self.skipped.push(error);
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        if self.names.contains(tool.name()) {
            // The first of a name wins in a kit (R7).
            if self.options.strict {
                return Err(duplicate(tool.name()));
            }
            self.pass_over(tool.name());
            return Ok(None);
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

    /// Leaves out a later tool of a name that is there already. Of names that nobody asked for nothing is said.
    fn pass_over(&mut self, name: &str) {
        let asked = self.options.filter.as_ref().is_none_or(|names| names.iter().any(|wanted| wanted == name));
        if asked && self.repeated.insert(name.to_owned()) {
            self.skipped.push(duplicate(name));
        }
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
                    format!("all {} pages were read: {} tools, no limit hit", self.pager.pages(), self.names.len())
                }
            };
            return Err(WalkError::NotFound { missing, limit });
        }
        Ok(Walked { catalog: Catalog::new(self.tools), skipped: self.skipped, ended })
    }
}

#[cfg(test)]
#[path = "walk_tests.rs"]
mod tests;
