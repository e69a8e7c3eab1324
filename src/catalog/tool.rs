//! One tool of a catalog.

use std::{borrow::Cow, sync::Arc};

use serde::Deserialize;
use serde_json::{Map, Value, value::RawValue};

use super::page::present;
use crate::{
    error::{ProtocolCode, ProtocolError},
    schema::{self, Schema},
    text::{self, kind_of, quoted},
};

/// What a tool without an input schema takes: any object (R7).
const ANY_OBJECT: &str = r#"{"type":"object","properties":{}}"#;

/// A tool as `tools/list` describes it, checked. Its parts are the JSON text that came.
#[derive(Debug)]
pub struct Tool {
    name: String,
    head: Box<str>,
    input_schema: Arc<Schema>,
    output_schema: Option<Box<str>>,
}

/// The fields of a tool that this package knows; any other is left out of the catalog.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sent<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    title: Option<&'a RawValue>,
    #[serde(borrow, default)]
    description: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    input_schema: Option<&'a RawValue>,
    #[serde(borrow, default)]
    output_schema: Option<&'a RawValue>,
    #[serde(borrow, default)]
    annotations: Option<&'a RawValue>,
    #[serde(borrow, default)]
    execution: Option<&'a RawValue>,
    #[serde(borrow, default)]
    icons: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<&'a RawValue>,
    /// What kept the face from writing the input schema as JSON (see the envelope in `page`).
    #[serde(default)]
    unserialisable: Option<Unserialisable>,
}

#[derive(Deserialize)]
struct Unserialisable {
    message: String,
    cause: u32,
}

impl Tool {
    /// Reads the tool at `index` of its page.
    ///
    /// # Errors
    /// The codes of R7. A `null` where the protocol makes a field optional counts as absent.
    pub fn read(entry: &RawValue, index: usize) -> Result<Self, ProtocolError> {
        let text = entry.get();
        if !text.starts_with('{') {
            return Err(ProtocolError::new(
                ProtocolCode::InvalidCatalogShape,
                format!("expected tool {index} to be an object, got {}", kind_of(text)),
            ));
        }
        let sent: Sent<'_> = serde_json::from_str(text).map_err(|error| {
            ProtocolError::new(ProtocolCode::InvalidCatalogShape, format!("tool {index} cannot be read: {error}"))
        })?;
        Self::of(&sent, index)
    }

    /// The same of a tool whose fields have been told apart.
    pub(super) fn of(sent: &Sent<'_>, index: usize) -> Result<Self, ProtocolError> {
        let name_text = sent.name.map_or("undefined", RawValue::get);
        let name = match text::parse(name_text) {
            Ok(Value::String(name)) if !name.is_empty() => name,
            _ => {
                let came = if name_text == "\"\"" { "an empty string" } else { kind_of(name_text) };
                return Err(ProtocolError::new(
                    ProtocolCode::InvalidToolName,
                    format!("expected tool {index} to have a non-empty string as its name, got {came}"),
                ));
            }
        };
        let fail = |code, message: String| ProtocolError::new(code, message).of_tool(name.clone());
        if let Some(description) = sent.description.map(RawValue::get)
            && !description.starts_with('"')
        {
            return Err(fail(
                ProtocolCode::InvalidToolDescription,
                format!(
                    "expected the description of tool {} to be a string, got {}",
                    quoted(&name),
                    kind_of(description)
                ),
            ));
        }
        if let Some(problem) = &sent.unserialisable {
            let mut error = fail(
                ProtocolCode::InvalidToolSchema,
                format!("expected the input schema of tool {} to be JSON: {}", quoted(&name), problem.message),
            );
            error.cause = Some(problem.cause);
            return Err(error);
        }
        let input_schema = sent.input_schema.map_or(ANY_OBJECT, RawValue::get);
        if !input_schema.starts_with('{') {
            return Err(fail(
                ProtocolCode::InvalidToolSchema,
                format!(
                    "expected the input schema of tool {} to be an object, got {}",
                    quoted(&name),
                    kind_of(input_schema)
                ),
            ));
        }
        Ok(Self::build(sent, name, input_schema))
    }

    fn build(sent: &Sent<'_>, name: String, input_schema: &str) -> Self {
        let annotations = starting(sent.annotations, '{').map(without_nulls);
        let mut head = String::new();
        for (key, part) in [
            ("name", sent.name.map(RawValue::get)),
            ("title", starting(sent.title, '"')),
            ("description", sent.description.map(RawValue::get)),
            ("annotations", annotations.as_deref()),
            ("execution", starting(sent.execution, '{')),
            // An array of icons is the one part that is a list.
            ("icons", starting(sent.icons, '[')),
            ("_meta", starting(sent.meta, '{')),
        ] {
            if let Some(part) = part {
                field(&mut head, key, part);
            }
        }
        head.push('}');
        let output_schema = starting(sent.output_schema, '{');
        let [head, input_schema, output_schema] =
            text::mostly_ascii([&head, input_schema, output_schema.unwrap_or_default()]);
        Self {
            name,
            input_schema: schema::shared(&input_schema),
            output_schema: (!output_schema.is_empty()).then(|| output_schema.into()),
            head: head.into(),
        }
    }

    /// The native name, as the server lists it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Adds the whole tool to a JSON text.
    pub fn write(&self, text: &mut String) {
        text.push_str(self.head.strip_suffix('}').unwrap_or_default());
        field(text, "inputSchema", self.input_schema.text());
        if let Some(schema) = &self.output_schema {
            field(text, "outputSchema", schema);
        }
        text.push('}');
    }

    /// About as many bytes as [`Tool::write`] adds, and not fewer.
    pub(super) fn size(&self) -> usize {
        self.head.len()
            + self.input_schema.text().len()
            + self.output_schema.as_ref().map_or(0, |schema| schema.len())
            + 40
    }

    /// The tool as JSON text without its schemas, which are large and seldom looked at.
    #[must_use]
    pub fn head(&self) -> &str {
        &self.head
    }

    #[must_use]
    pub fn input_schema(&self) -> &Arc<Schema> {
        &self.input_schema
    }

    /// JSON text of the output schema.
    #[must_use]
    pub fn output_schema(&self) -> Option<&str> {
        self.output_schema.as_deref()
    }
}

