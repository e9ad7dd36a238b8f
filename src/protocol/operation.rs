//! One running command: its queue of messages, the answers to them, and its cancellation.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use thiserror::Error;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::action::{Action, PLAN_FORMAT};
use super::code::Code;
use super::error_report::{ErrorCategory, ErrorReport};
use super::message::Message;
use super::redact::Secrets;
use super::target::{MadeWith, Target};
use super::warning::Warning;
use super::words::{MOST_SHOWN, grouped, plural};

/// The outcome of [`Operation::next`].
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// The oldest message that was not taken yet.
    Message(Box<Message>),
    /// Nothing within the time.
    Timeout,
    /// The command has ended and all of its messages were taken.
    Finished,
}

/// Why an answer was not taken.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AnswerError {
    /// It is not JSON, or not shaped like an answer to that message.
    #[error("the answer cannot be read: {0}")]
    Malformed(String),
    /// No message with this id waits for an answer.
    #[error("no message is waiting for an answer with the id {0}")]
    NotAsked(u64),
}

/// A handle on a running command. Dropping it cancels the command and does not wait.
#[derive(Debug)]
pub struct Operation {
    channel: Arc<Channel>,
}

impl Operation {
    /// Runs `body` on a thread of its own. A panic in it ends as a terminating `InternalError`.
    pub fn start(body: impl FnOnce(Host) + Send + 'static) -> Operation {
        let channel = Arc::new(Channel::default());
        let host = Host { channel: Arc::clone(&channel) };
        let worker = std::thread::Builder::new().name("svc-operation".to_owned()).spawn(move || {
            let finish = FinishOnDrop(Arc::clone(&host.channel));
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| body(host))) {
                finish.0.send(Message::Error(internal_error(payload.as_ref())));
            }
        });
        if let Err(error) = worker {
            channel.send(Message::Error(
                ErrorReport::terminating(Code::InternalError, format!("The operation cannot be started: {error}."))
                    .of_category(ErrorCategory::ResourceUnavailable),
            ));
            channel.finish();
        }
        Operation { channel }
    }

    /// Waits for the next message, at most `timeout`. Several threads may wait; each message goes to one of them.
    #[must_use]
    pub fn next(&self, timeout: Duration) -> Next {
        let deadline = Instant::now() + timeout;
        let mut state = self.channel.lock();
        loop {
            if let Some(message) = state.queue.pop_front() {
                return Next::Message(Box::new(message));
            }
            if state.finished {
                return Next::Finished;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Next::Timeout;
            }
            state = self.channel.arrived.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Takes the host's answer to a message that has an `id`.
    ///
    /// # Errors
    /// [`AnswerError`] when it is no answer to what was asked; the question stays open.
    pub fn answer(&self, answer: &str) -> Result<(), AnswerError> {
        let value: Value = serde_json::from_str(answer).map_err(|error| AnswerError::Malformed(error.to_string()))?;
        let id = value
            .get("id")
            .and_then(Value::as_u64)
            .ok_or_else(|| AnswerError::Malformed("expected a number `id`".to_owned()))?;
        let mut state = self.channel.lock();
        let position =
            state.questions.iter().position(|question| question.id == id).ok_or(AnswerError::NotAsked(id))?;
        let kind = state.questions[position].kind;
        let answer = kind.read(&value)?;
        let question = state.questions.swap_remove(position);
        // A worker that no longer waits was cancelled; the answer is then of no use to anybody.
        let _ = question.reply.send(answer);
        Ok(())
    }

    /// Takes the plan as Markdown, of an operation that keeps it and has made it.
    #[must_use]
    pub fn take_markdown(&self) -> Option<String> {
        self.channel.lock().markdown.take()
    }

    /// Asks the command to stop. Returns at once; the command then ends within two seconds.
    pub fn cancel(&self) {
        self.channel.cancel.cancel();
    }
}

impl Drop for Operation {
    fn drop(&mut self) {
        self.cancel();
    }
}

/// The host, as the engine sees it.
#[derive(Debug, Clone)]
pub struct Host {
    channel: Arc<Channel>,
}

impl Host {
    /// Sends a message. Known secrets in it are replaced by `***`.
    pub fn send(&self, message: Message) {
        self.channel.send(message);
    }

    /// Sends a verbose line.
    pub fn verbose(&self, message: impl Into<String>) {
        self.send(Message::Verbose { message: message.into() });
    }

    /// Sends a debug line.
    pub fn debug(&self, message: impl Into<String>) {
        self.send(Message::Debug { message: message.into() });
    }

    /// Sends a warning.
    pub fn warning(&self, warning: impl Into<Warning>) {
        let warning = warning.into();
        self.channel.lock().warned.push(warning.message.clone());
        self.send(Message::Warning(warning));
    }

    /// Sends warnings that come at one time: the first hundred of very many, and how many more there are.
    pub fn warnings(&self, warnings: impl IntoIterator<Item = Warning>) {
        let mut warnings = warnings.into_iter();
        warnings.by_ref().take(MOST_SHOWN).for_each(|warning| self.warning(warning));
        let unsaid: Vec<String> = warnings.map(|warning| warning.message).collect();
        let more = unsaid.len();
        if more > 0 {
            self.channel.lock().warned.extend(unsaid);
            let message = format!("… and {} more warning{}.", grouped(more), plural(more));
            self.send(Message::Warning(message.into()));
        }
    }

    /// All warnings so far, with those that were too many to be sent.
    #[must_use]
    pub fn warned(&self) -> Vec<String> {
        self.channel.lock().warned.clone()
    }

    /// Keeps the plan as Markdown, without secrets, until the host takes it.
    pub fn keep_markdown(&self, plan: String) {
        self.channel.lock().markdown = Some(plan);
    }

    /// The values that must not be shown.
    #[must_use]
    pub fn secrets(&self) -> &Secrets {
        &self.channel.secrets
    }

    /// Is cancelled when the host wants the command to stop.
    #[must_use]
    pub fn cancellation(&self) -> &CancellationToken {
        &self.channel.cancel
    }

    /// Shows the plan and waits for the indexes of the approved actions; none when the command is cancelled.
    pub async fn confirm(&self, target: Option<Target>, made_with: MadeWith, actions: Vec<Action>) -> Vec<usize> {
        self.show(target, made_with, actions, false).await
    }

    /// Shows a plan that is not the approved one, of which nothing is made.
    pub async fn show_refused(&self, target: Option<Target>, made_with: MadeWith, actions: Vec<Action>) {
        self.show(target, made_with, actions, true).await;
    }

    async fn show(
        &self,
        target: Option<Target>,
        made_with: MadeWith,
        actions: Vec<Action>,
        refused: bool,
    ) -> Vec<usize> {
        let plan = |id| Message::Plan { format: PLAN_FORMAT, id, target, made_with, refused, actions };
        match self.ask(QuestionKind::Plan, plan).await {
            Some(Answer::Approved(indexes)) => indexes,
            _ => Vec::new(),
        }
    }

    /// Asks the host for a token of its Azure session.
    ///
    /// # Errors
    /// The host's own words, or that the command was cancelled.
    pub async fn token(&self, resource: &str, tenant_id: Option<&str>) -> Result<HostToken, String> {
        let question =
            |id| Message::Token { id, resource: resource.to_owned(), tenant_id: tenant_id.map(str::to_owned) };
        match self.ask(QuestionKind::Token, question).await {
            Some(Answer::Token(token)) => {
                self.channel.secrets.add(&token.token);
                Ok(token)
            }
            Some(Answer::TokenError(error)) => Err(error),
            _ => Err("the command was cancelled".to_owned()),
        }
    }

    async fn ask(&self, kind: QuestionKind, message: impl FnOnce(u64) -> Message) -> Option<Answer> {
        let (reply, answer) = oneshot::channel();
        let message = {
            let mut state = self.channel.lock();
            state.last_question += 1;
            let id = state.last_question;
            state.questions.push(Question { id, kind, reply });
            message(id)
        };
        self.send(message);
        tokio::select! {
            biased;
            () = self.channel.cancel.cancelled() => None,
            answer = answer => answer.ok(),
        }
    }
}

/// An access token of the host's session.
#[derive(Clone)]
pub struct HostToken {
    /// The bearer token.
    pub token: String,
    /// Seconds since 1970.
    pub expires_on: i64,
}

#[derive(Debug, Default)]
struct Channel {
    state: Mutex<State>,
    arrived: Condvar,
    cancel: CancellationToken,
    secrets: Secrets,
}

#[derive(Debug, Default)]
struct State {
    queue: VecDeque<Message>,
    questions: Vec<Question>,
    last_question: u64,
    warned: Vec<String>,
    markdown: Option<String>,
    finished: bool,
}

#[derive(Debug)]
struct Question {
    id: u64,
    kind: QuestionKind,
    reply: oneshot::Sender<Answer>,
}

#[derive(Debug, Clone, Copy)]
enum QuestionKind {
    Plan,
    Token,
}

enum Answer {
    Approved(Vec<usize>),
    Token(HostToken),
    TokenError(String),
}

impl std::fmt::Debug for Answer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Answer")
    }
}

