//! Which alternative of an `anyOf` or `oneOf` the arguments were meant for.

use jsonschema::{ValidationError, error::ValidationErrorKind as Kind};

use super::{issues::types, shown};

pub(super) enum Closest<'e> {
    /// The errors of the one alternative that was most likely meant.
    Branch(&'e [ValidationError<'static>]),
    /// Every alternative refuses one and the same value, and these are all that they would take: types and literals in words.
    Values {
        sample: &'e ValidationError<'static>,
        expected: String,
        types_only: bool,
    },
    None,
}

/// How far an alternative is from the arguments; the least is the closest.
type Distance = (bool, usize, usize, std::cmp::Reverse<usize>);

/// The closest of the alternatives whose errors are `context`, of the `anyOf` or `oneOf` error `whole`.
pub(super) fn closest<'e>(context: &'e [Vec<ValidationError<'static>>], whole: &ValidationError<'_>) -> Closest<'e> {
    let here = whole.instance_path().as_str();
    let branches: Vec<&[ValidationError<'static>]> =
        context.iter().map(Vec::as_slice).filter(|errors| !errors.is_empty()).collect();
    let Some(nearest) = branches.iter().map(|errors| distance(errors, here)).min() else { return Closest::None };
    // Alternatives that all fail on the same value, by its type or by a literal, are told together.
    let near: Vec<_> =
        branches.iter().copied().filter(|errors| pick(distance(errors, here)) == pick(nearest)).collect();
    if near.len() > 1
        && let Some(values) = same_value(&near)
    {
        return values;
    }
    branches
        .iter()
        .find(|errors| distance(errors, here) == nearest)
        .map_or(Closest::None, |errors| Closest::Branch(errors))
}

fn pick(distance: Distance) -> (bool, usize) {
    (distance.0, distance.1)
}

fn distance(errors: &[ValidationError<'static>], here: &str) -> Distance {
    let depth = |error: &ValidationError<'_>| {
        error.instance_path().as_str().strip_prefix(here).unwrap_or_default().matches('/').count()
    };
    let other_type = errors.iter().any(|error| {
        depth(error) == 0 && matches!(error.kind(), Kind::Type { .. } | Kind::Constant { .. } | Kind::Enum { .. })
    });
    // A literal that differs one level down is most often the discriminator of another alternative.
    let literals = errors.iter().filter(|error| depth(error) == 1 && literal(error).is_some()).count();
    let deepest = errors.iter().map(depth).max().unwrap_or_default();
    (other_type, literals, errors.len(), std::cmp::Reverse(deepest))
}

/// What an error's rule would have taken, in words, where it names its values or types.
fn literal(error: &ValidationError<'_>) -> Option<Vec<String>> {
    match error.kind() {
        Kind::Constant { expected_value } => Some(vec![shown::literal(expected_value)]),
        Kind::Enum { options } => Some(options.as_array()?.iter().map(shown::literal).collect()),
        _ => None,
    }
}

fn same_value<'e>(branches: &[&'e [ValidationError<'static>]]) -> Option<Closest<'e>> {
    let mut words: Vec<String> = Vec::new();
    let mut sample: Option<&ValidationError<'static>> = None;
    let mut types_only = true;
    for errors in branches {
        let error = errors.iter().find(|error| wanted(error).is_some())?;
        if sample.is_some_and(|sample| sample.instance_path() != error.instance_path()) {
            return None;
        }
        sample = sample.or(Some(error));
        types_only &= matches!(error.kind(), Kind::Type { .. });
        for word in wanted(error)? {
            if !words.contains(&word) {
                words.push(word);
            }
        }
    }
    let expected = if words.len() > 1 && !types_only {
        format!("one of {}", shown::list(words.into_iter()))
    } else {
        words.join(" or ")
    };
    Some(Closest::Values { sample: sample?, expected, types_only })
}

fn wanted(error: &ValidationError<'_>) -> Option<Vec<String>> {
    match error.kind() {
        Kind::Type { kind } => Some(types(kind)),
        _ => literal(error),
    }
}
