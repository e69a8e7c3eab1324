//! Whether `structuredContent` only mirrors the blocks beside it (R24): most servers send the same data twice, and a model should pay
//! for them once.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{
    carried::Carried,
    json_text::{number_text, quoted_json, same_json},
};
use crate::{
    limits::{INLINE_DEPTH, MAX_DEEP_MIRRORS, MAX_MIRROR_SEARCH},
    text,
};

/// A string or number, to be found again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Leaf<'a> {
    Text(&'a str),
    /// A string that did not cross; equal ones have one index.
    There(u32),
    /// The bits of a number.
    Number(u64),
}

impl<'a> Leaf<'a> {
    fn of(string: Carried<'a>) -> Self {
        match string {
            Carried::There { index, full: false, .. } => Self::There(index),
            Carried::Here(string) | Carried::There { excerpt: string, .. } => Self::Text(string),
        }
    }
}

/// Whether everything that `structured` says stands in `blocks` already: it equals the JSON that a text block holds, or every string and
/// number in it stands in a block. Of a value that holds neither, every `true` and `false` must.
#[must_use]
pub fn is_mirrored(structured: &Value, blocks: &[Value]) -> bool {
    let texts: Vec<&str> = blocks.iter().filter_map(block_text).collect();
    let levels = levels(structured);
    let mut deep = 0;
    let parsed: Vec<Value> = texts.iter().filter_map(|text| parse_json(text, levels, &mut deep)).collect();
    if parsed.iter().any(|value| same_json(structured, value)) {
        return true;
    }
    let mut standing = HashSet::new();
    for block in blocks {
        leaves(block, Carried::of, &mut |leaf| {
            standing.insert(leaf);
        });
    }
    // What a text spells out is no reference, whatever it begins with.
    for value in &parsed {
        leaves(value, Carried::Here, &mut |leaf| {
            standing.insert(leaf);
        });
    }
    let mut sought = HashSet::new();
    let mut any = false;
    leaves(structured, Carried::of, &mut |leaf| {
        any = true;
        if leaf != Leaf::Text("") && !standing.contains(&leaf) {
            sought.insert(leaf);
        }
    });
    let mut search = Search { texts: &texts, left: MAX_MIRROR_SEARCH };
    if !any {
        return words(structured).iter().all(|word| search.finds(word));
    }
    sought.into_iter().all(|leaf| match leaf {
        Leaf::Text(string) => {
            let escaped = quoted_json(string);
            let escaped = escaped.get(1..escaped.len() - 1).unwrap_or_default();
            search.finds(string) || (escaped != string && search.finds(escaped))
        }
        Leaf::There(_) => false,
        Leaf::Number(bits) => {
            serde_json::Number::from_f64(f64::from_bits(bits)).is_some_and(|number| search.finds(&number_text(&number)))
        }
    })
}

/// The text of a text block or of an embedded resource, where all of it is known.
fn block_text(block: &Value) -> Option<&str> {
    let text = |holder: &'_ Map<String, Value>| match holder.get("text") {
        Some(Value::String(_)) => Some(()),
        _ => None,
    };
    let block = block.as_object()?;
    let holder = match text(block) {
        Some(()) => block,
        None => block.get("resource")?.as_object()?,
    };
    Carried::of(holder.get("text")?.as_str()?).whole()
}

/// `text` as JSON, where it is an array or an object. Deep text takes a thread of its own to read: only as much of it is read as may be
/// the mirror.
fn parse_json(text: &str, levels: usize, deep: &mut usize) -> Option<Value> {
    let text = text.trim_start();
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let depth = text::depth(text);
    if depth > INLINE_DEPTH {
        if depth != levels || *deep == MAX_DEEP_MIRRORS {
            return None;
        }
        *deep += 1;
    }
    text::parse(text).ok()
}

/// Levels of arrays and objects in `value`.
fn levels(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(levels).max().unwrap_or_default(),
        Value::Object(members) => 1 + members.values().map(levels).max().unwrap_or_default(),
        _ => 0,
    }
}

