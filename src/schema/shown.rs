//! Values of schemas and arguments as a message shows them: on one line, and short.

use serde_json::Value;

use crate::{
    limits::{MAX_LISTED, MAX_LISTED_CHARS},
    text::{quoted, unquoted},
};

/// A value as a message shows it: scalars as JSON, containers by their kind and size.
pub(super) fn value(value: &Value) -> String {
    match value {
        Value::String(string) => quoted(string),
        Value::Array(items) => format!("an array of {}", count(items.len(), "item")),
        Value::Object(members) => format!("an object of {}", count(members.len(), "property")),
        scalar => scalar.to_string(),
    }
}

/// A value of a schema (a `const`, a member of an `enum`) as JSON, unquoted.
pub(super) fn literal(value: &Value) -> String {
    match value {
        Value::String(string) => quoted(string),
        Value::Array(_) | Value::Object(_) => unquoted(&value.to_string()),
        scalar => scalar.to_string(),
    }
}

/// The kind of a value, as `type` names it.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// `3 items`, `1 item`, `2 properties`.
pub(super) fn count(count: usize, noun: &str) -> String {
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {noun}s"),
    }
}

/// Words in a list, at most [`MAX_LISTED`] of them and at most some [`MAX_LISTED_CHARS`] characters: `a, b, … (7 more)`.
pub(super) fn list(words: impl ExactSizeIterator<Item = String>) -> String {
    let total = words.len();
    let mut shown = String::new();
    for (index, word) in words.enumerate() {
        if index == MAX_LISTED || shown.chars().count() + word.chars().count() > MAX_LISTED_CHARS && index > 0 {
            return format!("{shown}, … ({} more)", total - index);
        }
        if index > 0 {
            shown.push_str(", ");
        }
        shown.push_str(&word);
    }
    shown
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_list_is_bounded_in_members_and_in_characters() {
        assert_eq!(list(["a", "b"].map(str::to_owned).into_iter()), "a, b");
        let many = list((0..1_000).map(|n| n.to_string()).collect::<Vec<_>>().into_iter());
        assert!(many.ends_with(&format!(", {}, … ({} more)", MAX_LISTED - 1, 1_000 - MAX_LISTED)), "{many}");
        let exactly = list((0..MAX_LISTED).map(|n| n.to_string()).collect::<Vec<_>>().into_iter());
        assert!(exactly.ends_with(&format!(", {}", MAX_LISTED - 1)), "{exactly}");
        let wide = list(vec!["x".repeat(MAX_LISTED_CHARS / 2); 9].into_iter());
        assert_eq!(wide.matches("more").count(), 1);
        assert!(wide.chars().count() < MAX_LISTED_CHARS + 30);
    }

    #[test]
    fn values_are_short() {
        assert_eq!(value(&json!([1, 2])), "an array of 2 items");
        assert_eq!(value(&json!({ "a": 1 })), "an object of 1 property");
        assert_eq!(value(&json!({})), "an object of 0 properties");
        assert_eq!(value(&json!("a\nb")), r#""a\u000ab""#);
        assert_eq!(literal(&json!({ "a": [1] })), r#"{"a":[1]}"#);
        assert!(literal(&json!(vec![1; 10_000])).chars().count() < 200);
    }
}
