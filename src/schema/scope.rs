//! Schemas that the library would compile over and over. It keeps a validator for each reference's target and for each way through the resources
//! (`$id`) that leads there, since a dynamic reference may mean another schema on each. The ways can be two to the power of the resources.

use std::{collections::HashSet, rc::Rc};

use jsonschema::Draft;
use referencing::Resolver;
use serde_json::Value;

use super::{
    reference::{self, REFERENCES},
    walk,
};
use crate::limits::MAX_SCOPED_SCHEMAS;

/// The targets of references that lead to a target, the nearest first.
type Trail = Option<Rc<Link>>;

struct Link {
    target: *const Value,
    before: Trail,
}

/// A schema to go through, and how it was come by.
struct Visit<'r> {
    schema: &'r Value,
    resolver: Resolver<'r>,
    trail: Trail,
    /// It was gone through before, on another way.
    again: bool,
}

/// Whether the ways through the resources of `schema` are more than can be compiled.
pub(super) fn multiplies(schema: &Value, draft: Draft) -> bool {
    leaves_its_resource(schema)
        && reference::registered(schema, draft)
            .is_some_and(|(registry, base)| exceeds(schema, draft, &registry.resolver(base)))
}

/// Without another resource in it or beside it, a schema has one way through.
fn leaves_its_resource(schema: &Value) -> bool {
    let mut leaves = false;
    walk::each(schema, &mut |keywords, pointer| {
        leaves |= !pointer.is_empty() && (keywords.contains_key("$id") || keywords.contains_key("id"));
        leaves |= REFERENCES
            .iter()
            .filter_map(|keyword| keywords.get(*keyword)?.as_str())
            .any(|reference| !reference.starts_with('#'));
    });
    leaves
}

/// Goes the ways, as the library would, until too many of them lead to a schema again.
fn exceeds<'r>(schema: &'r Value, draft: Draft, resolver: &Resolver<'r>) -> bool {
    let mut left = MAX_SCOPED_SCHEMAS;
    let mut compiled = HashSet::new();
    let mut targets = HashSet::new();
    let mut visits = vec![Visit { schema, resolver: resolver.clone(), trail: None, again: false }];
    while let Some(Visit { schema, resolver, trail, again }) = visits.pop() {
        let mut inside = vec![(schema, resolver)];
        while let Some((value, mut resolver)) = inside.pop() {
            let Value::Object(keywords) = value else { continue };
            if !std::ptr::eq(value, schema)
                && let Ok(inner) = resolver.in_subresource(draft.create_resource_ref(value))
            {
                resolver = inner;
            }
            for keyword in REFERENCES {
                let Some(reference) = keywords.get(keyword).and_then(Value::as_str) else { continue };
                let found = match keyword {
                    "$recursiveRef" => resolver.lookup_recursive_ref(),
                    _ => resolver.lookup(reference),
                };
                let Ok((target, there, _)) = found.map(referencing::Resolved::into_inner) else { continue };
                let scope: Vec<String> = there.dynamic_scope().iter().map(|uri| uri.as_str().to_owned()).collect();
                left = left.saturating_sub(usize::from(again) + scope.len() / 8);
                if left == 0 {
                    return true;
                }
                if !is_on(&trail, target) && compiled.insert((std::ptr::from_ref(target), scope)) {
                    let again = !targets.insert(std::ptr::from_ref(target));
                    let trail = Some(Rc::new(Link { target, before: trail.clone() }));
                    visits.push(Visit { schema: target, resolver: there, trail, again });
                }
            }
            left = left.saturating_sub(usize::from(again));
            walk::each_child(keywords, |child| inside.push((child, resolver.clone())));
        }
    }
    false
}

fn is_on(mut trail: &Trail, target: &Value) -> bool {
    while let Some(link) = trail {
        if std::ptr::eq(link.target, target) {
            return true;
        }
        trail = &link.before;
    }
    false
}
