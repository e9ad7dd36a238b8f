//! Why a credential gives no token, in words that help.

use std::error::Error;
use std::time::Duration;

use super::authority::TooLarge;
use crate::azure::response::host_of;
use crate::azure::unreachable::Unreachable;
use crate::protocol::{Code, ErrorReport};

/// Longer explanations are cut: command lines print whole tracebacks.
const LONGEST: usize = 600;

/// Why there is no token.
#[derive(Debug, Clone)]
pub(super) enum Reason {
    /// The credential that was set up cannot be used as it is, so nobody was asked.
    Unusable {
        /// Why, to stand behind a colon: without the end of a sentence.
        text: String,
        /// The advice, in sentences.
        advice: String,
    },
    /// The credential was refused: a sentence without its full stop.
    Refused {
        text: String,
        /// The trace id of Microsoft Entra, for a support case.
        trace_id: Option<String>,
    },
    /// Whoever gives tokens was not reached: who, and why.
    Unreachable(String, Unreachable),
    /// There was no answer in time.
    Slow(Duration),
}

/// The advice for the refusals of Microsoft Entra, by their code. One table; source: Microsoft identity platform,
/// "Microsoft Entra authentication and authorization error codes".
const ADVICE: &[(&str, &str)] = &[
    (
        "AADSTS7000222",
        "The client secret has expired. Make a new one for the app registration and set AZURE_CLIENT_SECRET to its value.",
    ),
    ("AADSTS7000215", "Set AZURE_CLIENT_SECRET to the value of the client secret, not to its id."),
    (
        "AADSTS90002",
        "The tenant is not known. Check AZURE_TENANT_ID, the tenant of the context, and which cloud is chosen.",
    ),
    (
        "AADSTS900023",
        "The tenant is not known. Check AZURE_TENANT_ID, the tenant of the context, and which cloud is chosen.",
    ),
    (
        "AADSTS700016",
        "The application is not in this tenant. Check AZURE_CLIENT_ID and AZURE_TENANT_ID, and which cloud is chosen.",
    ),
    (
        "AADSTS700027",
        "The app registration does not have this certificate. Upload it there, or set AZURE_CLIENT_CERTIFICATE_PATH to another one.",
    ),
    (
        "AADSTS700024",
        "The clock of this machine is wrong, or the federated token has expired. Correct the clock and get a new token.",
    ),
    ("AADSTS700211", "Add a federated credential with this issuer to the app registration or the managed identity."),
    ("AADSTS700212", "Add a federated credential with this audience to the app registration or the managed identity."),
    ("AADSTS700213", "Add a federated credential with this subject to the app registration or the managed identity."),
    (
        "AADSTS70021",
        "Add a federated credential with this issuer and subject to the app registration or the managed identity.",
    ),
    ("AADSTS7000112", "The application is disabled. Ask an administrator of the tenant to enable it."),
    ("AADSTS50076", "The sign-in requires multi-factor authentication. Sign in again: Connect-AzAccount or az login."),
    ("AADSTS50079", "The sign-in requires multi-factor authentication. Sign in again: Connect-AzAccount or az login."),
    ("AADSTS53003", "Conditional Access blocks this sign-in. Ask an administrator of the tenant."),
    ("AADSTS700082", "The sign-in has expired. Sign in again: Connect-AzAccount or az login."),
    ("AADSTS50173", "The sign-in was revoked. Sign in again: Connect-AzAccount or az login."),
];

impl Reason {
    /// A refusal in plain words.
    pub(super) fn plain(text: impl Into<String>) -> Reason {
        Reason::Refused { text: text.into(), trace_id: None }
    }

    /// Why what was set up cannot be used, and what to do about it.
    pub(super) fn unusable(text: impl Into<String>, advice: impl Into<String>) -> Reason {
        Reason::Unusable { text: text.into(), advice: advice.into() }
    }

