//! Schemas and arguments made to hang, to overflow the stack or to fill the memory (R19), each on both sides of its bound.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::{Schema, Verdict};
use crate::limits::{
    INLINE_REFERENCES, MAX_ARGUMENT_BYTES, MAX_BACKTRACKS, MAX_DEPTH, MAX_ISSUES, MAX_PATTERN_BYTES, MAX_REFERENCES,
    MAX_SCHEMA_BYTES,
};

/// The longest that one answer may take in a debug build on a busy machine; a release build needs a tenth of it.
const PATIENCE: Duration = Duration::from_secs(20);

fn nest(levels: usize) -> String {
    "[".repeat(levels) + &"]".repeat(levels)
}

pub(super) fn schema(schema: &Value) -> Schema {
    Schema::new(schema.to_string().into())
}

/// Both answers, each within its time; the name and the times are printed for the measurements.
pub(super) fn answers(name: &str, schema: &Schema, arguments: &str) -> (Verdict, usize) {
    let start = Instant::now();
    let problem = schema.problem().map(str::to_owned);
    let compiled = start.elapsed();
    let start = Instant::now();
    let verdict = schema.validate(arguments);
    let validated = start.elapsed();
    let start = Instant::now();
    let issues = schema.check(arguments);
    let checked = start.elapsed();
    println!(
        "{name}: compile {compiled:?}, validate {validated:?}, check {checked:?}; {}",
        problem.unwrap_or_default()
    );
    assert!(compiled < PATIENCE && validated < PATIENCE && checked < PATIENCE, "{name} took too long");
    assert!(issues.len() <= MAX_ISSUES);
    if let Verdict::InvalidArguments(strict) = &verdict {
        assert_eq!(*strict, issues, "{name}");
    }
    (verdict, issues.len())
}

#[test]
fn alternatives_that_multiply_with_depth_end_in_an_answer() {
    let twice = |inner: Value| json!({ "anyOf": [inner.clone(), inner] });
    let doubling = schema(&json!({
        "$ref": "#/$defs/a",
        "$defs": { "a": { "anyOf": [{ "type": "string" }, { "items": { "$ref": "#/$defs/a" } }, { "items": { "$ref": "#/$defs/a" } }] } }
    }));
    let leaf = schema(&json!({
        "$ref": "#/$defs/a",
        "$defs": { "a": { "type": "array", "anyOf": [{ "items": { "$ref": "#/$defs/a" } }, { "items": { "$ref": "#/$defs/a" } }] } }
    }));
    let arguments = "[".repeat(40) + "1" + &"]".repeat(40);
    assert_eq!(answers("anyOf that fits", &doubling, &nest(40)).0, Verdict::Valid);
    let (verdict, issues) = answers("anyOf 2^40", &leaf, &arguments);
    assert!(matches!(verdict, Verdict::InvalidArguments(_)) && issues >= 1);
    let one = schema(&json!({
        "$ref": "#/$defs/a",
        "$defs": { "a": { "type": "array", "oneOf": [{ "items": { "$ref": "#/$defs/a" } }, { "items": { "$ref": "#/$defs/a" }, "minItems": 2 }] } }
    }));
    answers("oneOf 2^40", &one, &arguments);
    let dynamic = schema(&json!({
        "$dynamicAnchor": "a", "type": "array",
        "anyOf": [{ "items": { "$dynamicRef": "#a" } }, { "items": { "$dynamicRef": "#a" } }]
    }));
    answers("dynamicRef 2^40", &dynamic, &arguments);
    let unevaluated = schema(&json!({
        "$ref": "#/$defs/a",
        "$defs": { "a": { "type": "array", "anyOf": [{ "items": { "$ref": "#/$defs/a" } }, { "items": { "$ref": "#/$defs/a" } }], "unevaluatedItems": false } }
    }));
    answers("unevaluated 2^40", &unevaluated, &arguments);
    // The same without references: the schema itself has to be as deep as the arguments.
    let mut inline = json!({ "type": "string" });
    for _ in 0..12 {
        inline = twice(json!({ "items": inline }));
    }
    answers("written out 2^12", &schema(&inline), &("[".repeat(12) + "1" + &"]".repeat(12)));
}

