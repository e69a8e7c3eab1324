//! One tool's input schema: its text as the server sent it, and what is made from it, each part once and when first asked for.

mod branch;
mod check;
mod compile;
mod cycle;
mod descriptor;
mod dialect;
mod issues;
mod mend;
mod message;
mod metered;
mod open;
mod pattern;
mod reference;
mod scope;
mod shown;
mod walk;

#[cfg(test)]
mod budget_tests;
#[cfg(test)]
mod case_tests;
#[cfg(test)]
mod hostile_scope_tests;
#[cfg(test)]
mod hostile_size_tests;
#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod message_tests;
#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod suite_tests;

use std::sync::{Arc, LazyLock, OnceLock};

use serde_json::Value;

use self::{
    check::{Checker, Outcome},
    compile::Fault,
    dialect::Dialect,
};
use crate::{
    cache::Cache,
    limits::{MAX_CACHED_SCHEMA_BYTES, MAX_CACHED_SCHEMAS, MAX_ISSUES, MAX_SCHEMA_BYTES},
    text,
};

/// One thing wrong with a schema or with arguments.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Issue {
    /// Where in the arguments, as a JSON Pointer.
    pub instance_path: String,
    /// Which rule of the schema, as a JSON Pointer.
    pub schema_path: String,
    pub keyword: String,
    /// What was expected and what was found, short enough for a model to act on.
    pub message: String,
    /// `instance_path` as zod wants it: keys as strings, indices as numbers; a missing property's own name included.
    pub path: Vec<serde_json::Value>,
}

/// The answer of the exact validation (`validateMcpToolArguments`).
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    Valid,
    InvalidArguments(Vec<Issue>),
    InvalidSchema(Vec<Issue>),
}

/// The schema of `text`, shared by everything in the process that holds the same text. The text itself is the key: a server chooses it,
/// and must not be able to make one schema pass for another.
#[must_use]
pub fn shared(text: &str) -> Arc<Schema> {
    static SCHEMAS: LazyLock<Cache<Schema>> = LazyLock::new(|| Cache::new(MAX_CACHED_SCHEMAS, MAX_CACHED_SCHEMA_BYTES));
    SCHEMAS.get_or_insert(text, text.len(), |key| Schema::new(Arc::clone(key)))
}

/// A schema and what has been made of it so far.
#[derive(Debug)]
pub struct Schema {
    text: Arc<str>,
    /// Set where the dialect comes from elsewhere, as it does for the official suite's schemas.
    dialect: Option<Dialect>,
    compiled: OnceLock<Compiled>,
    descriptor: OnceLock<Box<str>>,
}

/// Both readings of a schema. A schema without faults has one validator for both.
#[derive(Debug)]
struct Compiled {
    strict: Result<Checker, Vec<Fault>>,
    /// Only where the strict reading failed; there `None` lets everything through.
    lenient: Option<Checker>,
    problem: Option<Box<str>>,
}

impl Schema {
    /// Holds `text`, the JSON text of the schema. Nothing is parsed yet.
    #[must_use]
    pub fn new(text: Arc<str>) -> Self {
        Self { text, dialect: None, compiled: OnceLock::new(), descriptor: OnceLock::new() }
    }

    #[cfg(test)]
    fn with_dialect(text: Arc<str>, draft: jsonschema::Draft) -> Self {
        Self { dialect: Some(Dialect { draft, by_default: false }), ..Self::new(text) }
    }

    /// The schema as the server sent it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Why the schema cannot be compiled as it stands and where, in one line, or `None` where it can (R18).
    #[must_use]
    pub fn problem(&self) -> Option<&str> {
        self.compiled().problem.as_deref()
    }

    /// Arguments, as JSON text, against the schema with its broken parts left open (R18): the issues, none where they pass.
    ///
    /// A schema that is too much work to decide on these arguments lets them through, as one does that cannot be compiled: the server
    /// decides.
    #[must_use]
    pub fn check(&self, arguments: &str) -> Vec<Issue> {
        let compiled = self.compiled();
        let checker = compiled.strict.as_ref().ok().or(compiled.lenient.as_ref());
        match checker.map(|checker| checker.run(arguments, &self.text)) {
            Some(Outcome::Refused(issues)) => issues,
            Some(Outcome::Fits | Outcome::Undecided(_)) | None => Vec::new(),
        }
    }

