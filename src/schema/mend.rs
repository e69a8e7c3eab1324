//! Deviations of real servers that can mean one thing only, read as meant. Nothing here touches a schema that is valid in its
//! dialect, but for `nullable`, which is OpenAPI's and no keyword of any dialect.

use std::collections::HashSet;

use jsonschema::Draft;
use serde_json::{Map, Value};

use super::{
    dialect::{Dialect, recognise},
    walk::{LIST, NAMED, ONE, each_child_mut},
};

/// Keywords that hold no schema and under which `null` says nothing: generators write it for a field that is not there. `const` and
/// `default` are not among them: there `null` is a value.
const PLAIN: [&str; 39] = [
    "$anchor",
    "$comment",
    "$dynamicAnchor",
    "$dynamicRef",
    "$id",
    "$recursiveAnchor",
    "$recursiveRef",
    "$ref",
    "$schema",
    "$vocabulary",
    "contentEncoding",
    "contentMediaType",
    "dependentRequired",
    "deprecated",
    "description",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "id",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "nullable",
    "pattern",
    "readOnly",
    "required",
    "title",
    "type",
    "uniqueItems",
];

/// Reads `schema` as meant, all the way down. `open` also reads list-form `items` as a tuple where the schema says it is 2020-12.
pub(super) fn as_meant(schema: &mut Value, dialect: Dialect, open: bool) {
    let Value::Object(keywords) = schema else { return };
    let mut dialect = dialect;
    if let Some(Value::String(uri)) = keywords.get_mut("$schema")
        && let Some((draft, canonical)) = recognise(uri)
    {
        canonical.clone_into(uri);
        dialect.draft = draft;
    }
    drop_nulls(keywords);
    for (bound, exclusive, tighter) in [
        ("minimum", "exclusiveMinimum", (|a, b| a > b) as fn(f64, f64) -> bool),
        ("maximum", "exclusiveMaximum", |a, b| a < b),
    ] {
        if dialect.draft == Draft::Draft4 {
            exclusive_as_flag(keywords, bound, exclusive, tighter);
        } else {
            exclusive_as_number(keywords, bound, exclusive);
        }
    }
    allow_null(keywords);
    tidy_required(keywords, dialect.draft);
    if dialect.draft == Draft::Draft202012 && (dialect.by_default || open) {
        tuple(keywords);
    }
    each_child_mut(keywords, |schema| as_meant(schema, dialect, open));
}

fn drop_nulls(keywords: &mut Map<String, Value>) {
    if keywords.values().any(Value::is_null) {
        keywords.retain(|keyword, value| {
            let keyword = keyword.as_str();
            let known = || [&ONE[..], &LIST[..], &NAMED[..], &PLAIN[..]].iter().any(|list| list.contains(&keyword));
            !(value.is_null() && known())
        });
    }
}

/// Draft 4's `minimum: 5, exclusiveMinimum: true` in a later dialect.
fn exclusive_as_number(keywords: &mut Map<String, Value>, bound: &str, exclusive: &str) {
    let Some(Value::Bool(flag)) = keywords.get(exclusive) else { return };
    match (*flag, keywords.get(bound)) {
        (true, Some(limit)) if limit.is_number() => {
            let limit = limit.clone();
            keywords.insert(exclusive.into(), limit);
            keywords.shift_remove(bound);
        }
        _ => {
            keywords.shift_remove(exclusive);
        }
    }
}

/// A later dialect's `exclusiveMinimum: 5` in draft 4. Where both bounds are there the tighter one holds.
fn exclusive_as_flag(keywords: &mut Map<String, Value>, bound: &str, exclusive: &str, tighter: fn(f64, f64) -> bool) {
    let Some(limit) = keywords.get(exclusive).filter(|limit| limit.is_number()) else { return };
    let inclusive = keywords.get(bound).and_then(Value::as_f64);
    if let (Some(inclusive), Some(exclusive_limit)) = (inclusive, limit.as_f64())
        && tighter(inclusive, exclusive_limit)
    {
        keywords.shift_remove(exclusive);
        return;
    }
    let limit = limit.clone();
    keywords.insert(bound.into(), limit);
    keywords.insert(exclusive.into(), Value::Bool(true));
}

