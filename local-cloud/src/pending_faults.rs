//! The faults that wait for their requests, in the order they were given.

use super::fault::{Fault, FaultKind};
use super::operations::Failure;
use super::policy_tokens::PolicyTokens;
use super::registration::Registrations;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The way in which an operation is made to go wrong.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OperationFault {
    /// False when it never ends.
    pub(super) ends: bool,
    pub(super) failure: Option<Failure>,
}

/// The faults still to come.
#[derive(Debug, Default)]
pub(super) struct Faults {
    waiting: Mutex<Vec<Fault>>,
    registrations: Mutex<Registrations>,
    policy_tokens: Mutex<PolicyTokens>,
}

impl Faults {
    /// Adds one. When several match a request, the one added first takes it.
    pub(super) fn add(&self, fault: Fault) {
        match fault.kind {
            FaultKind::Unregistered { namespace } => self.registrations().remove(&namespace),
            FaultKind::PolicyToken { namespace } => self.policy_tokens().require(&namespace),
            _ => self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push(fault),
        }
    }

    /// The providers that are not registered.
    pub(super) fn registrations(&self) -> MutexGuard<'_, Registrations> {
        self.registrations.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The policies that want a token, and the tokens that were given.
    pub(super) fn policy_tokens(&self) -> MutexGuard<'_, PolicyTokens> {
        self.policy_tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The permissions that a request for them is answered with, where a fault says it: the actions, and the actions not allowed.
    pub(super) fn for_permissions(&self, method: &str, url: &str) -> Option<(Vec<String>, Vec<String>)> {
        match self.take(|fault| fault.concerns_permissions() && fault.matches(method, url))? {
            FaultKind::Permissions { actions, not_actions } => Some((actions, not_actions)),
            _ => None,
        }
    }

    /// The fault of a request, apart from what concerns its operation.
    pub(super) fn for_request(&self, method: &str, url: &str) -> Option<FaultKind> {
        self.take(|fault| !fault.concerns_operation() && !fault.concerns_permissions() && fault.matches(method, url))
    }

    /// The status, and the wait, that a request of a deployment is answered with. Such a request has no connection that could be dropped.
    #[cfg(feature = "deployments")]
    pub(super) fn for_request_of_deployment(
        &self,
        method: &str,
        url: &str,
    ) -> Option<(u16, Option<std::time::Duration>)> {
        let is_status = |fault: &Fault| matches!(fault.kind, FaultKind::Status { .. });
        match self.take(|fault| is_status(fault) && fault.matches(method, url))? {
            FaultKind::Status { code, retry_after, .. } => Some((code, retry_after)),
            _ => None,
        }
    }

    /// The fault of the operation a request starts. Called only for requests that start one.
    pub(super) fn for_operation(&self, method: &str, url: &str) -> Option<OperationFault> {
        match self.take(|fault| fault.concerns_operation() && fault.matches(method, url))? {
            FaultKind::OperationFails { code, message } => {
                Some(OperationFault { ends: true, failure: Some(Failure { code, message }) })
            }
            _ => Some(OperationFault { ends: false, failure: None }),
        }
    }

    /// The number of faults that are not used up.
    pub(super) fn left(&self) -> usize {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn take(&self, matches: impl Fn(&Fault) -> bool) -> Option<FaultKind> {
        let mut faults = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let mut taken = None;
        for fault in faults.iter_mut().filter(|fault| fault.times > 0 && matches(fault)) {
            if fault.skip > 0 {
                fault.skip -= 1;
                continue;
            }
            if fault.times != u32::MAX {
                fault.times -= 1;
            }
            taken = Some(fault.kind.clone());
            break;
        }
        faults.retain(|fault| fault.times > 0);
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_only_what_matches() {
        let faults = Faults::default();
        faults.add(Fault::new(FaultKind::ResetBeforeAnswer).on("PUT", "/Accounts/").skip(1).times(2));
        let take = |method: &str, url: &str| faults.for_request(method, url).is_some();
        assert!(!take("GET", "/accounts/a"));
        assert!(!take("PUT", "/others/a"));
        assert!(!take("put", "/accounts/skipped"));
        assert!(take("PUT", "/ACCOUNTS/a"));
        assert!(take("PUT", "/accounts/a"));
        assert!(!take("PUT", "/accounts/a"));
        assert_eq!(faults.for_operation("PUT", "/accounts/a"), None);
    }
}
