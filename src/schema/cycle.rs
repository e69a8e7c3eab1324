//! References that lead back to where they stand, on one and the same value. They say nothing, as no validation could ever follow them to an end;
//! beside `unevaluatedProperties` and `unevaluatedItems` the library never frees a validator that holds one.

use std::collections::HashMap;

use jsonschema::Draft;
use serde_json::{Map, Value};

use super::{
    compile::Fault,
    reference::{self, REFERENCES},
    walk,
};
use crate::text::quoted;

/// A schema by its address: two of the same text are two.
type Place = *const Map<String, Value>;

/// A schema that is applied to the same value, and where the reference to it stands if it is one.
struct Edge {
    to: Place,
    reference: Option<Fault>,
}

/// The references of `schema` that close a circle, where the library cannot cope with it.
pub(super) fn faults(schema: &Value, draft: Draft) -> Vec<Fault> {
    let mut unevaluated = false;
    walk::each(schema, &mut |keywords, _| {
        unevaluated |= keywords.contains_key("unevaluatedProperties") || keywords.contains_key("unevaluatedItems");
    });
    if !unevaluated {
        return Vec::new();
    }
    let Some((registry, base)) = reference::registered(schema, draft) else { return Vec::new() };
    let mut places = Vec::new();
    let mut edges: HashMap<Place, Vec<Edge>> = HashMap::new();
    reference::each_with_base(schema, draft, registry.resolver(base), &mut |keywords, pointer, resolver| {
        let mut out: Vec<Edge> = Vec::new();
        walk::each_in_place(keywords, |part| out.push(Edge { to: part, reference: None }));
        for keyword in REFERENCES {
            let Some(name) = keywords.get(keyword).and_then(Value::as_str) else { continue };
            let Ok(found) = resolver.lookup(name) else { continue };
            if let Value::Object(target) = found.contents() {
                let message = format!("{keyword} {} leads back to itself, on the same value", quoted(name));
                let reference = Some(Fault::at(format!("{pointer}/{keyword}"), message));
                out.push(Edge { to: target, reference });
            }
        }
        let place = std::ptr::from_ref(keywords);
        places.push(place);
        edges.insert(place, out);
    });
    circles(&places, &edges)
}

/// One reference of each circle that a search in depth comes upon.
fn circles(places: &[Place], edges: &HashMap<Place, Vec<Edge>>) -> Vec<Fault> {
    let none = Vec::new();
    let mut faults: Vec<Fault> = Vec::new();
    // Where a place stands on the way that is being searched; nothing once all ways from it are.
    let mut standing: HashMap<Place, Option<usize>> = HashMap::new();
    for start in places {
        if standing.contains_key(start) {
            continue;
        }
        standing.insert(*start, Some(0));
        let mut way: Vec<(Place, std::slice::Iter<'_, Edge>, Option<&Fault>)> =
            vec![(*start, edges.get(start).unwrap_or(&none).iter(), None)];
        while let Some((place, rest, _)) = way.last_mut() {
            let Some(edge) = rest.next() else {
                standing.insert(*place, None);
                way.pop();
                continue;
            };
            match standing.get(&edge.to) {
                None => {
                    standing.insert(edge.to, Some(way.len()));
                    way.push((edge.to, edges.get(&edge.to).unwrap_or(&none).iter(), edge.reference.as_ref()));
                }
                Some(Some(at)) => {
                    // Parts alone form no circle: the last reference on it is what closes it.
                    let on_circle = way.iter().skip(at + 1).rev().find_map(|(.., reference)| *reference);
                    if let Some(fault) = edge.reference.as_ref().or(on_circle)
                        && !faults.contains(fault)
                    {
                        faults.push(fault.clone());
                    }
                }
                Some(None) => {}
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::{Schema, Verdict};

    #[test]
    fn a_circle_on_one_value_is_a_fault_beside_unevaluated_and_is_left_open() {
        for schema in [
            json!({ "unevaluatedProperties": false, "allOf": [{ "$ref": "#" }] }),
            json!({ "unevaluatedProperties": false, "$ref": "#" }),
            json!({ "unevaluatedItems": false, "anyOf": [{ "$ref": "#/$defs/a" }], "$defs": { "a": { "oneOf": [{ "$ref": "#" }] } } }),
            json!({ "$dynamicAnchor": "a", "unevaluatedProperties": false, "if": { "$dynamicRef": "#a" } }),
            json!({ "$id": "https://example.test/a", "unevaluatedProperties": false, "dependentSchemas": { "k": { "$ref": "a" } } }),
            // Entered in the middle of the circle.
            json!({ "$ref": "#/$defs/p/allOf/0", "unevaluatedProperties": false, "$defs": { "p": { "allOf": [{ "$ref": "#/$defs/p" }] } } }),
        ] {
            let of_text = |schema: &serde_json::Value| Schema::new(schema.to_string().into());
            let broken = of_text(&schema);
            let problem = broken.problem().unwrap_or_default();
            assert!(problem.contains("leads back to itself"), "{schema}: {problem}");
            assert!(matches!(broken.validate("{}"), Verdict::InvalidSchema(_)));
            // The rest of it holds.
            let mut typed = schema.clone();
            typed["maxProperties"] = json!(1);
            assert_eq!(
                of_text(&typed).check(r#"{"a":1,"b":2}"#).iter().filter(|i| i.keyword == "maxProperties").count(),
                1
            );
        }
    }

    #[test]
    fn a_schema_that_refers_to_itself_for_what_is_inside_of_a_value_is_sound() {
        for schema in [
            json!({ "unevaluatedProperties": false, "properties": { "a": { "$ref": "#" } } }),
            json!({ "unevaluatedProperties": { "$ref": "#" } }),
            json!({ "unevaluatedItems": false, "prefixItems": [{ "allOf": [{ "$ref": "#" }] }] }),
            json!({ "allOf": [{ "$ref": "#/$defs/a" }, { "$ref": "#/$defs/a" }], "$defs": { "a": {} }, "unevaluatedProperties": false }),
            // Without `unevaluated…` the library copes.
            json!({ "allOf": [{ "$ref": "#" }] }),
        ] {
            assert_eq!(Schema::new(schema.to_string().into()).problem(), None, "{schema}");
        }
    }
}
