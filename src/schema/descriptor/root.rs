//! The root of a schema: the one level that is always an object, since arguments are (MCP, `tools/call`).

use std::collections::{HashMap, HashSet};

use jsonschema::{Draft, Registry, Retrieve, Uri};
use serde_json::{Map, Value, json};

use super::{
    Kind, Node,
    budget::Budget,
    build::{At, Builder},
    merge::{APART, merge},
    read::text_of,
    words::{required_alternatives, shown, words_of},
};
use crate::schema::reference;

/// A document that is not here is open: it is never asked for.
struct Nothing;

impl Retrieve for Nothing {
    fn retrieve(&self, _: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Value::Bool(true))
    }
}

/// The base of a schema that names none.
const BASE: &str = "json-schema:///";

impl Builder {
    /// The descriptor of a whole schema: an object, whatever the schema says of other values.
    pub(super) fn describe_root(schema: &Value, draft: Draft) -> Node {
        // Most schemas refer to nothing, and the registry costs more than all the rest of them.
        let registry = (reference::count(schema) > 0)
            .then(|| {
                Registry::new()
                    .draft(draft)
                    .retriever(Nothing)
                    .add(BASE, draft.create_resource(schema.clone()))
                    .and_then(jsonschema::RegistryBuilder::prepare)
                    .ok()
            })
            .flatten();
        let base = jsonschema::uri::from_str(BASE).ok();
        let resolver = registry.as_ref().zip(base).map(|(registry, base)| registry.resolver(base));
        let mut builder = Self { draft, budget: Budget::new(), inside: Vec::new() };
        let at = At { resolver, depth: 0, name: None };
        match schema {
            Value::Object(members) => {
                let at = builder.entered(members, &at);
                let members = builder.flattened(members, &at);
                if builder.budget.is_spent() {
                    return empty_object().with_words("not shown: the schema is too large");
                }
                builder.root(&members, &at)
            }
            Value::Bool(false) => empty_object().with_words("no arguments are accepted"),
            _ => empty_object(),
        }
    }

    /// The root: alternatives are merged into the one object that arguments are, and said in words besides.
    fn root(&mut self, schema: &Map<String, Value>, at: &At<'_>) -> Node {
        let mut members = schema.clone();
        let mut words = Vec::new();
        for keyword in ["anyOf", "oneOf"] {
            let Some(Value::Array(options)) = members.shift_remove(keyword) else { continue };
            if let Some(said) = required_alternatives(keyword, &options) {
                words.push(said);
                continue;
            }
            self.add_alternatives(&mut members, &options, at);
            let how = if keyword == "oneOf" { "exactly one of these applies" } else { "at least one of these applies" };
            words.push(format!("{how}: {}", options.iter().map(shown).collect::<Vec<_>>().join(" | ")));
            // What one alternative closes, another may leave open.
            if options.iter().any(|option| option.get("additionalProperties") != Some(&Value::Bool(false)))
                && members.get("additionalProperties") == Some(&Value::Bool(false))
            {
                members.shift_remove("additionalProperties");
            }
        }
        if let Some(parts) = members.shift_remove(APART) {
            words.push(format!("all of these apply: {}", shown(&parts)));
        }
        for keyword in ["const", "enum"] {
            if let Some(value) = members.get(keyword) {
                words.push(format!("{keyword}: {}", shown(value)));
            }
        }
        if !accepts_objects(members.get("type")) {
            words.push(format!("the server's schema is for {}, and arguments are objects", shown(&members["type"])));
        }
        let node = self.object(&members, at);
        words.insert(0, words_of(&members, None));
        words.retain(|said| !said.is_empty());
        let words = words.join("; ");
        Node { description: text_of(&members, "description"), ..node }.with_words(&words)
    }

    /// Adds the properties of the root's alternatives to it: each in every way that one of them has it. Where an alternative leaves a name open, so does
    /// the root.
    fn add_alternatives(&mut self, members: &mut Map<String, Value>, options: &[Value], at: &At<'_>) {
        let mut applying = Vec::new();
        let mut open = false;
        for option in options {
            match option {
                Value::Object(option) => {
                    let option = self.flattened(option, at);
                    if accepts_objects(option.get("type")) {
                        applying.push(option);
                    }
                }
                Value::Bool(false) => {}
                _ => open = true,
            }
        }
        let others_fit = |option: &Map<String, Value>| option.get("additionalProperties") != Some(&Value::Bool(false));
        let open_options = applying.iter().filter(|option| others_fit(option)).count();
        let mut ways: Map<String, Value> = Map::new();
        // How often a name stands in an option that is open to others, and its ways so far by their text.
        let mut met: HashMap<&str, (usize, HashSet<String>)> = HashMap::new();
        for option in &applying {
            for (name, way) in option.get("properties").and_then(Value::as_object).into_iter().flatten() {
                let (in_open, texts) = met.entry(name).or_default();
                *in_open += usize::from(others_fit(option));
                if texts.insert(way.to_string())
                    && let Value::Array(ways) = ways.entry(name).or_insert_with(|| json!([]))
                {
                    ways.push(way.clone());
                }
            }
        }
        for (name, ways) in &mut ways {
            let Value::Array(all) = ways else { continue };
            if open || met.get(name.as_str()).is_none_or(|(in_open, _)| *in_open < open_options) {
                all.push(Value::Bool(true));
            }
            *ways = if let [only] = all.as_mut_slice() { only.take() } else { json!({ "anyOf": ways.take() }) };
        }
        let mut alternatives = Map::new();
        alternatives.insert("properties".to_owned(), Value::Object(ways));
        // What the root itself says of a name holds besides.
        merge(members, &alternatives);
    }
}

fn empty_object() -> Node {
    Kind::Object { properties: Vec::new(), rest: Box::new(Kind::Any.into()) }.into()
}

fn accepts_objects(kind: Option<&Value>) -> bool {
    match kind {
        Some(Value::String(one)) => one == "object",
        Some(Value::Array(many)) => many.iter().any(|one| one == "object"),
        _ => true,
    }
}
