//! One answer to `tools/list` or to another list, as the face hands it over.
//!
//! The face writes an envelope, since not every JavaScript value is JSON: `{"tools":[…],"nextCursor":…}`, or `{"shape":"a number"}` where the
//! answer is neither a list nor an object with one. An entry of `tools` is the tool's own JSON text, or
//! `{"name":…,"unserialisable":{"message":…,"cause":n}}` where it has none; a cursor that is no JSON comes as `{"cursorType":"a function"}`.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor, value::MapAccessDeserializer},
};
use serde_json::value::RawValue;

use super::tool::Sent;
use crate::{
    error::{ProtocolCode, ProtocolError},
    text::kind_of,
};

/// An opaque cursor, kept as the JSON text of its string, so that what goes back to the server is what came.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Cursor(Box<str>);

impl Cursor {
    /// The cursor as the JSON text of a string.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    /// An empty string: a cursor like any other since revision 2026-07-28, and "no more" from some servers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        &*self.0 == "\"\""
    }
}

/// A page of entries (tools, or those of another list), each still its own JSON text.
#[derive(Debug)]
pub struct Page<'a> {
    pub tools: Vec<&'a RawValue>,
    pub next: Option<Cursor>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Envelope<'a> {
    #[serde(borrow, default)]
    tools: Option<Vec<&'a RawValue>>,
    #[serde(borrow, default, deserialize_with = "present")]
    next_cursor: Option<&'a RawValue>,
    #[serde(default)]
    cursor_type: Option<String>,
    #[serde(default)]
    shape: Option<String>,
}

/// The tools of an only page, told apart into their fields in the one pass over the text. Nothing where the page leads on or a tool is not what it should
/// be: [`Page::read`] and [`Tool::read`](super::Tool::read) then say so.
pub(super) fn only_page(text: &str) -> Option<Vec<Sent<'_>>> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Only<'a> {
        #[serde(borrow)]
        tools: Vec<Fields<'a>>,
    }
    /// A derived struct is read from an array as well, which is no tool.
    struct Fields<'a>(Sent<'a>);
    impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
        fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
            source.deserialize_map(Object)
        }
    }
    struct Object;
    impl<'de> Visitor<'de> for Object {
        type Value = Fields<'de>;
        fn expecting(&self, words: &mut fmt::Formatter<'_>) -> fmt::Result {
            words.write_str("an object")
        }
        fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Fields<'de>, A::Error> {
            Sent::deserialize(MapAccessDeserializer::new(members)).map(Fields)
        }
    }
    // A cursor, where there is one, comes last.
    if !text.ends_with("]}") {
        return None;
    }
    let only: Only<'_> = serde_json::from_str(text).ok()?;
    Some(only.tools.into_iter().map(|Fields(sent)| sent).collect())
}

/// A field that is there, `null` included.
pub(super) fn present<'de, D: Deserializer<'de>>(source: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(source).map(Some)
}

impl<'a> Page<'a> {
    /// Reads the envelope of page number `number` (from 1) of the list `what`.
    ///
    /// # Errors
    /// `invalid_catalog_shape` and `invalid_cursor` (R3).
    pub fn read(text: &'a str, what: &str, number: usize) -> Result<Self, ProtocolError> {
        let shape = |came: &str| {
            ProtocolError::new(
                ProtocolCode::InvalidCatalogShape,
                format!("expected page {number} of {what} to be a list or an object with one, got {came}"),
            )
        };
        let envelope: Envelope<'a> = serde_json::from_str(text).map_err(|error| shape(&error.to_string()))?;
        let Some(tools) = envelope.tools else {
            return Err(shape(envelope.shape.as_deref().unwrap_or("an object without a list")));
        };
        let next = match (envelope.cursor_type, envelope.next_cursor.map(RawValue::get)) {
            (None, None | Some("null")) => None,
            (None, Some(cursor)) if cursor.starts_with('"') => Some(Cursor(cursor.into())),
            (came, cursor) => {
                let came = came.unwrap_or_else(|| cursor.map_or("nothing", kind_of).to_owned());
                return Err(ProtocolError::new(
                    ProtocolCode::InvalidCursor,
                    format!("expected nextCursor of page {number} of {what} to be a string, got {came}"),
                ));
            }
        };
        Ok(Self { tools, next })
    }
}
