//! The only room that knows napi: exported functions and classes, and the application's client behind threadsafe functions.

#![expect(clippy::needless_pass_by_value, reason = "napi hands strings and callbacks over by value")]

pub mod catalog;
pub mod client;
pub mod result;
pub mod schema;
