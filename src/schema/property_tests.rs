//! Rules that hold for all schemas, sound or broken, and all arguments.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{Schema, Verdict};
use crate::limits::MAX_ISSUES;

const NAMES: [&str; 5] = ["a", "b", "$ref", "__proto__", "a/~b"];

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i64..4).prop_map(Value::from),
        (-3.0..3.0_f64).prop_map(|number| json!(number)),
        "[ab!]{0,3}".prop_map(Value::from),
        prop::sample::select(
            &["string", "integer", "object", "array", "null", "#", "#/$defs/a", "^a+$", "(", "x.json"][..]
        )
        .prop_map(Value::from),
    ]
}

fn data() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((prop::sample::select(&NAMES[..]), inner), 0..4).prop_map(object),
        ]
    })
}

fn object<K: Into<String>>(members: Vec<(K, Value)>) -> Value {
    members.into_iter().map(|(name, value)| (name.into(), value)).collect::<Map<_, _>>().into()
}

/// Keywords over values that mostly, and not always, are of the kind that the keyword wants.
fn any_schema() -> impl Strategy<Value = Value> {
    let types =
        prop::sample::select(&["string", "integer", "number", "object", "array", "null", "boolean", "strin"][..]);
    let leaf = prop_oneof![
        Just(json!({})),
        any::<bool>().prop_map(Value::from),
        types.clone().prop_map(|name| json!({ "type": name })),
        prop::collection::vec(data(), 0..3).prop_map(|values| json!({ "enum": values })),
        data().prop_map(|value| json!({ "const": value })),
        prop::sample::select(&["#", "#/$defs/a", "#/$defs/none", "https://example.test/x", "#a"][..])
            .prop_map(|to| json!({ "$ref": to })),
        scalar(),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let named = prop::collection::vec((prop::sample::select(&NAMES[..]), inner.clone()), 0..3).prop_map(object);
        let list = prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from);
        let keyword = prop_oneof![
            (
                prop::sample::select(
                    &["properties", "$defs", "patternProperties", "dependentSchemas", "dependencies"][..]
                ),
                named
            ),
            (prop::sample::select(&["allOf", "anyOf", "oneOf", "prefixItems", "items"][..]), list),
            (
                prop::sample::select(
                    &[
                        "items",
                        "not",
                        "if",
                        "then",
                        "else",
                        "contains",
                        "additionalProperties",
                        "propertyNames",
                        "unevaluatedProperties",
                        "unevaluatedItems"
                    ][..]
                ),
                inner
            ),
            (
                prop::sample::select(
                    &[
                        "type",
                        "required",
                        "minimum",
                        "exclusiveMinimum",
                        "maxLength",
                        "pattern",
                        "uniqueItems",
                        "nullable",
                        "minContains",
                        "$id",
                        "$anchor",
                        "format"
                    ][..]
                ),
                prop_oneof![scalar(), prop::collection::vec(scalar(), 0..3).prop_map(Value::from)]
            ),
        ];
        prop::collection::vec(keyword, 0..5).prop_map(object)
    })
}

fn dialects() -> impl Strategy<Value = Option<&'static str>> {
    prop::sample::select(vec![
        None,
        Some("http://json-schema.org/draft-04/schema#"),
        Some("http://json-schema.org/draft-07/schema#"),
        Some("https://json-schema.org/draft/2019-09/schema"),
        Some("https://json-schema.org/draft/2020-12/schema"),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn both_readings_answer_and_the_lenient_one_refuses_nothing_more(
        schema in any_schema(), dialect in dialects(), arguments in data()
    ) {
        let mut schema = schema;
        if let (Value::Object(keywords), Some(dialect)) = (&mut schema, dialect) {
            keywords.insert("$schema".into(), dialect.into());
        }
        let held = Schema::new(schema.to_string().into());
        let arguments = arguments.to_string();
        let issues = held.check(&arguments);
        prop_assert!(issues.len() <= MAX_ISSUES);
        prop_assert!(issues.iter().all(|issue| !issue.message.is_empty() && !issue.message.contains(char::is_control)));
        match held.validate(&arguments) {
            Verdict::Valid => prop_assert!(issues.is_empty()),
            Verdict::InvalidArguments(strict) => {
                prop_assert!(!strict.is_empty());
                prop_assert_eq!(strict, issues);
            }
            Verdict::InvalidSchema(faults) => {
                prop_assert!(!faults.is_empty() && faults.len() <= MAX_ISSUES);
                prop_assert!(held.problem().is_some() || faults[0].message.contains("step limit"));
            }
        }
    }

    #[test]
    fn no_text_of_schema_or_arguments_panics(schema in r#"[\[\]{}",:a$ref0-9 ]{0,40}"#, arguments in r#"[\[\]{}",:a0-9]{0,30}"#) {
        let held = Schema::new(schema.into());
        let issues = held.check(&arguments);
        prop_assert!(issues.len() <= MAX_ISSUES);
        drop(held.validate(&arguments));
    }

    #[test]
    fn the_metered_reading_agrees_with_the_library_s_own(schema in any_schema(), arguments in data()) {
        let held = Schema::new(json!({ "allOf": [schema] }).to_string().into());
        let own = || jsonschema::options().offline().should_validate_formats(false).build(&json!({ "allOf": [schema] }));
        // Schemas read as meant differ from what the library reads on purpose; those that it takes as they are must not.
        if held.problem().is_none()
            && !schema.to_string().contains("nullable")
            && let Ok(own) = own()
        {
            prop_assert_eq!(held.check(&arguments.to_string()).is_empty(), own.is_valid(&arguments));
        }
    }
}
