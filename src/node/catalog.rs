//! Catalogs as JavaScript holds them, and the walk that fills them.

use std::sync::{Arc, LazyLock};

use napi::{
    Status,
    bindgen_prelude::{Error, Result, spawn},
    threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode},
};
use napi_derive::napi;

use super::{
    client::{JsClient, PageFetcher},
    schema::InputSchema,
};
use crate::{
    cache::Cache,
    catalog::{Catalog, Ended, InvalidTool, SharedCatalog, WalkError, WalkOptions, Walked, walk, walk_list},
    error::{ProtocolCode, ProtocolError},
    limits::{MAX_CACHED_CATALOG_BYTES, MAX_CACHED_CATALOGS},
    names,
};

/// Catalogs by digest, for every generation, agent and worker thread of the process (R11).
static CATALOGS: LazyLock<Cache<Catalog>> = LazyLock::new(|| Cache::new(MAX_CACHED_CATALOGS, MAX_CACHED_CATALOG_BYTES));

/// An ordered, immutable list of tools.
#[napi]
pub struct ToolCatalog {
    catalog: SharedCatalog,
}

#[napi]
impl ToolCatalog {
    /// SHA-256 of the catalog's text, in hexadecimal.
    #[napi(getter, catch_unwind)]
    #[must_use]
    pub fn digest(&self) -> &str {
        self.catalog.digest()
    }

    /// The tools as a JSON array, in order.
    #[napi(getter, catch_unwind)]
    #[must_use]
    pub fn text(&self) -> &str {
        self.catalog.text()
    }

    /// Bytes of that text: what holding this catalog is weighed with.
    #[napi(getter, catch_unwind)]
    #[must_use]
    pub fn size(&self) -> u32 {
        u32::try_from(self.catalog.text().len()).unwrap_or(u32::MAX)
    }

    /// The tools without their schemas, as a JSON array.
    #[napi(catch_unwind)]
    #[must_use]
    pub fn heads(&self) -> String {
        let heads: Vec<&str> = self.catalog.tools().iter().map(crate::catalog::Tool::head).collect();
        format!("[{}]", heads.join(","))
    }

    /// The input schema of the tool at `index`.
    #[napi(catch_unwind)]
    #[must_use]
    pub fn input_schema(&self, index: u32) -> Option<InputSchema> {
        self.tool(index).map(|tool| InputSchema { schema: Arc::clone(tool.input_schema()) })
    }

    /// The places of the tools that have an output schema.
    #[napi(catch_unwind)]
    #[must_use]
    pub fn with_output_schema(&self) -> Vec<u32> {
        (0_u32..)
            .zip(self.catalog.tools())
            .filter(|(_, tool)| tool.output_schema().is_some())
            .map(|(index, _)| index)
            .collect()
    }

    /// The output schema of the tool at `index`, as JSON text.
    #[napi(catch_unwind)]
    #[must_use]
    pub fn output_schema(&self, index: u32) -> Option<&str> {
        self.tool(index).and_then(crate::catalog::Tool::output_schema)
    }

    fn tool(&self, index: u32) -> Option<&crate::catalog::Tool> {
        self.catalog.tools().get(usize::try_from(index).ok()?)
    }

    /// Puts a catalog among those that the process shares; one of the same content that is there already takes its place.
    fn share(catalog: Catalog) -> Self {
        let weight = catalog.text().len();
        let key = catalog.digest().to_owned();
        Self { catalog: CATALOGS.get_or_insert(&key, weight, |_| catalog) }
    }
}

/// How much an isolate may hold of what the process shares: a handle of JavaScript's keeps its catalog in memory, cached here or not.
#[napi(object, object_from_js = false)]
pub struct CatalogLimits {
    pub entries: u32,
    /// Bytes of text.
    pub bytes: u32,
}

#[napi(catch_unwind)]
#[must_use]
pub fn catalog_limits() -> CatalogLimits {
    let number = |limit: usize| u32::try_from(limit).unwrap_or(u32::MAX);
    CatalogLimits { entries: number(MAX_CACHED_CATALOGS), bytes: number(MAX_CACHED_CATALOG_BYTES) }
}

/// The catalog of `digest`, where this process still holds it.
#[napi(catch_unwind)]
#[must_use]
pub fn find_catalog(digest: String) -> Option<ToolCatalog> {
    CATALOGS.get(&digest).map(|catalog| ToolCatalog { catalog })
}

/// The catalog whose text is `text`, as `ToolCatalog.text` gave it, perhaps in another process; nothing where it is not one.
#[napi(catch_unwind)]
#[must_use]
pub fn restore_catalog(text: String) -> Option<ToolCatalog> {
    Catalog::from_text(&text).ok().map(ToolCatalog::share)
}

/// A broken promise of the server's or the caller's, as data: the class lives in the face.
#[napi(object, object_from_js = false)]
pub struct ProtocolFailure {
    pub code: String,
    pub message: String,
    pub tool_name: Option<String>,
    /// Which of the values that the face holds back is the cause.
    pub cause: Option<u32>,
}

impl From<ProtocolError> for ProtocolFailure {
    fn from(error: ProtocolError) -> Self {
        Self {
            code: error.code.as_str().to_owned(),
            message: error.message,
            tool_name: error.tool_name,
            cause: error.cause,
        }
    }
}

/// How far a walk goes and what it keeps.
#[napi(object, object_to_js = false)]
pub struct ListOptions {
    /// Native names to find, as a JSON array; nothing keeps every tool.
    pub filter: Option<String>,
    pub auto_paginate: bool,
    /// Distinct names at most.
    pub max_items: f64,
    /// More than `maxItems` tools, or a name that comes twice, is an error.
    pub strict: bool,
    /// A malformed tool is left out and reported.
    pub skip_invalid: bool,
}

