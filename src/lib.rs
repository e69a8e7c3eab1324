//! Native core of `@rejelly/adapter-mcp`: what an MCP server says, made fit for a Rejelly agent.
//!
//! The modules below are plain Rust over `serde_json` and JSON text: none of them names napi, and all of them are tested by
//! `cargo test`. [`node`] is the one place that knows Node: it wraps the application's client behind threadsafe
//! functions, and exports the rest to the JavaScript face in `js/`.
//!
//! - [`catalog`]: pages of `tools/list` into one ordered, deduplicated catalog (spec R3–R9).
//! - [`schema`]: dialects, compiled validators, the issues a model reads, and the descriptor that zod is built from (R14–R19).
//! - [`result`]: content blocks of calls, prompts and resources, and what the model sees of them (R24–R28).
//! - [`names`]: registered names (section 2 of the spec).
//! - [`cache`]: the bounded, content-addressed store of catalogs and schemas that the whole process shares (R11).
//! - [`error`]: the table of protocol error codes.
//! - [`limits`]: every bound, with its number and its reason.
//! - [`text`]: JSON text as it crosses the boundary: depth, lone surrogates, deep stacks.

pub mod cache;
pub mod catalog;
pub mod error;
pub mod limits;
pub mod names;
pub mod node;
pub mod result;
pub mod schema;
pub mod text;
