//! A schema, compiled both ways, and arguments: the first text is the schema, every other one arguments.
#![no_main]

use rejelly_adapter_mcp::{
    limits::MAX_ISSUES,
    schema::{Issue, Schema, Verdict},
    text,
};
use rejelly_adapter_mcp_fuzz::{SCHEMA, assert_one_line, json_target};
use serde_json::Value;

json_target!(SCHEMA, |texts| {
    if let Some((schema, arguments)) = texts.split_first() {
        validate(schema, arguments);
    }
});

fn validate(source: &str, arguments: &[&str]) {
    let schema = Schema::new(source.into());
    let again = Schema::new(source.into());
    assert_eq!(schema.problem(), again.problem(), "the schema compiles in another way the second time");
    if let Some(problem) = schema.problem() {
        assert_one_line(problem);
    }
    for text in arguments.iter().copied().chain(["{}"]) {
        let (verdict, issues) = (schema.validate(text), schema.check(text));
        assert_eq!(verdict, again.validate(text), "another verdict the second time: {text}");
        assert_eq!(issues, again.check(text), "other issues the second time: {text}");
        match &verdict {
            Verdict::Valid => assert!(issues.is_empty(), "valid, and refused all the same: {text} {issues:?}"),
            Verdict::InvalidArguments(strict) => {
                assert!(schema.problem().is_none());
                assert!(!strict.is_empty());
                assert_eq!(*strict, issues, "both readings are one where the schema is sound");
            }
            Verdict::InvalidSchema(faults) => {
                assert!(!faults.is_empty() && faults.len() <= MAX_ISSUES);
                for fault in faults {
                    assert_one_line(&fault.message);
                }
                assert!(schema.problem().is_some() || issues.is_empty(), "undecided, and refused: {issues:?}");
            }
        }
        assert!(issues.len() <= MAX_ISSUES);
        let parsed = text::parse(text).ok();
        for issue in &issues {
            check(issue, parsed.as_ref());
        }
        if let Some(Value::Object(members)) = parsed
            && members.len() > 1
        {
            turned(&schema, &verdict, members.into_iter().rev().collect());
        }
    }
}

/// An issue leads to a place that is there.
fn check(issue: &Issue, arguments: Option<&Value>) {
    assert_one_line(&issue.message);
    let Some(arguments) = arguments else {
        assert_eq!(issue.instance_path, "", "{issue:?}");
        return;
    };
    assert!(arguments.pointer(&issue.instance_path).is_some(), "an issue that leads nowhere: {issue:?}");
    let mut place = Some(arguments);
    for step in &issue.path {
        place = match (place, step) {
            (Some(Value::Object(members)), Value::String(name)) => members.get(name),
            (Some(Value::Array(items)), Value::Number(index)) => {
                items.get(index.as_u64().and_then(|index| usize::try_from(index).ok()).expect("an index"))
            }
            // A missing property's own name is the last step.
            other => panic!("a path that leads nowhere: {other:?} {issue:?}"),
        };
    }
}

/// The order of an object's members says nothing about whether it fits.
fn turned(schema: &Schema, verdict: &Verdict, members: serde_json::Map<String, Value>) {
    let turned = schema.validate(&Value::Object(members).to_string());
    let decided = |verdict: &Verdict| match verdict {
        Verdict::Valid => Some(true),
        Verdict::InvalidArguments(_) => Some(false),
        // How many steps it takes may depend on the order.
        Verdict::InvalidSchema(_) => None,
    };
    let same = decided(verdict).zip(decided(&turned)).is_none_or(|(one, other)| one == other);
    assert!(same, "in another order: {verdict:?}, {turned:?}");
}
