//! What the answer of a tool, a resource or a prompt becomes (spec R23–R28).
//!
//! The face hands over a *skeleton*: the JSON text of the answer, in which long strings are replaced by references ([`carried`]). What comes
//! back is a [`plan`]: an error, or what the model reads as pieces of text and references, which the face puts together. So a 10 MB image costs
//! this side no more than a small one, and every decision and every label is made here.
//!
//! Two degrees of strictness. [`strict`] is `normalizeMcpCallResult`: a block that breaks MCP is an error that names its index (R26). [`view`] is
//! what the model sees: a bad block degrades alone to a label or to its JSON, since the blocks beside it may be the answer.

pub mod base64;
pub mod block;
pub mod carried;
pub mod json;
pub mod label;
pub mod mirror;
pub mod plan;
pub mod prompt;
pub mod resource;
pub mod strict;
pub mod view;

use serde_json::Value;

use crate::{
    limits::{INLINE_DEPTH, MAX_DEPTH},
    text::{self, TextError},
};

/// Runs `work` on the value that `skeleton` holds, on a stack large enough for its depth; the value is dropped there too.
///
/// # Errors
/// Why the text cannot be read, in words.
pub(crate) fn with_value<T: Send>(skeleton: &str, work: impl FnOnce(&Value) -> T + Send) -> Result<T, String> {
    let depth = text::depth(skeleton);
    if depth <= INLINE_DEPTH {
        // Skeletons hold no lone surrogates, so that the search of `text::parse` for them can be spared.
        return match serde_json::from_str(skeleton) {
            Ok(value) => Ok(work(&value)),
            Err(error) => Err(TextError::Malformed(error.to_string()).to_string()),
        };
    }
    if depth > MAX_DEPTH {
        return Err(TextError::TooDeep(depth).to_string());
    }
    text::with_stack_for(depth, || text::parse(skeleton).map(|value| work(&value)))
        .map_err(|error| error.to_string())?
        .map_err(|error| error.to_string())
}

/// What kind of value this is, in words: `a string`, `null`, `an array`.
pub(crate) fn kind_of(value: Option<&Value>) -> &'static str {
    match value {
        None => "undefined",
        Some(Value::Null) => "null",
        Some(Value::Bool(_)) => "a boolean",
        Some(Value::Number(_)) => "a number",
        Some(Value::String(_)) => "a string",
        Some(Value::Array(_)) => "an array",
        Some(Value::Object(_)) => "an object",
    }
}