    /// The meaning of an error of azure_core: it wraps causes, and adds links and traces on further lines.
    pub(super) fn of(error: &azure_core::Error) -> Reason {
        let mut cause: Option<&(dyn Error + 'static)> = Some(error);
        while let Some(error) = cause {
            if let Some(error) = error.downcast_ref::<reqwest::Error>() {
                let host = error.url().map_or_else(|| "the authority".to_owned(), host_of);
                return Reason::Unreachable(host, Unreachable::of(error));
            }
            if error.is::<TooLarge>() {
                return Reason::plain(error.to_string());
            }
            if error.is::<serde_json::Error>() {
                return Reason::plain(
                    "the answer is not from Microsoft Entra; a proxy or a sign-in page may have answered",
                );
            }
            cause = error.source();
        }
        Reason::from_text(&error.to_string())
    }

    fn from_text(text: &str) -> Reason {
        let text = text.split("To troubleshoot, visit").next().unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = match text.split_once("Credential authentication failed.") {
            Some((name, rest)) if !name.contains(' ') => rest.trim(),
            _ => text.as_str(),
        };
        if text.ends_with("not found on PATH") {
            return Reason::plain("not installed, or not on the PATH");
        }
        let (text, trailer) = match text.find(" Trace ID: ") {
            Some(position) => text.split_at(position),
            None => (text, ""),
        };
        let trace_id = trailer.split_whitespace().nth(2).map(str::to_owned);
        let text: String = text.trim_start_matches("ERROR: ").trim_end_matches('.').chars().take(LONGEST).collect();
        let text = if text.is_empty() { "no reason was given".to_owned() } else { text };
        Reason::Refused { text, trace_id }
    }

    pub(super) fn text(&self) -> String {
        match self {
            Reason::Unusable { text, .. } | Reason::Refused { text, .. } => text.clone(),
            Reason::Unreachable(host, Unreachable { reason, .. }) => format!("{host} cannot be reached: {reason}"),
            Reason::Slow(patience) => format!("no answer within {} seconds", patience.as_secs()),
        }
    }

    /// The error of a credential that has to work.
    pub(super) fn report(&self, name: &str) -> ErrorReport {
        let (code, recommendation) = match self {
            Reason::Refused { text, .. } => {
                let advice = ADVICE.iter().find(|(code, _)| has_code(text, code)).map(|(_, advice)| *advice);
                let advice =
                    advice.unwrap_or("Check the tenant, the client and whether its secret or sign-in has expired.");
                (Code::CredentialRefused, advice)
            }
            Reason::Unusable { advice, .. } => (Code::CredentialRefused, advice.as_str()),
            Reason::Unreachable(_, Unreachable { advice, .. }) => (Code::ConnectionFailed, *advice),
            Reason::Slow(_) => (
                Code::ConnectionFailed,
                "Check the network, the proxy variables and AZURE_AUTHORITY_HOST, then run the command again.",
            ),
        };
        let what = if matches!(self, Reason::Unusable { .. }) { "cannot be used" } else { "returned no token" };
        let trace_id = if let Reason::Refused { trace_id, .. } = self { trace_id.clone() } else { None };
        let mut report = ErrorReport::terminating(code, format!("The {name} {what}: {}.", self.text()));
        report.failure.request_id = trace_id;
        report.recommending(recommendation)
    }
}

/// Whether a code stands in a text, as a whole: `AADSTS70021` is the beginning of others.
fn has_code(text: &str, code: &str) -> bool {
    text.match_indices(code)
        .any(|(position, _)| !text[position + code.len()..].starts_with(|character: char| character.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_credentials_say_becomes_one_sentence() {
        let text = |text: &str| Reason::from_text(text).text();
        assert_eq!(
            text(
                "AzureCliCredential authentication failed. ERROR: Please run 'az login' to setup account.\n\nTo troubleshoot, visit https://aka.ms/x#azure-cli"
            ),
            "Please run 'az login' to setup account"
        );
        assert_eq!(
            text(
                "AzureDeveloperCliCredential authentication failed.\nnot logged in, run `azd auth login`\nTo troubleshoot, visit https://x"
            ),
            "not logged in, run `azd auth login`"
        );
        assert_eq!(
            text("AzureCliCredential authentication failed. az not found on PATH"),
            "not installed, or not on the PATH"
        );
        assert_eq!(text("AzureCliCredential authentication failed. "), "no reason was given");
    }

    #[test]
    fn refusals_of_entra_have_advice_and_a_trace() {
        let expired = "ClientSecretCredential authentication failed. AADSTS7000222: The provided client secret keys are expired.\r\nTrace ID: 0f1e\r\nCorrelation ID: c Timestamp: t";
        let report = Reason::from_text(expired).report("client secret");
        assert_eq!(
            report.failure.message,
            "The client secret returned no token: AADSTS7000222: The provided client secret keys are expired."
        );
        assert_eq!(report.failure.request_id.as_deref(), Some("0f1e"));
        assert!(report.failure.recommendation.unwrap().starts_with("The client secret has expired."));
        assert!(has_code("AADSTS70021: No", "AADSTS70021") && !has_code("AADSTS700213: No", "AADSTS70021"));
    }
}
