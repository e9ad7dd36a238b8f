//! The payload of a request. A written body may have to be made anew for each try: between two tries minutes may pass, and somebody
//! else may change the resource.

use std::borrow::Cow;

use futures::future::BoxFuture;
use reqwest::header::HeaderValue;
use serde_json::Value;

use super::error::ArmError;
use super::response::Answer;

/// The next step of a write.
#[derive(Debug)]
pub enum Writing {
    /// It is sent.
    Send {
        /// The body; none for a deletion.
        body: Option<Value>,
        /// The etag that the resource has to have still.
        etag: Option<String>,
    },
    /// Nothing is left to be done: the resource as it is, none where it is to be gone.
    Done(Option<Value>),
}

/// A write that is made anew for each try.
pub trait Write: Sync {
    /// The next thing to do. `overtaken` says that Azure has refused the etag of a try before.
    ///
    /// # Errors
    /// The request that fails, or that the write would undo what somebody else did.
    fn next(&self, overtaken: bool) -> BoxFuture<'_, Result<Writing, ArmError>>;
}

/// The same body in each try, whatever is there; null for a deletion.
impl Write for Value {
    fn next(&self, _: bool) -> BoxFuture<'_, Result<Writing, ArmError>> {
        let body = Some(self.clone()).filter(|body| !body.is_null());
        Box::pin(async move { Ok(Writing::Send { body, etag: None }) })
    }
}

/// The content of a request.
#[derive(Clone, Copy)]
pub(super) enum Content<'a> {
    /// Nothing.
    None,
    /// The same body in each try.
    Fixed(&'a Value),
    /// The same, to be answered when it is done, and not with an operation to follow.
    AtOnce(&'a Value),
    /// A body that is made anew for each try.
    Written(&'a dyn Write),
}

/// The content of one try.
#[derive(Debug, Default)]
pub(super) struct Sent<'a> {
    pub(super) body: Option<Cow<'a, Value>>,
    pub(super) etag: Option<String>,
    /// Asked for with `x-ms-force-sync`.
    pub(super) at_once: bool,
    /// The token of a policy that holds for it.
    pub(super) policy_token: Option<HeaderValue>,
}

impl Sent<'_> {
    /// The body as it is sent.
    pub(super) fn text(&self) -> Option<String> {
        self.body.as_ref().map(|body| body.to_string())
    }
}

/// The next step of a request.
pub(super) enum Next<'a> {
    Try(Sent<'a>),
    /// No try: nothing is left to be done, and this would be the answer.
    Nothing(Answer),
}

impl<'a> Content<'a> {
    /// The content of the next try. `overtaken` says that Azure has refused the etag of a try before.
    pub(super) async fn next(self, overtaken: bool) -> Result<Next<'a>, ArmError> {
        Ok(Next::Try(match self {
            Content::None => Sent::default(),
            Content::Fixed(body) => Sent { body: Some(Cow::Borrowed(body)), ..Sent::default() },
            Content::AtOnce(body) => Sent { body: Some(Cow::Borrowed(body)), at_once: true, ..Sent::default() },
            Content::Written(write) => match write.next(overtaken).await? {
                Writing::Send { body, etag } => Sent { body: body.map(Cow::Owned), etag, ..Sent::default() },
                Writing::Done(resource) => return Ok(Next::Nothing(Answer::found(resource))),
            },
        }))
    }
}
