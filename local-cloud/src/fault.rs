//! Misbehaviour on demand: what the local cloud does wrong, when, and how often.

use std::str::FromStr;
use std::time::Duration;

/// One thing the local cloud does wrong.
///
/// Written as text (`svc local --fault TEXT`) it is the kind, then conditions, separated by commas:
///
/// | text | meaning |
/// |---|---|
/// | `status=503` | answers with the status; `retry-after=2` or `retry-after=250ms` adds the header, `body=...` sets the body |
/// | `reset` | drops the connection without an answer and does nothing |
/// | `reset-after` | carries the request out, then drops the connection without an answer |
/// | `truncated` | carries the request out and answers with half a body |
/// | `html` or `html=502` | answers with a page of HTML, as a proxy would |
/// | `delay=500` | waits so many milliseconds before it goes on |
/// | `fails` or `fails=Code` | the long-running operation ends as failed; `message=...` says why |
/// | `never-ends` | the long-running operation does not end |
/// | `permissions=*/read\|!Microsoft.Cdn/*` | a request for permissions is answered with these actions, and those after `!` as not allowed |
/// | `unregistered=Microsoft.Cdn` | the namespace is not registered until it is registered; it takes no conditions |
/// | `policy-token=Microsoft.Web` | writes to the namespace need a policy token that was acquired for just this request; it takes no conditions |
///
/// Conditions: `method=PUT`, `path=TEXT` (part of path and query, ignoring case), `skip=N` (the first N requests that match
/// go well), `times=N` or `times=always` (default 1). `body=` and `message=` take the rest of the text, commas and all.
///
/// ```
/// use svc_local_cloud::Fault;
/// let fault: Fault = "status=429,retry-after=1,method=PUT,path=storageAccounts,times=2".parse().unwrap();
/// assert_eq!(fault.times, 2);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Only requests with this method, ignoring case.
    pub method: Option<String>,
    /// Only requests whose path and query contain this, ignoring case.
    pub path: Option<String>,
    /// The number of matching requests that go well first.
    pub skip: u32,
    /// The number of matching requests that then go wrong; `u32::MAX` stands for all.
    pub times: u32,
    /// The kind of fault.
    pub kind: FaultKind,
}

/// The kind of fault.
#[derive(Clone, Debug, PartialEq)]
pub enum FaultKind {
    /// The request is not carried out and answered with this status.
    Status {
        /// The HTTP status.
        code: u16,
        /// The body; without one, Azure's error envelope with a code that fits the status.
        body: Option<String>,
        /// Sent as `Retry-After` in whole seconds, and as `x-ms-retry-after-ms`.
        retry_after: Option<Duration>,
    },
    /// The request is not carried out; the connection ends without an answer.
    ResetBeforeAnswer,
    /// The request is carried out; the connection ends without an answer.
    ResetAfterCarryingOut,
    /// The request is carried out; the answer ends in the middle of its body.
    TruncatedBody,
    /// The request is not carried out; the answer is a page of HTML.
    Html {
        /// The HTTP status.
        status: u16,
    },
    /// The request waits before it is carried out.
    Delay(Duration),
    /// The long-running operation that the request starts ends as failed. A request that starts none is not affected.
    OperationFails {
        /// Azure's error code.
        code: String,
        /// The sentence for people.
        message: String,
    },
    /// The long-running operation that the request starts never ends. A request that starts none is not affected.
    OperationNeverEnds,
    /// A request for permissions is answered with these. Nothing else is affected.
    Permissions {
        /// The actions that are allowed, as `Microsoft.Web/*`.
        actions: Vec<String>,
        /// The actions that are not, although they are among those.
        not_actions: Vec<String>,
    },
    /// Writes to what is of this namespace are refused until it is registered, which takes a while. Conditions do not count.
    Unregistered {
        /// The resource provider, as `Microsoft.Cdn`.
        namespace: String,
    },
    /// Writes to what is of this namespace are refused without a policy token that was acquired for just this request. Conditions do not count.
    PolicyToken {
        /// The resource provider, as `Microsoft.Web`.
        namespace: String,
    },
}

impl Fault {
    /// A fault of the next request, whatever it is.
    pub fn new(kind: FaultKind) -> Fault {
        Fault { method: None, path: None, skip: 0, times: 1, kind }
    }

    /// Only for requests of a method whose path and query contain a text.
    #[must_use]
    pub fn on(mut self, method: &str, path: &str) -> Fault {
        self.method = Some(method.to_owned());
        self.path = Some(path.to_owned());
        self
    }

    /// Lets so many matching requests go well first.
    #[must_use]
    pub fn skip(mut self, requests: u32) -> Fault {
        self.skip = requests;
        self
    }

    /// For so many matching requests; `u32::MAX` stands for all.
    #[must_use]
    pub fn times(mut self, requests: u32) -> Fault {
        self.times = requests;
        self
    }

