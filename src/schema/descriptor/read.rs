//! What one level of a schema says under its keywords.

use std::collections::HashSet;

use serde_json::{Map, Value};

pub(super) fn text_of(members: &Map<String, Value>, key: &str) -> Option<String> {
    members.get(key).and_then(Value::as_str).map(str::to_owned)
}

/// A bound and its exclusive twin, which in draft 4 is a mark on the bound.
pub(super) fn bounds(members: &Map<String, Value>, bound: &str, exclusive: &str) -> (Option<Value>, Option<Value>) {
    let number = |key: &str| members.get(key).filter(|value| value.is_number()).cloned();
    match members.get(exclusive) {
        Some(Value::Bool(true)) => (None, number(bound)),
        _ => (number(bound), number(exclusive)),
    }
}

/// The types that the schema allows, as far as it constrains them; one that says nothing of types allows any.
pub(super) fn types_of(members: &Map<String, Value>) -> Vec<String> {
    match members.get("type") {
        Some(Value::String(one)) => return vec![one.clone()],
        Some(Value::Array(many)) if !many.is_empty() => {
            let mut met = HashSet::new();
            return many.iter().filter_map(Value::as_str).filter(|one| met.insert(*one)).map(str::to_owned).collect();
        }
        _ => {}
    }
    let of: [(&str, &[&str]); 4] = [
        ("object", &["properties", "required", "additionalProperties", "patternProperties"]),
        ("array", &["items", "prefixItems", "minItems", "maxItems"]),
        ("string", &["minLength", "maxLength", "pattern", "format"]),
        ("number", &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
    ];
    let mut types: Vec<String> = of
        .iter()
        .filter(|(_, keywords)| keywords.iter().any(|keyword| members.contains_key(*keyword)))
        .map(|(kind, _)| (*kind).to_owned())
        .collect();
    // Values of other types are let through: `any` stands for them.
    types.push("any".to_owned());
    types
}
