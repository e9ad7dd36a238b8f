//! The C ABI of Svc Deploy: every exported function is in this file, and in `exports.rs`, which is made from the registry, those of the
//! single commands. `docs/abi.md` is its manual.
//!
//! The doc comments below are printed into `include/svc_deploy.h` and speak to people who write C.
//!
//! Each export is a `pub extern "C"` by hand under `#[ffi_export]`: safer-ffi checks the types and exports the symbol,
//! cbindgen reads the same text and writes the header, and a test holds the two against each other. Pointers are always
//! `Option`, because safer-ffi looks for NULL only in debug builds. What a function gives out goes through `Out`, which
//! writes without dropping what was there: that is the caller's, and may be uninitialised.

pub mod exports;
pub(crate) mod guard;
pub(crate) mod operations;

use std::time::Duration;

use guard::guard;
use safer_ffi::prelude::*;
use svc_engine::protocol::Next;
use svc_engine::run::registry as commands;
use svc_engine::run::{self, Job, Start, Work};

/// Text that the caller keeps; `const char *` in the header.
pub type Str<'a> = Option<char_p::Ref<'a>>;

/// Text that the caller is given; `char *` in the header.
pub type OwnedStr = Option<char_p::Box>;

/// The version of this interface. A library that gives another number from svc_abi_version is not the one this header
/// describes.
pub const SVC_ABI_VERSION: u32 = 1;

/// Done; for svc_operation_next: a message was taken.
pub const SVC_OK: i32 = 0;

/// There was no message within the time. The operation is still running.
pub const SVC_TIMEOUT: i32 = 1;

/// The operation has ended and all of its messages were taken.
pub const SVC_FINISHED: i32 = 2;

/// No operation has this id: it was never given out, or it was closed.
pub const SVC_UNKNOWN_OPERATION: i32 = -1;

/// A pointer is NULL that must not be.
pub const SVC_NULL_ARGUMENT: i32 = -2;

/// The text does not answer anything that was asked.
pub const SVC_NOT_ASKED: i32 = -3;

/// The library has a defect and gave up on this call. Nothing else is affected; please report it.
pub const SVC_DEFECT: i32 = -4;

/// The version of the interface that the library has. It is SVC_ABI_VERSION when header and library belong together;
/// refuse to go on when it is not.
#[ffi_export]
pub extern "C" fn svc_abi_version() -> u32 {
    SVC_ABI_VERSION
}

/// Starts New-SvcDeployment and returns the id of the operation at once. It takes several documents, each for the command that its
/// `component` names.
///
/// `request` is JSON in UTF-8 that ends with a zero byte; the library copies it. Whatever is wrong with it comes as an
/// error message of the operation. Returns 0 only when `request` is NULL. Every id must be given back with
/// svc_operation_close.
#[ffi_export]
pub extern "C" fn svc_new_deployment(request: Str<'_>) -> u64 {
    let Some(request) = request else { return 0 };
    guard(0, || operations::open(run::start(Start::new(Work::Deploy(Job::Deployment), request.to_bytes()))))
}

/// Starts an export, which writes the settings document of what exists in a resource group, and returns the id of the operation at once.
///
/// `request` names the `component` of the document and the `resourceGroup`; the document is a message of the operation. Nothing is
/// changed. The rest is as with svc_new_deployment.
#[ffi_export]
pub extern "C" fn svc_export_settings(request: Str<'_>) -> u64 {
    let Some(request) = request else { return 0 };
    guard(0, || operations::open(run::start(Start::new(Work::Export, request.to_bytes()))))
}

/// Starts Export-SvcTemplate and returns the id of the operation at once. It makes an ARM template of one document, or of several as one
/// environment. Each document is for the command that its `component` names. Nothing is changed; the template comes in a message. The rest is as with
/// svc_new_deployment.
#[ffi_export]
pub extern "C" fn svc_export_template(request: Str<'_>) -> u64 {
    let Some(request) = request else { return 0 };
    guard(0, || operations::open(run::start(Start::new(Work::Template, request.to_bytes()))))
}

/// Starts Compare-SvcDeployment and returns the id of the operation at once. It takes the documents of svc_new_deployment, and says in one
/// message what exists otherwise, and who has changed it. Nothing is changed. The rest is as with svc_new_deployment.
#[ffi_export]
pub extern "C" fn svc_compare_deployment(request: Str<'_>) -> u64 {
    let Some(request) = request else { return 0 };
    guard(0, || operations::open(run::start(Start::new(Work::Compare, request.to_bytes()))))
}

/// Starts Test-SvcSettings and returns the id of the operation at once. It takes the documents of svc_new_deployment, and says what is wrong with
/// them in one error with every finding, or nothing. Nobody is contacted. The rest is as with svc_new_deployment.
#[ffi_export]
pub extern "C" fn svc_test_settings(request: Str<'_>) -> u64 {
    let Some(request) = request else { return 0 };
    guard(0, || operations::open(run::start(Start::new(Work::Validate(Job::Deployment), request.to_bytes()))))
}

/// Starts New-SvcSettings and returns the id of the operation at once. It sends a new settings document in one message. Nobody is contacted. The
/// rest is as with svc_new_deployment.
#[ffi_export]
pub extern "C" fn svc_new_settings(request: Str<'_>) -> u64 {
    let Some(request) = request else { return 0 };
    guard(0, || operations::open(run::start(Start::new(Work::New, request.to_bytes()))))
}

