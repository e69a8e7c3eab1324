//! Base64 as servers send it (RFC 4648): what it is, how many bytes it stands for, and what kind of image its first bytes say.
//!
//! Read leniently: the URL alphabet, white space and missing padding are repaired. A string that did not cross is judged by its
//! beginning and its end.

use super::carried::Carried;

/// What a string of base64 says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Base64 {
    /// Decoded bytes; unknown where white space stands irregularly in a string that did not cross.
    pub bytes: Option<usize>,
    /// Whether it may stand in a data URL as it is.
    pub plain: bool,
}

/// Judges `string`; `None` where it is no base64. The empty string is none.
#[must_use]
pub fn inspect(string: Carried<'_>) -> Option<Base64> {
    let (head, tail) = string.split();
    let (mut digits, mut padding, mut spaces, mut url) = (0_usize, 0_usize, 0_usize, false);
    for byte in head.bytes().chain(tail.bytes()) {
        match byte {
            b'=' => padding += 1,
            _ if byte.is_ascii_whitespace() => spaces += 1,
            // Nothing but padding follows padding.
            _ if padding > 0 => return None,
            b'-' | b'_' => (digits, url) = (digits + 1, true),
            _ if byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/') => digits += 1,
            _ => return None,
        }
    }
    let known = string.whole().is_some();
    if !known && spaces > 0 {
        return Some(Base64 { bytes: digits_in_lines(string, head, tail).map(|digits| digits * 3 / 4), plain: false });
    }
    if !known {
        digits = string.units().saturating_sub(padding);
    }
    // Three bytes are four digits; a last group of one digit stands for nothing.
    let fits = digits > 0 && digits % 4 != 1 && padding <= 2;
    fits.then_some(Base64 {
        bytes: Some(digits * 3 / 4),
        plain: spaces == 0 && !url && (digits + padding).is_multiple_of(4),
    })
}

/// Digits of a string in lines of equal length (RFC 2045, 6.8) of which the middle is not known; `None` where its ends are no such lines.
fn digits_in_lines(string: Carried<'_>, head: &str, tail: &str) -> Option<usize> {
    let line = head.find(|character: char| character.is_ascii_whitespace())?;
    let gap = head.get(line..)?.bytes().take_while(u8::is_ascii_whitespace).count();
    let end = tail.trim_ascii_end();
    let units = string.units().checked_sub(tail.len() - end.len())?;
    let period = line + gap;
    let in_gap = |at: usize| at % period >= line;
    let agree = |text: &str, from: usize| {
        text.bytes().enumerate().all(|(at, byte)| byte.is_ascii_whitespace() == in_gap(from + at))
    };
    let regular = line > 0 && agree(head, 0) && agree(end, units.checked_sub(end.len())?);
    let padding = end.bytes().filter(|byte| *byte == b'=').count();
    regular.then(|| (units / period * line + (units % period).min(line)).saturating_sub(padding))
}

/// The bytes of `text`, or `None` where it is no base64.
#[must_use]
pub fn decode(text: &str) -> Option<Vec<u8>> {
    inspect(Carried::Here(text))?;
    Some(decode_prefix(text, usize::MAX))
}

/// Base64 as UTF-8 text, or `None` where it is not both.
#[must_use]
pub fn decode_text(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some(String::new());
    }
    String::from_utf8(decode(text)?).ok()
}

/// At most `most` of the first bytes, up to the first character that is no digit.
fn decode_prefix(text: &str, most: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(most.min(text.len() / 4 * 3 + 3));
    let (mut bits, mut held) = (0_u32, 0_u32);
    for digit in text.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        if bytes.len() >= most {
            break;
        }
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => break,
        };
        bits = (bits << 6 | u32::from(value)) & 0xFFFF;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xFF).unwrap_or_default());
        }
    }
    bytes
}

