//! Content blocks as servers send them, and what the model sees of each (spec R24). Nothing here fails: a block that breaks MCP becomes a
//! label that says what is wrong with it, or its JSON.

use serde_json::{Map, Value};

use super::{
    base64::{Form, inspect, media_type, sniff},
    carried::Carried,
    json::{Data, Writer},
    label::Label,
    plan::{Part, Piece, Source, Text},
};
use crate::limits::MAX_UNKNOWN_BLOCK;

/// What a block becomes.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    /// The text of a text block.
    Text(Text),
    /// Any other block.
    Part(Part),
}

impl Shown {
    /// The text, where it is that of a text block.
    #[must_use]
    pub fn into_text(self) -> Option<Text> {
        match self {
            Self::Text(text) => Some(text),
            Self::Part(_) => None,
        }
    }

    /// As one of core's parts.
    #[must_use]
    pub fn into_part(self) -> Part {
        match self {
            Self::Text(text) => Part::Text(text),
            Self::Part(part) => part,
        }
    }
}

/// Members of a block, where `null` counts as absent.
#[derive(Clone, Copy)]
pub struct Members<'a>(pub &'a Map<String, Value>);

impl<'a> Members<'a> {
    #[must_use]
    pub fn get(self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    #[must_use]
    pub fn string(self, name: &str) -> Option<Carried<'a>> {
        self.get(name).and_then(Value::as_str).map(Carried::read)
    }

    #[must_use]
    pub fn object(self, name: &str) -> Option<Self> {
        self.get(name).and_then(Value::as_object).map(Self)
    }

    /// The media type, where it is one.
    #[must_use]
    pub fn mime(self) -> Option<String> {
        self.get("mimeType").and_then(Value::as_str).and_then(media_type)
    }

    #[must_use]
    pub fn kind(self) -> Option<&'a str> {
        self.get("type").and_then(Value::as_str)
    }
}

/// Where blocks are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The answer of a tool.
    Answer,
    /// An instruction made of a prompt, where videos have a word too (spec R28).
    Instruction,
    /// The message of an error, which can hold no image.
    Message,
}

/// What the model sees of `block`; `data` is what other blocks show as binary.
#[must_use]
pub fn show(block: &Value, place: Place, data: &Data<'_>) -> Shown {
    let members = match block {
        Value::Object(members) => Members(members),
        // Not a block of MCP, but the server meant to say it.
        Value::String(text) => return Shown::Text(Text::of(&Carried::read(text))),
        _ => return unknown(block, data),
    };
    let part = match members.kind() {
        Some("text") | None => match members.string("text") {
            Some(text) => return Shown::Text(Text::of(&text)),
            None => return unknown(block, data),
        },
        Some("image") => image(members, "data", place),
        Some("audio") => label(members, members.string("data").as_ref(), "Audio"),
        Some("resource") => resource(members, place),
        Some("resource_link") => link(members, place),
        Some("video") if place == Place::Instruction => match video(members) {
            Some(part) => part,
            None => return unknown(block, data),
        },
        Some(_) => return unknown(block, data),
    };
    Shown::Part(part)
}

fn unknown(block: &Value, data: &Data<'_>) -> Shown {
    Shown::Part(Part::Text(Writer::new(data).bounded(MAX_UNKNOWN_BLOCK).write(block)))
}

/// The image whose base64 stands in `members` under `name`, or a label that says why there is none to see.
fn image(members: Members<'_>, name: &str, place: Place) -> Part {
    let mime = members.mime();
    let uri = members.string("uri").or_else(|| members.string("url"));
    let faulty = |fault| {
        let label = Label { uri: uri.clone(), mime: mime.clone(), fault: Some(fault), ..Label::default() };
        Part::Text(Text::new(label.text("Image")))
    };
    let Some(data) = members.string(name) else {
        return faulty("no data");
    };
    let Some(payload) = inspect(&data) else {
        return faulty("its data is not base64");
    };
    if payload.bytes == 0 {
        return faulty("no data");
    }
    let is_image = |mime: &String| mime.starts_with("image/");
    let sniffed = || sniff(&data).map(str::to_owned);
    let named = payload.mime.clone().filter(is_image).or_else(|| mime.clone().filter(is_image)).or_else(sniffed);
    let known = place != Place::Message;
    match (named, payload.form) {
        (Some(_), Form::DataUrl) if known && payload.mime.as_ref().is_some_and(is_image) => {
            Part::Image(Text::of(&data))
        }
        (Some(mime), Form::Plain) if known => {
            let mut url = Text::new(format!("data:{mime};base64,"));
            url.push_carried(&data);
            Part::Image(url)
        }
        (Some(mime), Form::Repair) if known => {
            let mut url = Text::new(format!("data:{mime};base64,"));
            url.push(Piece::Base64 { base64: Source::from(&data) });
            Part::Image(url)
        }
        (named, _) => {
            let mime = named.or(mime);
            let fault = mime.is_none().then_some("of unknown type");
            let bytes = Some(payload.bytes as u64);
            Part::Text(Text::new(Label { uri, mime, bytes, fault, ..Label::default() }.text("Image")))
        }
    }
}

