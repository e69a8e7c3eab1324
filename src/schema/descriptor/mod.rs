//! From a tool's input schema to what the model is to be shown of it: the schema descriptor (spec R16).
//!
//! A descriptor is a small language of its own, free of dialects and references: it says what zod 3 can say, in one node for each level, and puts
//! the rest into words at the end of that level's description. It never forbids what the schema allows: validation does not use it.

mod budget;
mod build;
mod merge;
mod read;
mod root;
mod words;

use jsonschema::Draft;
use serde::Serialize;
use serde_json::Value;

use self::build::Builder;
use super::{dialect::Dialect, mend::as_meant};
use crate::{
    limits::{MAX_DESCRIPTOR_DEPTH, MAX_SCHEMA_BYTES, MAX_UNROLLED},
    text,
};

/// One level of a schema.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Node {
    #[serde(flatten)]
    pub(super) kind: Kind,
    /// The schema's own description, and behind it, in words, what no kind of node can say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) default: Option<Value>,
}

/// What a value must be.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(super) enum Kind {
    Any,
    Never,
    Null,
    Boolean,
    String {
        #[serde(skip_serializing_if = "Option::is_none")]
        min_length: Option<Value>,
        #[serde(skip_serializing_if = "Option::is_none")]
        max_length: Option<Value>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pattern: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        format: Option<String>,
    },
    /// A number, or an integer.
    Number {
        integer: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        minimum: Option<Value>,
        #[serde(skip_serializing_if = "Option::is_none")]
        exclusive_minimum: Option<Value>,
        #[serde(skip_serializing_if = "Option::is_none")]
        maximum: Option<Value>,
        #[serde(skip_serializing_if = "Option::is_none")]
        exclusive_maximum: Option<Value>,
        #[serde(skip_serializing_if = "Option::is_none")]
        multiple_of: Option<Value>,
    },
    /// One of these values; `integer` where the schema says besides that they are integers.
    Enum {
        values: Vec<Value>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        integer: bool,
    },
    /// An array whose first items are `positions`, and whose others are `rest`.
    Array {
        #[serde(skip_serializing_if = "Vec::is_empty")]
        positions: Vec<Node>,
        rest: Box<Node>,
        #[serde(skip_serializing_if = "Option::is_none")]
        min_items: Option<Value>,
        #[serde(skip_serializing_if = "Option::is_none")]
        max_items: Option<Value>,
    },
    /// An object with these properties, in this order, and any others of the kind `rest`.
    Object {
        properties: Vec<Property>,
        rest: Box<Node>,
    },
    /// At least one of these.
    Union {
        options: Vec<Node>,
    },
    /// All of these.
    All {
        parts: Vec<Node>,
    },
}

/// A property: its name, its kind, whether it must be there. A tuple, so that no name is ever a key.
pub(super) type Property = (String, Node, bool);

impl From<Kind> for Node {
    fn from(kind: Kind) -> Self {
        Self { kind, description: None, default: None }
    }
}

impl Node {
    /// Adds `words` at the end of the description.
    pub(super) fn with_words(mut self, words: &str) -> Self {
        if !words.is_empty() {
            self.description = Some(match self.description.take() {
                Some(description) if !description.is_empty() => format!("{description} ({words})"),
                _ => format!("({words})"),
            });
        }
        self
    }
}

/// The descriptor, as JSON text, of the schema whose JSON text is `schema`. The root is always an object: arguments are (MCP, `tools/call`).
///
/// Text that is no schema gives a descriptor that takes any object.
#[must_use]
pub(super) fn describe(schema: &str) -> String {
    let hidden = |why: &str| {
        let node = Node::from(Kind::Object { properties: Vec::new(), rest: Box::new(Kind::Any.into()) });
        written(&node.with_words(&format!("the server's schema is not shown: {why}")))
    };
    if schema.len() > MAX_SCHEMA_BYTES {
        return hidden(&format!("it has {} bytes, and at most {MAX_SCHEMA_BYTES} are read", schema.len()));
    }
    match text::parse(schema) {
        Err(error) => hidden(&format!("it is {error}")),
        Ok(mut value) => {
            let newest = Dialect { draft: Draft::Draft202012, by_default: true };
            let dialect = Dialect::of(&value).unwrap_or(newest);
            // To write and to drop what is deep takes as much stack as to make it.
            text::with_stack_for(nesting(schema), || {
                as_meant(&mut value, dialect, true);
                written(&Builder::describe_root(&value, dialect.draft))
            })
            .unwrap_or_else(|error| hidden(&error.to_string()))
        }
    }
}

fn written(node: &Node) -> String {
    // Strings for keys throughout: writing it cannot fail.
    serde_json::to_string(node).unwrap_or_else(|_| r#"{"kind":"object","properties":[],"rest":{"kind":"any"}}"#.into())
}

/// How deep work on the schema whose JSON text is `schema` may recurse: its nesting, once more for each time that a reference leads back into it.
fn nesting(schema: &str) -> usize {
    let depth = text::depth(schema);
    let hops = schema.matches("ef\"").count().saturating_mul(MAX_UNROLLED);
    depth + depth.saturating_mul(hops).min(MAX_DESCRIPTOR_DEPTH)
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod hostile_tests;
