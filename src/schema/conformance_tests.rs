//! The official JSON Schema test suite and the cases of other bridges' bugs, where `../shared` is there.

use std::{fs, path::Path};

use jsonschema::Draft;
use serde_json::Value;

use super::*;

const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/json-schema-test-suite");
const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/cases.jsonl");

const DRAFTS: [(&str, Draft); 5] = [
    ("draft4", Draft::Draft4),
    ("draft6", Draft::Draft6),
    ("draft7", Draft::Draft7),
    ("draft2019-09", Draft::Draft201909),
    ("draft2020-12", Draft::Draft202012),
];

/// A group whose dialect, or one of whose references, is a document which the suite serves under this address cannot be tried without it.
fn needs_remote(schema: &Value, compiled: &Compiled) -> bool {
    let remote = "localhost:1234";
    let dialect = schema.get("$schema").and_then(Value::as_str).is_some_and(|dialect| dialect.contains(remote));
    let refers = compiled.strict.as_ref().is_err_and(|issues| {
        issues.iter().any(|issue| issue.message.contains(remote) || issue.message.contains("not present"))
    });
    dialect || (refers && schema.to_string().contains(remote))
}

#[test]
fn the_official_suite_passes_in_every_dialect() {
    if !Path::new(SUITE).exists() {
        println!("skipped: ../shared is absent, so the official suite is not tried");
        return;
    }
    let mut failures = Vec::new();
    for (folder, draft) in DRAFTS {
        let (mut passed, mut remote) = (0, 0);
        let mut files: Vec<_> =
            fs::read_dir(format!("{SUITE}/{folder}")).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "json")) {
            let groups: Vec<Value> = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
            for group in &groups {
                let text = group["schema"].to_string();
                let schema = Schema::with_draft(&text, draft);
                let tests = group["tests"].as_array().unwrap();
                if needs_remote(&group["schema"], schema.compiled()) {
                    remote += tests.len();
                    continue;
                }
                for case in tests {
                    let data = case["data"].to_string();
                    let expected = case["valid"].as_bool().unwrap();
                    let verdict = schema.validate(&data);
                    let checked = schema.check(&data).is_empty();
                    if (verdict == Verdict::Valid) == expected && checked == expected {
                        passed += 1;
                    } else {
                        let name = file.file_name().unwrap().to_string_lossy();
                        let (title, what) = (&group["description"], &case["description"]);
                        failures.push(format!("{folder}/{name}: {title}: {what}: {verdict:?}"));
                    }
                }
            }
        }
        println!("{folder}: {passed} passed, {remote} need a remote document");
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn the_schema_cases_are_judged_as_they_expect() {
    if !Path::new(CASES).exists() {
        println!("skipped: ../shared is absent, so its cases are not tried");
        return;
    }
    let mut failures = Vec::new();
    for line in fs::read_to_string(CASES).unwrap().lines() {
        let case: Value = crate::text::parse(line).unwrap();
        if case["area"] != "schema" {
            continue;
        }
        let schema = Schema::new(case["input"]["inputSchema"].to_string().into());
        for valid in case["valid"].as_array().unwrap() {
            let issues = schema.check(&valid.to_string());
            if !issues.is_empty() {
                failures.push(format!("{}: refuses {valid}: {issues:?}", case["id"]));
            }
        }
        for invalid in case["invalid"].as_array().unwrap() {
            let issues = schema.check(&invalid.to_string());
            if issues.is_empty() {
                failures.push(format!("{}: lets {invalid} through", case["id"]));
            }
            assert!(issues.iter().all(|issue| !issue.message.is_empty() && issue.message.chars().count() < 1_500));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
