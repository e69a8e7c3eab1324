//! The way from a schema to its descriptor.

use std::{collections::HashSet, fmt::Write as _};

use jsonschema::Draft;
use referencing::{Resolver, ResourceRef};
use serde_json::{Map, Value};

use super::{
    Kind, Node, Property,
    budget::{Budget, too_large},
    merge::{APART, merge},
    read::{bounds, text_of, types_of},
    words::{FORMATS, required_alternatives, words_of},
};
use crate::limits::{MAX_DESCRIPTOR_DEPTH, MAX_UNROLLED};

/// Keywords that say nothing of a value itself.
const ANNOTATIONS: [&str; 9] =
    ["$comment", "$defs", "$id", "$schema", "default", "definitions", "description", "examples", "title"];

/// Keywords that refer to another schema, statically as far as a descriptor goes.
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

pub(super) struct Builder {
    pub(super) draft: Draft,
    pub(super) budget: Budget,
    /// Targets of the references that the level at hand is inside of, by their address.
    pub(super) inside: Vec<*const Value>,
}

/// Where a schema stands.
#[derive(Clone)]
pub(super) struct At<'r> {
    pub(super) resolver: Option<Resolver<'r>>,
    pub(super) depth: usize,
    /// The name of the property that it describes.
    pub(super) name: Option<String>,
}

impl<'r> At<'r> {
    fn deeper(&self) -> Self {
        Self { resolver: self.resolver.clone(), depth: self.depth + 1, name: None }
    }

    fn named(&self, name: &str) -> Self {
        Self { name: Some(name.to_owned()), ..self.deeper() }
    }

    fn by(&self, resolver: Resolver<'r>) -> Self {
        Self { resolver: Some(resolver), depth: self.depth + 1, name: self.name.clone() }
    }
}

impl Builder {
    /// The descriptor of one schema.
    fn node(&mut self, schema: &Value, at: &At<'_>) -> Node {
        if self.budget.is_spent() {
            return too_large();
        }
        self.budget.take_node();
        match schema {
            Value::Bool(false) => Kind::Never.into(),
            Value::Object(members) => self.members(members, at),
            _ => Kind::Any.into(),
        }
    }

