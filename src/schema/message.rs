//! One message for one broken rule: what the schema asks for, and what came.

use jsonschema::{ValidationError, error::ValidationErrorKind as Kind};
use serde_json::Value;

use super::{
    issues::{Scene, types},
    shown,
};
use crate::text::{quoted, unquoted};

/// The message of `error`.
pub(super) fn of(error: &ValidationError<'_>, scene: Scene<'_>) -> String {
    about(error, scene.found(error), scene)
}

/// The message of `error` about `value`, which for the name of a property stands nowhere in the arguments.
fn about(error: &ValidationError<'_>, value: Option<&Value>, scene: Scene<'_>) -> String {
    let found = found(value);
    let size = match value {
        Some(Value::String(string)) => string.chars().count(),
        Some(Value::Array(items)) => items.len(),
        Some(Value::Object(members)) => members.len(),
        _ => 0,
    };
    match error.kind() {
        Kind::Type { kind } => format!("expected {}, {}", types(kind).join(" or "), found_kind(value)),
        Kind::Enum { options } => format!("expected {}, {found}", one_of(options)),
        Kind::Constant { expected_value } => format!("expected {}, {found}", shown::literal(expected_value)),
        Kind::Required { property } => {
            let name = property.as_str().map_or_else(|| property.to_string(), quoted);
            match described(error, property, scene) {
                Some(what) => format!("the required property {name} is missing ({what})"),
                None => format!("the required property {name} is missing"),
            }
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            unknown(unexpected, known(error, scene).as_deref())
        }
        Kind::AdditionalItems { limit } => format!("expected at most {}, found {size}", shown::count(*limit, "item")),
        Kind::UnevaluatedItems { unexpected } => {
            let found = shown::list(unexpected.iter().map(|item| unquoted(item)));
            format!("items that the schema does not allow: {found}")
        }
        Kind::Minimum { limit } => format!("expected at least {limit}, {found}"),
        Kind::Maximum { limit } => format!("expected at most {limit}, {found}"),
        Kind::ExclusiveMinimum { limit } => format!("expected more than {limit}, {found}"),
        Kind::ExclusiveMaximum { limit } => format!("expected less than {limit}, {found}"),
        Kind::MultipleOf { multiple_of } => format!("expected a multiple of {multiple_of}, {found}"),
        Kind::MinLength { limit } => bound("at least", *limit, "character", size),
        Kind::MaxLength { limit } => bound("at most", *limit, "character", size),
        Kind::MinItems { limit } => bound("at least", *limit, "item", size),
        Kind::MaxItems { limit } => bound("at most", *limit, "item", size),
        Kind::MinProperties { limit } => bound("at least", *limit, "property", size),
        Kind::MaxProperties { limit } => bound("at most", *limit, "property", size),
        Kind::Pattern { pattern } => format!("expected a string that matches {}, {found}", unquoted(pattern)),
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            format!("the pattern could not be decided on this value within its step limit, {found}")
        }
        Kind::UniqueItems => "expected items that all differ, found equal ones".to_owned(),
        Kind::Contains => contains(error, scene, size),
        // The library's word for `additionalProperties: false` with no `properties` beside it.
        Kind::FalseSchema if keyword(error) == "additionalProperties" => {
            let names: Vec<String> =
                value.and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name.clone()).collect();
            unknown(&names, Some(&[]))
        }
        Kind::FalseSchema => format!("no value is allowed here, {found}"),
        Kind::Not { schema } => format!("must not match {}, {found}", shown::literal(schema)),
        Kind::PropertyNames { error: inner } => {
            let name = inner.instance().as_ref();
            format!("the property name {} is not allowed: {}", shown::value(name), about(inner, Some(name), scene))
        }
        Kind::OneOfMultipleValid { context } => {
            let matching = context.iter().enumerate().filter(|(_, errors)| errors.is_empty());
            let matching: Vec<String> = matching.map(|(index, _)| (index + 1).to_string()).collect();
            let matching = shown::list(matching.into_iter());
            format!("must match exactly one of {} alternatives, and matches those at {matching}", context.len())
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            format!("matches none of the {} alternatives, {found}", context.len())
        }
        _ => unquoted(&error.masked_with("the value").to_string()),
    }
}

