//! URI templates (RFC 6570, all four levels): from a template that `resources/templates/list` gave and the values of its variables to the uri that
//! `resources/read` takes.

use serde_json::{Map, Value};

use super::on_skeleton;
use crate::{
    limits::MAX_URI_BYTES,
    text::{kind_of, quoted},
};

/// What an operator means (RFC 6570, appendix A).
struct Operator {
    first: &'static str,
    separator: &'static str,
    /// Each value follows the name of its variable.
    named: bool,
    /// What stands between a name and an empty value.
    if_empty: &'static str,
    /// Reserved characters stay as they are.
    reserved: bool,
}

impl Operator {
    /// The operator of an expression, and what follows it.
    fn of(expression: &str) -> Result<(Self, &str), String> {
        let (first, separator, named, if_empty, reserved) = match expression.chars().next() {
            Some('+') => ("", ",", false, "", true),
            Some('#') => ("#", ",", false, "", true),
            Some('.') => (".", ".", false, "", false),
            Some('/') => ("/", "/", false, "", false),
            Some(';') => (";", ";", true, "", false),
            Some('?') => ("?", "&", true, "=", false),
            Some('&') => ("&", "&", true, "=", false),
            Some(later @ ('=' | ',' | '!' | '@' | '|')) => {
                return Err(format!("the operator {later} has no meaning in RFC 6570"));
            }
            _ => {
                return Ok((
                    Self { first: "", separator: ",", named: false, if_empty: "", reserved: false },
                    expression,
                ));
            }
        };
        // Every operator is one byte.
        Ok((Self { first, separator, named, if_empty, reserved }, expression.get(1..).unwrap_or_default()))
    }
}

/// One variable of an expression, with its modifier.
struct Variable<'a> {
    name: &'a str,
    explode: bool,
    prefix: Option<usize>,
}

impl<'a> Variable<'a> {
    fn of(spec: &'a str) -> Result<Self, String> {
        let (name, explode, prefix) = if let Some(name) = spec.strip_suffix('*') {
            (name, true, None)
        } else if let Some((name, length)) = spec.split_once(':') {
            let length = length.parse().ok().filter(|length| (1..10_000).contains(length));
            (name, false, Some(length.ok_or_else(|| format!("the prefix of {} is no length", quoted(spec)))?))
        } else {
            (spec, false, None)
        };
        if name.is_empty() || name.contains(['*', ':']) {
            return Err(format!("{} is no variable", quoted(spec)));
        }
        Ok(Self { name, explode, prefix })
    }
}

/// The uri that `template` makes of the JSON object in `values`.
///
/// # Errors
/// As [`expand`], and what is wrong with `values`.
pub fn expand_text(template: &str, values: &str) -> Result<String, String> {
    bounded("values of variables", values)?;
    on_skeleton(values, |values| match values {
        Value::Object(values) => expand(template, values),
        other => Err(format!("expected an object of variables, got {}", kind_of(&other.to_string()))),
    })?
}

/// A value may stand in a template many times over: each of the three has the bound.
fn bounded(what: &str, text: &str) -> Result<(), String> {
    if text.len() > MAX_URI_BYTES {
        return Err(format!("expected {what} of at most {MAX_URI_BYTES} bytes, got {} or more", text.len()));
    }
    Ok(())
}

/// The uri that `template` makes of `values`. A variable without a value is left out, with the mark that would have come before it.
///
/// # Errors
/// What is wrong with the template, or with the value of a variable, in words for a model.
pub fn expand(template: &str, values: &Map<String, Value>) -> Result<String, String> {
    bounded("a template", template)?;
    let mut uri = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((literal, after)) = rest.split_once('{') {
        take_literal(&mut uri, literal)?;
        let (expression, after) =
            after.split_once('}').ok_or_else(|| format!("expected a }} after the {{ before {}", quoted(after)))?;
        take_expression(&mut uri, expression, values).map_err(|why| format!("{}: {why}", quoted(expression)))?;
        bounded("a uri", &uri)?;
        rest = after;
    }
    take_literal(&mut uri, rest)?;
    Ok(uri)
}

fn take_literal(uri: &mut String, literal: &str) -> Result<(), String> {
    if literal.contains('}') {
        return Err(format!("expected a {{ before the }} in {}", quoted(literal)));
    }
    encode(uri, literal, true);
    Ok(())
}

