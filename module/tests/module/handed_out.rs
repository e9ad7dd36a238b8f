//! The packages that are handed out: what is in them is what the manifest and NuGet's description say, and they come out the same
//! every time.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use svc_deploy_module::{Packaged, StageError, Target, VERSION, package, targets};
use zip::ZipArchive;

use crate::registry::{entry, exported};
use crate::script::{Script, find};
use crate::{read, root};

/// A moment of 2026, in seconds since 1970.
const TIME: i64 = 1_790_000_001;

/// The beginning of a library for a kind of machine, which is all that the packages look at.
fn library(target: Target) -> Vec<u8> {
    let mut content = vec![0u8; 0x100];
    let mut put = |offset: usize, bytes: &[u8]| content[offset..offset + bytes.len()].copy_from_slice(bytes);
    match target.name {
        "linux-x64" | "linux-arm64" => {
            put(0, b"\x7fELF");
            put(18, if target.name == "linux-x64" { &[0x3e, 0] } else { &[0xb7, 0] });
        }
        "win-x64" | "win-arm64" => {
            put(0, b"MZ");
            put(0x3c, &[0x80, 0, 0, 0]);
            put(0x80, if target.name == "win-x64" { b"PE\0\0\x64\x86" } else { b"PE\0\0\x64\xaa" });
        }
        "osx-x64" => put(0, &[0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1]),
        "osx-arm64" => put(0, &[0xcf, 0xfa, 0xed, 0xfe, 12, 0, 0, 1]),
        other => panic!("{other}"),
    }
    content
}

/// Folders as `packaging/build` leaves them, and the licences.
fn built(folder: &Path, chosen: impl Iterator<Item = Target>) -> (Vec<PathBuf>, PathBuf) {
    let mut builds = Vec::new();
    for target in chosen {
        let build = folder.join("build").join(target.name);
        fs::create_dir_all(&build).unwrap();
        fs::write(build.join(target.library), library(target)).unwrap();
        builds.push(build);
    }
    let notices = folder.join("notices.txt");
    fs::write(&notices, "The licences of all crates.\n").unwrap();
    (builds, notices)
}

fn packaged(folder: &Path, chosen: impl Iterator<Item = Target>) -> Packaged {
    let (builds, notices) = built(folder, chosen);
    package(folder, &builds, &notices, TIME).unwrap()
}

/// The files in a zip, by their names.
fn unpacked(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut archive = ZipArchive::new(File::open(path).unwrap()).unwrap();
    let mut files = BTreeMap::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let name = file.name().unwrap().into_owned();
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        assert!(files.insert(name.clone(), content).is_none(), "{name} is there twice");
    }
    files
}

/// The files that the manifest in a package lists.
fn listed(files: &BTreeMap<String, Vec<u8>>, manifest: &str) -> Vec<String> {
    let manifest = Script::parse(std::str::from_utf8(&files[manifest]).unwrap());
    let mut listed: Vec<String> = entry(&manifest, "FileList").into_iter().map(str::to_owned).collect();
    listed.sort_unstable();
    listed
}

