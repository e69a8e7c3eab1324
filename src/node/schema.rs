//! A tool's input schema as JavaScript holds it.

use std::sync::Arc;

use napi_derive::napi;

use crate::schema::{Issue, Schema, Verdict, shared};

/// One compiled input schema. Made of JSON text; shared by everything in the process that holds the same text.
#[napi]
pub struct InputSchema {
    pub(crate) schema: Arc<Schema>,
}

#[napi]
impl InputSchema {
    /// From the schema's JSON text; one that the process holds already is shared. Nothing is compiled before it is first asked for.
    #[napi(constructor, catch_unwind)]
    #[must_use]
    pub fn new(text: String) -> Self {
        Self { schema: shared(&text) }
    }

    /// The schema's JSON text, as the server sent it.
    #[napi(getter, catch_unwind)]
    #[must_use]
    pub fn text(&self) -> &str {
        self.schema.text()
    }

    /// The zod descriptor as JSON text.
    #[napi(catch_unwind)]
    #[must_use]
    pub fn descriptor(&self) -> &str {
        self.schema.descriptor()
    }

    /// Why the schema cannot be compiled as it stands, or nothing.
    #[napi(catch_unwind)]
    #[must_use]
    pub fn problem(&self) -> Option<&str> {
        self.schema.problem()
    }

    /// Arguments, as JSON text, against the schema with its broken parts left open: the issues as JSON text, or nothing where they pass.
    #[napi(catch_unwind)]
    #[must_use]
    pub fn check(&self, args: String) -> Option<String> {
        let issues = self.schema.check(&args);
        (!issues.is_empty()).then(|| issues_text(&issues))
    }

    /// Arguments, as JSON text, against the schema exactly as it stands: the answer of `validateMcpToolArguments` as JSON text.
    #[napi(catch_unwind)]
    #[must_use]
    pub fn validate(&self, args: String) -> Option<String> {
        let (reason, issues) = match self.schema.validate(&args) {
            Verdict::Valid => return None,
            Verdict::InvalidArguments(issues) => ("invalid_arguments", issues),
            Verdict::InvalidSchema(issues) => ("invalid_schema", issues),
        };
        Some(format!(r#"{{"ok":false,"reason":"{reason}","issues":{}}}"#, issues_text(&issues)))
    }
}

fn issues_text(issues: &[Issue]) -> String {
    // Strings and numbers only: writing them cannot fail.
    serde_json::to_string(issues).unwrap_or_else(|_| "[]".into())
}
