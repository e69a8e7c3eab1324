use proptest::prelude::*;
use rmcp::model::{ContentBlock, Resource};
use serde_json::json;

use super::*;

const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

fn shown(block: &Value) -> Part {
    render(block, Form::Result).part
}

fn text(text: &str) -> Part {
    Part::Text(Text::inline(text))
}

#[test]
fn the_blocks_of_rmcps_model_are_known() {
    let value = |block: &ContentBlock| serde_json::to_value(block).unwrap();
    assert_eq!(shown(&value(&ContentBlock::text("hi"))), text("hi"));
    assert!(render(&value(&ContentBlock::text("hi")), Form::Result).is_text);
    assert_eq!(
        shown(&value(&ContentBlock::image(PNG, "image/png"))),
        Part::Image(Text::inline(format!("data:image/png;base64,{PNG}")))
    );
    assert_eq!(
        shown(&value(&ContentBlock::audio("UklGRiQAAABXQVZF", "audio/wav"))),
        text("[Audio: audio/wav, 12 bytes]")
    );
    assert_eq!(shown(&value(&ContentBlock::embedded_text("x://a", "ctx"))), text("ctx"));
    let link = Resource::new("x://b", "b").with_mime_type("text/plain").with_size(5_000_000_000);
    assert_eq!(
        shown(&value(&ContentBlock::resource_link(link))),
        text("[Resource link: b <x://b>, text/plain, 5000000000 bytes]")
    );
}

#[test]
fn a_malformed_image_degrades_alone() {
    let url = Part::Image(Text::inline(format!("data:image/png;base64,{PNG}")));
    assert_eq!(shown(&json!({"type": "image", "data": PNG})), url);
    assert_eq!(shown(&json!({"type": "image", "data": PNG, "mimeType": null})), url);
    assert_eq!(shown(&json!({"type": "image", "data": format!("data:image/png;base64,{PNG}")})), url);
    let broken = format!("{}\n{}", &PNG[..76], &PNG[76..].trim_end_matches('=')).replace('/', "_");
    assert_eq!(shown(&json!({"type": "image", "data": broken, "mimeType": "image/png"})), url);
    assert_eq!(
        shown(&json!({"type": "image", "data": "not base64!!", "mimeType": "image/png"})),
        text("[Image: image/png, data that is no base64]")
    );
    assert_eq!(shown(&json!({"type": "image"})), text("[Image: application/octet-stream, no data]"));
    assert_eq!(
        shown(&json!({"type": "image", "data": "AAAA", "mimeType": "image/png;base64,AAAA\n"})),
        Part::Image(Text::inline("data:image/png;base64,AAAA"))
    );
}

#[test]
fn blobs_are_text_only_where_they_say_so_and_are() {
    let blob = |mime: Value, blob: &str| json!({"type": "resource", "resource": {"uri": "x://r", "mimeType": mime, "blob": blob}});
    assert_eq!(shown(&blob(json!("text/markdown"), "IyBow6k=")), text("# hé"));
    assert_eq!(shown(&blob(json!("text/plain"), "/9j//w==")), text("[Blob: x://r, text/plain, 4 bytes]"));
    assert_eq!(shown(&blob(Value::Null, "/9j//w==")), text("[Blob: x://r, application/octet-stream, 4 bytes]"));
    assert!(matches!(shown(&blob(json!("image/png"), PNG)), Part::Image(_)));
    let there = blob(json!("text/plain"), &format!("\0P2:9000:{}", "A".repeat(272)));
    let Part::Text(pieces) = shown(&there) else { panic!("{there}") };
    assert!(matches!(pieces.pieces(), [Piece::Decode { index: 2, .. }]));
}

