//! The front door: the one of the document, or an existing one that backends are attached to.

use super::Backend;
use super::settings::WebSettings;
use crate::commands::compilation::Compilation;
use crate::settings::Place;

/// Adds the front door with everything in it, or the origins in an existing one.
pub(super) fn compile(
    _settings: &WebSettings,
    _root: &Place,
    _backends: &[Backend],
    _compilation: &mut Compilation<'_>,
) {
}
