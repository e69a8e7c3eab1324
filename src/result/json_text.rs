//! JSON text of values whose strings may have stayed behind, number for number as `JSON.stringify` writes it.

use std::fmt::Write;

use serde_json::{Number, Value};

use super::{
    carried::Carried,
    pieces::{Piece, Text},
};

/// What stands in the place of a string, as plain text; `None` leaves the string as it is.
pub type Replace<'r> = &'r dyn Fn(Carried<'_>) -> Option<String>;

/// Writes `value` to `out`.
pub fn write_json(value: &Value, replace: Replace<'_>, out: &mut Text) {
    Writer { replace, out, left: usize::MAX }.value(value);
}

/// Writes `value` to `out` up to some `most` bytes, and says whether that was all of it. A string that stayed behind counts its length.
pub fn write_json_up_to(value: &Value, most: usize, replace: Replace<'_>, out: &mut Text) -> bool {
    let mut writer = Writer { replace, out, left: most };
    writer.value(value);
    writer.left > 0
}

struct Writer<'w> {
    replace: Replace<'w>,
    out: &'w mut Text,
    /// Bytes that may still be written.
    left: usize,
}

impl Writer<'_> {
    fn push(&mut self, text: &str) {
        if self.left == 0 {
            return;
        }
        let cut =
            text.char_indices().map(|(at, character)| at + character.len_utf8()).take_while(|end| *end <= self.left);
        let end = if text.len() <= self.left { text.len() } else { cut.last().unwrap_or_default() };
        self.out.push_str(text.get(..end).unwrap_or_default());
        self.left = if end == text.len() { self.left - end } else { 0 };
    }

    fn value(&mut self, value: &Value) {
        if self.left == 0 {
            return;
        }
        match value {
            Value::Null => self.push("null"),
            Value::Bool(true) => self.push("true"),
            Value::Bool(false) => self.push("false"),
            Value::Number(number) => self.push(&number_text(number)),
            Value::String(string) => self.string(Carried::of(string)),
            Value::Array(items) => {
                self.push("[");
                for (index, item) in items.iter().enumerate() {
                    if self.left == 0 {
                        return;
                    }
                    if index > 0 {
                        self.push(",");
                    }
                    self.value(item);
                }
                self.push("]");
            }
            Value::Object(members) => {
                self.push("{");
                for (index, (key, member)) in members.iter().enumerate() {
                    if self.left == 0 {
                        return;
                    }
                    if index > 0 {
                        self.push(",");
                    }
                    self.push(&quoted_key(key));
                    self.push(":");
                    self.value(member);
                }
                self.push("}");
            }
        }
    }

    fn string(&mut self, string: Carried<'_>) {
        if let Some(replaced) = (self.replace)(string) {
            return self.push(&quoted_json(&replaced));
        }
        match string {
            Carried::Here(string) => self.push(&quoted_json(string)),
            Carried::There { index, length, .. } => {
                self.out.push(Piece::Json(index));
                self.left = self.left.saturating_sub(length);
            }
        }
    }
}

/// A string as JSON text.
#[must_use]
pub fn quoted_json(string: &str) -> String {
    // Writing a string cannot fail.
    serde_json::to_string(string).unwrap_or_default()
}

/// A key as JSON text. Strings with a lone surrogate stay behind and keys cannot: what stands for one (see [`crate::text::parse`]) is
/// written as the escape that it came from.
fn quoted_key(key: &str) -> String {
    let is_stand_in = |character: char| ('\u{10D800}'..='\u{10DFFF}').contains(&character);
    let text = quoted_json(key);
    if !text.contains(is_stand_in) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_stand_in(character) {
            // Writing to a `String` cannot fail.
            let _ = write!(escaped, "\\u{:04x}", u32::from(character) - 0x10_0000);
        } else {
            escaped.push(character);
        }
    }
    escaped
}

