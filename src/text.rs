//! JSON text as it crosses the boundary (architecture, point 3): how deep it is, and how it becomes a `Value` without a
//! stack overflow and without losing what JavaScript allows and `serde_json` does not.

use std::{borrow::Cow, fmt::Write, thread};

use serde_json::Value;

use crate::limits::{INLINE_DEPTH, MAX_DEPTH, MAX_QUOTED, STACK_PER_LEVEL};

/// Why a text did not become a `Value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextError {
    /// More levels of nesting than [`MAX_DEPTH`]; holds the depth found.
    TooDeep(usize),
    /// Not JSON; holds what the parser says.
    Malformed(String),
}

impl std::fmt::Display for TextError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooDeep(depth) => {
                write!(f, "nested {depth} levels deep, and at most {MAX_DEPTH} are read")
            }
            Self::Malformed(reason) => write!(f, "not JSON: {reason}"),
        }
    }
}

impl std::error::Error for TextError {}

/// The parts of one JSON text with its few characters beyond ASCII as escapes; a text that is rich in them, or has none, is left as it is. Outside of
/// strings JSON is ASCII, so that an escape means the same wherever the character stands.
///
/// JavaScript keeps a string of ASCII in half the memory of any other, and reads and writes it faster: one dash in one description would double a whole
/// catalog. Text in another script than Latin would grow instead.
#[must_use]
pub fn mostly_ascii<const N: usize>(parts: [&str; N]) -> [Cow<'_, str>; N] {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    // A character beyond ASCII has one byte that begins it.
    let beyond: usize = parts
        .iter()
        .filter(|part| !part.is_ascii())
        .map(|part| part.bytes().filter(|byte| *byte >= 0xC0).count())
        .sum();
    parts.map(|part| {
        if beyond == 0 || beyond > length / RARE || part.is_ascii() {
            Cow::Borrowed(part)
        } else {
            Cow::Owned(escaped(part))
        }
    })
}

fn escaped(json: &str) -> String {
    let mut ascii = String::with_capacity(json.len() + json.len() / 4);
    let mut rest = json;
    while let Some(at) = rest.bytes().position(|byte| !byte.is_ascii()) {
        let (run, beyond) = rest.split_at(at);
        let mut characters = beyond.chars();
        ascii.push_str(run);
        for unit in characters.next().into_iter().flat_map(|character| character.encode_utf16(&mut [0; 2]).to_vec()) {
            // Writing to a string cannot fail.
            let _ = write!(ascii, "\\u{unit:04x}");
        }
        rest = characters.as_str();
    }
    ascii.push_str(rest);
    ascii
}

/// One character beyond ASCII in so many bytes is few.
const RARE: usize = 20;

/// The number of brackets open at once in `text`, strings left out. Linear, and does not recurse.
#[must_use]
pub fn depth(text: &str) -> usize {
    let (mut now, mut most, mut in_string, mut escaped) = (0_usize, 0_usize, false, false);
    for byte in text.bytes() {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
        } else {
            match byte {
                b'"' => in_string = true,
                b'[' | b'{' => {
                    now += 1;
                    most = most.max(now);
                }
                b']' | b'}' => now = now.saturating_sub(1),
                _ => {}
            }
        }
    }
    most
}

/// Runs `work`, which recurses once or more for each of `depth` levels, on a stack that is large enough for it.
///
/// # Errors
/// The system's error when it gives no thread.
pub fn with_stack_for<T: Send>(depth: usize, work: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    if depth <= INLINE_DEPTH {
        return Ok(work());
    }
    with_stack(STACK_PER_LEVEL.saturating_mul(depth) + (1 << 20), work)
}

