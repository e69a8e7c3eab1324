//! Which dialect of JSON Schema a schema is written in (spec R17).

use jsonschema::Draft;
use serde_json::Value;

/// The dialect that `$schema` names; 2020-12 where it names none, as MCP says.
///
/// # Errors
/// The unknown name.
pub(super) fn dialect_of(schema: &Value) -> Result<Draft, String> {
    let Some(name) = schema.get("$schema") else { return Ok(Draft::Draft202012) };
    let Some(name) = name.as_str() else {
        return if name.is_null() { Ok(Draft::Draft202012) } else { Err(name.to_string()) };
    };
    let plain = name.trim_start_matches("https://").trim_start_matches("http://").trim_end_matches(['#', '/']);
    match plain {
        "json-schema.org/draft-04/schema" => Ok(Draft::Draft4),
        "json-schema.org/draft-06/schema" => Ok(Draft::Draft6),
        "json-schema.org/draft-07/schema" => Ok(Draft::Draft7),
        "json-schema.org/draft/2019-09/schema" => Ok(Draft::Draft201909),
        // The plain name means the newest dialect.
        "json-schema.org/draft/2020-12/schema" | "json-schema.org/schema" | "" => Ok(Draft::Draft202012),
        _ => Err(name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_spelling_of_a_dialect_is_known() {
        for (name, expected) in [
            ("http://json-schema.org/draft-04/schema#", Draft::Draft4),
            ("https://json-schema.org/draft-06/schema", Draft::Draft6),
            ("http://json-schema.org/draft-07/schema", Draft::Draft7),
            ("https://json-schema.org/draft/2019-09/schema#", Draft::Draft201909),
            ("https://json-schema.org/draft/2020-12/schema", Draft::Draft202012),
            ("http://json-schema.org/schema#", Draft::Draft202012),
        ] {
            assert_eq!(dialect_of(&json!({"$schema": name})), Ok(expected), "{name}");
        }
        assert_eq!(dialect_of(&json!({})), Ok(Draft::Draft202012));
        assert_eq!(dialect_of(&json!(true)), Ok(Draft::Draft202012));
        assert_eq!(dialect_of(&json!({"$schema": null})), Ok(Draft::Draft202012));
        assert!(dialect_of(&json!({"$schema": "https://example.test/mine"})).is_err());
        assert!(dialect_of(&json!({"$schema": 7})).is_err());
    }
}
