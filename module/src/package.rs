//! Packages of the module for every kind of machine: the folder, a zip as Azure Automation takes it, and a NuGet package as
//! PowerShell galleries take it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use time::OffsetDateTime;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::stage::{self, StageError, written};
use crate::targets::{self, Target};
use crate::template::{escape, fill};
use crate::{VERSION, exported_functions, links, manifest};

/// The name of the module, of its folder, and of its packages.
const NAME: &str = "SvcDeploy";

const NUSPEC: &str = "SvcDeploy.nuspec";

/// The files of [`package`].
#[derive(Debug)]
pub struct Packaged {
    /// The folder, for a path of PowerShell's modules.
    pub folder: PathBuf,
    /// The zip, whose name has to be that of the module for Azure Automation.
    pub zip: PathBuf,
    /// The NuGet package.
    pub nupkg: PathBuf,
    /// The kinds of machines that it has no library for, separated by commas; empty where it has all.
    pub missing: String,
    /// Whether `SvcDeploy.Interop.dll` is there; without it the module compiles `Interop.cs` when it is first needed.
    pub interop_compiled: bool,
}

/// Makes the packages of the module in the folder `out`. Each of `builds` is a folder that is named like a target and has its library, as
/// `packaging/build` leaves it; `notices` is the file with the licences of the crates in the library. Every file in a package has the
/// time `time`, in seconds since 1970, so that packages of the same files are the same.
///
/// # Errors
/// [`StageError`] says which step failed; what was written before stays.
pub fn package(out: &Path, builds: &[PathBuf], notices: &Path, time: i64) -> Result<Packaged, StageError> {
    let libraries = builds.iter().map(|folder| library_in(folder)).collect::<Result<Vec<_>, _>>()?;
    let present: Vec<Target> = libraries.iter().map(|(target, _)| *target).collect();
    let notices =
        fs::read_to_string(notices).map_err(|source| StageError::Read { path: notices.to_owned(), source })?;
    let folder = out.join(NAME);
    // What an older version had and this one has not would be packed, too.
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(written(&folder))?;
    }
    let others = [("LICENSE.txt", include_str!("../../LICENSE").to_owned()), ("THIRD-PARTY-NOTICES.txt", notices)];
    let interop_compiled = stage::fill(&folder, &libraries, &others)?;
    let files = stage::files_below(&folder, "")?;
    let files: Vec<&str> = files.iter().map(|path| path.trim_start_matches('/')).collect();
    let zip = out.join(format!("{NAME}.zip"));
    let mut archive = Archive::create(&zip, time)?;
    for path in &files {
        archive.add_file(&format!("{NAME}/{path}"), &folder.join(path))?;
    }
    archive.finish()?;
    let nupkg = out.join(format!("{NAME}.{VERSION}.nupkg"));
    let mut archive = Archive::create(&nupkg, time)?;
    archive.add("_rels/.rels", RELATIONSHIPS.as_bytes())?;
    archive.add(NUSPEC, nuspec().as_bytes())?;
    for path in &files {
        archive.add_file(path, &folder.join(path))?;
    }
    archive.add("[Content_Types].xml", content_types(&files).as_bytes())?;
    archive.finish()?;
    Ok(Packaged { folder, zip, nupkg, missing: targets::names_without(&present), interop_compiled })
}

/// The kind of machine that a folder is for, and the library in it.
fn library_in(folder: &Path) -> Result<(Target, PathBuf), StageError> {
    let unfit = |path: &Path, problem: &str| StageError::Unfit { path: path.to_owned(), problem: problem.to_owned() };
    let target = targets::all()
        .find(|target| folder.file_name().is_some_and(|name| name == target.name))
        .ok_or_else(|| unfit(folder, &format!("not named like a target: {}", targets::names_without(&[]))))?;
    let library = folder.join(target.library);
    let content = fs::read(&library).map_err(|source| StageError::Read { path: library.clone(), source })?;
    if format_of(&content) != Some(target.name) {
        return Err(unfit(&library, &format!("not a library for {}.", target.name)));
    }
    Ok((target, library))
}