/// `text` as plain base64: without white space, in the usual alphabet, padded.
#[must_use]
pub fn repair(text: &str) -> String {
    let mut plain: String = text
        .chars()
        .filter(|character| !character.is_whitespace() && *character != '=')
        .map(|character| match character {
            '-' => '+',
            '_' => '/',
            other => other,
        })
        .collect();
    while !plain.len().is_multiple_of(4) {
        plain.push('=');
    }
    plain
}

/// The image type that the first bytes of `data` say, of those that models read.
#[must_use]
pub fn sniff_image(data: &str) -> Option<&'static str> {
    let bytes = decode_prefix(data, 16);
    match bytes.as_slice() {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xFF, 0xD8, 0xFF, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [b'B', b'M', ..] => Some("image/bmp"),
        [_, _, _, _, b'f', b't', b'y', b'p', b'a', b'v', b'i', b'f', ..] => Some("image/avif"),
        _ => None,
    }
}

/// `mime` without parameters, where it is a media type of RFC 6838 that may stand in a data URL.
#[must_use]
pub fn media_type(mime: &str) -> Option<&str> {
    let essence = mime.split(';').next()?.trim();
    let (kind, subtype) = essence.split_once('/')?;
    let word = |word: &str| {
        !word.is_empty()
            && word.bytes().all(|byte| {
                byte.is_ascii_alphanumeric()
                    || matches!(byte, b'!' | b'#' | b'$' | b'&' | b'-' | b'^' | b'_' | b'.' | b'+')
            })
    };
    (essence.len() <= 127 && word(kind) && word(subtype)).then_some(essence)
}

/// Whether `mime` is of the top-level type `kind` (`image`, `text`, …).
#[must_use]
pub fn is_kind(mime: &str, kind: &str) -> bool {
    mime.split_once('/').is_some_and(|(top, _)| top.eq_ignore_ascii_case(kind))
}

/// A base64 data URL (RFC 2397) by its beginning: its media type and where its data begin.
#[must_use]
pub fn data_url(head: &str) -> Option<(&str, usize)> {
    let scheme = head.get(..5)?;
    if !scheme.eq_ignore_ascii_case("data:") {
        return None;
    }
    let comma = head.find(',')?;
    let about = head.get(5..comma)?;
    let (mime, encoding) = about.rsplit_once(';')?;
    encoding.trim().eq_ignore_ascii_case("base64").then_some(())?;
    Some((media_type(mime)?, comma + 1))
}

