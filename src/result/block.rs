//! Content blocks as a model sees them (R24). A block that is not what it says degrades alone, to a label or to its JSON.
//!
//! The blocks are those of MCP 2025-11-25 (rmcp's `ContentBlock`; a test holds both together), read leniently: `null` in an optional field
//! is the same as none.

use serde_json::{Map, Value};

use super::{
    base64,
    carried::Carried,
    json_text::write_json_up_to,
    label::Label,
    pieces::{Part, Piece, Text},
};
use crate::{
    limits::{MAX_UNKNOWN_BLOCK, MAX_UNKNOWN_STRING, MIN_BASE64_LABEL},
    text::shortened,
};

/// Characters that are shown of a string too long for the block it is in.
const MAX_SHOWN_BEGINNING: usize = 200;

/// What a block may become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Parts of a tool's result: texts and images.
    Result,
    /// Parts of a prompt: also videos, and images by URL.
    Prompt,
    /// Text alone, for the message of an error.
    Words,
}

/// One block, rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    pub part: Part,
    /// Whether it was a text block: only these join into one string.
    pub is_text: bool,
}

impl Rendered {
    fn text(text: Text) -> Self {
        Self { part: Part::Text(text), is_text: true }
    }

    fn other(part: Part) -> Self {
        Self { part, is_text: false }
    }

    fn label(label: Label) -> Self {
        Self::other(Part::Text(Text::inline(label.finish())))
    }

    /// Its text: a label has one, an image and a video have none.
    #[must_use]
    pub fn into_text(self) -> Option<Text> {
        match self.part {
            Part::Text(text) => Some(text),
            Part::Image(_) | Part::Video(_) => None,
        }
    }
}

/// A member that is there and not null.
#[must_use]
pub fn member<'a>(holder: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    holder.get(key).filter(|value| !value.is_null())
}

/// A member that is a string.
#[must_use]
pub fn string<'a>(holder: &'a Map<String, Value>, key: &str) -> Option<Carried<'a>> {
    member(holder, key)?.as_str().map(Carried::of)
}

/// Renders `block` for `form`.
#[must_use]
pub fn render(block: &Value, form: Form) -> Rendered {
    let fields = match block {
        Value::String(text) => return Rendered::text(whole_text(Carried::of(text))),
        Value::Object(fields) => fields,
        _ => return unknown(block),
    };
    let kind = fields.get("type").and_then(Value::as_str);
    match kind {
        Some("text") | None => match member(fields, "text") {
            Some(Value::String(text)) => Rendered::text(whole_text(Carried::of(text))),
            Some(value) if kind.is_some() => Rendered::text(bounded_json(value)),
            _ => unknown(block),
        },
        Some("image") => image(fields, form),
        Some("audio") => {
            Rendered::label(Label::new("Audio").binary_mime(string(fields, "mimeType")).size_of(string(fields, "data")))
        }
        Some("video") => video(fields, form),
        Some("resource") => match member(fields, "resource") {
            Some(Value::Object(resource)) => embedded(resource, form),
            None if string(fields, "uri").is_some() => embedded(fields, form),
            _ => unknown(block),
        },
        Some("resource_link") => match linked_video(fields, form) {
            Some(uri) => Rendered::other(Part::Video(whole_text(uri))),
            None => Rendered::label(link(fields)),
        },
        Some(_) => unknown(block),
    }
}

/// The string as it is.
fn whole_text(string: Carried<'_>) -> Text {
    let mut text = Text::default();
    string.write(&mut text);
    text
}

fn image(fields: &Map<String, Value>, form: Form) -> Rendered {
    let (data, mime) = (string(fields, "data"), string(fields, "mimeType"));
    if form != Form::Words {
        if let Some(url) = data.and_then(|data| image_url(data, mime, true)) {
            return Rendered::other(Part::Image(url));
        }
        if let (Form::Prompt, None, Some(url)) = (form, data, url_of(fields, "image")) {
            return Rendered::other(Part::Image(whole_text(url)));
        }
    }
    Rendered::label(Label::new("Image").binary_mime(mime).size_of(data))
}

/// The data URL of an image: of its own type, else of the type that its first bytes say where `sniff` allows it. `None` where it is none.
fn image_url(data: Carried<'_>, mime: Option<Carried<'_>>, sniff: bool) -> Option<Text> {
    if let Some((mime, _)) = base64::data_url(data.head()) {
        return base64::is_kind(mime, "image").then(|| whole_text(data));
    }
    let found = base64::inspect(data)?;
    let said = mime.and_then(Carried::whole).and_then(base64::media_type).filter(|mime| base64::is_kind(mime, "image"));
    let mime = said.or_else(|| sniff.then(|| base64::sniff_image(data.head())).flatten())?;
    Some(data_url(mime, data, found.plain))
}

/// A data URL (RFC 2397) of `data`, repaired where it is not plain base64.
fn data_url(mime: &str, data: Carried<'_>, plain: bool) -> Text {
    let mut url = Text::inline(format!("data:{mime};base64,"));
    match data {
        _ if plain => data.write(&mut url),
        Carried::Here(data) => url.push_str(&base64::repair(data)),
        Carried::There { index, .. } => url.push(Piece::Repair(index)),
    }
    url
}

/// `url`, or `<kind>.url` as core writes it, where a model's provider may fetch it or read it in place.
fn url_of<'a>(fields: &'a Map<String, Value>, kind: &str) -> Option<Carried<'a>> {
    let nested = fields.get(kind).and_then(Value::as_object).and_then(|holder| string(holder, "url"));
    string(fields, "url").or(nested).filter(|url| {
        let head = url.head();
        is_web(head) || base64::data_url(head).is_some_and(|(mime, _)| base64::is_kind(mime, kind))
    })
}