    /// Arguments, as JSON text, against the schema exactly as it stands.
    #[must_use]
    pub fn validate(&self, arguments: &str) -> Verdict {
        let checker = match &self.compiled().strict {
            Ok(checker) => checker,
            Err(faults) => {
                return Verdict::InvalidSchema(faults.iter().take(MAX_ISSUES).map(Fault::issue).collect());
            }
        };
        match checker.run(arguments, &self.text) {
            Outcome::Fits => Verdict::Valid,
            Outcome::Refused(issues) => Verdict::InvalidArguments(issues),
            Outcome::Undecided(why) => {
                let message = format!("the schema cannot be decided on these arguments within the step limit: {why}");
                Verdict::InvalidSchema(vec![Issue::whole(message)])
            }
        }
    }

    /// The descriptor's JSON text (R16).
    #[must_use]
    pub fn descriptor(&self) -> &str {
        self.descriptor.get_or_init(|| descriptor::describe(&self.text).into_boxed_str())
    }

    fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| Compiled::new(&self.text, self.dialect))
    }
}

impl Compiled {
    fn new(text: &str, dialect: Option<Dialect>) -> Self {
        if text.len() > MAX_SCHEMA_BYTES {
            let message = format!("the schema has {} bytes, and at most {MAX_SCHEMA_BYTES} are read", text.len());
            return Self::broken(Fault::whole(message));
        }
        let schema = match text::parse(text) {
            Ok(schema) => schema,
            Err(error) => return Self::broken(Fault::whole(format!("the schema is {error}"))),
        };
        text::with_stack_for(text::depth(text), || Self::of(&schema, dialect))
            .unwrap_or_else(|error| Self::broken(Fault::whole(format!("no thread for a deep schema: {error}"))))
    }

    fn of(schema: &Value, dialect: Option<Dialect>) -> Self {
        let dialect = match dialect.map_or_else(|| Dialect::of(schema), Ok) {
            Ok(dialect) => dialect,
            Err(named) => {
                let named = named.as_str().map_or_else(|| "what is no string".to_owned(), text::quoted);
                return Self::broken(Fault::at("/$schema", format!("no known dialect: {named}")));
            }
        };
        match compile::strict(schema, dialect) {
            Ok(validator) => Self { strict: Ok(validator), lenient: None, problem: None },
            Err(faults) => {
                let lenient = compile::lenient(schema, dialect);
                Self { lenient, ..Self::faulty(faults) }
            }
        }
    }

    fn broken(fault: Fault) -> Self {
        Self::faulty(vec![fault])
    }

    fn faulty(faults: Vec<Fault>) -> Self {
        let problem = faults.first().map(|fault| fault.to_string().into());
        Self { strict: Err(faults), lenient: None, problem }
    }
}

