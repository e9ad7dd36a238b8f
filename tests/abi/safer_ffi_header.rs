//! Prints the header as safer-ffi writes it from the types that the compiler checked. `ffi/tests/header.rs` holds it
//! against the one that is checked in.

#[path = "../../ffi/src/lib.rs"]
pub mod boundary;

fn main() -> std::io::Result<()> {
    safer_ffi::headers::builder().with_guard("SAFER_FFI_H").to_writer(std::io::stdout()).generate()
}
