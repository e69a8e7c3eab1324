//! From a schema's text to validators: one of the schema exactly as it stands, and where that cannot be, one of what is left of it when its broken parts
//! are taken out (spec R17, R18).

use jsonschema::{Draft, PatternOptions, ValidationError, Validator, error::ValidationErrorKind};
use serde_json::Value;

use super::{
    Issue,
    dialect::dialect_of,
    issues::schema_issue,
    metered::Metered,
    reading::{Place, as_meant, each_schema, nesting, place_of},
};
use crate::{
    limits::{MAX_BROKEN_PARTS, MAX_PATTERN_BYTES, MAX_PATTERN_STEPS, MAX_SCHEMA_BYTES},
    text::{self, quoted},
};

/// What became of a schema.
#[derive(Debug)]
pub(super) struct Compiled {
    /// The schema as it stands, or what is wrong with it.
    pub(super) strict: Result<Validator<Metered>, Vec<Issue>>,
    /// The schema without its broken parts, where it has some; nothing where even that cannot be compiled.
    pub(super) mended: Option<Validator<Metered>>,
    /// How deep a validation may recurse for each level of the arguments: the schema's own nesting, and a hop for each reference.
    pub(super) levels: usize,
    pub(super) refers: bool,
}

impl Compiled {
    fn broken(issue: Issue) -> Self {
        Self { strict: Err(vec![issue]), mended: None, levels: 0, refers: false }
    }
}

/// Compiles the schema whose JSON text is `schema`; `draft` where the caller knows it better than the schema's own `$schema`.
pub(super) fn compile(schema: &str, draft: Option<Draft>) -> Compiled {
    if schema.len() > MAX_SCHEMA_BYTES {
        let message = format!("expected at most {MAX_SCHEMA_BYTES} bytes of schema, got {}", schema.len());
        return Compiled::broken(schema_issue("", "", message));
    }
    let value = match text::parse(schema) {
        Ok(value) => value,
        Err(error) => return Compiled::broken(schema_issue("", "", format!("the schema is {error}"))),
    };
    let draft = match draft.map_or_else(|| dialect_of(&value), Ok) {
        Ok(draft) => draft,
        Err(name) => {
            let message = format!(
                "expected $schema to name draft 4, 6, 7, 2019-09 or 2020-12 of JSON Schema, got {}",
                quoted(&name)
            );
            return Compiled::broken(schema_issue("/$schema", "$schema", message));
        }
    };
    let levels = nesting(schema);
    let refers = levels > text::depth(schema);
    text::with_stack_for(levels, || {
        let (strict, mended) = build_both(value, draft);
        Compiled { strict, mended, levels, refers }
    })
    .unwrap_or_else(|error| Compiled::broken(schema_issue("", "", format!("no thread to compile it on: {error}"))))
}

type Both = (Result<Validator<Metered>, Vec<Issue>>, Option<Validator<Metered>>);

fn build_both(mut schema: Value, draft: Draft) -> Both {
    as_meant(&mut schema, draft);
    let mut issues = Vec::new();
    let patterns = take_out_large_patterns(&mut schema);
    issues.extend(patterns);
    for _ in 0..=MAX_BROKEN_PARTS {
        match build(&schema, draft) {
            Ok(validator) if issues.is_empty() => return (Ok(validator), None),
            Ok(validator) => return (Err(issues), Some(validator)),
            Err(error) => {
                let Some(issue) = take_out(&mut schema, &error) else {
                    issues.push(schema_issue(error.instance_path().as_str(), error.kind().keyword(), told(&error)));
                    return (Err(issues), None);
                };
                issues.push(issue);
            }
        }
    }
    (Err(issues), None)
}

fn build(schema: &Value, draft: Draft) -> Result<Validator<Metered>, ValidationError<'static>> {
    // `format` and content are annotations (R17); nothing is ever fetched (R18).
    let options = jsonschema::options_for::<Metered>().with_draft(draft).offline().should_validate_formats(false);
    let patterns = PatternOptions::fancy_regex()
        .backtrack_limit(MAX_PATTERN_STEPS)
        .size_limit(MAX_PATTERN_BYTES)
        .dfa_size_limit(MAX_PATTERN_BYTES);
    options.with_pattern_options(patterns).build(schema)
}

