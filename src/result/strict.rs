//! `normalizeMcpCallResult`: what MCP says a call result is, block by block (spec R26).

use serde_json::{Map, Value};

use super::{kind_of, with_value};
use crate::text::quoted;

/// Why the call result in `skeleton` is none, or nothing where it is one. Only shapes are looked at, so strings may be shortened in it.
#[must_use]
pub fn problem(skeleton: &str) -> Option<String> {
    match with_value(skeleton, |value| check(value).err()) {
        Ok(found) => found,
        Err(unreadable) => Some(unreadable),
    }
}

fn check(value: &Value) -> Result<(), String> {
    let Value::Object(result) = value else {
        return Err(format!("expected a call result (an object with a content array), got {}", kind_of(Some(value))));
    };
    match result.get("content") {
        None if result.contains_key("structuredContent") => {}
        Some(Value::Array(blocks)) => {
            for (index, block) in blocks.iter().enumerate() {
                check_block(block, index)?;
            }
        }
        other => return Err(format!("content: expected an array of content blocks, got {}", kind_of(other))),
    }
    match result.get("isError") {
        None | Some(Value::Bool(_)) => Ok(()),
        other => Err(format!("isError: expected a boolean, got {}", kind_of(other))),
    }
}

fn check_block(block: &Value, index: usize) -> Result<(), String> {
    let Value::Object(members) = block else {
        return Err(format!("content[{index}]: expected a content block (an object), got {}", kind_of(Some(block))));
    };
    let kind = match members.get("type") {
        Some(Value::String(kind)) if !kind.is_empty() => kind.as_str(),
        Some(Value::String(_)) => return Err(format!("content[{index}].type: expected a non-empty string, got \"\"")),
        other => return Err(format!("content[{index}].type: expected a non-empty string, got {}", kind_of(other))),
    };
    let need = |holder: &Map<String, Value>, path: &str, name: &str| match holder.get(name) {
        Some(Value::String(_)) => Ok(()),
        other => Err(format!(
            "content[{index}].{path}{name}: expected a string in a block of type {}, got {}",
            quoted(kind),
            kind_of(other)
        )),
    };
    match kind {
        "text" => need(members, "", "text"),
        "image" | "audio" => need(members, "", "data").and_then(|()| need(members, "", "mimeType")),
        "resource" => match members.get("resource") {
            Some(Value::Object(resource)) => need(resource, "resource.", "uri"),
            other => Err(format!("content[{index}].resource: expected an object, got {}", kind_of(other))),
        },
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_is_measured_against_its_type_and_named_by_its_index() {
        for (text, expected) in [
            (r#"{"content":[]}"#, None),
            (r#"{"structuredContent":null}"#, None),
            (r#"{"content":[{"type":"text","text":""},{"type":"widget"}],"isError":false}"#, None),
            (r#"{"content":[{"type":"resource","resource":{"uri":"x"}}]}"#, None),
            ("null", Some("a call result")),
            ("{}", Some("content: expected an array of content blocks, got undefined")),
            (r#"{"content":null,"structuredContent":1}"#, Some("content: ")),
            (r#"{"content":[],"isError":"no"}"#, Some("isError: expected a boolean, got a string")),
            (r#"{"content":[{"type":"text","text":"a"},{"type":"text"}]}"#, Some("content[1].text: ")),
            (r#"{"content":[{"type":""}]}"#, Some(r#"content[0].type: expected a non-empty string, got """#)),
            (r#"{"content":[7]}"#, Some("content[0]: ")),
            (r#"{"content":[{"type":"image","data":"x"}]}"#, Some("content[0].mimeType: ")),
            (r#"{"content":[{"type":"audio","mimeType":"x"}]}"#, Some("content[0].data: ")),
            (r#"{"content":[{"type":"resource","resource":{}}]}"#, Some("content[0].resource.uri: ")),
            (r#"{"content":[{"type":"resource","uri":"x"}]}"#, Some("content[0].resource: expected an object")),
        ] {
            match (problem(text), expected) {
                (None, None) => {}
                (Some(found), Some(part)) => assert!(found.contains(part), "{text}: {found}"),
                (found, _) => panic!("{text}: {found:?}"),
            }
        }
    }

    #[test]
    fn depth_is_bounded() {
        let deep = format!(r#"{{"content":{}{}}}"#, "[".repeat(5_000), "]".repeat(5_000));
        assert!(problem(&deep).is_some_and(|message| message.contains("levels deep")));
    }
}
