//! Questions to Azure Monitor and Azure Resource Graph about the past. They change nothing.

use reqwest::Method;
use serde_json::Value;

use super::ArmClient;
use crate::azure::error::ArmError;
use crate::azure::payload::Content;
use crate::azure::rate_limits::RESOURCE_GRAPH as GRAPH_PATH;
use crate::azure::retry::Repeat;
use crate::azure::understood::{self, Entries};

/// azure-rest-api-specs, specification/monitor, Microsoft.Insights stable, metrics_API.json.
const METRICS: &str = "2024-02-01";
/// azure-rest-api-specs, specification/monitor, Microsoft.Insights stable, activityLogs_API.json.
const EVENTS: &str = "2015-04-01";
/// Azure Monitor, "Cross-resource queries" (logs/api/azure-resource-queries).
const LOGS: &str = "2018-03-01-preview";
/// The most pages of the activity log that are read: a subscription in which more happens is looked at as far as they go back.
const MOST_PAGES: usize = 200;

/// azure-rest-api-specs, specification/resourcegraph, stable.
const RESOURCE_GRAPH: &str = "2024-04-01";

impl ArmClient {
    /// Runs a query of Azure Resource Graph.
    ///
    /// # Errors
    /// [`ArmError`], after retries.
    pub async fn resource_graph(&self, body: &Value) -> Result<Value, ArmError> {
        let url = self.url(GRAPH_PATH, RESOURCE_GRAPH, "")?;
        let answer = self.send_until(Method::POST, url, Content::Fixed(body), Repeat::Always, None).await?;
        self.understood(answer.status, understood::with_list(answer.body, "data"))
    }

    /// Reads values of metrics.
    ///
    /// # Errors
    /// [`ArmError`], after retries.
    pub async fn metrics(&self, path: &str, query: &str) -> Result<Value, ArmError> {
        let answer = self.send(Method::GET, self.url(path, METRICS, query)?, Content::None).await?;
        self.understood(answer.status, understood::with_list(answer.body, "value"))
    }

    /// Runs a log query.
    ///
    /// # Errors
    /// [`ArmError`], after retries.
    pub async fn log_query(&self, path: &str, body: &Value) -> Result<Value, ArmError> {
        let url = self.url(path, LOGS, "")?;
        let answer = self.send_until(Method::POST, url, Content::Fixed(body), Repeat::Always, None).await?;
        self.understood(answer.status, understood::with_list(answer.body, "tables"))
    }

    /// Reads events of the activity log, the newest first: all of them as one list, and whether there are more than are read.
    ///
    /// # Errors
    /// [`ArmError`], after retries.
    pub async fn events(&self, path: &str, query: &str) -> Result<(Value, bool), ArmError> {
        let (events, has_more) = self.pages(path, EVENTS, query, Entries::Events, MOST_PAGES).await?;
        Ok((Value::Array(events), has_more))
    }
}