fn take_expression(uri: &mut String, expression: &str, values: &Map<String, Value>) -> Result<(), String> {
    let (operator, variables) = Operator::of(expression)?;
    let mut mark = operator.first;
    for spec in variables.split(',') {
        let variable = Variable::of(spec)?;
        let Some(value) = values.get(variable.name).filter(|value| is_defined(value)) else { continue };
        uri.push_str(mark);
        mark = operator.separator;
        take_value(uri, &operator, &variable, value)?;
    }
    Ok(())
}

/// RFC 6570, 2.3: an undefined variable is one without a value, an empty list or an empty map.
fn is_defined(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        _ => true,
    }
}

fn take_value(uri: &mut String, operator: &Operator, variable: &Variable<'_>, value: &Value) -> Result<(), String> {
    let Variable { name, explode, prefix } = *variable;
    // Pairs of what goes before `=` and the text; a list that is not taken apart is one text.
    let pairs: Vec<(Option<&str>, String)> = match value {
        Value::Array(_) | Value::Object(_) if prefix.is_some() => {
            return Err(format!("expected a string in {}, to take its first characters", quoted(name)));
        }
        Value::Array(items) if explode => {
            let label = operator.named.then_some(name);
            items.iter().map(|item| Ok((label, encoded(item, operator, name, None)?))).collect::<Result<_, String>>()?
        }
        Value::Object(members) if explode => members
            .iter()
            .map(|(key, member)| Ok((Some(key.as_str()), encoded(member, operator, name, None)?)))
            .collect::<Result<_, String>>()?,
        Value::Array(items) => {
            let texts = items.iter().map(|item| encoded(item, operator, name, None)).collect::<Result<Vec<_>, _>>()?;
            vec![(operator.named.then_some(name), texts.join(","))]
        }
        Value::Object(members) => {
            let mut texts = Vec::with_capacity(members.len() * 2);
            for (key, member) in members {
                let mut label = String::new();
                encode(&mut label, key, operator.reserved);
                texts.push(label);
                texts.push(encoded(member, operator, name, None)?);
            }
            vec![(operator.named.then_some(name), texts.join(","))]
        }
        scalar => vec![(operator.named.then_some(name), encoded(scalar, operator, name, prefix)?)],
    };
    for (position, (label, text)) in pairs.iter().enumerate() {
        if position > 0 {
            uri.push_str(operator.separator);
        }
        if let Some(label) = label {
            encode(uri, label, operator.reserved);
            // A member of a map always has its mark.
            uri.push_str(if text.is_empty() && operator.named { operator.if_empty } else { "=" });
        }
        uri.push_str(text);
    }
    Ok(())
}

/// A value that is no list and no map, as it stands in the uri.
fn encoded(value: &Value, operator: &Operator, name: &str, prefix: Option<usize>) -> Result<String, String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        _ => return Err(format!("expected strings in {}, got {}", quoted(name), kind_of(&value.to_string()))),
    };
    let kept = prefix.map_or(text.len(), |length| text.char_indices().nth(length).map_or(text.len(), |(at, _)| at));
    let mut into = String::with_capacity(text.len());
    encode(&mut into, text.get(..kept).unwrap_or_default(), operator.reserved);
    Ok(into)
}

/// Percent-encodes what is not unreserved (RFC 3986, 2.3). With `reserved`, reserved characters and what is encoded already stay.
fn encode(into: &mut String, text: &str, reserved: bool) {
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().copied().enumerate() {
        let stays = byte.is_ascii_alphanumeric()
            || matches!(byte, b'-' | b'.' | b'_' | b'~')
            || reserved && (b":/?#[]@!$&'()*+,;=".contains(&byte) || byte == b'%' && is_triplet(bytes, at));
        if stays {
            into.push(char::from(byte));
        } else {
            into.push('%');
            for digit in [byte >> 4, byte & 15] {
                into.push(char::from_digit(u32::from(digit), 16).unwrap_or('0').to_ascii_uppercase());
            }
        }
    }
}

fn is_triplet(bytes: &[u8], at: usize) -> bool {
    bytes.get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

#[cfg(test)]
#[path = "template_tests.rs"]
mod tests;
