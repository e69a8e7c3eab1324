//! What the model sees of a call's result (spec R23 and R24).

use serde_json::Value;

use super::{
    block::{Members, Place, Shown, data_of, show},
    carried::Carried,
    json::Writer,
    kind_of,
    mirror::{has_far_text, is_mirror},
    plan::{Part, Plan, Text},
    with_value,
};

/// What the handler of a tool makes of the result in `skeleton`; [`Plan::Closer`] where long texts are needed to tell and `whole` does not
/// say that they are all there.
#[must_use]
pub fn plan(skeleton: &str, whole: bool) -> Plan {
    with_value(skeleton, |value| of_result(value, whole)).unwrap_or_else(Plan::Invalid)
}

fn of_result(value: &Value, whole: bool) -> Plan {
    let Value::Object(result) = value else {
        return Plan::Invalid(format!(
            "expected a call result (an object with a content array), got {}",
            kind_of(Some(value))
        ));
    };
    let members = Members(result);
    let content = members.get("content").and_then(Value::as_array);
    let structured = members.get("structuredContent");
    let failed = is_failure(members.get("isError"));
    let blocks: &[Value] = match (content, structured) {
        (Some(blocks), _) => blocks,
        (None, Some(_)) => &[],
        (None, None) => {
            return match result.get("toolResult") {
                Some(inner) => of_legacy(inner, failed, whole),
                None if failed => Plan::Failed(message(&[], None)),
                None => Plan::Invalid(format!(
                    "content: expected an array of content blocks, got {}",
                    kind_of(result.get("content"))
                )),
            };
        }
    };
    if failed { Plan::Failed(message(blocks, structured)) } else { answer(blocks, structured, whole) }
}

/// A failure is never taken for a success, however the server writes it.
fn is_failure(flag: Option<&Value>) -> bool {
    match flag {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::String(text)) => !matches!(text.as_str(), "" | "false"),
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(_) => true,
    }
}

/// Servers of the protocol's first revision, 2024-10-07, wrap what they return in `toolResult`.
fn of_legacy(inner: &Value, failed: bool, whole: bool) -> Plan {
    if let Value::Object(members) = inner
        && (Members(members).get("content").is_some_and(Value::is_array)
            || Members(members).get("structuredContent").is_some())
    {
        let plan = of_result(inner, whole);
        return match plan {
            Plan::Text(text) if failed => Plan::Failed(prefixed(text)),
            Plan::Parts(_) if failed => Plan::Failed(message(
                members.get("content").and_then(Value::as_array).map_or(&[], Vec::as_slice),
                Members(members).get("structuredContent"),
            )),
            plan => plan,
        };
    }
    let text = match inner {
        Value::String(text) => Text::of(&Carried::read(text)),
        other => Writer::new(&[]).write(other),
    };
    if failed { Plan::Failed(prefixed(text)) } else { Plan::Text(text) }
}

fn answer(blocks: &[Value], structured: Option<&Value>, whole: bool) -> Plan {
    let data: Vec<Carried<'_>> = blocks.iter().filter_map(data_of).collect();
    let shown: Vec<Shown> = blocks.iter().map(|block| show(block, Place::Answer, &data)).collect();
    let structured = structured.filter(|structured| blocks.is_empty() || !is_mirror(structured, blocks));
    if structured.is_some() && !whole && blocks.iter().any(has_far_text) {
        return Plan::Closer;
    }
    let more = structured.map(|structured| Writer::new(&data).write(structured));
    if shown.iter().all(|block| matches!(block, Shown::Text(_))) {
        let mut texts: Vec<Text> = shown.into_iter().filter_map(Shown::into_text).collect();
        if let Some(more) = more {
            // Empty text says nothing, and is no reason for a line of its own before the data.
            if texts.iter().all(Text::is_empty) {
                texts.clear();
            }
            texts.push(more);
        }
        return Plan::Text(Text::join(texts, "\n"));
    }
    let mut parts: Vec<Part> = shown.into_iter().map(Shown::into_part).collect();
    parts.extend(more.map(Part::Text));
    Plan::Parts(parts)
}

/// The message of a tool's failure: the text of the result, other blocks as labels, and the data only where there is nothing else.
fn message(blocks: &[Value], structured: Option<&Value>) -> Text {
    let data: Vec<Carried<'_>> = blocks.iter().filter_map(data_of).collect();
    let texts = blocks.iter().filter_map(|block| match show(block, Place::Message, &data).into_part() {
        Part::Text(text) => Some(text).filter(|text| !text.is_empty()),
        // A message holds no image; `Place::Message` makes none.
        Part::Image(_) | Part::Video(_) => None,
    });
    let mut text = Text::join(texts, "\n");
    if let (true, Some(structured)) = (text.is_empty(), structured) {
        text = Writer::new(&data).write(structured);
    }
    prefixed(text)
}

fn prefixed(text: Text) -> Text {
    let mut message = Text::new("MCP tool error: ");
    if text.is_empty() {
        message.push_str("the tool reported a failure and gave no reason");
    }
    message.append(text);
    message
}
