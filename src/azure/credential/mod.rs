//! The credentials of a run: a chain built from what the request brings, never from the process's own environment.

mod authority;
mod certificate;
mod chain;
mod claims;
mod command_line;
mod file;
mod managed_identity;
mod reason;

use std::sync::Arc;
use std::time::{Duration, Instant};

use azure_core::credentials::{AccessToken, TokenCredential, TokenRequestOptions};
use azure_core::time::OffsetDateTime;
use tokio::sync::Mutex;

use chain::Link;
pub use chain::Sources;
use claims::claims_of;
use reason::Reason;

use crate::protocol::{Code, ErrorReport, Host};

/// A token is renewed this long before it ends.
const RENEWAL: Duration = Duration::from_secs(300);
/// The time that one credential may take to give a token: a host may have to ask its user.
const PATIENCE: Duration = Duration::from_secs(120);
/// No token lives longer: what says so has a wrong clock, or means harm.
const LONGEST_LIFE: Duration = Duration::from_secs(7 * 86_400);

/// The tokens of a run, from the first credential of the chain that gave one.
#[derive(Clone)]
pub struct Tokens {
    inner: Arc<TokensInner>,
}

struct TokensInner {
    scope: String,
    chain: Vec<Link>,
    host: Host,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    chosen: Option<usize>,
    token: Option<Token>,
}

/// The identity of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The credential, and whose it is where its token says so: `me@example.com (Azure CLI)`.
    pub description: String,
    /// GUID of the tenant that issued the token, where it says so.
    pub tenant_id: Option<String>,
}

struct Token {
    text: String,
    renew_at: OffsetDateTime,
    obtained: Instant,
}

/// The advice where no credential works.
const SIGN_IN: &str = "Sign in with Connect-AzAccount or az login, set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET, set AZURE_TOKEN_CREDENTIALS to \
    ManagedIdentityCredential on a virtual machine with an identity, or choose the local cloud (Set-SvcContext -Cloud local). \
    A plan of what the settings say, without what exists, needs none: -WhatIf with -Offline.";

impl Tokens {
    /// Builds the chain. Nothing is asked for a token yet.
    #[must_use]
    pub fn new(sources: &Sources<'_>) -> Tokens {
        let inner = TokensInner {
            scope: format!("{}/.default", sources.cloud.audience),
            chain: chain::chain(sources),
            host: sources.host.clone(),
            state: Mutex::default(),
        };
        Tokens { inner: Arc::new(inner) }
    }

    /// A token that is good for some minutes.
    ///
    /// # Errors
    /// `CredentialUnavailable` when no credential gives one, with what was tried and why not; `CredentialRefused` when one
    /// that was set up for this run is refused, and `ConnectionFailed` when nobody could be asked.
    pub async fn current(&self) -> Result<String, ErrorReport> {
        let mut state = self.inner.state.lock().await;
        match &state.token {
            Some(token) if token.renew_at > OffsetDateTime::now_utc() => Ok(token.text.clone()),
            _ => self.obtain(&mut state).await,
        }
    }

    /// The credential of the current token, and whose it is; none before there was one.
    pub async fn identity(&self) -> Option<Identity> {
        let state = self.inner.state.lock().await;
        let (chosen, token) = (state.chosen?, state.token.as_ref()?);
        let (name, claims) = (self.inner.chain[chosen].name, claims_of(&token.text));
        let description = claims.owner.map_or_else(|| name.to_owned(), |owner| format!("{owner} ({name})"));
        Some(Identity { description, tenant_id: claims.tenant_id })
    }

    /// Gets another token, because Azure refused the one of a request that began then; unless that was done since.
    ///
    /// # Errors
    /// As [`Tokens::current`].
    pub async fn renew(&self, request_began: Instant) -> Result<(), ErrorReport> {
        let mut state = self.inner.state.lock().await;
        if state.token.as_ref().is_some_and(|token| token.obtained > request_began) {
            return Ok(());
        }
        self.inner.host.verbose("Azure refused the token; requesting another one.");
        self.obtain(&mut state).await.map(|_| ())
    }

