//! Schemas made to fill the memory, to hang or to overflow the stack while they are described (R19).

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::describe;
use crate::limits::{MAX_DESCRIPTOR_BYTES, MAX_DESCRIPTOR_DEPTH, MAX_DESCRIPTOR_NODES, MAX_SCHEMA_BYTES};

/// The longest that one descriptor may take in a debug build on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

fn described(name: &str, schema: &Value) -> Value {
    let text = schema.to_string();
    let start = Instant::now();
    let descriptor = describe(&text);
    let took = start.elapsed();
    println!("{name}: {} bytes to {} bytes in {took:?}", text.len(), descriptor.len());
    assert!(text.len() <= MAX_SCHEMA_BYTES, "{name}: {}", text.len());
    assert!(took < PATIENCE, "{name} took {took:?}");
    // What a rule comes to in words is a few times what it is.
    assert!(descriptor.len() <= MAX_DESCRIPTOR_BYTES * 4, "{name} came to {} bytes", descriptor.len());
    let mut reader = serde_json::Deserializer::from_str(&descriptor);
    reader.disable_recursion_limit();
    let node: Value = serde::Deserialize::deserialize(&mut reader).unwrap();
    let (count, depth) = extent(&node);
    assert!(count <= MAX_DESCRIPTOR_NODES + 2 * MAX_DESCRIPTOR_DEPTH, "{name}: {count} nodes");
    assert!(depth <= MAX_DESCRIPTOR_DEPTH + 2, "{name}: {depth} levels");
    node
}

/// Nodes and levels of a descriptor.
fn extent(node: &Value) -> (usize, usize) {
    let lists = ["positions", "options", "parts"].into_iter().filter_map(|key| node[key].as_array()).flatten();
    let properties = node["properties"].as_array().into_iter().flatten().map(|property| &property[1]);
    let values = node["values"].as_array().filter(|values| !values.iter().all(Value::is_string)).map_or(0, Vec::len);
    lists
        .chain(properties)
        .chain(node.get("rest"))
        .map(extent)
        .fold((1 + values, 1), |(count, depth), (more, deeper)| (count + more, depth.max(deeper + 1)))
}

fn many(count: usize, of: impl Fn(usize) -> Value) -> Map<String, Value> {
    (0..count).map(|n| (format!("p{n}"), of(n))).collect()
}

#[test]
fn what_many_references_share_is_shown_as_often_as_there_is_room() {
    let to = || json!({ "$ref": "#/$defs/a" });
    for (name, target) in [
        ("enum", json!({ "enum": (0..60_000).collect::<Vec<_>>() })),
        ("enum of strings", json!({ "enum": (0..60_000).map(|n| n.to_string()).collect::<Vec<_>>() })),
        ("enum of lists", json!({ "enum": [vec![0; 60_000], vec![1; 60_000]] })),
        ("description", json!({ "type": "string", "description": "x".repeat(500_000) })),
        ("default", json!({ "default": vec![0; 200_000] })),
        ("required", json!({ "required": (0..50_000).map(|n| n.to_string()).collect::<Vec<_>>() })),
        ("patterns", json!({ "patternProperties": many(10_000, |n| json!({ "title": n.to_string() })) })),
        ("types", json!({ "type": vec!["string"; 40_000] })),
        ("pattern", json!({ "type": "string", "pattern": "x".repeat(500_000) })),
    ] {
        let node = described(name, &json!({ "properties": many(15_000, |_| to()), "$defs": { "a": target } }));
        assert_eq!(node["properties"][0][0], "p0", "{name}");
    }
    let options: Vec<Value> = (0..20_000).map(|n| json!({ "title": n.to_string() })).collect();
    let base = json!({ "anyOf": options, "properties": { "a": { "enum": (0..50_000).collect::<Vec<_>>() } } });
    described("alternatives of one base", &json!({ "properties": { "v": base.clone() } }));
    described("alternatives of the root", &base);
}

