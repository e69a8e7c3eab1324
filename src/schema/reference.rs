//! References that lead nowhere. Looked for only when a schema did not compile because of one; nothing is ever fetched.

use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::{Draft, Registry, Retrieve, Uri};
use referencing::Resolver;
use serde_json::{Map, Value, json};

use super::{compile::Fault, walk};
use crate::text::quoted;

pub(super) const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

/// What the library takes as the base where a schema has no `$id`.
const BASE: &str = "json-schema:///";

/// Answers every document with an empty schema, and remembers which ones were asked for.
#[derive(Clone, Default)]
struct Nowhere(Arc<Mutex<Vec<String>>>);

impl Retrieve for Nowhere {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(uri.as_str().to_owned());
        Ok(json!({}))
    }
}

/// How many references `schema` holds.
pub(super) fn count(schema: &Value) -> usize {
    let mut count = 0;
    walk::each(schema, &mut |keywords, _| {
        count += REFERENCES.iter().filter(|name| keywords.contains_key(**name)).count();
    });
    count
}

/// The resources of `schema`, and the URI of its root; nothing where it has none.
pub(super) fn registered(schema: &Value, draft: Draft) -> Option<(Registry<'_>, Uri<String>)> {
    register(schema, draft, Nowhere::default())
}

fn register(schema: &Value, draft: Draft, nowhere: Nowhere) -> Option<(Registry<'_>, Uri<String>)> {
    let root = draft.create_resource_ref(schema);
    let base = resolved(BASE, root.id().unwrap_or_default()).unwrap_or_else(|| BASE.to_owned());
    let base_uri = jsonschema::uri::from_str(&base).ok()?;
    let registry = Registry::new()
        .retriever(nowhere)
        .draft(draft)
        .add(base.as_str(), root)
        .and_then(jsonschema::RegistryBuilder::prepare);
    Some((registry.ok()?, base_uri))
}

fn identifier(draft: Draft) -> &'static str {
    if draft == Draft::Draft4 { "id" } else { "$id" }
}

/// As [`walk::each`], with what resolves the references of each schema. `resolver` is the root's.
pub(super) fn each_with_base<'r>(
    schema: &Value,
    draft: Draft,
    resolver: Resolver<'r>,
    visit: &mut impl FnMut(&Map<String, Value>, &str, &Resolver<'r>),
) {
    let mut bases = vec![(String::new(), resolver)];
    walk::each(schema, &mut |keywords, pointer| {
        // Schemas come before those inside them: the innermost base whose pointer leads here is the one that holds.
        while bases.len() > 1 && bases.last().is_some_and(|(at, _)| !holds(at, pointer)) {
            bases.pop();
        }
        let Some((_, resolver)) = bases.last().cloned() else { return };
        let mut resolver = resolver;
        if !pointer.is_empty()
            && let Some(identifier) = keywords.get(identifier(draft))
        {
            let resource = json!({ "$id": identifier, "id": identifier });
            if let Ok(inner) = resolver.in_subresource(draft.create_resource_ref(&resource)) {
                resolver = inner.clone();
                bases.push((pointer.to_owned(), inner));
            }
        }
        visit(keywords, pointer, &resolver);
    });
}

/// Every reference of `schema` that leads to no part of it, and every `$id` that is no URI.
pub(super) fn dangling(schema: &Value, draft: Draft) -> Vec<Fault> {
    let mut faults = bad_identifiers(schema, identifier(draft));
    if !faults.is_empty() {
        return faults;
    }
    let nowhere = Nowhere::default();
    let Some((registry, base)) = register(schema, draft, nowhere.clone()) else { return faults };
    each_with_base(schema, draft, registry.resolver(base), &mut |keywords, pointer, resolver| {
        for keyword in REFERENCES {
            let Some(reference) = keywords.get(keyword).and_then(Value::as_str) else { continue };
            let asked = || nowhere.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let why = match resolver.lookup(reference) {
                Ok(target) if asked().iter().any(|uri| same_document(uri, target.resolver().base_uri().as_str())) => {
                    "points outside of the schema, and nothing is fetched"
                }
                Ok(_) => continue,
                Err(_) => "leads nowhere",
            };
            faults.push(Fault::at(format!("{pointer}/{keyword}"), format!("{keyword} {} {why}", quoted(reference))));
        }
    });
    faults
}

fn bad_identifiers(schema: &Value, identifier: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    walk::each(schema, &mut |keywords, pointer| {
        if let Some(Value::String(id)) = keywords.get(identifier)
            && resolved(BASE, id).is_none()
        {
            faults.push(Fault::at(format!("{pointer}/{identifier}"), format!("{identifier} {} is no URI", quoted(id))));
        }
    });
    faults
}

fn resolved(base: &str, reference: &str) -> Option<String> {
    let base = jsonschema::uri::from_str(base).ok()?;
    jsonschema::uri::resolve_against(&base.borrow(), reference).ok().map(|uri| uri.as_str().to_owned())
}

fn holds(at: &str, pointer: &str) -> bool {
    pointer.strip_prefix(at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn same_document(one: &str, other: &str) -> bool {
    one.trim_end_matches('#') == other.trim_end_matches('#')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pointers(schema: &Value) -> Vec<String> {
        dangling(schema, Draft::Draft202012).into_iter().map(|fault| fault.pointer).collect()
    }

    #[test]
    fn only_references_that_lead_nowhere_are_named() {
        assert_eq!(
            pointers(&json!({
                "properties": {
                    "a": { "$ref": "#/$defs/A" },
                    "b": { "$ref": "#/$defs/B" },
                    "$ref": { "$ref": "#anchor" },
                    "c": { "items": { "$ref": "https://example.test/x.json#/y" } },
                    "d": { "$ref": "#gone" },
                    "e": { "$ref": "#" },
                    "f": { "$ref": "other.json" }
                },
                "enum": [{ "$ref": "#/none" }],
                "$defs": { "A": {}, "N": { "$anchor": "anchor" } }
            })),
            ["/properties/b/$ref", "/properties/c/items/$ref", "/properties/d/$ref", "/properties/f/$ref"]
        );
    }

    #[test]
    fn an_embedded_identifier_is_the_base_of_what_stands_inside_it() {
        assert_eq!(
            pointers(&json!({
                "$id": "https://example.test/root.json",
                "$defs": {
                    "in": { "$id": "inner.json", "$defs": { "x": {} }, "properties": { "a": { "$ref": "#/$defs/x" } } },
                    "out": { "$ref": "inner.json#/$defs/x" },
                    "x2": { "$ref": "#/$defs/x" }
                }
            })),
            ["/$defs/x2/$ref"]
        );
    }

    #[test]
    fn an_identifier_that_is_no_uri_is_named() {
        assert_eq!(pointers(&json!({ "$id": "http://[", "properties": { "a": { "$ref": "#/x" } } })), ["/$id"]);
    }
}