/// A number as ECMA-262 `Number::toString` writes it.
#[must_use]
pub fn number_text(number: &Number) -> String {
    if number.is_i64() || number.is_u64() {
        return number.to_string();
    }
    // The shortest digits are the same everywhere but in a tie, where the standard library's differ and serde_json's do not.
    let text = number.to_string();
    let (sign, text) = text.strip_prefix('-').map_or(("", text.as_str()), |text| ("-", text));
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let (digits, exponent) = (format!("{whole}{fraction}"), exponent.parse::<i32>().unwrap_or_default());
    let leading = digits.len() - digits.trim_start_matches('0').len();
    let digits = digits.trim_matches('0');
    if digits.is_empty() {
        return "0".into();
    }
    // The value is 0.digits × 10^point.
    let length = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
    let point = length(whole.len()) - length(leading) + exponent;
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
    let split = usize::try_from(point).unwrap_or_default().min(digits.len());
    let (before, after) = digits.split_at(split);
    match point {
        1..=21 if after.is_empty() => format!("{sign}{before}{}", zeros(point - length(digits.len()))),
        1..=21 => format!("{sign}{before}.{after}"),
        -5..=0 => format!("{sign}0.{}{digits}", zeros(-point)),
        _ => {
            let (first, rest) = digits.split_at(1);
            let dot = if rest.is_empty() { "" } else { "." };
            let plus = if point > 0 { "+" } else { "" };
            format!("{sign}{first}{dot}{rest}e{plus}{}", point - 1)
        }
    }
}

/// Whether a part of a skeleton is the JSON value `whole`, which was read from a text and holds no references: members in any order,
/// `1` and `1.0` alike.
#[must_use]
pub fn same_json(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::String(one), Value::String(other)) => Carried::of(one).same(Carried::Here(other)),
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same_json(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| same_json(value, other)))
        }
        (one, other) => one == other,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn text_of(value: &Value) -> String {
        let mut out = Text::default();
        write_json(value, &|_| None, &mut out);
        match out.pieces() {
            [Piece::Inline(text)] => text.clone(),
            pieces => format!("{pieces:?}"),
        }
    }

    #[test]
    fn numbers_are_written_as_javascript_does() {
        for (text, expected) in [
            ("1", "1"),
            ("1.0", "1"),
            ("-0.0", "0"),
            ("1e21", "1e+21"),
            ("1.5e300", "1.5e+300"),
            ("100000000000000000000", "100000000000000000000"),
            ("0.000001", "0.000001"),
            ("1e-7", "1e-7"),
            ("-2.5", "-2.5"),
            ("0.0015", "0.0015"),
            ("-1.5e-7", "-1.5e-7"),
            ("123000000000000000000", "123000000000000000000"),
            ("123456.75", "123456.75"),
            ("997997041789549.25", "997997041789549.2"),
            ("5e-324", "5e-324"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
            ("9007199254740993", "9007199254740993"),
        ] {
            let value: Value = serde_json::from_str(text).unwrap();
            assert_eq!(text_of(&value), expected);
        }
    }

    #[test]
    fn equality_ignores_order_and_the_form_of_numbers() {
        assert!(same_json(&json!({"a": 1, "b": [1, 2]}), &json!({"b": [1.0, 2], "a": 1})));
        assert!(!same_json(&json!({"a": 1}), &json!({"a": 1, "b": 1})));
        assert!(!same_json(&json!([1, 2]), &json!([2, 1])));
    }

    #[test]
    fn a_string_that_stayed_behind_is_a_piece() {
        let mut out = Text::default();
        write_json(&json!({"a": "\0P3:5000:xxx"}), &|_| None, &mut out);
        assert_eq!(out.pieces(), [Piece::Inline("{\"a\":".into()), Piece::Json(3), Piece::Inline("}".into())]);
    }

    #[test]
    fn a_lone_surrogate_in_a_key_is_written_as_it_came() {
        let value = crate::text::parse(r#"{"\ud800":1}"#).unwrap();
        assert_eq!(text_of(&value), r#"{"\ud800":1}"#);
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(text in "[a-z\"\\\\\u{0}-\u{1f}é😀]{0,20}", number in any::<f64>().prop_filter("finite", |number| number.is_finite())) {
            let text = text.trim_start_matches('\0');
            let value = json!({"t": [text, {"n": number}], "x": null});
            let back: Value = serde_json::from_str(&text_of(&value)).unwrap();
            prop_assert!(same_json(&back, &value));
        }
    }
}