/// Takes the part that `error` names out of `schema`, and says what was wrong with it; nothing where the part cannot be told.
fn take_out(schema: &mut Value, error: &ValidationError<'_>) -> Option<Issue> {
    if let ValidationErrorKind::Referencing(reason) = error.kind() {
        return take_out_reference(schema, reason);
    }
    let path = error.instance_path().as_str().to_owned();
    let keyword = part_of(schema, &path)?;
    let at = keyword.pointer.clone();
    keyword.remove(schema);
    Some(schema_issue(&at, at.rsplit('/').next().unwrap_or_default(), told(error)))
}

/// A part of a schema that can be left out.
struct Part {
    pointer: String,
    /// The part is a schema in its own right, and is opened rather than removed.
    is_schema: bool,
}

impl Part {
    fn remove(&self, schema: &mut Value) {
        if self.is_schema {
            if let Some(part) = schema.pointer_mut(&self.pointer) {
                *part = Value::Bool(true);
            }
            return;
        }
        let Some((parent, key)) = self.pointer.rsplit_once('/') else { return };
        let key = unescaped(key);
        if let Some(Value::Object(members)) = schema.pointer_mut(parent) {
            members.shift_remove(&key);
        }
    }
}

/// The innermost keyword, or schema that is none, on the way to `path`.
fn part_of(schema: &Value, path: &str) -> Option<Part> {
    let mut place = Place::Schema;
    let mut at = schema;
    let mut pointer = String::new();
    let mut part = None;
    for segment in path.split('/').skip(1) {
        let key = unescaped(segment);
        let next = match at {
            Value::Object(members) => members.get(&key)?,
            Value::Array(items) => items.get(key.parse::<usize>().ok()?)?,
            _ => return part,
        };
        pointer.push('/');
        pointer.push_str(segment);
        if place == Place::Schema {
            part = Some(Part { pointer: pointer.clone(), is_schema: false });
        }
        place = if at.is_array() && place == Place::Schemas { Place::Schema } else { place_of(place, &key, next) };
        if place == Place::Schema && !next.is_object() && !next.is_boolean() {
            part = Some(Part { pointer: pointer.clone(), is_schema: true });
        }
        at = next;
    }
    part
}

fn unescaped(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

/// The keywords that refer to another schema.
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

fn take_out_reference(schema: &mut Value, reason: &jsonschema::ReferencingError) -> Option<Issue> {
    let reason = reason.to_string();
    let mut taken: Option<(String, String)> = None;
    each_schema(schema, &mut |members| {
        for keyword in REFERENCES {
            let Some(target) = members.get(keyword).and_then(Value::as_str) else { continue };
            if taken.is_none() && names(&reason, target) {
                taken = Some((keyword.to_owned(), target.to_owned()));
                members.shift_remove(keyword);
                return;
            }
        }
    });
    let (keyword, target) = taken?;
    let message = format!("the reference {} leads nowhere within the schema: {reason}", quoted(&target));
    Some(schema_issue("", &keyword, message))
}

/// Whether the reference `target` is the one that `reason` is about. The library names the resolved end of it: a pointer, an anchor or a document.
fn names(reason: &str, target: &str) -> bool {
    let decoded = target.replace("%25", "%").replace("%22", "\"").replace("%7E", "~").replace("%20", " ");
    let (document, fragment) = decoded.split_once('#').unwrap_or((&decoded, ""));
    let quoted_fragment = format!("'{fragment}'");
    (!fragment.is_empty() && reason.contains(&quoted_fragment)) || (!document.is_empty() && reason.contains(document))
}

/// Patterns whose text alone is too long are not even tried.
fn take_out_large_patterns(schema: &mut Value) -> Vec<Issue> {
    let mut issues = Vec::new();
    each_schema(schema, &mut |members| {
        let large =
            members.get("pattern").and_then(Value::as_str).map(str::len).filter(|size| *size > MAX_PATTERN_BYTES);
        if let Some(size) = large {
            members.shift_remove("pattern");
            let message = format!("expected at most {MAX_PATTERN_BYTES} bytes of pattern, got {size}");
            issues.push(schema_issue("", "pattern", message));
        }
    });
    issues
}

/// What the library says of a broken part, on one line of bounded length.
fn told(error: &ValidationError<'_>) -> String {
    match error.kind() {
        ValidationErrorKind::Format { format } if format == "regex" => {
            let pattern = error.instance().as_str().map(quoted).unwrap_or_default();
            format!("the pattern {pattern} is no regular expression of ECMA-262")
        }
        _ => {
            let said = quoted(&error.masked_with("the value").to_string());
            said.trim_matches('"').replace("\\\"", "\"")
        }
    }
}
