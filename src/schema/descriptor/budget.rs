//! What one descriptor may come to. References and alternatives show one and the same part of a schema many times over, so neither the size of the
//! schema nor the number of its levels bounds what is made of it.

use serde_json::{Map, Value};

use super::{Kind, Node};
use crate::limits::{MAX_DESCRIPTOR_BYTES, MAX_DESCRIPTOR_NODES};

/// Bytes that a value takes besides its text.
const VALUE: usize = 8;

pub(super) struct Budget {
    nodes: usize,
    bytes: usize,
}

impl Budget {
    pub(super) fn new() -> Self {
        Self { nodes: MAX_DESCRIPTOR_NODES, bytes: MAX_DESCRIPTOR_BYTES }
    }

    /// Nothing further can be shown.
    pub(super) fn is_spent(&self) -> bool {
        self.nodes == 0 || self.bytes == 0
    }

    /// Takes a node.
    pub(super) fn take_node(&mut self) {
        self.nodes = self.nodes.saturating_sub(1);
    }

    /// Takes a node for each value in `values`, where there are as many: zod has a schema for each, and for each of their parts.
    pub(super) fn take_values(&mut self, values: &[Value]) -> bool {
        let left = self.nodes.checked_sub(values.iter().map(parts).sum());
        self.nodes = left.unwrap_or(self.nodes);
        left.is_some()
    }

    /// Takes the bytes of `members`, before they are copied or put into words. Ends as soon as there are none left.
    pub(super) fn take(&mut self, members: &Map<String, Value>) {
        for (key, value) in members {
            self.take_bytes(VALUE + key.len());
            self.take_value(value);
            if self.bytes == 0 {
                return;
            }
        }
    }

    /// Takes what it costs to merge `other` into `into`: the values under keys of both are made anew.
    pub(super) fn take_merge(&mut self, into: &Map<String, Value>, other: &Map<String, Value>) {
        self.take(other);
        for key in other.keys() {
            if self.bytes == 0 {
                return;
            }
            if let Some(ours) = into.get(key) {
                self.take_value(ours);
            }
        }
    }

    fn take_value(&mut self, value: &Value) {
        self.take_bytes(VALUE);
        match value {
            Value::String(text) => self.take_bytes(text.len()),
            Value::Array(items) => {
                for item in items {
                    if self.bytes == 0 {
                        return;
                    }
                    self.take_value(item);
                }
            }
            Value::Object(members) => self.take(members),
            _ => {}
        }
    }

    fn take_bytes(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes);
    }
}

/// How many values `value` is made of.
fn parts(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(parts).sum(),
        Value::Object(members) => members.values().map(parts).sum(),
        _ => 0,
    }
}

/// What stands for a part that there is no room for: it forbids nothing.
pub(super) fn too_large() -> Node {
    Node::from(Kind::Any).with_words("not shown: the schema is too large")
}
