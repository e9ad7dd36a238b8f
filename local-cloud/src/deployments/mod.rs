//! Template deployments: `Microsoft.Resources/deployments` of resource groups and subscriptions, for templates as `svc template` writes them.
//! Everything else in a template is refused by its name.
//!
//! A deployment is a row of steps, one for each resource, kept in the state with everything that is needed to go on. Whenever somebody looks
//! at the state, every deployment is carried on to the present (`run`): a step begins when those before it have succeeded, and its resource is
//! written as a PUT from outside would write it. Validation and what-if do the same on a copy of the state.
//!
//! Sources: learn.microsoft.com, "ARM template documentation"; azure-rest-api-specs, Microsoft.Resources.

mod difference;
mod errors;
mod expression;
mod kept;
mod parameters;
mod presentation;
mod record;
mod requests;
mod run;
mod start;
mod steps;
mod template;
mod what_if;

pub(crate) use self::kept::Kept;
pub(crate) use self::record::Deployment;
pub(crate) use self::requests::{handle, pending};
pub(crate) use self::run::advance;
