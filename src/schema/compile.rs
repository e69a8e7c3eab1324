//! From a schema to a validator: the strict reading of it, and the one that leaves what is broken open.

use jsonschema::{Draft, PatternOptions, ValidationError, error::ValidationErrorKind};
use serde_json::{Value, json};

use super::{
    Issue,
    check::Checker,
    cycle,
    dialect::{self, Dialect},
    mend::as_meant,
    metered::Metered,
    open::remove,
    pattern, reference, scope,
};
use crate::{
    limits::{MAX_BACKTRACKS, MAX_MENDINGS, MAX_REFERENCES},
    text::unquoted,
};

/// What is wrong with a schema.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fault {
    /// Where in the schema, as a JSON Pointer.
    pub(super) pointer: String,
    /// The keyword at fault, or the empty string where the schema as a whole is.
    pub(super) keyword: String,
    pub(super) message: String,
}

impl Fault {
    /// A fault of the schema as a whole.
    pub(super) fn whole(message: impl Into<String>) -> Self {
        Self { pointer: String::new(), keyword: String::new(), message: message.into() }
    }

    pub(super) fn at(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        let pointer = pointer.into();
        let keyword = pointer.rsplit('/').find(|step| step.parse::<usize>().is_err()).unwrap_or_default().to_owned();
        Self { pointer, keyword, message: message.into() }
    }
}

impl Fault {
    pub(super) fn issue(&self) -> Issue {
        Issue {
            instance_path: String::new(),
            schema_path: self.pointer.clone(),
            keyword: self.keyword.clone(),
            message: self.message.clone(),
            path: Vec::new(),
        }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)?;
        if self.pointer.is_empty() { Ok(()) } else { write!(f, " (at {})", unquoted(&self.pointer)) }
    }
}

/// The strict reading: the schema as it stands, with only those deviations read as meant that can mean one thing.
///
/// # Errors
/// What was found wrong, at least one fault.
pub(super) fn strict(schema: &Value, dialect: Dialect) -> Result<Checker, Vec<Fault>> {
    let mut schema = schema.clone();
    as_meant(&mut schema, dialect, false);
    let references = reference::count(&schema);
    if references > MAX_REFERENCES {
        let message = format!("the schema has {references} references, and at most {MAX_REFERENCES} are followed");
        return Err(vec![Fault::whole(message)]);
    }
    if scope::multiplies(&schema, dialect.draft) {
        return Err(vec![Fault::whole("the ways through the schema's resources ($id) are too many to follow")]);
    }
    let mut faults = pattern::faults(&schema);
    faults.extend(cycle::faults(&schema, dialect.draft));
    if !faults.is_empty() {
        return Err(faults);
    }
    build(&schema, dialect.draft).map_err(|error| faults_of(&schema, dialect.draft, &error))
}

/// The lenient reading: each broken part is taken out, and the rest is enforced. `None` where even that does not compile.
pub(super) fn lenient(schema: &Value, dialect: Dialect) -> Option<Checker> {
    let mut schema = schema.clone();
    as_meant(&mut schema, dialect, true);
    if reference::count(&schema) > MAX_REFERENCES || scope::multiplies(&schema, dialect.draft) {
        return None;
    }
    for fault in pattern::faults(&schema) {
        remove(&mut schema, &fault.pointer, dialect.draft);
    }
    for round in 0..=MAX_MENDINGS {
        let circles = cycle::faults(&schema, dialect.draft);
        if circles.is_empty() {
            break;
        }
        let removed = circles.iter().filter(|fault| remove(&mut schema, &fault.pointer, dialect.draft)).count();
        if removed == 0 || round == MAX_MENDINGS {
            return None;
        }
    }
    for _ in 0..MAX_MENDINGS {
        let error = match build(&schema, dialect.draft) {
            Ok(validator) => return Some(validator),
            Err(error) => error,
        };
        let mut removed = false;
        for fault in faults_of(&schema, dialect.draft, &error) {
            removed |= remove(&mut schema, &fault.pointer, dialect.draft);
        }
        if !removed {
            return None;
        }
    }
    None
}

fn build(schema: &Value, draft: Draft) -> Result<Checker, ValidationError<'static>> {
    jsonschema::options_for::<Metered>()
        .with_draft(draft)
        .offline()
        // `format` and `content*` say what a string is for; they refuse none (spec R17).
        .should_validate_formats(false)
        .without_content_media_type_support("application/json")
        .without_content_encoding_support("base64")
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(MAX_BACKTRACKS))
        .build(schema)
        .map(|validator| Checker::new(validator, schema))
}

/// What a failed build says, as places in the schema. Everything that the meta-schema refuses and every reference that leads nowhere
/// is named, not only the first, so that one pass mends them all.
fn faults_of(schema: &Value, draft: Draft, error: &ValidationError<'_>) -> Vec<Fault> {
    let faults = if matches!(error.kind(), ValidationErrorKind::Referencing(_)) {
        reference::dangling(schema, draft)
    } else {
        meta_faults(schema, draft)
    };
    if faults.is_empty() {
        vec![Fault::at(error.instance_path().as_str(), unquoted(&error.masked_with("this").to_string()))]
    } else {
        faults
    }
}

/// Where the meta-schema of `draft` refuses `schema`.
fn meta_faults(schema: &Value, draft: Draft) -> Vec<Fault> {
    let probe = json!({ "$schema": dialect::uri(draft) });
    let Ok(meta) = jsonschema::meta::validator_for(&probe) else { return Vec::new() };
    let mut faults: Vec<Fault> = Vec::new();
    for error in meta.iter_errors(schema).take(MAX_MENDINGS) {
        let pointer = error.instance_path().as_str();
        // Several rules of the meta-schema refuse one and the same value: the first says enough.
        if faults.iter().all(|fault| fault.pointer != pointer) {
            faults.push(Fault::at(pointer, unquoted(&error.masked_with("this").to_string())));
        }
    }
    faults
}
