//! The kinds of machines that there are packages for. `packaging/targets.txt` is their one list, which the scripts of that folder read, too.

const TABLE: &str = include_str!("../../packaging/targets.txt");

/// A kind of machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// The name of .NET's runtimes, as `Get-SvcModuleLibraryPath` of the module puts it together: `win-x64`.
    pub name: &'static str,
    /// Rust's name: `x86_64-pc-windows-gnu`.
    pub triple: &'static str,
    /// The file of the library: `svc_deploy.dll`.
    pub library: &'static str,
}

/// Every kind, in the order of the list.
pub fn all() -> impl Iterator<Item = Target> {
    TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut words = line.split(' ');
        Some(Target { name: words.next()?, triple: words.next()?, library: words.next()? })
    })
}

/// The kind that a machine is of, by the operating system and the processor in Rust's spelling.
pub(crate) fn of_machine(os: &str, architecture: &str) -> Option<Target> {
    let system = if os == "macos" { "darwin" } else { os };
    all().find(|target| {
        let mut words = target.triple.split('-');
        words.next() == Some(architecture) && words.any(|word| word == system)
    })
}

/// The path of the library of a kind in the folder of the module, with `/`.
pub(crate) fn library_path(target: Target) -> String {
    [super::stage::RUNTIMES, target.name, "native", target.library].join("/")
}

/// The names of those that are not among some, separated by commas.
pub(crate) fn names_without(present: &[Target]) -> String {
    let missing: Vec<&str> = all().filter(|target| !present.contains(target)).map(|target| target.name).collect();
    missing.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_supported_machine_has_a_place() {
        let path = |os, architecture| library_path(of_machine(os, architecture).unwrap());
        assert_eq!(path("linux", "x86_64"), "runtimes/linux-x64/native/libsvc_deploy.so");
        assert_eq!(path("macos", "aarch64"), "runtimes/osx-arm64/native/libsvc_deploy.dylib");
        assert_eq!(path("windows", "aarch64"), "runtimes/win-arm64/native/svc_deploy.dll");
        assert_eq!(of_machine("linux", "riscv64"), None);
    }

    /// `Get-SvcModuleLibraryPath` puts the path together in PowerShell.
    #[test]
    fn the_script_looks_for_the_libraries_where_they_are() {
        let script = include_str!("../templates/library.psm1.in");
        for target in all() {
            let (system, architecture) = target.name.split_once('-').unwrap();
            assert!(
                script.contains(&format!("'{system}'")) && script.contains(&format!("'{}'", target.library)),
                "{target:?}"
            );
            // What .NET calls the processors, in small letters.
            assert!(["x64", "arm64"].contains(&architecture), "{target:?}");
        }
        assert_eq!(all().count(), 6);
    }

    #[test]
    fn what_is_missing_is_named() {
        let present: Vec<Target> = all().filter(|target| target.name.ends_with("x64")).collect();
        assert_eq!(names_without(&present), "linux-arm64, win-arm64, osx-arm64");
        assert_eq!(names_without(&all().collect::<Vec<_>>()), "");
    }
}
