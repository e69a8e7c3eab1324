//! Resources (`$id`) whose ways to each other multiply, within their bound (R19).

use serde_json::{Map, Value, json};

use super::{
    Schema, Verdict,
    hostile_tests::{answers, schema},
};
use crate::limits::MAX_SCOPED_SCHEMAS;

const ARGUMENTS: &str = r#"{"p":{"p":[1],"again":{"q":[1]}}}"#;

/// Each resource leads to both of the next level: 2^levels ways to the last. `anchored` is what every resource has, `again` what its properties
/// have besides.
fn ladder(levels: usize, anchored: &Value, again: &Value) -> Value {
    let mut defs = Map::new();
    for level in 0..=levels {
        for side in ["p", "q"] {
            let mut resource = anchored.clone();
            resource["$id"] = json!(format!("{side}{level}"));
            let next = |side: &str| json!({ "$ref": format!("{side}{}", level + 1) });
            resource["properties"] = if level < levels {
                json!({ "p": next("p"), "q": next("q"), "again": again })
            } else {
                json!({ "again": again })
            };
            resource["type"] = json!("object");
            defs.insert(format!("{side}{level}"), resource);
        }
    }
    json!({ "$id": "https://example.test/root", "$ref": "p0", "$defs": defs })
}

/// `count` resources, each of which leads to all others.
fn clique(count: usize) -> Value {
    let others = |n: usize| -> Map<String, Value> {
        (0..count).filter(|m| *m != n).map(|m| (m.to_string(), json!({ "$ref": format!("r{m}") }))).collect()
    };
    let defs: Map<String, Value> = (0..count)
        .map(|n| (n.to_string(), json!({ "$id": format!("r{n}"), "type": "object", "properties": others(n) })))
        .collect();
    json!({ "$id": "https://example.test/root", "$ref": "r0", "$defs": defs })
}

fn decided(name: &str, schema: &Schema, arguments: &str) -> bool {
    !matches!(answers(name, schema, arguments).0, Verdict::InvalidSchema(_))
}

#[test]
fn ways_through_resources_that_multiply_end_in_an_answer() {
    for (levels, decides) in [(3, true), (7, true), (20, false), (200, false)] {
        let plain = ladder(levels, &json!({}), &json!({}));
        assert_eq!(decided(&format!("2^{levels} ways"), &schema(&plain), ARGUMENTS), decides);
    }
    for (levels, decides) in [(3, true), (5, true), (8, false), (200, false)] {
        let dynamic = ladder(levels, &json!({ "$dynamicAnchor": "x" }), &json!({ "$dynamicRef": "#x" }));
        assert_eq!(decided(&format!("2^{levels} dynamic scopes"), &schema(&dynamic), ARGUMENTS), decides);
        let mut recursive = ladder(levels, &json!({ "$recursiveAnchor": true }), &json!({ "$recursiveRef": "#" }));
        recursive["$schema"] = json!("https://json-schema.org/draft/2019-09/schema");
        assert_eq!(decided(&format!("2^{levels} recursive scopes"), &schema(&recursive), ARGUMENTS), decides);
    }
    // Five take some 12,000 of the schemas that may be compiled again, seven a million.
    const { assert!(MAX_SCOPED_SCHEMAS > 12_000 && MAX_SCOPED_SCHEMAS < 1_000_000) };
    for (count, decides) in [(2, true), (5, true), (7, false), (90, false)] {
        assert_eq!(decided(&format!("{count}! ways"), &schema(&clique(count)), ARGUMENTS), decides);
    }
}

#[test]
fn what_is_decided_is_enforced_and_what_is_not_is_let_through() {
    let wrong = r#"{"1":{"2":{"0":[1]}}}"#;
    assert_eq!(answers("enforced", &schema(&clique(5)), wrong).1, 1);
    let (verdict, issues) = answers("let through", &schema(&clique(7)), wrong);
    assert!(matches!(verdict, Verdict::InvalidSchema(_)) && issues == 0);
}

#[test]
fn one_resource_has_one_way_however_it_is_named() {
    // Every reference by the schema's own absolute name, some thousands of them.
    let to = |n: usize| json!({ "$ref": format!("https://example.test/root#/$defs/d{n}") });
    let mut defs: Map<String, Value> = (0..4_000).map(|n| (format!("d{n}"), json!({ "items": to(n + 1) }))).collect();
    defs.insert("d4000".into(), json!({ "type": "string" }));
    let schema =
        schema(&json!({ "$id": "https://example.test/root", "properties": { "a": to(0), "b": to(1) }, "$defs": defs }));
    assert!(decided("4,000 absolute references", &schema, r#"{"a":[[1]]}"#));
}
