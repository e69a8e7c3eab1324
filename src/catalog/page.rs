//! One answer to `tools/list` or to another list, as the face hands it over.
//!
//! The face writes an envelope, since not every JavaScript value is JSON: `{"tools":[…],"nextCursor":…}`, or `{"shape":"a number"}` where the
//! answer is neither a list nor an object with one. An entry of `tools` is the tool's own JSON text, or
//! `{"name":…,"unserialisable":{"message":…,"cause":n}}` where it has none; a cursor that is no JSON comes as `{"cursorType":"a function"}`.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

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
