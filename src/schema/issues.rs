//! What is wrong with arguments, in words that a model can act on: what was expected, what was found (spec R17).

use std::fmt::Write;

use jsonschema::{
    ValidationError,
    error::{TypeKind, ValidationErrorKind},
    types::{JsonType, JsonTypeSet},
};
use serde_json::Value;

use super::{Issue, branches::closest};
use crate::{
    limits::{MAX_ISSUES, MAX_LISTED_VALUES, MAX_SHOWN_VALUE},
    text::{quoted, shortened},
};

/// An issue of a schema: `schema_path` is where in it.
pub(super) fn schema_issue(schema_path: &str, keyword: &str, message: String) -> Issue {
    Issue {
        instance_path: String::new(),
        schema_path: schema_path.to_owned(),
        keyword: keyword.to_owned(),
        message,
        path: Vec::new(),
    }
}

/// An issue of the arguments as a whole.
pub(super) fn whole_issue(keyword: &str, message: String) -> Issue {
    schema_issue("", keyword, message)
}

/// The issues of `errors`, at most [`MAX_ISSUES`], none of them twice. Errors by which a pattern was given up are no issues.
pub(super) fn issues_of<'a>(errors: impl Iterator<Item = ValidationError<'a>>, arguments: &Value) -> Vec<Issue> {
    let mut issues = Vec::new();
    for error in errors {
        collect(&error, arguments, &mut issues);
        if issues.len() >= MAX_ISSUES {
            break;
        }
    }
    issues
}

pub(super) fn collect(error: &ValidationError<'_>, arguments: &Value, issues: &mut Vec<Issue>) {
    use ValidationErrorKind as Kind;
    match error.kind() {
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {}
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            // Alternatives in each other are explained from the outside in, as far as one of them is closer than the rest.
            match closest(error.instance_path().as_str(), context) {
                Some(branch) => branch.iter().for_each(|inner| collect(inner, arguments, issues)),
                None => push(error, &alternatives(context, error.instance()), arguments, issues),
            }
        }
        _ => push(error, &message_of(error), arguments, issues),
    }
}

fn push(error: &ValidationError<'_>, message: &str, arguments: &Value, issues: &mut Vec<Issue>) {
    let instance_path = error.instance_path().as_str().to_owned();
    let mut path = path_of(&instance_path, arguments);
    if let ValidationErrorKind::Required { property: Value::String(property) } = error.kind() {
        path.push(Value::from(property.as_str()));
    }
    if issues.len() >= MAX_ISSUES || issues.iter().any(|issue| issue.path == path && issue.message == message) {
        return;
    }
    issues.push(Issue {
        instance_path,
        schema_path: error.schema_path().as_str().to_owned(),
        keyword: error.kind().keyword().to_owned(),
        message: message.to_owned(),
        path,
    });
}

/// A JSON Pointer into `arguments` as zod has paths: indices are numbers.
fn path_of(pointer: &str, arguments: &Value) -> Vec<Value> {
    let mut at = Some(arguments);
    pointer
        .split('/')
        .skip(1)
        .map(|segment| {
            let key = segment.replace("~1", "/").replace("~0", "~");
            if let Some(Value::Array(items)) = at
                && let Ok(index) = key.parse::<usize>()
            {
                at = items.get(index);
                return Value::from(index);
            }
            at = at.and_then(|value| value.get(&key));
            Value::from(key)
        })
        .collect()
}

/// What was expected, and what was found.
fn message_of(error: &ValidationError<'_>) -> String {
    use ValidationErrorKind as Kind;
    let found = || found(error.instance());
    match error.kind() {
        Kind::Required { property } => format!("required property {} is missing", name_of(property)),
        Kind::Type { kind } => format!("expected {}, got {}", types_of(kind), found()),
        Kind::Enum { options } => format!("expected {}, got {}", one_of(options), found()),
        Kind::Constant { expected_value } => format!("expected {}, got {}", shown(expected_value), found()),
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            format!("{} {}", plural(unexpected.len(), "unknown property", "unknown properties"), listed(unexpected))
        }
        Kind::UnevaluatedItems { unexpected } => format!("items not allowed: {}", listed(unexpected)),
        Kind::AdditionalItems { limit } => format!("expected at most {limit} items, got {}", found()),
        Kind::Minimum { limit } => format!("expected at least {limit}, got {}", found()),
        Kind::Maximum { limit } => format!("expected at most {limit}, got {}", found()),
        Kind::ExclusiveMinimum { limit } => format!("expected more than {limit}, got {}", found()),
        Kind::ExclusiveMaximum { limit } => format!("expected less than {limit}, got {}", found()),
        Kind::MultipleOf { multiple_of } => format!("expected a multiple of {multiple_of}, got {}", found()),
        Kind::MinLength { limit } => format!("expected at least {} got {}", count(*limit, "character"), length(error)),
        Kind::MaxLength { limit } => format!("expected at most {} got {}", count(*limit, "character"), length(error)),
        Kind::MinItems { limit } => format!("expected at least {} got {}", count(*limit, "item"), found()),
        Kind::MaxItems { limit } => format!("expected at most {} got {}", count(*limit, "item"), found()),
        Kind::MinProperties { limit } => format!("expected at least {} got {}", count(*limit, "member"), found()),
        Kind::MaxProperties { limit } => format!("expected at most {} got {}", count(*limit, "member"), found()),
        Kind::UniqueItems => "expected no item twice".to_owned(),
        Kind::Contains => "expected an item of the kind that `contains` describes, got none".to_owned(),
        Kind::Pattern { pattern } => format!("expected a match of the pattern {}, got {}", quoted(pattern), found()),
        Kind::Not { schema } => format!("expected anything but {}, got {}", shown(schema), found()),
        Kind::FalseSchema => "expected nothing here: no value is allowed".to_owned(),
        Kind::OneOfMultipleValid { .. } => {
            format!("expected exactly one of the alternatives to fit, and more than one does: {}", found())
        }
        Kind::PropertyNames { error } => {
            format!("the property name {} is not allowed: {}", shown(error.instance()), message_of(error))
        }
        _ => quoted(&error.masked().to_string()).trim_matches('"').replace("\\\"", "\""),
    }
}