/// Runs `work` on a thread that has `bytes` of stack.
///
/// # Errors
/// The system's error when it gives no thread.
pub fn with_stack<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    thread::scope(|scope| {
        let handle =
            thread::Builder::new().name("rejelly-mcp-deep".into()).stack_size(bytes).spawn_scoped(scope, work)?;
        // A panic of the work is the work's own: it goes on to the boundary, which makes an error of it.
        handle.join().or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// `text` as a `Value`.
///
/// A lone surrogate, which a JavaScript string may hold and a Rust string may not, is read as the private-use character
/// U+100000 + its code: it stays one character long and unlike every other, so lengths, `enum` and `const` compare as they would in
/// JavaScript.
///
/// # Errors
/// [`TextError`], when the text is too deep or is not JSON.
pub fn parse(text: &str) -> Result<Value, TextError> {
    let depth = depth(text);
    if depth > MAX_DEPTH {
        return Err(TextError::TooDeep(depth));
    }
    let text = mend_surrogates(text);
    if depth <= INLINE_DEPTH {
        // The one way in that serde_json compiles itself, for speed; whatever is generic is compiled with this crate, for size.
        return text.parse().map_err(|error: serde_json::Error| TextError::Malformed(error.to_string()));
    }
    // The depth is known; serde_json's own bound is below what is read.
    with_stack_for(depth, || {
        let mut reader = serde_json::Deserializer::from_str(&text);
        reader.disable_recursion_limit();
        let value = serde::Deserialize::deserialize(&mut reader).and_then(|value: Value| reader.end().map(|()| value));
        value.map_err(|error| TextError::Malformed(error.to_string()))
    })
    .map_err(|error| TextError::Malformed(error.to_string()))?
}

/// What kind of value a JSON text holds, in words: `a string`, `null`, `an array`. Text that is none is `undefined`.
#[must_use]
pub fn kind_of(text: &str) -> &'static str {
    match text.as_bytes().first() {
        Some(b'"') => "a string",
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        Some(b'-' | b'0'..=b'9') => "a number",
        _ => "undefined",
    }
}

/// A string of a server's in quotes, fit for one line of a message: control characters escaped, the length bounded.
#[must_use]
pub fn quoted(string: &str) -> String {
    let mut shown = String::from("\"");
    show(&mut shown, string, true);
    shown.push('"');
    shown
}

/// A string of a server's without quotes, fit for one line of a message: control characters escaped, the length bounded.
#[must_use]
pub fn unquoted(string: &str) -> String {
    let mut shown = String::new();
    show(&mut shown, string, false);
    shown
}

fn show(shown: &mut String, string: &str, in_quotes: bool) {
    for (count, character) in string.chars().enumerate() {
        if count == MAX_QUOTED {
            shown.push('…');
            break;
        }
        match character {
            '"' | '\\' if in_quotes => {
                shown.push('\\');
                shown.push(character);
            }
            _ if breaks_line(character) => {
                let _ = write!(shown, "\\u{:04x}", u32::from(character));
            }
            _ => shown.push(character),
        }
    }
}

/// Whether `character` would break or reorder a line: control characters, line separators and direction marks.
#[must_use]
pub fn breaks_line(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// `string` without what goes over `most` characters.
#[must_use]
pub fn shortened(string: &str, most: usize) -> String {
    match string.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", string.get(..end).unwrap_or_default()),
        None => string.to_owned(),
    }
}

/// Bytes as lower-case hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a `String` cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// Escapes of lone surrogates (`\ud800` without its partner), each as the escape pair of U+100000 + its code.
fn mend_surrogates(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let Some(first) = find_surrogate(bytes, 0) else {
        return Cow::Borrowed(text);
    };
    let mut mended = String::with_capacity(text.len() + 16);
    let (mut done, mut at) = (0, Some(first));
    while let Some(start) = at {
        let code = hex4(bytes, start + 2);
        let pair = code.filter(|code| *code < 0xDC00).and_then(|_| {
            (bytes.get(start + 6..start + 8) == Some(b"\\u"))
                .then(|| hex4(bytes, start + 8))
                .flatten()
                .filter(|low| (0xDC00..0xE000).contains(low))
        });
        let end = if pair.is_some() { start + 12 } else { start + 6 };
        if let (None, Some(code)) = (pair, code) {
            let offset = 0xF_0000 + code;
            mended.push_str(&text[done..start]);
            let (high, low) = (0xD800 + (offset >> 10), 0xDC00 + (offset & 0x3FF));
            // Writing to a `String` cannot fail.
            let _ = write!(mended, "\\u{high:04x}\\u{low:04x}");
            done = end;
        }
        at = find_surrogate(bytes, end);
    }
    mended.push_str(&text[done..]);
    Cow::Owned(mended)
}

/// Where the next escape of a surrogate (`\ud8..` to `\udf..`) begins, at or after `from`; an escaped backslash is passed over.
fn find_surrogate(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(step) = bytes.get(at..)?.iter().position(|byte| *byte == b'\\') {
        let start = at + step;
        if bytes.get(start + 1) == Some(&b'u')
            && hex4(bytes, start + 2).is_some_and(|code| (0xD800..0xE000).contains(&code))
        {
            return Some(start);
        }
        at = start + 2;
    }
    None
}

fn hex4(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 4)?;
    digits.iter().try_fold(0_u32, |code, digit| Some(code * 16 + char::from(*digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn depth_counts_brackets_outside_strings() {
        for (text, expected) in [("1", 0), ("[]", 1), (r#"{"a":[{}]}"#, 3), (r#""[[[""#, 0), (r#"["\"[",[]]"#, 2)] {
            assert_eq!(depth(text), expected, "{text}");
        }
    }

    #[test]
    fn few_characters_beyond_ascii_become_escapes_and_many_stay() {
        let few = r#"{"description":"An emoji 🦀 and a dash – in a line of text","type":"object"}"#;
        assert_eq!(mostly_ascii([few])[0], few.replace('🦀', "\\ud83e\\udd80").replace('–', "\\u2013"));
        let many = r#"{"description":"获取当前天气"}"#;
        assert_eq!(mostly_ascii([many])[0], many);
        // What is few counts for all parts together.
        assert_eq!(mostly_ascii([few, many, few])[0], few);
        assert_eq!(mostly_ascii(["\"–\"", few, few])[0], "\"\\u2013\"");
    }

    #[test]
    fn deep_text_is_read_up_to_the_limit_and_refused_above_it() {
        let nest = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        for levels in (1..=INLINE_DEPTH + 1).chain([MAX_DEPTH]) {
            assert!(parse(&nest(levels)).is_ok(), "{levels} levels");
        }
        assert_eq!(parse(&nest(MAX_DEPTH + 1)), Err(TextError::TooDeep(MAX_DEPTH + 1)));
        assert_eq!(parse(&nest(100_000)), Err(TextError::TooDeep(100_000)));
    }

    #[test]
    fn deep_work_has_its_stack_for_each_level() {
        fn deeper(levels: usize) -> usize {
            // What the work of one level may take, less what an unoptimised build adds to the frame itself.
            let frame = std::hint::black_box([0_u8; STACK_PER_LEVEL / 2]);
            if levels == 0 { usize::from(frame[0]) } else { 1 + deeper(levels - 1) }
        }
        let here = std::thread::current().id();
        let inline = with_stack_for(INLINE_DEPTH, || std::thread::current().id());
        assert_eq!(inline.ok(), Some(here));
        let there = with_stack_for(INLINE_DEPTH + 1, || std::thread::current().id());
        assert!(there.is_ok_and(|there| there != here));
        assert_eq!(with_stack_for(MAX_DEPTH, || deeper(MAX_DEPTH)).ok(), Some(MAX_DEPTH));
    }

    #[test]
    fn a_quoted_name_stays_on_its_line_and_within_its_bound() {
        assert_eq!(quoted("a\nb\u{1b}[31m\"\\"), r#""a\u000ab\u001b[31m\"\\""#);
        assert_eq!(quoted("\u{202e}x\u{2028}"), r#""\u202ex\u2028""#);
        assert_eq!(quoted(&"x".repeat(MAX_QUOTED)).chars().count(), MAX_QUOTED + 2);
        assert_eq!(quoted(&"x".repeat(MAX_QUOTED + 1)).chars().count(), MAX_QUOTED + 3);
    }

    #[test]
    fn deep_text_that_is_not_json_is_malformed() {
        let text = "[".repeat(100) + &"]".repeat(100) + "x";
        assert!(matches!(parse(&text), Err(TextError::Malformed(_))));
    }

    #[test]
    fn a_lone_surrogate_stays_one_distinct_character() {
        let high = parse(r#""\ud800""#).unwrap();
        let low = parse(r#""\udc00""#).unwrap();
        assert_eq!(high, json!("\u{10D800}"));
        assert_eq!(low, json!("\u{10DC00}"));
        assert_eq!(parse(r#""\ud800\ud800\udc00x""#).unwrap(), json!("\u{10D800}\u{10000}x"));
        assert_eq!(parse(r#""\ud800""#).unwrap().as_str().unwrap().chars().count(), 1);
        assert_eq!(parse(r#""\\ud800""#).unwrap(), json!("\\ud800"));
        assert_eq!(parse(r#""\ud83d\ude00""#).unwrap(), json!("😀"));
    }

    proptest! {
        #[test]
        fn text_that_became_ascii_says_the_same(around in "[ -~]{0,200}", text in "\\PC{0,12}") {
            let json = json!({ (text.clone()): [format!("{around}{text}{around}"), around.repeat(3)] }).to_string();
            let [ascii] = mostly_ascii([&json]);
            prop_assert_eq!(serde_json::from_str::<Value>(&ascii).ok(), serde_json::from_str::<Value>(&json).ok());
            let [again] = mostly_ascii([&ascii]);
            prop_assert_eq!(again, ascii.clone());
        }

        #[test]
        fn parse_never_panics_and_agrees_with_serde_json(text in r#"[\[\]{}",:\\ud8c0-9a-f ]{0,40}"#) {
            if let Ok(value) = serde_json::from_str::<Value>(&text) {
                prop_assert_eq!(parse(&text), Ok(value));
            } else {
                drop(parse(&text));
            }
        }
    }
}
