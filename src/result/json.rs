//! JSON text of a server's values, with binary data left out of it.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{
    base64::{inspect, looks_like_data},
    carried::Carried,
    label::Label,
    plan::{Piece, Text},
};
use crate::limits::MAX_BASE64_TEXT;

/// Binary data that the model is given in a block. A set: an answer may hold any number of blocks and of strings.
#[derive(Debug, Default)]
pub struct Data<'a> {
    inline: HashSet<&'a str>,
    far: HashSet<u32>,
}

impl Data<'_> {
    fn holds(&self, text: &Carried<'_>) -> bool {
        match text {
            Carried::Inline(text) => self.inline.contains(text),
            Carried::Far(far) => self.far.contains(&far.index),
        }
    }
}

impl<'a> FromIterator<Carried<'a>> for Data<'a> {
    fn from_iter<I: IntoIterator<Item = Carried<'a>>>(list: I) -> Self {
        let mut data = Self::default();
        for carried in list {
            match carried {
                Carried::Inline(text) => drop(data.inline.insert(text)),
                Carried::Far(far) => drop(data.far.insert(far.index)),
            }
        }
        data
    }
}

/// Writes values as JSON in pieces.
pub struct Writer<'a> {
    text: Text,
    /// Data that is never written again, however short; nothing where all is written as it is.
    shown: Option<&'a Data<'a>>,
    /// UTF-16 units that may still be written; nothing where there is no bound.
    left: Option<usize>,
}

impl<'a> Writer<'a> {
    /// A writer that leaves out what `shown` holds.
    #[must_use]
    pub fn new(shown: &'a Data<'a>) -> Self {
        Self { text: Text::default(), shown: Some(shown), left: None }
    }

    /// A writer that leaves out nothing: a uri may be a data URL, and must come back as it was listed.
    #[must_use]
    pub fn exact() -> Self {
        Self { text: Text::default(), shown: None, left: None }
    }

    /// The same, cut off after `units` UTF-16 units.
    #[must_use]
    pub fn bounded(mut self, units: usize) -> Self {
        self.left = Some(units);
        self
    }

    /// `value` as JSON text.
    #[must_use]
    pub fn write(mut self, value: &Value) -> Text {
        self.value(value);
        if self.left == Some(0) {
            self.text.push_str("… [cut]");
        }
        self.text
    }

    fn full(&self) -> bool {
        self.left == Some(0)
    }

    fn raw(&mut self, text: &str) {
        match self.left {
            None => self.text.push_str(text),
            Some(left) => {
                let units = text.encode_utf16().count();
                if units <= left {
                    self.text.push_str(text);
                    self.left = Some(left - units);
                } else {
                    let mut room = left;
                    let kept: String = text
                        .chars()
                        .take_while(|c| {
                            let fits = c.len_utf16() <= room;
                            room = if fits { room - c.len_utf16() } else { 0 };
                            fits
                        })
                        .collect();
                    self.text.push_str(&kept);
                    self.left = Some(0);
                }
            }
        }
    }

    fn value(&mut self, value: &Value) {
        if self.full() {
            return;
        }
        match value {
            Value::Null => self.raw("null"),
            Value::Bool(flag) => self.raw(if *flag { "true" } else { "false" }),
            Value::Number(number) => self.raw(&number.to_string()),
            Value::String(string) => {
                let carried = Carried::read(string);
                match self.shown.and_then(|shown| data_label(&carried, shown)) {
                    Some(label) => self.string(&Carried::Inline(&label)),
                    None => self.string(&carried),
                }
            }
            Value::Array(items) => {
                self.raw("[");
                for (index, item) in items.iter().enumerate() {
                    if self.full() {
                        return;
                    }
                    if index > 0 {
                        self.raw(",");
                    }
                    self.value(item);
                }
                self.raw("]");
            }
            Value::Object(members) => self.object(members),
        }
    }

    fn object(&mut self, members: &Map<String, Value>) {
        self.raw("{");
        let mut first = true;
        for (key, member) in members {
            if self.full() {
                return;
            }
            if !std::mem::take(&mut first) {
                self.raw(",");
            }
            self.string(&Carried::read(key));
            self.raw(":");
            match self.shown.and_then(|_| binary_member(members, key, member)) {
                Some(label) => self.string(&Carried::Inline(&label)),
                None => self.value(member),
            }
        }
        self.raw("}");
    }

    fn string(&mut self, text: &Carried<'_>) {
        match text {
            // Writing a string cannot fail.
            Carried::Inline(text) => self.raw(&serde_json::to_string(text).unwrap_or_default()),
            Carried::Far(far) => {
                let to = self.left.filter(|left| *left < far.length);
                self.text.push(Piece::Json { json: far.index, to });
                self.left = self.left.map(|left| left.saturating_sub(far.length));
            }
        }
    }
}

/// The label of a string that is data: one that a block shows, the payload of a data URL, or a long run of base64.
fn data_label(text: &Carried<'_>, shown: &Data<'_>) -> Option<String> {
    let known = shown.holds(text);
    let head = text.head();
    let url = head.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:")) && text.length() > 64;
    if !known && !url && !looks_like_data(text, MAX_BASE64_TEXT) {
        return None;
    }
    let payload = inspect(text);
    if url && payload.is_none() {
        return None;
    }
    let (mime, bytes) = payload.map_or((None, text.length()), |payload| (payload.mime, payload.bytes));
    Some(Label { mime, bytes: Some(bytes as u64), ..Label::default() }.text("Base64"))
}

/// The label of `data` in what looks like an image or audio block, and of `blob` in what looks like resource contents.
fn binary_member(members: &Map<String, Value>, key: &str, member: &Value) -> Option<String> {
    let is = |name: &str| members.get(name).and_then(Value::as_str);
    let binary = match key {
        "data" => matches!(is("type"), Some("image" | "audio")),
        "blob" => is("uri").is_some(),
        _ => false,
    };
    let data = Carried::read(member.as_str().filter(|_| binary)?);
    let payload = inspect(&data).filter(|payload| payload.bytes > 0)?;
    Some(Label { bytes: Some(payload.bytes as u64), ..Label::default() }.text("Base64"))
}
