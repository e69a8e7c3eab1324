//! The official JSON Schema test suite, required tests of five dialects, through both readings (R17). Skipped where the suite is absent.

use std::{fs, path::Path};

use jsonschema::Draft;
use serde_json::Value;

use super::{Schema, Verdict, dialect, walk};

const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/json-schema-test-suite");

const DRAFTS: [(&str, Draft); 5] = [
    ("draft4", Draft::Draft4),
    ("draft6", Draft::Draft6),
    ("draft7", Draft::Draft7),
    ("draft2019-09", Draft::Draft201909),
    ("draft2020-12", Draft::Draft202012),
];

#[derive(Default)]
struct Tally {
    tests: usize,
    remote: usize,
    failures: Vec<String>,
}

#[test]
fn every_required_test_that_needs_no_remote_document_passes() {
    if !Path::new(SUITE).is_dir() {
        eprintln!("skipped: no official suite at ../shared/json-schema-test-suite");
        return;
    }
    let mut tally = Tally::default();
    for (folder, draft) in DRAFTS {
        let before = (tally.tests, tally.remote);
        let mut files: Vec<_> =
            fs::read_dir(Path::new(SUITE).join(folder)).unwrap().map(|file| file.unwrap().path()).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
        files.sort();
        for file in files {
            let groups: Vec<Value> = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
            let name = format!("{folder}/{}", file.file_stem().unwrap().to_string_lossy());
            for group in &groups {
                run(group, draft, &name, &mut tally);
            }
        }
        eprintln!(
            "{folder}: {} tests, {} groups need remote documents",
            tally.tests - before.0,
            tally.remote - before.1
        );
    }
    assert!(tally.failures.is_empty(), "{} failures:\n{}", tally.failures.len(), tally.failures.join("\n"));
    assert!(tally.tests > 4_700, "only {} tests ran", tally.tests);
}

fn run(group: &Value, draft: Draft, file: &str, tally: &mut Tally) {
    let mut text = group["schema"].clone();
    let schema = if let Value::Object(keywords) = &mut text {
        keywords.entry("$schema").or_insert_with(|| dialect::uri(draft).into());
        Schema::new(text.to_string().into())
    } else {
        Schema::with_dialect(text.to_string().into(), draft)
    };
    // What compiles without the suite's server is run, whatever it names.
    if needs_remote(&group["schema"]) && schema.problem().is_some() {
        tally.remote += 1;
        return;
    }
    for test in group["tests"].as_array().unwrap() {
        tally.tests += 1;
        let data = test["data"].to_string();
        let name = format!("{file}: {}: {}", group["description"], test["description"]);
        let valid = test["valid"] == true;
        let verdict = schema.validate(&data);
        let strict = match verdict {
            Verdict::Valid => valid,
            Verdict::InvalidArguments(_) => !valid,
            Verdict::InvalidSchema(_) => false,
        };
        if !strict {
            tally.failures.push(format!("validate: {name}: {verdict:?}"));
        }
        if schema.check(&data).is_empty() != valid {
            tally.failures.push(format!("check: {name}"));
        }
    }
}

/// Whether a schema refers to the suite's own server, or is written in a meta-schema that only that server has.
fn needs_remote(schema: &Value) -> bool {
    const SERVER: &str = "http://localhost:1234";
    let mut remote = schema["$schema"].as_str().is_some_and(|uri| uri.starts_with(SERVER));
    let mut here = Vec::new();
    let mut there = Vec::new();
    walk::each(schema, &mut |keywords, _| {
        for keyword in ["$id", "id"] {
            here.extend(keywords.get(keyword).and_then(Value::as_str).map(|id| id.trim_end_matches('#').to_owned()));
        }
        for keyword in ["$ref", "$dynamicRef"] {
            there.extend(keywords.get(keyword).and_then(Value::as_str).map(str::to_owned));
        }
    });
    let base = here.iter().any(|id| id.starts_with(SERVER));
    remote |= there.iter().any(|reference| {
        let document = reference.split('#').next().unwrap_or_default();
        let foreign = document.starts_with(SERVER) || (base && !document.is_empty() && !document.contains(':'));
        foreign && !here.iter().any(|id| id.rsplit('/').next() == document.rsplit('/').next())
    });
    remote
}