    /// The descriptors of `schemas`, as far as there is room: then one that forbids nothing stands for all others.
    fn nodes<'s>(
        &mut self,
        schemas: impl IntoIterator<Item = &'s Value>,
        mut describe: impl FnMut(&mut Self, &Value) -> Node,
    ) -> Vec<Node> {
        let mut nodes = Vec::new();
        for schema in schemas {
            if self.budget.is_spent() {
                nodes.push(too_large());
                break;
            }
            nodes.push(describe(self, schema));
        }
        nodes
    }

    fn members(&mut self, members: &Map<String, Value>, at: &At<'_>) -> Node {
        // A reference to a reference is a level as well.
        if at.depth > MAX_DESCRIPTOR_DEPTH {
            return Node::from(Kind::Any).with_words("not shown: nested too deep");
        }
        self.budget.take(members);
        if self.budget.is_spent() {
            return too_large();
        }
        let at = self.entered(members, at);
        if let Some((target, resolver)) = Self::target(members, &at) {
            return self.referred(members, target, &at.by(resolver));
        }
        if members.contains_key("allOf") || members.contains_key(APART) {
            let flat = self.flattened(members, &at);
            if self.budget.is_spent() {
                return too_large();
            }
            return if flat.contains_key(APART) { self.all(&flat, &at) } else { self.plain(&flat, &at) };
        }
        self.plain(members, &at)
    }

    /// The place with the base that `members` sets, if it does.
    pub(super) fn entered<'r>(&self, members: &Map<String, Value>, at: &At<'r>) -> At<'r> {
        if !members.contains_key("$id") && !members.contains_key("id") {
            return at.clone();
        }
        let schema = Value::Object(members.clone());
        let resolver = at
            .resolver
            .as_ref()
            .and_then(|resolver| resolver.in_subresource(ResourceRef::new(&schema, self.draft)).ok());
        At { resolver: resolver.or_else(|| at.resolver.clone()), ..at.clone() }
    }

    /// What the reference in `members` leads to; nothing without one, or where it leads nowhere.
    fn target<'r>(members: &Map<String, Value>, at: &At<'r>) -> Option<(&'r Value, Resolver<'r>)> {
        let reference = REFERENCES.iter().find_map(|keyword| members.get(*keyword)?.as_str())?;
        let (contents, resolver, _) = at.resolver.as_ref()?.lookup(reference).ok()?.into_inner();
        Some((contents, resolver))
    }

    /// A schema that refers to `target`, with what stands beside the reference.
    fn referred(&mut self, members: &Map<String, Value>, target: &Value, at: &At<'_>) -> Node {
        let address = std::ptr::from_ref(target);
        if self.inside.iter().filter(|inside| **inside == address).count() >= MAX_UNROLLED {
            let said = target.get("description").and_then(Value::as_str);
            let node = Node { description: said.map(str::to_owned), ..Kind::Any.into() };
            return node.with_words("again of the kind that it is inside of");
        }
        self.inside.push(address);
        let node = match target {
            _ if self.budget.is_spent() => too_large(),
            Value::Object(target) if members.len() == 1 => self.members(target, at),
            Value::Object(target) => self.members(&self.beside(members, target), at),
            _ => self.node(target, at),
        };
        self.inside.pop();
        node
    }

    /// `target` and what stands beside the reference to it. Up to draft 7 only annotations do; they help the model in any case.
    fn beside(&self, members: &Map<String, Value>, target: &Map<String, Value>) -> Map<String, Value> {
        let annotations_only = matches!(self.draft, Draft::Draft4 | Draft::Draft6 | Draft::Draft7);
        let mut both: Map<String, Value> = members
            .iter()
            .filter(|(key, _)| !REFERENCES.contains(&key.as_str()) && !DEFINITIONS.contains(&key.as_str()))
            .filter(|(key, _)| !annotations_only || ANNOTATIONS.contains(&key.as_str()))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        merge(&mut both, target);
        both
    }

    /// `members` with its `allOf` merged in, as far as that goes; what does not fit stands under [`APART`].
    pub(super) fn flattened(&mut self, members: &Map<String, Value>, at: &At<'_>) -> Map<String, Value> {
        let mut at = self.entered(members, at);
        self.budget.take(members);
        if self.budget.is_spent() {
            return Map::new();
        }
        let mut flat = members.clone();
        // References of references, and parts of parts: each round takes out one level.
        for _ in 0..MAX_DESCRIPTOR_DEPTH {
            if self.budget.is_spent() {
                break;
            }
            self.budget.take_node();
            if let Some((Value::Object(target), resolver)) = Self::target(&flat, &at) {
                self.budget.take_merge(&flat, target);
                flat = self.beside(&flat, target);
                at = at.by(resolver);
                continue;
            }
            let Some(Value::Array(parts)) = flat.shift_remove("allOf") else { break };
            for part in &parts {
                let Value::Object(part) = part else { continue };
                let whole = match Self::target(part, &at) {
                    Some((Value::Object(target), _)) => {
                        self.budget.take_merge(part, target);
                        &self.beside(part, target)
                    }
                    _ => part,
                };
                self.budget.take_merge(&flat, whole);
                if self.budget.is_spent() {
                    break;
                }
                merge(&mut flat, whole);
            }
        }
        flat
    }

    /// A schema whose `allOf` cannot be one with the rest of it.
    fn all(&mut self, flat: &Map<String, Value>, at: &At<'_>) -> Node {
        let mut rest = flat.clone();
        let parts = rest.shift_remove(APART).and_then(|parts| parts.as_array().cloned()).unwrap_or_default();
        let (description, default) = (rest.shift_remove("description"), rest.shift_remove("default"));
        let mut nodes = Vec::new();
        if rest.keys().any(|key| !ANNOTATIONS.contains(&key.as_str())) {
            nodes.push(self.plain(&rest, &at.deeper()));
        }
        nodes.extend(self.nodes(&parts, |builder, part| builder.node(part, &at.deeper())));
        let description = description.and_then(|said| said.as_str().map(str::to_owned));
        Node { kind: Kind::All { parts: nodes }, description, default }
    }

    /// A schema without references and `allOf`.
    fn plain(&mut self, members: &Map<String, Value>, at: &At<'_>) -> Node {
        let mut words = words_of(members, at.name.as_deref());
        let kind = self.kind(members, at, &mut words);
        let node =
            Node { kind, description: text_of(members, "description"), default: members.get("default").cloned() };
        node.with_words(&words)
    }

    fn kind(&mut self, members: &Map<String, Value>, at: &At<'_>, words: &mut String) -> Kind {
        if let Some(value) = members.get("const") {
            return self.values(std::slice::from_ref(value), members, words);
        }
        if let Some(Value::Array(all)) = members.get("enum") {
            return self.values(all, members, words);
        }
        for keyword in ["anyOf", "oneOf"] {
            let Some(Value::Array(options)) = members.get(keyword) else { continue };
            let rest = members.iter().filter(|(key, _)| *key != keyword);
            let mut base: Map<String, Value> = rest.map(|(key, value)| (key.clone(), value.clone())).collect();
            let constrains = base.keys().any(|key| !ANNOTATIONS.contains(&key.as_str()) && key != "discriminator");
            if constrains && let Some(said) = required_alternatives(keyword, options) {
                if !words.is_empty() {
                    words.push_str("; ");
                }
                words.push_str(&said);
                return self.kind(&base, at, words);
            }
            for annotation in ["description", "default", "title", "examples"] {
                base.shift_remove(annotation);
            }
            return self.union(options, &base, constrains, at);
        }
        let types = types_of(members);
        if let [only] = types.as_slice() {
            return self.of_type(only, members, at);
        }
        let at = at.deeper();
        let mut options: Vec<Node> = Vec::new();
        for kind in &types {
            self.budget.take_node();
            options.push(self.of_type(kind, members, &at).into());
        }
        Kind::Union { options }
    }

    fn values(&mut self, all: &[Value], members: &Map<String, Value>, words: &mut String) -> Kind {
        if all.is_empty() {
            return Kind::Never;
        }
        // A list of strings is one schema of zod's, however long.
        if !all.iter().all(Value::is_string) && !self.budget.take_values(all) {
            if !words.is_empty() {
                words.push_str("; ");
            }
            let _ = write!(words, "one of {} values, not shown: the schema is too large", all.len());
            return Kind::Any;
        }
        let integer = members.get("type").and_then(Value::as_str) == Some("integer");
        Kind::Enum { values: all.to_vec(), integer }
    }

    fn union(&mut self, options: &[Value], base: &Map<String, Value>, constrains: bool, at: &At<'_>) -> Kind {
        let options = self.nodes(options, |builder, option| match option {
            Value::Object(option) if constrains => {
                let mut both = builder.flattened(option, at);
                builder.budget.take_merge(&both, base);
                if builder.budget.is_spent() {
                    return too_large();
                }
                merge(&mut both, base);
                builder.node(&Value::Object(both), &at.deeper())
            }
            _ => builder.node(option, &at.deeper()),
        });
        Kind::Union { options }
    }

    fn of_type(&mut self, kind: &str, members: &Map<String, Value>, at: &At<'_>) -> Kind {
        let number = |key: &str| members.get(key).filter(|value| value.is_number()).cloned();
        match kind {
            "null" => Kind::Null,
            "boolean" => Kind::Boolean,
            "string" => Kind::String {
                min_length: number("minLength"),
                max_length: number("maxLength"),
                pattern: text_of(members, "pattern"),
                format: text_of(members, "format").filter(|format| FORMATS.contains(&format.as_str())),
            },
            "number" | "integer" => {
                let (minimum, exclusive_minimum) = bounds(members, "minimum", "exclusiveMinimum");
                let (maximum, exclusive_maximum) = bounds(members, "maximum", "exclusiveMaximum");
                Kind::Number {
                    integer: kind == "integer",
                    minimum,
                    exclusive_minimum,
                    maximum,
                    exclusive_maximum,
                    multiple_of: number("multipleOf"),
                }
            }
            "array" => self.array(members, at),
            "object" => self.object(members, at).kind,
            _ => Kind::Any,
        }
    }

    fn array(&mut self, members: &Map<String, Value>, at: &At<'_>) -> Kind {
        let (positions, rest) = match (members.get("prefixItems"), members.get("items")) {
            (Some(Value::Array(positions)), rest) => (positions.as_slice(), rest),
            (None, Some(Value::Array(positions))) => (positions.as_slice(), members.get("additionalItems")),
            (_, rest) => (&[][..], rest),
        };
        let number = |key: &str| members.get(key).filter(|value| value.is_number()).cloned();
        Kind::Array {
            positions: self.nodes(positions, |builder, position| builder.node(position, &at.deeper())),
            rest: Box::new(self.rest(rest, at)),
            min_items: number("minItems"),
            max_items: number("maxItems"),
        }
    }

    /// The descriptor of items or properties that nothing else describes.
    fn rest(&mut self, schema: Option<&Value>, at: &At<'_>) -> Node {
        if self.budget.is_spent() {
            return too_large();
        }
        let Some(schema) = schema else {
            self.budget.take_node();
            return Kind::Any.into();
        };
        self.node(schema, &at.deeper())
    }

    pub(super) fn object(&mut self, members: &Map<String, Value>, at: &At<'_>) -> Node {
        let known = members.get("properties").and_then(Value::as_object);
        let names = members.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let mut required: HashSet<&str> = names.clone().collect();
        let mut properties: Vec<Property> = Vec::new();
        for (name, schema) in known.into_iter().flatten() {
            if self.budget.is_spent() {
                break;
            }
            let node = self.node(schema, &at.named(name));
            properties.push((name.clone(), node, required.remove(name.as_str())));
        }
        // A name may be required that nothing describes.
        for name in names {
            if self.budget.is_spent() {
                break;
            }
            if required.remove(name) {
                self.budget.take_node();
                properties.push((name.to_owned(), Kind::Any.into(), true));
            }
        }
        let open = members
            .get("patternProperties")
            .is_some_and(|rules| rules.as_object().is_some_and(|rules| !rules.is_empty()));
        // Names that a pattern allows cannot be told from the rest here.
        let rest = self.rest(members.get("additionalProperties").filter(|_| !open), at);
        Kind::Object { properties, rest: Box::new(rest) }.into()
    }
}

const DEFINITIONS: [&str; 2] = ["$defs", "definitions"];
