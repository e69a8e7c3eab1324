//! The order of a catalog: tool names as `a.localeCompare(b)` orders them under the root collation (spec R8).

use std::cmp::Ordering;

/// Printable ASCII in the order of the root collation (CLDR, punctuation not ignored), letters without case.
const ROOT_ORDER: &str = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz";

/// Where a character stands: those that MCP allows in names as the root collation has them, any other after these by code point.
fn weight(character: char) -> u32 {
    let code = u32::from(character);
    match u8::try_from(code) {
        Ok(byte) if byte.is_ascii() => WEIGHTS.get(usize::from(byte)).copied().map_or(code, u32::from),
        _ => code + 0x100,
    }
}

const WEIGHTS: [u8; 128] = weights();

const fn weights() -> [u8; 128] {
    let order = ROOT_ORDER.as_bytes();
    let mut weights = [0_u8; 128];
    let mut at = 0;
    while at < order.len() {
        #[expect(clippy::cast_possible_truncation, reason = "the table has fewer than 128 places")]
        let place = at as u8 + 1;
        weights[order[at] as usize] = place;
        weights[order[at].to_ascii_uppercase() as usize] = place;
        at += 1;
    }
    weights
}

/// `a` against `b`: first by the characters themselves, case left aside; among equals the first difference of case decides, lower before
/// upper; last by code point, so that no two names are ever equal in order and different in text.
#[must_use]
pub fn compare_names(a: &str, b: &str) -> Ordering {
    a.chars()
        .map(weight)
        .cmp(b.chars().map(weight))
        .then_with(|| a.chars().map(|c| c.is_ascii_uppercase()).cmp(b.chars().map(|c| c.is_ascii_uppercase())))
        .then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_stand_as_a_dictionary_has_them() {
        let mut names = vec!["b", "B", "a-b", "a_b", "a.b", "ab", "aB", "Ab", "a/b", "a1", "A", "a", "é", "z"];
        names.sort_by(|a, b| compare_names(a, b));
        assert_eq!(names, ["a", "A", "a_b", "a-b", "a.b", "a/b", "a1", "ab", "aB", "Ab", "b", "B", "z", "é"]);
    }

    proptest! {
        #[test]
        fn the_order_is_total(a in "\\PC{0,8}", b in "\\PC{0,8}", c in "\\PC{0,8}") {
            prop_assert_eq!(compare_names(&a, &b), compare_names(&b, &a).reverse());
            prop_assert_eq!(compare_names(&a, &b) == Ordering::Equal, a == b);
            if compare_names(&a, &b).is_le() && compare_names(&b, &c).is_le() {
                prop_assert!(compare_names(&a, &c).is_le());
            }
        }
    }
}
