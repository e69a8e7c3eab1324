//! Registered names: what the agent and the model call a tool (section 2 of the spec).

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};

use crate::text::hex;

/// Characters of a name that every model provider accepts: `^[A-Za-z0-9_-]{1,64}$`.
pub const PORTABLE_LENGTH: usize = 64;

/// Hexadecimal digits that tell apart names which would otherwise be one.
const SUFFIX_DIGITS: usize = 8;

/// The portable registered names of `natives`, in their order.
///
/// Characters outside of `[A-Za-z0-9_-]` become `_`. A name that is then too long, that says nothing any more, or that another name of the
/// same list also comes to, ends in the hash of its native name: no name depends on where in the list the tool stands.
#[must_use]
pub fn portable(natives: &[String], namespace: Option<&str>) -> Vec<String> {
    let plain: Vec<String> = natives.iter().map(|native| sanitised(native, namespace)).collect();
    let mut count: HashMap<&str, usize> = HashMap::with_capacity(plain.len());
    for name in &plain {
        *count.entry(name).or_default() += 1;
    }
    natives
        .iter()
        .zip(&plain)
        .map(|(native, name)| {
            let alone = count.get(name.as_str()).is_none_or(|count| *count == 1);
            if alone && (1..=PORTABLE_LENGTH).contains(&name.len()) && says_something(native) {
                name.clone()
            } else {
                suffixed(name, native)
            }
        })
        .collect()
}

fn sanitised(native: &str, namespace: Option<&str>) -> String {
    let full = namespace.map_or_else(|| native.to_owned(), |namespace| format!("{namespace}_{native}"));
    full.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' }).collect()
}

/// A name of nothing but replaced characters and punctuation reads the same as every other such name.
fn says_something(native: &str) -> bool {
    native.chars().any(|c| c.is_ascii_alphanumeric())
}

fn suffixed(name: &str, native: &str) -> String {
    let digest = Sha256::digest(native.as_bytes());
    let hash = hex(digest.get(..SUFFIX_DIGITS / 2).unwrap_or_default());
    // The name is ASCII by now, so bytes are characters.
    let kept = name.get(..name.len().min(PORTABLE_LENGTH - SUFFIX_DIGITS - 1)).unwrap_or_default();
    format!("{kept}_{hash}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(natives: &[&str], namespace: Option<&str>) -> Vec<String> {
        portable(&natives.iter().map(ToString::to_string).collect::<Vec<_>>(), namespace)
    }

    #[test]
    fn other_characters_become_underscores() {
        assert_eq!(names(&["calendar.updateEvent", "docs-create"], None), ["calendar_updateEvent", "docs-create"]);
        assert_eq!(names(&["a.b"], Some("my server")), ["my_server_a_b"]);
    }

    #[test]
    fn names_that_come_to_the_same_are_told_apart_whatever_their_order() {
        let one = names(&["a.b", "a/b", "c"], None);
        let other = names(&["c", "a/b", "a.b"], None);
        assert_eq!((&one[0], &one[1], &one[2]), (&other[2], &other[1], &other[0]));
        assert!(one[0] != one[1] && one[0].starts_with("a_b_") && one[2] == "c");
    }

    #[test]
    fn long_names_are_cut_and_keep_apart() {
        let namespace = Some("atlassian-rovo-mcp-server-cloud");
        let natives =
            ["createConfluencePageWithAttachmentsAndPermissions", "deleteConfluencePageWithAttachmentsAndPermissions"];
        let both = names(&natives, namespace);
        assert!(both.iter().all(|name| name.len() == PORTABLE_LENGTH) && both[0] != both[1]);
        assert_eq!(names(&[&"x".repeat(64)], None), ["x".repeat(64)]);
    }

    #[test]
    fn names_without_a_letter_are_named_by_their_hash() {
        let natives = ["---", "...", "検索", "검색", "поиск"];
        let all = names(&natives, None);
        assert_eq!(all.iter().collect::<std::collections::HashSet<_>>().len(), 5, "{all:?}");
    }

    proptest! {
        #[test]
        fn every_name_is_portable_and_no_two_meet(natives in prop::collection::hash_set("\\PC{1,80}", 1..12), namespace in prop::option::of("\\PC{0,70}")) {
            let natives: Vec<String> = natives.into_iter().collect();
            let names = portable(&natives, namespace.as_deref());
            for name in &names {
                prop_assert!((1..=PORTABLE_LENGTH).contains(&name.len()));
                prop_assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'));
            }
            prop_assert_eq!(names.iter().collect::<std::collections::HashSet<_>>().len(), names.len());
        }
    }
}
