//! The addresses of requests: which links of an answer are followed, and where the token may go.

use url::Url;

use super::ArmClient;
use crate::azure::error::ArmError;
use crate::azure::response::host_of;
use crate::protocol::is_loopback;

impl ArmClient {
    /// The URL of a path below the endpoint.
    pub(in crate::azure) fn url(&self, path: &str, api_version: &str, query: &str) -> Result<Url, ArmError> {
        let mut url = self.inner.cloud.endpoint.clone();
        let base = url.path().trim_end_matches('/').to_owned();
        url.set_path(&format!("{base}{path}"));
        let more = if query.is_empty() { String::new() } else { format!("{query}&") };
        url.set_query(Some(&format!("{more}api-version={api_version}")));
        Ok(url)
    }

    /// A link Azure sent, taken as it is. Only an endpoint on this machine may be reached without TLS.
    ///
    /// # Errors
    /// It is no link, one without TLS, or one to a host that may not be sent the token.
    pub fn follow(&self, link: &str) -> Result<Url, ArmError> {
        let endpoint = &self.inner.cloud.endpoint;
        let url = endpoint.join(link).map_err(|error| self.not_azure(&format!("an invalid link: {error}")))?;
        let is_own = endpoint.scheme() == "http" && is_loopback(endpoint) && url.origin() == endpoint.origin();
        if url.scheme() != "https" && !is_own {
            return Err(self.not_azure(&format!("a link to {} that does not use https", host_of(&url))));
        }
        // Without the token, which it must not get, it would say nothing.
        if !self.is_trusted(&url) {
            return Err(self.not_azure(&format!("a link to another host, {}", host_of(&url))));
        }
        Ok(url)
    }

    /// Whether a URL may be sent the token: the endpoint itself, or a host of the same cloud below its name, over TLS unless it is
    /// this machine.
    #[must_use]
    pub fn is_trusted(&self, url: &Url) -> bool {
        let endpoint = &self.inner.cloud.endpoint;
        let (Some(host), Some(own)) = (url.host_str(), endpoint.host_str()) else { return false };
        let is_private = url.scheme() == "https" || is_loopback(url);
        is_private && url.origin() == endpoint.origin() || url.scheme() == "https" && host.ends_with(&format!(".{own}"))
    }
}
