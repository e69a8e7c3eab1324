//! What holds for every descriptor and every plan.

use std::collections::HashSet;

use rejelly_adapter_mcp::{
    limits::{MAX_DESCRIPTOR_DEPTH, MAX_DESCRIPTOR_NODES},
    result::{
        carried::Carried,
        pieces::{Part, Piece, Plan, Text},
    },
    text,
};
use serde_json::Value;

use crate::{assert_json, assert_one_line};

/// The kinds of a descriptor's nodes that `js/parameters/` knows.
const KINDS: [&str; 11] =
    ["any", "never", "null", "boolean", "string", "number", "enum", "array", "object", "union", "all"];

/// A descriptor is an object of known kinds, within its bounds.
///
/// # Panics
/// When it is not.
pub fn assert_descriptor(descriptor: &str) {
    let root = assert_json(descriptor);
    assert_eq!(root["kind"], "object", "{descriptor}");
    let mut nodes = vec![(&root, 1)];
    let mut count = 0;
    while let Some((node, depth)) = nodes.pop() {
        count += 1;
        let kind = node["kind"].as_str().unwrap_or_default();
        assert!(KINDS.contains(&kind), "no known kind: {node}");
        assert!(depth <= MAX_DESCRIPTOR_DEPTH + 2, "{depth} levels");
        let lists = ["positions", "options", "parts"].into_iter().filter_map(|key| node.get(key)?.as_array());
        nodes.extend(lists.flatten().map(|inner| (inner, depth + 1)));
        nodes.extend(node.get("rest").map(|rest| (rest, depth + 1)));
        let mut names = HashSet::new();
        for property in node.get("properties").and_then(Value::as_array).into_iter().flatten() {
            let Some([Value::String(name), inner, Value::Bool(_)]) = property.as_array().map(Vec::as_slice) else {
                panic!("no property: {property}");
            };
            assert!(names.insert(name), "{name:?} comes twice");
            nodes.push((inner, depth + 1));
        }
    }
    assert!(count <= MAX_DESCRIPTOR_NODES, "{count} nodes");
}

/// A plan is JSON, refers to nothing but strings of its skeleton, and is not larger than what the skeleton may come to.
///
/// # Panics
/// When it is not.
pub fn assert_plan(plan: &Plan, skeleton: &str) {
    let json = plan.to_json();
    let members = assert_json(&json);
    assert!(members.as_object().is_some_and(|members| members.len() == 1), "{json}");
    // Control characters grow sixfold in JSON, and those of a text that is JSON itself once more.
    assert!(json.len() <= 64 * (skeleton.len() + 1_024), "{} bytes of {}", json.len(), skeleton.len());
    let mut known = HashSet::new();
    if let Ok(skeleton) = text::parse(skeleton) {
        references(&skeleton, &mut known);
    }
    let check = |text: &Text| {
        for piece in text.pieces() {
            match piece {
                Piece::Inline(text) => assert!(!text.is_empty(), "an empty piece: {json}"),
                Piece::Raw(index) | Piece::Json(index) | Piece::Repair(index) | Piece::Decode { index, .. } => {
                    assert!(known.contains(index), "no string has the number {index}: {json}");
                }
            }
        }
        let inline = |piece: &Piece| matches!(piece, Piece::Inline(_));
        assert!(!text.pieces().windows(2).any(|pair| pair.iter().all(inline)), "pieces that are one: {json}");
    };
    match plan {
        Plan::Text(text) | Plan::Failed(text) => check(text),
        Plan::Parts(parts) => {
            for Part::Text(text) | Part::Image(text) | Part::Video(text) in parts {
                check(text);
            }
        }
        Plan::Invalid(error) => assert_one_line(&error.message),
        Plan::Unreadable(message) => assert_one_line(message),
    }
}

/// The numbers of the strings that `skeleton` refers to.
fn references(skeleton: &Value, known: &mut HashSet<u32>) {
    match skeleton {
        Value::String(text) => {
            if let Carried::There { index, .. } = Carried::of(text) {
                known.insert(index);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, known)),
        Value::Object(members) => members.values().for_each(|member| references(member, known)),
        _ => {}
    }
}
