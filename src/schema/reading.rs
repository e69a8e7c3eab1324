//! What servers write that is not JSON Schema and can mean one thing only, read as it is meant, before anything is compiled.
//!
//! Only places that are schemas are looked at: a property may be called `enum`, and a `const` may be null.

use jsonschema::Draft;
use serde_json::{Map, Value};

/// Keywords whose value is one schema.
const ONE: [&str; 12] = [
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// Keywords whose value is a list of schemas; `items` is one too in the older dialects.
const LIST: [&str; 5] = ["allOf", "anyOf", "items", "oneOf", "prefixItems"];
/// Keywords whose value holds schemas by name.
const MAP: [&str; 6] = ["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"];
/// Keywords for which null is a value like any other.
const MAY_BE_NULL: [&str; 3] = ["const", "default", "examples"];

/// How deep work on the schema whose JSON text is `schema` may recurse: its nesting, and a hop for each of its references.
pub(super) fn nesting(schema: &str) -> usize {
    crate::text::depth(schema) + schema.matches("ef\"").count()
}

/// What stands at a place inside a schema, as far as its keywords tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Schema,
    /// The list or the map of schemas under a keyword.
    Schemas,
    /// Anything else.
    Data,
}

/// The place of the member `key` of something that stands at `place` and holds `value` there.
pub(super) fn place_of(place: Place, key: &str, value: &Value) -> Place {
    match place {
        Place::Schema if MAP.contains(&key) && value.is_object() => Place::Schemas,
        Place::Schema if LIST.contains(&key) && value.is_array() => Place::Schemas,
        Place::Schema if ONE.contains(&key) => Place::Schema,
        // A list under `dependencies` names properties.
        Place::Schemas if !value.is_array() => Place::Schema,
        _ => Place::Data,
    }
}

/// Calls `visit` with each schema inside `schema` that is an object, itself included, outermost first. Recurses as deep as the schema goes.
pub(super) fn each_schema(schema: &mut Value, visit: &mut impl FnMut(&mut Map<String, Value>)) {
    walk(schema, Place::Schema, visit);
}

fn walk(value: &mut Value, place: Place, visit: &mut impl FnMut(&mut Map<String, Value>)) {
    if place == Place::Data {
        return;
    }
    match value {
        Value::Object(members) => {
            if place == Place::Schema {
                visit(members);
            }
            for (key, member) in members.iter_mut() {
                let inner = place_of(place, key, member);
                walk(member, inner, visit);
            }
        }
        Value::Array(items) if place == Place::Schemas => {
            for item in items {
                walk(item, Place::Schema, visit);
            }
        }
        _ => {}
    }
}

/// Rewrites, everywhere in `schema`, what is not of `draft` and can mean one thing only:
/// - a keyword that is `null`, where null is no value for it: absent;
/// - `exclusiveMinimum: true` beside `minimum` after draft 4 (and the same of the maximum): the bound is exclusive;
/// - `nullable: true` beside `type`, from `OpenAPI` 3.0: null is one of the types;
/// - a list under `items` in 2020-12: positions, as `prefixItems` has them now.
pub(super) fn as_meant(schema: &mut Value, draft: Draft) {
    each_schema(schema, &mut |members| {
        if members.values().any(Value::is_null) {
            members.retain(|key, value| !value.is_null() || MAY_BE_NULL.contains(&key.as_str()));
        }
        if draft != Draft::Draft4 {
            exclusive(members, "minimum", "exclusiveMinimum");
            exclusive(members, "maximum", "exclusiveMaximum");
        }
        if members.get("nullable") == Some(&Value::Bool(true)) {
            nullable(members);
        }
        if draft == Draft::Draft202012 && members.get("items").is_some_and(Value::is_array) {
            positional_items(members);
        }
    });
}

fn exclusive(members: &mut Map<String, Value>, bound: &str, exclusive: &str) {
    match members.get(exclusive) {
        Some(Value::Bool(true)) => match members.get(bound).cloned() {
            Some(limit) => {
                members.insert(exclusive.to_owned(), limit);
                members.shift_remove(bound);
            }
            None => drop(members.shift_remove(exclusive)),
        },
        Some(Value::Bool(false)) => drop(members.shift_remove(exclusive)),
        _ => {}
    }
}

fn nullable(members: &mut Map<String, Value>) {
    let Some(kind) = members.get_mut("type") else { return };
    match kind {
        Value::String(one) if one != "null" => *kind = Value::from(vec![one.clone(), "null".to_owned()]),
        Value::Array(kinds) if !kinds.iter().any(|kind| kind == "null") => kinds.push("null".into()),
        _ => {}
    }
}

fn positional_items(members: &mut Map<String, Value>) {
    if members.contains_key("prefixItems") {
        return;
    }
    let rest = members.shift_remove("additionalItems");
    if let Some(positions) = members.shift_remove("items") {
        members.insert("prefixItems".to_owned(), positions);
    }
    if let Some(rest) = rest {
        members.insert("items".to_owned(), rest);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn deviations_are_read_as_meant() {
        for (mut sent, meant) in [
            (
                json!({"required": null, "const": null, "default": null, "enum": null}),
                json!({"const": null, "default": null}),
            ),
            (json!({"minimum": 5, "exclusiveMinimum": true}), json!({"exclusiveMinimum": 5})),
            (json!({"maximum": 5, "exclusiveMaximum": false}), json!({"maximum": 5})),
            (json!({"exclusiveMaximum": true}), json!({})),
            (json!({"type": "string", "nullable": true}), json!({"type": ["string", "null"], "nullable": true})),
            (json!({"nullable": true}), json!({"nullable": true})),
            (
                json!({"items": [{"minimum": null}], "additionalItems": false}),
                json!({"prefixItems": [{}], "items": false}),
            ),
        ] {
            let inside = json!({"properties": {"a": sent}});
            as_meant(&mut sent, Draft::Draft202012);
            assert_eq!(sent, meant);
            let mut inside = inside;
            as_meant(&mut inside, Draft::Draft202012);
            assert_eq!(inside, json!({"properties": {"a": meant}}));
        }
    }

    #[test]
    fn names_and_data_are_left_alone() {
        let schema = json!({
            "properties": {"enum": {"type": "string"}, "nullable": {"const": {"required": null}}},
            "enum": [null, {"items": null}],
            "dependencies": {"a": ["b"]},
        });
        let mut read = schema.clone();
        as_meant(&mut read, Draft::Draft202012);
        assert_eq!(read, schema);
    }

    #[test]
    fn draft_4_keeps_its_own_bounds() {
        let schema = json!({"minimum": 5, "exclusiveMinimum": true});
        let mut read = schema.clone();
        as_meant(&mut read, Draft::Draft4);
        assert_eq!(read, schema);
    }
}
