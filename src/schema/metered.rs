//! Arguments as the validator sees them, with a meter on every access: the library knows no step limit, and a schema whose
//! alternatives multiply (`anyOf` inside `anyOf`) or whose references form a long chain could keep it busy for ever (R19). Every
//! recursion goes through a reference, and every reference asks for the identity of the value it looks at; there the meter ends it.

use std::{
    borrow::Cow,
    cell::Cell,
    collections::HashSet,
    fmt::Write,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    slice,
};

use jsonschema::{
    JsonType,
    json::{Array, Json, Node, NodeIdentity, Object, SerdeJson, cmp, unique},
};
use jsonschema_value::LazyInstance;
use serde_json::{Map, Value, map};

use crate::limits::ERROR_STEPS;

/// Which bound a validation ran into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exceeded {
    Steps,
    Stack,
}

/// What one validation may use.
#[derive(Debug, Clone, Copy)]
pub(super) struct Allowance {
    pub(super) steps: u64,
    /// Bytes of stack below the place where the validation starts.
    pub(super) stack: usize,
    /// Steps that one look at a string costs, more where a pattern of the schema may backtrack over it.
    pub(super) string_steps: u64,
}

#[derive(Clone, Copy)]
struct Meter {
    steps: u64,
    lowest: usize,
    string_steps: u64,
    root: usize,
    root_weight: u64,
}

/// Nothing is measured outside of [`within`].
const IDLE: Meter = Meter { steps: u64::MAX, lowest: 0, string_steps: 0, root: 0, root_weight: 0 };

thread_local! {
    static METER: Cell<Meter> = const { Cell::new(IDLE) };
}

/// Runs `work` on `arguments`, whose text has `weight` bytes, and ends it where it needs more than `allowance`.
///
/// # Errors
/// The bound that was met.
pub(super) fn within<T>(
    arguments: &Value,
    weight: usize,
    allowance: Allowance,
    work: impl FnOnce(Part<'_>) -> T,
) -> Result<T, Exceeded> {
    let meter = Meter {
        steps: allowance.steps,
        lowest: stack_pointer().saturating_sub(allowance.stack),
        string_steps: allowance.string_steps,
        root: address(arguments),
        root_weight: weight as u64,
    };
    let before = METER.replace(meter);
    let done = catch_unwind(AssertUnwindSafe(|| work(Part(arguments))));
    METER.set(before);
    // The library's own panics are not ours to hide: they go on to the boundary.
    done.map_err(|panic| panic.downcast::<Exceeded>().map_or_else(|panic| resume_unwind(panic), |exceeded| *exceeded))
}

/// Takes `steps` from the meter. Unwinding, without a panic's message, is the only way out of the library's recursion.
#[inline]
fn step(steps: u64) {
    let mut meter = METER.get();
    if meter.steps < steps {
        resume_unwind(Box::new(Exceeded::Steps));
    }
    meter.steps -= steps;
    METER.set(meter);
}

#[inline]
fn step_down() {
    step(1);
    if stack_pointer() < METER.get().lowest {
        resume_unwind(Box::new(Exceeded::Stack));
    }
}

/// About where the stack ends now: it grows downwards on every platform that Node runs on.
#[inline(never)]
fn stack_pointer() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(std::hint::black_box(&here)).addr()
}

fn address(value: &Value) -> usize {
    std::ptr::from_ref(value).addr()
}

/// Items that are compared in pairs.
const FEW_ITEMS: usize = 15;

/// The representation; see the module.
#[derive(Debug)]
pub(super) struct Metered;

/// One value of the arguments.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'a>(&'a Value);

#[derive(Debug, Clone, Copy)]
pub(super) struct Members<'a>(&'a Map<String, Value>);

#[derive(Debug, Clone, Copy)]
pub(super) struct Items<'a>(&'a [Value]);

impl Json for Metered {
    type Node<'a> = Part<'a>;
    type PreparedKey = String;
    type StringBuffer = Value;

    const KEYS_PER_LOOKUP: usize = SerdeJson::KEYS_PER_LOOKUP;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>(buffer: &mut Value, string: &str, work: impl FnOnce(Part<'_>) -> T) -> T {
        step(1 + string.len() as u64 / 64);
        *buffer = Value::String(string.to_owned());
        work(Part(buffer))
    }
}

impl<'a> Node<'a, Metered> for Part<'a> {
    type Object = Members<'a>;
    type Array = Items<'a>;
    type Number = &'a serde_json::Number;

