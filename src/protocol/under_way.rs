//! The changes that are under way while a command works.

use serde::Serialize;

/// A resource that is being changed, in a message of progress.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UnderWay {
    /// The full resource id.
    pub resource_id: String,
    /// The plain name, as in `storage account 'stshop'`.
    pub name: String,
    /// Since it began, when the message was sent.
    pub seconds: f64,
    /// The time that Azure usually takes; none where that is a moment or not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usual_seconds: Option<u64>,
}
