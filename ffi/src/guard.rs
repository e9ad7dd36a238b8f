//! The guard against panics at the boundary: they end the call, and nothing else.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::sync::Once;

/// Runs the body of an exported function. A panic must not unwind into the caller, who may not be Rust: the function
/// returns `on_panic` instead. A panic inside an operation does not come here; the engine makes a message of it.
pub(crate) fn guard<T>(on_panic: T, body: impl FnOnce() -> T) -> T {
    silence_panics();
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(on_panic)
}

/// Panics write to standard error unless a hook is set, and the console belongs to the host. The library has its own
/// copy of the standard library, so the hook of a host written in Rust is another one and stays as it is.
fn silence_panics() {
    static SILENCED: Once = Once::new();
    SILENCED.call_once(|| set_hook(Box::new(|_| {})));
}
