//! Listings, page after page.

use std::collections::HashSet;

use reqwest::Method;
use serde_json::Value;

use super::{ArmClient, is_absent};
use crate::azure::error::ArmError;
use crate::azure::payload::Content;
use crate::azure::understood::{self, Entries};

/// More pages than any listing has.
const MOST_PAGES: usize = 10_000;
/// More resources than any subscription has: Azure takes 980 groups with 800 resources of a type.
const MOST_ENTRIES: usize = 1_000_000;
/// The most that is read of one listing, in bytes.
const LARGEST_LISTING: usize = 1 << 30;

impl ArmClient {
    /// Reads all pages of a listing. A listing below something that does not exist is empty.
    ///
    /// # Errors
    /// [`ArmError`], after retries.
    pub async fn list(&self, path: &str, api_version: &str, query: &str, of: Entries) -> Result<Vec<Value>, ArmError> {
        match self.pages(path, api_version, query, of, MOST_PAGES).await? {
            (items, false) => Ok(items),
            (_, true) => Err(self.not_azure(&format!("a listing of more than {MOST_PAGES} pages"))),
        }
    }

    /// Reads so many pages of a listing, and says whether there are more.
    pub(super) async fn pages(
        &self,
        path: &str,
        api_version: &str,
        query: &str,
        of: Entries,
        most: usize,
    ) -> Result<(Vec<Value>, bool), ArmError> {
        let (mut items, mut size, mut followed) = (Vec::new(), 0, HashSet::new());
        let mut next = Some(self.url(path, api_version, query)?);
        while let Some(url) = next.take() {
            if followed.len() == most {
                return Ok((items, true));
            }
            if !followed.insert(url.clone()) {
                return Err(self.not_azure("a listing whose pages are linked in a circle"));
            }
            let answer = match self.send(Method::GET, url, Content::None).await {
                // Of a listing that has begun, what is not there is a page.
                Err(ArmError::Refused(refusal)) if followed.len() == 1 && is_absent(&refusal) => {
                    return Ok((items, false));
                }
                answer => answer?,
            };
            size += answer.size;
            let (entries, link) = self.understood(answer.status, understood::page(answer.body, of))?;
            items.extend(entries);
            for (count, most, what) in [(items.len(), MOST_ENTRIES, "entries"), (size, LARGEST_LISTING, "bytes")] {
                if count > most {
                    return Err(self.not_azure(&format!("a listing of more than {most} {what}")));
                }
            }
            next = link.map(|link| self.follow(&link)).transpose()?;
        }
        Ok((items, false))
    }
}
