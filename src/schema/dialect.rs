//! Which revision of JSON Schema a schema is written in: its `$schema`, in the spellings that real servers use.

use jsonschema::Draft;
use serde_json::Value;

/// The dialect of a schema, and whether the schema names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    pub(super) draft: Draft,
    /// The schema has no `$schema` of its own: 2020-12 is what the MCP specification takes then.
    pub(super) by_default: bool,
}

/// `$schema` values of the five dialects: without scheme, fragment and trailing slashes; then as `jsonschema` knows them.
const KNOWN: [(&str, Draft, &str); 5] = [
    ("json-schema.org/draft/2020-12/schema", Draft::Draft202012, "https://json-schema.org/draft/2020-12/schema"),
    ("json-schema.org/draft/2019-09/schema", Draft::Draft201909, "https://json-schema.org/draft/2019-09/schema"),
    ("json-schema.org/draft-07/schema", Draft::Draft7, "http://json-schema.org/draft-07/schema#"),
    ("json-schema.org/draft-06/schema", Draft::Draft6, "http://json-schema.org/draft-06/schema#"),
    ("json-schema.org/draft-04/schema", Draft::Draft4, "http://json-schema.org/draft-04/schema#"),
];

impl Dialect {
    /// The dialect of a root schema.
    ///
    /// # Errors
    /// What stands under `$schema`, where it names none of the five dialects.
    pub(super) fn of(schema: &Value) -> Result<Self, &Value> {
        let Some(named) = schema.get("$schema").filter(|named| !named.is_null()) else {
            return Ok(Self { draft: Draft::Draft202012, by_default: true });
        };
        match named.as_str().map(bare) {
            // "The newest there is", in a spelling that drafts before 2019-09 allowed.
            Some("json-schema.org/schema") => Ok(Self { draft: Draft::Draft202012, by_default: true }),
            Some(uri) => known(uri).map(|(draft, _)| Self { draft, by_default: false }).ok_or(named),
            None => Err(named),
        }
    }
}

/// The draft of a `$schema` value and the URI in the spelling that `jsonschema` knows.
pub(super) fn recognise(uri: &str) -> Option<(Draft, &'static str)> {
    known(bare(uri))
}

/// The URI of a draft's meta-schema.
pub(super) fn uri(draft: Draft) -> &'static str {
    KNOWN.iter().find(|(_, known, _)| *known == draft).map_or("", |(.., uri)| *uri)
}

fn known(bare: &str) -> Option<(Draft, &'static str)> {
    KNOWN.iter().find(|(uri, ..)| *uri == bare).map(|(_, draft, canonical)| (*draft, *canonical))
}

/// A URI without its scheme, its empty fragment and its trailing slashes.
fn bare(uri: &str) -> &str {
    let uri = uri.trim();
    let uri = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://")).unwrap_or(uri);
    uri.trim_end_matches(['#', '/'])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn real_spellings_name_their_draft() {
        for (uri, draft) in [
            ("http://json-schema.org/draft-04/schema#", Draft::Draft4),
            ("http://json-schema.org/draft-06/schema", Draft::Draft6),
            ("https://json-schema.org/draft-07/schema#/", Draft::Draft7),
            ("https://json-schema.org/draft/2019-09/schema#", Draft::Draft201909),
            ("http://json-schema.org/draft/2020-12/schema/", Draft::Draft202012),
        ] {
            assert_eq!(Dialect::of(&json!({ "$schema": uri })), Ok(Dialect { draft, by_default: false }), "{uri}");
        }
    }

    #[test]
    fn no_dialect_means_2020_12_and_an_unknown_one_is_none() {
        let default = Ok(Dialect { draft: Draft::Draft202012, by_default: true });
        assert_eq!(Dialect::of(&json!({})), default);
        assert_eq!(Dialect::of(&json!({ "$schema": null })), default);
        assert_eq!(Dialect::of(&json!({ "$schema": "http://json-schema.org/schema#" })), default);
        assert_eq!(Dialect::of(&json!(true)), default);
        assert!(Dialect::of(&json!({ "$schema": "http://json-schema.org/draft-03/schema#" })).is_err());
        assert!(Dialect::of(&json!({ "$schema": "https://example.test/mine" })).is_err());
        assert!(Dialect::of(&json!({ "$schema": 7 })).is_err());
    }
}
