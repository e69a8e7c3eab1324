use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::limits::{MAX_DEPTH, MAX_ISSUES};

fn messages(schema: &Value, arguments: &Value) -> Vec<String> {
    Schema::new(schema.to_string().into())
        .check(&arguments.to_string())
        .into_iter()
        .map(|issue| {
            let path: Vec<String> =
                issue.path.iter().map(|key| key.as_str().map_or_else(|| key.to_string(), str::to_owned)).collect();
            format!("{}: {}", path.join("."), issue.message)
        })
        .collect()
}

fn strict(schema: &Value, arguments: &Value) -> Verdict {
    Schema::new(schema.to_string().into()).validate(&arguments.to_string())
}

#[test]
fn messages_say_what_was_expected_and_what_was_found() {
    let schema = json!({
        "type": "object",
        "properties": {
            "path": {"type": "string", "minLength": 2},
            "head": {"type": ["integer", "null"], "minimum": 1},
            "mode": {"enum": ["fast", "safe"]},
            "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
            "kind": {"const": "move"},
            "when": {"pattern": "^\\d+$"},
        },
        "required": ["path"],
        "additionalProperties": false,
    });
    for (arguments, expected) in [
        (json!({}), vec![r#"path: required property "path" is missing"#]),
        (json!({"path": 5}), vec!["path: expected string, got number 5"]),
        (json!({"path": "a"}), vec!["path: expected at least 2 characters, got 1"]),
        (json!({"path": "ab", "head": "one"}), vec![r#"head: expected integer or null, got string "one""#]),
        (json!({"path": "ab", "head": 0}), vec!["head: expected at least 1, got number 0"]),
        (json!({"path": "ab", "mode": "slow"}), vec![r#"mode: expected one of "fast", "safe", got string "slow""#]),
        (json!({"path": "ab", "kind": 1}), vec![r#"kind: expected "move", got number 1"#]),
        (json!({"path": "ab", "tags": ["a", 1]}), vec!["tags.1: expected string, got number 1"]),
        (json!({"path": "ab", "tags": ["a", "b", "c"]}), vec!["tags: expected at most 2 items, got array of 3 items"]),
        (json!({"path": "ab", "when": "x"}), vec![r#"when: expected a match of the pattern "^\\d+$", got string "x""#]),
        (json!({"path": "ab", "pth": 1}), vec![r#": unknown property "pth""#]),
        (json!([]), vec![": expected object, got array of 0 items"]),
    ] {
        assert_eq!(messages(&schema, &arguments), expected, "{arguments}");
    }
}

#[test]
fn of_alternatives_the_one_that_was_meant_is_explained() {
    let tagged = json!({"oneOf": [
        {"properties": {"action": {"const": "create"}, "title": {"type": "string"}}, "required": ["action", "title"]},
        {"properties": {"action": {"enum": ["update"]}, "id": {"type": "string"}}, "required": ["action", "id"]},
    ]});
    assert_eq!(messages(&tagged, &json!({"action": "update", "id": 3})), ["id: expected string, got number 3"]);
    assert_eq!(messages(&tagged, &json!({"action": "create"})), [r#"title: required property "title" is missing"#]);

    let optional = json!({"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]});
    assert_eq!(messages(&optional, &json!(["a", 1])), ["1: expected string, got number 1"]);
    assert_eq!(messages(&optional, &json!("a")), [r#": expected array or null, got string "a""#]);

    let exclusive = json!({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]});
    let both = messages(&exclusive, &json!({"a": 1, "b": 2}));
    assert!(both[0].contains("exactly one of the alternatives"), "{both:?}");
    let none = messages(&exclusive, &json!({}));
    assert!(none[0].contains("\"a\" is missing") && none[0].contains("\"b\" is missing"), "{none:?}");
}

#[test]
fn long_and_hostile_values_are_shown_short_and_on_one_line() {
    let many: Vec<Value> = (0..400).map(|n| json!(format!("v{n}"))).collect();
    let listed = messages(&json!({"enum": many}), &json!("x".repeat(10_000)));
    assert!(listed[0].contains("(400 in all)") && listed[0].len() < 400, "{listed:?}");
    let hostile = messages(&json!({"const": "a\nb\u{1b}[2J"}), &json!("\r\nforged: line"));
    assert!(!hostile[0].chars().any(char::is_control), "{hostile:?}");
    let items: Vec<Value> = (0..1_000).map(Value::from).collect();
    assert_eq!(messages(&json!({"items": {"type": "string"}}), &Value::from(items)).len(), MAX_ISSUES);
}

#[test]
fn a_broken_part_is_left_open_and_the_rest_is_checked() {
    let broken = |part: Value| json!({"type": "object", "properties": {"q": {"type": "string"}, "bad": part}, "required": ["q"]});
    for part in [
        json!({"$ref": "#/$defs/Missing"}),
        json!({"$ref": "https://example.test/other.json#/definitions/X"}),
        json!({"$ref": "#nowhere"}),
        json!({"type": "nonsense"}),
        json!({"pattern": "^file(?>\\.[a-z]{4})+$"}),
        json!({"pattern": "("}),
        json!({"minimum": "low"}),
        json!({"properties": []}),
        json!({"required": "q"}),
        json!({"allOf": [5]}),
        json!(5),
    ] {
        let schema = broken(part.clone());
        assert!(messages(&schema, &json!({"q": "x"})).is_empty(), "{part}");
        assert!(messages(&schema, &json!({"q": "x", "bad": {"any": 1}})).is_empty(), "{part}");
        assert_eq!(messages(&schema, &json!({"q": 1})).len(), 1, "{part}");
        assert!(matches!(strict(&schema, &json!({"q": "x"})), Verdict::InvalidSchema(_)), "{part}");
        let schema = Schema::new(schema.to_string().into());
        assert!(schema.problem().is_some_and(|problem| !problem.is_empty()), "{part}");
    }
    let two = json!({"properties": {"a": {"$ref": "#/x"}, "b": {"type": 1}, "c": {"type": "string"}}});
    assert_eq!(messages(&two, &json!({"a": 1, "b": 2, "c": 3})).len(), 1);
}

#[test]
fn a_schema_that_is_none_lets_everything_through() {
    for text in ["5", "[]", "\"x\"", r#"{"$schema":"https://example.test/mine","type":"string"}"#] {
        let schema = Schema::new(text.into());
        assert!(schema.check(r#"{"a":1}"#).is_empty(), "{text}");
        assert!(schema.problem().is_some(), "{text}");
        assert!(matches!(schema.validate("{}"), Verdict::InvalidSchema(_)), "{text}");
    }
    assert_eq!(Schema::new("{}".into()).problem(), None);
    assert_eq!(Schema::new("true".into()).validate("1"), Verdict::Valid);
}

#[test]
fn a_pattern_with_an_inline_flag_is_enforced_as_its_server_means_it() {
    let schema = json!({"properties": {"a": {"pattern": "(?i)^abc$"}}});
    assert!(messages(&schema, &json!({"a": "ABC"})).is_empty());
    assert_eq!(messages(&schema, &json!({"a": "abd"})).len(), 1);
}

#[test]
fn patterns_and_lengths_count_characters_not_code_units() {
    let schema =
        json!({"properties": {"name": {"pattern": "^\\p{L}+$"}, "one": {"pattern": "^.$"}, "len": {"maxLength": 2}}});
    assert!(messages(&schema, &json!({"name": "Žluťoučký", "one": "😀", "len": "😀😀"})).is_empty());
    assert_eq!(messages(&schema, &json!({"name": "a1", "one": "ab", "len": "abc"})).len(), 3);
}

#[test]
fn formats_are_annotations() {
    let schema = json!({"format": "email", "contentEncoding": "base64", "contentMediaType": "application/json"});
    assert_eq!(strict(&schema, &json!("not a mail")), Verdict::Valid);
    let schema = json!({"$schema": "http://json-schema.org/draft-04/schema#", "format": "date-time"});
    assert_eq!(strict(&schema, &json!("yesterday")), Verdict::Valid);
}

/// Runs `work`, which must end within `limit` in a debug build of a busy machine; the release build is some ten times faster.
fn ends_within(what: &str, limit: Duration, work: impl FnOnce()) {
    let started = Instant::now();
    work();
    let took = started.elapsed();
    println!("{what}: {took:?}");
    assert!(took < limit, "{what} took {took:?}");
}

#[test]
fn hostile_schemas_and_arguments_end_soon() {
    let limit = Duration::from_secs(5);
    ends_within("a pattern that backtracks exponentially", limit, || {
        let schema = json!({"properties": {"a": {"pattern": "^(a+)+$"}}});
        assert_eq!(messages(&schema, &json!({"a": "a".repeat(40) + "!"})).len(), 1);
    });
    ends_within("the same with a look-behind, so that no linear engine takes it", limit, || {
        let schema = json!({"properties": {"a": {"pattern": "^(?=(a+)+$)(a+)+\\1$"}}});
        let _ = messages(&schema, &json!({"a": "a".repeat(40) + "!"}));
    });
    ends_within("a pattern whose program is huge", limit, || {
        let schema =
            json!({"properties": {"a": {"pattern": "((\\w{1,1000}){1,1000}){1,1000}"}, "b": {"type": "string"}}});
        assert_eq!(messages(&schema, &json!({"a": "x", "b": 1})).len(), 1);
    });
    ends_within("references that double thirty times", limit, || {
        for leaf in [json!({"type": "string"}), json!({}), json!(true)] {
            let mut defs: serde_json::Map<String, Value> = (0..30)
                .map(|n| {
                    let next = format!("#/$defs/d{}", n + 1);
                    (format!("d{n}"), json!({"allOf": [{"$ref": next}, {"$ref": next}]}))
                })
                .collect();
            defs.insert("d30".to_owned(), leaf);
            let _ = messages(&json!({"$ref": "#/$defs/d0", "$defs": defs}), &json!({"a": 1}));
        }
    });
    ends_within("alternatives in alternatives, forty deep", limit, || {
        let twice = json!({"items": {"$ref": "#/$defs/a"}, "type": "array"});
        let schema = json!({"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [twice, twice]}}});
        let arguments = (0..40).fold(json!(1), |inner, _| json!([inner]));
        assert_eq!(messages(&schema, &arguments).len(), 1);
    });
    ends_within("references to themselves", limit, || {
        for schema in [json!({"$ref": "#"}), json!({"allOf": [{"$ref": "#"}]}), json!({"not": {"$ref": "#"}})] {
            let _ = messages(&schema, &json!({"a": [1]}));
        }
    });
    ends_within("an array of many equal items that must be unique", limit, || {
        let items: Vec<Value> = (0..100_000).map(|n| json!({"n": n})).collect();
        assert!(messages(&json!({"uniqueItems": true}), &Value::from(items)).is_empty());
    });
    ends_within("a large enum", limit, || {
        let members: Vec<Value> = (0..100_000).map(Value::from).collect();
        assert_eq!(messages(&json!({"enum": members}), &json!("x")).len(), 1);
    });
}

#[test]
fn nesting_is_bounded_in_schemas_and_in_arguments() {
    let nest = |levels: usize| r#"{"items":"#.repeat(levels) + "{}" + &"}".repeat(levels);
    let arguments = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    let deep = Schema::new(nest(MAX_DEPTH - 1).into());
    assert_eq!((deep.problem(), deep.check(&arguments(MAX_DEPTH))), (None, vec![]));
    let deeper = Schema::new(nest(MAX_DEPTH).into());
    assert!(deeper.problem().is_some_and(|problem| problem.contains("levels deep")));
    assert!(deeper.check("{}").is_empty());
    ends_within("100,000 levels", Duration::from_secs(5), || {
        assert!(Schema::new(nest(100_000).into()).problem().is_some());
        let issues = deep.check(&arguments(100_000));
        assert!(issues[0].message.contains("100000 levels deep"), "{issues:?}");
    });
    let recursive = Schema::new(r##"{"items":{"$ref":"#"},"not":{"const":1}}"##.into());
    assert!(recursive.check(&arguments(MAX_DEPTH)).is_empty());
    let bottom = "[".repeat(MAX_DEPTH) + "1" + &"]".repeat(MAX_DEPTH);
    assert_eq!(recursive.check(&bottom).len(), 1);
}

#[test]
fn a_long_chain_of_references_overflows_no_stack() {
    let defs: serde_json::Map<String, Value> = (0..2_000)
        .map(|n| (format!("d{n}"), json!({"$ref": format!("#/$defs/d{}", n + 1)})))
        .chain([("d2000".to_owned(), json!({"type": "string"}))])
        .collect();
    assert_eq!(messages(&json!({"$ref": "#/$defs/d0", "$defs": defs}), &json!(1)).len(), 1);
}

#[test]
fn a_chain_of_references_at_every_level_of_deep_arguments_overflows_no_stack() {
    let chain = |hops: usize| -> Value {
        let defs: serde_json::Map<String, Value> = (0..hops)
            .map(|n| (format!("d{n}"), json!({"$ref": format!("#/$defs/d{}", n + 1)})))
            .chain([(format!("d{hops}"), json!({"items": {"$ref": "#/$defs/d0"}, "type": "array"}))])
            .collect();
        json!({"$ref": "#/$defs/d0", "$defs": defs})
    };
    let nested = |levels: usize| (1..levels).fold(json!([]), |inner, _| json!([inner]));
    // Within the bound all of it is walked, above it nothing is.
    assert!(messages(&chain(20), &nested(500)).is_empty());
    let refused = messages(&chain(2_000), &nested(1_000));
    assert!(refused[0].contains("1001 levels deep"), "{refused:?}");
    assert!(messages(&chain(2_000), &nested(8)).is_empty());
}

#[test]
fn schemas_of_the_same_text_are_shared() {
    let text = r#"{"type":"object","title":"shared"}"#;
    assert!(Arc::ptr_eq(&shared(text), &shared(text)));
    assert!(!Arc::ptr_eq(&shared(text), &shared("{}")));
}

fn any_schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(true)),
        Just(json!({})),
        prop::sample::select(vec!["string", "number", "integer", "object", "array", "null", "nonsense"])
            .prop_map(|kind| json!({"type": kind})),
        any::<i8>().prop_map(|n| json!({"minimum": n, "multipleOf": n})),
        prop::sample::select(vec!["^a", "(", "\\d+", "(?<=a)b"]).prop_map(|pattern| json!({"pattern": pattern})),
        prop::sample::select(vec!["#", "#/$defs/a", "#/nowhere", "https://example.test/x"])
            .prop_map(|target| json!({"$ref": target})),
        Just(json!(null)),
        Just(json!({"enum": [1, "a", null], "const": null, "required": null})),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3)
                .prop_map(|all| json!({"anyOf": all, "$defs": {"a": {"type": "string"}}})),
            prop::collection::vec(inner.clone(), 0..3).prop_map(|all| json!({"items": all})),
            (inner.clone(), inner.clone())
                .prop_map(|(a, b)| json!({"properties": {"a": a}, "additionalProperties": b})),
            inner.prop_map(|schema| json!({"not": schema})),
        ]
    })
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[ab1]{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("[ab]", inner, 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_valid_strictly_is_let_through(schema in any_schema(), value in any_value()) {
        let schema = Schema::new(schema.to_string().into());
        let issues = schema.check(&value.to_string());
        match schema.validate(&value.to_string()) {
            Verdict::Valid => prop_assert!(issues.is_empty()),
            Verdict::InvalidArguments(found) => prop_assert_eq!(issues, found),
            Verdict::InvalidSchema(found) => prop_assert!(!found.is_empty() && schema.problem().is_some()),
        }
    }
}
