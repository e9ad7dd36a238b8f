//! The query of a URL.

use super::reply::Refusal;
use super::resource_types::ResourceType;
use url::form_urlencoded;

/// The parameters in the order they were sent. Names compare ignoring case.
#[derive(Clone, Debug, Default)]
pub(super) struct Query(Vec<(String, String)>);

impl Query {
    /// Reads what stands after the question mark.
    pub(super) fn parse(text: &str) -> Query {
        Query(form_urlencoded::parse(text.as_bytes()).into_owned().collect())
    }

    /// The value of a parameter.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The query with one parameter set.
    pub(super) fn with(&self, name: &str, value: &str) -> String {
        let others = self.0.iter().filter(|(other, _)| !other.eq_ignore_ascii_case(name));
        form_urlencoded::Serializer::new(String::new()).extend_pairs(others).append_pair(name, value).finish()
    }

    /// The api-version, which every request to Resource Manager needs: `YYYY-MM-DD` and perhaps a stage.
    pub(super) fn api_version(&self) -> Result<&str, Refusal> {
        let version = self.get("api-version").filter(|version| !version.is_empty()).ok_or_else(|| {
            Refusal::bad_request(
                "MissingApiVersionParameter",
                "The api-version query parameter (?api-version=) is required for all requests.",
            )
        })?;
        if !is_api_version(version) {
            return Err(Refusal::bad_request(
                "InvalidApiVersionParameter",
                format!(
                    "The api-version '{version}' is invalid. The supported versions are dates of the form YYYY-MM-DD, with -preview \
                     for a preview."
                ),
            ));
        }
        Ok(version)
    }
}

/// A type with an entry takes the api-versions of its entry only.
pub(super) fn check_api_version(version: &str, type_name: &str, entry: Option<&ResourceType>) -> Result<(), Refusal> {
    let Some(entry) =
        entry.filter(|entry| !entry.api_versions().iter().any(|known| known.eq_ignore_ascii_case(version)))
    else {
        return Ok(());
    };
    let (namespace, kind) = type_name.split_once('/').unwrap_or((type_name, ""));
    Err(Refusal::bad_request(
        "NoRegisteredProviderFound",
        format!(
            "No registered resource provider found for API version '{version}' and type '{kind}' of '{namespace}'. The supported \
             api-versions are '{}'.",
            entry.api_versions().join(", ")
        ),
    ))
}

fn is_api_version(text: &str) -> bool {
    const STAGES: &[&str] = &["preview", "alpha", "beta", "rc", "privatepreview"];
    let Some((date, rest)) = text.split_at_checked(10) else { return false };
    let date_is_good = date.bytes().enumerate().all(|(index, byte)| match index {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    date_is_good && (rest.is_empty() || rest.strip_prefix('-').is_some_and(|stage| STAGES.contains(&stage)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_form_of_an_api_version() {
        let check = |query: &str| Query::parse(query).api_version().map(str::to_owned).map_err(|refusal| refusal.code);
        assert_eq!(check("API-Version=2025-04-01"), Ok("2025-04-01".into()));
        assert_eq!(check("api-version=2021-05-01-preview"), Ok("2021-05-01-preview".into()));
        assert_eq!(check("a=b"), Err("MissingApiVersionParameter".into()));
        assert_eq!(check("api-version="), Err("MissingApiVersionParameter".into()));
        for bad in ["latest", "2025-4-1", "2025-04-01x", "2025-04-01-soon", "2025-04-0"] {
            assert_eq!(check(&format!("api-version={bad}")), Err("InvalidApiVersionParameter".into()), "{bad}");
        }
    }

    #[test]
    fn sets_a_parameter_once() {
        let query = Query::parse("$filter=tagName+eq+'a'&%24skiptoken=old&api-version=2025-04-01");
        let next = Query::parse(&query.with("$skiptoken", "/new key"));
        assert_eq!(next.get("$skiptoken"), Some("/new key"));
        assert_eq!(next.get("$filter"), Some("tagName eq 'a'"));
        assert_eq!(next.0.len(), 3);
    }
}
