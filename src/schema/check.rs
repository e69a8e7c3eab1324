//! One validation within its bounds: first whether the arguments fit, and only when they do not, why.

use jsonschema::Validator;
use serde_json::Value;

use super::{
    Issue,
    issues::{Issues, Scene},
    metered::{Allowance, Exceeded, Metered, Part, within},
    pattern, reference,
};
use crate::{
    limits::{
        BACKTRACKING_STEPS, BASE_EXPLAINING_STEPS, BASE_STEPS, DEEP_STACK, EXPLAINING_STEPS_PER_BYTE, INLINE_DEPTH,
        INLINE_REFERENCES, INLINE_STACK, MAX_ARGUMENT_BYTES, MAX_STEPS, STEPS_PER_BYTE,
    },
    text,
};

/// A compiled schema and what it needs to run.
#[derive(Debug)]
pub(super) struct Checker {
    validator: Validator<Metered>,
    string_steps: u64,
    /// The library follows references without looking at the arguments too, where no meter sees it: many of them need a large stack.
    chained: bool,
}

/// What one validation came to.
#[derive(Debug, PartialEq)]
pub(super) enum Outcome {
    Fits,
    /// At least one issue.
    Refused(Vec<Issue>),
    /// The schema asks for more work on these arguments than any one validation may take.
    Undecided(&'static str),
}

impl Checker {
    /// `schema` is what `validator` was compiled from.
    pub(super) fn new(validator: Validator<Metered>, schema: &Value) -> Self {
        let string_steps = if pattern::backtracks(schema) { BACKTRACKING_STEPS } else { 1 };
        Self { validator, string_steps, chained: reference::count(schema) > INLINE_REFERENCES }
    }

    /// Arguments, as JSON text, against the schema; `schema` is its text, from which the messages take names and values.
    pub(super) fn run(&self, arguments: &str, schema: &str) -> Outcome {
        if arguments.len() > MAX_ARGUMENT_BYTES {
            let message =
                format!("the arguments have {} bytes, and at most {MAX_ARGUMENT_BYTES} are read", arguments.len());
            return Outcome::Refused(vec![Issue::whole(message)]);
        }
        let value = match text::parse(arguments) {
            Ok(value) => value,
            Err(error) => return Outcome::Refused(vec![Issue::whole(format!("the arguments are {error}"))]),
        };
        let weight = arguments.len();
        let inline = !self.chained && text::depth(arguments) <= INLINE_DEPTH;
        let fits =
            self.bounded(&value, weight, inline, BASE_STEPS, STEPS_PER_BYTE, |root| self.validator.is_valid(root));
        match fits {
            Ok(true) => Outcome::Fits,
            Ok(false) => self.explained(&value, weight, inline, schema),
            Err(Exceeded::Steps) => Outcome::Undecided("its alternatives or references multiply"),
            Err(Exceeded::Stack) => Outcome::Undecided("its references form too long a chain"),
        }
    }

    fn explained(&self, arguments: &Value, weight: usize, inline: bool, schema: &str) -> Outcome {
        // A refusal is rare, and only its messages need the schema again.
        let schema = text::parse(schema).unwrap_or_default();
        let scene = Scene { schema: &schema, arguments };
        let bounded = |work: &(dyn Fn(Part<'_>) -> Vec<Issue> + Sync)| {
            self.bounded(arguments, weight, inline, BASE_EXPLAINING_STEPS, EXPLAINING_STEPS_PER_BYTE, work)
        };
        let issues = bounded(&|root| Issues::of(self.validator.iter_errors(root), scene))
            // Too much is wrong to collect all of it: the first thing then.
            .or_else(|_| bounded(&|root| Issues::of(self.validator.validate(root).err().into_iter(), scene)))
            .unwrap_or_default();
        if issues.is_empty() {
            let message = "the arguments match none of the schema's alternatives, which are too many to explain";
            return Outcome::Refused(vec![Issue::whole(message.to_owned())]);
        }
        Outcome::Refused(issues)
    }

    /// `work` on the caller's stack where that is enough, else on a thread of its own.
    fn bounded<T: Send>(
        &self,
        arguments: &Value,
        weight: usize,
        inline: bool,
        steps: u64,
        per_byte: u64,
        work: impl Fn(Part<'_>) -> T + Sync,
    ) -> Result<T, Exceeded> {
        let steps = steps_for(steps, per_byte, weight);
        let allowance = Allowance { steps, stack: INLINE_STACK, string_steps: self.string_steps };
        if inline {
            match within(arguments, weight, allowance, &work) {
                Err(Exceeded::Stack) => {}
                done => return done,
            }
        }
        let allowance = Allowance { stack: DEEP_STACK - INLINE_STACK, ..allowance };
        text::with_stack(DEEP_STACK, || within(arguments, weight, allowance, &work)).unwrap_or(Err(Exceeded::Stack))
    }
}

fn steps_for(base: u64, per_byte: u64, weight: usize) -> u64 {
    MAX_STEPS.min(base + per_byte * weight as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_grow_with_the_arguments_up_to_their_limit() {
        assert_eq!(steps_for(BASE_STEPS, STEPS_PER_BYTE, 0), BASE_STEPS);
        let bytes = usize::try_from((MAX_STEPS - BASE_STEPS) / STEPS_PER_BYTE).unwrap();
        assert!(steps_for(BASE_STEPS, STEPS_PER_BYTE, bytes - 1) < MAX_STEPS);
        assert_eq!(steps_for(BASE_STEPS, STEPS_PER_BYTE, bytes + 1), MAX_STEPS);
        assert_eq!(steps_for(BASE_STEPS, STEPS_PER_BYTE, MAX_ARGUMENT_BYTES), MAX_STEPS);
        // An honest validation looks at each value a few times, and a value has some bytes.
        const { assert!(MAX_STEPS > 3 * MAX_ARGUMENT_BYTES as u64) };
    }
}
