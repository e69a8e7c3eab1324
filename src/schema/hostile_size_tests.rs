//! Large enums, many items and nested alternatives against arguments made for them (R19).

use serde_json::{Value, json};

use super::{
    Verdict,
    hostile_tests::{answers, schema},
};

#[test]
fn many_members_and_items_against_large_enums_and_nested_alternatives_end_in_an_answer() {
    let values = |count: usize, of: &dyn Fn(usize) -> Value| (0..count).map(of).collect::<Vec<_>>();
    for (name, of) in [
        ("numbers", &(|n| json!(n)) as &dyn Fn(usize) -> Value),
        ("large numbers", &|n| json!(u64::MAX - n as u64)),
        ("fractions", &|n| json!(f64::from(u32::try_from(n).unwrap()) + 0.5)),
        ("strings", &|n| json!(format!("v{n}"))),
        ("mixed", &|n| if n % 2 == 0 { json!(n) } else { json!(n.to_string()) }),
        ("objects", &|n| json!({ "a": n, "b": [n] })),
        ("lists", &|n| json!([n, [n]])),
    ] {
        let items = values(100_000, of);
        let unique = schema(&json!({ "properties": { "v": { "uniqueItems": true } } }));
        let text = json!({ "v": items }).to_string();
        assert_eq!(answers(&format!("unique {name}"), &unique, &text).0, Verdict::Valid);
        let listed = schema(&json!({ "properties": { "v": { "items": { "enum": values(40_000, of) } } } }));
        let text = json!({ "v": &items[..20_000] }).to_string();
        answers(&format!("{name} in an enum, many items"), &listed, &text);
    }
    let big = json!({ "v": values(2_000, &|n| json!({ "name": "x".repeat(500), "n": n })) }).to_string();
    for keyword in ["anyOf", "oneOf"] {
        let mut nested = json!({ "required": ["missing"] });
        for level in 0..6 {
            nested = json!({ keyword: [nested.clone(), nested, { "required": [format!("missing {level}")] }, { "type": "null" }] });
        }
        answers(&format!("nested {keyword} on 1 MB"), &schema(&nested), &big);
        let items = json!({ "properties": { "v": { "items": nested } } });
        answers(&format!("nested {keyword} on each item of 1 MB"), &schema(&items), &big);
    }
}
