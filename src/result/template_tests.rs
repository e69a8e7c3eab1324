use proptest::prelude::*;
use serde_json::json;

use super::*;

fn values(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        other => panic!("expected an object, got {other}"),
    }
}

/// The variables of RFC 6570, section 3.2.
fn of_the_rfc() -> Map<String, Value> {
    values(json!({
        "count": ["one", "two", "three"], "dom": ["example", "com"], "dub": "me/too", "hello": "Hello World!",
        "half": "50%", "var": "value", "who": "fred", "base": "http://example.com/start/", "path": "/foo/bar",
        "list": ["red", "green", "blue"], "keys": {"semi": ";", "dot": ".", "comma": ","}, "v": "6", "x": "1024",
        "y": "768", "empty": "", "empty_keys": {}, "undef": null
    }))
}

#[test]
fn expands_the_examples_of_the_rfc() {
    let values = of_the_rfc();
    for (template, uri) in [
        ("{count}", "one,two,three"),
        ("{count*}", "one,two,three"),
        ("{/count}", "/one,two,three"),
        ("{/count*}", "/one/two/three"),
        ("{;count}", ";count=one,two,three"),
        ("{;count*}", ";count=one;count=two;count=three"),
        ("{?count}", "?count=one,two,three"),
        ("{?count*}", "?count=one&count=two&count=three"),
        ("{&count*}", "&count=one&count=two&count=three"),
        ("{var}", "value"),
        ("{hello}", "Hello%20World%21"),
        ("{half}", "50%25"),
        ("O{empty}X", "OX"),
        ("O{undef}X", "OX"),
        ("{x,y}", "1024,768"),
        ("{x,hello,y}", "1024,Hello%20World%21,768"),
        ("?{x,empty}", "?1024,"),
        ("?{x,undef}", "?1024"),
        ("?{undef,y}", "?768"),
        ("{var:3}", "val"),
        ("{var:30}", "value"),
        ("{keys}", "semi,%3B,dot,.,comma,%2C"),
        ("{keys*}", "semi=%3B,dot=.,comma=%2C"),
        ("{+hello}", "Hello%20World!"),
        ("{+half}", "50%25"),
        ("{base}index", "http%3A%2F%2Fexample.com%2Fstart%2Findex"),
        ("{+base}index", "http://example.com/start/index"),
        ("{+path}/here", "/foo/bar/here"),
        ("{+x,hello,y}", "1024,Hello%20World!,768"),
        ("{+path:6}/here", "/foo/b/here"),
        ("{+keys*}", "semi=;,dot=.,comma=,"),
        ("{#path,x}/here", "#/foo/bar,1024/here"),
        ("{#keys}", "#semi,;,dot,.,comma,,"),
        ("X{.var}", "X.value"),
        ("X{.list*}", "X.red.green.blue"),
        ("X{.empty_keys}", "X"),
        ("{/var,x}/here", "/value/1024/here"),
        ("{/list*,path:4}", "/red/green/blue/%2Ffoo"),
        ("{/keys*}", "/semi=%3B/dot=./comma=%2C"),
        ("{;x,y,empty}", ";x=1024;y=768;empty"),
        ("{;v,empty,who}", ";v=6;empty;who=fred"),
        ("{;hello:5}", ";hello=Hello"),
        ("{;keys*}", ";semi=%3B;dot=.;comma=%2C"),
        ("{?x,y,empty}", "?x=1024&y=768&empty="),
        ("{?x,y,undef}", "?x=1024&y=768"),
        ("{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"),
        ("?fixed=yes{&x}", "?fixed=yes&x=1024"),
        ("{&var:3}", "&var=val"),
    ] {
        assert_eq!(expand(template, &values).as_deref(), Ok(uri), "{template}");
    }
}

#[test]
fn numbers_and_truths_are_their_text_and_literals_stay_in_the_uri() {
    let values = values(json!({"id": 7, "on": true, "pct": "a%20b%"}));
    assert_eq!(expand("x://é/%41/{id}/{on}", &values).as_deref(), Ok("x://%C3%A9/%41/7/true"));
    assert_eq!(expand("{+pct}", &values).as_deref(), Ok("a%20b%25"));
}

#[test]
fn says_what_is_wrong() {
    let values = values(json!({"deep": [[1]], "list": ["a"]}));
    for (template, why) in [
        ("x://{id", "expected a } after the { before \"id\""),
        ("x://id}", "expected a { before the } in \"x://id}\""),
        ("{}", "\"\": \"\" is no variable"),
        ("{a,}", "\"a,\": \"\" is no variable"),
        ("{!a}", "\"!a\": the operator ! has no meaning in RFC 6570"),
        ("{a:x}", "\"a:x\": the prefix of \"a:x\" is no length"),
        ("{deep}", "\"deep\": expected strings in \"deep\", got an array"),
        ("{list:3}", "\"list:3\": expected a string in \"list\", to take its first characters"),
    ] {
        assert_eq!(expand(template, &values), Err(why.to_owned()), "{template}");
    }
    assert!(expand_text("x", "[]").unwrap_err().contains("got an array"));
}

#[test]
fn template_values_and_uri_are_bounded() {
    let long = |length| "x".repeat(length);
    assert!(expand_text(&long(MAX_URI_BYTES), "{}").is_ok() && expand_text(&long(MAX_URI_BYTES + 1), "{}").is_err());
    let value = |length: usize| format!(r#"{{"v":"{}"}}"#, long(length - 8));
    assert!(
        expand_text("{v}", &value(MAX_URI_BYTES)).is_ok() && expand_text("{v}", &value(MAX_URI_BYTES + 1)).is_err()
    );
    let half = value(MAX_URI_BYTES / 2);
    assert!(expand_text("{v}{v}", &half).is_ok() && expand_text(&"{v}".repeat(10_000), &half).is_err());
}

proptest! {
    #[test]
    fn a_value_comes_back_when_it_is_decoded(text in "\\PC{0,40}") {
        let uri = expand("{v}", &values(json!({"v": text}))).unwrap();
        prop_assert!(uri.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~%".contains(&b)));
        let mut bytes = Vec::new();
        let mut rest = uri.as_str();
        while let Some((plain, after)) = rest.split_once('%') {
            bytes.extend_from_slice(plain.as_bytes());
            bytes.push(u8::from_str_radix(&after[..2], 16).unwrap());
            rest = &after[2..];
        }
        bytes.extend_from_slice(rest.as_bytes());
        prop_assert_eq!(String::from_utf8(bytes).unwrap(), text);
    }

    #[test]
    fn no_template_is_too_odd(template in "[{}+#./;?&,:*a-c%é ]{0,30}") {
        let _ = expand(&template, &values(json!({"a": "x", "b": ["y", "z"], "c": {"k": "v"}})));
    }
}