#[test]
fn unknown_blocks_are_their_json_and_bounded() {
    let widget = json!({"type": "widget", "id": 3});
    assert_eq!(shown(&widget), text(r#"{"type":"widget","id":3}"#));
    let encoded = json!({"type": "widget", "data": "Ab1+".repeat(500)});
    assert_eq!(shown(&encoded), text(r#"{"type":"widget","data":"[Base64: 1500 bytes]"}"#));
    let long = Value::from("word ".repeat(MAX_UNKNOWN_STRING / 5 + 1));
    let most = "w".repeat(MAX_UNKNOWN_STRING);
    assert_eq!(shown(&json!({"type": "widget", "w": most})), text(&format!(r#"{{"type":"widget","w":"{most}"}}"#)));
    assert_eq!(
        shown(&json!({"type": "widget", "w": "a\n".repeat(300)})),
        text(&format!(r#"{{"type":"widget","w":"{}"}}"#, "a\\n".repeat(300)))
    );
    assert!(
        matches!(shown(&json!({"type": "widget", "w": long})), Part::Text(json) if format!("{json:?}").contains("(8005 characters)"))
    );
    for size in [MAX_UNKNOWN_BLOCK / 4, MAX_UNKNOWN_BLOCK * 4] {
        let Part::Text(json) = shown(&json!({"type": "widget", "n": vec![1; size]})) else { panic!() };
        let [Piece::Inline(json)] = json.pieces() else { panic!() };
        assert_eq!(json.ends_with("… [cut]"), size > MAX_UNKNOWN_BLOCK);
        assert!(json.chars().count() <= MAX_UNKNOWN_BLOCK + 10);
    }
}

#[test]
fn base64_is_labelled_from_its_least_length_on() {
    let digits = |length: usize| "Ab1+".repeat(MIN_BASE64_LABEL).chars().take(length).collect::<String>();
    assert_eq!(encoded_label(Carried::Here(&digits(MIN_BASE64_LABEL - 4))), None);
    let label = encoded_label(Carried::Here(&digits(MIN_BASE64_LABEL)));
    assert_eq!(label, Some(format!("[Base64: {} bytes]", MIN_BASE64_LABEL / 4 * 3)));
}

#[test]
fn a_bare_uri_is_named() {
    assert_eq!(
        shown(&json!({"type": "resource", "uri": "file:///report.pdf"})),
        text("[Resource: file:///report.pdf]")
    );
}

#[test]
fn videos_and_image_urls_are_for_prompts() {
    let prompt = |block: Value| render(&block, Form::Prompt).part;
    let url = Part::Video(Text::inline("https://x.test/v.mp4"));
    assert_eq!(prompt(json!({"type": "video", "url": "https://x.test/v.mp4"})), url);
    assert_eq!(prompt(json!({"type": "video", "video": {"url": "https://x.test/v.mp4"}})), url);
    assert_eq!(
        prompt(json!({"type": "video", "data": "AAAA", "mimeType": "video/mp4"})),
        Part::Video(Text::inline("data:video/mp4;base64,AAAA"))
    );
    assert_eq!(prompt(json!({"type": "video", "url": "file:///etc/passwd"})), text("[Video: file:///etc/passwd]"));
    let link = |uri: &str| json!({"type": "resource_link", "name": "v", "uri": uri, "mimeType": "video/mp4"});
    assert_eq!(prompt(link("https://x.test/v.mp4")), url);
    assert_eq!(prompt(link("file:///v.mp4")), text("[Resource link: v <file:///v.mp4>, video/mp4]"));
    assert_eq!(shown(&link("https://x.test/v.mp4")), text("[Resource link: v <https://x.test/v.mp4>, video/mp4]"));
    assert_eq!(
        shown(&json!({"type": "video", "data": "AAAA", "mimeType": "video/mp4"})),
        text("[Video: video/mp4, 3 bytes]")
    );
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "(\u{0}[FP][0-9]{1,3}:[0-9]{1,5}:)?[A-Za-z/+= <>\\[\\]]{0,12}".prop_map(Value::from),
        prop::sample::select(vec!["text", "image", "audio", "video", "resource", "resource_link"])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(
                (
                    prop::sample::select(vec![
                        "type", "text", "data", "mimeType", "resource", "uri", "blob", "name", "size", "url"
                    ]),
                    inner
                ),
                0..6
            )
            .prop_map(|members| Value::Object(
                members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
            )),
        ]
    })
}

proptest! {
    #[test]
    fn no_block_panics_and_long_base64_is_never_text(block in any_json(), data in "[A-Za-z0-9+/]{597}") {
        let data = format!("aB0{data}");
        for form in [Form::Result, Form::Prompt, Form::Words] {
            let _ = render(&block, form);
            for kind in ["image", "audio", "video", "widget", "resource"] {
                let carrying = json!({"type": kind, "data": data, "inner": block, "resource": {"uri": "x://a", "blob": data}});
                if let Some(text) = render(&carrying, form).into_text() {
                    let json = serde_json::to_string(&text).unwrap();
                    prop_assert!(!json.contains(&data[..100]), "{}", json);
                }
            }
        }
    }
}
