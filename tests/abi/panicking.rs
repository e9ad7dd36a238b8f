//! The C ABI with two more exports that panic, for `panics.c`: one inside an operation, one inside a call.

#![expect(clippy::panic, reason = "what a panic does is what is tested")]

#[path = "../../ffi/src/lib.rs"]
pub mod boundary;

use boundary::guard::guard;
use boundary::{SVC_DEFECT, SVC_OK, Str, operations};
use safer_ffi::prelude::*;
use svc_engine::protocol::Operation;

/// Starts a command that says one thing and then panics.
#[ffi_export]
pub extern "C" fn svc_new_panicking(request: Str<'_>) -> u64 {
    let Some(request) = request else { return 0 };
    let request = String::from_utf8_lossy(request.to_bytes()).into_owned();
    guard(0, || {
        operations::open(Operation::start(move |host| {
            host.verbose("About to panic.");
            panic!("the request was {request}");
        }))
    })
}

/// Panics in the call itself, while the operation is held.
#[ffi_export]
pub extern "C" fn svc_panic_in_call(operation: u64) -> i32 {
    guard(SVC_DEFECT, || match operations::find(operation) {
        Some(_held) => panic!("in the middle of a call"),
        None => SVC_OK,
    })
}