    fn as_object(&self) -> Option<Members<'a>> {
        step(1);
        self.0.as_object().map(Members)
    }

    fn as_array(&self) -> Option<Items<'a>> {
        step(1);
        self.0.as_array().map(|items| Items(items))
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        let string = self.0.as_str()?;
        step(METER.get().string_steps + string.len() as u64 / 64);
        Some(Cow::Borrowed(string))
    }

    fn as_number(&self) -> Option<&'a serde_json::Number> {
        step(1);
        self.0.as_number()
    }

    fn as_boolean(&self) -> Option<bool> {
        self.0.as_bool()
    }

    fn is_null(&self) -> bool {
        self.0.is_null()
    }

    fn is_number(&self) -> bool {
        self.0.is_number()
    }

    fn is_string(&self) -> bool {
        self.0.is_string()
    }

    fn json_type(&self) -> JsonType {
        step(1);
        Node::<SerdeJson>::json_type(&self.0)
    }

    fn string_length(&self) -> Option<u64> {
        step(1 + self.0.as_str().map_or(0, |string| string.len() as u64 / 64));
        Node::<SerdeJson>::string_length(&self.0)
    }

    fn string_length_within(&self, min: u64, max: u64) -> Option<bool> {
        step(1 + self.0.as_str().map_or(0, |string| string.len() as u64 / 64));
        Node::<SerdeJson>::string_length_within(&self.0, min, max)
    }

    fn equals_value(&self, expected: &Value) -> bool {
        equal(self.0, expected)
    }

    fn to_value(&self) -> Cow<'a, Value> {
        step(weight(self.0));
        Cow::Borrowed(self.0)
    }

    /// The library copies what an error holds as often as alternatives are nested. Messages look values up by their path instead, so an
    /// error holds none, but for strings, since a property's name stands nowhere, and for the root, in which the library itself looks up.
    fn lazy_value(&self) -> LazyInstance<'a> {
        static NOTHING: Value = Value::Null;
        let meter = METER.get();
        let (value, steps) = match self.0 {
            root if address(root) == meter.root => (root, meter.root_weight),
            Value::Array(_) | Value::Object(_) => (&NOTHING, 0),
            scalar => (scalar, weight(scalar)),
        };
        step(ERROR_STEPS + steps);
        LazyInstance::Ready(Cow::Borrowed(value))
    }

    fn identity(&self) -> Option<NodeIdentity> {
        step_down();
        Some(NodeIdentity::new(address(self.0)))
    }

    fn container_identity(&self) -> Option<NodeIdentity> {
        step_down();
        (self.0.is_array() || self.0.is_object()).then(|| NodeIdentity::new(address(self.0)))
    }
}

impl<'a> Object<'a, Metered> for Members<'a> {
    type Node = Part<'a>;
    type MemberName = &'a str;
    type MembersIter = MembersIter<'a>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, key: &String) -> Option<Part<'a>> {
        step(1);
        Object::<SerdeJson>::get(&self.0, key).map(Part)
    }

    fn members(&self) -> MembersIter<'a> {
        MembersIter(self.0.iter())
    }
}

impl<'a> Array<'a, Metered> for Items<'a> {
    type Node = Part<'a>;
    type ElementsIter = ItemsIter<'a>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn elements(&self) -> ItemsIter<'a> {
        ItemsIter(self.0.iter())
    }

    fn is_unique(&self) -> bool {
        step(self.0.iter().map(weight).sum());
        if self.0.len() > FEW_ITEMS || self.0.iter().any(|item| item.is_array() || item.is_object()) {
            // The library's digest is one and the same for all nests of empty arrays, and for a thousand neighbouring integers beyond 2^53: its
            // comparisons then grow with the square.
            let mut seen = HashSet::with_capacity(self.0.len());
            return self.0.iter().all(|item| {
                let mut text = String::new();
                canonical(item, &mut text);
                seen.insert(text)
            });
        }
        unique::is_unique(self.0)
    }
}

#[derive(Debug)]
pub(super) struct MembersIter<'a>(map::Iter<'a>);

impl<'a> Iterator for MembersIter<'a> {
    type Item = (&'a str, Part<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        step(1);
        self.0.next().map(|(name, value)| (name.as_str(), Part(value)))
    }
}

#[derive(Debug)]
pub(super) struct ItemsIter<'a>(slice::Iter<'a, Value>);

impl<'a> Iterator for ItemsIter<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        step(1);
        self.0.next().map(Part)
    }
}

/// Equality as `const` and `enum` mean it, metered as it goes.
fn equal(one: &Value, other: &Value) -> bool {
    step(1);
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, one)| other.get(name).is_some_and(|other| equal(one, other)))
        }
        (Value::String(one), Value::String(other)) => one == other,
        (one, other) => cmp::equal(one, other),
    }
}

/// A text that two values share exactly when they are equal as JSON Schema means it.
pub(super) fn canonical(value: &Value, text: &mut String) {
    match value {
        Value::Array(items) => {
            text.push('[');
            for item in items {
                canonical(item, text);
                text.push(',');
            }
            text.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by_key(|(name, _)| *name);
            text.push('{');
            for (name, value) in members {
                // Writing to a `String` cannot fail.
                let _ = write!(text, "{name:?}:");
                canonical(value, text);
                text.push(',');
            }
            text.push('}');
        }
        Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(_), ..) | (_, Some(_), _) | (.., None) => {
                let _ = write!(text, "{number}");
            }
            // Written out in full, `1.0` is `1`, as the integer is.
            (.., Some(float)) => {
                let _ = write!(text, "{}", if float == 0.0 { 0.0 } else { float });
            }
        },
        scalar => {
            let _ = write!(text, "{scalar}");
        }
    }
}

/// Steps for touching all of a value once.
fn weight(value: &Value) -> u64 {
    match value {
        Value::Array(items) => 1 + items.iter().map(weight).sum::<u64>(),
        Value::Object(members) => 1 + members.values().map(weight).sum::<u64>(),
        Value::String(string) => 1 + string.len() as u64 / 64,
        _ => 1,
    }
}
