//! Where schemas stand inside a schema, so that a property named `$ref` is never taken for a keyword.

use serde_json::{Map, Value};

/// Keywords that hold one schema.
pub(super) const ONE: [&str; 12] = [
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

/// Keywords that hold a list of schemas.
pub(super) const LIST: [&str; 5] = ["allOf", "anyOf", "items", "oneOf", "prefixItems"];

/// Keywords that hold schemas by name, where every key is just a name.
pub(super) const NAMED: [&str; 6] =
    ["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"];

/// Calls `visit` on every schema that is an object, with its JSON Pointer: `schema` itself first, and each before those inside it.
pub(super) fn each<'a>(schema: &'a Value, visit: &mut impl FnMut(&'a Map<String, Value>, &str)) {
    descend(schema, &mut String::new(), visit);
}

fn descend<'a>(schema: &'a Value, pointer: &mut String, visit: &mut impl FnMut(&'a Map<String, Value>, &str)) {
    let Value::Object(keywords) = schema else { return };
    visit(keywords, pointer);
    let length = pointer.len();
    each_child_at(keywords, &mut |keyword, step, schema| {
        pointer.push('/');
        pointer.push_str(&escaped(keyword));
        let step = step.map(|step| match step {
            Step::Name(name) => escaped(name),
            Step::Index(index) => index.to_string(),
        });
        if let Some(step) = step {
            pointer.push('/');
            pointer.push_str(&step);
        }
        descend(schema, pointer, visit);
        pointer.truncate(length);
    });
}

/// Which of the schemas under one keyword.
enum Step<'a> {
    Name(&'a str),
    Index(usize),
}

/// Calls `visit` on every schema directly inside of one, with its keyword.
fn each_child_at<'a>(keywords: &'a Map<String, Value>, visit: &mut impl FnMut(&'a str, Option<Step<'a>>, &'a Value)) {
    for (keyword, value) in keywords {
        match value {
            Value::Object(named) if NAMED.contains(&keyword.as_str()) => {
                named.iter().for_each(|(name, schema)| visit(keyword, Some(Step::Name(name)), schema));
            }
            Value::Array(list) if LIST.contains(&keyword.as_str()) => {
                list.iter().enumerate().for_each(|(at, schema)| visit(keyword, Some(Step::Index(at)), schema));
            }
            Value::Object(_) if ONE.contains(&keyword.as_str()) => visit(keyword, None, value),
            _ => {}
        }
    }
}

/// Calls `visit` on every schema directly inside of one.
pub(super) fn each_child<'a>(keywords: &'a Map<String, Value>, mut visit: impl FnMut(&'a Value)) {
    each_child_at(keywords, &mut |_, _, schema| visit(schema));
}

/// As [`each_child`], where they may be changed.
pub(super) fn each_child_mut(keywords: &mut Map<String, Value>, mut visit: impl FnMut(&mut Value)) {
    for (keyword, value) in keywords {
        match value {
            Value::Object(named) if NAMED.contains(&keyword.as_str()) => named.values_mut().for_each(&mut visit),
            Value::Array(list) if LIST.contains(&keyword.as_str()) => list.iter_mut().for_each(&mut visit),
            Value::Object(_) if ONE.contains(&keyword.as_str()) => visit(value),
            _ => {}
        }
    }
}

/// Keywords that hold schemas for the very value that their own schema is for.
const IN_PLACE: [&str; 9] =
    ["allOf", "anyOf", "dependencies", "dependentSchemas", "else", "if", "not", "oneOf", "then"];

/// Calls `visit` on every schema directly inside of one that is applied to the same value.
pub(super) fn each_in_place<'a>(keywords: &'a Map<String, Value>, mut visit: impl FnMut(&'a Map<String, Value>)) {
    for keyword in IN_PLACE {
        let mut enter = |schema: &'a Value| schema.as_object().into_iter().for_each(&mut visit);
        match keywords.get(keyword) {
            Some(Value::Object(named)) if NAMED.contains(&keyword) => named.values().for_each(enter),
            Some(Value::Array(list)) => list.iter().for_each(enter),
            Some(schema) => enter(schema),
            None => {}
        }
    }
}

/// A name as one step of a JSON Pointer (RFC 6901).
pub(super) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A step of a JSON Pointer as the name it stands for.
pub(super) fn unescaped(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn schemas_are_found_where_schemas_stand() {
        let schema = json!({
            "properties": { "$ref": { "items": [{}, { "not": {} }] }, "a/b~": true, "c/d": {} },
            "enum": [{ "properties": {} }],
            "x": { "not": {} },
            "additionalProperties": false
        });
        let mut found = Vec::new();
        each(&schema, &mut |_, pointer| found.push(pointer.to_owned()));
        assert_eq!(
            found,
            [
                "",
                "/properties/$ref",
                "/properties/$ref/items/0",
                "/properties/$ref/items/1",
                "/properties/$ref/items/1/not",
                "/properties/c~1d"
            ]
        );
        assert_eq!(unescaped(&escaped("a/~1~b")), "a/~1~b");
    }
}
