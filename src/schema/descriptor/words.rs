//! What zod 3 has no word for, in words: short, and at the end of the level's description, so that the model still knows it.

use std::fmt::Write;

use serde_json::{Map, Value};

use crate::{
    limits::{MAX_LISTED_VALUES, MAX_SHOWN_RULE, MAX_SHOWN_VALUE},
    text::shortened,
};

/// Formats that a string of the descriptor carries as they are; any other is said in words.
pub(super) const FORMATS: [&str; 9] = ["date-time", "date", "time", "duration", "email", "uuid", "uri", "ipv4", "ipv6"];

/// What `schema` says besides what its node says. `name` is the property's own, where it is one.
pub(super) fn words_of(schema: &Map<String, Value>, name: Option<&str>) -> String {
    let mut words = Vec::new();
    if let Some(title) = schema.get("title").and_then(Value::as_str)
        && !says_nothing_new(title, name, schema)
    {
        words.push(format!("title: {}", shortened(title, MAX_SHOWN_VALUE)));
    }
    for (key, value) in schema {
        if let Some(said) = said(key, value, schema) {
            words.push(said);
        } else if is_idle(key, schema) {
            words.push(format!("{key}: {}", shortened(&value.to_string(), MAX_SHOWN_RULE)));
        }
    }
    words.join("; ")
}

/// Generators write titles that only repeat the property's name.
fn says_nothing_new(title: &str, name: Option<&str>, schema: &Map<String, Value>) -> bool {
    let plain =
        |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect() };
    let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    title.is_empty() || name.is_some_and(|name| plain(name) == plain(title)) || description.contains(title)
}

/// A keyword that binds values of a type which the schema does not allow. It says nothing to a validator, and to a model what the server meant.
fn is_idle(key: &str, schema: &Map<String, Value>) -> bool {
    let kind = match key {
        "properties" | "required" | "additionalProperties" => "object",
        "items" | "prefixItems" | "minItems" | "maxItems" => "array",
        "minLength" | "maxLength" | "pattern" => "string",
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => "number",
        _ => return false,
    };
    let is_kind = |one: &Value| one == kind || (kind == "number" && one == "integer");
    match schema.get("type") {
        None => false,
        Some(Value::Array(many)) => !many.iter().any(is_kind),
        Some(one) => !is_kind(one),
    }
}

fn said(key: &str, value: &Value, schema: &Map<String, Value>) -> Option<String> {
    let one_of_types = |kind: &str| match schema.get("type") {
        None => true,
        Some(Value::String(one)) => one == kind,
        Some(Value::Array(many)) => many.iter().any(|one| one == kind),
        Some(_) => false,
    };
    Some(match key {
        "not" => format!("must not match {}", shown(value)),
        "if" => conditional(value, schema),
        "patternProperties" => {
            let rules: Vec<String> =
                value.as_object()?.iter().map(|(pattern, schema)| format!("/{pattern}/: {}", shown(schema))).collect();
            format!("properties whose name matches {}", rules.join(", "))
        }
        "propertyNames" => {
            if value.as_bool() == Some(true)
                || value.get("type").is_some_and(|_| value.as_object().is_some_and(|o| o.len() == 1))
            {
                return None;
            }
            format!("property names match {}", shown(value))
        }
        "contains" => format!("contains an item that matches {}", shown(value)),
        "minContains" => format!("at least {value} such items"),
        "maxContains" => format!("at most {value} such items"),
        "minProperties" => format!("at least {value} properties"),
        "maxProperties" => format!("at most {value} properties"),
        "uniqueItems" if value.as_bool() == Some(true) => "items are unique".to_owned(),
        "dependentRequired" | "dependencies" | "dependentSchemas" => dependencies(value)?,
        "unevaluatedProperties" if value.as_bool() == Some(false) => "no other properties".to_owned(),
        "unevaluatedItems" if value.as_bool() == Some(false) => "no other items".to_owned(),
        "unevaluatedProperties" | "unevaluatedItems" if value.is_object() => {
            format!("others match {}", shown(value))
        }
        "format" => {
            let format = value.as_str()?;
            if FORMATS.contains(&format) && one_of_types("string") {
                return None;
            }
            format!("format: {}", shortened(format, MAX_SHOWN_VALUE))
        }
        "examples" => {
            let examples: Vec<String> = value.as_array()?.iter().take(MAX_LISTED_VALUES).map(shown).collect();
            if examples.is_empty() {
                return None;
            }
            format!("e.g. {}", examples.join(", "))
        }
        "example" => format!("e.g. {}", shown(value)),
        "deprecated" if value.as_bool() == Some(true) => "deprecated".to_owned(),
        "readOnly" if value.as_bool() == Some(true) => "read-only".to_owned(),
        "writeOnly" if value.as_bool() == Some(true) => "write-only".to_owned(),
        "contentEncoding" | "contentMediaType" => shortened(value.as_str()?, MAX_SHOWN_VALUE),
        _ => return None,
    })
}

fn conditional(condition: &Value, schema: &Map<String, Value>) -> String {
    let mut words = format!("if {}", shown(condition));
    for branch in ["then", "else"] {
        if let Some(consequence) = schema.get(branch) {
            // Writing to a `String` cannot fail.
            let _ = write!(words, " {branch} {}", shown(consequence));
        }
    }
    words
}

fn dependencies(value: &Value) -> Option<String> {
    let rules: Vec<String> = value
        .as_object()?
        .iter()
        .map(|(name, demand)| match demand.as_array() {
            Some(names) => {
                let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
                format!("with {name} also {}", names.join(", "))
            }
            None => format!("with {name} also {}", shown(demand)),
        })
        .collect();
    (!rules.is_empty()).then(|| rules.join(", "))
}

/// Alternatives that only say which properties must be there.
pub(super) fn required_alternatives(keyword: &str, options: &[Value]) -> Option<String> {
    let lists: Option<Vec<String>> = options
        .iter()
        .map(|option| {
            let option = option.as_object()?;
            let names: Vec<&str> = option.get("required")?.as_array()?.iter().filter_map(Value::as_str).collect();
            (option.len() == 1).then(|| names.join(" and "))
        })
        .collect();
    let how = if keyword == "oneOf" { "exactly one of these is required" } else { "at least one of these is required" };
    Some(format!("{how}: {}", lists?.join(" | ")))
}

/// A schema or a value as JSON, shortened.
pub(super) fn shown(value: &Value) -> String {
    shortened(&value.to_string(), MAX_SHOWN_RULE)
}
