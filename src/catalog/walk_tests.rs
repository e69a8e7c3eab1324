use std::sync::Mutex;

use futures::executor::block_on;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::limits::{MAX_PAGES, MAX_WALK_BYTES};

fn options() -> WalkOptions {
    WalkOptions { filter: None, auto_paginate: true, max_items: 100, strict: false, invalid: InvalidTool::Throw }
}

/// A server that answers by cursor, and counts what it is asked.
struct Fake<F: Fn(Option<&str>) -> Value + Sync> {
    answer: F,
    asked: Mutex<Vec<Option<String>>>,
}

impl<F: Fn(Option<&str>) -> Value + Sync> Fake<F> {
    fn new(answer: F) -> Self {
        Self { answer, asked: Mutex::new(Vec::new()) }
    }

    fn asked(&self) -> Vec<Option<String>> {
        self.asked.lock().unwrap().clone()
    }
}

impl<F: Fn(Option<&str>) -> Value + Sync> PageSource for Fake<F> {
    async fn page(&self, cursor: Option<&str>) -> Result<String, SourceFailed> {
        let cursor: Option<String> = cursor.map(|text| serde_json::from_str(text).unwrap());
        self.asked.lock().unwrap().push(cursor.clone());
        let page = (self.answer)(cursor.as_deref());
        if page.is_null() { Err(SourceFailed) } else { Ok(page.to_string()) }
    }
}

fn tools(names: &[&str]) -> Value {
    names.iter().map(|name| json!({"name": name, "inputSchema": {"type": "object"}})).collect()
}

fn page(names: &[&str], next: Option<&str>) -> Value {
    match next {
        Some(next) => json!({"tools": tools(names), "nextCursor": next}),
        None => json!({"tools": tools(names)}),
    }
}

fn names(walked: &Walked) -> Vec<&str> {
    walked.catalog.tools().iter().map(Tool::name).collect()
}

fn code(result: Result<Walked, WalkError>) -> ProtocolCode {
    match result {
        Err(WalkError::Protocol(error)) => error.code,
        other => panic!("expected a protocol error, got {other:?}"),
    }
}

#[test]
fn every_page_is_followed_by_its_own_cursor() {
    let server = Fake::new(|cursor| match cursor {
        None => page(&["c"], Some("p2")),
        Some("p2") => page(&[], Some("p3")),
        _ => page(&["a", "b"], None),
    });
    let walked = block_on(walk(&server, options())).unwrap();
    assert_eq!(names(&walked), ["a", "b", "c"]);
    assert_eq!(server.asked(), [None, Some("p2".into()), Some("p3".into())]);
}

#[test]
fn an_empty_cursor_is_followed_and_ends_on_repetition() {
    let endless = Fake::new(|_| page(&["a", "b"], Some("")));
    let walked = block_on(walk(&endless, WalkOptions { strict: true, ..options() })).unwrap();
    assert_eq!(names(&walked), ["a", "b"]);
    assert_eq!(endless.asked(), [None, Some(String::new())]);

    let real = Fake::new(|cursor| if cursor.is_none() { page(&["first"], Some("")) } else { page(&["second"], None) });
    assert_eq!(names(&block_on(walk(&real, options())).unwrap()), ["first", "second"]);

    let both = Fake::new(|cursor| page(&[if cursor.is_none() { "first" } else { "second" }], Some("")));
    assert_eq!(names(&block_on(walk(&both, options())).unwrap()), ["first", "second"]);
    assert_eq!(both.asked().len(), 2);
}

#[test]
fn a_cursor_that_comes_again_is_a_cycle() {
    let same = Fake::new(|_| page(&["a", "b"], Some("same")));
    assert_eq!(code(block_on(walk(&same, options()))), ProtocolCode::CursorCycle);
    assert_eq!(same.asked().len(), 2);

    let cycle = Fake::new(|cursor| match cursor {
        None => page(&["a"], Some("A")),
        Some("A") => page(&["b"], Some("B")),
        _ => page(&["c"], Some("A")),
    });
    assert_eq!(code(block_on(walk(&cycle, options()))), ProtocolCode::CursorCycle);
    assert_eq!(cycle.asked().len(), 3);
}

