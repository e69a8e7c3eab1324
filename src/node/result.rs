//! Answers of tools, resources and prompts: skeletons in, plans out (see [`crate::result`]).

use napi_derive::napi;

use crate::{
    limits::MAX_DEPTH,
    result::{prompt, resource, strict, view},
};

/// Levels of nesting that an answer may have.
#[napi]
#[must_use]
pub fn result_depth() -> u32 {
    u32::try_from(MAX_DEPTH).unwrap_or(u32::MAX)
}

/// Why the call result in `skeleton` breaks MCP, or nothing.
#[napi(catch_unwind)]
#[must_use]
pub fn call_result_problem(skeleton: String) -> Option<String> {
    strict::problem(&skeleton)
}

/// What the model sees of the call result in `skeleton`, as the JSON text of a plan; `"closer"` asks for a skeleton that holds the long texts too,
/// which then is said to be `whole`.
#[napi(catch_unwind)]
#[must_use]
pub fn plan_call_result(skeleton: String, whole: bool) -> String {
    view::plan(&skeleton, whole).to_json()
}

/// What the model sees of the answer to `resources/read` in `skeleton`, as the JSON text of a plan.
#[napi(catch_unwind)]
#[must_use]
pub fn plan_resource(skeleton: String) -> String {
    resource::plan(&skeleton).to_json()
}

/// The listing made of a page of resources and one of templates, as the JSON text of a plan.
#[napi(catch_unwind)]
#[must_use]
pub fn plan_resource_listing(resources: String, templates: Option<String>) -> String {
    resource::listing(&resources, templates.as_deref()).to_json()
}

/// Why the answer to `prompts/get` in `skeleton` is no prompt, or nothing.
#[napi(catch_unwind)]
#[must_use]
pub fn prompt_problem(skeleton: String) -> Option<String> {
    prompt::problem(&skeleton)
}

/// The instruction made of the prompt in `skeleton`, as the JSON text of a plan.
#[napi(catch_unwind)]
#[must_use]
pub fn plan_prompt(skeleton: String) -> String {
    prompt::plan(&skeleton).to_json()
}
