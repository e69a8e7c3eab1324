//! Mutants of an input that are JSON again: a change of one byte mostly ends in a syntax error, which is tried soon.

use libfuzzer_sys::fuzzer_mutate;
use serde_json::{Map, Number, Value, json};

use crate::random::Random;

/// Copies that one step makes of an item, and levels that it wraps around a value.
const MOST_COPIES: usize = 40;

/// Changes `data[..size]`; for libFuzzer's `LLVMFuzzerCustomMutator`.
#[must_use]
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32, words: &[&str]) -> usize {
    let mut random = Random::new(seed);
    if !random.one_in(4)
        && let Some(mutant) = mutant(&data[..size], &mut random, words)
        && mutant.len() <= max_size
    {
        data[..mutant.len()].copy_from_slice(mutant.as_bytes());
        return mutant.len();
    }
    fuzzer_mutate(data, size, max_size)
}

/// A value of `one` replaced by a value of `other`; for libFuzzer's `LLVMFuzzerCustomCrossOver`.
#[must_use]
pub fn cross(one: &[u8], other: &[u8], out: &mut [u8], seed: u32) -> usize {
    let mut random = Random::new(seed);
    let crossed = crossed(one, other, &mut random).filter(|crossed| crossed.len() <= out.len());
    // Without a value to take, the one half of each, as libFuzzer itself would have it.
    let bytes = crossed.map_or_else(|| [&one[..one.len() / 2], &other[other.len() / 2..]].concat(), String::into_bytes);
    let length = bytes.len().min(out.len());
    out[..length].copy_from_slice(&bytes[..length]);
    length
}

fn crossed(one: &[u8], other: &[u8], random: &mut Random) -> Option<String> {
    let mut lines = lines_of(one)?;
    let others = lines_of(other)?;
    let mut donor: Value = serde_json::from_str(&others[random.below(others.len())]).ok()?;
    let graft = taken(&mut donor, random);
    let at = random.below(lines.len());
    if random.one_in(4) {
        lines.insert(at, graft.to_string());
    } else {
        let mut tree: Value = serde_json::from_str(&lines[at]).ok()?;
        at_random(&mut tree, random, &mut |place, _| *place = graft.clone());
        lines[at] = tree.to_string();
    }
    Some(lines.join("\n"))
}

fn lines_of(input: &[u8]) -> Option<Vec<String>> {
    let lines: Vec<String> = std::str::from_utf8(input).ok()?.lines().map(str::to_owned).collect();
    (!lines.is_empty()).then_some(lines)
}

fn mutant(input: &[u8], random: &mut Random, words: &[&str]) -> Option<String> {
    let mut lines = lines_of(input)?;
    let at = random.below(lines.len());
    if random.one_in(16) {
        match random.below(3) {
            0 if lines.len() > 1 => drop(lines.remove(at)),
            1 => {
                let to = random.below(lines.len());
                lines.swap(at, to);
            }
            _ => lines.insert(at, lines[at].clone()),
        }
        return Some(lines.join("\n"));
    }
    let mut tree: Value = serde_json::from_str(&lines[at]).ok()?;
    for _ in 0..=random.below(3) {
        let other = taken(&mut tree.clone(), random);
        at_random(&mut tree, random, &mut |place, random| change(place, &other, random, words));
    }
    lines[at] = tree.to_string();
    Some(lines.join("\n"))
}

/// A copy of any of the values in `tree`.
fn taken(tree: &mut Value, random: &mut Random) -> Value {
    let mut copy = Value::Null;
    at_random(tree, random, &mut |place, _| copy = place.take());
    copy
}

/// Does `work` at any of the values in `tree`, each as likely as the others.
fn at_random(tree: &mut Value, random: &mut Random, work: &mut dyn FnMut(&mut Value, &mut Random)) {
    let mut nth = random.below(count(tree));
    visit(tree, &mut nth, random, work);
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 0,
    }
}

/// Does `work` at the value number `nth` of `value`, itself first; whether it came to that.
fn visit(
    value: &mut Value,
    nth: &mut usize,
    random: &mut Random,
    work: &mut dyn FnMut(&mut Value, &mut Random),
) -> bool {
    if *nth == 0 {
        work(value, random);
        return true;
    }
    *nth -= 1;
    match value {
        Value::Array(items) => items.iter_mut().any(|item| visit(item, nth, random, work)),
        Value::Object(members) => members.values_mut().any(|member| visit(member, nth, random, work)),
        _ => false,
    }
}