impl QuestionKind {
    fn read(self, value: &Value) -> Result<Answer, AnswerError> {
        let malformed = |what: &str| AnswerError::Malformed(what.to_owned());
        match self {
            QuestionKind::Plan => value
                .get("approved")
                .and_then(Value::as_array)
                .and_then(|list| {
                    list.iter().map(|item| item.as_u64().and_then(|index| usize::try_from(index).ok())).collect()
                })
                .map(Answer::Approved)
                .ok_or_else(|| malformed("`approved` must be a list of indexes")),
            QuestionKind::Token => {
                if let Some(error) = value.get("error").and_then(Value::as_str) {
                    return Ok(Answer::TokenError(error.to_owned()));
                }
                let token = value.get("token").and_then(Value::as_str);
                let expires_on = value.get("expiresOn").and_then(Value::as_i64);
                match (token, expires_on) {
                    (Some(token), Some(expires_on)) => {
                        Ok(Answer::Token(HostToken { token: token.to_owned(), expires_on }))
                    }
                    _ => Err(malformed("expected `token` and `expiresOn`, or `error`")),
                }
            }
        }
    }
}

impl Channel {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, message: Message) {
        let message = self.secrets.redact(message);
        self.lock().queue.push_back(message);
        self.arrived.notify_one();
    }

    fn finish(&self) {
        let mut state = self.lock();
        state.finished = true;
        state.questions.clear();
        self.arrived.notify_all();
    }
}