    /// Whether a request is one it is for.
    pub(super) fn matches(&self, method: &str, url: &str) -> bool {
        self.method.as_ref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(method))
            && self.path.as_ref().is_none_or(|part| url.to_lowercase().contains(&part.to_lowercase()))
    }

    /// Whether it waits for a request for permissions.
    pub(super) fn concerns_permissions(&self) -> bool {
        matches!(self.kind, FaultKind::Permissions { .. })
    }

    /// Whether it waits for a request that starts an operation.
    pub(super) fn concerns_operation(&self) -> bool {
        matches!(self.kind, FaultKind::OperationFails { .. } | FaultKind::OperationNeverEnds)
    }
}

/// Why a text is not a fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultError {
    /// The text begins with no known kind.
    #[error(
        "'{0}' is not a kind of fault. Use status=CODE, reset, reset-after, truncated, html, delay=MILLISECONDS, fails, \
         never-ends, permissions=ACTION|ACTION, unregistered=NAMESPACE or policy-token=NAMESPACE."
    )]
    UnknownKind(String),
    /// A condition is not known, or does not belong to the kind.
    #[error(
        "'{0}' is not a condition of this kind of fault. Conditions are method, path, skip and times; status also takes \
         retry-after and body, fails also takes message."
    )]
    UnknownCondition(String),
    /// A value is not of the form it has to have.
    #[error("The value of '{name}' must be {expected}, found '{value}'.")]
    BadValue {
        /// The word before the equals sign.
        name: String,
        /// The text after it.
        value: String,
        /// The values that would be right.
        expected: &'static str,
    },
}

impl FromStr for Fault {
    type Err = FaultError;

    fn from_str(text: &str) -> Result<Fault, FaultError> {
        let (first, mut rest) = split(text, ',');
        let (name, value) = split(first, '=');
        let mut fault = Fault::new(kind(name.trim(), value)?);
        while let Some(text) = rest {
            let (name, after) = split(text, '=');
            let name = name.trim();
            let takes_rest = matches!(name, "body" | "message");
            let (value, after) = match (after, takes_rest) {
                (Some(value), true) => (value, None),
                (Some(after), false) => split(after, ','),
                (None, _) => return Err(FaultError::UnknownCondition(name.to_owned())),
            };
            set_condition(&mut fault, name, value)?;
            rest = after;
        }
        Ok(fault)
    }
}

fn split(text: &str, at: char) -> (&str, Option<&str>) {
    text.split_once(at).map_or((text, None), |(before, after)| (before, Some(after)))
}

fn kind(name: &str, value: Option<&str>) -> Result<FaultKind, FaultError> {
    let status = |value: &str| {
        let status: u16 = number(name, value, "an HTTP status from 200 to 599")?;
        match status {
            200..=599 => Ok(status),
            _ => Err(bad_value(name, value, "an HTTP status from 200 to 599")),
        }
    };
    match (name, value) {
        ("status", Some(value)) => Ok(FaultKind::Status { code: status(value)?, body: None, retry_after: None }),
        ("reset", None) => Ok(FaultKind::ResetBeforeAnswer),
        ("reset-after", None) => Ok(FaultKind::ResetAfterCarryingOut),
        ("truncated", None) => Ok(FaultKind::TruncatedBody),
        ("html", None) => Ok(FaultKind::Html { status: 502 }),
        ("html", Some(value)) => Ok(FaultKind::Html { status: status(value)? }),
        ("delay", Some(value)) => {
            number(name, value, "a number of milliseconds").map(|time| FaultKind::Delay(Duration::from_millis(time)))
        }
        ("fails", code) => Ok(FaultKind::OperationFails {
            code: code.unwrap_or("InternalServerError").to_owned(),
            message: "The operation failed, as it was told to.".to_owned(),
        }),
        ("never-ends", None) => Ok(FaultKind::OperationNeverEnds),
        ("permissions", Some(value)) => Ok(permissions(value)),
        ("unregistered", Some(namespace)) if !namespace.trim().is_empty() => {
            Ok(FaultKind::Unregistered { namespace: namespace.trim().to_owned() })
        }
        ("policy-token", Some(namespace)) if !namespace.trim().is_empty() => {
            Ok(FaultKind::PolicyToken { namespace: namespace.trim().to_owned() })
        }
        _ => Err(FaultError::UnknownKind(match value {
            Some(value) => format!("{name}={value}"),
            None => name.to_owned(),
        })),
    }
}

/// `*/read|!Microsoft.Cdn/*`: what is allowed, and what is not.
fn permissions(value: &str) -> FaultKind {
    let parts = value.split('|').map(str::trim).filter(|part| !part.is_empty());
    let (not_actions, actions): (Vec<&str>, Vec<&str>) = parts.partition(|part| part.starts_with('!'));
    FaultKind::Permissions {
        actions: actions.into_iter().map(str::to_owned).collect(),
        not_actions: not_actions.into_iter().map(|part| part.trim_start_matches('!').to_owned()).collect(),
    }
}