/// The text of a part that is of the kind which begins with `start`.
fn starting(part: Option<&RawValue>, start: char) -> Option<&str> {
    part.map(RawValue::get).filter(|text| text.starts_with(start))
}

/// Adds `"key":part` to an object's text that is not closed yet. Every tool has a name, so that only the first key finds nothing before it.
fn field(object: &mut String, key: &str, part: &str) {
    object.push(if object.is_empty() { '{' } else { ',' });
    object.push('"');
    object.push_str(key);
    object.push_str("\":");
    object.push_str(part);
}

/// An object's text without members that are `null`: servers send `readOnlyHint: null` for "not said".
fn without_nulls(object: &str) -> Cow<'_, str> {
    if !object.contains("null") {
        return Cow::Borrowed(object);
    }
    let Ok(mut members) = serde_json::from_str::<Map<String, Value>>(object) else { return Cow::Borrowed(object) };
    members.retain(|_, member| !member.is_null());
    serde_json::to_string(&members).map_or(Cow::Borrowed(object), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_read_from_its_own_text_is_the_same_one() {
        for entry in [
            // An annotation that is null has all of them written anew.
            r#"{"name":"a","description":"a long one, in which little is beyond ASCII","annotations":{"title":"検索","readOnlyHint":null}}"#,
            // What is left out has most of what is beyond it.
            r#"{"name":"a","description":"a long one – in which little is beyond ASCII","other":"検索検索検索検索検索検索"}"#,
            r#"{"name":"検索","description":"検索","annotations":{"title":"検索","idempotentHint":null},"inputSchema":{"title":"é"}}"#,
        ] {
            let text_of = |tool: &Tool| {
                let mut text = String::new();
                tool.write(&mut text);
                assert!(text.len() <= tool.size());
                text
            };
            let tool = Tool::read(serde_json::from_str(entry).unwrap(), 0).unwrap();
            let text = text_of(&tool);
            let again = Tool::read(serde_json::from_str(&text).unwrap(), 0).unwrap();
            assert_eq!((&*text_of(&again), again.head()), (&*text, tool.head()));
            assert_eq!(again.input_schema().text(), tool.input_schema().text());
            assert!(text.contains(tool.input_schema().text()));
        }
    }
}