struct FinishOnDrop(Arc<Channel>);

impl Drop for FinishOnDrop {
    fn drop(&mut self) {
        self.0.finish();
    }
}

fn internal_error(payload: &(dyn std::any::Any + Send)) -> ErrorReport {
    let what = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no description".to_owned());
    ErrorReport::terminating(Code::InternalError, format!("The engine has a bug: {what}."))
        .recommending("Please report it with the verbose output of the run. Running the command again is safe.")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(20);

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
    }

    #[test]
    fn messages_come_in_order_and_then_the_end() {
        let operation = Operation::start(|host| {
            host.verbose("one");
            host.warning("two");
        });
        assert_eq!(operation.next(PATIENCE), Next::Message(Box::new(Message::Verbose { message: "one".to_owned() })));
        assert_eq!(operation.next(PATIENCE), Next::Message(Box::new(Message::Warning("two".into()))));
        assert_eq!(operation.next(PATIENCE), Next::Finished);
        assert_eq!(operation.next(PATIENCE), Next::Finished);
    }

    #[test]
    fn a_panic_becomes_a_terminating_error() {
        let operation = Operation::start(|_| panic!("the table is empty"));
        let Next::Message(message) = operation.next(PATIENCE) else { panic!("no message") };
        let Message::Error(error) = *message else { panic!("no error: {message:?}") };
        assert!(error.terminating);
        assert_eq!(error.failure.code, Code::InternalError);
        assert_eq!(error.failure.message, "The engine has a bug: the table is empty.");
        assert_eq!(operation.next(PATIENCE), Next::Finished);
    }

    #[test]
    fn answers_are_matched_to_questions() {
        let operation = Operation::start(|host| {
            let approved = block_on(host.confirm(None, MadeWith::default(), Vec::new()));
            host.verbose(format!("{approved:?}"));
        });
        assert!(
            matches!(operation.next(PATIENCE), Next::Message(message) if matches!(*message, Message::Plan { id: 1, .. }))
        );
        assert!(matches!(operation.answer("{"), Err(AnswerError::Malformed(_))));
        assert!(matches!(operation.answer(r#"{"approved":[]}"#), Err(AnswerError::Malformed(_))));
        assert!(matches!(operation.answer(r#"{"id":1,"approved":[-1]}"#), Err(AnswerError::Malformed(_))));
        assert_eq!(operation.answer(r#"{"id":2,"approved":[]}"#), Err(AnswerError::NotAsked(2)));
        assert_eq!(operation.answer(r#"{"id":1,"approved":[0,2]}"#), Ok(()));
        assert_eq!(operation.answer(r#"{"id":1,"approved":[0,2]}"#), Err(AnswerError::NotAsked(1)));
        assert_eq!(
            operation.next(PATIENCE),
            Next::Message(Box::new(Message::Verbose { message: "[0, 2]".to_owned() }))
        );
        assert_eq!(operation.next(PATIENCE), Next::Finished);
    }

    #[test]
    fn cancelling_ends_a_question() {
        let operation = Operation::start(|host| {
            let token = block_on(host.token("https://management.azure.com", None));
            host.verbose(token.err().unwrap_or_default());
        });
        assert!(matches!(operation.next(PATIENCE), Next::Message(_)));
        operation.cancel();
        let end = Next::Message(Box::new(Message::Verbose { message: "the command was cancelled".to_owned() }));
        assert_eq!(operation.next(PATIENCE), end);
        assert_eq!(operation.next(PATIENCE), Next::Finished);
    }
}
