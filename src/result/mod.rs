//! What a call, a prompt and a resource answer become (spec R23, R24, R26–R28).
//!
//! The face sends a *skeleton*: the answer's JSON text in which long strings are references ([`carried`]). Here it is judged and turned into
//! a *plan* ([`pieces`]): texts and parts in pieces, which the face joins. So a picture of ten megabytes never crosses, and every decision
//! and every word of a label is in this room.

pub mod base64;
pub mod block;
pub mod call;
pub mod carried;
pub mod json_text;
pub mod label;
pub mod mirror;
pub mod pieces;
pub mod prompt;
pub mod resource;
pub mod template;

use serde_json::Value;

use crate::{
    error::{ProtocolCode, ProtocolError},
    text,
};
use pieces::Plan;

/// Reads a skeleton and does `work` on it, on a stack that is deep enough for it.
fn on_skeleton<T: Send>(skeleton: &str, work: impl FnOnce(&Value) -> T + Send) -> Result<T, String> {
    let value = text::parse(skeleton).map_err(|error| error.to_string())?;
    text::with_stack_for(text::depth(skeleton), || work(&value)).map_err(|error| error.to_string())
}

fn unreadable_call(reason: &str) -> ProtocolError {
    ProtocolError::new(ProtocolCode::InvalidCallResult, format!("the result of a tool call cannot be read: {reason}"))
}

/// What a tool's handler makes of an answer.
#[must_use]
pub fn plan_call(skeleton: &str) -> Plan {
    on_skeleton(skeleton, call::plan).unwrap_or_else(|reason| Plan::Invalid(unreadable_call(&reason)))
}

/// Whether an answer is a call's result exactly as MCP says.
///
/// # Errors
/// [`ProtocolCode::InvalidCallResult`], with index and field.
pub fn check_call(skeleton: &str) -> Result<(), ProtocolError> {
    on_skeleton(skeleton, call::check).unwrap_or_else(|reason| Err(unreadable_call(&reason)))
}

/// What the model reads of a resource.
#[must_use]
pub fn plan_resource(skeleton: &str) -> Plan {
    on_skeleton(skeleton, resource::plan).unwrap_or_else(Plan::Unreadable)
}

/// What the model reads of a page of resources, and of the templates: `pages` is the skeleton of `{resources, templates?}`.
#[must_use]
pub fn plan_listing(pages: &str) -> Plan {
    on_skeleton(pages, resource::listing).and_then(|listing| listing).map_or_else(Plan::Unreadable, Plan::Text)
}

/// Whether an answer is a prompt.
///
/// # Errors
/// What was expected and what came, and where.
pub fn check_prompt(skeleton: &str) -> Result<(), String> {
    on_skeleton(skeleton, prompt::check).and_then(|checked| checked)
}

/// A prompt as an instruction.
#[must_use]
pub fn plan_prompt(skeleton: &str) -> Plan {
    on_skeleton(skeleton, prompt::plan).unwrap_or_else(Plan::Unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::MAX_DEPTH;

    fn nested(levels: usize) -> String {
        // Two levels are the result's own.
        let inner = format!("{}{}", "[".repeat(levels - 1), "]".repeat(levels - 1));
        format!(r#"{{"content":[],"structuredContent":{inner}}}"#)
    }

    #[test]
    fn depth_is_bounded_on_both_sides() {
        assert!(matches!(plan_call(&nested(MAX_DEPTH)), Plan::Text(_)));
        assert!(matches!(plan_call(&nested(MAX_DEPTH + 1)), Plan::Invalid(_)));
        assert!(matches!(plan_call(&nested(100_000)), Plan::Invalid(_)));
        assert_eq!(check_call(&nested(MAX_DEPTH)), Ok(()));
        assert!(check_call(&nested(100_000)).is_err());
    }

    #[test]
    fn deep_values_are_compared_without_an_overflow() {
        let inner = format!("{}1{}", "[".repeat(900), "]".repeat(900));
        let result = format!(r#"{{"content":[{{"type":"text","text":"{inner}"}}],"structuredContent":{inner}}}"#);
        assert_eq!(plan_call(&result), Plan::Text(pieces::Text::inline(inner)));
    }
}