#[test]
fn references_that_multiply_or_form_a_long_chain_end_in_an_answer() {
    let chain = |count: usize, link: &dyn Fn(String) -> Value, last: Value| {
        let mut defs = Map::new();
        for n in 0..count {
            defs.insert(format!("d{n}"), link(format!("#/$defs/d{}", n + 1)));
        }
        defs.insert(format!("d{count}"), last);
        schema(&json!({ "properties": { "v": { "$ref": "#/$defs/d0" } }, "$defs": defs }))
    };
    let twice = |to: String| json!({ "allOf": [{ "$ref": to }, { "$ref": to }] });
    let value = json!({ "v": 1 }).to_string();
    for (name, last) in [("true", json!({})), ("string", json!({ "type": "string" }))] {
        answers(&format!("2^30 allOf, {name}"), &chain(30, &twice, last.clone()), &value);
        let any = |to: String| json!({ "anyOf": [{ "$ref": to }, { "$ref": to }] });
        answers(&format!("2^30 anyOf, {name}"), &chain(30, &any, last.clone()), &value);
        let members = |to: String| json!({ "properties": { "a": { "$ref": to }, "b": { "$ref": to } } });
        answers(&format!("2^30 properties, {name}"), &chain(30, &members, last.clone()), &value);
        let once = |to: String| json!({ "$ref": to });
        for count in [100, INLINE_REFERENCES, MAX_REFERENCES - 1] {
            let verdict = answers(&format!("chain of {count}, {name}"), &chain(count, &once, last.clone()), &value).0;
            assert!(!matches!(verdict, Verdict::InvalidSchema(_)), "{verdict:?}");
        }
        assert!(matches!(chain(MAX_REFERENCES, &once, last.clone()).validate(&value), Verdict::InvalidSchema(_)));
        assert!(chain(MAX_REFERENCES, &once, last.clone()).check(&value).is_empty());
        let nested = |to: String| json!({ "allOf": [{ "$ref": to }] });
        let object = json!({ "v": {} }).to_string();
        answers(
            &format!("chain of allOf on an object, {name}"),
            &chain(MAX_REFERENCES - 1, &nested, last.clone()),
            &object,
        );
        answers(&format!("chain of allOf, {name}"), &chain(MAX_REFERENCES - 1, &nested, last), &value);
    }
    for (name, looping) in [
        ("itself", json!({ "$ref": "#" })),
        ("allOf itself", json!({ "allOf": [{ "$ref": "#" }, { "$ref": "#" }] })),
        ("not itself", json!({ "not": { "$ref": "#" } })),
        (
            "each other",
            json!({ "$ref": "#/$defs/a", "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" } } }),
        ),
        ("dynamic", json!({ "$dynamicRef": "#" })),
        ("members", json!({ "additionalProperties": { "$ref": "#" }, "items": { "$ref": "#" } })),
    ] {
        answers(&format!("loop: {name}"), &schema(&looping), &value);
    }
}