#[test]
fn an_enum_is_shown_where_there_is_room_for_all_of_it() {
    let listed = |count: usize| {
        let numbers: Vec<usize> = (0..count).collect();
        let schema = json!({ "properties": { "a": { "enum": numbers, "title": "T" }, "b": { "enum": [1] } } });
        let node = described(&format!("{count} numbers"), &schema);
        assert_eq!(node["properties"][1][1], json!({ "kind": "enum", "values": [1] }));
        node["properties"][0][1].clone()
    };
    assert_eq!(listed(MAX_DESCRIPTOR_NODES - 10)["kind"], "enum");
    assert_eq!(
        listed(MAX_DESCRIPTOR_NODES + 1),
        json!({ "kind": "any", "description": "(title: T; one of 20001 values, not shown: the schema is too large)" })
    );
}

#[test]
fn parts_of_one_whole_are_merged_in_bounded_time_and_depth() {
    let all = |name: &str, count: usize, of: &dyn Fn(usize) -> Value| {
        let parts: Vec<Value> = (0..count).map(of).collect();
        described(&format!("{name}, root"), &json!({ "allOf": parts }));
        described(&format!("{name}, property"), &json!({ "properties": { "v": { "allOf": parts } } }));
    };
    all("one property in many ways", 20_000, &|n| json!({ "properties": { "a": { "title": n.to_string() } } }));
    all("many properties", 20_000, &|n| json!({ "properties": { n.to_string(): {} } }));
    all("many required", 30_000, &|n| json!({ "required": [n.to_string()] }));
    all("many descriptions", 30_000, &|n| json!({ "description": n.to_string() }));
    all("many patterns", 30_000, &|n| json!({ "pattern": n.to_string() }));
    let values = |from: usize| json!({ "enum": (from..from + 60_000).collect::<Vec<_>>() });
    all("two long enums", 2, &|n| values(n * 7));
    let names: Vec<String> = (0..40_000).map(|n| n.to_string()).collect();
    all("two long required", 2, &|n| json!({ "required": names[n * 7..] }));
    described("long required", &json!({ "required": names, "properties": many(15_000, |_| json!({})) }));
}

#[test]
fn alternatives_of_the_root_are_merged_in_bounded_time() {
    let options: Vec<Value> =
        (0..2).map(|n| json!({ "properties": many(10_000, |m| json!({ "const": n * m })) })).collect();
    described("two of 10,000 properties", &json!({ "anyOf": options }));
    let options: Vec<Value> =
        (0..15_000).map(|n| json!({ "properties": { "a": { "title": format!("{n:>9}") } } })).collect();
    described("15,000 of one property", &json!({ "oneOf": options }));
}

#[test]
fn depth_counts_every_level_that_is_shown() {
    let mut lists = json!({ "type": "string" });
    for _ in 0..300 {
        lists = json!({ "type": ["array", "null"], "items": lists });
    }
    described("lists of types", &json!({ "properties": { "v": lists } }));
    // Little text, few references, and many levels: no small stack must hold them.
    let mut looping = json!({});
    for n in 0..12 {
        looping = json!({ "properties": { "a": looping, "b": { "$ref": format!("#{}", "/properties/a".repeat(n)) } } });
    }
    let text = looping.to_string();
    let small = std::thread::Builder::new().stack_size(256 * 1024);
    let alone = small.spawn(move || describe(&text)).unwrap().join().unwrap();
    assert_eq!(alone, described("loops", &looping).to_string());
}

#[test]
fn a_schema_beyond_the_limit_is_not_shown() {
    let sized = |bytes: usize| {
        format!(
            r#"{{"properties":{{"a":{{}}}},"title":"{}"}}"#,
            "x".repeat(bytes - r#"{"properties":{"a":{}},"title":""}"#.len())
        )
    };
    assert!(describe(&sized(MAX_SCHEMA_BYTES)).contains(r#"["a","#));
    let above = describe(&sized(MAX_SCHEMA_BYTES + 1));
    assert!(above.contains("not shown") && !above.contains(r#"["a","#), "{above}");
}
