//! Web solutions: a resource group each, with its plans and what is on them.

use super::Backend;
use super::settings::WebSettings;
use crate::commands::compilation::Compilation;
use crate::settings::Place;

/// Adds the solutions, and notes what the front door is to send requests to.
pub(super) fn compile(
    _settings: &WebSettings,
    _root: &Place,
    _backends: &mut Vec<Backend>,
    _compilation: &mut Compilation<'_>,
) {
}