fn leaves<'a>(value: &'a Value, read: fn(&'a str) -> Carried<'a>, found: &mut impl FnMut(Leaf<'a>)) {
    match value {
        Value::String(string) => found(Leaf::of(read(string))),
        Value::Number(number) => {
            if let Some(float) = number.as_f64() {
                // Zero has two signs and one meaning.
                found(Leaf::Number(if float == 0.0 { 0 } else { float.to_bits() }));
            }
        }
        Value::Array(items) => items.iter().for_each(|item| leaves(item, read, found)),
        Value::Object(members) => members.values().for_each(|member| leaves(member, read, found)),
        Value::Null | Value::Bool(_) => {}
    }
}

/// `true` and `false`, as far as they occur in `value`.
fn words(value: &Value) -> Vec<&'static str> {
    fn visit(value: &Value, seen: &mut [bool; 2]) {
        match value {
            Value::Bool(word) => seen[usize::from(*word)] = true,
            Value::Array(items) => items.iter().for_each(|item| visit(item, seen)),
            Value::Object(members) => members.values().for_each(|member| visit(member, seen)),
            _ => {}
        }
    }
    let mut seen = [false; 2];
    visit(value, &mut seen);
    ["false", "true"].into_iter().zip(seen).filter(|(_, seen)| *seen).map(|(word, _)| word).collect()
}

/// A search over texts that ends when it has gone over so many bytes; nothing is found after that.
struct Search<'a> {
    texts: &'a [&'a str],
    left: usize,
}

impl Search<'_> {
    /// Whether `needle` stands in one of the texts, and is not a part of a longer word or number there.
    fn finds(&mut self, needle: &str) -> bool {
        let Some(step) = needle.chars().next().map(char::len_utf8) else {
            return true;
        };
        for text in self.texts {
            let mut from = 0;
            while let Some(rest) = text.get(from..) {
                let found = rest.find(needle);
                let read = found.map_or(rest.len(), |at| at + needle.len());
                // Setting a search up costs about what reading that many bytes does.
                let Some(left) = self.left.checked_sub(read + needle.len() + 64) else {
                    self.left = 0;
                    return false;
                };
                self.left = left;
                let Some(at) = found else { break };
                if stands_alone(text, from + at, needle) {
                    return true;
                }
                from += at + step;
            }
        }
        false
    }
}

