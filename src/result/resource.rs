//! The answer to `resources/read` (R27), and the text of a listing for a model.

use rmcp::model::{Resource, ResourceTemplate};
use serde_json::{Map, Value};

use super::{
    block::{Form, blob_part, member, string},
    call::kind,
    carried::Carried,
    json_text::write_json,
    label::Label,
    pieces::{Part, Plan, Text, join},
};
use crate::text::quoted;

/// One entry of `contents`, or why it cannot be read.
enum Entry {
    Readable(Part),
    Unreadable { uri: Option<String>, reason: String },
}

/// What the model reads of a resource: texts and labels as one string, parts where an image is among them.
#[must_use]
pub fn plan(result: &Value) -> Plan {
    let contents = match result {
        Value::Array(contents) => contents,
        Value::Object(fields) => match fields.get("contents") {
            Some(Value::Array(contents)) => contents,
            other => {
                return Plan::Unreadable(format!(
                    "The MCP server's answer to resources/read cannot be used: contents: expected an array, got {}",
                    kind(other)
                ));
            }
        },
        other => {
            return Plan::Unreadable(format!(
                "The MCP server's answer to resources/read cannot be used: expected an object with contents, got {}",
                kind(Some(other))
            ));
        }
    };
    let entries: Vec<Entry> = contents.iter().enumerate().map(|(index, value)| entry(value, index)).collect();
    let readable = entries.iter().any(|entry| matches!(entry, Entry::Readable(_)));
    if !readable && let Some(Entry::Unreadable { uri, reason }) = entries.first() {
        let uri = uri.as_ref().map(|uri| format!(" {}", quoted(uri))).unwrap_or_default();
        return Plan::Unreadable(format!("The MCP resource{uri} cannot be read: {reason}"));
    }
    let parts: Vec<Part> = entries
        .into_iter()
        .map(|entry| match entry {
            Entry::Readable(part) => part,
            // One broken entry does not take the others away.
            Entry::Unreadable { uri, reason } => Part::Text(Text::inline(
                Label::new("Unreadable").uri(uri.as_deref().map(Carried::Here)).remark(&reason).finish(),
            )),
        })
        .collect();
    if parts.iter().any(|part| matches!(part, Part::Image(_))) {
        return Plan::Parts(parts);
    }
    let texts = parts.into_iter().filter_map(|part| match part {
        Part::Text(text) => Some(text),
        Part::Image(_) | Part::Video(_) => None,
    });
    Plan::Text(join(texts, "\n"))
}

fn entry(value: &Value, index: usize) -> Entry {
    let at = format!("contents[{index}]");
    let Value::Object(fields) = value else {
        return Entry::Unreadable { uri: None, reason: format!("{at}: expected an object, got {}", kind(Some(value))) };
    };
    let uri = || string(fields, "uri").map(|uri| uri.shown().into_owned());
    if let Some(text) = string(fields, "text") {
        let mut whole = Text::default();
        text.write(&mut whole);
        return Entry::Readable(Part::Text(whole));
    }
    let Some(blob) = string(fields, "blob") else {
        let found = ["text", "blob"].into_iter().find_map(|key| member(fields, key).map(|value| (key, value)));
        let reason = match found {
            Some((key, value)) => format!("{at}.{key}: expected a string, got {}", kind(Some(value))),
            None => format!("{at}: expected text or blob (a string), got neither"),
        };
        return Entry::Unreadable { uri: uri(), reason };
    };
    if !blob.is_empty() && super::base64::inspect(blob).is_none() {
        return Entry::Unreadable {
            uri: uri(),
            reason: format!("{at}.blob: expected base64, got a string that is none"),
        };
    }
    let mime = string(fields, "mimeType");
    let label = || Label::new("Blob").binary_mime(mime).size_of(Some(blob)).finish();
    Entry::Readable(blob_part(blob, mime, Form::Result, label).unwrap_or_else(|| Part::Text(Text::inline(label()))))
}

/// The JSON text of a page of resources, and of the templates where they were asked for (R27): the fields that help a model, in one order.
///
/// `pages` is `{"resources": answer, "templates"?: answer}`. Templates come on top: where there are none, or the answer is no list, they are
/// left out.
///
/// An entry without a uri is left out, as nobody can read it; a name that is missing is the uri.
///
/// # Errors
/// What was expected and what came, where the answer is no listing at all.
pub fn listing(pages: &Value) -> Result<Text, String> {
    let answer = |key: &str| pages.get(key).filter(|answer| !answer.is_null());
    let (entries, cursor) = page(answer("resources").unwrap_or(&Value::Null), "resources", "resources/list")?;
    let mut listing = Map::new();
    listing.insert("resources".into(), entries.iter().filter_map(resource).collect());
    let templates = answer("templates").map(|answer| page(answer, "resourceTemplates", "resources/templates/list"));
    if let Some(Ok((templates @ [_, ..], _))) = templates {
        listing.insert("resourceTemplates".into(), templates.iter().filter_map(template).collect());
    }
    if let Some(cursor) = cursor {
        listing.insert("nextCursor".into(), cursor.clone());
    }
    let mut text = Text::default();
    write_json(&Value::Object(listing), &|_| None, &mut text);
    Ok(text)
}

