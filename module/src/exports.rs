//! The functions of the C ABI that start the single commands, as Rust. cbindgen, which writes the header, expands no macros.

use svc_engine::run::registry::{COMMANDS, Command};

use crate::GeneratedFile;

/// The file with the functions, in the repository.
const FILE: &str = "ffi/src/exports.rs";

const HEAD: &str = "\
//! The functions that start the single commands. Made from the registry by `.ci/update`; do not edit.

use safer_ffi::prelude::*;

use super::{Str, start};
";

/// The file of the functions.
pub(crate) fn file() -> GeneratedFile {
    let functions: String = COMMANDS.iter().map(function).collect();
    GeneratedFile { path: FILE.to_owned(), text: format!("{HEAD}{functions}") }
}

fn function(command: &Command) -> String {
    let (name, function) = (command.name, command.function());
    format!(
        "\n/// Starts {name} and returns the id of the operation at once. The rest is as with\n/// svc_new_deployment.\n#[ffi_export]\n\
        pub extern \"C\" fn {function}(request: Str<'_>) -> u64 {{\n    start(\"{name}\", request)\n}}\n"
    )
}
