//! What the two resource tools answer (spec R27).

use serde_json::{Map, Value};

use super::{
    base64::inspect,
    block::{Members, Place, blob},
    carried::Carried,
    json::Writer,
    kind_of,
    label::Label,
    plan::{Part, Plan, Text},
    with_value,
};

/// What the model sees of the answer to `resources/read` in `skeleton`: text and labels joined by line feeds, or parts where an image is among
/// them. Contents without anything to read are an error where nothing else is there, and a label beside others.
#[must_use]
pub fn plan(skeleton: &str) -> Plan {
    with_value(skeleton, of_contents).unwrap_or_else(Plan::Invalid)
}

fn of_contents(value: &Value) -> Plan {
    let list = match value {
        Value::Object(answer) => answer.get("contents"),
        other => Some(other),
    };
    let Some(Value::Array(contents)) = list else {
        return Plan::Invalid(format!("expected the contents of a resource (an array), got {}", kind_of(list)));
    };
    let mut parts = Vec::with_capacity(contents.len());
    let mut faults = Vec::new();
    for (index, item) in contents.iter().enumerate() {
        match of_item(item, index) {
            Ok(part) => parts.push(part),
            Err((fault, label)) => {
                faults.push(fault);
                parts.push(Part::Text(Text::new(label)));
            }
        }
    }
    if !contents.is_empty() && faults.len() == contents.len() {
        return Plan::Invalid(faults.swap_remove(0));
    }
    if parts.iter().all(|part| matches!(part, Part::Text(_))) {
        let texts = parts.into_iter().filter_map(|part| match part {
            Part::Text(text) => Some(text),
            Part::Image(_) | Part::Video(_) => None,
        });
        return Plan::Text(Text::join(texts, "\n"));
    }
    Plan::Parts(parts)
}

/// One of the contents; where there is nothing to read, what was expected and the label that stands for it.
fn of_item(item: &Value, index: usize) -> Result<Part, (String, String)> {
    let fault = |message: &str, members: Option<Members<'_>>, fault: &str| {
        let label = Label {
            uri: members.and_then(|members| members.string("uri")),
            mime: members.and_then(Members::mime),
            fault: Some(fault),
            ..Label::default()
        };
        (format!("contents[{index}]: expected {message}"), label.text("Resource"))
    };
    let Value::Object(members) = item else {
        let expected = format!("resource contents (an object), got {}", kind_of(Some(item)));
        return Err(fault(&expected, None, "no content"));
    };
    let members = Members(members);
    if let Some(text) = members.string("text") {
        return Ok(Part::Text(Text::of(&text)));
    }
    match members.string("blob") {
        Some(data) if inspect(&data).is_some() => Ok(blob(members, Place::Answer, false)),
        Some(_) => Err(fault("base64 in blob, got other characters", Some(members), "its data is not base64")),
        None => {
            let expected = format!(
                "a string in text or in blob, got {} and {}",
                kind_of(members.0.get("text")),
                kind_of(members.0.get("blob"))
            );
            Err(fault(&expected, Some(members), "no content"))
        }
    }
}

const RESOURCE: [&str; 6] = ["uri", "name", "title", "description", "mimeType", "size"];
const TEMPLATE: [&str; 5] = ["uriTemplate", "name", "title", "description", "mimeType"];

/// The JSON text of a listing: `{"resources":[…],"resourceTemplates":[…],"nextCursor":"…"}`, from one page of `resources/list` and, on the first
/// page, one of `resources/templates/list`. An entry that cannot be read by its uri is left out; a page of another shape is an error.
#[must_use]
pub fn listing(resources: &str, templates: Option<&str>) -> Plan {
    let made = with_value(resources, |page| {
        let mut listing = Map::new();
        listing.insert("resources".into(), entries(page, "resources", &RESOURCE)?);
        let next = page.get("nextCursor").and_then(Value::as_str).filter(|cursor| !cursor.is_empty());
        Ok::<_, String>((listing, next.map(str::to_owned)))
    });
    let (mut listing, next) = match made {
        Ok(Ok(made)) => made,
        Ok(Err(fault)) | Err(fault) => return Plan::Invalid(fault),
    };
    if let Some(templates) = templates {
        match with_value(templates, |page| entries(page, "resourceTemplates", &TEMPLATE)) {
            Ok(Ok(Value::Array(list))) if list.is_empty() => {}
            Ok(Ok(list)) => drop(listing.insert("resourceTemplates".into(), list)),
            Ok(Err(fault)) | Err(fault) => return Plan::Invalid(fault),
        }
    }
    if let Some(next) = next {
        listing.insert("nextCursor".into(), next.into());
    }
    Plan::Text(Writer::exact().write(&Value::Object(listing)))
}

/// The entries of a page, with the members of MCP that have the right type; the first of `members` is the one that must be there.
fn entries(page: &Value, name: &str, members: &[&str]) -> Result<Value, String> {
    let list = if page.is_array() { Some(page) } else { page.get(name) };
    let Some(Value::Array(list)) = list else {
        return Err(format!("{name}: expected an array, got {}", kind_of(list)));
    };
    Ok(list.iter().filter_map(|entry| copied(entry, members)).collect())
}

fn copied(entry: &Value, members: &[&str]) -> Option<Value> {
    let entry = entry.as_object()?;
    let uri = members.first().and_then(|key| entry.get(*key)).filter(|uri| is_text(uri))?;
    let mut copy = Map::new();
    for &member in members {
        let value = entry.get(member);
        let kept = match member {
            // MCP asks for a name; the uri is what a reader would call it by otherwise.
            "name" => Some(value.filter(|name| is_text(name)).unwrap_or(uri)),
            "size" => value.filter(|size| size.as_f64().is_some_and(|size| size >= 0.0)),
            _ => value.filter(|value| value.is_string()),
        };
        if let Some(kept) = kept {
            copy.insert(member.to_owned(), kept.clone());
        }
    }
    Some(Value::Object(copy))
}

fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !Carried::read(text).is_empty())
}
