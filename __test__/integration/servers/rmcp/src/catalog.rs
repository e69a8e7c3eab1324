//! What the server lists, in pages of two where that is to be tried.

use std::sync::Arc;

use rmcp::model::{
    ErrorData, JsonObject, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    Prompt, PromptArgument, Resource, ResourceTemplate, Tool, ToolAnnotations,
};
use serde_json::{Value, json};

/// Items on a page.
const PAGE: usize = 2;

fn object(value: Value) -> Arc<JsonObject> {
    Arc::new(if let Value::Object(members) = value { members } else { JsonObject::new() })
}

fn tool(name: &'static str, description: &'static str, properties: Value, required: &[&str]) -> Tool {
    let mut schema = json!({ "type": "object" });
    schema["properties"] = properties;
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    Tool::new(name, description, object(schema))
}

/// The page at `cursor` and the cursor of the next one.
fn page<T>(items: Vec<T>, cursor: Option<&str>) -> Result<(Vec<T>, Option<String>), ErrorData> {
    let from: usize = match cursor {
        None => 0,
        Some(text) => text.parse().map_err(|_| ErrorData::invalid_params(format!("no such cursor: {text}"), None))?,
    };
    let more = items.len() > from.saturating_add(PAGE);
    let next = more.then(|| (from + PAGE).to_string());
    Ok((items.into_iter().skip(from).take(PAGE).collect(), next))
}

pub(crate) fn tools(cursor: Option<&str>) -> Result<ListToolsResult, ErrorData> {
    let number = json!({ "type": "integer", "description": "a whole number", "minimum": 0 });
    let (tools, next_cursor) = page(
        vec![
            tool("echo.back", "Gives its arguments back", json!({}), &[]),
            tool("add", "Adds two numbers", json!({ "a": number, "b": number }), &["a", "b"])
                .with_raw_output_schema(object(
                    json!({ "type": "object", "properties": { "sum": { "type": "integer" } }, "required": ["sum"] }),
                ))
                .with_annotations(ToolAnnotations::with_title("Addition").read_only(true).idempotent(true)),
            tool("blocks", "One block of every kind", json!({}), &[]).with_title("All kinds"),
            tool("remove", "Removes a thing", json!({ "what": { "type": "string" } }), &["what"])
                .with_annotations(ToolAnnotations::new().read_only(false).destructive(true)),
            tool("fails", "Fails with a reason", json!({}), &[]),
            tool("rejects", "Answers with a protocol error", json!({}), &[]),
            tool("slow", "Takes long and tells its progress", json!({}), &[]),
            tool("log", "What the server has seen", json!({}), &[]),
        ],
        cursor,
    )?;
    Ok(ListToolsResult { next_cursor, ..ListToolsResult::with_all_items(tools) })
}

pub(crate) fn prompts(cursor: Option<&str>) -> Result<ListPromptsResult, ErrorData> {
    let (prompts, next_cursor) = page(
        vec![
            Prompt::new("plain", Some("Text alone"), None),
            Prompt::new(
                "greet",
                Some("Greets somebody"),
                Some(vec![
                    PromptArgument::new("name").with_description("whom").with_required(true),
                    PromptArgument::new("times").with_required(false),
                ]),
            ),
            Prompt::new("mixed", Some("Blocks of several kinds"), None).with_title("Mixed"),
        ],
        cursor,
    )?;
    Ok(ListPromptsResult { next_cursor, ..ListPromptsResult::with_all_items(prompts) })
}

pub(crate) fn resources(cursor: Option<&str>) -> Result<ListResourcesResult, ErrorData> {
    let (resources, next_cursor) = page(
        vec![
            Resource::new("probe://notes", "notes")
                .with_title("Notes")
                .with_description("Two notes")
                .with_mime_type("text/plain")
                .with_size(11),
            Resource::new("probe://pixel", "pixel").with_mime_type("image/png"),
            Resource::new("probe://archive", "archive").with_mime_type("application/gzip"),
        ],
        cursor,
    )?;
    Ok(ListResourcesResult { next_cursor, ..ListResourcesResult::with_all_items(resources) })
}

pub(crate) fn templates() -> ListResourceTemplatesResult {
    ListResourceTemplatesResult::with_all_items(vec![
        ResourceTemplate::new("probe://item/{id}", "item")
            .with_description("Item by its number")
            .with_mime_type("text/plain"),
    ])
}
