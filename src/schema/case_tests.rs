//! The recorded deviations of real servers: each case's arguments through the lenient reading. Skipped where the cases are absent.

use std::fs;

use serde_json::Value;

use super::Schema;

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/cases.jsonl");

#[test]
fn arguments_of_every_recorded_case_are_taken_and_refused_as_recorded() {
    let Ok(text) = fs::read_to_string(CASES) else {
        eprintln!("skipped: no cases at ../shared/cases.jsonl");
        return;
    };
    let mut failures = Vec::new();
    let mut count = 0;
    for line in text.lines() {
        let mut reader = serde_json::Deserializer::from_str(line);
        reader.disable_recursion_limit();
        let case: Value = serde::Deserialize::deserialize(&mut reader).unwrap();
        if case["area"] != "schema" {
            continue;
        }
        count += 1;
        let schema = Schema::new(case["input"]["inputSchema"].to_string().into());
        for (key, valid) in [("valid", true), ("invalid", false)] {
            for arguments in case[key].as_array().unwrap() {
                let issues = schema.check(&arguments.to_string());
                if issues.is_empty() != valid {
                    failures.push(format!("{} {key} {arguments}: {issues:?}; {:?}", case["id"], schema.problem()));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(count >= 50, "only {count} cases ran");
}