#[test]
fn a_server_without_end_is_stopped_by_the_bound_on_pages() {
    let count = std::sync::atomic::AtomicUsize::new(0);
    let endless = Fake::new(|_| {
        let next = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        page(&[], Some(&format!("c{next}")))
    });
    assert_eq!(code(block_on(walk(&endless, options()))), ProtocolCode::CatalogLimitExceeded);
    assert_eq!(endless.asked().len(), MAX_PAGES);
    // A list that ends with the last page allowed is whole.
    let count = std::sync::atomic::AtomicUsize::new(0);
    let long = Fake::new(|_| {
        let number = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        let next = format!("c{number}");
        page(&[], (number < MAX_PAGES).then_some(next.as_str()))
    });
    assert_eq!(block_on(walk(&long, options())).unwrap().ended, Ended::Complete);
}

#[test]
fn a_walk_takes_in_so_many_bytes_and_no_more() {
    /// A page of exactly so many bytes.
    fn sized(bytes: usize, cursor: &str) -> String {
        let frame = format!(r#"{{"tools":[{{"name":"{cursor}","x":""}}],"nextCursor":"{cursor}"}}"#);
        frame.replacen(r#""x":""#, &format!(r#""x":"{}"#, "x".repeat(bytes - frame.len())), 1)
    }
    let rest = r#"{"tools":[]}"#;
    for (bytes, fits) in [(MAX_WALK_BYTES - rest.len(), true), (MAX_WALK_BYTES - rest.len() + 1, false)] {
        let mut walk = Walk::new(options());
        assert_eq!(sized(100, "a").len(), 100);
        assert!(matches!(walk.take(&sized(bytes / 2, "a")), Ok(Step::Next(_))));
        assert!(matches!(walk.take(&sized(bytes - bytes / 2, "b")), Ok(Step::Next(_))));
        let ended = walk.take(rest);
        assert_eq!(ended.is_ok(), fits, "{ended:?}");
        assert!(fits || ended.unwrap_err().code == ProtocolCode::CatalogLimitExceeded);
    }
    let only = |bytes: usize| Walk::new(options()).take(&sized(bytes, "a").replace(r#","nextCursor":"a""#, "")).is_ok();
    assert!(only(MAX_WALK_BYTES) && !only(MAX_WALK_BYTES + r#","nextCursor":"a""#.len() + 1));
}

#[test]
fn max_items_ends_a_kit_and_fails_a_catalog() {
    let server = Fake::new(|_| page(&["a", "b", "c"], None));
    let three = block_on(walk(&server, WalkOptions { max_items: 3, ..options() })).unwrap();
    assert_eq!((names(&three), three.ended), (vec!["a", "b", "c"], Ended::Complete));
    let two = block_on(walk(&server, WalkOptions { max_items: 2, ..options() })).unwrap();
    assert_eq!((names(&two), two.ended), (vec!["a", "b"], Ended::MaxItems));
    let strict = |max_items| block_on(walk(&server, WalkOptions { max_items, strict: true, ..options() }));
    assert_eq!(names(&strict(3).unwrap()), ["a", "b", "c"]);
    assert_eq!(code(strict(2)), ProtocolCode::CatalogLimitExceeded);
}

#[test]
fn max_items_of_a_catalog_is_exact_over_pages() {
    let server = Fake::new(|cursor| if cursor.is_none() { page(&["a", "b"], Some("2")) } else { page(&[], None) });
    let walked = block_on(walk(&server, WalkOptions { max_items: 2, strict: true, ..options() })).unwrap();
    assert_eq!(names(&walked), ["a", "b"]);
}

#[test]
fn a_filter_stops_the_walk_where_it_is_satisfied() {
    let server = Fake::new(|cursor| match cursor {
        None => page(&["a", "b"], Some("2")),
        Some("2") => page(&["c", "d"], Some("3")),
        _ => page(&["e"], None),
    });
    let wanting =
        |filter: &[&str]| WalkOptions { filter: Some(filter.iter().map(ToString::to_string).collect()), ..options() };
    let walked = block_on(walk(&server, wanting(&["c", "a", "c"]))).unwrap();
    assert_eq!((names(&walked), walked.ended), (vec!["a", "c"], Ended::Found));
    assert_eq!(server.asked().len(), 2);

    match block_on(walk(&server, wanting(&["z", "a", "y", "z"]))) {
        Err(WalkError::NotFound { missing, limit }) => {
            assert_eq!(missing, ["z", "y"]);
            assert!(limit.contains("all 3 pages"), "{limit}");
        }
        other => panic!("{other:?}"),
    }
    match block_on(walk(&server, WalkOptions { max_items: 2, ..wanting(&["c"]) })) {
        Err(WalkError::NotFound { limit, .. }) => assert!(limit.contains("maxItems = 2"), "{limit}"),
        other => panic!("{other:?}"),
    }
    match block_on(walk(&server, WalkOptions { auto_paginate: false, ..wanting(&["c"]) })) {
        Err(WalkError::NotFound { limit, .. }) => assert!(limit.contains("autoPaginate"), "{limit}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_first_page_alone_is_read_when_asked() {
    let server = Fake::new(|_| page(&["a"], Some("same")));
    let walked = block_on(walk(&server, WalkOptions { auto_paginate: false, ..options() })).unwrap();
    assert_eq!((names(&walked), walked.ended), (vec!["a"], Ended::FirstPage));
    assert_eq!(server.asked(), [None]);
}

#[test]
fn a_failing_page_fails_the_walk() {
    let server = Fake::new(|cursor| if cursor.is_none() { page(&["a"], Some("2")) } else { Value::Null });
    assert!(matches!(block_on(walk(&server, options())), Err(WalkError::Source(SourceFailed))));
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn duplicates_keep_the_first_in_a_kit_and_fail_a_catalog() {
    let twice = json!({"tools": [{"name": "s", "description": "v1"}, {"name": "s", "description": "v2"}]});
    let server = Fake::new(|_| twice.clone());
    let walked = block_on(walk(&server, options())).unwrap();
    assert!(walked.catalog.text().contains("v1") && !walked.catalog.text().contains("v2"));
    let told: Vec<_> = walked.skipped.iter().map(|error| (error.code, error.tool_name.as_deref())).collect();
    assert_eq!(told, [(ProtocolCode::DuplicateToolName, Some("s"))]);
    let strict = block_on(walk(&server, WalkOptions { strict: true, ..options() }));
    assert_eq!(code(strict), ProtocolCode::DuplicateToolName);
}

#[test]
fn malformed_pages_and_tools_have_their_codes() {
    use ProtocolCode::{
        InvalidCatalogShape, InvalidCursor, InvalidToolDescription, InvalidToolName, InvalidToolSchema,
    };
    for (page, expected) in [
        (json!({"shape": "a number"}), InvalidCatalogShape),
        (json!({"tools": null}), InvalidCatalogShape),
        (json!({"tools": [null]}), InvalidCatalogShape),
        (json!({"tools": [], "nextCursor": 1}), InvalidCursor),
        (json!({"tools": [], "nextCursor": {}}), InvalidCursor),
        (json!({"tools": [], "cursorType": "a function"}), InvalidCursor),
        (json!({"tools": [{}]}), InvalidToolName),
        (json!({"tools": [{"name": ""}]}), InvalidToolName),
        (json!({"tools": [{"name": null}]}), InvalidToolName),
        (json!({"tools": [{"name": ["a"]}]}), InvalidToolName),
        (json!({"tools": [{"name": "a", "description": 1}]}), InvalidToolDescription),
        (json!({"tools": [{"name": "a", "inputSchema": null}]}), InvalidToolSchema),
        (json!({"tools": [{"name": "a", "inputSchema": []}]}), InvalidToolSchema),
        (json!({"tools": [{"name": "a", "inputSchema": true}]}), InvalidToolSchema),
        (json!({"tools": [{"name": "a", "unserialisable": {"message": "a cycle", "cause": 0}}]}), InvalidToolSchema),
    ] {
        let server = Fake::new(|_| page.clone());
        assert_eq!(code(block_on(walk(&server, options()))), expected, "{page}");
    }
}

#[test]
fn a_null_where_a_field_is_optional_counts_as_absent() {
    let server = Fake::new(
        |_| json!({"tools": [{"name": "a", "description": null, "title": null, "annotations": {"readOnlyHint": null, "title": "T"}}], "nextCursor": null}),
    );
    let walked = block_on(walk(&server, options())).unwrap();
    let expected = r#"[{"name":"a","annotations":{"title":"T"},"inputSchema":{"type":"object","properties":{}}}]"#;
    assert_eq!(walked.catalog.text(), expected);
}

#[test]
fn malformed_tools_are_left_out_and_reported_when_asked() {
    let server = Fake::new(
        |_| json!({"tools": [{"name": "good"}, {"name": "bad", "inputSchema": 1}, {"name": ""}, {"name": "good2"}]}),
    );
    let walked = block_on(walk(&server, WalkOptions { invalid: InvalidTool::Skip, ..options() })).unwrap();
    assert_eq!(names(&walked), ["good", "good2"]);
    let codes: Vec<_> = walked.skipped.iter().map(|error| error.code).collect();
    assert_eq!(codes, [ProtocolCode::InvalidToolSchema, ProtocolCode::InvalidToolName]);
}

#[test]
fn a_name_that_repeats_is_told_of_once_and_only_where_it_was_asked_for() {
    let server = Fake::new(|_| json!({"tools": [{"name": "a"}, {"name": "a"}, {"name": "a"}, {"name": "b"}]}));
    let told = |filter: Option<&str>| {
        let filter = filter.map(|name| vec![name.to_owned()]);
        block_on(walk(&server, WalkOptions { filter, ..options() })).unwrap().skipped.len()
    };
    assert_eq!((told(None), told(Some("b"))), (1, 0));
}

#[test]
fn a_list_of_prompts_is_walked_by_the_same_rules() {
    let server = Fake::new(|cursor| match cursor {
        None => json!({"tools": [{"name": "p1"}], "nextCursor": "2"}),
        _ => json!({"tools": [{"name": "p2"}, {"name": "p1"}], "nextCursor": ""}),
    });
    // The page under "" is the second one again: it says that there is no more.
    let entries = block_on(walk_list(&server, "prompts/list")).unwrap();
    assert_eq!(entries, [r#"{"name":"p1"}"#, r#"{"name":"p2"}"#, r#"{"name":"p1"}"#]);
    assert_eq!(server.asked().len(), 3);

    let same = Fake::new(|_| json!({"tools": [], "nextCursor": "same"}));
    match block_on(walk_list(&same, "prompts/list")) {
        Err(WalkError::Protocol(error)) => {
            assert_eq!(error.code, ProtocolCode::CursorCycle);
            assert!(error.message.contains("prompts/list"), "{}", error.message);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_catalog_comes_back_from_its_text() {
    let text =
        r#"[{"name":"b","inputSchema":{"__proto__":1,"2":0,"1":0}},{"name":"a","inputSchema":{"type":"object"}}]"#;
    let catalog = Catalog::from_text(text).unwrap();
    assert_eq!(catalog.tools()[1].input_schema().text(), r#"{"__proto__":1,"2":0,"1":0}"#);
    let again = Catalog::from_text(catalog.text()).unwrap();
    assert_eq!((again.text(), again.digest()), (catalog.text(), catalog.digest()));
    assert!(Catalog::from_text("{}").is_err());
    assert!(Catalog::from_text(r#"[{"name":"a"},{"name":"a"}]"#).is_err());
}

proptest! {
    /// Random pages under random cursors, cycles and malformed parts among them: the walk always ends, within its bounds.
    #[test]
    fn every_walk_ends(
        pages in prop::collection::vec((prop::collection::vec(0_u8..30, 0..4), 0_usize..8, 0_u8..20), 1..8),
        max_items in 1_usize..12,
        strict: bool,
        auto_paginate: bool,
    ) {
        let server = Fake::new(|cursor| {
            let at = cursor.map_or(0, |text| text.len() % pages.len());
            let (tools, next, odd) = &pages[at];
            let tools: Vec<Value> = tools.iter().map(|n| json!({"name": format!("t{n}")})).collect();
            match odd {
                0 => json!({"shape": "null"}),
                1 => Value::Null,
                2 => json!({"tools": tools, "nextCursor": 7}),
                3 => json!({"tools": tools}),
                _ => json!({"tools": tools, "nextCursor": "x".repeat(*next)}),
            }
        });
        let options = WalkOptions { auto_paginate, max_items, strict, ..options() };
        let result = block_on(walk(&server, options));
        prop_assert!(server.asked().len() <= pages.len() + 2);
        if let Ok(walked) = result {
            prop_assert!(walked.catalog.tools().len() <= max_items);
            prop_assert!(walked.catalog.tools().is_sorted_by(|a, b| super::super::compare_names(a.name(), b.name()).is_lt()));
        }
    }
}