fn set_condition(fault: &mut Fault, name: &str, value: &str) -> Result<(), FaultError> {
    match (name, &mut fault.kind) {
        (_, FaultKind::Unregistered { .. } | FaultKind::PolicyToken { .. }) => {
            return Err(FaultError::UnknownCondition(name.to_owned()));
        }
        ("method", _) => fault.method = Some(value.trim().to_owned()),
        ("path", _) => fault.path = Some(value.trim().to_owned()),
        ("skip", _) => fault.skip = number(name, value, "a number of requests")?,
        ("times", _) if value == "always" => fault.times = u32::MAX,
        ("times", _) => fault.times = number(name, value, "a number of requests, or 'always'")?,
        ("retry-after", FaultKind::Status { retry_after, .. }) => {
            let expected = "a number of seconds, or of milliseconds as in '250ms'";
            *retry_after = Some(match value.strip_suffix("ms") {
                Some(milliseconds) => Duration::from_millis(number(name, milliseconds, expected)?),
                None => Duration::from_secs(number(name, value, expected)?),
            });
        }
        ("body", FaultKind::Status { body, .. }) => *body = Some(value.to_owned()),
        ("message", FaultKind::OperationFails { message, .. }) => value.clone_into(message),
        _ => return Err(FaultError::UnknownCondition(name.to_owned())),
    }
    Ok(())
}

fn number<T: FromStr>(name: &str, value: &str, expected: &'static str) -> Result<T, FaultError> {
    value.trim().parse().map_err(|_| bad_value(name, value, expected))
}

fn bad_value(name: &str, value: &str, expected: &'static str) -> FaultError {
    FaultError::BadValue { name: name.to_owned(), value: value.to_owned(), expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_kind() {
        let read = |text: &str| text.parse::<Fault>().unwrap();
        assert_eq!(
            read(
                "status=429,retry-after=250ms,method=put,path=storageAccounts,skip=1,times=always,body={\"a\":1,\"b\":2}"
            ),
            Fault {
                method: Some("put".into()),
                path: Some("storageAccounts".into()),
                skip: 1,
                times: u32::MAX,
                kind: FaultKind::Status {
                    code: 429,
                    body: Some("{\"a\":1,\"b\":2}".into()),
                    retry_after: Some(Duration::from_millis(250)),
                },
            }
        );
        assert_eq!(read("reset").kind, FaultKind::ResetBeforeAnswer);
        assert_eq!(read("reset-after,times=3").times, 3);
        assert_eq!(read("truncated").kind, FaultKind::TruncatedBody);
        assert_eq!(read("html").kind, FaultKind::Html { status: 502 });
        assert_eq!(read("html=200").kind, FaultKind::Html { status: 200 });
        assert_eq!(read("delay=20").kind, FaultKind::Delay(Duration::from_millis(20)));
        assert_eq!(read("never-ends").kind, FaultKind::OperationNeverEnds);
        assert_eq!(
            read("permissions=*/read|Microsoft.Web/*|!Microsoft.Web/sites/*,times=always").kind,
            FaultKind::Permissions {
                actions: vec!["*/read".into(), "Microsoft.Web/*".into()],
                not_actions: vec!["Microsoft.Web/sites/*".into()],
            }
        );
        assert_eq!(
            read("unregistered=Microsoft.Cdn").kind,
            FaultKind::Unregistered { namespace: "Microsoft.Cdn".into() }
        );
        assert_eq!(
            read("policy-token=Microsoft.Web").kind,
            FaultKind::PolicyToken { namespace: "Microsoft.Web".into() }
        );
        assert_eq!(
            read("fails=QuotaExceeded,message=No, not today.").kind,
            FaultKind::OperationFails { code: "QuotaExceeded".into(), message: "No, not today.".into() }
        );
    }

    #[test]
    fn says_what_is_wrong_with_a_text() {
        let error = |text: &str| text.parse::<Fault>().unwrap_err().to_string();
        assert!(error("explode").starts_with("'explode' is not a kind of fault. Use status=CODE, reset"));
        assert!(error("status=20").contains("must be an HTTP status from 200 to 599, found '20'"));
        assert!(error("reset,retry-after=1").starts_with("'retry-after' is not a condition of this kind"));
        assert!(error("reset,skip=x").contains("must be a number of requests"));
        assert!(error("reset,times").starts_with("'times' is not a condition"));
        assert!(error("unregistered=").starts_with("'unregistered=' is not a kind"));
        assert!(error("policy-token=").starts_with("'policy-token=' is not a kind"));
        assert!(error("policy-token=Microsoft.Web,path=x").starts_with("'path' is not a condition"));
        assert!(error("unregistered=Microsoft.Cdn,times=2").starts_with("'times' is not a condition"));
        assert!(error("").starts_with("'' is not a kind of fault"));
    }
}
