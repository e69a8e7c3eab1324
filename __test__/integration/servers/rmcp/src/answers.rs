//! What the server answers to a call, for a prompt, for a resource.

use rmcp::model::{
    CallToolResult, ContentBlock, ErrorData, GetPromptResult, JsonObject, PromptMessage, ReadResourceResult, Resource,
    ResourceContents, Role,
};
use serde_json::{Value, json};

/// A PNG of one pixel.
const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/// Four bytes.
const BYTES: &str = "AAECAw==";

fn text_of(uri: &str, text: &str) -> ResourceContents {
    ResourceContents::text(text, uri).with_mime_type("text/plain")
}

fn blob_of(uri: &str, mime_type: &str, blob: &str) -> ResourceContents {
    ResourceContents::blob(blob, uri).with_mime_type(mime_type)
}

fn link() -> Resource {
    Resource::new("probe://archive", "archive").with_mime_type("application/gzip").with_size(4)
}

pub(crate) fn call(name: &str, arguments: &JsonObject) -> Result<CallToolResult, ErrorData> {
    match name {
        "echo.back" => Ok(CallToolResult::success(vec![ContentBlock::text(json!(arguments).to_string())])),
        "add" => {
            let number = |key: &str| arguments.get(key).and_then(Value::as_i64).unwrap_or_default();
            Ok(CallToolResult::structured(json!({ "sum": number("a").saturating_add(number("b")) })))
        }
        "blocks" => Ok(CallToolResult::success(vec![
            ContentBlock::text("all kinds"),
            ContentBlock::image(PIXEL, "image/png"),
            ContentBlock::audio(BYTES, "audio/wav"),
            ContentBlock::resource(text_of("probe://notes", "one\ntwo")),
            ContentBlock::resource(blob_of("probe://archive", "application/gzip", BYTES)),
            ContentBlock::resource_link(link()),
        ])),
        "remove" => {
            let what = arguments.get("what").and_then(Value::as_str).unwrap_or_default();
            Ok(CallToolResult::success(vec![ContentBlock::text(format!("removed {what}"))]))
        }
        "fails" => Ok(CallToolResult::error(vec![ContentBlock::text("already exists")])),
        _ => Err(ErrorData::invalid_params(format!("no such tool: {name}"), None)),
    }
}

pub(crate) fn prompt(name: &str, arguments: &JsonObject) -> Result<GetPromptResult, ErrorData> {
    let user = |text: String| PromptMessage::new_text(Role::User, text);
    match name {
        "plain" => Ok(GetPromptResult::new(vec![
            user("What is new?".into()),
            PromptMessage::new_text(Role::Assistant, "Nothing."),
        ])),
        "greet" => Ok(GetPromptResult::new(vec![user(json!(arguments).to_string())]).with_description("Greets")),
        "mixed" => Ok(GetPromptResult::new(vec![
            user("Look at this:".into()),
            PromptMessage::new(Role::User, ContentBlock::image(PIXEL, "image/png")),
            PromptMessage::new(Role::User, ContentBlock::resource(text_of("probe://notes", "one\ntwo"))),
            PromptMessage::new_resource_link(Role::User, link()),
        ])),
        _ => Err(ErrorData::invalid_params(format!("no such prompt: {name}"), None)),
    }
}

pub(crate) fn resource(uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let contents = match uri {
        "probe://notes" => vec![text_of(uri, "one"), text_of(uri, "two")],
        "probe://pixel" => vec![blob_of(uri, "image/png", PIXEL)],
        "probe://archive" => vec![blob_of(uri, "application/gzip", BYTES)],
        _ => match uri.strip_prefix("probe://item/") {
            Some(id) => vec![text_of(uri, &format!("item {id}"))],
            None => return Err(ErrorData::resource_not_found(format!("no such resource: {uri}"), None)),
        },
    };
    Ok(ReadResourceResult::new(contents))
}
