//! The answer to `tools/call` (R23, R24, R26): [`check`] is the exact reading of `normalizeMcpCallResult`, [`plan`] the lenient one of a
//! tool's handler, which turns no usable answer into an error.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{
    base64,
    block::{Form, Rendered, encoded_label, member, render, string},
    carried::Carried,
    json_text::write_json,
    label::Label,
    mirror::is_mirrored,
    pieces::{Part, Piece, Plan, Text, join},
};
use crate::{
    error::{ProtocolCode, ProtocolError},
    text::quoted,
};

/// Before the text of a result that reports an error (R23).
const FAILED: &str = "MCP tool error: ";
/// In its place, where there is none.
const NO_DETAILS: &str = "the tool reported a failure and said nothing about it";
/// Shorter data are no base64 that a server would send twice.
const MIN_REPEATED: usize = 8;

fn invalid(message: impl Into<String>) -> ProtocolError {
    ProtocolError::new(ProtocolCode::InvalidCallResult, message)
}

/// What kind of value this is, in words.
#[must_use]
pub fn kind(value: Option<&Value>) -> &'static str {
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

/// Checks an answer exactly (R26).
///
/// # Errors
/// [`ProtocolCode::InvalidCallResult`], whose message names the index and the field.
pub fn check(result: &Value) -> Result<(), ProtocolError> {
    let Value::Object(fields) = result else {
        return Err(invalid(format!("expected the result of a tool call (an object), got {}", kind(Some(result)))));
    };
    match fields.get("content") {
        Some(Value::Array(blocks)) => {
            blocks.iter().enumerate().try_for_each(|(index, block)| check_block(block, index))?;
        }
        None if fields.contains_key("structuredContent") => {}
        other => {
            let advice = if other.is_none() { " and no structuredContent" } else { "" };
            return Err(invalid(format!("content: expected an array of blocks, got {}{advice}", kind(other))));
        }
    }
    match fields.get("isError") {
        None | Some(Value::Bool(_)) => Ok(()),
        other => Err(invalid(format!("isError: expected a boolean, got {}", kind(other)))),
    }
}

fn check_block(block: &Value, index: usize) -> Result<(), ProtocolError> {
    let at = format!("content[{index}]");
    let Value::Object(fields) = block else {
        return Err(invalid(format!("{at}: expected a content block (an object), got {}", kind(Some(block)))));
    };
    let block_type = match fields.get("type") {
        Some(Value::String(block_type)) if !block_type.is_empty() => block_type,
        Some(Value::String(_)) => return Err(invalid(format!("{at}.type: expected a non-empty string, got \"\""))),
        other => return Err(invalid(format!("{at}.type: expected a non-empty string, got {}", kind(other)))),
    };
    let needs = |holder: &Map<String, Value>, path: &str, key: &str| match holder.get(key) {
        Some(Value::String(_)) => Ok(()),
        other => Err(invalid(format!(
            "{at}{path}.{key}: expected a string in a block of type {}, got {}",
            quoted(block_type),
            kind(other)
        ))),
    };
    match block_type.as_str() {
        "text" => needs(fields, "", "text"),
        "image" | "audio" => needs(fields, "", "data").and_then(|()| needs(fields, "", "mimeType")),
        "resource" => match fields.get("resource") {
            Some(Value::Object(resource)) => needs(resource, ".resource", "uri"),
            other => Err(invalid(format!("{at}.resource: expected an object, got {}", kind(other)))),
        },
        _ => Ok(()),
    }
}

/// What a tool's handler makes of an answer (R23, R24).
#[must_use]
pub fn plan(result: &Value) -> Plan {
    let Value::Object(fields) = result else {
        return Plan::Invalid(invalid(format!(
            "expected the result of a tool call (an object), got {}",
            kind(Some(result))
        )));
    };
    plan_fields(fields, is_failure(fields.get("isError")))
}

fn plan_fields(fields: &Map<String, Value>, failed: bool) -> Plan {
    let blocks: &[Value] = match member(fields, "content") {
        Some(Value::Array(blocks)) => blocks,
        // What a failure says is worth more than the shape in which it says so.
        Some(block) if failed => std::slice::from_ref(block),
        Some(other) => {
            return Plan::Invalid(invalid(format!("content: expected an array of blocks, got {}", kind(Some(other)))));
        }
        None if fields.contains_key("structuredContent") => &[],
        None => match member(fields, "toolResult") {
            Some(result) => return legacy(result, failed),
            None if failed => &[],
            None => {
                return Plan::Invalid(invalid(
                    "expected the result of a tool call with content (an array of blocks) or structuredContent, got neither",
                ));
            }
        },
    };
    let structured = member(fields, "structuredContent");
    if failed { failure(blocks, structured) } else { success(blocks, structured) }
}

