use serde_json::{Map, json};

use super::*;
use crate::limits::{
    MAX_DESCRIPTOR_BYTES, MAX_DESCRIPTOR_NODES, MAX_LISTED_VALUES, MAX_SHOWN_RULE, MAX_SHOWN_VALUE, MAX_UNROLLED,
};

fn shape(schema: &Value) -> Value {
    serde_json::from_str(&describe(&schema.to_string())).unwrap()
}

#[test]
fn a_common_schema_is_described_level_by_level() {
    let schema = json!({
        "type": "object",
        "description": "root",
        "properties": {
            "path": {"type": "string", "description": "where", "minLength": 1},
            "head": {"type": ["integer", "null"], "minimum": 1, "default": null},
            "mode": {"enum": ["a", "b"]},
        },
        "required": ["path"],
        "additionalProperties": false,
    });
    assert_eq!(
        shape(&schema),
        json!({
            "kind": "object",
            "properties": [
                ["path", {"kind": "string", "minLength": 1, "description": "where"}, true],
                ["head", {"kind": "union", "options": [
                    {"kind": "number", "integer": true, "minimum": 1}, {"kind": "null"},
                ], "default": null}, false],
                ["mode", {"kind": "enum", "values": ["a", "b"]}, false],
            ],
            "rest": {"kind": "never"},
            "description": "root",
        })
    );
}

const TOO_LARGE: &str = "not shown: the schema is too large";

/// How often `words` stand in the descriptor of `schema`.
fn said(schema: &Value, words: &str) -> usize {
    describe(&schema.to_string()).matches(words).count()
}

#[test]
fn nodes_are_made_up_to_the_limit() {
    let wide = |count: usize| -> Value {
        let properties: Map<String, Value> = (0..count).map(|n| (format!("p{n}"), json!({"type": "null"}))).collect();
        json!({ "properties": properties })
    };
    // The root and what is left open take a few.
    assert_eq!(said(&wide(MAX_DESCRIPTOR_NODES - 4), TOO_LARGE), 0);
    assert!(said(&wide(MAX_DESCRIPTOR_NODES), TOO_LARGE) > 0);
    let required = |count: usize| json!({ "required": (0..count).map(|n| format!("p{n}")).collect::<Vec<_>>() });
    assert!(said(&required(MAX_DESCRIPTOR_NODES - 4), "\"any\"") > MAX_DESCRIPTOR_NODES - 4);
    assert!(said(&required(MAX_DESCRIPTOR_NODES * 2), "\"any\"") <= MAX_DESCRIPTOR_NODES + 1);
}

/// A schema of `count` properties that all refer to `part`.
fn referring(count: usize, part: &Value) -> Value {
    let properties: Map<String, Value> = (0..count).map(|n| (format!("p{n}"), json!({"$ref": "#/$defs/x"}))).collect();
    json!({ "properties": properties, "$defs": { "x": part } })
}

#[test]
fn a_small_schema_that_repeats_a_large_part_is_cut_at_the_limit_of_bytes() {
    let names = |count: usize| -> Value { (0..count).map(|n| format!("value{n:05}")).collect() };
    let parts = [
        json!({ "enum": names(5_000) }),
        json!({ "type": "string", "not": { "enum": names(5_000) } }),
        json!({ "type": "string", "description": "d".repeat(60_000) }),
        json!({ "type": "string", "default": "d".repeat(60_000) }),
        json!({ "required": names(5_000) }),
        json!({ "dependentRequired": { "a": names(5_000) } }),
        json!({ "allOf": (0..500).map(|n| json!({"properties": {(format!("q{n}")): {"type": "string"}}})).collect::<Vec<_>>() }),
        json!({ "properties": {}, "anyOf": (0..500).map(|n| json!({"properties": {(format!("q{n}")): {}}})).collect::<Vec<_>>() }),
        json!({ "allOf": [{ "enum": names(5_000) }, { "enum": names(4_000) }, { "enum": names(3_000) }] }),
    ];
    for part in parts {
        assert_eq!(said(&referring(2, &part), TOO_LARGE), 0, "{}", &part.to_string()[..40]);
        let start = std::time::Instant::now();
        let bomb = referring(5_000, &part).to_string();
        let descriptor = describe(&bomb);
        assert!(descriptor.contains(TOO_LARGE), "{}", &part.to_string()[..40]);
        assert!(
            descriptor.len() < 2 * MAX_DESCRIPTOR_BYTES,
            "{} bytes of {}",
            descriptor.len(),
            &part.to_string()[..40]
        );
        // Tests run unoptimised, and on a machine shared with others; without the limit these take minutes.
        assert!(start.elapsed().as_secs() < 30, "{:?} for {}", start.elapsed(), &part.to_string()[..40]);
    }
}

#[test]
fn levels_are_made_up_to_the_limit() {
    let cut = |levels: usize| {
        let text =
            r#"{"type":"object","properties":{"a":"#.repeat(levels) + r#"{"type":"null"}"# + &"}}".repeat(levels);
        describe(&text).matches("nested too deep").count()
    };
    assert_eq!((cut(MAX_DESCRIPTOR_DEPTH), cut(MAX_DESCRIPTOR_DEPTH + 1)), (0, 1));
}

#[test]
fn a_schema_inside_itself_is_unrolled_up_to_the_limit() {
    let tree = json!({
        "properties": { "root": { "$ref": "#/$defs/tree" } },
        "$defs": { "tree": { "properties": { "child": { "$ref": "#/$defs/tree" } } } },
    });
    assert_eq!(said(&tree, r#""child""#), MAX_UNROLLED);
    assert_eq!(said(&tree, "again of the kind"), 1);
}

#[test]
fn words_are_cut_at_their_limits() {
    let root = |schema: Value| json!({ "properties": { "p": schema } });
    let rule = |length: usize| root(json!({ "not": { "const": "x".repeat(length - r#"{"const":""}"#.len()) } }));
    assert_eq!((said(&rule(MAX_SHOWN_RULE), "…"), said(&rule(MAX_SHOWN_RULE + 1), "…")), (0, 1));
    let title = |length: usize| root(json!({ "title": "t".repeat(length) }));
    assert_eq!((said(&title(MAX_SHOWN_VALUE), "…"), said(&title(MAX_SHOWN_VALUE + 1), "…")), (0, 1));
    let examples = |count: usize| root(json!({ "examples": vec![7; count] }));
    assert_eq!(said(&examples(MAX_LISTED_VALUES), "7"), MAX_LISTED_VALUES);
    assert_eq!(said(&examples(MAX_LISTED_VALUES + 1), "7"), MAX_LISTED_VALUES);
}
