//! Whether `structuredContent` only repeats what the blocks say (spec R24): a mirror must not be paid for twice.

use std::collections::HashSet;

use serde_json::{Number, Value};

use super::{block::Members, carried::Carried};
use crate::{
    limits::MAX_MIRROR_WORK,
    text::{depth, parse},
};

/// Whether `structured` equals a text among `blocks` as a JSON value, or every string and number in it stands in a block.
///
/// A value that holds neither strings nor numbers says what its booleans say: they must stand in a block too.
#[must_use]
pub fn is_mirror(structured: &Value, blocks: &[Value]) -> bool {
    let texts: Vec<&str> = blocks.iter().filter_map(text_of).collect();
    let levels = depth_of(structured);
    if texts.iter().any(|text| equals_as_json(text, structured, levels)) {
        return true;
    }
    let mut leaves = Leaves::default();
    leaves.collect(structured);
    if leaves.strings.is_empty() && leaves.numbers.is_empty() {
        leaves.words.iter().all(|word| texts.iter().any(|text| stands_in(word, text)))
    } else {
        stand(&leaves, blocks, &texts)
    }
}

/// The text of a text block, or of an embedded resource.
fn carried_text(block: &Value) -> Option<Carried<'_>> {
    let members = Members(block.as_object()?);
    match members.kind() {
        Some("text") | None => members.string("text"),
        Some("resource") => members.object("resource").unwrap_or(members).string("text"),
        _ => None,
    }
}

/// The same where it is at hand.
fn text_of(block: &Value) -> Option<&str> {
    match carried_text(block) {
        Some(Carried::Inline(text)) => Some(text),
        _ => None,
    }
}

/// Whether the block's text stayed in JavaScript.
#[must_use]
pub fn has_far_text(block: &Value) -> bool {
    matches!(carried_text(block), Some(Carried::Far(_)))
}

fn equals_as_json(text: &str, structured: &Value, levels: usize) -> bool {
    // Equal values are equally deep, so no text costs more stack than the value it is compared with.
    let trimmed = text.trim_start();
    let opens = match structured {
        Value::Object(_) => trimmed.starts_with('{'),
        Value::Array(_) => trimmed.starts_with('['),
        Value::String(_) => trimmed.starts_with('"'),
        _ => trimmed.len() < 64,
    };
    opens && depth(trimmed) == levels && parse(trimmed).is_ok_and(|value| equal(&value, structured))
}

fn depth_of(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth_of).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth_of).max().unwrap_or(0),
        _ => 0,
    }
}

/// Equality of JSON values: order of keys left aside, numbers by value, strings as far as they are known.
fn equal(one: &Value, two: &Value) -> bool {
    match (one, two) {
        (Value::Number(one), Value::Number(two)) => one == two || one.as_f64() == two.as_f64(),
        (Value::String(one), Value::String(two)) => one == two || Carried::Inline(one).same(&Carried::read(two)),
        (Value::Array(one), Value::Array(two)) => {
            one.len() == two.len() && one.iter().zip(two).all(|(one, two)| equal(one, two))
        }
        (Value::Object(one), Value::Object(two)) => {
            one.len() == two.len()
                && one.iter().all(|(key, member)| two.get(key).is_some_and(|other| equal(member, other)))
        }
        _ => one == two,
    }
}

#[derive(Default)]
struct Leaves<'a> {
    strings: HashSet<&'a str>,
    numbers: Vec<&'a Number>,
    words: HashSet<&'static str>,
}

impl<'a> Leaves<'a> {
    fn collect(&mut self, value: &'a Value) {
        match value {
            Value::Null => {}
            Value::Bool(flag) => drop(self.words.insert(if *flag { "true" } else { "false" })),
            Value::Number(number) => self.numbers.push(number),
            Value::String(string) => {
                self.strings.insert(string);
            }
            Value::Array(items) => items.iter().for_each(|item| self.collect(item)),
            Value::Object(members) => members.values().for_each(|member| self.collect(member)),
        }
    }
}

/// Whether every string and number of `leaves` stands in a block: as one of its strings or numbers, or as a word of its text.
fn stand(leaves: &Leaves<'_>, blocks: &[Value], texts: &[&str]) -> bool {
    let mut said = Leaves::default();
    for block in blocks {
        said.collect(block);
    }
    let numbers: HashSet<u64> = said.numbers.iter().filter_map(|number| bits(number)).collect();
    let total: usize = texts.iter().map(|text| text.len() + 1).sum();
    let mut work = 0_usize;
    let mut found = |needles: &[&str]| {
        needles.iter().any(|needle| {
            work = work.saturating_add(total);
            work <= MAX_MIRROR_WORK && texts.iter().any(|text| stands_in(needle, text))
        })
    };
    let strings = leaves.strings.iter().all(|string| {
        if string.is_empty() || said.strings.contains(string) {
            return true;
        }
        if string.starts_with('\0') {
            // Far from here: only equality with a whole string of a block can be known.
            return false;
        }
        // A block may hold the JSON of a part, where line feeds and quotes are escaped.
        let written = serde_json::to_string(string).unwrap_or_default();
        let escaped = written.get(1..written.len().saturating_sub(1)).unwrap_or_default();
        if escaped == *string { found(&[string]) } else { found(&[string, escaped]) }
    });
    strings
        && leaves
            .numbers
            .iter()
            .all(|number| bits(number).is_some_and(|bits| numbers.contains(&bits)) || found(&[&number.to_string()]))
}

