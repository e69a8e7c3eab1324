//! What the model sees of a call's result (spec R23 and R24).

use serde_json::Value;

use super::{
    block::{Members, Place, Shown, data_of, show},
    carried::Carried,
    json::{Data, Writer},
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
        other => Writer::new(&Data::default()).write(other),
    };
    if failed { Plan::Failed(prefixed(text)) } else { Plan::Text(text) }
}

fn answer(blocks: &[Value], structured: Option<&Value>, whole: bool) -> Plan {
    let data: Data<'_> = blocks.iter().filter_map(data_of).collect();
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
    let data: Data<'_> = blocks.iter().filter_map(data_of).collect();
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::result::plan::{Piece, Source};

    fn shown(value: &Value) -> Plan {
        plan(&value.to_string(), true)
    }

    fn far(index: u32, length: usize, head: &str) -> String {
        format!("\0{}", json!({"i": index, "n": length, "h": head, "t": head}))
    }

    #[test]
    fn long_strings_are_named_by_their_number() {
        let data = far(0, 10_000_000, &"A".repeat(64));
        let result = json!({"content": [
            {"type": "text", "text": far(1, 5_000, "so it begins")},
            {"type": "image", "data": data, "mimeType": "image/png"}
        ]});
        let mut url = Text::new("data:image/png;base64,");
        url.push(Piece::Plain(Source::Far(0)));
        let text = Text::piece(Piece::Plain(Source::Far(1)));
        assert_eq!(shown(&result), Plan::Parts(vec![Part::Text(text), Part::Image(url)]));
    }

    #[test]
    fn far_texts_are_asked_for_only_where_they_may_decide() {
        let text = far(0, 5_000, "so it begins");
        let block = json!({"type": "text", "text": text});
        for (structured, closer) in [(json!({"content": text}), false), (json!({"rows": [1, 2]}), true)] {
            let skeleton = json!({"content": [block], "structuredContent": structured}).to_string();
            assert_eq!(plan(&skeleton, false) == Plan::Closer, closer, "{structured}");
            assert_ne!(plan(&skeleton, true), Plan::Closer);
        }
    }

    #[test]
    fn many_blocks_and_many_strings_cost_no_more_than_both_together() {
        let block = |n: usize| json!({"type": "image", "data": format!("{n:08}"), "mimeType": "image/png"});
        let blocks: Vec<Value> = (0..50_000).map(block).collect();
        let strings: Vec<Value> = (0..50_000).map(|n| json!([n, format!("s{n}"), n % 2 == 0])).collect();
        // Compared one with one this would be thousands of millions of steps, and the test would not end.
        let Plan::Parts(parts) = shown(&json!({"content": blocks, "structuredContent": strings})) else {
            panic!("expected parts");
        };
        assert_eq!(parts.len(), 50_001);
    }

    /// Results of any shape, in the words of MCP.
    fn value() -> impl Strategy<Value = Value> {
        let word = prop_oneof![
            "[ -~]{0,12}",
            Just("text".to_owned()),
            Just("resource".to_owned()),
            Just("image/png".to_owned()),
            Just("iVBORw0KGgo=".to_owned()),
            Just("\0{\"i\":0}".to_owned()),
            any::<String>(),
        ];
        let key = prop::sample::select(vec![
            "content",
            "structuredContent",
            "isError",
            "type",
            "text",
            "data",
            "blob",
            "mimeType",
            "resource",
            "uri",
            "toolResult",
            "x",
        ]);
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            word.prop_map(Value::from)
        ];
        leaf.prop_recursive(5, 40, 6, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::vec((key.clone(), inner), 0..6).prop_map(|members| {
                    Value::Object(members.into_iter().map(|(key, member)| (key.to_owned(), member)).collect())
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn no_value_makes_it_panic(value in value(), whole in any::<bool>()) {
            let made = plan(&value.to_string(), whole).to_json();
            prop_assert!(serde_json::from_str::<Value>(&made).is_ok());
            drop(crate::result::resource::plan(&value.to_string()));
            drop(crate::result::resource::listing(&value.to_string(), Some(&value.to_string())));
            drop(crate::result::prompt::plan(&value.to_string()));
            drop(crate::result::strict::problem(&value.to_string()));
        }

        #[test]
        fn no_text_makes_it_panic(text in any::<String>()) {
            prop_assert!(matches!(plan(&text, true), Plan::Invalid(_)) || serde_json::from_str::<Value>(&text).is_ok());
        }

        #[test]
        fn texts_are_joined_in_order(texts in prop::collection::vec("[^\0]{0,20}", 0..6)) {
            let blocks: Vec<Value> = texts.iter().map(|text| json!({"type": "text", "text": text})).collect();
            prop_assert_eq!(shown(&json!({"content": blocks})), Plan::Text(Text::new(texts.join("\n"))));
        }
    }
}
