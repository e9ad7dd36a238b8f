//! The decisions about tries of a request that failed. The decision is pure: the client carries it out.

use std::time::Duration;

use reqwest::Method;

use super::error::ArmError;
use super::refusal::Refusal;
use super::registration;

/// The most tries of a request in all.
const TRIES: u32 = 6;
/// The most tries of a request whose answer did not come in time.
const TRIES_WHEN_SLOW: u32 = 2;
/// The most tries of a connection that is refused at once: nobody is there.
const TRIES_WHEN_REFUSED: u32 = 3;
/// The most tries of a request that Azure throttles; each waits as long as Azure says.
const TRIES_WHEN_THROTTLED: u32 = 20;
/// The most tries of a request whose policy token was for another body than it has by then.
const TRIES_WITHOUT_POLICY_TOKEN: u32 = 3;
/// The time for which a request is tried that Azure refuses because another operation still has the resource: that of a run that was
/// stopped, most often. It ends by itself; the creation of a bastion host takes ten minutes.
pub(super) const PATIENCE_WHEN_LOCKED: Duration = Duration::from_secs(15 * 60);

/// A try that failed.
#[derive(Debug)]
pub(super) struct Failure {
    /// Why.
    pub(super) error: ArmError,
    /// The time that Azure asked to wait.
    pub(super) wait: Option<Duration>,
    /// Whom the request reached.
    pub(super) reached: Reached,
}

/// Whom a request reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reached {
    /// Nobody, so sending it again can do nothing twice.
    Nobody,
    /// Somebody, or nobody knows.
    Somebody,
}

/// The rules for sending a request a second time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeat {
    /// One that does the same however often it is sent.
    Always,
    /// One that may be sent again only when it certainly did nothing.
    IfItDidNothing,
}

/// The purposes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Something that is read or done.
    Itself,
    /// To learn how an operation is, whose failure is answered like that of the request.
    Look,
}

/// Whether something that can be done about a failure may still help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Remedy {
    /// It was not done yet.
    Untried,
    /// It was done, or cannot be done.
    Spent,
}

/// Why a try failed, as far as it decides how often the request is sent. Each cause is counted for itself: one that is over
/// leaves all the tries to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// Azure throttles requests of the kind.
    Throttled,
    /// Another operation has the resource.
    Locked,
    /// The server has a problem of its own.
    Server,
    /// The answer did not come in time.
    Slow,
    /// Somebody else was faster: the resource no longer has the etag that it was to have.
    Overtaken,
    /// A policy wants a token that the request did not carry.
    NoPolicyToken,
    /// Nobody is there.
    Nobody,
    /// The connection was lost.
    Lost,
    /// It would fail like this again.
    Final,
}

/// A request and its tries so far.
#[derive(Debug, Clone)]
pub(super) struct Tries<'a> {
    pub(super) method: &'a Method,
    pub(super) repeat: Repeat,
    pub(super) purpose: Purpose,
    /// The number of failures, by their causes.
    pub(super) counts: [u32; Cause::Final as usize + 1],
    /// Since another operation was first found to have the resource.
    pub(super) locked_for: Duration,
    /// The time for which another operation that has the resource is waited for.
    pub(super) patience_when_locked: Duration,
    /// A new token.
    pub(super) renewal: Remedy,
    /// Whether it names the etag of what it writes over.
    pub(super) has_etag: bool,
    /// Whether it carried the token of a policy, which has not expired.
    pub(super) has_policy_token: bool,
}

impl Tries<'_> {
    /// Why a try failed.
    pub(super) fn cause(&self, failure: &Failure) -> Cause {
        match &failure.error {
            // It is the end of the operation that is looked at, not of the look.
            ArmError::Refused(refusal) if is_lock_conflict(refusal) => {
                if self.purpose == Purpose::Look {
                    Cause::Final
                } else {
                    Cause::Locked
                }
            }
            ArmError::Refused(refusal) if refusal.missing_token.is_some() => Cause::NoPolicyToken,
            ArmError::Refused(refusal) => match refusal.status {
                412 if self.has_etag => Cause::Overtaken,
                429 => Cause::Throttled,
                408 | 500 | 502 | 503 | 504 => Cause::Server,
                _ => Cause::Final,
            },
            ArmError::Connection { .. } if failure.reached == Reached::Nobody => Cause::Nobody,
            ArmError::Connection { .. } => Cause::Lost,
            ArmError::TimedOut { .. } => Cause::Slow,
            ArmError::NotAzure { .. }
            | ArmError::NoValue { .. }
            | ArmError::NoToken(_)
            | ArmError::ChangedMeanwhile { .. } => Cause::Final,
        }
    }

    /// The number of tries that failed for a cause.
    pub(super) fn count(&self, cause: Cause) -> u32 {
        self.counts[cause as usize]
    }

    /// Counts a try that failed.
    pub(super) fn note(&mut self, cause: Cause) {
        self.counts[cause as usize] += 1;
    }
}

