//! Base64 as servers send it: with line breaks, in the url alphabet, without padding, inside a data URL, or not at all.

use super::carried::Carried;

/// How a string of base64 has to be taken into a data URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As it is.
    Plain,
    /// Repaired first: it has line breaks, the url alphabet, or lacks its padding.
    Repair,
    /// It is a data URL already.
    DataUrl,
}

/// What is known of a string of base64.
#[derive(Debug, Clone, PartialEq)]
pub struct Payload {
    pub form: Form,
    /// Length of what it stands for.
    pub bytes: usize,
    /// The media type that a data URL names.
    pub mime: Option<String>,
}

/// What `data` holds, or nothing where it is no base64. Of a string that stayed in JavaScript only head and tail are looked at.
#[must_use]
pub fn inspect(data: &Carried<'_>) -> Option<Payload> {
    let head = data.head();
    if head.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:")) {
        let (meta, payload) = head.get(5..)?.split_once(',')?;
        let (mime, _) = meta.rsplit_once(';').filter(|(_, encoding)| encoding.eq_ignore_ascii_case("base64"))?;
        let rest = scan(payload, matches!(data, Carried::Far(_)))?;
        let total = data.length().checked_sub(head.encode_utf16().count())?;
        let padding = match data {
            Carried::Far(far) => padding_of(&far.tail)?,
            Carried::Inline(_) => 0,
        };
        return Some(Payload {
            form: Form::DataUrl,
            bytes: bytes_of(rest.digits + total.saturating_sub(padding)),
            mime: media_type(mime),
        });
    }
    match data {
        Carried::Inline(text) => {
            let found = scan(text, false)?;
            let padded = (found.digits + found.padding).is_multiple_of(4);
            let form = if found.odd || !padded { Form::Repair } else { Form::Plain };
            Some(Payload { form, bytes: bytes_of(found.digits), mime: None })
        }
        Carried::Far(far) => {
            let found = scan(&far.head, true)?;
            let padding = padding_of(&far.tail)?;
            let digits = far.digits.unwrap_or(far.length.saturating_sub(padding));
            let odd = found.odd || far.digits.is_some() || far.tail.contains(is_repaired);
            let form = if odd || !(digits + padding).is_multiple_of(4) { Form::Repair } else { Form::Plain };
            Some(Payload { form, bytes: bytes_of(digits), mime: None })
        }
    }
}

struct Scan {
    digits: usize,
    padding: usize,
    odd: bool,
}

/// Counts digits; `cut` where more follows, so that the count need not come out.
fn scan(text: &str, cut: bool) -> Option<Scan> {
    let mut found = Scan { digits: 0, padding: 0, odd: false };
    for character in text.chars() {
        match character {
            'A'..='Z' | 'a'..='z' | '0'..='9' | '+' | '/' | '-' | '_' if found.padding == 0 => found.digits += 1,
            '=' if found.padding < 2 => found.padding += 1,
            ' ' | '\t' | '\r' | '\n' => {}
            _ => return None,
        }
        found.odd |= is_repaired(character);
    }
    // Four digits are three bytes; one digit alone stands for no byte.
    (cut || found.digits % 4 != 1).then_some(found)
}

/// Padding at the end of a tail; nothing where the tail is no base64.
fn padding_of(tail: &str) -> Option<usize> {
    scan(tail, true).map(|found| found.padding)
}

fn is_repaired(character: char) -> bool {
    matches!(character, '-' | '_' | ' ' | '\t' | '\r' | '\n')
}

fn bytes_of(digits: usize) -> usize {
    digits / 4 * 3 + (digits % 4 * 3) / 4
}

/// Whether a string of `from` units or more is data rather than text: base64 without a word's end in it.
#[must_use]
pub fn looks_like_data(text: &Carried<'_>, from: usize) -> bool {
    let unbroken = |part: &str| part.chars().all(|c| c.is_ascii_alphanumeric() || "+/-_=\r\n".contains(c));
    text.length() >= from && unbroken(text.head()) && inspect(text).is_some()
}

/// A media type in lower case, without parameters; nothing where it is none, so that it can stand in a URL and in a label.
#[must_use]
pub fn media_type(text: &str) -> Option<String> {
    let bare = text.split(';').next()?.trim();
    let (kind, subtype) = bare.split_once('/')?;
    let token =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "!#$&^_.+-*".contains(c));
    (bare.len() <= 127 && token(kind) && token(subtype)).then(|| bare.to_ascii_lowercase())
}

/// The type of an image by its first bytes, read off the base64 itself.
#[must_use]
pub fn sniff(data: &Carried<'_>) -> Option<&'static str> {
    let head = data.head().trim_start();
    if head.starts_with("iVBORw0KGgo") {
        Some("image/png")
    } else if head.starts_with("/9j/") || head.starts_with("_9j_") {
        Some("image/jpeg")
    } else if head.starts_with("R0lGOD") {
        Some("image/gif")
    } else if head.starts_with("UklGR") && head.get(11..16) == Some("XRUJQ") {
        // RIFF, four bytes of size, and WEBP from the eighth byte on.
        Some("image/webp")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<(Form, usize)> {
        inspect(&Carried::Inline(text)).map(|payload| (payload.form, payload.bytes))
    }

    #[test]
    fn lengths_and_repairs() {
        assert_eq!(of("aGVsbG8="), Some((Form::Plain, 5)));
        assert_eq!(of("aGVsbG8"), Some((Form::Repair, 5)));
        assert_eq!(of("aGVs\r\nbG8=\n"), Some((Form::Repair, 5)));
        assert_eq!(of("_-8="), Some((Form::Repair, 2)));
        assert_eq!(of("AA=="), Some((Form::Plain, 1)));
        assert_eq!(of(""), Some((Form::Plain, 0)));
        assert_eq!(of("data:image/PNG;base64,AAAA"), Some((Form::DataUrl, 3)));
        for bad in ["not base64!!", "**", "A", "AAAAA", "A=A=", "AA===", "data:image/png,AAAA", "data:", "é"] {
            assert_eq!(of(bad), None, "{bad}");
        }
    }

    #[test]
    fn media_types_are_made_harmless() {
        assert_eq!(media_type(" Image/PNG; charset=x").as_deref(), Some("image/png"));
        for bad in ["", "image", "image/", "/png", "image/p ng", "a/b]c", "a/b\nc", "image/png,x"] {
            assert_eq!(media_type(bad), None, "{bad}");
        }
    }

    #[test]
    fn images_by_their_first_bytes() {
        for (data, mime) in [
            ("iVBORw0KGgoAAAANSUhEUg", Some("image/png")),
            ("/9j/4AAQ", Some("image/jpeg")),
            ("R0lGODlhAQAB", Some("image/gif")),
            ("UklGRiQAAABXRUJQVlA4", Some("image/webp")),
            ("UklGRiQAAABXQVZF", None),
            ("AAAA", None),
        ] {
            assert_eq!(sniff(&Carried::Inline(data)), mime, "{data}");
        }
    }
}
