//! From the pages of `tools/list` to a catalog: one tool of each name, in a stable order, as the server sent it (spec R3–R9).
//!
//! A tool's parts stay JSON text from the page to the model: schemas are compared, hashed and handed on without
//! ever becoming a tree, so their order, their `__proto__` keys and their numbers cannot change on the way.

mod collation;
mod page;
mod pager;
mod tool;
mod walk;

use std::sync::Arc;

use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

pub use collation::compare_names;
pub use page::{Cursor, Page};
pub use tool::Tool;
pub use walk::{
    Ended, InvalidTool, PageSource, SourceFailed, Step, Walk, WalkError, WalkOptions, Walked, walk, walk_list,
};

use crate::{
    error::{ProtocolCode, ProtocolError},
    text::hex,
};

/// An ordered, immutable list of tools with the digest of its content.
#[derive(Debug)]
pub struct Catalog {
    tools: Vec<Tool>,
    text: Box<str>,
    digest: String,
}

impl Catalog {
    /// A catalog of `tools`, ordered by name (R8).
    #[must_use]
    pub fn new(mut tools: Vec<Tool>) -> Self {
        tools.sort_by(|a, b| compare_names(a.name(), b.name()));
        let mut text = String::with_capacity(tools.iter().map(|tool| tool.size() + 1).sum::<usize>() + 2);
        text.push('[');
        for (index, tool) in tools.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            tool.write(&mut text);
        }
        text.push(']');
        let digest = hex(&Sha256::digest(text.as_bytes()));
        Self { tools, text: text.into_boxed_str(), digest }
    }

    /// A catalog from what [`Catalog::text`] gave, perhaps in another process.
    ///
    /// # Errors
    /// When the text is no list of well-formed tools, or names one twice.
    pub fn from_text(text: &str) -> Result<Self, ProtocolError> {
        let entries: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| {
            ProtocolError::new(ProtocolCode::InvalidCatalogShape, format!("expected a list of tools: {error}"))
        })?;
        Self::of_distinct(&entries)
    }

    /// A catalog of the tools of `entries`, none named twice (R7).
    ///
    /// # Errors
    /// The first malformed or repeated tool.
    pub fn of_distinct(entries: &[&RawValue]) -> Result<Self, ProtocolError> {
        Self::distinct(
            entries.iter().enumerate().map(|(index, entry)| Tool::read(entry, index)).collect::<Result<_, _>>()?,
        )
    }

    /// The same of the envelope of a page that is all there is (`normalizeMcpToolCatalog`).
    ///
    /// # Errors
    /// The first malformed or repeated tool, or what the envelope says instead.
    pub fn of_page(text: &str, what: &str) -> Result<Self, ProtocolError> {
        match page::only_page(text) {
            Some(tools) => Self::distinct(
                tools.iter().enumerate().map(|(index, sent)| Tool::of(sent, index)).collect::<Result<_, _>>()?,
            ),
            None => Self::of_distinct(&Page::read(text, what, 1)?.tools),
        }
    }

    fn distinct(tools: Vec<Tool>) -> Result<Self, ProtocolError> {
        let mut names = std::collections::HashSet::with_capacity(tools.len());
        if let Some(twice) = tools.iter().find(|tool| !names.insert(tool.name())) {
            return Err(duplicate(twice.name()));
        }
        drop(names);
        Ok(Self::new(tools))
    }

    #[must_use]
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// The tools as a JSON array, in order: what the memo keeps (R10).
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// SHA-256 of the text, in hexadecimal. A server cannot make another server's catalog of the same digest.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }
}

/// A catalog that generations, agents and worker threads share.
pub type SharedCatalog = Arc<Catalog>;

fn duplicate(name: &str) -> ProtocolError {
    ProtocolError::new(
        ProtocolCode::DuplicateToolName,
        format!("expected every tool name once, and {} comes twice", crate::text::quoted(name)),
    )
    .of_tool(name)
}
