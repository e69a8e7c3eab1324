//! Strings that did not cross: the face keeps long ones in a table and puts a reference in their place (architecture, point 3).
//!
//! A reference is a string `U+0000 F|P <index> : <length> : <excerpt>`: `F` where the excerpt is the full string, `P` where it is the
//! first 256 and the last 16 UTF-16 units of it. The face carries every string that begins with U+0000, so no server can write one.

use std::borrow::Cow;

use super::pieces::{Piece, Text};

/// UTF-16 units of a partial excerpt that come from the string's end.
const TAIL_UNITS: usize = 16;

/// One string of a result, as far as it is known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carried<'a> {
    /// The string itself.
    Here(&'a str),
    /// The string of this index in the face's table.
    There {
        index: u32,
        /// UTF-16 units.
        length: usize,
        /// The string where `full`, else its beginning and its end.
        excerpt: &'a str,
        full: bool,
    },
}

impl<'a> Carried<'a> {
    /// Reads a string of a skeleton.
    #[must_use]
    pub fn of(string: &'a str) -> Self {
        Self::reference(string).unwrap_or(Self::Here(string))
    }

    fn reference(string: &'a str) -> Option<Self> {
        let rest = string.strip_prefix('\0')?;
        let (full, rest) = match rest.strip_prefix('F') {
            Some(rest) => (true, rest),
            None => (false, rest.strip_prefix('P')?),
        };
        let (index, rest) = rest.split_once(':')?;
        let (length, excerpt) = rest.split_once(':')?;
        Some(Self::There { index: index.parse().ok()?, length: length.parse().ok()?, excerpt, full })
    }

    /// The whole string, where it is known.
    #[must_use]
    pub fn whole(self) -> Option<&'a str> {
        match self {
            Self::Here(string) | Self::There { excerpt: string, full: true, .. } => Some(string),
            Self::There { .. } => None,
        }
    }

    /// Its beginning: all of it where it is known.
    #[must_use]
    pub fn head(self) -> &'a str {
        self.split().0
    }

    /// Its beginning, and its end where the middle is not known.
    #[must_use]
    pub fn split(self) -> (&'a str, &'a str) {
        match self {
            Self::Here(string) | Self::There { excerpt: string, full: true, .. } => (string, ""),
            Self::There { excerpt, .. } => {
                // A surrogate half counts one unit, and so does what stands for it here: at most sixteen characters.
                let at = excerpt.char_indices().rev().nth(TAIL_UNITS - 1).map_or(0, |(at, _)| at);
                excerpt.split_at(at)
            }
        }
    }

    /// The string without the first `bytes` of its beginning.
    #[must_use]
    pub fn after(self, bytes: usize) -> Option<Self> {
        match self {
            Self::Here(string) => string.get(bytes..).map(Self::Here),
            Self::There { index, length, excerpt, full } => {
                let (gone, excerpt) = excerpt.split_at_checked(bytes)?;
                let length = length.checked_sub(gone.encode_utf16().count())?;
                Some(Self::There { index, length, excerpt, full })
            }
        }
    }

    /// UTF-16 units.
    #[must_use]
    pub fn units(self) -> usize {
        match self {
            Self::Here(string) => string.encode_utf16().count(),
            Self::There { length, .. } => length,
        }
    }

    #[must_use]
    pub fn is_empty(self) -> bool {
        match self {
            Self::Here(string) => string.is_empty(),
            Self::There { length, .. } => length == 0,
        }
    }

    /// Whether both are the same string. Where neither is known in full, length, beginning and end decide.
    #[must_use]
    pub fn same(self, other: Self) -> bool {
        match (self, other) {
            (Self::There { index: one, .. }, Self::There { index: two, .. }) if one == two => true,
            (one, two) => match (one.whole(), two.whole()) {
                (Some(one), Some(two)) => one == two,
                (Some(whole), None) => two.is_excerpt_of(whole),
                (None, Some(whole)) => one.is_excerpt_of(whole),
                (None, None) => one.units() == two.units() && one.split() == two.split(),
            },
        }
    }

    fn is_excerpt_of(self, whole: &str) -> bool {
        let (head, tail) = self.split();
        whole.starts_with(head) && whole.ends_with(tail) && self.units() == whole.encode_utf16().count()
    }

    /// The string as a piece of output.
    pub fn write(self, out: &mut Text) {
        match self {
            Self::Here(string) => out.push_str(string),
            Self::There { index, .. } => out.push(Piece::Raw(index)),
        }
    }

    /// What a label or a message shows of it.
    #[must_use]
    pub fn shown(self) -> Cow<'a, str> {
        match self.whole() {
            Some(string) => Cow::Borrowed(string),
            None => Cow::Owned(format!("{}…", self.head())),
        }
    }
}
