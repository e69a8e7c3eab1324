//! What the model is told, rule by rule.

use serde_json::{Value, json};

use super::{Issue, Schema};
use crate::limits::MAX_ISSUES;

fn issues(schema: &Value, arguments: &Value) -> Vec<Issue> {
    Schema::new(schema.to_string().into()).check(&arguments.to_string())
}

fn told(schema: &Value, arguments: &Value) -> Vec<String> {
    let told = |issue: Issue| {
        let path: Vec<String> =
            issue.path.iter().map(|step| step.as_str().map_or(step.to_string(), str::to_owned)).collect();
        format!("{}: {}", path.join("."), issue.message)
    };
    issues(schema, arguments).into_iter().map(told).collect()
}

/// The message about `value` under a property `v` that has `schema`.
fn of(schema: &Value, value: &Value) -> String {
    told(&json!({ "properties": { "v": schema } }), &json!({ "v": value })).join(" | ")
}

#[test]
fn one_rule_one_message() {
    for (schema, value, message) in [
        (json!({ "type": "integer" }), json!("5"), r#"v: expected integer, found "5" (string)"#),
        (json!({ "type": "integer" }), json!(1.5), "v: expected integer, found 1.5 (number)"),
        (json!({ "type": ["string", "null"] }), json!([1]), "v: expected null or string, found an array of 1 item"),
        (json!({ "type": "string" }), json!(null), "v: expected string, found null"),
        (json!({ "enum": ["a", 1, null] }), json!("b"), r#"v: expected one of "a", 1, null, found "b""#),
        (json!({ "enum": ["a"] }), json!("b"), r#"v: expected "a", found "b""#),
        (json!({ "const": { "x": 1 } }), json!({}), r#"v: expected {"x":1}, found an object of 0 properties"#),
        (json!({ "minimum": 1 }), json!(0), "v: expected at least 1, found 0"),
        (json!({ "exclusiveMaximum": 1 }), json!(1), "v: expected less than 1, found 1"),
        (json!({ "multipleOf": 0.5 }), json!(0.7), "v: expected a multiple of 0.5, found 0.7"),
        (json!({ "minLength": 1 }), json!(""), "v: expected at least 1 character, found 0"),
        (json!({ "maxLength": 2 }), json!("😀😀😀"), "v: expected at most 2 characters, found 3"),
        (json!({ "minItems": 2 }), json!([1]), "v: expected at least 2 items, found 1"),
        (json!({ "maxProperties": 1 }), json!({ "a": 1, "b": 2 }), "v: expected at most 1 property, found 2"),
        (json!({ "pattern": "^a+$" }), json!("b"), r#"v: expected a string that matches ^a+$, found "b""#),
        (json!({ "uniqueItems": true }), json!([1, 1.0]), "v: expected items that all differ, found equal ones"),
        (
            json!({ "contains": { "type": "null" } }),
            json!([1]),
            r#"v: expected at least 1 item to match {"type":"null"}, found 1 item"#,
        ),
        (json!(false), json!(1), "v: no value is allowed here, found 1"),
        (json!({ "not": { "type": "string" } }), json!("x"), r#"v: must not match {"type":"string"}, found "x""#),
        (
            json!({ "propertyNames": { "maxLength": 1 } }),
            json!({ "ab": 1 }),
            r#"v.ab: the property name "ab" is not allowed: expected at most 1 character, found 2"#,
        ),
        (json!({ "prefixItems": [true], "items": false }), json!([1, 2]), "v.1: no value is allowed here, found 2"),
        (
            json!({ "dependentRequired": { "a": ["b"] } }),
            json!({ "a": 1 }),
            r#"v.b: the required property "b" is missing"#,
        ),
        (json!({ "unevaluatedProperties": false }), json!({ "x": 1 }), r#"v: unknown property "x""#),
        (
            json!({ "properties": { "a": {} }, "additionalProperties": false }),
            json!({ "x": 1, "y": 2 }),
            r#"v: unknown properties "x", "y"; known are "a""#,
        ),
        (
            json!({ "additionalProperties": false }),
            json!({ "x": 1 }),
            r#"v: unknown property "x"; none is allowed here"#,
        ),
    ] {
        assert_eq!(of(&schema, &value), message, "{schema}");
    }
}

#[test]
fn a_missing_property_is_reported_once_at_its_own_path_with_what_it_holds() {
    let schema = json!({
        "properties": { "o": { "properties": { "a": { "type": "string" }, "b": { "enum": ["x", "y"] } }, "required": ["a", "b"], "allOf": [{ "required": ["a"] }] } }
    });
    let found = issues(&schema, &json!({ "o": {} }));
    assert_eq!(
        found.iter().map(|issue| (issue.instance_path.as_str(), issue.path.clone())).collect::<Vec<_>>(),
        [("/o", vec![json!("o"), json!("a")]), ("/o", vec![json!("o"), json!("b")])]
    );
    assert_eq!(found[0].message, r#"the required property "a" is missing (string)"#);
    assert_eq!(found[1].message, r#"the required property "b" is missing (one of "x", "y")"#);
    assert_eq!(found[0].schema_path, "/properties/o/required");
}

#[test]
fn paths_tell_indices_from_keys_and_the_schema_path_follows_references() {
    let schema = json!({
        "properties": { "a/b": { "items": { "$ref": "#/$defs/n" } }, "m": { "additionalProperties": { "type": "null" } } },
        "$defs": { "n": { "type": "number" } }
    });
    let found = issues(&schema, &json!({ "a/b": [1, "x"], "m": { "0": 1 } }));
    assert_eq!(found[0].path, [json!("a/b"), json!(1)]);
    assert_eq!(found[0].instance_path, "/a~1b/1");
    assert_eq!(found[0].schema_path, "/properties/a~1b/items/$ref/type");
    assert_eq!(found[1].path, [json!("m"), json!("0")]);
}

#[test]
fn the_closest_alternative_is_explained() {
    let action = json!({ "oneOf": [
        { "type": "object", "properties": { "action": { "const": "create" }, "title": { "type": "string" } }, "required": ["action", "title"], "additionalProperties": false },
        { "type": "object", "properties": { "action": { "enum": ["update"] }, "id": { "type": "string" } }, "required": ["action", "id"] },
        { "type": "object", "properties": { "action": { "enum": ["noop", "ping"] } }, "required": ["action"] }
    ] });
    for (value, message) in [
        (json!({ "action": "update" }), r#"v.id: the required property "id" is missing (string)"#),
        (
            json!({ "action": "delete" }),
            r#"v.action: expected one of "create", "update", "noop", "ping", found "delete""#,
        ),
        (json!({ "action": "create", "title": 1 }), "v.title: expected string, found 1 (number)"),
        (json!(5), "v: expected object, found 5 (number)"),
    ] {
        assert_eq!(of(&action, &value), message, "{value}");
    }
    let optional = json!({ "anyOf": [{ "type": "array", "items": { "type": "string" } }, { "type": "null" }] });
    assert_eq!(of(&optional, &json!(["a", 1])), "v.1: expected string, found 1 (number)");
    assert_eq!(of(&optional, &json!("a")), r#"v: expected array or null, found "a" (string)"#);
    let both = json!({ "oneOf": [{ "required": ["a"] }, { "required": ["b"] }, { "required": ["c"] }] });
    assert_eq!(
        of(&both, &json!({ "a": 1, "c": 2 })),
        "v: must match exactly one of 3 alternatives, and matches those at 1, 3"
    );
}

#[test]
fn nothing_of_the_server_or_the_model_makes_a_message_long_or_breaks_its_line() {
    let long = "x\n".repeat(500);
    let names: Value = (0..200)
        .map(|n| (format!("{n}\u{1b}{long}"), json!({ "const": long })))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let schema = json!({ "properties": names, "additionalProperties": false, "propertyNames": { "maxLength": 1 }, "required": [long] });
    let arguments = json!({ format!("0\u{1b}{long}"): long, long.clone(): long });
    let found = issues(&schema, &arguments);
    assert!(found.len() > 2);
    for issue in found {
        assert!(issue.message.len() < 2_500, "{}", issue.message.len());
        assert!(!issue.message.contains(char::is_control));
    }
}

#[test]
fn issues_are_counted_up_to_the_limit() {
    let schema = json!({ "additionalProperties": { "type": "string" } });
    let arguments =
        |count: usize| (0..count).map(|n| (n.to_string(), json!(n))).collect::<serde_json::Map<_, _>>().into();
    assert_eq!(issues(&schema, &arguments(MAX_ISSUES)).len(), MAX_ISSUES);
    assert_eq!(issues(&schema, &arguments(MAX_ISSUES + 1)).len(), MAX_ISSUES);
    assert_eq!(issues(&schema, &arguments(3)).len(), 3);
}