fn label(members: Members<'_>, data: Option<&Carried<'_>>, what: &str) -> Part {
    let payload = data.and_then(inspect);
    let fault = match (&data, &payload) {
        (None, _) => Some("no data"),
        (Some(_), None) => Some("its data is not base64"),
        _ => None,
    };
    let made = Label {
        name: members.string("title").or_else(|| members.string("name")),
        uri: members.string("uri"),
        mime: members.mime().or_else(|| payload.as_ref().and_then(|payload| payload.mime.clone())),
        bytes: payload.map(|payload| payload.bytes as u64),
        fault,
    };
    Part::Text(Text::new(made.text(what)))
}

/// An embedded resource: its text, its image, or a label.
fn resource(members: Members<'_>, place: Place) -> Part {
    // Some servers leave out the inner object and send its members beside the type.
    let inner = members.object("resource").unwrap_or(members);
    if let Some(text) = inner.string("text") {
        return Part::Text(Text::of(&text));
    }
    if inner.get("blob").is_none() {
        let mime = inner.mime();
        return Part::Text(Text::new(
            Label {
                name: inner.string("name"),
                uri: inner.string("uri"),
                mime,
                fault: Some("no content"),
                ..Label::default()
            }
            .text("Resource"),
        ));
    }
    blob(inner, place, true)
}

/// What a blob of resource contents becomes; its label names the uri where `named`.
#[must_use]
pub fn blob(contents: Members<'_>, place: Place, named: bool) -> Part {
    let data = contents.string("blob");
    let mime = contents.mime();
    let is = |prefix: &str| mime.as_ref().is_some_and(|mime| mime.starts_with(prefix));
    let payload = data.as_ref().and_then(inspect);
    if is("image/") && payload.as_ref().is_some_and(|payload| payload.bytes > 0) {
        return image(contents, "blob", place);
    }
    let shown = Label {
        uri: contents.string("uri").filter(|_| named),
        mime: Some(mime.clone().unwrap_or_else(|| "application/octet-stream".into())),
        bytes: payload.as_ref().map(|payload| payload.bytes as u64),
        fault: payload.is_none().then_some("its data is not base64"),
        ..Label::default()
    }
    .text("Blob");
    match (data, payload) {
        // A blob without a type may be anything, and is not taken for text (R22).
        (Some(data), Some(payload)) if is("text/") && payload.form != Form::DataUrl => {
            Part::Text(Text::piece(Piece::Utf8 { utf8: Source::from(&data), otherwise: shown }))
        }
        _ => Part::Text(Text::new(shown)),
    }
}

fn link(members: Members<'_>, place: Place) -> Part {
    let mime = members.mime();
    let web = |uri: &Carried<'_>| uri.head().starts_with("https://") || uri.head().starts_with("http://");
    if place == Place::Instruction
        && mime.as_ref().is_some_and(|mime| mime.starts_with("video/"))
        && let Some(uri) = members.string("uri").filter(web)
    {
        return Part::Video(Text::of(&uri));
    }
    let made = Label {
        name: members.string("title").or_else(|| members.string("name")),
        uri: members.string("uri"),
        mime,
        bytes: members.get("size").and_then(Value::as_u64),
        fault: None,
    };
    Part::Text(Text::new(made.text("Resource link")))
}

/// A video by its url: as core names it, as a plain url, or as base64.
fn video(members: Members<'_>) -> Option<Part> {
    if let Some(url) = members.object("video").unwrap_or(members).string("url") {
        return Some(Part::Video(Text::of(&url)));
    }
    let data = members.string("data")?;
    let payload = inspect(&data).filter(|payload| payload.bytes > 0)?;
    if payload.form == Form::DataUrl {
        return Some(Part::Video(Text::of(&data)));
    }
    let mime = members.mime().filter(|mime| mime.starts_with("video/"))?;
    let mut url = Text::new(format!("data:{mime};base64,"));
    match payload.form {
        Form::Repair => url.push(Piece::Base64 { base64: Source::from(&data) }),
        _ => url.push_carried(&data),
    }
    Some(Part::Video(url))
}

/// The binary data that `block` shows, so that it is not written again elsewhere.
#[must_use]
pub fn data_of(block: &Value) -> Option<Carried<'_>> {
    let members = Members(block.as_object()?);
    match members.kind()? {
        "image" | "audio" | "video" => members.string("data"),
        "resource" => members.object("resource").unwrap_or(members).string("blob"),
        _ => None,
    }
    .filter(|data| !data.is_empty())
}
