//! What a model reads when its arguments do not fit (R17): what was expected, what was found, and where.

use std::collections::HashSet;

use jsonschema::{
    ValidationError,
    error::{TypeKind, ValidationErrorKind as Kind},
};
use serde_json::Value;

use super::{Issue, branch, message, walk};
use crate::limits::MAX_ISSUES;

/// What the messages look things up in.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    /// The schema as it was compiled.
    pub(super) schema: &'a Value,
    pub(super) arguments: &'a Value,
}

impl<'a> Scene<'a> {
    /// The part of the arguments that an error is about.
    pub(super) fn found(&self, error: &ValidationError<'_>) -> Option<&'a Value> {
        self.arguments.pointer(error.instance_path().as_str())
    }

    /// The schema that holds the keyword of an error, references followed.
    pub(super) fn holder(&self, error: &ValidationError<'_>) -> Option<&'a Value> {
        let (holder, _) = error.schema_path().as_str().rsplit_once('/')?;
        self.schema.pointer(holder)
    }
}

/// Issues without repetitions, at most [`MAX_ISSUES`].
pub(super) struct Issues<'a> {
    scene: Scene<'a>,
    list: Vec<Issue>,
    seen: HashSet<(String, String)>,
}

impl<'a> Issues<'a> {
    /// The issues behind `errors`, in their order.
    pub(super) fn of<'e>(errors: impl Iterator<Item = ValidationError<'e>>, scene: Scene<'a>) -> Vec<Issue> {
        let mut issues = Self { scene, list: Vec::new(), seen: HashSet::new() };
        for error in errors {
            issues.add(&error);
            if issues.full() {
                break;
            }
        }
        issues.list
    }

    fn full(&self) -> bool {
        self.list.len() >= MAX_ISSUES
    }

    fn add(&mut self, error: &ValidationError<'_>) {
        if let Kind::AnyOf { context } | Kind::OneOfNotValid { context } = error.kind() {
            match branch::closest(context, error) {
                branch::Closest::Branch(errors) => {
                    for error in errors {
                        if self.full() {
                            return;
                        }
                        self.add(error);
                    }
                    return;
                }
                branch::Closest::Values { sample, expected, types_only } => {
                    let value = self.scene.found(sample);
                    let found = if types_only { message::found_kind(value) } else { message::found(value) };
                    self.push(sample, format!("expected {expected}, {found}"));
                    return;
                }
                branch::Closest::None => {}
            }
        }
        self.push(error, message::of(error, self.scene));
    }

    fn push(&mut self, error: &ValidationError<'_>, message: String) {
        let instance_path = error.instance_path().as_str().to_owned();
        let mut path = zod_path(&instance_path, self.scene.arguments);
        match error.kind() {
            Kind::Required { property } => path.push(property.clone()),
            Kind::PropertyNames { error } => path.push(error.instance().as_ref().clone()),
            _ => {}
        }
        let place = path.iter().fold(String::new(), |place, step| format!("{place}/{step}"));
        // However a missing property is told, and by however many rules: it is one thing to add.
        let what = if matches!(error.kind(), Kind::Required { .. }) { "required" } else { message.as_str() };
        if !self.seen.insert((place, what.to_owned())) {
            return;
        }
        self.list.push(Issue {
            schema_path: error.evaluation_path().as_str().to_owned(),
            keyword: message::keyword(error).to_owned(),
            message,
            path,
            instance_path,
        });
    }
}

/// The types that a `type` error asks for, as `type` names them.
pub(super) fn types(kind: &TypeKind) -> Vec<String> {
    match kind {
        TypeKind::Single(single) => vec![single.to_string()],
        TypeKind::Multiple(several) => several.iter().map(|name| name.to_string()).collect(),
    }
}

/// A JSON Pointer into `arguments` as zod's path: a step into an array is a number, every other one a string.
fn zod_path(pointer: &str, arguments: &Value) -> Vec<Value> {
    let mut at = Some(arguments);
    pointer
        .split('/')
        .skip(1)
        .map(|step| {
            let step = walk::unescaped(step);
            let (inner, shown) = match at {
                Some(Value::Array(items)) => {
                    let index = step.parse::<usize>().ok();
                    (index.and_then(|index| items.get(index)), index.map_or(Value::String(step), Value::from))
                }
                Some(Value::Object(members)) => (members.get(&step), Value::String(step)),
                _ => (None, Value::String(step)),
            };
            at = inner;
            shown
        })
        .collect()
}
