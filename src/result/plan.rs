//! What the face is to put together.

use serde::Serialize;

use super::carried::Carried;

/// A string at hand, or the number of one that stayed in JavaScript.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Source {
    Text(String),
    Far(u32),
}

impl From<&Carried<'_>> for Source {
    fn from(carried: &Carried<'_>) -> Self {
        match carried {
            Carried::Inline(text) => Self::Text((*text).to_owned()),
            Carried::Far(far) => Self::Far(far.index),
        }
    }
}

/// One piece of a text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Piece {
    /// As it is.
    Plain(Source),
    /// As a JSON string; of its first `to` UTF-16 units only, where that is given.
    Json {
        json: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        to: Option<usize>,
    },
    /// Base64 in the alphabet of data URLs: line breaks removed, `-` and `_` replaced, padded.
    Base64 { base64: Source },
    /// The text that the base64 stands for; `otherwise` where it is not UTF-8.
    Utf8 { utf8: Source, otherwise: String },
}

/// A text in pieces. Neighbouring pieces that are at hand become one.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Text(pub Vec<Piece>);

impl Text {
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        let mut made = Self::default();
        made.push_str(&text.into());
        made
    }

    #[must_use]
    pub fn of(carried: &Carried<'_>) -> Self {
        let mut made = Self::default();
        made.push_carried(carried);
        made
    }

    #[must_use]
    pub fn piece(piece: Piece) -> Self {
        Self(vec![piece])
    }

    pub fn push_str(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.0.last_mut() {
            Some(Piece::Plain(Source::Text(last))) => last.push_str(text),
            _ => self.0.push(Piece::Plain(Source::Text(text.to_owned()))),
        }
    }

    pub fn push_carried(&mut self, carried: &Carried<'_>) {
        match carried {
            Carried::Inline(text) => self.push_str(text),
            Carried::Far(far) => self.0.push(Piece::Plain(Source::Far(far.index))),
        }
    }

    pub fn push(&mut self, piece: Piece) {
        self.0.push(piece);
    }

    pub fn append(&mut self, other: Self) {
        for piece in other.0 {
            match piece {
                Piece::Plain(Source::Text(text)) => self.push_str(&text),
                other => self.0.push(other),
            }
        }
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// `texts` as one, with `separator` between them.
    #[must_use]
    pub fn join(texts: impl IntoIterator<Item = Self>, separator: &str) -> Self {
        let mut joined = Self::default();
        for (index, text) in texts.into_iter().enumerate() {
            if index > 0 {
                joined.push_str(separator);
            }
            joined.append(text);
        }
        joined
    }
}

/// One of core's content parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Text(Text),
    /// The url of an image.
    Image(Text),
    /// The url of a video.
    Video(Text),
}

/// What is to be done with an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Plan {
    /// Unknown shape: what was expected, what came and where.
    Invalid(String),
    /// Nothing yet: whether `structuredContent` repeats the blocks cannot be told while their texts are far. The face sends them along.
    Closer,
    /// The tool says it failed: the message of the error.
    Failed(Text),
    /// One string.
    Text(Text),
    /// Content parts.
    Parts(Vec<Part>),
}

impl Plan {
    /// The plan as JSON text; `"closer"` where there is none yet.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Strings and numbers only: writing them cannot fail.
        serde_json::to_string(self).unwrap_or_else(|error| format!(r#"{{"invalid":"{error}"}}"#))
    }
}
