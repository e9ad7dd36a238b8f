//! Clouds, credentials, proxies and certificates.

mod clouds;
mod credentials;
mod host_session;
mod proxies;
mod trust;
