//! Answers to `resources/read` and `resources/list`, base64, and URI templates with the values of their variables.
#![no_main]

use rejelly_adapter_mcp::{
    limits::MAX_URI_BYTES,
    result::{base64, pieces::Plan, plan_listing, plan_resource, template::expand_text},
};
use rejelly_adapter_mcp_fuzz::{RESULT, assert_one_line, assert_plan, json_target};
use serde_json::Value;

json_target!(RESULT, |texts| {
    for text in &texts {
        for plan_of in [plan_resource, plan_listing] {
            let plan = plan_of(text);
            assert_plan(&plan, text);
            assert_eq!(plan_of(text), plan);
            match &plan {
                Plan::Text(_) | Plan::Parts(_) => {}
                Plan::Unreadable(message) => assert_one_line(message),
                other => panic!("a resource neither fails nor has codes: {other:?}"),
            }
        }
        base64(text);
    }
    for pair in texts.windows(2) {
        if let Ok(Value::String(template)) = serde_json::from_str(pair[0]) {
            template_of(&template, pair[1]);
            base64(&template);
        }
    }
});

/// The empty text is a text, and is not what servers mean by base64.
fn base64(text: &str) {
    if text.is_empty() {
        return;
    }
    if let Some(bytes) = base64::decode(text) {
        let plain = base64::repair(text);
        assert_eq!(
            base64::decode(&plain).as_deref(),
            Some(&*bytes),
            "another meaning once repaired: {text:?} {plain:?}"
        );
        assert_eq!(base64::repair(&plain), plain);
        assert_eq!(base64::decode_text(text), String::from_utf8(bytes).ok());
    } else {
        assert_eq!(base64::decode_text(text), None);
    }
}

fn template_of(template: &str, values: &str) {
    match expand_text(template, values) {
        Ok(uri) => {
            // Percent-encoding has done away with all else.
            assert!(uri.bytes().all(|byte| byte.is_ascii_graphic() && !b"{}<>\"^`\\|".contains(&byte)), "{uri:?}");
            assert!(uri.len() <= MAX_URI_BYTES * 4, "{} bytes", uri.len());
            assert_eq!(expand_text(template, values), Ok(uri.clone()));
            if template.starts_with("{+") {
                return;
            }
            assert_eq!(expand_text(&uri, "{}").as_ref(), Ok(&uri), "a uri is a template of itself");
        }
        Err(message) => assert_one_line(&message),
    }
}
