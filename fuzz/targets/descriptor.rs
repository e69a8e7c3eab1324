//! From a schema to its descriptor: sound, the same each time, and within its bounds.
#![no_main]

use rejelly_adapter_mcp::schema::Schema;
use rejelly_adapter_mcp_fuzz::{SCHEMA, assert_descriptor, json_target};

json_target!(SCHEMA, |texts| {
    for text in texts {
        let schema = Schema::new(text.into());
        assert_descriptor(schema.descriptor());
        assert_eq!(Schema::new(text.into()).descriptor(), schema.descriptor());
    }
});
