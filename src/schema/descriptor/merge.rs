//! `allOf`, and siblings of `$ref`, as one schema: both sides hold.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use crate::schema::metered::canonical;

/// Where demands stand that cannot be one keyword with another: a list of schemas, as under `allOf`. No server can write this key by accident.
pub(super) const APART: &str = "\u{0}apart";

/// Adds to `into` what `other` demands. What cannot be one keyword is kept under [`APART`].
pub(super) fn merge(into: &mut Map<String, Value>, other: &Map<String, Value>) {
    for (key, theirs) in other {
        let Some(ours) = into.get(key) else {
            into.insert(key.clone(), theirs.clone());
            continue;
        };
        if ours == theirs {
            continue;
        }
        let merged = match key.as_str() {
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentRequired" => by_name(ours, theirs),
            // All names are required, all demands hold.
            "required" | "allOf" | APART => Some(union(ours, theirs)),
            "enum" => Some(intersection(ours, theirs)),
            "type" => types(ours, theirs),
            "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => larger(ours, theirs),
            "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => larger(theirs, ours),
            "description" => described(ours, theirs),
            // Annotations: the outer one is the nearer.
            "title" | "default" | "examples" | "$id" | "id" | "$schema" | "$comment" | "$anchor" | "nullable" => {
                Some(ours.clone())
            }
            "additionalProperties" => Some(open_or_closed(ours, theirs)),
            "items" | "contains" | "not" | "propertyNames" | "if" | "then" | "else" | "pattern" | "format"
            | "anyOf" | "oneOf" | "const" | "prefixItems" | "multipleOf" => None,
            _ => Some(ours.clone()),
        };
        match merged {
            Some(merged) => drop(into.insert(key.clone(), merged)),
            None => apart(into, key, theirs),
        }
    }
}

/// Keeps a demand that does not fit under a keyword of its own.
fn apart(into: &mut Map<String, Value>, key: &str, value: &Value) {
    let part = json!({ key: value });
    match into.get_mut(APART) {
        Some(Value::Array(parts)) => parts.push(part),
        _ => drop(into.insert(APART.to_owned(), Value::from(vec![part]))),
    }
}

fn by_name(ours: &Value, theirs: &Value) -> Option<Value> {
    let (Value::Object(ours), Value::Object(theirs)) = (ours, theirs) else { return None };
    let mut merged = ours.clone();
    for (name, schema) in theirs {
        match merged.get(name) {
            None => drop(merged.insert(name.clone(), schema.clone())),
            Some(known) if known == schema || schema == &Value::Bool(true) => {}
            Some(Value::Object(known)) if known.len() == 1 && known.get("allOf").is_some_and(Value::is_array) => {
                // One list, not one inside of the other: a server could nest them without end.
                if let Some(Value::Array(parts)) = merged.get_mut(name).and_then(|known| known.get_mut("allOf")) {
                    parts.push(schema.clone());
                }
            }
            Some(known) => {
                let both = json!({ "allOf": [known, schema] });
                merged.insert(name.clone(), both);
            }
        }
    }
    Some(Value::Object(merged))
}

fn union(ours: &Value, theirs: &Value) -> Value {
    let mut all = ours.as_array().cloned().unwrap_or_default();
    let mut known = texts_of(ours);
    all.extend(theirs.as_array().into_iter().flatten().filter(|value| known.insert(text_of(value))).cloned());
    Value::from(all)
}

fn intersection(ours: &Value, theirs: &Value) -> Value {
    let theirs = texts_of(theirs);
    ours.as_array()
        .map(|ours| ours.iter().filter(|value| theirs.contains(&text_of(value))).cloned().collect())
        .unwrap_or_default()
}

/// The items of a list by their text, which equal values share.
fn texts_of(list: &Value) -> HashSet<String> {
    list.as_array().into_iter().flatten().map(text_of).collect()
}

fn text_of(value: &Value) -> String {
    let mut text = String::new();
    canonical(value, &mut text);
    text
}

fn types(ours: &Value, theirs: &Value) -> Option<Value> {
    let list = |value: &Value| -> Option<Vec<String>> {
        match value {
            Value::String(one) => Some(vec![one.clone()]),
            Value::Array(many) => many.iter().map(|kind| kind.as_str().map(str::to_owned)).collect(),
            _ => None,
        }
    };
    let (ours, theirs) = (list(ours)?, list(theirs)?);
    let allows =
        |list: &[String], kind: &str| list.iter().any(|have| have == kind || (kind == "integer" && have == "number"));
    let mut both: Vec<String> = ours.iter().filter(|kind| allows(&theirs, kind)).cloned().collect();
    for kind in theirs.iter().filter(|kind| allows(&ours, kind)) {
        if !both.contains(kind) {
            both.push(kind.clone());
        }
    }
    match both.as_slice() {
        [] => None,
        [one] => Some(Value::from(one.as_str())),
        _ => Some(Value::from(both)),
    }
}

fn larger(a: &Value, b: &Value) -> Option<Value> {
    let (x, y) = (a.as_f64()?, b.as_f64()?);
    Some(if x >= y { a.clone() } else { b.clone() })
}

fn described(ours: &Value, theirs: &Value) -> Option<Value> {
    let (ours, theirs) = (ours.as_str()?, theirs.as_str()?);
    Some(Value::from(if ours.contains(theirs) { ours.to_owned() } else { format!("{ours}\n{theirs}") }))
}

/// Each side's `additionalProperties` is about what that side does not name, so a closed side stays closed only loosely: what is shown must not
/// forbid what either allows.
fn open_or_closed(ours: &Value, theirs: &Value) -> Value {
    match (ours, theirs) {
        (Value::Bool(true), other) | (other, Value::Bool(true)) => other.clone(),
        (Value::Bool(false), _) | (_, Value::Bool(false)) => Value::Bool(false),
        _ => Value::Bool(true),
    }
}