#[test]
fn depth_is_bounded_on_both_sides_of_its_limit() {
    let deep = |levels: usize| Schema::new((r#"{"items":"#.repeat(levels) + "{}" + &"}".repeat(levels)).into());
    assert_eq!(answers("schema at the limit", &deep(MAX_DEPTH - 1), &nest(MAX_DEPTH)).0, Verdict::Valid);
    assert!(matches!(answers("schema above it", &deep(MAX_DEPTH), "{}").0, Verdict::InvalidSchema(_)));
    assert!(matches!(answers("schema of 100,000", &deep(100_000), "{}").0, Verdict::InvalidSchema(_)));
    let typed = Schema::new(
        (r#"{"type":"array","items":"#.repeat(MAX_DEPTH - 1) + r#"{"type":"string"}"# + &"}".repeat(MAX_DEPTH - 1))
            .into(),
    );
    answers("refused at the bottom", &typed, &nest(MAX_DEPTH));
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let levels = MAX_DEPTH / 2 - 1;
        let text = format!(r#"{{"{keyword}":["#).repeat(levels) + r#"{"type":"string"}"# + &"]}".repeat(levels);
        answers(keyword, &Schema::new(text.into()), "{}");
    }
    let open = schema(&json!({ "additionalProperties": { "$ref": "#" }, "items": { "$ref": "#" } }));
    assert_eq!(answers("arguments at the limit", &open, &nest(MAX_DEPTH)).0, Verdict::Valid);
    assert!(matches!(answers("arguments above it", &open, &nest(MAX_DEPTH + 1)).0, Verdict::InvalidArguments(_)));
    assert!(matches!(answers("arguments of 100,000", &open, &nest(100_000)).0, Verdict::InvalidArguments(_)));
}

#[test]
fn sizes_are_bounded_on_both_sides_of_their_limits() {
    let sized = |bytes: usize| Schema::new(format!(r#"{{"title":"{}"}}"#, "x".repeat(bytes - 12)).into());
    assert_eq!(answers("schema at the limit", &sized(MAX_SCHEMA_BYTES), "{}").0, Verdict::Valid);
    assert!(matches!(answers("schema above it", &sized(MAX_SCHEMA_BYTES + 1), "{}").0, Verdict::InvalidSchema(_)));
    let patterned =
        |bytes: usize| schema(&json!({ "properties": { "v": { "type": "string", "pattern": "x".repeat(bytes) } } }));
    assert!(matches!(answers("pattern at the limit", &patterned(MAX_PATTERN_BYTES), "{}").0, Verdict::Valid));
    let above = patterned(MAX_PATTERN_BYTES + 1);
    assert!(matches!(answers("pattern above it", &above, "{}").0, Verdict::InvalidSchema(_)));
    assert_eq!(above.check(r#"{"v":1}"#).len(), 1);
    assert!(above.check(r#"{"v":"y"}"#).is_empty());
    let open = schema(&json!({ "type": "object" }));
    let sized = |bytes: usize| format!(r#"{{"v":"{}"}}"#, "x".repeat(bytes - 8));
    assert_eq!(answers("arguments at the limit", &open, &sized(MAX_ARGUMENT_BYTES)).0, Verdict::Valid);
    assert!(matches!(
        answers("arguments above it", &open, &sized(MAX_ARGUMENT_BYTES + 1)).0,
        Verdict::InvalidArguments(_)
    ));
}

#[test]
fn patterns_end_however_they_are_written() {
    let bait = format!("{}!", "a".repeat(40));
    let of = |pattern: &str| {
        schema(&json!({ "properties": { "v": { "pattern": pattern }, "w": { "items": { "pattern": pattern } } } }))
    };
    let value = json!({ "v": bait }).to_string();
    for pattern in ["^(a+)+$", "^(a|a)*$", "^(a*)*b$", "(x+x+)+y"] {
        let (verdict, issues) = answers(pattern, &of(pattern), &value);
        assert!(matches!(verdict, Verdict::InvalidArguments(_)) && issues == 1, "{pattern}");
    }
    // Look-around needs an engine that goes back: past its limit the answer is one clear issue.
    for pattern in ["^(?=(a+)+$)b", "^(?=a)(a+)+$", r"^(a+)\1+(a+)+\2$"] {
        answers(pattern, &of(pattern), &value);
        let many = json!({ "w": vec![bait.clone(); 2_000] }).to_string();
        answers(&format!("{pattern} on 2,000 strings"), &of(pattern), &many);
    }
    let names: Map<String, Value> = (0..200).map(|n| (format!("^(?=(a+)+{n}$)"), json!({ "type": "null" }))).collect();
    let many: Map<String, Value> = (0..500).map(|n| (format!("{bait}{n}"), json!(1))).collect();
    answers("patternProperties", &schema(&json!({ "patternProperties": names })), &Value::Object(many).to_string());
    assert!(!matches!(answers("huge class", &of(r"^[\p{L}\p{N}]{1,1000}$"), &value).0, Verdict::InvalidSchema(_)));
    answers("huge repetition", &of("^((a{1,100}){1,100}){1,100}$"), &value);
    // Within the limit a pattern of the same kind is decided.
    let decided = of("^(?=a{3})a+$");
    assert_eq!(decided.validate(r#"{"v":"aaaa"}"#), Verdict::Valid);
    assert!(matches!(decided.validate(r#"{"v":"aa"}"#), Verdict::InvalidArguments(_)));
    const { assert!(MAX_BACKTRACKS >= 10_000) };
}

#[test]
fn many_items_names_members_and_errors_end_in_an_answer() {
    let unique = schema(&json!({ "properties": { "v": { "uniqueItems": true } } }));
    let objects: Vec<Value> = (0..100_000).map(|n| json!({ "a": n })).collect();
    assert_eq!(
        answers("uniqueItems, 100,000 objects", &unique, &json!({ "v": objects }).to_string()).0,
        Verdict::Valid
    );
    // Every nest of empty arrays has the same digest in the library.
    let nests: Vec<String> = (0..20_000_u32)
        .map(|n| {
            (0..16).fold(String::from("[]"), |nest, bit| {
                if n >> bit & 1 == 1 { format!("[[],{nest}]") } else { format!("[{nest}]") }
            })
        })
        .collect();
    assert_eq!(
        answers("uniqueItems, 20,000 nests", &unique, &format!(r#"{{"v":[{}]}}"#, nests.join(","))).0,
        Verdict::Valid
    );
    let values: Vec<Value> = (0..50_000).map(|n| json!(format!("value {n}"))).collect();
    let listed = schema(&json!({ "properties": { "v": { "enum": values } } }));
    assert_eq!(answers("enum of 50,000", &listed, r#"{"v":"value 49999"}"#).0, Verdict::Valid);
    assert_eq!(answers("enum of 50,000, refused", &listed, r#"{"v":"x"}"#).1, 1);
    let strings = schema(&json!({ "additionalProperties": { "items": { "type": "string" } } }));
    let wrong = |count| json!({ "v": vec![1; count] }).to_string();
    assert_eq!(answers("5,000 errors", &strings, &wrong(5_000)).1, MAX_ISSUES);
    let wrong = wrong(500_000);
    assert!(answers("500,000 errors", &strings, &wrong).1 >= 1);
    let either =
        schema(&json!({ "anyOf": vec![json!({ "properties": { "v": { "items": { "type": "string" } } } }); 200] }));
    assert!(answers("200 alternatives, 500,000 errors each", &either, &wrong).1 >= 1);
    let large: Vec<Value> = (0..500).map(|n| json!({ "required": [n.to_string()] })).collect();
    let big = json!({ "v": "x".repeat(4_000_000) }).to_string();
    assert!(answers("500 alternatives refuse 4 MB", &schema(&json!({ "anyOf": large })), &big).1 >= 1);
    let required: Vec<String> = (0..20_000).map(|n| format!("p{n}")).collect();
    assert_eq!(answers("20,000 missing", &schema(&json!({ "required": required })), "{}").1, MAX_ISSUES);
    let nodes: Map<String, Value> =
        (0..15_000).map(|n| (format!("p{n}"), json!({ "type": "string", "minLength": 1 }))).collect();
    answers("15,000 properties", &schema(&json!({ "properties": nodes })), "{}");
}

#[test]
fn honest_large_arguments_are_decided() {
    let schema = schema(&json!({
        "type": "object",
        "properties": { "rows": { "type": "array", "items": {
            "type": "object",
            "properties": { "id": { "type": "integer" }, "name": { "type": "string", "pattern": "^(?!x)[a-z0-9 ]+$" }, "tags": { "type": "array", "items": { "anyOf": [{ "type": "string" }, { "type": "null" }] } } },
            "required": ["id", "name"], "additionalProperties": false
        } } }
    }));
    let rows = |last: Value| {
        let mut rows: Vec<Value> =
            (0..30_000).map(|n| json!({ "id": n, "name": format!("row {n}"), "tags": ["a", null] })).collect();
        rows.push(last);
        json!({ "rows": rows }).to_string()
    };
    assert_eq!(answers("30,000 rows", &schema, &rows(json!({ "id": 1, "name": "a" }))).0, Verdict::Valid);
    let (verdict, count) = answers("30,000 rows and a bad one", &schema, &rows(json!({ "id": 1, "name": 5 })));
    assert!(matches!(verdict, Verdict::InvalidArguments(_)) && count == 1);
}

#[test]
fn patterns_at_their_limit_compile_in_bounded_time() {
    for pattern in [r"(a{1,90000})", r"(\p{L}{1,900})", "((a{1,300}b){1,300})", "(?=(a{1,90000}))", "(a?){1,40000}$"] {
        let twice = json!({ "properties": { "a": { "pattern": pattern }, "b": { "pattern": format!("{pattern}x") } } });
        answers(pattern, &schema(&twice), &json!({ "a": "a".repeat(2_000), "b": "é".repeat(2_000) }).to_string());
    }
    let many: Vec<Value> = (0..1_000).map(|n| json!({ "pattern": format!("^a{n}[b-z]+(c|d){{1,3}}$") })).collect();
    answers("1,000 patterns", &schema(&json!({ "properties": { "v": { "anyOf": many } } })), r#"{"v":"abc"}"#);
}