impl Issue {
    /// An issue of the arguments as a whole, which no rule of the schema was asked about.
    fn whole(message: String) -> Self {
        Self {
            instance_path: String::new(),
            schema_path: String::new(),
            keyword: String::new(),
            message,
            path: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::limits::MAX_MENDINGS;

    #[test]
    fn threads_share_one_schema_and_agree_on_it() {
        let text = r#"{"type":"object","properties":{"a":{"type":"integer"}},"title":"shared by threads"}"#;
        let schemas: Vec<Arc<Schema>> = thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|n| {
                    scope.spawn(move || {
                        let schema = shared(text);
                        for round in 0..200 {
                            let good = format!(r#"{{"a":{}}}"#, n * round);
                            assert_eq!(schema.validate(&good), Verdict::Valid);
                            assert_eq!(schema.check(r#"{"a":"x"}"#).len(), 1);
                        }
                        schema
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(schemas.iter().all(|schema| Arc::ptr_eq(schema, &schemas[0])));
        assert!(!Arc::ptr_eq(&shared("{}"), &schemas[0]));
    }

    #[test]
    fn a_schema_that_was_dropped_from_the_cache_is_made_again() {
        let first = shared(r#"{"title":"dropped"}"#);
        for n in 0..=MAX_CACHED_SCHEMAS {
            drop(shared(&format!(r#"{{"title":"filler {n}"}}"#)));
        }
        let second = shared(r#"{"title":"dropped"}"#);
        assert!(!Arc::ptr_eq(&first, &second));
        assert_eq!(first.text(), second.text());
    }

    #[test]
    fn a_schema_that_is_larger_than_the_cache_is_used_and_not_kept() {
        let sized = |bytes: usize| format!(r#"{{"title":"{}"}}"#, "x".repeat(bytes - 12));
        for (bytes, kept) in [(MAX_CACHED_SCHEMA_BYTES, true), (MAX_CACHED_SCHEMA_BYTES + 1, false)] {
            let text = sized(bytes);
            assert_eq!(text.len(), bytes);
            // Other tests use the same cache, and may push a schema out between two looks.
            let held = (0..20).any(|_| Arc::ptr_eq(&shared(&text), &shared(&text)));
            assert_eq!(held, kept);
        }
    }

    #[test]
    fn a_broken_part_is_named_and_left_open_and_the_rest_is_enforced() {
        for (schema, problem, passes, refused) in [
            (
                r##"{"properties":{"a":{"$ref":"#/$defs/B"},"b":{"type":"string"}}}"##,
                r##"$ref "#/$defs/B" leads nowhere (at /properties/a/$ref)"##,
                r#"{"a":1}"#,
                r#"{"b":1}"#,
            ),
            (
                r#"{"properties":{"a":{"$ref":"https://example.test/x"},"b":{"type":"string"}}}"#,
                r#"$ref "https://example.test/x" points outside of the schema, and nothing is fetched (at /properties/a/$ref)"#,
                r#"{"a":1}"#,
                r#"{"b":1}"#,
            ),
            (
                r#"{"properties":{"a":{"pattern":"(","maxLength":3}}}"#,
                r#""(" is not a regular expression of ECMA-262 (at /properties/a/pattern)"#,
                r#"{"a":"x"}"#,
                r#"{"a":"long"}"#,
            ),
        ] {
            let schema = Schema::new(schema.into());
            assert_eq!(schema.problem(), Some(problem));
            assert!(schema.check(passes).is_empty(), "{problem}");
            assert_eq!(schema.check(refused).len(), 1, "{problem}");
            assert!(matches!(schema.validate(passes), Verdict::InvalidSchema(_)));
        }
        for schema in [r#"{"$schema":"https://example.test/mine","type":"string"}"#, "[1", r#"{"$schema":7}"#] {
            let schema = Schema::new(schema.into());
            assert!(schema.problem().is_some());
            assert!(schema.check("{}").is_empty());
            assert!(matches!(schema.validate("{}"), Verdict::InvalidSchema(_)));
        }
    }

    #[test]
    fn a_schema_is_mended_in_so_many_rounds_and_no_more() {
        let broken = |count: usize| {
            let properties: serde_json::Map<String, Value> =
                (0..count).map(|n| (format!("p{n}"), serde_json::json!({ "type": "strin" }))).collect();
            let text = serde_json::json!({ "properties": properties, "required": ["q"] }).to_string();
            Schema::new(text.into()).check("{}").len()
        };
        assert_eq!(broken(MAX_MENDINGS), 1);
        // One round names so many faults; all rounds together a multiple of it, beyond which the schema is let through.
        assert_eq!(broken(MAX_MENDINGS * 2), 1);
        assert_eq!(broken(MAX_MENDINGS * MAX_MENDINGS + 1), 0);
    }

    #[test]
    fn a_problem_is_one_short_line() {
        let long = "x\n".repeat(5_000);
        for part in ["$ref", "$id", "pattern", "type", "$anchor", "$dynamicRef"] {
            let text = serde_json::json!({ "properties": { "a": { part: long } } }).to_string();
            let schema = Schema::new(text.into());
            let problem = schema.problem().unwrap_or_default();
            assert!(!problem.chars().any(text::breaks_line) && problem.len() < 1_500, "{part}: {problem}");
            let Verdict::InvalidSchema(issues) = schema.validate("{}") else { continue };
            assert!(issues.iter().all(|issue| issue.message.len() < 1_000 && !issue.message.contains('\n')), "{part}");
        }
    }

    #[test]
    fn several_broken_keywords_are_all_left_open() {
        let text = r#"{"properties":{"a":{"type":"strin"},"b":{"minLength":"x","type":"string"},"c":5,"d":{"type":"integer"}},"required":"a"}"#;
        let schema = Schema::new(text.into());
        let Verdict::InvalidSchema(issues) = schema.validate("{}") else { panic!("the schema is broken") };
        let pointers: Vec<&str> = issues.iter().map(|issue| issue.schema_path.as_str()).collect();
        assert_eq!(pointers.len(), 4, "{issues:?}");
        assert!(schema.check(r#"{"a":1,"b":"","c":1,"d":1}"#).is_empty());
        assert_eq!(schema.check(r#"{"b":1,"d":"x"}"#).len(), 2);
    }
}