/// Starts Get-SvcSettingsSchema and returns the id of the operation at once. It sends a JSON Schema in one message. Nobody is contacted. The rest is
/// as with svc_new_deployment.
#[ffi_export]
pub extern "C" fn svc_get_settings_schema(request: Str<'_>) -> u64 {
    let Some(request) = request else { return 0 };
    guard(0, || operations::open(run::start(Start::new(Work::Schema, request.to_bytes()))))
}

/// Starts Start-SvcLocalCloud and returns the id of the operation at once. It serves a local cloud on loopback, says in one message where, and
/// goes on until svc_operation_cancel or svc_operation_close ends it. The rest is as with svc_new_deployment.
#[ffi_export]
pub extern "C" fn svc_start_local_cloud(request: Str<'_>) -> u64 {
    let Some(request) = request else { return 0 };
    guard(0, || operations::open(run::start(Start::new(Work::LocalCloud, request.to_bytes()))))
}

/// Waits for the next message of an operation, at most `timeout_ms` milliseconds; 0 only looks.
///
/// Returns SVC_OK and sets `*message` to JSON text, which the caller frees with svc_string_free. Returns SVC_TIMEOUT
/// when nothing came, SVC_FINISHED when nothing will come any more, SVC_UNKNOWN_OPERATION, or SVC_NULL_ARGUMENT when
/// `message` is NULL; `*message` is then NULL. What `*message` held before is not looked at.
///
/// Several threads may wait for one operation: each message goes to one of them, the end to all. A thread that waits
/// while another one closes the operation gets what is left of its messages and then the end, at most two seconds later.
#[ffi_export]
pub extern "C" fn svc_operation_next(operation: u64, timeout_ms: u32, message: Option<Out<'_, OwnedStr>>) -> i32 {
    let Some(mut message) = message else { return SVC_NULL_ARGUMENT };
    message.r().write(None);
    guard(SVC_DEFECT, move || {
        let Some(operation) = operations::find(operation) else { return SVC_UNKNOWN_OPERATION };
        match operation.next(Duration::from_millis(timeout_ms.into())) {
            Next::Message(next) => match serde_json::to_string(&next).ok().and_then(owned) {
                Some(text) => {
                    message.write(Some(text));
                    SVC_OK
                }
                None => SVC_DEFECT,
            },
            Next::Timeout => SVC_TIMEOUT,
            Next::Finished => SVC_FINISHED,
        }
    })
}

/// Answers a message that has an `id`. `answer` is JSON in UTF-8 that ends with a zero byte and repeats the `id`; the
/// library copies it.
///
/// Returns SVC_OK, SVC_UNKNOWN_OPERATION, SVC_NULL_ARGUMENT, or SVC_NOT_ASKED when no message with this id waits for an
/// answer or the text is not an answer to it. A question that got no proper answer stays open.
#[ffi_export]
pub extern "C" fn svc_operation_answer(operation: u64, answer: Str<'_>) -> i32 {
    let Some(answer) = answer else { return SVC_NULL_ARGUMENT };
    guard(SVC_DEFECT, || {
        let Some(operation) = operations::find(operation) else { return SVC_UNKNOWN_OPERATION };
        // Not `to_str`, which takes the caller's word for it that the bytes are UTF-8.
        match std::str::from_utf8(answer.to_bytes()) {
            Ok(answer) if operation.answer(answer).is_ok() => SVC_OK,
            _ => SVC_NOT_ASKED,
        }
    })
}

/// Asks an operation to stop and returns at once. The operation tells in one warning what Azure is still working on and
/// ends within two seconds; take its messages until SVC_FINISHED to see it. An operation that has ended does not mind.
///
/// Returns SVC_OK or SVC_UNKNOWN_OPERATION.
#[ffi_export]
pub extern "C" fn svc_operation_cancel(operation: u64) -> i32 {
    guard(SVC_DEFECT, || match operations::find(operation) {
        Some(operation) => {
            operation.cancel();
            SVC_OK
        }
        None => SVC_UNKNOWN_OPERATION,
    })
}

/// Gives an operation back: forgets its id and its messages, and cancels it when it is still running. Never waits.
///
/// Returns SVC_OK, or SVC_UNKNOWN_OPERATION also when it was closed before. Ids are never used again.
#[ffi_export]
pub extern "C" fn svc_operation_close(operation: u64) -> i32 {
    guard(SVC_DEFECT, || match operations::close(operation) {
        Some(operation) => {
            // A thread that waits for a message keeps the operation alive; without this it would wait in vain.
            operation.cancel();
            SVC_OK
        }
        None => SVC_UNKNOWN_OPERATION,
    })
}

/// Describes the commands, their parameters and the members of the context as JSON text, which the caller frees with
/// svc_string_free. Never NULL, unless the library has a defect.
#[ffi_export]
pub extern "C" fn svc_describe() -> OwnedStr {
    guard(None, || owned(commands::describe().to_string()))
}

/// Frees text that svc_operation_next or svc_describe gave. NULL is fine.
#[ffi_export]
pub extern "C" fn svc_string_free(text: OwnedStr) {
    guard((), || drop(text));
}

/// Starts the command with this cmdlet name. Bytes that are not UTF-8 are the engine's to complain about.
fn start(command: &str, request: Str<'_>) -> u64 {
    let Some(request) = request else { return 0 };
    guard(0, || {
        // A test holds the exports against the registry, so the command is always found.
        commands::find(command).map_or(0, |command| {
            operations::open(run::start(Start::new(Work::Deploy(Job::Command(command)), request.to_bytes())))
        })
    })
}

/// The text with a zero byte at its end. None when it has one inside, which JSON text never has.
fn owned(text: String) -> OwnedStr {
    text.try_into().ok()
}