/// Whether `head` begins a data URL of base64, also of one whose media type is none.
#[must_use]
pub fn is_data_url(head: &str) -> bool {
    let scheme = head.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"));
    scheme && head.split(',').next().is_some_and(|about| about.to_ascii_lowercase().ends_with(";base64"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn here(text: &str) -> Option<Base64> {
        inspect(Carried::Here(text))
    }

    #[test]
    fn size_is_of_the_decoded_bytes_and_knows_padding() {
        for (text, bytes) in
            [("aGVsbG8=", 5), ("AA==", 1), ("AA", 1), ("/9j//w==", 4), ("UklGRiQAAABXQVZF", 12), ("aGVs\nbG8=\n", 5)]
        {
            assert_eq!(here(text).and_then(|base64| base64.bytes), Some(bytes), "{text}");
        }
    }

    #[test]
    fn what_is_no_base64_is_none() {
        for text in ["", "not base64!!", "**", "A", "AA=A", "AAA===", "é", "===="] {
            assert_eq!(here(text), None, "{text}");
        }
    }

    #[test]
    fn only_padded_text_of_the_usual_alphabet_is_plain() {
        for (text, plain) in [("AAAA", true), ("AA==", true), ("AA", false), ("A-_A", false), ("AA\nAA", false)] {
            assert_eq!(here(text).map(|base64| base64.plain), Some(plain), "{text}");
        }
        assert_eq!(repair("A-_\nA AA"), "A+/AAA==");
    }

    #[test]
    fn a_string_that_did_not_cross_is_judged_by_its_ends() {
        let excerpt = format!("{}{}==", "A".repeat(256), "A".repeat(14));
        let there = Carried::There { index: 0, length: 4_000_000, excerpt: &excerpt, full: false };
        assert_eq!(inspect(there), Some(Base64 { bytes: Some(2_999_998), plain: true }));
    }

    #[test]
    fn lines_of_equal_length_are_counted_by_the_ends_of_the_string() {
        for (count, gap, close) in
            [(1_000, "\n", ""), (1_001, "\r\n", "\r\n"), (1_002, "\n", "\n"), (57 * 20, "\r\n", "")]
        {
            let digits = encode(&vec![7; count]);
            let lines: Vec<&str> =
                digits.as_bytes().chunks(76).map(|line| std::str::from_utf8(line).unwrap()).collect();
            let whole = lines.join(gap) + close;
            let excerpt = format!("{}{}", &whole[..256], &whole[whole.len() - 16..]);
            let there = Carried::There { index: 0, length: whole.len(), excerpt: &excerpt, full: false };
            assert_eq!(inspect(there), Some(Base64 { bytes: Some(count), plain: false }), "{count}");
        }
        let odd = format!("{}\n{}", "A".repeat(60), "A".repeat(211));
        let there = Carried::There { index: 0, length: 5_000, excerpt: &odd, full: false };
        assert_eq!(inspect(there), Some(Base64 { bytes: None, plain: false }));
    }

    #[test]
    fn images_are_known_by_their_first_bytes() {
        assert_eq!(sniff_image("iVBORw0KGgoAAAANSUhEUgAA"), Some("image/png"));
        assert_eq!(sniff_image("/9j/4AAQSkZJRg"), Some("image/jpeg"));
        assert_eq!(sniff_image("UklGRiQAAABXRUJQVlA4"), Some("image/webp"));
        assert_eq!(sniff_image("UklGRiQAAABXQVZF"), None);
    }

    #[test]
    fn a_media_type_cannot_smuggle_anything_into_a_url() {
        assert_eq!(media_type("image/svg+xml; charset=utf-8"), Some("image/svg+xml"));
        for mime in ["", "image", "image/", "image/png,x", "image/p ng", "image/png\n", "a/b/c"] {
            assert_ne!(media_type(mime), Some(mime), "{mime}");
        }
        assert_eq!(data_url("data:image/png;base64,AAAA"), Some(("image/png", 22)));
        assert_eq!(data_url("data:image/png,AAAA"), None);
        assert_eq!(data_url("data:];base64,AAAA"), None);
        for (url, of_base64) in
            [("data:];BASE64,AAAA", true), ("data:image/png,;base64,", false), ("xdata:;base64,", false)]
        {
            assert_eq!(is_data_url(url), of_base64, "{url}");
        }
    }

    fn encode(bytes: &[u8]) -> String {
        const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::new();
        for group in bytes.chunks(3) {
            let word = group.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
            for digit in 0..4 {
                let place = usize::try_from(word >> (18 - 6 * digit) & 63).unwrap();
                text.push(if digit <= group.len() { char::from(DIGITS[place]) } else { '=' });
            }
        }
        text
    }

    proptest! {
        #[test]
        fn decoding_gives_back_the_bytes(bytes in proptest::collection::vec(any::<u8>(), 1..80)) {
            let text = encode(&bytes);
            prop_assert_eq!(here(&text).and_then(|base64| base64.bytes), Some(bytes.len()));
            prop_assert_eq!(decode(&text), Some(bytes.clone()));
            let url = text.replace('+', "-").replace('/', "_").replace('=', "");
            prop_assert_eq!(repair(&url), text);
            prop_assert_eq!(decode(&url), Some(bytes));
        }

        #[test]
        fn nothing_panics(text in any::<String>()) {
            drop(decode_text(&text));
            prop_assert!(sniff_image(&text).is_none_or(|mime| mime.starts_with("image/")));
            prop_assert!(data_url(&text).is_none_or(|(_, start)| text.is_char_boundary(start)));
            prop_assert!(media_type(&text).is_none_or(str::is_ascii));
        }
    }
}