/// Whether the word or number at `at` ends where it should: `1` does not stand in `12`, `-1` or `1.5`, nor `ok` in `token`.
fn stands_alone(text: &str, at: usize, needle: &str) -> bool {
    let bytes = text.as_bytes();
    let end = at + needle.len();
    let before = at.checked_sub(1).and_then(|at| bytes.get(at)).copied().unwrap_or(b' ');
    let (after, beyond) = (bytes.get(end).copied().unwrap_or(b' '), bytes.get(end + 1).copied().unwrap_or(b' '));
    let first = needle.bytes().next().unwrap_or(b' ');
    let last = needle.bytes().next_back().unwrap_or(b' ');
    let number = last.is_ascii_digit() && (first == b'-' || first.is_ascii_digit());
    let begins = !first.is_ascii_alphanumeric() || !before.is_ascii_alphanumeric();
    let ends = !last.is_ascii_alphanumeric() || !after.is_ascii_alphanumeric();
    let whole = !number || !(matches!(before, b'.' | b'-') || (after == b'.' && beyond.is_ascii_digit()));
    begins && ends && whole
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn mirrored(structured: &Value, blocks: &Value) -> bool {
        is_mirrored(structured, blocks.as_array().unwrap())
    }

    fn beside(text: &str, structured: &Value) -> bool {
        mirrored(structured, &json!([{"type": "text", "text": text}]))
    }

    #[test]
    fn json_text_of_the_same_value_is_a_mirror() {
        assert!(beside("{\"a\":1,\"b\":[1,2]}", &json!({"b": [1, 2], "a": 1})));
        assert!(beside("{\n  \"a\": \"\\u00fc\"\n}", &json!({"a": "ü"})));
        assert!(!beside("{\"a\":1}", &json!({"a": 2})));
    }

    #[test]
    fn real_servers_mirrors_are_found() {
        // The official filesystem server; FastMCP with a scalar, a text, and a list of which each item is a block.
        assert!(beside("line 1\nline 2", &json!({"content": "line 1\nline 2"})));
        assert!(beside("5", &json!({"result": 5})));
        assert!(beside("true", &json!({"result": true})));
        assert!(beside("hi", &json!({"result": "hi"})));
        let items = json!([{"type": "text", "text": "{\"n\":\"\\u00e9\"}"}, {"type": "text", "text": "{\"n\":2}"}]);
        assert!(mirrored(&json!({"result": [{"n": "é"}, {"n": 2}]}), &items));
        let image = json!({"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"});
        assert!(mirrored(&json!({"content": [image]}), &json!([image])));
        let there = json!({"type": "image", "data": "\0P0:9000:xxx", "mimeType": "image/png"});
        assert!(mirrored(&json!({"content": [there]}), &json!([there])));
    }

    #[test]
    fn what_says_more_is_no_mirror() {
        assert!(!beside("Scraped 1 URL.", &json!({"chunks": [{"text": "evidence"}]})));
        assert!(!beside("Done.", &json!({"deleted": true})));
        assert!(!beside("12 files", &json!({"count": 1})));
        assert!(!beside("1.5 or -7", &json!({"a": 5})));
        assert!(!beside("1.5 or -7", &json!({"a": 7})));
        assert!(!beside("token", &json!({"status": "ok"})));
        assert!(!mirrored(&json!({"r": "\0P1:9000:xxx"}), &json!([{"type": "text", "text": "\0P0:9000:xxx"}])));
    }

    #[test]
    fn a_text_can_forge_no_reference() {
        let image = json!({"type": "image", "data": "\0P0:9000:xxx", "mimeType": "image/png"});
        let text = json!({"type": "text", "text": "[\"\\u0000P7:9000:yyy\"]"});
        assert!(!mirrored(&json!({"new": "\0P7:9000:zzz"}), &json!([image, text])));
    }

    #[test]
    fn words_and_numbers_may_stand_anywhere() {
        assert!(beside("Total: 36, status ok.", &json!({"total": 36, "status": "ok"})));
        assert!(beside("costs 2.", &json!({"n": 2})));
        assert!(beside("查询结果如下", &json!({"r": "结果"})));
    }

    #[test]
    fn deep_mirrors_are_read_up_to_the_limit() {
        let levels = INLINE_DEPTH + 1;
        let deep = format!("{}7{}", "[".repeat(levels), "]".repeat(levels));
        let value = text::parse(&deep).unwrap();
        let other = format!("{}8{}", "[".repeat(levels), "]".repeat(levels));
        let blocks = |before: usize| -> Value {
            let texts = std::iter::repeat_n(&other, before).chain([&deep]);
            texts.map(|text| json!({"type": "text", "text": text})).collect()
        };
        let mut read = 0;
        assert!(parse_json(&deep, levels, &mut read).is_some());
        assert!(parse_json(&deep, levels - 1, &mut read).is_none());
        read = MAX_DEEP_MIRRORS;
        assert!(parse_json(&deep, levels, &mut read).is_none());
        assert!(mirrored(&value, &blocks(MAX_DEEP_MIRRORS - 1)));
    }

    #[test]
    fn the_search_goes_over_so_many_bytes_and_no_more() {
        let text = format!("{} word", "a".repeat(1 << 20));
        let texts = [text.as_str()];
        let cost = text.len() + "word".len() + 64;
        for (left, found) in [(MAX_MIRROR_SEARCH, true), (cost, true), (cost - 1, false)] {
            assert_eq!(Search { texts: &texts, left }.finds("word"), found, "{left}");
        }
    }

    #[test]
    fn the_search_is_bounded() {
        let text = "a".repeat(1 << 20);
        let words: Vec<String> = (0..2_000).map(|word| format!("a{}b{word}", "a".repeat(word % 50))).collect();
        let start = std::time::Instant::now();
        assert!(!beside(&text, &json!({"words": words})));
        assert!(!beside(&text, &json!({"word": "a"})));
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }
}
