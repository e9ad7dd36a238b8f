//! Linker options of the library.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Threads of the library may outlive the operation that started them. Unmapping the code under them, as `dlclose`
    // would, crashes the host, so the library stays mapped once it is loaded.
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
