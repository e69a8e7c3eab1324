//! Strings that may have stayed on the other side of the boundary.

use serde::Deserialize;

/// A string of an answer, as the skeleton holds it.
#[derive(Debug, Clone, PartialEq)]
pub enum Carried<'a> {
    /// The string itself.
    Inline(&'a str),
    /// A string that stayed in JavaScript.
    Far(Far),
}

/// A reference: U+0000 followed by this as JSON. Equal strings share one index (the face may fail to notice that two are equal, never
/// the reverse). A string that itself begins with U+0000, or that holds a lone surrogate, is always a reference.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Far {
    /// Its number in the face's list.
    #[serde(rename = "i")]
    pub index: u32,
    /// Its length in UTF-16 units.
    #[serde(rename = "n")]
    pub length: usize,
    /// Its first 128 units at most.
    #[serde(rename = "h")]
    pub head: String,
    /// Its last 16 units at most.
    #[serde(rename = "t")]
    pub tail: String,
    /// Base64 digits in it, where it looks like base64 broken into lines.
    #[serde(rename = "d", default)]
    pub digits: Option<usize>,
}

impl<'a> Carried<'a> {
    /// A string of the skeleton.
    #[must_use]
    pub fn read(text: &'a str) -> Self {
        text.strip_prefix('\0')
            .and_then(|reference| serde_json::from_str(reference).ok())
            .map_or(Self::Inline(text), Self::Far)
    }

    /// Its length in UTF-16 units.
    #[must_use]
    pub fn length(&self) -> usize {
        match self {
            Self::Inline(text) => text.encode_utf16().count(),
            Self::Far(far) => far.length,
        }
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length() == 0
    }

    /// How it begins: all of an inline string, the head of another.
    #[must_use]
    pub fn head(&self) -> &str {
        match self {
            Self::Inline(text) => text,
            Self::Far(far) => &far.head,
        }
    }

    /// The same text, as far as this side can know: by index, or by length, head and tail where only one is at hand.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Inline(one), Self::Inline(two)) => one == two,
            (Self::Far(one), Self::Far(two)) => one.index == two.index,
            (Self::Far(far), Self::Inline(text)) | (Self::Inline(text), Self::Far(far)) => {
                text.len() >= far.length
                    && text.starts_with(&far.head)
                    && text.ends_with(&far.tail)
                    && text.encode_utf16().count() == far.length
            }
        }
    }
}
