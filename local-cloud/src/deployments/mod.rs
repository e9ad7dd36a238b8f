//! Template deployments: `Microsoft.Resources/deployments` of resource groups and subscriptions.
//!
//! A deployment is a row of steps, one for each resource, kept in the state with everything that is needed to go on. Whenever somebody looks
//! at the state, every deployment is carried on to the present (`run`): a step begins when those before it have succeeded, and its resource is
//! written as a PUT from outside would write it. Validation and what-if do the same on a copy of the state.
//!
//! Sources: learn.microsoft.com, "ARM template documentation"; azure-rest-api-specs, Microsoft.Resources.

mod complete_mode;
mod dependencies;
mod difference;
mod errors;
mod expand;
mod expression;
mod parameters;
mod presentation;
mod record;
mod requests;
mod resource_body;
mod run;
mod start;
mod template;
mod what_if;

pub(crate) use self::record::{Deployment, TYPE};
pub(crate) use self::requests::{Pending, handle, pending, scoped};
pub(crate) use self::run::{Machinery, advance};