/// Whether `url` is one that the provider of a model may fetch.
fn is_web(url: &str) -> bool {
    ["https://", "http://"]
        .iter()
        .any(|scheme| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}

fn video(fields: &Map<String, Value>, form: Form) -> Rendered {
    let (data, mime) = (string(fields, "data"), string(fields, "mimeType"));
    if form == Form::Prompt {
        if let Some(url) = url_of(fields, "video") {
            return Rendered::other(Part::Video(whole_text(url)));
        }
        let kind = mime.and_then(Carried::whole).and_then(base64::media_type);
        if let (Some(data), Some(kind)) = (data, kind.filter(|kind| base64::is_kind(kind, "video")))
            && let Some(found) = base64::inspect(data)
        {
            return Rendered::other(Part::Video(data_url(kind, data, found.plain)));
        }
    }
    let url = string(fields, "url");
    let label = Label::new("Video").uri(url).mime(mime);
    Rendered::label(if data.is_none() && url.is_some() { label } else { label.size_of(data) })
}

/// An embedded resource: its text, its image, or a label.
fn embedded(resource: &Map<String, Value>, form: Form) -> Rendered {
    let (uri, mime) = (string(resource, "uri"), string(resource, "mimeType"));
    if let Some(text) = string(resource, "text") {
        return Rendered::other(Part::Text(whole_text(text)));
    }
    let Some(blob) = string(resource, "blob") else {
        return Rendered::label(Label::new("Resource").name_and_uri(string(resource, "name"), uri).mime(mime));
    };
    let label = || Label::new("Blob").uri(uri).binary_mime(mime).size_of(Some(blob)).finish();
    match blob_part(blob, mime, form, label) {
        Some(part) => Rendered::other(part),
        None => Rendered::other(Part::Text(Text::inline(label()))),
    }
}

/// A blob as more than a label: an image of the type it is said to be, or `text/*` that is UTF-8.
pub fn blob_part(
    blob: Carried<'_>,
    mime: Option<Carried<'_>>,
    form: Form,
    otherwise: impl Fn() -> String,
) -> Option<Part> {
    let kind = mime.and_then(Carried::whole).and_then(base64::media_type)?;
    if base64::is_kind(kind, "image") && form != Form::Words {
        return image_url(blob, mime, false).map(Part::Image);
    }
    if !base64::is_kind(kind, "text") {
        return None;
    }
    match (blob.whole(), blob) {
        (Some(blob), _) => base64::decode_text(blob).map(|text| Part::Text(Text::inline(text))),
        (None, Carried::There { index, .. }) => {
            base64::inspect(blob)?;
            let mut text = Text::default();
            text.push(Piece::Decode { index, otherwise: otherwise() });
            Some(Part::Text(text))
        }
        (None, Carried::Here(_)) => None,
    }
}

/// A link to a video that can be fetched: MCP has no block for videos, so this is how a prompt of its words holds one.
fn linked_video(fields: &Map<String, Value>, form: Form) -> Option<Carried<'_>> {
    let is_video = |mime: Carried<'_>| mime.whole().is_some_and(|mime| base64::is_kind(mime, "video"));
    let uri = string(fields, "uri").filter(|uri| is_web(uri.head()))?;
    (form == Form::Prompt && string(fields, "mimeType").is_some_and(is_video)).then_some(uri)
}

fn link(fields: &Map<String, Value>) -> Label {
    let name = string(fields, "name").or_else(|| string(fields, "title"));
    let size = member(fields, "size").and_then(Value::as_f64).filter(|size| *size >= 0.0 && size.fract() == 0.0);
    let label = Label::new("Resource link").name_and_uri(name, string(fields, "uri")).mime(string(fields, "mimeType"));
    match size {
        Some(size) => label.remark(&format!("{size} bytes")),
        None => label,
    }
}

/// A block that nobody knows, as its JSON.
fn unknown(block: &Value) -> Rendered {
    Rendered::other(Part::Text(bounded_json(block)))
}

/// The JSON text of a value of a server's own kind: long strings shortened, base64 a label, the whole bounded.
fn bounded_json(value: &Value) -> Text {
    let mut text = Text::default();
    let shorten = |string: Carried<'_>| {
        encoded_label(string).or_else(|| {
            (string.units() > MAX_UNKNOWN_STRING)
                .then(|| format!("{} ({} characters)", shortened(string.head(), MAX_SHOWN_BEGINNING), string.units()))
        })
    };
    if !write_json_up_to(value, MAX_UNKNOWN_BLOCK, &shorten, &mut text) {
        text.push_str("… [cut]");
    }
    text
}

/// What stands for a long string of base64, or for any data URL, where text is wanted.
#[must_use]
pub fn encoded_label(string: Carried<'_>) -> Option<String> {
    if base64::is_data_url(string.head()) {
        let mime = base64::data_url(string.head()).map(|(mime, _)| Carried::Here(mime));
        return Some(Label::new("Base64").mime(mime).size_of(mime.map(|_| string)).finish());
    }
    if string.units() < MIN_BASE64_LABEL {
        return None;
    }
    let found = base64::inspect(string)?;
    looks_encoded(string.head()).then(|| Label::new("Base64").bytes(found.bytes).finish())
}

/// Whether what could be base64 is no list of words, ruler or padding: its first line is long and mixes letters of both cases and digits.
fn looks_encoded(head: &str) -> bool {
    let line = head.split_whitespace().next().unwrap_or_default();
    let has = |class: fn(&u8) -> bool| line.as_bytes().iter().any(class);
    line.len() >= 60 && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit)
}

#[cfg(test)]
#[path = "block_tests.rs"]
mod tests;
