//! What one descriptor may cost: a small schema whose references repeat a large part could fill any memory (R19).

use serde_json::{Map, Value};

use crate::limits::{DESCRIPTOR_BYTES_PER_BYTE, MAX_DESCRIPTOR_BYTES, MAX_DESCRIPTOR_NODES};

/// What of it is left.
#[derive(Debug)]
pub(super) struct Budget {
    nodes: usize,
    bytes: usize,
}

impl Budget {
    /// For a schema whose JSON text has `length` bytes.
    pub(super) fn for_text(length: usize) -> Self {
        Self {
            nodes: MAX_DESCRIPTOR_NODES,
            bytes: MAX_DESCRIPTOR_BYTES.saturating_add(length.saturating_mul(DESCRIPTOR_BYTES_PER_BYTE)),
        }
    }

    /// Takes what one more node costs; `false` where it is too much.
    pub(super) fn spend_node(&mut self) -> bool {
        let left = self.nodes.checked_sub(1).filter(|_| !self.is_spent());
        self.nodes = left.unwrap_or(0);
        left.is_some()
    }

    /// Takes `bytes` of a schema's text that are read or copied; `false` where that is too much, and from then on.
    pub(super) fn spend(&mut self, bytes: usize) -> bool {
        // One byte is kept for "not spent", so that what fits exactly still counts as fitting.
        self.bytes = self.bytes.saturating_sub(bytes);
        !self.is_spent()
    }

    /// Whether the bytes have run out: what was being made is of no use then.
    pub(super) fn is_spent(&self) -> bool {
        self.bytes == 0
    }
}

/// About the length of a value's JSON text.
pub(super) fn size(value: &Value) -> usize {
    match value {
        Value::Array(items) => 2 + items.iter().map(|item| 1 + size(item)).sum::<usize>(),
        Value::Object(members) => size_of(members),
        Value::String(string) => 2 + string.len(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 4,
    }
}

/// The same for the members of an object.
pub(super) fn size_of(members: &Map<String, Value>) -> usize {
    2 + members.iter().map(|(name, value)| 4 + name.len() + size(value)).sum::<usize>()
}
