//! The header: it is what the source says, it tells the truth about the types, and it has a function for every command.

#![cfg(test)]

#[expect(dead_code, reason = "each test uses its part of the shared support")]
mod support;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use svc_engine::run::registry::{NEW, all_commands};

use support::{C_OPTIONS, available, build, include_folder, profile_folder, text};

const HEADER: &str = "svc_deploy.h";

/// The header that belongs to the source. `lie` changes the configuration of cbindgen.
fn generate(lie: impl FnOnce(&mut cbindgen::Config)) -> String {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = source();
    // cbindgen knows neither attribute nor type of safer-ffi, so it gets a copy in words that it knows. That the
    // meaning is the same is what `the_header_agrees_with_the_compiler` proves.
    let copy = source.replace("#[ffi_export]", "#[no_mangle]").replace("Out<'_, ", "&mut MaybeUninit<");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lib.rs");
    std::fs::write(&path, copy).unwrap();

    let mut config = cbindgen::Config::from_file(package.join("cbindgen.toml")).unwrap();
    config.after_includes = Some(format!(
        "\n/* The version of the library that this header came with. */\n#define SVC_DEPLOY_VERSION \"{}\"",
        env!("CARGO_PKG_VERSION")
    ));
    lie(&mut config);
    let bindings = cbindgen::Builder::new().with_config(config).with_src(path).generate().unwrap();
    let mut header = Vec::new();
    bindings.write(&mut header);
    String::from_utf8(header).unwrap()
}

/// The exported functions: those of every operation, and one for each command.
fn source() -> String {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let [whole, exports] =
        ["lib.rs", "exports.rs"].map(|file| std::fs::read_to_string(package.join("src").join(file)).unwrap());
    let (_, exports) = exports.split_once("use super::{Str, start};").unwrap();
    whole.replace("pub mod exports;", "") + exports
}

/// The names of the functions that the header declares.
fn functions(header: &str) -> BTreeSet<&str> {
    let declarations = header.lines().filter(|line| line.ends_with(");") && !line.starts_with([' ', '*', '/']));
    declarations.filter_map(|line| line.split('(').next()?.rsplit([' ', '*']).next()).collect()
}

#[test]
fn the_header_is_current() {
    // `.ci/update` writes it anew.
    expectorate::assert_contents(include_folder().join(HEADER), &generate(|_| {}));
}