#[test]
fn the_manifest_lists_what_is_in_the_packages() {
    let folder = tempfile::tempdir().unwrap();
    let packaged = packaged(folder.path(), targets());
    assert_eq!(packaged.missing, "");
    assert_eq!(
        packaged.zip.file_name().unwrap(),
        "SvcDeploy.zip",
        "Azure Automation takes the name of the module from it"
    );
    let zip = unpacked(&packaged.zip);
    let list = listed(&zip, "SvcDeploy/SvcDeploy.psd1");
    assert_eq!(list, zip.keys().map(|name| name.strip_prefix("SvcDeploy/").unwrap()).collect::<Vec<_>>());
    for target in targets() {
        let path = format!("SvcDeploy/runtimes/{}/native/{}", target.name, target.library);
        assert_eq!(zip[&path], library(target), "{path}");
    }
    assert_eq!(zip["SvcDeploy/LICENSE.txt"], fs::read(root().join("LICENSE")).unwrap());
    assert_eq!(zip["SvcDeploy/THIRD-PARTY-NOTICES.txt"], b"The licences of all crates.\n");
    for (name, content) in &zip {
        assert_eq!(*content, fs::read(folder.path().join(name)).unwrap(), "{name} is another one in the folder");
    }
    let mut nupkg = unpacked(&packaged.nupkg);
    for own in ["_rels/.rels", "[Content_Types].xml", "SvcDeploy.nuspec"] {
        assert!(nupkg.remove(own).is_some(), "{own}");
    }
    assert_eq!(list, nupkg.keys().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn the_nuget_package_describes_itself() {
    let folder = tempfile::tempdir().unwrap();
    let packaged = packaged(folder.path(), targets());
    assert_eq!(packaged.nupkg.file_name().unwrap().to_str().unwrap(), format!("SvcDeploy.{VERSION}.nupkg"));
    let files = unpacked(&packaged.nupkg);
    let text = |name: &str| std::str::from_utf8(&files[name]).unwrap();
    let nuspec = roxmltree::Document::parse(text("SvcDeploy.nuspec")).unwrap();
    let said = |name: &str| {
        let element = nuspec
            .descendants()
            .find(|node| node.has_tag_name(("http://schemas.microsoft.com/packaging/2011/08/nuspec.xsd", name)));
        element.unwrap_or_else(|| panic!("{name}")).text().unwrap_or_default()
    };
    assert_eq!((said("id"), said("version"), said("requireLicenseAcceptance")), ("SvcDeploy", VERSION, "false"));
    let manifest = Script::parse(text("SvcDeploy.psd1"));
    for (element, name) in [
        ("authors", "Author"),
        ("description", "Description"),
        ("copyright", "Copyright"),
        ("releaseNotes", "ReleaseNotes"),
    ] {
        let written = entry(&manifest, name).join("").replace("''", "'");
        assert_eq!(said(element).trim(), written.trim(), "{element}");
    }
    let tags: Vec<&str> = said("tags").split(' ').collect();
    for tag in entry(&manifest, "Tags").into_iter().chain(["PSModule"]) {
        assert!(tags.contains(&tag), "{tag} is not among {tags:?}");
    }
    for function in exported() {
        assert!(tags.contains(&format!("PSFunction_{function}").as_str()), "{function} is not among {tags:?}");
    }
    let relationships = roxmltree::Document::parse(text("_rels/.rels")).unwrap();
    let described = relationships.descendants().find_map(|node| node.attribute("Target")).unwrap();
    assert!(files.contains_key(described.trim_start_matches('/')), "{described}");
    let types = roxmltree::Document::parse(text("[Content_Types].xml")).unwrap();
    let known: Vec<&str> = types.descendants().filter_map(|node| node.attribute("Extension")).collect();
    for name in files.keys().filter(|name| *name != "[Content_Types].xml") {
        let ending = name.rsplit_once('.').unwrap_or_else(|| panic!("{name} has no ending")).1;
        assert!(known.contains(&ending), "{name} has no type");
    }
}

#[test]
fn packages_of_the_same_files_are_the_same() {
    let contents = [(); 2].map(|()| {
        let folder = tempfile::tempdir().unwrap();
        let packaged = packaged(folder.path(), targets().take(2));
        assert_eq!(packaged.missing, "win-x64, win-arm64, osx-x64, osx-arm64");
        (fs::read(packaged.zip).unwrap(), fs::read(packaged.nupkg).unwrap())
    });
    assert!(contents[0] == contents[1]);
}

#[test]
fn a_package_has_nothing_of_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    packaged(folder.path(), targets());
    fs::write(folder.path().join("SvcDeploy/old.psm1"), "").unwrap();
    let second = packaged(folder.path(), targets().take(1));
    let names: Vec<String> = unpacked(&second.zip).into_keys().collect();
    assert!(!names.contains(&"SvcDeploy/old.psm1".to_owned()), "{names:?}");
    assert_eq!(names.iter().filter(|name| name.contains("/runtimes/")).count(), 1, "{names:?}");
}

#[test]
fn a_library_for_another_machine_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (builds, notices) = built(folder.path(), targets());
    let [first, second] = [0, 1].map(|index| targets().nth(index).unwrap());
    fs::write(builds[0].join(first.library), library(second)).unwrap();
    let error = package(folder.path(), &builds, &notices, TIME).unwrap_err();
    assert!(matches!(&error, StageError::Unfit { path, .. } if *path == builds[0].join(first.library)), "{error}");
    let stranger = folder.path().join("build");
    let error = package(folder.path(), &[stranger], &notices, TIME).unwrap_err();
    assert!(error.to_string().contains("linux-x64, linux-arm64, win-x64"), "{error}");
}

/// Windows PowerShell reads the whole script before it runs the first line, which is a sentence about what to install.
#[test]
fn windows_powershell_can_read_the_script_that_refuses_it() {
    let text = read(&crate::module().join("SvcDeploy.psm1"));
    let script = Script::parse(&text);
    let first = find(script.root(), "if_statement")[0];
    let mut before = text[..first.start_byte()].lines();
    assert!(before.all(|line| line.is_empty() || line.starts_with('#')), "something runs before the check");
    assert!(
        script.text(first).contains("PSVersion.Major -lt 7") && script.text(first).contains("throw "),
        "{}",
        script.text(first)
    );
    // The grammar of the parser is that of Windows PowerShell, and this one addition, so a script without mistakes has nothing newer.
    assert_eq!(find(script.root(), "pipeline_chain_tail").len(), 0);
    for newer in ["$a ? 1 : 2", "$a ?? 1", "$a ??= 1"] {
        let parsed = Script::parse(newer);
        assert!(!crate::script::mistakes(parsed.root()).is_empty(), "{newer} is read, so this test has to look for it");
    }
}
