//! Prompts: their shape, and the instruction that is made of one (spec R28).

use serde_json::Value;

use super::{
    block::{Place, Shown, data_of, show},
    json::Data,
    kind_of,
    plan::{Part, Plan, Text},
    with_value,
};

/// Why the answer to `prompts/get` in `skeleton` is no prompt, or nothing where it is one. Only what cannot be shown at all is refused: a role
/// that MCP does not know, and content of an older facade, stay as sent.
#[must_use]
pub fn problem(skeleton: &str) -> Option<String> {
    match with_value(skeleton, |value| check(value).err()) {
        Ok(found) => found,
        Err(unreadable) => Some(unreadable),
    }
}

fn check(value: &Value) -> Result<(), String> {
    let Value::Object(prompt) = value else {
        return Err(format!("expected a prompt (an object with messages), got {}", kind_of(Some(value))));
    };
    let Some(Value::Array(messages)) = prompt.get("messages") else {
        return Err(format!("messages: expected an array, got {}", kind_of(prompt.get("messages"))));
    };
    for (index, message) in messages.iter().enumerate() {
        let Value::Object(members) = message else {
            return Err(format!("messages[{index}]: expected an object, got {}", kind_of(Some(message))));
        };
        if !matches!(members.get("role"), Some(Value::String(_))) {
            return Err(format!("messages[{index}].role: expected a string, got {}", kind_of(members.get("role"))));
        }
        if !matches!(members.get("content"), Some(Value::String(_) | Value::Array(_) | Value::Object(_))) {
            return Err(format!(
                "messages[{index}].content: expected a content block, got {}",
                kind_of(members.get("content"))
            ));
        }
    }
    Ok(())
}

/// The instruction made of the prompt in `skeleton`: one string where all is text, messages apart by a blank line, else parts.
#[must_use]
pub fn plan(skeleton: &str) -> Plan {
    with_value(skeleton, |value| check(value).map_or_else(Plan::Invalid, |()| instruction(value)))
        .unwrap_or_else(Plan::Invalid)
}

fn instruction(prompt: &Value) -> Plan {
    let messages = prompt.get("messages").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let contents: Vec<&[Value]> = messages.iter().filter_map(|message| message.get("content").map(blocks_of)).collect();
    let data: Data<'_> = contents.iter().flat_map(|blocks| blocks.iter().filter_map(data_of)).collect();
    let shown: Vec<Vec<Shown>> = contents
        .iter()
        .map(|blocks| blocks.iter().map(|block| show(block, Place::Instruction, &data)).collect())
        .collect();
    if shown.iter().flatten().all(|block| matches!(block, Shown::Text(_))) {
        let texts = shown.into_iter().map(|blocks| Text::join(blocks.into_iter().filter_map(Shown::into_text), "\n"));
        return Plan::Text(Text::join(texts, "\n\n"));
    }
    Plan::Parts(shown.into_iter().flatten().map(Shown::into_part).collect::<Vec<Part>>())
}

/// The blocks of a message's content: in MCP one block, in older facades a string or an array.
fn blocks_of(content: &Value) -> &[Value] {
    match content {
        Value::Array(blocks) => blocks,
        other => std::slice::from_ref(other),
    }
}
