//! The lenient reading's knife: takes a broken part out of a schema so that what is left refuses nothing that the part might have
//! allowed.

use jsonschema::Draft;
use serde_json::{Map, Value, json};

use super::walk::{LIST, NAMED, ONE, unescaped};

/// Keywords under which an open schema refuses more, not less: they go as a whole when something inside is broken.
const CONTRARY: [&str; 4] = ["contains", "if", "not", "oneOf"];

/// Keywords that cannot be read without another one: where the first goes, the others go too.
const COMPANIONS: [(&str, &[&str]); 7] = [
    ("properties", &["additionalProperties"]),
    ("patternProperties", &["additionalProperties"]),
    ("prefixItems", &["items"]),
    ("items", &["additionalItems"]),
    ("contains", &["minContains", "maxContains"]),
    ("minContains", &["contains"]),
    ("if", &["then", "else"]),
];

/// Takes out what stands at `pointer`, and whatever would refuse values without it. `false` where there is nothing to take out.
pub(super) fn remove(schema: &mut Value, pointer: &str, draft: Draft) -> bool {
    let steps: Vec<String> = pointer.split('/').skip(1).map(unescaped).collect();
    cut(schema, &steps, draft)
}

fn cut(schema: &mut Value, steps: &[String], draft: Draft) -> bool {
    let (Value::Object(keywords), Some((keyword, rest))) = (schema, steps.split_first()) else { return false };
    let keyword = keyword.as_str();
    if !keywords.contains_key(keyword) {
        return false;
    }
    // With something gone below, nobody can say which members were left over.
    keywords.shift_remove("unevaluatedItems");
    keywords.shift_remove("unevaluatedProperties");
    if CONTRARY.contains(&keyword) {
        return drop_keyword(keywords, keyword, draft);
    }
    let Some(value) = keywords.get_mut(keyword) else { return true };
    match (value, rest.split_first()) {
        (Value::Object(named), Some((name, rest))) if NAMED.contains(&keyword) => match named.get_mut(name) {
            // A well-formed schema under the name leaves only the name itself, a pattern, to be wrong.
            Some(Value::Object(_) | Value::Bool(_)) if rest.is_empty() && keyword == "patternProperties" => {
                named.shift_remove(name);
                keywords.shift_remove("additionalProperties");
                true
            }
            Some(inner) => cut_or_open(inner, rest, draft),
            None => false,
        },
        (Value::Array(list), Some((index, rest))) if LIST.contains(&keyword) => index
            .parse::<usize>()
            .ok()
            .and_then(|index| list.get_mut(index))
            .is_some_and(|inner| cut_or_open(inner, rest, draft)),
        (inner @ Value::Object(_), Some(_)) if ONE.contains(&keyword) => cut(inner, rest, draft),
        (Value::Array(names), Some((index, []))) if keyword == "required" => {
            index.parse::<usize>().is_ok_and(|index| {
                let there = index < names.len();
                if there {
                    names.remove(index);
                }
                there
            })
        }
        _ => drop_keyword(keywords, keyword, draft),
    }
}

/// Cuts inside `schema`, or makes it the schema that allows everything where it is broken as a whole.
fn cut_or_open(schema: &mut Value, rest: &[String], draft: Draft) -> bool {
    if rest.is_empty() || !schema.is_object() {
        *schema = json!({});
        return true;
    }
    cut(schema, rest, draft)
}

fn drop_keyword(keywords: &mut Map<String, Value>, keyword: &str, draft: Draft) -> bool {
    if keyword == "$ref" && matches!(draft, Draft::Draft4 | Draft::Draft6 | Draft::Draft7) {
        // The keywords beside a reference say nothing in these drafts, and must not begin to.
        keywords.retain(|keyword, _| ["$defs", "$id", "$schema", "definitions", "id"].contains(&keyword.as_str()));
        return true;
    }
    let companions = COMPANIONS.iter().filter(|(first, _)| *first == keyword).flat_map(|(_, others)| *others);
    for companion in companions {
        keywords.shift_remove(*companion);
    }
    keywords.shift_remove(keyword);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_refuses_nothing_that_the_part_might_have_allowed() {
        for (schema, pointer, left) in [
            (json!({ "type": "strin", "minLength": 1 }), "/type", json!({ "minLength": 1 })),
            (json!({ "properties": [1], "additionalProperties": false }), "/properties", json!({})),
            (
                json!({ "properties": { "a": 5, "not": {} } }),
                "/properties/a",
                json!({ "properties": { "a": {}, "not": {} } }),
            ),
            (json!({ "not": { "type": "strin" }, "title": "x" }), "/not/type", json!({ "title": "x" })),
            (
                json!({ "properties": { "not": { "type": 1 } } }),
                "/properties/not/type",
                json!({ "properties": { "not": {} } }),
            ),
            (json!({ "oneOf": [{}, { "$ref": "#/x" }] }), "/oneOf/1/$ref", json!({})),
            (json!({ "anyOf": [{}, 5] }), "/anyOf/1", json!({ "anyOf": [{}, {}] })),
            (json!({ "required": ["a", 1] }), "/required/1", json!({ "required": ["a"] })),
            (json!({ "if": { "type": 1 }, "then": false }), "/if/type", json!({})),
            (
                json!({ "patternProperties": { "a/(": {}, "b": {} }, "additionalProperties": false }),
                "/patternProperties/a~1(",
                json!({ "patternProperties": { "b": {} } }),
            ),
            (
                json!({ "unevaluatedProperties": false, "allOf": [{ "$ref": "#/x", "title": "t" }] }),
                "/allOf/0/$ref",
                json!({ "allOf": [{ "title": "t" }] }),
            ),
        ] {
            let mut cut = schema.clone();
            assert!(remove(&mut cut, pointer, Draft::Draft202012), "{schema} {pointer}");
            assert_eq!(cut, left, "{schema} {pointer}");
        }
        assert!(!remove(&mut json!({ "a": 1 }), "/b", Draft::Draft202012));
        assert!(!remove(&mut json!({ "a": 1 }), "", Draft::Draft202012));
    }

    #[test]
    fn keywords_beside_a_removed_reference_stay_silent_in_old_drafts() {
        let mut schema = json!({ "$ref": "#/x", "type": "string", "definitions": {} });
        assert!(remove(&mut schema, "/$ref", Draft::Draft7));
        assert_eq!(schema, json!({ "definitions": {} }));
    }
}