/// The entries of a page, and the cursor to the next. An empty cursor is none: servers are known that send it for "no more", and a model
/// that follows it would read the first page for ever.
fn page<'a>(answer: &'a Value, key: &str, method: &str) -> Result<(&'a [Value], Option<&'a Value>), String> {
    let broken = |what: String| format!("The MCP server's answer to {method} cannot be used: {what}");
    match answer {
        Value::Array(entries) => Ok((entries, None)),
        Value::Object(fields) => {
            let entries = match fields.get(key) {
                Some(Value::Array(entries)) => entries,
                other => return Err(broken(format!("{key}: expected an array, got {}", kind(other)))),
            };
            match member(fields, "nextCursor") {
                None => Ok((entries, None)),
                Some(cursor @ Value::String(text)) => Ok((entries, (!text.is_empty()).then_some(cursor))),
                other => Err(broken(format!("nextCursor: expected a string, got {}", kind(other)))),
            }
        }
        other => Err(broken(format!("expected an array or an object, got {}", kind(Some(other))))),
    }
}

/// A string member as the skeleton has it: a reference stays one.
fn raw<'a>(fields: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    member(fields, key)?.as_str()
}

fn resource(value: &Value) -> Option<Value> {
    let fields = value.as_object()?;
    let uri = raw(fields, "uri").filter(|uri| !uri.is_empty())?;
    let mut resource = Resource::new(uri, raw(fields, "name").unwrap_or(uri));
    resource.title = raw(fields, "title").map(Into::into);
    resource.description = raw(fields, "description").map(Into::into);
    resource.mime_type = raw(fields, "mimeType").map(Into::into);
    resource.size = member(fields, "size").and_then(whole_number);
    serde_json::to_value(resource).ok()
}

fn template(value: &Value) -> Option<Value> {
    let fields = value.as_object()?;
    let uri = raw(fields, "uriTemplate").filter(|uri| !uri.is_empty())?;
    let mut template = ResourceTemplate::new(uri, raw(fields, "name").unwrap_or(uri));
    template.title = raw(fields, "title").map(Into::into);
    template.description = raw(fields, "description").map(Into::into);
    template.mime_type = raw(fields, "mimeType").map(Into::into);
    serde_json::to_value(template).ok()
}

fn whole_number(value: &Value) -> Option<u64> {
    let from_float = || value.as_f64().and_then(|float| serde_json::from_str(&format!("{float}")).ok());
    value.as_u64().or_else(from_float)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(text: &str) -> Plan {
        Plan::Text(Text::inline(text))
    }

    #[test]
    fn texts_and_labels_are_one_string() {
        let contents = json!({"contents": [{"uri": "x://dir/1", "text": "a"}, {"uri": "x://dir/2", "blob": "AA=="}]});
        assert_eq!(plan(&contents), text("a\n[Blob: application/octet-stream, 1 byte]"));
        assert_eq!(plan(&json!({"contents": []})), text(""));
        assert_eq!(
            plan(&json!({"contents": [{"uri": "x", "mimeType": "text/plain", "blob": "aGVsbG8="}]})),
            text("hello")
        );
        assert_eq!(
            plan(&json!({"contents": [{"uri": "x://a.gz", "mimeType": "application/gzip", "blob": "H4sIAAAAAAAA"}]})),
            text("[Blob: application/gzip, 9 bytes]")
        );
    }

    #[test]
    fn what_cannot_be_read_is_a_clear_error_or_a_label_beside_the_rest() {
        let plan_of = |contents: Value| plan(&json!({ "contents": contents }));
        let neither = json!({"uri": "x://a", "mimeType": "text/plain"});
        assert_eq!(
            plan_of(json!([neither])),
            Plan::Unreadable(
                "The MCP resource \"x://a\" cannot be read: contents[0]: expected text or blob (a string), got neither"
                    .into()
            )
        );
        assert!(
            matches!(plan_of(json!([{"uri": "x://a", "blob": "**"}])), Plan::Unreadable(message) if message.contains("blob: expected base64"))
        );
        assert!(matches!(plan_of(json!([5])), Plan::Unreadable(_)));
        assert!(matches!(plan(&json!({})), Plan::Unreadable(message) if message.contains("got undefined")));
        let mixed = plan_of(json!([neither, {"uri": "x://b", "text": "b"}]));
        assert!(matches!(mixed, Plan::Text(text) if format!("{text:?}").contains("[Unreadable: x://a, ")));
    }

    #[test]
    fn a_listing_has_the_fields_that_help_and_no_others() {
        let resources = json!({"resources": [
            {"uri": "x://a", "name": "a", "size": 3, "title": null, "_meta": {}, "mimeType": "text/plain", "annotations": {"priority": 2}},
            {"uri": "x://b", "size": -1},
            {"name": "no uri"},
            7,
        ], "nextCursor": "c"});
        let templates = json!([{"uriTemplate": "x://{id}", "name": "t", "size": 3}]);
        assert_eq!(
            listing(&json!({ "resources": resources, "templates": templates })),
            Ok(Text::inline(
                r#"{"resources":[{"uri":"x://a","name":"a","mimeType":"text/plain","size":3},{"uri":"x://b","name":"x://b"}],"resourceTemplates":[{"uriTemplate":"x://{id}","name":"t"}],"nextCursor":"c"}"#
            ))
        );
        let list =
            |resources: Value, templates: Value| listing(&json!({"resources": resources, "templates": templates}));
        let empty = Ok(Text::inline(r#"{"resources":[]}"#));
        assert_eq!(list(json!({"resources": [], "nextCursor": ""}), Value::Null), empty);
        assert_eq!(list(json!([]), json!("broken")), empty);
        assert_eq!(list(json!([]), json!([])), empty);
        assert!(list(json!({"resources": [], "nextCursor": 5}), Value::Null).is_err());
        assert!(list(json!("x"), Value::Null).is_err());
    }
}