/// The keyword that an error is about.
pub(super) fn keyword<'e>(error: &'e ValidationError<'_>) -> &'e str {
    match error.kind() {
        Kind::FalseSchema
            if error
                .schema_path()
                .as_str()
                .strip_suffix("/additionalProperties")
                .is_some_and(|holder| !holder.ends_with("/properties")) =>
        {
            "additionalProperties"
        }
        kind => kind.keyword(),
    }
}

/// What came, as the end of a message.
pub(super) fn found(value: Option<&Value>) -> String {
    value.map_or_else(|| "found nothing".to_owned(), |value| format!("found {}", shown::value(value)))
}

/// What came, with its kind where the value alone could mislead: the end of a message about types.
pub(super) fn found_kind(value: Option<&Value>) -> String {
    match value {
        Some(scalar @ (Value::String(_) | Value::Number(_) | Value::Bool(_))) => {
            format!("found {} ({})", shown::value(scalar), shown::kind(scalar))
        }
        value => found(value),
    }
}

/// The members of an `enum`.
pub(super) fn one_of(options: &Value) -> String {
    match options.as_array().map(Vec::as_slice) {
        Some([single]) => shown::literal(single),
        Some(several) => format!("one of {}", shown::list(several.iter().map(shown::literal))),
        None => shown::literal(options),
    }
}

fn bound(word: &str, limit: u64, noun: &str, size: usize) -> String {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    format!("expected {word} {}, found {size}", shown::count(limit, noun))
}

fn unknown(unexpected: &[String], known: Option<&[String]>) -> String {
    let names = shown::list(unexpected.iter().map(|name| quoted(name)));
    let noun = if unexpected.len() == 1 { "unknown property" } else { "unknown properties" };
    match known {
        None => format!("{noun} {names}"),
        Some([]) => format!("{noun} {names}; none is allowed here"),
        Some(known) => format!("{noun} {names}; known are {}", shown::list(known.iter().map(|name| quoted(name)))),
    }
}

/// The property names that the schema of an `additionalProperties` error lists; nothing where a pattern allows others too.
fn known(error: &ValidationError<'_>, scene: Scene<'_>) -> Option<Vec<String>> {
    let holder = scene.holder(error)?.as_object()?;
    if !matches!(error.kind(), Kind::AdditionalProperties { .. }) || holder.contains_key("patternProperties") {
        return None;
    }
    Some(
        holder
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .map(|(name, _)| name.clone())
            .collect(),
    )
}

/// What the schema says a missing property holds: its type or its values.
fn described(error: &ValidationError<'_>, property: &Value, scene: Scene<'_>) -> Option<String> {
    let schema = scene.holder(error)?.get("properties")?.get(property.as_str()?)?;
    if let Some(value) = schema.get("const") {
        return Some(shown::literal(value));
    }
    if let Some(options @ Value::Array(_)) = schema.get("enum") {
        return Some(one_of(options));
    }
    match schema.get("type")? {
        Value::String(name) => Some(unquoted(name)),
        Value::Array(names) => Some(shown::list(names.iter().map(|name| unquoted(name.as_str().unwrap_or_default())))),
        _ => None,
    }
}

fn contains(error: &ValidationError<'_>, scene: Scene<'_>, size: usize) -> String {
    let holder = scene.holder(error);
    let bound = |name| holder.and_then(|holder| holder.get(name)).and_then(Value::as_u64);
    let range = match (bound("minContains"), bound("maxContains")) {
        (_, Some(most)) => format!("{} to {most} items", bound("minContains").unwrap_or(1)),
        (least, None) => format!("at least {}", shown::count(usize::try_from(least.unwrap_or(1)).unwrap_or(1), "item")),
    };
    let schema = holder.and_then(|holder| holder.get("contains")).map(shown::literal).unwrap_or_default();
    format!("expected {range} to match {schema}, found {}", shown::count(size, "item"))
}