fn change(place: &mut Value, other: &Value, random: &mut Random, words: &[&str]) {
    match random.below(9) {
        0 => *place = fresh(random, words),
        1 => *place = other.clone(),
        2 | 3 => add(place, if random.one_in(2) { other.clone() } else { fresh(random, words) }, random, words),
        4 => take_away(place, random),
        5 => rename(place, random, words),
        6 => repeat(place, random),
        7 => wrap(place, random, words),
        _ => tweak(place, random),
    }
}

fn fresh(random: &mut Random, words: &[&str]) -> Value {
    match random.below(8) {
        0 => Value::Null,
        1 => Value::Bool(random.one_in(2)),
        2 => number(random),
        3 => json!([]),
        4 => json!({}),
        5 => json!([random.of(words), random.of(words)]),
        6 => json!({ random.of(words): random.of(words) }),
        _ => Value::from(random.of(words)),
    }
}

fn number(random: &mut Random) -> Value {
    const NUMBERS: [&str; 16] = [
        "0",
        "-0",
        "1",
        "-1",
        "2",
        "1.0",
        "0.1",
        "1e400",
        "-1e-400",
        "9007199254740993",
        "18446744073709551615",
        "-9223372036854775808",
        "1e19",
        "123456789012345678901234567890",
        "4294967296",
        "1e-7",
    ];
    let text = random.of(&NUMBERS);
    text.parse::<Number>().map_or_else(|_| Value::from(random.below(300)), Value::Number)
}

fn add(place: &mut Value, value: Value, random: &mut Random, words: &[&str]) {
    match place {
        Value::Object(members) => drop(members.insert(random.of(words).to_owned(), value)),
        Value::Array(items) => items.insert(random.below(items.len() + 1), value),
        scalar => *scalar = value,
    }
}

fn take_away(place: &mut Value, random: &mut Random) {
    match place {
        Value::Object(members) if !members.is_empty() => {
            let key = members.keys().nth(random.below(members.len())).cloned().unwrap_or_default();
            members.shift_remove(&key);
        }
        Value::Array(items) if !items.is_empty() => {
            let at = random.below(items.len());
            items.remove(at);
        }
        scalar => *scalar = Value::Null,
    }
}

/// Another key for a member, or another place for an item.
fn rename(place: &mut Value, random: &mut Random, words: &[&str]) {
    match place {
        Value::Object(members) if !members.is_empty() => {
            let at = random.below(members.len());
            let renamed: Map<String, Value> = std::mem::take(members)
                .into_iter()
                .enumerate()
                .map(|(index, (key, value))| (if index == at { random.of(words).to_owned() } else { key }, value))
                .collect();
            *members = renamed;
        }
        Value::Array(items) if !items.is_empty() => {
            let (from, to) = (random.below(items.len()), random.below(items.len()));
            items.swap(from, to);
        }
        scalar => *scalar = Value::from(random.of(words)),
    }
}

fn repeat(place: &mut Value, random: &mut Random) {
    let copies = 1 + random.below(MOST_COPIES);
    match place {
        Value::Array(items) if !items.is_empty() => {
            let item = items[random.below(items.len())].clone();
            items.extend(std::iter::repeat_n(item, copies));
        }
        Value::Object(members) if !members.is_empty() => {
            let value = members.values().nth(random.below(members.len())).cloned().unwrap_or_default();
            members.extend((0..copies).map(|n| (format!("p{n}"), value.clone())));
        }
        Value::String(text) => *text = text.repeat(copies),
        _ => {}
    }
}

fn wrap(place: &mut Value, random: &mut Random, words: &[&str]) {
    let levels = if random.one_in(4) { 1 + random.below(MOST_COPIES) } else { 1 };
    let word = random.of(words);
    let listed = random.one_in(2);
    for _ in 0..levels {
        let inner = place.take();
        *place = match (random.below(4), listed) {
            (0, _) => json!([inner]),
            (_, true) => json!({ word: [inner] }),
            (_, false) => json!({ word: inner }),
        };
    }
}

/// A small change of a scalar; of a container, one of its values in its place.
fn tweak(place: &mut Value, random: &mut Random) {
    match place {
        Value::String(text) => {
            let mut bytes = std::mem::take(text).into_bytes();
            let size = bytes.len();
            bytes.resize(size + 16, 0);
            let size = fuzzer_mutate(&mut bytes, size, size + 16);
            bytes.truncate(size);
            *text = String::from_utf8_lossy(&bytes).into_owned();
        }
        Value::Number(_) | Value::Null => *place = number(random),
        Value::Bool(truth) => *truth = !*truth,
        Value::Array(items) => {
            let at = random.below(items.len());
            *place = items.get(at).cloned().unwrap_or_default();
        }
        Value::Object(members) => {
            let at = random.below(members.len());
            *place = members.values().nth(at).cloned().unwrap_or_default();
        }
    }
}
