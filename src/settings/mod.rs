//! The settings layer: reads JSON and YAML documents, checks them against their types and reports everything that is
//! wrong with them at once, each finding with its place.

mod check;
mod document;
mod documented_spelling;
mod editor_schema;
mod finding;
mod hidden;
mod index;
mod json;
mod lenient;
mod locate;
mod own_file;
mod parse;
mod path;
mod project_file;
mod regular_file;
mod shape;
mod stand_in;
mod switch_off;
mod syntax_error;
mod text;
mod told;
mod values;
pub mod vocabulary;
mod yaml;
mod yaml_document;
mod yaml_scalar;

pub use check::{Checked, check, check_known_keys, read};
pub use document::{Document, Label, LoadError, too_deep};
pub use documented_spelling::spell_as_documented;
pub use editor_schema::{Editor, editor_schema, with_references};
pub use finding::{Finding, Place, settings_invalid};
pub use hidden::{hide_secrets, is_secret_setting};
pub use own_file::OwnFile;
pub use path::{Segment, SettingsPath};
pub use project_file::{misnamed, project_file};
pub use regular_file::{FileError, read_file};
pub use shape::schema_of;
pub use switch_off::{has_no_items, steps, switch_off, switch_off_item, switch_on, take_item};
pub use syntax_error::json_mistake;
pub use text::{LARGEST_SETTINGS, decode, read as read_text};
pub use told::{left_out, left_out_as_changed, tell_at, told};
pub use values::{Environments, LeftOut, Values, Variables, references};
pub use yaml_document::{Written, WrittenKey, to_yaml};
