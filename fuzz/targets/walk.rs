//! A walk over the pages of a server that answers what it likes: it ends, and keeps what it says it keeps. The first text has the options.
#![no_main]

use std::{
    cell::Cell,
    collections::HashSet,
    future::{Future, ready},
    pin::pin,
    sync::Mutex,
    task::{Context, Poll, Waker},
};

use rejelly_adapter_mcp::{
    catalog::{
        Catalog, Ended, InvalidTool, PageSource, SourceFailed, Tool, WalkError, WalkOptions, Walked, compare_names,
        walk, walk_list,
    },
    limits::{MAX_PAGES, MAX_WALK_BYTES},
};
use rejelly_adapter_mcp_fuzz::{CATALOG, assert_one_line, json_target};
use serde_json::Value;

/// What a page says where it wants the number of the request: a server need never run out of cursors.
const NUMBER: &str = "%N";

json_target!(CATALOG, |texts| {
    if let Some((options, pages)) = texts.split_first().filter(|(_, pages)| !pages.is_empty()) {
        walks(&serde_json::from_str(options).unwrap_or_default(), pages);
    }
});

/// Answers with one page after the other, over and over.
struct Server<'a> {
    pages: &'a [&'a str],
    asked: Mutex<Cell<(usize, usize)>>,
}

impl PageSource for Server<'_> {
    fn page(&self, _: Option<&str>) -> impl Future<Output = Result<String, SourceFailed>> + Send {
        let mut asked = self.asked.lock().expect("nothing panics while it is held");
        let (requests, bytes) = asked.get();
        let page = self.pages[requests % self.pages.len()].replace(NUMBER, &requests.to_string());
        *asked.get_mut() = (requests + 1, bytes + page.len());
        assert!(requests < MAX_PAGES, "a walk that does not end");
        assert!(bytes <= MAX_WALK_BYTES, "a walk that takes in too much");
        ready(Ok(page))
    }
}

fn finished<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("a walk waits though every page is there"),
    }
}

fn walks(said: &Value, pages: &[&str]) {
    let flag = |name: &str| said[name].as_bool().unwrap_or_default();
    let filter: Option<Vec<String>> = said["filter"]
        .as_array()
        .map(|names| names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect());
    let max_items = said["maxItems"].as_u64().and_then(|most| usize::try_from(most).ok()).unwrap_or(100).max(1);
    let options = WalkOptions {
        filter,
        auto_paginate: flag("autoPaginate"),
        max_items,
        strict: flag("strict"),
        invalid: if flag("skip") { InvalidTool::Skip } else { InvalidTool::Throw },
    };
    let outcome = walked(&options, pages);
    if options.strict
        && let Ok(whole) = &outcome
    {
        let kit = walked(&WalkOptions { strict: false, ..options }, pages).expect("what is whole is enough for a kit");
        assert_eq!(kit.catalog.digest(), whole.catalog.digest(), "a kit of other tools than the whole catalog");
    }
    let server = Server { pages, asked: Mutex::default() };
    if let Err(error) = finished(walk_list(&server, "prompts/list")) {
        failure(&error, pages);
        assert!(matches!(error, WalkError::Protocol(_)), "{error:?}");
    }
}

fn walked(options: &WalkOptions, pages: &[&str]) -> Result<Walked, WalkError> {
    let server = Server { pages, asked: Mutex::default() };
    let outcome = finished(walk(&server, options.clone()));
    let requests = server.asked.lock().expect("nothing panics while it is held").get().0;
    assert!(options.auto_paginate || requests == 1, "{requests} pages were asked for");
    match &outcome {
        Ok(walked) => kept(walked, options, pages),
        Err(error) => failure(error, pages),
    }
    outcome
}

fn kept(walked: &Walked, options: &WalkOptions, pages: &[&str]) {
    let Walked { catalog, skipped, ended } = walked;
    let names: HashSet<&str> = catalog.tools().iter().map(Tool::name).collect();
    assert_eq!(names.len(), catalog.tools().len(), "a name comes twice");
    assert!(names.len() <= options.max_items);
    assert!(catalog.tools().is_sorted_by(|one, other| compare_names(one.name(), other.name()).is_le()));
    if let Some(filter) = &options.filter {
        let wanted: HashSet<&str> = filter.iter().map(String::as_str).collect();
        assert_eq!(names, wanted, "a kit that is not what was asked for");
    } else {
        assert_ne!(*ended, Ended::Found);
    }
    for error in skipped {
        one_line(&error.message, pages);
    }
    assert!(!options.strict || options.invalid == InvalidTool::Skip || skipped.is_empty(), "{skipped:?}");
    let restored = Catalog::from_text(catalog.text()).expect("a catalog can be restored");
    assert_eq!(restored.digest(), catalog.digest(), "a restored catalog is another one");
}

/// As for a page: the face's own words stand in a message as they are.
fn one_line(message: &str, pages: &[&str]) {
    if !pages.iter().any(|page| ["shape", "cursorType", "unserialisable"].iter().any(|key| page.contains(key))) {
        assert_one_line(message);
    }
}

fn failure(error: &WalkError, pages: &[&str]) {
    match error {
        WalkError::Protocol(error) => one_line(&error.message, pages),
        WalkError::NotFound { missing, limit } => {
            assert!(!missing.is_empty());
            assert_one_line(limit);
        }
        WalkError::Source(_) => panic!("the server never fails"),
    }
}
