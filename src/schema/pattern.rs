//! Patterns before they are compiled: whether they are regular expressions at all, how large they would become, and whether they need an
//! engine that goes back.

use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Map, Value, json};

use super::{
    compile::Fault,
    walk::{self, escaped},
};
use crate::{
    limits::{MAX_PATTERN_BYTES, MAX_PATTERN_STATES, MAX_SCHEMA_STATES},
    text::quoted,
};

/// Calls `visit` on every pattern of `schema` with its JSON Pointer.
fn each(schema: &Value, visit: &mut impl FnMut(&str, &str, &str)) {
    walk::each(schema, &mut |keywords: &Map<String, Value>, pointer| {
        if let Some(pattern) = keywords.get("pattern").and_then(Value::as_str) {
            visit(pattern, pointer, "/pattern");
        }
        for (name, _) in keywords.get("patternProperties").and_then(Value::as_object).into_iter().flatten() {
            visit(name, pointer, &format!("/patternProperties/{}", escaped(name)));
        }
    });
}

/// Patterns that are no regular expressions of ECMA-262 in Unicode mode, or would be too large once compiled.
pub(super) fn faults(schema: &Value) -> Vec<Fault> {
    static REGEX: LazyLock<Option<Validator>> =
        LazyLock::new(|| jsonschema::options().should_validate_formats(true).build(&json!({ "format": "regex" })).ok());
    let mut faults = Vec::new();
    let mut total = 0_u64;
    each(schema, &mut |pattern, pointer, step| {
        let states = if pattern.len() > MAX_PATTERN_BYTES { u64::MAX } else { states(pattern) };
        let message = if pattern.len() > MAX_PATTERN_BYTES {
            format!("the pattern has {} bytes, and at most {MAX_PATTERN_BYTES} are read", pattern.len())
        } else if states > MAX_PATTERN_STATES || total.saturating_add(states) > MAX_SCHEMA_STATES {
            format!("{} repeats too much to be compiled", quoted(pattern))
        } else if REGEX.as_ref().is_some_and(|regex| !regex.is_valid(&Value::String(pattern.to_owned()))) {
            format!("{} is not a regular expression of ECMA-262", quoted(pattern))
        } else {
            total += states;
            return;
        };
        faults.push(Fault::at(format!("{pointer}{step}"), message));
    });
    faults
}

/// Whether any pattern of `schema` needs an engine that tries one way after the other: look-around, or a reference back.
pub(super) fn backtracks(schema: &Value) -> bool {
    let mut found = false;
    each(schema, &mut |pattern, _, _| {
        found |= ["(?=", "(?!", "(?<", "\\k"].iter().any(|word| pattern.contains(word))
            || pattern.as_bytes().windows(2).any(|pair| matches!(pair, [b'\\', digit] if digit.is_ascii_digit()));
    });
    found
}

/// About how many states the pattern has with its counted repetitions written out. Only ever a guide: what is no regular expression
/// gets some number too.
fn states(pattern: &str) -> u64 {
    /// A Unicode property takes this many states or more.
    const PROPERTY: u64 = 20;
    let mut groups: Vec<u64> = vec![0];
    let mut last = 0_u64;
    let mut rest = pattern;
    while let Some(character) = rest.chars().next() {
        let mut taken = character.len_utf8();
        let mut add = |last: &mut u64, atom: u64| {
            if let Some(sum) = groups.last_mut() {
                *sum = sum.saturating_add(*last);
            }
            *last = atom;
        };
        match character {
            '\\' => {
                taken += rest[taken..].chars().next().map_or(0, char::len_utf8);
                add(&mut last, if rest.starts_with("\\p") || rest.starts_with("\\P") { PROPERTY } else { 1 });
            }
            '[' => {
                let class = class(rest);
                taken = class.len();
                add(&mut last, 1 + PROPERTY * (class.matches("\\p").count() + class.matches("\\P").count()) as u64);
            }
            '(' => {
                add(&mut last, 0);
                groups.push(0);
            }
            ')' => {
                let inside = groups.pop().unwrap_or_default().saturating_add(last);
                if groups.is_empty() {
                    groups.push(0);
                }
                last = inside;
            }
            '{' => match repetition(rest) {
                Some((times, length)) => {
                    taken = length;
                    last = last.saturating_mul(times.max(1));
                }
                None => add(&mut last, 1),
            },
            _ => add(&mut last, 1),
        }
        rest = &rest[taken..];
    }
    groups.iter().fold(last, |sum, group| sum.saturating_add(*group))
}

/// The class that `rest` begins with, its brackets included.
fn class(rest: &str) -> &str {
    let mut escaped = false;
    for (at, character) in rest.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            ']' => return &rest[..=at],
            _ => {}
        }
    }
    rest
}

/// How often `{3}`, `{3,}` or `{3,5}` at the start of `rest` repeats at most, and how long it is.
fn repetition(rest: &str) -> Option<(u64, usize)> {
    let inside = rest.get(1..rest.find('}')?)?;
    let times =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u64>().unwrap_or(u64::MAX));
    let (least, most) = inside.split_once(',').unwrap_or((inside, inside));
    if least.is_empty() {
        return None;
    }
    let most = if most.is_empty() { times(least)? } else { times(most)? };
    Some((most.max(times(least)?), inside.len() + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_grow_with_written_out_repetitions() {
        for (pattern, expected) in [
            ("", 0),
            ("abc", 3),
            ("^a{3}$", 5),
            ("(ab){3}", 6),
            ("((a{100}){100}){100}", 1_000_000),
            ("[a-z\\]]{2,5}x", 6),
            ("a{2,}", 2),
            ("a{,5}", 5),
            ("\\d{4}-\\d{2}", 7),
            ("[\\p{L}]{10}", 210),
            ("é{2}\\", 3),
            ("(", 0),
            (")){9", 2),
            ("a{99999999999999999999999}{9}", u64::MAX),
        ] {
            assert_eq!(states(pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn repetitions_are_bounded_by_pattern_and_by_schema() {
        let one = |times: u64| json!({ "pattern": format!("^(ab){{{times}}}$") });
        assert!(faults(&one(MAX_PATTERN_STATES / 2 - 1)).is_empty());
        assert_eq!(faults(&one(MAX_PATTERN_STATES / 2)).len(), 1);
        let each = MAX_PATTERN_STATES / 2;
        let many = |count: u64| {
            let schemas: Vec<Value> = (0..count).map(|_| json!({ "pattern": format!("(a{{{each}}})") })).collect();
            json!({ "allOf": schemas })
        };
        assert!(faults(&many(MAX_SCHEMA_STATES / each)).is_empty());
        assert_eq!(faults(&many(MAX_SCHEMA_STATES / each + 1)).len(), 1);
    }
}