/// The next thing to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    /// Get another token and try again at once: this one ended early or was revoked.
    RenewToken,
    /// Register the subscription for the resource provider, and try again.
    Register,
    /// Acquire the token that a policy wants, and try again at once.
    AcquirePolicyToken,
    /// Try again after a pause.
    Again,
    /// Try again after a pause that every other request of the kind makes as well.
    AgainThrottled,
    /// Tell the failure.
    GiveUp,
}

impl Failure {
    /// A try that ended with this error.
    pub(super) fn new(error: ArmError) -> Failure {
        Failure { error, wait: None, reached: Reached::Somebody }
    }

    fn refusal(&self) -> Option<&Refusal> {
        if let ArmError::Refused(refusal) = &self.error { Some(refusal) } else { None }
    }
}

/// The decision about the last try of a request.
pub(super) fn decide(tries: &Tries<'_>, failure: &Failure) -> Decision {
    let refusal = failure.refusal();
    // Nothing was carried out, so any request can be sent again.
    if tries.renewal == Remedy::Untried && refusal.is_some_and(|refusal| refusal.status == 401) {
        return Decision::RenewToken;
    }
    if matches!(*tries.method, Method::PUT | Method::DELETE) && refusal.is_some_and(registration::is_missing) {
        return Decision::Register;
    }
    let cause = tries.cause(failure);
    let most_tries = match cause {
        Cause::Throttled => TRIES_WHEN_THROTTLED,
        Cause::Locked => u32::MAX,
        Cause::Server | Cause::Lost | Cause::Overtaken => TRIES,
        Cause::Slow => TRIES_WHEN_SLOW,
        Cause::Nobody => TRIES_WHEN_REFUSED,
        Cause::NoPolicyToken if tries.has_policy_token || *tries.method == Method::GET => 1,
        Cause::NoPolicyToken => TRIES_WITHOUT_POLICY_TOKEN,
        Cause::Final => 1,
    };
    let given_up =
        tries.count(cause) >= most_tries || cause == Cause::Locked && tries.locked_for >= tries.patience_when_locked;
    // Nothing was carried out.
    if cause == Cause::NoPolicyToken {
        return if given_up { Decision::GiveUp } else { Decision::AcquirePolicyToken };
    }
    let throttled = cause == Cause::Throttled;
    let may_repeat = tries.repeat == Repeat::Always || cause == Cause::Nobody || throttled;
    match (given_up || !may_repeat, throttled) {
        (true, _) => Decision::GiveUp,
        (false, true) => Decision::AgainThrottled,
        (false, false) => Decision::Again,
    }
}

/// Conflicts with another operation that end by themselves; the network provider answers 429 for them, which is then no quota (Azure Resource Manager, "Troubleshoot common errors").
fn is_lock_conflict(refusal: &Refusal) -> bool {
    matches!(refusal.status, 409 | 412 | 429) && is_passing(refusal)
}

