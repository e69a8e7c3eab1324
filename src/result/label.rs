//! Short labels that stand for what a model cannot read. A server's strings in them cannot end the label, start another one, or break the line.

use std::fmt::Write;

use super::carried::Carried;
use crate::limits::MAX_LABEL_PART;

/// What a label is made of; a member that is absent is left out.
#[derive(Debug, Clone, Default)]
pub struct Label<'a> {
    pub name: Option<Carried<'a>>,
    pub uri: Option<Carried<'a>>,
    /// A media type that [`super::base64::media_type`] has let through.
    pub mime: Option<String>,
    pub bytes: Option<u64>,
    /// What is wrong with the block.
    pub fault: Option<&'a str>,
}

impl Label<'_> {
    /// `[Audio: audio/wav, 12 bytes]`, `[Resource link: name <uri>, text/plain, 4 bytes]`.
    #[must_use]
    pub fn text(&self, what: &str) -> String {
        let mut parts = Vec::new();
        let name = self.name.as_ref().filter(|name| !name.is_empty()).map(shown);
        let uri = self.uri.as_ref().filter(|uri| !uri.is_empty()).map(shown);
        match (name, uri) {
            (Some(name), Some(uri)) if name != uri => parts.push(format!("{name} <{uri}>")),
            (_, Some(part)) | (Some(part), None) => parts.push(part),
            (None, None) => {}
        }
        parts.extend(self.mime.clone());
        parts.extend(self.bytes.map(|bytes| format!("{bytes} bytes")));
        parts.extend(self.fault.map(str::to_owned));
        if parts.is_empty() { format!("[{what}]") } else { format!("[{what}: {}]", parts.join(", ")) }
    }
}

/// A server's string, fit for a label: on one line, bounded, without brackets, and never the payload of a data URL.
fn shown(text: &Carried<'_>) -> String {
    let head = text.head();
    let (head, cut) = match head.split_once(',') {
        Some((meta, _)) if head.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:")) => (meta, true),
        _ => (head, matches!(text, Carried::Far(_))),
    };
    let mut clean = String::new();
    let mut characters = head.chars();
    for character in characters.by_ref().take(MAX_LABEL_PART) {
        match character {
            '[' => clean.push('('),
            ']' => clean.push(')'),
            '<' => clean.push_str("%3C"),
            '>' => clean.push_str("%3E"),
            // What stands for a lone surrogate on this side.
            '\u{10D800}'..='\u{10DFFF}' => clean.push('\u{FFFD}'),
            // Line separators and direction marks would break or reorder the line just as a line feed does.
            '\u{2028}' | '\u{2029}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
                // Writing to a `String` cannot fail.
                let _ = write!(clean, "\\u{:04x}", u32::from(character));
            }
            _ if character.is_control() => {
                let _ = write!(clean, "\\u{:04x}", u32::from(character));
            }
            _ => clean.push(character),
        }
    }
    if cut || characters.next().is_some() {
        clean.push('…');
    }
    clean
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parts_in_order_and_absent_ones_left_out() {
        let label = Label {
            name: Some(Carried::Inline("b")),
            uri: Some(Carried::Inline("x://b")),
            mime: Some("text/plain".into()),
            bytes: Some(4),
            fault: None,
        };
        assert_eq!(label.text("Resource link"), "[Resource link: b <x://b>, text/plain, 4 bytes]");
        assert_eq!(Label::default().text("Audio"), "[Audio]");
        let url = Label { uri: Some(Carried::Inline("data:image/png;base64,AAAA")), ..Label::default() };
        assert_eq!(url.text("Blob"), "[Blob: data:image/png;base64…]");
    }

    proptest! {
        #[test]
        fn a_label_is_one_line_with_one_pair_of_brackets(name in any::<String>(), uri in any::<String>()) {
            let label = Label {
                name: Some(Carried::Inline(&name)),
                uri: Some(Carried::Inline(&uri)),
                ..Label::default()
            }
            .text("Blob");
            prop_assert_eq!(label.matches('[').count(), 1);
            prop_assert_eq!(label.matches(']').count(), 1);
            prop_assert!(label.ends_with(']') && !label.contains(char::is_control));
            prop_assert!(label.chars().count() <= 2 * (6 * MAX_LABEL_PART) + 20);
        }
    }
}
