//! What the targets share: inputs are lines, each a JSON text, and grow by their structure rather than by their bytes.

mod asserts;
mod mutate;
mod random;
mod words;

pub use asserts::{assert_descriptor, assert_plan};
pub use mutate::{cross, mutate};
pub use words::{CATALOG, RESULT, SCHEMA};

use serde_json::Value;

/// The texts of an input, one a line: as a rule, but not always, JSON. Nothing where the input is no UTF-8, which no caller can hand over.
#[must_use]
pub fn texts(input: &[u8]) -> Option<Vec<&str>> {
    Some(std::str::from_utf8(input).ok()?.lines().collect())
}

/// What `text` holds, which is one JSON text, however deep.
///
/// # Panics
/// When it is none.
#[must_use]
#[track_caller]
pub fn assert_json(text: &str) -> Value {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    let value = serde::Deserialize::deserialize(&mut reader).and_then(|value: Value| reader.end().map(|()| value));
    value.unwrap_or_else(|error| panic!("the product wrote no JSON: {error}: {text}"))
}

/// A message goes on one line of a model's context or of a log: no server may break out of it.
///
/// # Panics
/// When `message` is empty, or has more than one line.
#[track_caller]
pub fn assert_one_line(message: &str) {
    assert!(!message.is_empty(), "an empty message");
    assert!(!message.contains(rejelly_adapter_mcp::text::breaks_line), "a message of more than one line: {message:?}");
}

/// A target over the texts of its input; `$words` are what its JSON is made of.
#[macro_export]
macro_rules! json_target {
    ($words:expr, |$texts:ident| $body:expr) => {
        libfuzzer_sys::fuzz_target!(|input: &[u8]| {
            if let Some($texts) = $crate::texts(input) {
                $body
            }
        });
        libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            $crate::mutate(data, size, max_size, seed, $words)
        });
        libfuzzer_sys::fuzz_crossover!(|one: &[u8], other: &[u8], out: &mut [u8], seed: u32| {
            $crate::cross(one, other, out, seed)
        });
    };
}