/// A name listed twice is required once; draft 4 has no word for an empty list, which later dialects allow.
fn tidy_required(keywords: &mut Map<String, Value>, draft: Draft) {
    let Some(Value::Array(names)) = keywords.get_mut("required") else { return };
    let mut seen = HashSet::new();
    names.retain(|name| name.as_str().is_none_or(|name| seen.insert(name.to_owned())));
    if names.is_empty() && draft == Draft::Draft4 {
        keywords.shift_remove("required");
    }
}

/// OpenAPI 3.0's `nullable: true`, which means something beside a `type` only.
fn allow_null(keywords: &mut Map<String, Value>) {
    if keywords.get("nullable") != Some(&Value::Bool(true)) {
        return;
    }
    match keywords.get_mut("type") {
        Some(Value::Array(types)) if !types.iter().any(|name| name == "null") => types.push("null".into()),
        Some(single @ Value::String(_)) if *single != "null" => {
            *single = Value::Array(vec![single.take(), "null".into()]);
        }
        _ => {}
    }
}

/// A list under `items`, which until 2019-09 was a tuple and in 2020-12 can be nothing else.
fn tuple(keywords: &mut Map<String, Value>) {
    if !matches!(keywords.get("items"), Some(Value::Array(_))) || keywords.contains_key("prefixItems") {
        return;
    }
    let Some(list @ Value::Array(_)) = keywords.shift_remove("items") else { return };
    if list != Value::Array(Vec::new()) {
        keywords.insert("prefixItems".into(), list);
    }
    if let Some(rest) = keywords.shift_remove("additionalItems") {
        keywords.insert("items".into(), rest);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn meant(mut schema: Value) -> Value {
        let dialect = Dialect::of(&schema).unwrap();
        as_meant(&mut schema, dialect, false);
        schema
    }

    #[test]
    fn null_under_a_keyword_is_absent_and_under_a_name_or_as_a_value_is_not() {
        assert_eq!(
            meant(json!({
                "required": null, "additionalProperties": null, "const": null, "default": null, "enum": [null],
                "properties": { "type": { "minLength": null, "type": "string" }, "required": null }
            })),
            json!({
                "const": null, "default": null, "enum": [null],
                "properties": { "type": { "type": "string" }, "required": null }
            })
        );
    }

    #[test]
    fn exclusive_bounds_follow_the_dialect() {
        assert_eq!(meant(json!({ "minimum": 5, "exclusiveMinimum": true })), json!({ "exclusiveMinimum": 5 }));
        assert_eq!(meant(json!({ "maximum": 5, "exclusiveMaximum": false })), json!({ "maximum": 5 }));
        assert_eq!(meant(json!({ "exclusiveMaximum": true })), json!({}));
        let draft4 = "http://json-schema.org/draft-04/schema#";
        assert_eq!(
            meant(json!({ "$schema": draft4, "exclusiveMinimum": 5, "minimum": 3 })),
            json!({ "$schema": draft4, "exclusiveMinimum": true, "minimum": 5 })
        );
        assert_eq!(
            meant(json!({ "$schema": draft4, "exclusiveMinimum": 5, "minimum": 7 })),
            json!({ "$schema": draft4, "minimum": 7 })
        );
        assert_eq!(
            meant(json!({ "$schema": draft4, "exclusiveMinimum": true, "minimum": 7 })),
            json!({ "$schema": draft4, "exclusiveMinimum": true, "minimum": 7 })
        );
    }

    #[test]
    fn nullable_counts_beside_a_type_only() {
        assert_eq!(meant(json!({ "type": "string", "nullable": true }))["type"], json!(["string", "null"]));
        assert_eq!(meant(json!({ "type": ["string"], "nullable": true }))["type"], json!(["string", "null"]));
        assert_eq!(meant(json!({ "type": "string", "nullable": false }))["type"], json!("string"));
        assert_eq!(meant(json!({ "nullable": true })), json!({ "nullable": true }));
    }

    #[test]
    fn a_list_under_items_is_a_tuple() {
        assert_eq!(
            meant(json!({ "items": [{ "type": "string" }], "additionalItems": false })),
            json!({ "prefixItems": [{ "type": "string" }], "items": false })
        );
        let draft7 = json!({ "$schema": "http://json-schema.org/draft-07/schema#", "items": [true] });
        assert_eq!(meant(draft7.clone()), draft7);
    }
}