#[test]
fn the_header_states_the_version_of_the_package() {
    let header = std::fs::read_to_string(include_folder().join(HEADER)).unwrap();
    let line = format!("#define SVC_DEPLOY_VERSION \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(header.lines().any(|candidate| candidate == line), "{line} is missing");
}

#[test]
fn the_header_has_a_function_for_every_command_and_no_other() {
    let header = generate(|_| {});
    let declared: BTreeSet<&str> = functions(&header).into_iter().filter(|name| name.starts_with("svc_new_")).collect();
    let names: Vec<String> = all_commands().chain([NEW]).map(|command| command.function()).collect();
    let registered: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(declared, registered, "ffi/src exports the left commands, the registry has the right ones");
}

#[test]
fn every_command_is_started_by_its_own_function() {
    let source = source();
    for command in all_commands() {
        let function = format!("/// Starts {name} and returns the id of the operation at once.", name = command.name);
        assert!(source.contains(&function), "the documentation of {} is missing", command.function());
        // Its documents say which command they are for.
        if command.component.is_none() {
            continue;
        }
        let body = format!(
            "pub extern \"C\" fn {}(request: Str<'_>) -> u64 {{\n    start(\"{}\", request)\n}}",
            command.function(),
            command.name
        );
        assert!(source.contains(&body), "ffi/src has no\n{body}");
    }
}

/// The example that prints safer-ffi's own header, and what it needs.
const SAFER_FFI: &str = "safer_ffi_header";
const HEADERS: &[&str] = &["--features", "svc-deploy-ffi/headers"];

/// The library has the functions of the header, and nothing else that a host could stumble over.
#[test]
fn the_library_exports_what_the_header_declares() {
    if !cfg!(target_os = "linux") || !available("nm", "the names that the library exports were not looked at") {
        return;
    }
    build(SAFER_FFI, HEADERS);
    let library = profile_folder().join("libsvc_deploy.so");
    let output = Command::new("nm").args(["--dynamic", "--defined-only"]).arg(library).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let listing = text(&output.stdout);
    let exported: BTreeSet<&str> = listing.lines().filter_map(|line| line.split_whitespace().nth(2)).collect();
    assert_eq!(
        exported,
        functions(&generate(|_| {})),
        "the library exports the left names, the header has the right ones"
    );
}

/// The words of the C compiler about one file that includes both headers. It accepts two declarations of one function only
/// when they agree.
fn compile_beside_the_compilers_own(header: &str) -> Result<(), String> {
    let own = Command::new(build(SAFER_FFI, HEADERS).join(SAFER_FFI)).output().unwrap().stdout;
    assert_eq!(functions_of_safer_ffi(&text(&own)), functions(header), "the two headers declare different functions");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("safer_ffi.h"), own).unwrap();
    std::fs::write(folder.path().join(HEADER), header).unwrap();
    let file = folder.path().join("both.c");
    std::fs::write(&file, format!("#include \"{HEADER}\"\n#include \"safer_ffi.h\"\nint main(void) {{ return 0; }}\n"))
        .unwrap();
    let output = Command::new("cc").args(C_OPTIONS).arg("-fsyntax-only").arg(file).output().unwrap();
    if output.status.success() { Ok(()) } else { Err(text(&output.stderr)) }
}

/// safer-ffi puts the name on a line of its own.
fn functions_of_safer_ffi(header: &str) -> BTreeSet<&str> {
    header
        .lines()
        .filter_map(|line| line.split_once(" ("))
        .map(|(name, _)| name)
        .filter(|name| name.starts_with("svc_"))
        .collect()
}

#[test]
fn the_header_agrees_with_the_compiler() {
    if available("cc", "the header was not held against the compiler's types") {
        assert_eq!(compile_beside_the_compilers_own(&generate(|_| {})), Ok(()));
    }
}

#[test]
fn a_header_that_lies_is_found_out() {
    if !available("cc", "it was not tried whether a lying header is found out") {
        return;
    }
    let lie = |name: &str, meaning: &str| {
        generate(|config| {
            config.export.rename.insert(name.to_owned(), meaning.to_owned());
        })
    };
    for (header, function) in
        [(lie("Str", "char *"), "svc_operation_answer"), (lie("OwnedStr", "const char *"), "svc_describe")]
    {
        let complaint = compile_beside_the_compilers_own(&header).expect_err("the compiler accepted a lie");
        assert!(complaint.contains("conflicting types"), "{complaint}");
        assert!(complaint.contains(function), "{complaint}");
    }
}

#[test]
fn the_header_is_good_in_cplusplus() {
    if !available("c++", "the header was not compiled as C++") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("header.cpp");
    std::fs::write(
        &file,
        format!("#include \"{HEADER}\"\nint main() {{ return svc_abi_version() == SVC_ABI_VERSION; }}\n"),
    )
    .unwrap();
    let object = folder.path().join("header.o");
    let compile = Command::new("c++")
        .args(["-std=c++11", "-Wall", "-Wextra", "-pedantic-errors", "-Werror", "-c", "-I"])
        .arg(include_folder())
        .arg("-o")
        .arg(&object)
        .arg(file)
        .output()
        .unwrap();
    assert!(compile.status.success(), "{}", text(&compile.stderr));
    // A name that C++ has mangled would not be found in the library.
    let object = std::fs::read(object).unwrap();
    let name = b"\0svc_abi_version\0";
    assert!(object.windows(name.len()).any(|window| window == name), "the C++ guard is missing");
}
