//! `allOf`, and siblings of `$ref`, as one schema: both sides hold.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::budget::{Budget, size};

/// Where demands stand that cannot be one keyword with another: a list of schemas, as under `allOf`. No server can write this key by accident.
pub(super) const APART: &str = "\u{0}apart";

/// Adds to `into` what `other` demands. What cannot be one keyword is kept under [`APART`]. Where `budget` does not suffice, `into` is of no more use.
pub(super) fn merge(into: &mut Map<String, Value>, other: &Map<String, Value>, budget: &mut Budget) {
    for (key, theirs) in other {
        if !budget.spend(size(theirs)) {
            return;
        }
        let Some(ours) = into.get_mut(key) else {
            into.insert(key.clone(), theirs.clone());
            continue;
        };
        if ours == theirs {
            continue;
        }
        let merged = match key.as_str() {
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentRequired" => by_name(ours, theirs),
            "required" | "allOf" | APART => Some(union(ours.take(), theirs, budget)),
            "enum" => Some(intersection(ours, theirs, budget)),
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

fn by_name(ours: &mut Value, theirs: &Value) -> Option<Value> {
    let (Value::Object(merged), Value::Object(theirs)) = (ours, theirs) else { return None };
    for (name, schema) in theirs {
        match merged.get_mut(name) {
            None => drop(merged.insert(name.clone(), schema.clone())),
            Some(known) if known == schema || schema == &Value::Bool(true) => {}
            Some(known) => *known = json!({ "allOf": [known.take(), schema] }),
        }
    }
    Some(Value::Object(std::mem::take(merged)))
}

/// All names are required, all demands hold.
fn union(ours: Value, theirs: &Value, budget: &mut Budget) -> Value {
    let Value::Array(mut all) = ours else { return theirs.clone() };
    // The look-up is made anew for each part.
    if !budget.spend(all.len() * 8) {
        return Value::from(all);
    }
    let new: Vec<Value> = {
        let known = Members::of(&all);
        let theirs = theirs.as_array().into_iter().flatten();
        theirs.filter(|value| !known.contains(value, budget)).cloned().collect()
    };
    all.extend(new);
    Value::from(all)
}

fn intersection(ours: &Value, theirs: &Value, budget: &mut Budget) -> Value {
    let theirs = Members::of(theirs.as_array().map_or(&[], Vec::as_slice));
    let ours = ours.as_array().into_iter().flatten();
    ours.filter(|value| theirs.contains(value, budget)).cloned().collect()
}

/// The members of a list, looked up by value: long lists are lists of names.
struct Members<'a> {
    names: HashSet<&'a str>,
    others: Vec<&'a Value>,
}

impl<'a> Members<'a> {
    fn of(list: &'a [Value]) -> Self {
        let (names, others): (Vec<_>, Vec<_>) = list.iter().partition(|value| value.is_string());
        Self { names: names.into_iter().filter_map(Value::as_str).collect(), others }
    }

    /// Where the budget runs out the answer is of no use any more.
    fn contains(&self, value: &Value, budget: &mut Budget) -> bool {
        match value.as_str() {
            Some(name) => self.names.contains(name),
            None => budget.spend(self.others.len()) && self.others.contains(&value),
        }
    }
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