/// Servers are known that send `isError` as a string, a number or the error itself; a failure must not pass for a success.
fn is_failure(flag: Option<&Value>) -> bool {
    match flag {
        Some(Value::Bool(flag)) => *flag,
        Some(Value::String(flag)) => flag.eq_ignore_ascii_case("true"),
        Some(Value::Number(flag)) => flag.as_f64().is_some_and(|flag| flag != 0.0),
        Some(Value::Object(_) | Value::Array(_)) => true,
        None | Some(Value::Null) => false,
    }
}

/// The result of protocol revision 2024-10-07: all of it under `toolResult`. One level is unwrapped.
fn legacy(result: &Value, failed: bool) -> Plan {
    match result {
        Value::Object(members) if members.get("content").is_some_and(Value::is_array) => {
            plan_fields(members, failed || is_failure(members.get("isError")))
        }
        Value::String(_) if failed => failure(std::slice::from_ref(result), None),
        value if failed => failure(&[], Some(value)),
        Value::String(text) => {
            let mut whole = Text::default();
            Carried::of(text).write(&mut whole);
            Plan::Text(whole)
        }
        value => Plan::Text(structured_text(value, &[])),
    }
}

fn failure(blocks: &[Value], structured: Option<&Value>) -> Plan {
    let words = join(blocks.iter().filter_map(|block| render(block, Form::Words).into_text()), "\n");
    let mut message = Text::inline(FAILED);
    let silent = words.pieces().iter().all(|piece| matches!(piece, Piece::Inline(text) if text.trim().is_empty()));
    match structured {
        _ if !silent => message.append(words),
        Some(structured) => message.append(structured_text(structured, blocks)),
        None => message.push_str(NO_DETAILS),
    }
    Plan::Failed(message)
}

fn success(blocks: &[Value], structured: Option<&Value>) -> Plan {
    let rendered: Vec<Rendered> = blocks.iter().map(|block| render(block, Form::Result)).collect();
    let is_text = rendered.iter().all(|block| block.is_text);
    let structured = structured.map(|value| (value, is_text && rendered.iter().all(is_empty)));
    let more = match structured {
        Some((value, true)) => return Plan::Text(structured_text(value, blocks)),
        Some((value, false)) if !is_mirrored(value, blocks) => Some(structured_text(value, blocks)),
        _ => None,
    };
    if is_text {
        let texts = rendered.into_iter().filter_map(Rendered::into_text);
        return Plan::Text(join(texts.chain(more), "\n"));
    }
    Plan::Parts(rendered.into_iter().map(|block| block.part).chain(more.map(Part::Text)).collect())
}

fn is_empty(block: &Rendered) -> bool {
    matches!(&block.part, Part::Text(text) if text.is_empty())
}

/// The JSON text of `structuredContent`, in which base64 is a label: that of the blocks, and whatever else is long.
fn structured_text(value: &Value, blocks: &[Value]) -> Text {
    let mut data = HashSet::new();
    for block in blocks.iter().filter_map(Value::as_object) {
        let resource = block.get("resource").and_then(Value::as_object);
        let blob = resource.and_then(|resource| string(resource, "blob"));
        data.extend(string(block, "data").into_iter().chain(blob).filter_map(identity));
    }
    let replace = |string: Carried<'_>| {
        let repeated = identity(string).is_some_and(|identity| data.contains(&identity));
        let label = || Label::new("Base64").bytes(base64::inspect(string).and_then(|found| found.bytes)).finish();
        if repeated { Some(label()) } else { encoded_label(string) }
    };
    let mut text = Text::default();
    write_json(value, &replace, &mut text);
    text
}

/// What tells whether two strings are the same: the string, or where it did not cross its place in the face's table.
fn identity(string: Carried<'_>) -> Option<(u32, &str)> {
    match (string, string.whole()) {
        (_, Some(whole)) => (whole.len() >= MIN_REPEATED).then_some((u32::MAX, whole)),
        (Carried::There { index, .. }, None) => Some((index, "")),
        (Carried::Here(_), None) => None,
    }
}