/// The target that a library is for, by the beginning of the file: the formats of Linux (ELF), of Windows (PE) and of macOS (Mach-O).
fn format_of(content: &[u8]) -> Option<&'static str> {
    let at = |offset: usize, length: usize| content.get(offset..offset.checked_add(length)?);
    if at(0, 4)? == b"\x7fELF" {
        // e_machine: EM_X86_64 is 62, EM_AARCH64 is 183.
        return match at(18, 2)? {
            [62, 0] => Some("linux-x64"),
            [183, 0] => Some("linux-arm64"),
            _ => None,
        };
    }
    if at(0, 4)? == [0xcf, 0xfa, 0xed, 0xfe] {
        // cputype: CPU_TYPE_X86_64 and CPU_TYPE_ARM64.
        return match at(4, 4)? {
            [7, 0, 0, 1] => Some("osx-x64"),
            [12, 0, 0, 1] => Some("osx-arm64"),
            _ => None,
        };
    }
    if at(0, 2)? == b"MZ" {
        let header = usize::try_from(u32::from_le_bytes(at(0x3c, 4)?.try_into().ok()?)).ok()?;
        // Machine, behind the signature: IMAGE_FILE_MACHINE_AMD64 is 0x8664, IMAGE_FILE_MACHINE_ARM64 is 0xaa64.
        return match at(header, 6)? {
            [b'P', b'E', 0, 0, 0x64, 0x86] => Some("win-x64"),
            [b'P', b'E', 0, 0, 0x64, 0xaa] => Some("win-arm64"),
            _ => None,
        };
    }
    None
}

/// A zip file whose entries come in the order in which they are added.
struct Archive {
    path: PathBuf,
    writer: ZipWriter<File>,
    options: SimpleFileOptions,
}

impl Archive {
    fn create(path: &Path, time: i64) -> Result<Archive, StageError> {
        let file = File::create(path).map_err(written(path))?;
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(9))
            .last_modified_time(zip_time(time).unwrap_or_default())
            .unix_permissions(0o644);
        Ok(Archive { path: path.to_owned(), writer: ZipWriter::new(file), options })
    }

    fn add(&mut self, name: &str, content: &[u8]) -> Result<(), StageError> {
        let started = self.writer.start_file(name, self.options);
        started.map_err(|source| StageError::Pack { path: self.path.clone(), source })?;
        self.writer.write_all(content).map_err(written(&self.path))
    }

    fn add_file(&mut self, name: &str, file: &Path) -> Result<(), StageError> {
        let content = fs::read(file).map_err(|source| StageError::Read { path: file.to_owned(), source })?;
        self.add(name, &content)
    }

    fn finish(self) -> Result<(), StageError> {
        let path = self.path;
        self.writer.finish().map(drop).map_err(|source| StageError::Pack { path, source })
    }
}

/// A time in seconds since 1970 as a zip file has it: the years 1980 to 2107, every second second, in UTC here.
fn zip_time(seconds: i64) -> Option<DateTime> {
    let moment = OffsetDateTime::from_unix_timestamp(seconds).ok()?;
    let year = u16::try_from(moment.year()).ok()?;
    DateTime::from_date_and_time(
        year,
        moment.month().into(),
        moment.day(),
        moment.hour(),
        moment.minute(),
        moment.second(),
    )
    .ok()
}

/// The description of the package, for who reads NuGet packages.
fn nuspec() -> String {
    let words = manifest::TAGS.iter().map(|tag| (*tag).to_owned());
    // What galleries and `Find-Command` look for.
    let functions = exported_functions().flat_map(|name| [format!("PSFunction_{name}"), format!("PSCommand_{name}")]);
    let tags: Vec<String> =
        words.chain(["PSModule".to_owned(), "PSIncludes_Function".to_owned()]).chain(functions).collect();
    fill(
        include_str!("../templates/SvcDeploy.nuspec.in"),
        &[
            ("VERSION", VERSION),
            ("AUTHOR", &escape(manifest::AUTHOR)),
            ("DESCRIPTION", &escape(manifest::DESCRIPTION)),
            ("COPYRIGHT", &escape(manifest::COPYRIGHT)),
            ("TAGS", &escape(&tags.join(" "))),
            ("LINKS", &links::repository().map(nuspec_links).unwrap_or_default()),
            ("RELEASE_NOTES", &escape(&manifest::notes())),
        ],
    )
}

/// The elements that lead to the source, each behind a line break.
fn nuspec_links(repository: &str) -> String {
    let element = |name: &str| {
        name.replace("License", "license").replace("Project", "project").replace("Icon", "icon").replace("Uri", "Url")
    };
    let addresses = manifest::source_addresses(repository);
    addresses.iter().map(|(name, address)| format!("\n    <{0}>{1}</{0}>", element(name), escape(address))).collect()
}

/// Says which file of the package describes it (Open Packaging Conventions).
const RELATIONSHIPS: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
  <Relationship Id="R1" Type="http://schemas.microsoft.com/packaging/2010/07/manifest" Target="/SvcDeploy.nuspec" />
</Relationships>
"#;

/// A type for every ending, without which a reader of such packages (Open Packaging Conventions) sees no file.
fn content_types(files: &[&str]) -> String {
    let endings: BTreeSet<&str> =
        files.iter().chain(&[NUSPEC]).filter_map(|path| path.rsplit_once('.')).map(|(_, ending)| ending).collect();
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\n  \
         <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\" />\n",
    );
    for ending in endings {
        text.push_str(&format!("  <Default Extension=\"{ending}\" ContentType=\"application/octet\" />\n"));
    }
    text + "</Types>\n"
}