/// What a walk came to. Exactly one of `catalog`, `entries`, `failure`, `notFound` and `clientFailed` is there.
#[napi(object, object_from_js = false)]
#[derive(Default)]
pub struct ListOutcome {
    pub catalog: Option<ToolCatalog>,
    /// The entries of a list of prompts, as a JSON array.
    pub entries: Option<String>,
    /// Malformed tools that were left out.
    pub skipped: Vec<ProtocolFailure>,
    /// `maxItems` was reached while the server had more.
    pub truncated: bool,
    pub failure: Option<ProtocolFailure>,
    /// The names that were not found, as a JSON array.
    pub not_found: Option<String>,
    /// What ended the search for them.
    pub limit: Option<String>,
    /// The client failed; the face holds its error.
    pub client_failed: bool,
}

impl From<std::result::Result<Walked, WalkError>> for ListOutcome {
    fn from(result: std::result::Result<Walked, WalkError>) -> Self {
        match result {
            Ok(walked) => Self {
                catalog: Some(ToolCatalog::share(walked.catalog)),
                skipped: walked.skipped.into_iter().map(ProtocolFailure::from).collect(),
                truncated: walked.ended == Ended::MaxItems,
                ..Self::default()
            },
            Err(error) => error.into(),
        }
    }
}

impl From<std::result::Result<Vec<String>, WalkError>> for ListOutcome {
    fn from(result: std::result::Result<Vec<String>, WalkError>) -> Self {
        match result {
            Ok(entries) => Self { entries: Some(format!("[{}]", entries.join(","))), ..Self::default() },
            Err(error) => error.into(),
        }
    }
}

impl From<WalkError> for ListOutcome {
    fn from(error: WalkError) -> Self {
        match error {
            WalkError::Protocol(error) => Self { failure: Some(error.into()), ..Self::default() },
            WalkError::NotFound { missing, limit } => Self {
                not_found: Some(serde_json::to_string(&missing).unwrap_or_default()),
                limit: Some(limit),
                ..Self::default()
            },
            WalkError::Source(_) => Self { client_failed: true, ..Self::default() },
        }
    }
}

/// Takes the outcome of a walk. Weak, as [`PageFetcher`] is; the face holds the process alive while the native side has the turn.
#[napi]
pub type ListSettled = ThreadsafeFunction<ListOutcome, (), ListOutcome, Status, false, true>;

/// Walks the pages of `tools/list` that `fetch` gives, and tells `settled` once what came of it.
///
/// # Errors
/// When `options.filter` is no JSON array of strings.
#[napi(catch_unwind)]
pub fn list_tools(fetch: PageFetcher, settled: ListSettled, options: ListOptions) -> Result<()> {
    let filter = options.filter.as_deref().map(names_of).transpose()?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a positive safe integer, as the face checked"
    )]
    let max_items = options.max_items as usize;
    let options = WalkOptions {
        filter,
        auto_paginate: options.auto_paginate,
        max_items,
        strict: options.strict,
        invalid: if options.skip_invalid { InvalidTool::Skip } else { InvalidTool::Throw },
    };
    spawn(async move {
        let outcome = ListOutcome::from(walk(&JsClient(fetch), options).await);
        // The status is not `Ok` only where the environment has ended.
        let _ = settled.call(outcome, ThreadsafeFunctionCallMode::NonBlocking);
    });
    Ok(())
}

/// Walks the pages of `prompts/list` that `fetch` gives, and tells `settled` once what came of it.
#[napi(catch_unwind)]
pub fn list_prompts(fetch: PageFetcher, settled: ListSettled) {
    spawn(async move {
        let outcome = ListOutcome::from(walk_list(&JsClient(fetch), "prompts/list").await);
        let _ = settled.call(outcome, ThreadsafeFunctionCallMode::NonBlocking);
    });
}

/// A catalog of the tools in one page's envelope, none of them malformed or named twice (`normalizeMcpToolCatalog`, R7).
#[napi(catch_unwind)]
#[must_use]
pub fn normalize_tools(envelope: String) -> ListOutcome {
    Catalog::of_page(&envelope, "the tools given")
        .map(|catalog| Walked { catalog, skipped: Vec::new(), ended: Ended::Complete })
        .map_err(WalkError::Protocol)
        .into()
}

/// Portable registered names of the native names in a JSON array, as a JSON array in the same order.
///
/// # Errors
/// When `natives` is no JSON array of strings.
#[napi(catch_unwind)]
pub fn portable_names(natives: String, namespace: Option<String>) -> Result<String> {
    let names = names::portable(&names_of(&natives)?, namespace.as_deref());
    Ok(serde_json::to_string(&names).unwrap_or_default())
}

/// Every code of `McpProtocolError`, in the order of the documentation.
#[napi(catch_unwind)]
#[must_use]
pub fn protocol_error_codes() -> Vec<&'static str> {
    ProtocolCode::ALL.iter().map(|code| code.as_str()).collect()
}

/// Strings of a JSON array, lone surrogates read as in every other text that crosses.
fn names_of(array: &str) -> Result<Vec<String>> {
    let malformed = || Error::new(Status::InvalidArg, "expected a JSON array of strings");
    let value = crate::text::parse(array).map_err(|_| malformed())?;
    serde_json::from_value(value).map_err(|_| malformed())
}

/// The JSON-RPC code by which a server says that it does not have a method.
#[napi(catch_unwind)]
#[must_use]
pub fn method_not_found_code() -> i32 {
    rmcp::model::ErrorCode::METHOD_NOT_FOUND.0
}
