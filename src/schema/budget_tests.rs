//! The budget of one validation on both sides of each of its numbers.

use jsonschema::Draft;
use serde_json::{Value, json};

use super::{
    check::{Checker, Outcome},
    compile,
    dialect::Dialect,
    metered::{Allowance, Exceeded, within},
};
use crate::limits::{
    BACKTRACKING_STEPS, BASE_EXPLAINING_STEPS, BASE_STEPS, DEEP_STACK, ERROR_STEPS, EXPLAINING_STEPS_PER_BYTE,
    INLINE_STACK, MAX_STEPS, STEPS_PER_BYTE,
};

fn checker(schema: &Value) -> Checker {
    compile::strict(schema, Dialect { draft: Draft::Draft202012, by_default: true }).unwrap()
}

/// A schema that looks at each of the items `looks` times.
fn looking(looks: usize) -> Value {
    // Each alternative asks for the type once more; the last one fits.
    let mut options: Vec<Value> = (0..looks).map(|n| json!({ "minimum": 100 + n })).collect();
    options.push(json!({ "maximum": 50 }));
    json!({ "items": { "anyOf": options } })
}

/// The fewest steps with which `schema` is decided on `arguments`.
fn needed(schema: &Value, arguments: &Value) -> u64 {
    let validator = jsonschema::options_for::<super::metered::Metered>().build(schema).unwrap();
    let decided = |steps: u64| {
        let allowance = Allowance { steps, stack: 16 << 20, string_steps: 1 };
        within(arguments, 0, allowance, |root| validator.is_valid(root)).is_ok()
    };
    let (mut low, mut high) = (0, 1 << 40);
    while low < high {
        let middle = low + (high - low) / 2;
        if decided(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

#[test]
fn the_meter_ends_a_validation_at_its_last_step_and_not_before() {
    let schema = looking(10);
    let items: Value = vec![7; 100].into();
    let steps = needed(&schema, &items);
    assert!(steps > 1_000, "{steps}");
    let validator = jsonschema::options_for::<super::metered::Metered>().build(&schema).unwrap();
    let run = |steps: u64| {
        within(&items, 0, Allowance { steps, stack: 1 << 20, string_steps: 1 }, |root| validator.is_valid(root))
    };
    assert_eq!((run(steps), run(steps - 1)), (Ok(true), Err(Exceeded::Steps)));
}

#[test]
fn a_validation_may_take_the_base_and_a_share_for_each_byte() {
    let items: Value = vec![7; 1_000].into();
    let text = items.to_string();
    let allowed = BASE_STEPS + STEPS_PER_BYTE * text.len() as u64;
    // What one more look at each item costs, so that both sides of the limit can be had.
    let each = needed(&looking(40), &items) - needed(&looking(39), &items);
    let most = 39 + usize::try_from((allowed - needed(&looking(39), &items)) / each).unwrap();
    assert_eq!(checker(&looking(most)).run(&text, "{}"), Outcome::Fits);
    assert!(matches!(checker(&looking(most + 1)).run(&text, "{}"), Outcome::Undecided(_)));
    assert!(allowed < MAX_STEPS);
    // However large the arguments are, the steps end.
    assert!(BASE_STEPS + STEPS_PER_BYTE * crate::limits::MAX_ARGUMENT_BYTES as u64 > MAX_STEPS);
}

#[test]
fn explaining_ends_earlier_than_deciding() {
    // Every item is wrong, and each error costs as much as a small schema's checks.
    let schema = json!({ "items": { "type": "string" } });
    let issues = |count: usize| match checker(&schema).run(&json!(vec![1; count]).to_string(), &schema.to_string()) {
        Outcome::Refused(issues) => issues.len(),
        other => panic!("{other:?}"),
    };
    let most = BASE_EXPLAINING_STEPS / ERROR_STEPS;
    // `1,` is two bytes; an error costs ERROR_STEPS and a few looks.
    let few = usize::try_from(most / 2).unwrap();
    assert_eq!(issues(few), crate::limits::MAX_ISSUES);
    const { assert!(EXPLAINING_STEPS_PER_BYTE * 2 < ERROR_STEPS) };
    let many = usize::try_from(most * 4).unwrap();
    // Too much is wrong to collect all of it: the first thing is told.
    assert_eq!(issues(many), 1);
}

#[test]
fn a_string_costs_more_under_a_pattern_that_backtracks() {
    let words: Value = vec!["ab"; 3_000].into();
    let text = words.to_string();
    let of = |pattern: &str, looks: usize| {
        let mut options = vec![json!({ "pattern": pattern }); looks];
        options.push(json!({ "minLength": 1 }));
        checker(&json!({ "items": { "anyOf": options } })).run(&text, "{}")
    };
    // Three looks at 3,000 strings: 9,000 steps and a few, or 500 times as many.
    const { assert!(BACKTRACKING_STEPS * 3_000 * 3 > BASE_STEPS + STEPS_PER_BYTE * 16_000) };
    assert_eq!(of("^b", 8), Outcome::Fits);
    assert_eq!(of("^(?=b)b", 1), Outcome::Fits);
    assert!(matches!(of("^(?=b)b", 8), Outcome::Undecided(_)));
}

#[test]
fn a_validation_moves_to_a_larger_stack_and_ends_where_that_is_full() {
    let schema = json!({ "$ref": "#/$defs/a", "$defs": { "a": { "items": { "$ref": "#/$defs/a" } } } });
    let nest = |levels: usize| -> Value { crate::text::parse(&("[".repeat(levels) + &"]".repeat(levels))).unwrap() };
    let validator = jsonschema::options_for::<super::metered::Metered>().build(&schema).unwrap();
    let run = |levels: usize, stack: usize| {
        let value = nest(levels);
        let allowance = Allowance { steps: u64::MAX, stack, string_steps: 1 };
        crate::text::with_stack(DEEP_STACK, || within(&value, 0, allowance, |root| validator.is_valid(root))).unwrap()
    };
    assert_eq!(run(8, INLINE_STACK), Ok(true));
    assert_eq!(run(1_000, INLINE_STACK), Err(Exceeded::Stack));
    assert_eq!(run(1_000, DEEP_STACK - INLINE_STACK), Ok(true));
    assert_eq!(checker(&schema).run(&nest(1_000).to_string(), "{}"), Outcome::Fits);
}