/// Whether the code says that another operation was in the way: an operation that ended with it is begun again.
pub(super) fn is_passing(refusal: &Refusal) -> bool {
    const CODES: &[&str] = &[
        "AnotherOperationInProgress",
        "RetryableError",
        "RetryableErrorDueToAnotherOperation",
        "StorageAccountOperationInProgress",
        "ReferencedResourceNotProvisioned",
        "OperationInProgress",
        "ConcurrentOperation",
    ];
    CODES.iter().any(|code| code.eq_ignore_ascii_case(&refusal.code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::azure::policy_token::MissingToken;
    use crate::protocol::{Code, ErrorReport};

    fn refused(status: u16, code: &str) -> Failure {
        let refusal = Refusal { status, code: code.to_owned(), ..Refusal::default() };
        Failure::new(ArmError::Refused(Box::new(refusal)))
    }

    fn connection(reached: Reached) -> Failure {
        let error = ArmError::Connection { host: String::new(), reason: String::new(), advice: "" };
        Failure { reached, ..Failure::new(error) }
    }

    /// One that was tried so often, for whatever cause.
    fn put(count: u32) -> Tries<'static> {
        Tries {
            method: &Method::PUT,
            repeat: Repeat::Always,
            purpose: Purpose::Itself,
            counts: [count; 9],
            locked_for: Duration::ZERO,
            patience_when_locked: PATIENCE_WHEN_LOCKED,
            renewal: Remedy::Spent,
            has_etag: true,
            has_policy_token: false,
        }
    }

    fn get(count: u32) -> Tries<'static> {
        Tries { method: &Method::GET, ..put(count) }
    }

    fn look(count: u32) -> Tries<'static> {
        Tries { purpose: Purpose::Look, ..get(count) }
    }

    fn post(count: u32) -> Tries<'static> {
        Tries { method: &Method::POST, repeat: Repeat::IfItDidNothing, ..put(count) }
    }

    #[test]
    fn what_is_done_about_each_failure() {
        use Decision::{AcquirePolicyToken, Again, AgainThrottled, GiveUp, Register, RenewToken};
        let slow = || Failure::new(ArmError::TimedOut { host: String::new(), reason: String::new() });
        let stranger = Failure::new(ArmError::NotAzure { host: String::new(), reason: String::new() });
        let no_token = Failure::new(ArmError::NoToken(Box::new(ErrorReport::new(Code::CredentialRefused, ""))));
        let signed_in = |tries: Tries<'static>| Tries { renewal: Remedy::Untried, ..tries };
        let unproven = || {
            let missing_token = Some(MissingToken { wants_change_reference: false });
            let refusal = Refusal { status: 403, missing_token, ..Refusal::default() };
            Failure::new(ArmError::Refused(Box::new(refusal)))
        };
        let unregistered = "MissingSubscriptionRegistration";
        let after =
            |minutes: u64, tries: Tries<'static>| Tries { locked_for: Duration::from_secs(minutes * 60), ..tries };
        for (name, tries, failure, expected) in [
            ("server error", put(1), refused(503, "ServerBusy"), Again),
            ("server error, the last try but one", put(5), refused(500, ""), Again),
            ("server error, the last try", put(6), refused(500, ""), GiveUp),
            ("server error of what may do something twice", post(1), refused(500, ""), GiveUp),
            ("plain refusal", put(1), refused(400, "BadRequest"), GiveUp),
            ("conflict that does not end by itself", put(1), refused(409, "Conflict"), GiveUp),
            ("throttled", put(19), refused(429, "TooManyRequests"), AgainThrottled),
            ("throttled, the last try", put(20), refused(429, "TooManyRequests"), GiveUp),
            ("throttled did nothing", post(1), refused(429, "TooManyRequests"), AgainThrottled),
            ("locked", after(14, put(100)), refused(409, "AnotherOperationInProgress"), Again),
            ("locked is not throttled", put(1), refused(429, "retryableerror"), Again),
            ("a read of what is locked", get(1), refused(409, "AnotherOperationInProgress"), Again),
            (
                "a look at an operation that ended like this",
                look(1),
                refused(409, "AnotherOperationInProgress"),
                GiveUp,
            ),
            ("a look that is throttled", look(1), refused(429, "TooManyRequests"), AgainThrottled),
            ("locked for too long", after(15, put(2)), refused(409, "AnotherOperationInProgress"), GiveUp),
            ("old token", signed_in(put(1)), refused(401, "ExpiredAuthenticationToken"), RenewToken),
            ("old token of what may do something twice", signed_in(post(1)), refused(401, ""), RenewToken),
            ("new token is refused as well", put(2), refused(401, "InvalidAuthenticationToken"), GiveUp),
            ("not registered", put(1), refused(409, unregistered), Register),
            ("not registered, and a read", get(1), refused(409, unregistered), GiveUp),
            ("a policy wants a token", put(1), unproven(), AcquirePolicyToken),
            ("a policy wants a token for what may do something twice", post(1), unproven(), AcquirePolicyToken),
            ("a policy wants a token for a read", get(1), unproven(), GiveUp),
            ("a policy does not take its token", Tries { has_policy_token: true, ..put(1) }, unproven(), GiveUp),
            ("the body is another one after each token", put(3), unproven(), GiveUp),
            ("nobody is there", put(2), connection(Reached::Nobody), Again),
            ("nobody is there, the last try", put(3), connection(Reached::Nobody), GiveUp),
            ("nobody is there, so nothing was done", post(1), connection(Reached::Nobody), Again),
            ("connection lost", put(5), connection(Reached::Somebody), Again),
            ("connection lost, and something may be done", post(1), connection(Reached::Somebody), GiveUp),
            ("no answer", put(1), slow(), Again),
            ("no answer twice", put(2), slow(), GiveUp),
            ("somebody else answers", put(1), stranger, GiveUp),
            ("no token", put(1), no_token, GiveUp),
        ] {
            assert_eq!(decide(&tries, &failure), expected, "{name}");
        }
    }

    #[test]
    fn each_cause_has_its_own_tries() {
        let mut tries = put(0);
        for _ in 0..7 {
            tries.note(Cause::Throttled);
        }
        tries.note(Cause::Server);
        assert_eq!(decide(&tries, &refused(503, "ServerBusy")), Decision::Again, "seven 429 and then one 503");
        tries.locked_for = Duration::from_secs(3600);
        assert_eq!(decide(&tries, &refused(503, "ServerBusy")), Decision::Again, "a long lock conflict before");
        tries.counts[Cause::Server as usize] = 6;
        assert_eq!(decide(&tries, &refused(503, "ServerBusy")), Decision::GiveUp);
        assert_eq!(decide(&tries, &refused(429, "TooManyRequests")), Decision::AgainThrottled);
    }
}