/// A number by its value: 1 and 1.0 are one, and so are 0 and -0.
fn bits(number: &Number) -> Option<u64> {
    number.as_f64().map(|value| (value + 0.0).to_bits())
}

/// Whether `needle` stands in `text` as a word of its own: `1` stands in `Scraped 1 URL`, and not in `10` or `v1.5`.
fn stands_in(needle: &str, text: &str) -> bool {
    let starts_word = needle.chars().next().is_some_and(char::is_alphanumeric);
    let ends_word = needle.chars().next_back().is_some_and(char::is_alphanumeric);
    let numeric = needle.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    text.match_indices(needle).any(|(at, found)| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + found.len()..).unwrap_or_default();
        let free_before = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
            && !(numeric && (before.ends_with(['.', '-']) || decimal(before.chars().rev())));
        let goes_on = after.starts_with(|c: char| c.is_alphanumeric() || c == '_') || numeric && decimal(after.chars());
        (!starts_word && !numeric || free_before) && (!ends_word || !goes_on)
    })
}

/// Whether a number goes on: a point or a comma, and a digit behind it.
fn decimal(mut characters: impl Iterator<Item = char>) -> bool {
    matches!(characters.next(), Some('.' | ',')) && characters.next().is_some_and(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn mirrored(structured: &Value, texts: &[&str]) -> bool {
        let blocks: Vec<Value> = texts.iter().map(|text| json!({"type": "text", "text": text})).collect();
        is_mirror(structured, &blocks)
    }

    #[test]
    fn what_real_servers_mirror() {
        assert!(mirrored(&json!({"b": [1, 2], "a": 1.0}), &[r#" {"a":1,"b":[1,2]}"#]));
        assert!(mirrored(&json!({"content": "line one\nline two"}), &["line one\nline two"]));
        assert!(mirrored(&json!({"result": "a\nb"}), &["a\nb"]));
        assert!(mirrored(
            &json!({"result": [{"id": 1, "t": "x\ny"}, {"id": 2, "t": "z"}]}),
            &["{\n  \"id\": 1,\n  \"t\": \"x\\ny\"\n}", "{\n  \"id\": 2,\n  \"t\": \"z\"\n}"]
        ));
        assert!(mirrored(&json!({"result": 8}), &["8"]));
        assert!(mirrored(&json!({"content": [{"type": "text", "text": "abc"}]}), &["abc"]));
        assert!(mirrored(&json!({"temperature": 22.5, "sky": "clear"}), &["It is 22.5 degrees and clear."]));
        assert!(mirrored(&json!({}), &["done"]));
    }

    #[test]
    fn what_says_more() {
        assert!(!mirrored(&json!({"chunks": [{"text": "evidence"}]}), &["Scraped 1 URL."]));
        assert!(!mirrored(&json!({"count": 1}), &["10 rows in 2.1 s, version 1.5"]));
        assert!(!mirrored(&json!({"n": 5}), &["-5"]));
        assert!(!mirrored(&json!({"a": "rap"}), &["Scraped"]));
        assert!(!mirrored(&json!({"valid": false}), &["Checked."]));
        assert!(mirrored(&json!({"valid": false}), &["valid: false"]));
        assert!(!mirrored(&json!({"a": 1, "b": 2}), &[r#"{"a":1}"#]));
    }

    #[test]
    fn an_image_is_mirrored_by_its_block() {
        let block = json!({"type": "image", "data": "AAAA", "mimeType": "image/png"});
        assert!(is_mirror(&json!({"result": [block]}), std::slice::from_ref(&block)));
        assert!(!is_mirror(&json!({"result": [block], "note": "new"}), std::slice::from_ref(&block)));
    }

    #[test]
    fn what_would_take_too_long_to_compare_is_shown() {
        let strings: Vec<String> = (0..1_000).map(|n| format!("word{n}")).collect();
        let short = strings.join(" ");
        let long = short.clone() + &" nothing of it".repeat(MAX_MIRROR_WORK / 1_000 / 14);
        assert!(mirrored(&json!(strings), &[&short]));
        assert!(!mirrored(&json!(strings), &[&long]));
    }
}
