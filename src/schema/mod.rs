//! One tool's input schema: its text as the server sent it, and what is made from it, each part once and when first asked for.

mod branches;
mod compile;
mod descriptor;
mod dialect;
mod issues;
mod metered;
mod reading;

use std::sync::{Arc, LazyLock, OnceLock};

use jsonschema::{Draft, Validator};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use self::{
    compile::{Compiled, compile},
    issues::{issues_of, whole_issue},
    metered::{Look, Metered, within_budget},
};
use crate::{
    cache::Cache,
    limits::{
        BASE_LOOKS, LOOKS_PER_BYTE, MAX_ARGUMENT_BYTES, MAX_CACHED_SCHEMA_BYTES, MAX_CACHED_SCHEMAS,
        MAX_VALIDATION_LEVELS,
    },
    text::{self, hex, quoted},
};

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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<Value>,
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
    draft: Option<Draft>,
    compiled: OnceLock<Compiled>,
    problem: OnceLock<Option<String>>,
    descriptor: OnceLock<Box<str>>,
}

/// Schemas by the digest of their text, for the whole process.
static SCHEMAS: LazyLock<Cache<Schema>> = LazyLock::new(|| Cache::new(MAX_CACHED_SCHEMAS, MAX_CACHED_SCHEMA_BYTES));

/// The schema whose JSON text is `text`, shared by all who hold the same text.
#[must_use]
pub fn shared(text: &str) -> Arc<Schema> {
    let key = hex(&Sha256::digest(text.as_bytes()));
    SCHEMAS.get_or_insert(&key, text.len(), || Schema::new(text.into()))
}

impl Schema {
    /// Holds `text`, the JSON text of the schema. Nothing is parsed yet.
    #[must_use]
    pub fn new(text: Box<str>) -> Self {
        Self { text, draft: None, compiled: OnceLock::new(), problem: OnceLock::new(), descriptor: OnceLock::new() }
    }

    /// A schema in a dialect that its text does not name, as the files of the official suite are.
    #[cfg(test)]
    pub(crate) fn with_draft(text: &str, draft: Draft) -> Self {
        Self { draft: Some(draft), ..Self::new(text.into()) }
    }

    /// The schema as the server sent it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| compile(&self.text, self.draft))
    }

    /// Why the schema cannot be compiled as it stands, or `None` where it can (R18).
    #[must_use]
    pub fn problem(&self) -> Option<&str> {
        let problem = self.problem.get_or_init(|| {
            let first = self.compiled().strict.as_ref().err()?.first()?;
            let place = if first.schema_path.is_empty() {
                String::new()
            } else {
                format!("at {}: ", quoted(&first.schema_path))
            };
            Some(format!("{place}{}", first.message))
        });
        problem.as_deref()
    }

    /// Arguments against the schema with its broken parts left open (R18): the issues, none where they pass.
    #[must_use]
    pub fn check(&self, arguments: &str) -> Vec<Issue> {
        let compiled = self.compiled();
        match (&compiled.strict, &compiled.mended) {
            (Ok(validator), _) | (Err(_), Some(validator)) => run(compiled, validator, arguments),
            (Err(_), None) => Vec::new(),
        }
    }

    /// Arguments against the schema exactly as it stands.
    #[must_use]
    pub fn validate(&self, arguments: &str) -> Verdict {
        let compiled = self.compiled();
        match &compiled.strict {
            Err(issues) => Verdict::InvalidSchema(issues.clone()),
            Ok(validator) => {
                let issues = run(compiled, validator, arguments);
                if issues.is_empty() { Verdict::Valid } else { Verdict::InvalidArguments(issues) }
            }
        }
    }

    /// The descriptor's JSON text (R16).
    #[must_use]
    pub fn descriptor(&self) -> &str {
        self.descriptor.get_or_init(|| descriptor::describe(&self.text).into_boxed_str())
    }
}

/// The issues of `arguments`, a JSON text.
fn run(compiled: &Compiled, validator: &Validator<Metered>, arguments: &str) -> Vec<Issue> {
    if arguments.len() > MAX_ARGUMENT_BYTES {
        let message = format!("expected at most {MAX_ARGUMENT_BYTES} bytes of arguments, got {}", arguments.len());
        return vec![whole_issue("maxLength", message)];
    }
    let value = match text::parse(arguments) {
        Ok(value) => value,
        Err(error) => return vec![whole_issue("type", format!("the arguments are {error}"))],
    };
    let depth = text::depth(arguments) + 1;
    let levels = if compiled.refers { depth.saturating_mul(compiled.levels) } else { depth + compiled.levels };
    // A schema that refers to itself and arguments as deep as it multiply; no real pair comes near the bound.
    if levels > MAX_VALIDATION_LEVELS {
        let message = format!(
            "the arguments are {depth} levels deep, and the schema refers to itself too often to check so many"
        );
        return vec![whole_issue("$ref", message)];
    }
    let looks = BASE_LOOKS + LOOKS_PER_BYTE * arguments.len() as u64;
    text::with_stack_for(levels, || issues_within(looks, validator, &value)).unwrap_or_else(|error| {
        vec![whole_issue("", format!("the arguments could not be checked: no thread ({error})"))]
    })
}

fn issues_within(looks: u64, validator: &Validator<Metered>, value: &Value) -> Vec<Issue> {
    let unexplained = |message: &str| vec![whole_issue("", message.to_owned())];
    match within_budget(looks, || validator.is_valid(Look(value))) {
        Some(true) => Vec::new(),
        None => unexplained("the schema asks for more work on these arguments than is allowed"),
        // Explaining looks into every alternative, and so can take very much longer than the verdict.
        Some(false) => within_budget(looks, || issues_of(validator.iter_errors(Look(value)), value))
            .unwrap_or_else(|| unexplained("the arguments do not fit the schema, in more ways than can be told")),
    }
}

#[cfg(test)]
mod conformance_tests;
#[cfg(test)]
mod tests;
