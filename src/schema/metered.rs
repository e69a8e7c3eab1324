//! Arguments that count how often a validator looks at them, and stop answering when it is too often (spec R19).
//!
//! A hostile schema makes validation exponential (branches of `anyOf` in each other, explained one by one), and the validator itself has no budget. Every
//! step of it asks the instance something, so the instance can keep the count: over budget it unwinds, without a panic message, to
//! [`within_budget`].

use std::{
    borrow::Cow,
    cell::Cell,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

use jsonschema::json::{Array, Json, Node, NodeIdentity, Object, SerdeJson};
use jsonschema::types::JsonType;
use serde_json::{Map, Value};

thread_local! {
    /// Looks that the validation under way on this thread has left.
    static LEFT: Cell<u64> = const { Cell::new(0) };
}

/// The mark by which an unwinding tells that the budget is used up.
struct OverBudget;

/// Runs `work`, which may look at metered arguments `budget` times; nothing where that was not enough.
pub(super) fn within_budget<T>(budget: u64, work: impl FnOnce() -> T) -> Option<T> {
    LEFT.set(budget);
    // What `work` holds is dropped by the unwinding, and nothing of it is looked at afterwards.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => Some(done),
        Err(payload) if payload.is::<OverBudget>() => None,
        Err(panic) => resume_unwind(panic),
    }
}

/// One look.
fn look() {
    match LEFT.get().checked_sub(1) {
        Some(left) => LEFT.set(left),
        // Unlike a panic, this runs no hook and so prints nothing.
        None => resume_unwind(Box::new(OverBudget)),
    }
}

/// The representation of metered arguments: `serde_json` values behind a counter.
pub(super) struct Metered;

#[derive(Clone, Copy)]
pub(super) struct Look<'a>(pub(super) &'a Value);

impl Json for Metered {
    type Node<'a> = Look<'a>;
    type PreparedKey = String;
    type StringBuffer = ();

    const KEYS_PER_LOOKUP: usize = SerdeJson::KEYS_PER_LOOKUP;
    const ACYCLIC: bool = SerdeJson::ACYCLIC;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>(buffer: &mut (), string: &str, f: impl FnOnce(Look<'_>) -> T) -> T {
        look();
        SerdeJson::with_string_node(buffer, string, |node| f(Look(node)))
    }
}

impl<'a> Node<'a, Metered> for Look<'a> {
    type Object = Members<'a>;
    type Array = Elements<'a>;
    type Number = &'a serde_json::Number;

    fn as_object(&self) -> Option<Members<'a>> {
        look();
        self.0.as_object().map(Members)
    }

    fn as_array(&self) -> Option<Elements<'a>> {
        look();
        self.0.as_array().map(|items| Elements(items))
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        look();
        self.0.as_str().map(Cow::Borrowed)
    }

    fn as_number(&self) -> Option<&'a serde_json::Number> {
        look();
        Node::<SerdeJson>::as_number(&self.0)
    }

    fn as_boolean(&self) -> Option<bool> {
        look();
        self.0.as_bool()
    }

    fn is_null(&self) -> bool {
        look();
        self.0.is_null()
    }

    fn json_type(&self) -> JsonType {
        look();
        Node::<SerdeJson>::json_type(&self.0)
    }

    fn string_length(&self) -> Option<u64> {
        look();
        Node::<SerdeJson>::string_length(&self.0)
    }

    fn string_length_within(&self, min: u64, max: u64) -> Option<bool> {
        look();
        Node::<SerdeJson>::string_length_within(&self.0, min, max)
    }

    fn equals_value(&self, expected: &Value) -> bool {
        look();
        Node::<SerdeJson>::equals_value(&self.0, expected)
    }

    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Borrowed(self.0)
    }

    fn identity(&self) -> Option<NodeIdentity> {
        look();
        Node::<SerdeJson>::identity(&self.0)
    }
}

pub(super) struct Members<'a>(&'a Map<String, Value>);

impl<'a> Object<'a, Metered> for Members<'a> {
    type Node = Look<'a>;
    type MemberName = &'a str;
    type MembersIter = MembersIter<'a>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, key: &String) -> Option<Look<'a>> {
        look();
        Object::<SerdeJson>::get(&self.0, key).map(Look)
    }

    fn members(&self) -> MembersIter<'a> {
        MembersIter(self.0.iter())
    }
}

pub(super) struct MembersIter<'a>(serde_json::map::Iter<'a>);

impl<'a> Iterator for MembersIter<'a> {
    type Item = (&'a str, Look<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        look();
        self.0.next().map(|(name, value)| (name.as_str(), Look(value)))
    }
}

pub(super) struct Elements<'a>(&'a [Value]);

impl<'a> Array<'a, Metered> for Elements<'a> {
    type Node = Look<'a>;
    type ElementsIter = ElementsIter<'a>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn elements(&self) -> ElementsIter<'a> {
        ElementsIter(self.0.iter())
    }

    fn is_unique(&self) -> bool {
        look();
        Array::<SerdeJson>::is_unique(&self.0)
    }
}

pub(super) struct ElementsIter<'a>(std::slice::Iter<'a, Value>);

impl<'a> Iterator for ElementsIter<'a> {
    type Item = Look<'a>;

    fn next(&mut self) -> Option<Look<'a>> {
        look();
        self.0.next().map(Look)
    }
}
