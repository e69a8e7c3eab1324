use serde_json::json;

use super::*;

fn shape(schema: &Value) -> Value {
    serde_json::from_str(&describe(&schema.to_string())).unwrap()
}

#[test]
fn a_common_schema_is_described_level_by_level() {
    let schema = json!({
        "type": "object",
        "description": "root",
        "properties": {
            "path": {"type": "string", "description": "where", "minLength": 1},
            "head": {"type": ["integer", "null"], "minimum": 1, "default": null},
            "mode": {"enum": ["a", "b"]},
        },
        "required": ["path"],
        "additionalProperties": false,
    });
    assert_eq!(
        shape(&schema),
        json!({
            "kind": "object",
            "properties": [
                ["path", {"kind": "string", "minLength": 1, "description": "where"}, true],
                ["head", {"kind": "union", "options": [
                    {"kind": "number", "integer": true, "minimum": 1}, {"kind": "null"},
                ], "default": null}, false],
                ["mode", {"kind": "enum", "values": ["a", "b"]}, false],
            ],
            "rest": {"kind": "never"},
            "description": "root",
        })
    );
}
