//! What goes back to the face: output in pieces, which it joins. A piece is text made here, or a string of the face's table.

use serde::{Serialize, Serializer, ser::SerializeMap};

use crate::error::ProtocolError;

/// One piece of a text. In JSON: the text itself, an index, or `[operation, index, …]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Inline(String),
    /// The string of the table, as it is.
    Raw(u32),
    /// The string of the table as JSON text, in quotes.
    Json(u32),
    /// The string of the table as plain base64: without white space, from the URL alphabet to the usual one, padded.
    Repair(u32),
    /// The string of the table decoded from base64 as UTF-8, or `otherwise` where it is not that.
    Decode {
        index: u32,
        otherwise: String,
    },
}

impl Serialize for Piece {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Inline(text) => serializer.serialize_str(text),
            Self::Raw(index) => serializer.serialize_u32(*index),
            Self::Json(index) => ("json", index).serialize(serializer),
            Self::Repair(index) => ("repair", index).serialize(serializer),
            Self::Decode { index, otherwise } => ("decode", index, otherwise).serialize(serializer),
        }
    }
}

/// A text in pieces; neighbouring inline pieces are one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Text(Vec<Piece>);

impl Text {
    /// A text that is all here.
    #[must_use]
    pub fn inline(text: impl Into<String>) -> Self {
        let text = text.into();
        Self(if text.is_empty() { Vec::new() } else { vec![Piece::Inline(text)] })
    }

    pub fn push_str(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if let Some(Piece::Inline(last)) = self.0.last_mut() {
            last.push_str(text);
        } else {
            self.0.push(Piece::Inline(text.to_owned()));
        }
    }

    pub fn push(&mut self, piece: Piece) {
        match piece {
            Piece::Inline(text) => self.push_str(&text),
            piece => self.0.push(piece),
        }
    }

    pub fn append(&mut self, other: Self) {
        for piece in other.0 {
            self.push(piece);
        }
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.0
    }
}

/// A content part of core's. In JSON: `[kind, pieces]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    Text(Text),
    /// The URL of an image.
    Image(Text),
    /// The URL of a video.
    Video(Text),
}

impl Serialize for Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => ("text", text),
            Self::Image(url) => ("image", url),
            Self::Video(url) => ("video", url),
        }
        .serialize(serializer)
    }
}

/// What becomes of an answer. In JSON an object with one member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan {
    /// `{"text": pieces}`
    Text(Text),
    /// `{"parts": [part, …]}`
    Parts(Vec<Part>),
    /// `{"failed": pieces}`: the message of the error that the tool reports.
    Failed(Text),
    /// `{"invalid": {"code"?, "message"}}`: an answer of unknown shape.
    Invalid(ProtocolError),
    /// `{"unreadable": message}`: an answer that is a clear error, but none of the codes.
    Unreadable(String),
}

impl Plan {
    /// The plan's JSON text.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Strings and numbers only: writing them cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl Serialize for Plan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        match self {
            Self::Text(text) => map.serialize_entry("text", text)?,
            Self::Parts(parts) => map.serialize_entry("parts", parts)?,
            Self::Failed(message) => map.serialize_entry("failed", message)?,
            Self::Invalid(error) => map.serialize_entry(
                "invalid",
                &serde_json::json!({ "code": error.code.as_str(), "message": error.message }),
            )?,
            Self::Unreadable(message) => map.serialize_entry("unreadable", message)?,
        }
        map.end()
    }
}

/// Joins texts by `separator`, empty ones included.
#[must_use]
pub fn join(texts: impl IntoIterator<Item = Text>, separator: &str) -> Text {
    let mut joined = Text::default();
    for (index, text) in texts.into_iter().enumerate() {
        if index > 0 {
            joined.push_str(separator);
        }
        joined.append(text);
    }
    joined
}