    async fn obtain(&self, state: &mut State) -> Result<String, ErrorReport> {
        let token = match state.chosen {
            Some(position) => {
                self.ask(position).await.map_err(|reason| reason.report(self.inner.chain[position].name))?
            }
            None => {
                let (position, token) = self.first().await?;
                state.chosen = Some(position);
                token
            }
        };
        let text = token.token.secret().to_owned();
        self.inner.host.secrets().add(&text);
        let renew_at = renew_at(OffsetDateTime::now_utc(), token.expires_on);
        state.token = Some(Token { text: text.clone(), renew_at, obtained: Instant::now() });
        Ok(text)
    }

    async fn first(&self) -> Result<(usize, AccessToken), ErrorReport> {
        let mut tried = Vec::new();
        for (position, link) in self.inner.chain.iter().enumerate() {
            match self.ask(position).await {
                Ok(token) => {
                    self.inner.host.verbose(format!("Signed in with the {}.", link.name));
                    for reason in &tried {
                        self.inner.host.verbose(format!("Not used: {reason}."));
                    }
                    return Ok((position, token));
                }
                Err(reason) if link.explicit => return Err(reason.report(link.name)),
                Err(reason) => tried.push(format!("{} ({})", link.name, reason.text())),
            }
        }
        let message = format!("No credential for Azure was found. Tried: {}.", tried.join(", "));
        Err(ErrorReport::terminating(Code::CredentialUnavailable, message).recommending(SIGN_IN))
    }

    async fn ask(&self, position: usize) -> Result<AccessToken, Reason> {
        // Built anew each time: credentials keep tokens of their own, and what is asked for may be another one than the last.
        let credential = (self.inner.chain[position].build)()?;
        match tokio::time::timeout(PATIENCE, credential.get_token(&[&self.inner.scope], None)).await {
            Ok(answer) => answer.map_err(|error| Reason::of(&error)),
            Err(_) => Err(Reason::Slow(PATIENCE)),
        }
    }
}

/// Some minutes before a token ends, which is at most [`LONGEST_LIFE`] from now; for one that has not that long, when half of its time is over, so that a credential
/// which keeps its tokens to the end is not asked before each request.
fn renew_at(now: OffsetDateTime, expires_on: OffsetDateTime) -> OffsetDateTime {
    let expires_on = expires_on.clamp(now, now.saturating_add(LONGEST_LIFE.try_into().unwrap_or_default()));
    let early = expires_on.saturating_sub(RENEWAL.try_into().unwrap_or_default());
    if early > now { early } else { now + (expires_on - now) / 2 }
}

/// Tokens of the host's Azure session, asked for through a message.
#[derive(Debug)]
struct HostCredential {
    host: Host,
    resource: String,
    tenant_id: Option<String>,
}

#[async_trait::async_trait]
impl TokenCredential for HostCredential {
    async fn get_token(
        &self,
        _scopes: &[&str],
        _options: Option<TokenRequestOptions<'_>>,
    ) -> azure_core::Result<AccessToken> {
        let token = self
            .host
            .token(&self.resource, self.tenant_id.as_deref())
            .await
            .map_err(|reason| azure_core::Error::with_message(azure_core::error::ErrorKind::Credential, reason))?;
        let expires_on = OffsetDateTime::from_unix_timestamp(token.expires_on)
            .map_err(|error| azure_core::Error::new(azure_core::error::ErrorKind::Credential, error))?;
        Ok(AccessToken::new(token.token, expires_on))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_renewed_before_they_end() {
        let now = OffsetDateTime::UNIX_EPOCH;
        let after = |seconds| Duration::from_secs(seconds);
        assert_eq!(renew_at(now, now + after(3600)), now + after(3300));
        assert_eq!(renew_at(now, now + after(200)), now + after(100));
        assert!(renew_at(now, now - after(10)) <= now);
        let (first, last) = (-377_705_116_800, 253_402_300_799);
        let moment = |seconds| OffsetDateTime::from_unix_timestamp(seconds).unwrap();
        assert_eq!(renew_at(now, moment(first)), now);
        assert_eq!(renew_at(now, moment(last)), now + LONGEST_LIFE - RENEWAL);
        assert_eq!(renew_at(moment(first), moment(first)), moment(first));
    }
}
