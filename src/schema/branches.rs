//! Which alternative of `anyOf` and `oneOf` was meant: its errors alone are worth reading.

use jsonschema::{ValidationError, error::ValidationErrorKind};

type Branch = Vec<ValidationError<'static>>;

/// The branch that comes closest to what stands at `pointer`, where there is one: of another type than the rest, or told by a discriminator, or with the
/// fewest errors.
pub(super) fn closest<'a>(pointer: &str, branches: &'a [Branch]) -> Option<&'a Branch> {
    let mut fitting: Vec<&Branch> = branches.iter().filter(|branch| !is_other_kind(pointer, branch)).collect();
    if fitting.is_empty() {
        return None;
    }
    // A property that names its alternative (`const`, `enum`) rules out the ones it does not name, unless it rules out all.
    let named: Vec<&Branch> = fitting.iter().copied().filter(|branch| !is_misnamed(pointer, branch)).collect();
    if !named.is_empty() {
        fitting = named;
    }
    let fewest = fitting.iter().map(|branch| branch.len()).min()?;
    let mut best = fitting.iter().filter(|branch| branch.len() == fewest);
    match (best.next(), best.next()) {
        (Some(only), None) => Some(only),
        // Of branches that say the same, one is enough.
        (Some(first), Some(_)) if all_say(&fitting, first) => Some(first),
        _ => None,
    }
}

/// The value itself is of another type, or another constant, than the branch wants.
fn is_other_kind(pointer: &str, branch: &Branch) -> bool {
    branch.iter().any(|error| {
        error.instance_path().as_str() == pointer
            && matches!(
                error.kind(),
                ValidationErrorKind::Type { .. }
                    | ValidationErrorKind::Constant { .. }
                    | ValidationErrorKind::Enum { .. }
                    | ValidationErrorKind::FalseSchema
            )
    })
}

/// A property of the value has another constant than the branch wants.
fn is_misnamed(pointer: &str, branch: &Branch) -> bool {
    branch.iter().any(|error| {
        matches!(error.kind(), ValidationErrorKind::Constant { .. } | ValidationErrorKind::Enum { .. })
            && error.instance_path().as_str().strip_prefix(pointer).is_some_and(|rest| rest.matches('/').count() == 1)
    })
}

fn all_say(branches: &[&Branch], first: &Branch) -> bool {
    let told = |branch: &Branch| -> Vec<String> { branch.iter().map(ToString::to_string).collect() };
    let expected = told(first);
    branches.iter().all(|branch| told(branch) == expected)
}
