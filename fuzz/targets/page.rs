//! One page of `tools/list`: its envelope, its tools, and the catalog and the names that come of them.
#![no_main]

use std::collections::HashSet;

use rejelly_adapter_mcp::{
    catalog::{Catalog, Page, Tool, compare_names},
    error::ProtocolError,
    names::{PORTABLE_LENGTH, portable},
    text,
};
use rejelly_adapter_mcp_fuzz::{CATALOG, assert_json, assert_one_line, json_target};
use serde_json::{Value, value::RawValue};

/// Keys of the envelope under which the face says what it came upon; a server's are inside of `tools`.
const FACE: [&str; 3] = ["shape", "cursorType", "unserialisable"];

json_target!(CATALOG, |texts| {
    for text in texts {
        page(text);
    }
});

fn page(text: &str) {
    let page = match Page::read(text, "tools/list", 1) {
        Ok(page) => page,
        Err(error) => return failure(&error, text),
    };
    if let Some(cursor) = &page.next {
        assert!(assert_json(&cursor.text().replace("\\u", "")).is_string(), "a cursor that is no string: {cursor:?}");
    }
    let mut tools = Vec::new();
    for (index, entry) in page.tools.iter().enumerate() {
        match Tool::read(entry, index) {
            Ok(tool) => tools.push(checked(tool)),
            Err(error) => failure(&error, text),
        }
    }
    names(&tools);
    match Catalog::of_distinct(&page.tools) {
        Ok(catalog) => {
            assert_eq!(catalog.tools().len(), page.tools.len());
            catalog_of(&catalog);
        }
        Err(error) => failure(&error, text),
    }
    catalog_of(&Catalog::new(tools));
}

/// What a tool's parts are, and that its text says the same once more.
fn checked(tool: Tool) -> Tool {
    assert!(!tool.name().is_empty());
    let whole = written(&tool);
    for part in [&*whole, tool.head(), tool.input_schema().text()].into_iter().chain(tool.output_schema()) {
        // A lone surrogate is JSON to JavaScript, and to `text::parse`; how deep a part may be is asked where it is used.
        if text::depth(part) < 1_000 {
            assert!(matches!(text::parse(part), Ok(Value::Object(_))), "a part that is no object: {part}");
        }
    }
    let raw: &RawValue = serde_json::from_str(&whole).expect("the text of a tool is JSON");
    let again = Tool::read(raw, 0).expect("the text of a tool is a tool");
    assert_eq!(again.name(), tool.name());
    assert_eq!(written(&again), whole, "a tool that was written down is another one");
    tool
}

fn catalog_of(catalog: &Catalog) {
    assert!(catalog.tools().is_sorted_by(|one, other| compare_names(one.name(), other.name()).is_le()));
    let distinct: HashSet<&str> = catalog.tools().iter().map(Tool::name).collect();
    match Catalog::from_text(catalog.text()) {
        Ok(restored) => {
            assert_eq!(distinct.len(), catalog.tools().len());
            assert_eq!(restored.digest(), catalog.digest(), "a restored catalog is another one");
        }
        Err(_) => assert!(distinct.len() < catalog.tools().len(), "a catalog that cannot be restored"),
    }
}

fn names(tools: &[Tool]) {
    let natives: Vec<String> = tools.iter().map(|tool| tool.name().to_owned()).collect();
    for namespace in [None, Some("a server")] {
        let names = portable(&natives, namespace);
        assert_eq!(names.len(), natives.len());
        for name in &names {
            assert!((1..=PORTABLE_LENGTH).contains(&name.len()), "{name:?}");
            assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')), "{name:?}");
        }
        let before: HashSet<&String> = natives.iter().collect();
        let after: HashSet<&String> = names.iter().collect();
        assert_eq!(before.len(), after.len(), "names that meet: {natives:?} {names:?}");
    }
}

/// The face's own words, some of them a JavaScript error's of two lines, stand in the message as they are; all else is a server's.
fn failure(error: &ProtocolError, page: &str) {
    if !FACE.iter().any(|key| page.contains(key)) {
        assert_one_line(&error.message);
    }
}

/// The whole tool as JSON text.
fn written(tool: &Tool) -> String {
    let mut text = String::new();
    tool.write(&mut text);
    text
}
