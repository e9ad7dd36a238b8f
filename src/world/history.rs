//! The history: the answers of Azure Monitor to the questions of rehearsals.

use std::cell::Cell;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::iter;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use crate::azure::{ArmClient, ArmError, READS_AT_ONCE};
use crate::rehearsal::Question;

/// The queries of one identity that Azure runs at once (Azure Monitor service limits, "Log queries and language").
const QUERIES_AT_ONCE: usize = 5;

/// The answers to questions, in their order; of one that has none, the reason: a complete sentence. Equal questions are asked once, and after the
/// time nothing is asked any more. `answered` is told how many of how many have an answer.
pub async fn ask(
    client: &ArmClient,
    questions: &[Question],
    at_most: Duration,
    answered: impl Fn(usize, usize),
) -> Vec<Result<Arc<Value>, String>> {
    let mut once: Vec<&Question> = Vec::new();
    for question in questions {
        if !once.contains(&question) {
            once.push(question);
        }
    }
    let deadline = Instant::now() + at_most;
    let (count, done) = (once.len(), Cell::new(0));
    answered(0, count);
    let (queries, others): (Vec<_>, Vec<_>) =
        once.into_iter().partition(|question| matches!(question, Question::Log { .. }));
    let (answered, done) = (&answered, &done);
    let ask = |question| async move {
        let answer = in_time(answer(client, question), deadline, at_most).await.map(Arc::new);
        done.set(done.get() + 1);
        answered(done.get(), count);
        (question, answer)
    };
    let (queries, others) = tokio::join!(
        iter(queries).map(ask).buffer_unordered(QUERIES_AT_ONCE).collect::<Vec<_>>(),
        iter(others).map(ask).buffer_unordered(READS_AT_ONCE).collect::<Vec<_>>(),
    );
    let answered: Vec<_> = queries.into_iter().chain(others).collect();
    let of =
        |question: &Question| answered.iter().find(|(known, _)| *known == question).map(|(_, answer)| answer.clone());
    questions.iter().map(|question| of(question).unwrap_or_else(|| Err(String::new()))).collect()
}

async fn in_time(
    answer: impl Future<Output = Result<Value, ArmError>>,
    deadline: Instant,
    at_most: Duration,
) -> Result<Value, String> {
    match timeout_at(deadline, answer).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(ArmError::Refused(refusal))) if refusal.status == 404 => {
            Err("What it watches is not there yet.".to_owned())
        }
        Ok(Err(error)) => Err(format!("Azure Monitor could not be asked: {error}")),
        Err(_) => Err(format!("There was no answer within {} s; rehearseFor gives more time.", at_most.as_secs())),
    }
}

async fn answer(client: &ArmClient, question: &Question) -> Result<Value, ArmError> {
    match question {
        Question::Metrics { path, query } => client.metrics(path, query).await,
        Question::Log { path, body } => client.log_query(path, body).await,
        Question::Events { path, query } => {
            let (events, has_more) = client.events(path, query).await?;
            if has_more {
                client.warn(
                    "The activity log of the time is longer than what is read of it; alerts of its first part are not counted. Rehearse a shorter time."
                        .to_owned(),
                );
            }
            Ok(events)
        }
    }
}
