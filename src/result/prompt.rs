//! The answer to `prompts/get` (R28): its shape, and its messages as one instruction.

use serde_json::Value;

use super::{
    block::{Form, Rendered, render},
    call::kind,
    pieces::{Part, Plan, join},
};

/// Checks that an answer has messages, each with content.
///
/// # Errors
/// What was expected and what came, and where.
pub fn check(result: &Value) -> Result<(), String> {
    messages(result)?.iter().enumerate().try_for_each(|(index, message)| blocks(message, index).map(drop))
}

/// The messages as an instruction: one string where all blocks are text, else parts.
#[must_use]
pub fn plan(result: &Value) -> Plan {
    match rendered(result) {
        Err(message) => Plan::Unreadable(message),
        Ok(messages) => {
            if messages.iter().flatten().all(|block| block.is_text) {
                let texts =
                    messages.into_iter().map(|blocks| join(blocks.into_iter().filter_map(Rendered::into_text), "\n"));
                return Plan::Text(join(texts, "\n\n"));
            }
            let parts: Vec<Part> = messages.into_iter().flatten().map(|block| block.part).collect();
            Plan::Parts(parts)
        }
    }
}

fn rendered(result: &Value) -> Result<Vec<Vec<Rendered>>, String> {
    messages(result)?
        .iter()
        .enumerate()
        .map(|(index, message)| Ok(blocks(message, index)?.iter().map(|block| render(block, Form::Prompt)).collect()))
        .collect()
}

fn broken(what: &str) -> String {
    format!("The MCP server's answer to prompts/get cannot be used: {what}")
}

fn messages(result: &Value) -> Result<&[Value], String> {
    let fields = result
        .as_object()
        .ok_or_else(|| broken(&format!("expected an object with messages, got {}", kind(Some(result)))))?;
    match fields.get("messages") {
        Some(Value::Array(messages)) => Ok(messages),
        other => Err(broken(&format!("messages: expected an array, got {}", kind(other)))),
    }
}

/// The blocks of a message: one as MCP says, or a string or a list as older facades have it.
fn blocks(message: &Value, index: usize) -> Result<&[Value], String> {
    let content = match message {
        Value::Object(fields) => fields.get("content"),
        other => return Err(broken(&format!("messages[{index}]: expected an object, got {}", kind(Some(other))))),
    };
    match content {
        Some(Value::Array(blocks)) => Ok(blocks),
        Some(content @ (Value::String(_) | Value::Object(_))) => Ok(std::slice::from_ref(content)),
        other => Err(broken(&format!(
            "messages[{index}].content: expected a content block, a string or an array, got {}",
            kind(other)
        ))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::result::pieces::Text;

    fn said(content: &Value) -> Value {
        json!({"role": "user", "content": content})
    }

    #[test]
    fn messages_of_text_are_one_string() {
        let prompt = json!({"messages": [
            said(&json!({"type": "text", "text": "a"})),
            said(&json!("b")),
            said(&json!([{"type": "text", "text": "c"}, {"type": "text", "text": "d"}])),
        ]});
        assert_eq!(plan(&prompt), Plan::Text(Text::inline("a\n\nb\n\nc\nd")));
        assert_eq!(plan(&json!({"messages": []})), Plan::Text(Text::default()));
    }

    #[test]
    fn anything_else_makes_parts_in_order() {
        let prompt = json!({"messages": [
            said(&json!({"type": "text", "text": "a"})),
            said(&json!({"type": "resource", "resource": {"uri": "x://a", "text": "ctx"}})),
            said(&json!({"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"})),
        ]});
        let text = |text: &str| Part::Text(Text::inline(text));
        assert_eq!(plan(&prompt), Plan::Parts(vec![text("a"), text("ctx"), text("[Audio: audio/wav, 4 bytes]")]));
    }

    #[test]
    fn what_is_no_prompt_says_where() {
        for (prompt, expected) in [
            (json!([]), "expected an object with messages, got an array"),
            (json!({"messages": {}}), "messages: expected an array, got an object"),
            (json!({"messages": [1]}), "messages[0]: expected an object, got a number"),
            (
                json!({"messages": [said(&json!(null))]}),
                "messages[0].content: expected a content block, a string or an array, got null",
            ),
        ] {
            let message = check(&prompt).unwrap_err();
            assert!(message.ends_with(expected), "{message}");
            assert_eq!(plan(&prompt), Plan::Unreadable(message));
        }
    }
}
