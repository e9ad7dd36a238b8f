//! The part of OData's `$filter` that Resource Manager's listings take.

use super::reply::Refusal;
use super::state::Resource;
use super::tags;
use serde_json::Value;

/// A filter: everything it names has to hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Filter {
    resource_type: Option<String>,
    tag_name: Option<String>,
    tag_value: Option<String>,
    name: Option<String>,
    location: Option<String>,
    resource_group: Option<String>,
}

impl Filter {
    /// Reads `tagName eq 'a' and tagValue eq 'b'`.
    pub(super) fn parse(text: &str) -> Result<Filter, Refusal> {
        let wrong = || {
            Refusal::bad_request(
                "InvalidFilterInQueryString",
                format!("Invalid $filter '{text}' specified in the query string."),
            )
        };
        let mut filter = Filter::default();
        let mut tokens = tokens(text).ok_or_else(wrong)?.into_iter();
        loop {
            let (Some(Token::Word(member)), Some(Token::Word(operator)), Some(Token::Text(value))) =
                (tokens.next(), tokens.next(), tokens.next())
            else {
                return Err(wrong());
            };
            let place = match member.to_ascii_lowercase().as_str() {
                "resourcetype" => &mut filter.resource_type,
                "tagname" => &mut filter.tag_name,
                "tagvalue" => &mut filter.tag_value,
                "name" => &mut filter.name,
                "location" => &mut filter.location,
                "resourcegroup" => &mut filter.resource_group,
                _ => return Err(wrong()),
            };
            if !operator.eq_ignore_ascii_case("eq") || place.replace(value).is_some() {
                return Err(wrong());
            }
            match tokens.next() {
                None => break,
                Some(Token::Word(and)) if and.eq_ignore_ascii_case("and") => {}
                Some(_) => return Err(wrong()),
            }
        }
        if filter.tag_value.is_some() && filter.tag_name.is_none() {
            return Err(wrong());
        }
        Ok(filter)
    }

    /// Whether a resource is meant. Tag names compare ignoring case, tag values do not.
    pub(super) fn matches(&self, key: &str, resource: &Resource) -> bool {
        let equal = |wanted: &Option<String>, member: &str| {
            wanted.as_ref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(resource.text(member)))
        };
        let tag = |name: &String| {
            let value = resource.body.get("tags").and_then(Value::as_object).and_then(|all| tags::find(all, name));
            match (&self.tag_value, value) {
                (_, None) => false,
                (None, Some(_)) => true,
                (Some(wanted), Some(value)) => value == wanted,
            }
        };
        equal(&self.resource_type, "type")
            && equal(&self.name, "name")
            && equal(&self.location, "location")
            && self.tag_name.as_ref().is_none_or(tag)
            && self
                .resource_group
                .as_ref()
                .is_none_or(|group| key.contains(&format!("/resourcegroups/{}/", group.to_lowercase())))
    }

    /// Azure leaves the tags out of a listing that is filtered by name and value of one.
    pub(super) fn hides_tags(&self) -> bool {
        self.tag_value.is_some()
    }
}

enum Token {
    Word(String),
    Text(String),
}

/// Words and texts in single quotes, a quote inside doubled. `None` where a text has no end.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter.is_whitespace() {
            continue;
        }
        let mut token = String::new();
        if letter == '\'' {
            loop {
                match letters.next()? {
                    '\'' if letters.peek() == Some(&'\'') => {
                        letters.next();
                        token.push('\'');
                    }
                    '\'' => break,
                    other => token.push(other),
                }
            }
            tokens.push(Token::Text(token));
        } else {
            token.push(letter);
            while let Some(more) = letters.next_if(|letter| !letter.is_whitespace() && *letter != '\'') {
                token.push(more);
            }
            tokens.push(Token::Word(token));
        }
    }
    Some(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn resource(body: Value) -> Resource {
        Resource::new(body.as_object().unwrap().clone())
    }

    #[test]
    fn tag_names_ignore_case_and_values_do_not() {
        let tagged = resource(json!({"type": "N.S/a", "tags": {"Svc": "it's"}}));
        let matches = |text: &str| Filter::parse(text).unwrap().matches("/x", &tagged);
        assert!(matches("tagName eq 'svc'"));
        assert!(matches("tagname EQ 'SVC' And tagvalue eq 'it''s'"));
        assert!(matches("resourceType eq 'n.s/A' and tagName eq 'svc'"));
        assert!(!matches("tagName eq 'svc' and tagValue eq 'IT''S'"));
        assert!(!matches("resourceType eq 'N.S/b'"));
    }

    #[test]
    fn only_name_and_value_together_hide_the_tags() {
        assert!(!Filter::parse("tagName eq 'a'").unwrap().hides_tags());
        assert!(Filter::parse("tagName eq 'a' and tagValue eq ''").unwrap().hides_tags());
    }

    #[test]
    fn refuses_what_it_does_not_understand() {
        for text in [
            "",
            "tagName",
            "tagName eq a",
            "tagName eq 'a' or b eq 'c'",
            "tagValue eq 'a'",
            "tagName eq 'a",
            "x eq 'y'",
        ] {
            assert_eq!(Filter::parse(text).unwrap_err().code, "InvalidFilterInQueryString", "{text}");
        }
    }
}