/// Alternatives of which none is closer than the rest.
fn alternatives(context: &[Vec<ValidationError<'static>>], instance: &Value) -> String {
    let mut types = JsonTypeSet::empty();
    let mut all_types = true;
    for branch in context {
        match branch.as_slice() {
            [error] => match error.kind() {
                ValidationErrorKind::Type { kind: TypeKind::Single(kind) } => types = types.insert(*kind),
                ValidationErrorKind::Type { kind: TypeKind::Multiple(kinds) } => {
                    types = kinds.iter().fold(types, JsonTypeSet::insert);
                }
                _ => all_types = false,
            },
            _ => all_types = false,
        }
    }
    if all_types && !context.is_empty() {
        return format!("expected {}, got {}", type_list(types), found(instance));
    }
    let mut message = format!("expected one of {} alternatives to fit, got {}", context.len(), found(instance));
    for (number, branch) in context.iter().enumerate().take(4) {
        if let Some(first) = branch.first() {
            // Writing to a `String` cannot fail.
            let _ = write!(message, "; {}: {}", number + 1, shortened(&message_of(first), MAX_SHOWN_VALUE));
        }
    }
    message
}

fn types_of(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(kind) => type_name(*kind).to_owned(),
        TypeKind::Multiple(kinds) => type_list(*kinds),
    }
}

fn type_list(kinds: JsonTypeSet) -> String {
    let (mut names, mut null) = (Vec::new(), None);
    for kind in kinds {
        if kind == JsonType::Null { null = Some("null") } else { names.push(type_name(kind)) }
    }
    names.extend(null);
    names.join(" or ")
}

fn type_name(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Array => "array",
        JsonType::Boolean => "boolean",
        JsonType::Integer => "integer",
        JsonType::Null => "null",
        JsonType::Number => "number",
        JsonType::Object => "object",
        JsonType::String => "string",
    }
}

fn one_of(options: &Value) -> String {
    let Some(options) = options.as_array() else { return shown(options) };
    if let [only] = options.as_slice() {
        return shown(only);
    }
    let mut list = options.iter().take(MAX_LISTED_VALUES).map(shown).collect::<Vec<_>>().join(", ");
    if options.len() > MAX_LISTED_VALUES {
        let _ = write!(list, ", … ({} in all)", options.len());
    }
    format!("one of {list}")
}

/// A value as JSON, shortened.
fn shown(value: &Value) -> String {
    match value {
        Value::String(string) => quoted(&shortened(string, MAX_SHOWN_VALUE)),
        Value::Array(_) | Value::Object(_) => shortened(&value.to_string(), MAX_SHOWN_VALUE),
        _ => value.to_string(),
    }
}

/// What was found: a scalar itself, a container by its kind and size.
fn found(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("array of {}", count(items.len() as u64, "item").trim_end_matches(',')),
        Value::Object(members) => {
            if members.is_empty() {
                "an empty object".to_owned()
            } else {
                let names: Vec<&String> = members.keys().collect();
                format!("object with {}", listed(&names))
            }
        }
        Value::String(string) => format!("string {}", quoted(&shortened(string, MAX_SHOWN_VALUE))),
        Value::Number(number) => format!("number {number}"),
        Value::Bool(boolean) => format!("boolean {boolean}"),
        Value::Null => "null".to_owned(),
    }
}

fn length(error: &ValidationError<'_>) -> String {
    error.instance().as_str().map_or(0, |string| string.chars().count()).to_string()
}

fn name_of(property: &Value) -> String {
    property.as_str().map_or_else(|| shown(property), |name| quoted(&shortened(name, MAX_SHOWN_VALUE)))
}

fn listed(names: &[impl AsRef<str>]) -> String {
    let mut list = names
        .iter()
        .take(MAX_LISTED_VALUES)
        .map(|name| quoted(&shortened(name.as_ref(), MAX_SHOWN_VALUE)))
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > MAX_LISTED_VALUES {
        let _ = write!(list, ", … ({} in all)", names.len());
    }
    list
}

fn plural<'a>(count: usize, one: &'a str, many: &'a str) -> &'a str {
    if count == 1 { one } else { many }
}

fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{},", if number == 1 { "" } else { "s" })
}
