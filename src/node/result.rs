//! Results, resources and prompts as JavaScript hands them over: skeletons in, plans out, both as JSON text.

use napi_derive::napi;

use super::catalog::ProtocolFailure;
use crate::{
    limits::{MAX_COMPARED_UNITS, MAX_CROSSING_UNITS, MAX_DEPTH},
    result::{self, base64, template},
};

/// The bounds that the face keeps while it makes a skeleton.
#[napi(object, object_from_js = false)]
pub struct SkeletonLimits {
    /// Levels of nesting.
    pub depth: u32,
    /// UTF-16 units of a string that crosses.
    pub crossing_units: u32,
    /// UTF-16 units of longer strings that cross where they are compared with `structuredContent`.
    pub compared_units: u32,
}

#[napi(catch_unwind)]
#[must_use]
pub fn skeleton_limits() -> SkeletonLimits {
    let number = |limit: usize| u32::try_from(limit).unwrap_or(u32::MAX);
    SkeletonLimits {
        depth: number(MAX_DEPTH),
        crossing_units: number(MAX_CROSSING_UNITS),
        compared_units: number(MAX_COMPARED_UNITS),
    }
}

/// Checks the skeleton of an answer to `tools/call`; nothing where it is sound.
#[napi(catch_unwind)]
#[must_use]
pub fn check_call_result(skeleton: String) -> Option<ProtocolFailure> {
    result::check_call(&skeleton).err().map(ProtocolFailure::from)
}

/// What a tool's handler makes of an answer to `tools/call`: a plan.
#[napi(catch_unwind)]
#[must_use]
pub fn plan_call_result(skeleton: String) -> String {
    result::plan_call(&skeleton).to_json()
}

/// What the model reads of an answer to `resources/read`: a plan.
#[napi(catch_unwind)]
#[must_use]
pub fn plan_resource_result(skeleton: String) -> String {
    result::plan_resource(&skeleton).to_json()
}

/// What the model reads of a page of resources and, on the first page, of the templates, together as `{resources, templates?}`: a plan.
#[napi(catch_unwind)]
#[must_use]
pub fn plan_resource_listing(pages: String) -> String {
    result::plan_listing(&pages).to_json()
}

/// Checks the skeleton of an answer to `prompts/get`: what is wrong with it, or nothing.
#[napi(catch_unwind)]
#[must_use]
pub fn check_prompt_result(skeleton: String) -> Option<String> {
    result::check_prompt(&skeleton).err()
}

/// The messages of an answer to `prompts/get` as an instruction: a plan.
#[napi(catch_unwind)]
#[must_use]
pub fn plan_prompt_result(skeleton: String) -> String {
    result::plan_prompt(&skeleton).to_json()
}

/// Base64 decoded as UTF-8 text; nothing where it is not both.
#[napi(catch_unwind)]
#[must_use]
pub fn decode_base64_text(text: String) -> Option<String> {
    base64::decode_text(&text)
}

/// Base64 without white space, in the usual alphabet, padded.
#[napi(catch_unwind)]
#[must_use]
pub fn repair_base64(text: String) -> String {
    base64::repair(&text)
}

/// The uri that the URI template makes of the JSON object in `values` (RFC 6570).
///
/// # Errors
/// What is wrong with either, in words for a model.
#[napi(catch_unwind)]
pub fn expand_uri_template(template: String, values: String) -> napi::Result<String> {
    template::expand_text(&template, &values).map_err(napi::Error::from_reason)
}
