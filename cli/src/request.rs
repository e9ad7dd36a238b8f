//! Makes the request of a command from the arguments, the environment variables and standard input.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use svc_engine::protocol::{Code, ErrorReport, alternatives};
use svc_engine::run;
use svc_engine::run::registry::{
    CONTEXT_MEMBERS, ContextMemberKind, Described, HostOption, HostOptionKind, Parameter, ParameterKind, SETTINGS_FILE,
    SETTINGS_FILES, SETTINGS_OBJECT, decides_about_runs, path_variables,
};

use super::options::{Given, Options};
use super::output::complain;
use super::parameters::kebab;

/// Why there is no request.
pub(super) type Problem = Box<ErrorReport>;

pub(super) fn invalid(message: impl Into<String>) -> Problem {
    Box::new(ErrorReport::terminating(Code::RequestInvalid, message))
}

/// The place of the settings of a request.
pub(super) enum Source<'a> {
    /// In a file, whose path is as the user has written it.
    File(&'a str),
    /// In several files, or in folders.
    Files(Vec<&'a str>),
    /// Read from standard input to its end, as JSON or YAML.
    StandardInput,
}

/// The settings that a command's own options name.
pub(super) fn source<'a>(command: &Described, options: Options<'a>) -> Option<Source<'a>> {
    let mut documents = command.parameters.iter().filter(|parameter| parameter.set.is_some());
    documents.find_map(|parameter| {
        let Some(Given::Texts(texts)) = options.parameter(parameter) else { return None };
        Some(match parameter.kind {
            ParameterKind::Settings => Source::StandardInput,
            // A list as PowerShell writes it (`a.yml, b.yml`) has a comma at the end of a word; nothing at all stays an error.
            ParameterKind::Paths => match texts.iter().copied().filter(|text| !text.is_empty()).collect::<Vec<_>>() {
                said if said.is_empty() => Source::Files(texts),
                said => Source::Files(said),
            },
            ParameterKind::Path | ParameterKind::Switch => Source::File(texts.last()?),
        })
    })
}

/// The request of the arguments. `parameters` are those beside the settings.
pub(super) fn request(
    source: &Source<'_>,
    parameters: &[&Parameter],
    what_if: bool,
    options: Options<'_>,
) -> Result<Value, Problem> {
    let (context, variables) = (context(options)?, variables()?);
    let root = project_root(&context, &variables);
    let mut request = Map::new();
    match source {
        Source::File(path) => {
            request.insert(SETTINGS_FILE.request_member.to_owned(), json!(document_path(path, root)?));
        }
        Source::Files(paths) => {
            let paths =
                paths.iter().map(|path| document_path(path, root)).collect::<Result<Vec<PathBuf>, Problem>>()?;
            request.insert(SETTINGS_FILES.request_member.to_owned(), json!(paths));
        }
        Source::StandardInput => {
            request.insert(SETTINGS_OBJECT.request_member.to_owned(), settings_from_standard_input()?);
            request.insert("baseDirectory".to_owned(), json!(absolute(".")?));
        }
    }
    for parameter in parameters {
        let value = match options.parameter(parameter) {
            Some(Given::Flag(flag)) => json!(flag),
            given => match given.and_then(|given| given.text()) {
                Some(path) => json!(document_path(path, root)?),
                None => continue,
            },
        };
        request.insert(parameter.request_member.to_owned(), value);
    }
    request.insert("whatIf".to_owned(), json!(what_if));
    request.insert("context".to_owned(), Value::Object(context));
    request.insert("environment".to_owned(), json!(variables));
    Ok(Value::Object(request))
}

/// The request of an export.
pub(super) fn export_request(own: &[HostOption], options: Options<'_>) -> Result<Value, Problem> {
    let mut members = own_members(own, options)?;
    // Printed, it would not be where the caller looks for it, and names would be without their folder.
    if members.get("path").is_some_and(Value::is_null) {
        return Err(unreadable("--path is set to nothing.".to_owned()));
    }
    members["baseDirectory"] = json!(absolute(".")?);
    members["context"] = json!(context(options)?);
    members["environment"] = json!(variables()?);
    Ok(members)
}

/// The options that a subcommand has beside its parameters, as its request has them.
pub(super) fn own_members(own: &[HostOption], options: Options<'_>) -> Result<Value, Problem> {
    let mut members = Map::new();
    for option in own {
        let value = match (options.option(option), option.kind) {
            (None, _) => continue,
            (Some(Given::Flag(flag)), _) => json!(flag),
            (Some(Given::Texts(texts)), HostOptionKind::Texts) => json!(texts),
            (Some(given), HostOptionKind::Path) => json!(given.text().map(absolute).transpose()?),
            (Some(given), _) => json!(given.text()),
        };
        let (first, rest) = option.name.split_at(1);
        members.insert(format!("{}{rest}", first.to_lowercase()), value);
    }
    Ok(Value::Object(members))
}

/// The root of the project, as far as the options and the variables say it.
fn project_root<'a>(context: &'a Map<String, Value>, variables: &'a BTreeMap<String, String>) -> Option<&'a str> {
    let member = CONTEXT_MEMBERS.iter().find(|member| member.name == "projectRoot")?;
    let of_variable = || variables.get(member.variable).filter(|root| !root.is_empty());
    context.get(member.name).and_then(Value::as_str).or(of_variable().map(String::as_str))
}

/// Whether a document of the command line is a folder of them.
pub(super) fn is_folder(path: &str, options: Options<'_>) -> Result<bool, Problem> {
    let (context, variables) = (context(options)?, variables()?);
    Ok(document_path(path, project_root(&context, &variables))?.is_dir())
}

/// Neither of the options that take a document is there.
pub(super) fn settings_missing(command: &Described) -> Problem {
    let options = command.parameters.iter().filter(|parameter| parameter.set.is_some());
    let options: Vec<String> = options
        .map(|parameter| {
            let value = if parameter.kind == ParameterKind::Settings { "-" } else { "<PATH>" };
            format!("--{} {value}", kebab(parameter.name))
        })
        .collect();
    let message = format!("A settings document is required, but not given: {}.", alternatives(&options));
    Box::new(
        ErrorReport::terminating(Code::SettingsMissing, message)
            .recommending(format!("Run 'svc {} --help' for all options.", command.subcommand())),
    )
}

/// The members of the context that options set.
fn context(options: Options<'_>) -> Result<Map<String, Value>, Problem> {
    let mut context = Map::new();
    for member in CONTEXT_MEMBERS {
        let value = match options.context_member(member) {
            None => continue,
            Some(Given::Flag(flag)) => json!(flag),
            // As a script writes it whose own variable is empty.
            Some(Given::Texts(texts)) if member.guards && texts.contains(&"") => {
                return Err(unreadable(format!("--{} is set to nothing.", kebab(member.parameter))));
            }
            Some(Given::Texts(texts)) if member.kind.is_path() => {
                let paths = texts.into_iter().filter(|path| !path.is_empty()).map(absolute);
                match (paths.collect::<Result<Vec<PathBuf>, Problem>>()?, member.kind) {
                    (paths, _) if paths.is_empty() => continue,
                    (paths, ContextMemberKind::Paths) => json!(paths),
                    (paths, _) => json!(paths.last()),
                }
            }
            Some(Given::Texts(texts)) if member.kind == ContextMemberKind::Texts => json!(texts),
            Some(Given::Texts(texts)) => json!(texts.last()),
        };
        context.insert(member.name.to_owned(), value);
    }
    Ok(context)
}

/// The refusal of an option or a variable that does not say what was meant.
fn unreadable(message: String) -> Problem {
    Box::new(ErrorReport::terminating(Code::ContextInvalid, message).recommending("Give it a value, or leave it out."))
}

/// The environment variables that the engine gets, with absolute paths.
fn variables() -> Result<BTreeMap<String, String>, Problem> {
    let mut variables = BTreeMap::new();
    for (name, value) in std::env::vars_os() {
        let Ok(name) = name.into_string() else { continue };
        match value.into_string() {
            Ok(value) => drop(variables.insert(name, value)),
            Err(_) if decides_about_runs(&name) => {
                return Err(unreadable(format!("The variable {name} cannot be read: it is not UTF-8.")));
            }
            Err(_) => {}
        }
    }
    for (name, value) in &mut variables {
        if !value.is_empty() && path_variables().any(|variable| variable.eq_ignore_ascii_case(name)) {
            let path =
                absolute(&at_home(value)).map_err(|problem| invalid(format!("{name}: {}", problem.failure.message)))?;
            // A path made of text is text again.
            *value = path.to_string_lossy().into_owned();
        }
    }
    Ok(variables)
}

/// A document of the command line: a relative path starts at the working directory or, where nothing is there, at the root of
/// the project.
fn document_path(path: &str, root: Option<&str>) -> Result<PathBuf, Problem> {
    let here = absolute(path)?;
    if Path::new(path).is_absolute() || here.exists() {
        return Ok(here);
    }
    let below_root = root.map(|root| Path::new(root).join(path)).filter(|path| path.exists());
    Ok(below_root.unwrap_or(here))
}

/// A path with the home folder in the place of its `~`, which no shell replaces in a variable that a file sets.
fn at_home(path: &str) -> Cow<'_, str> {
    let Some(rest) = path.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(std::path::is_separator))
    else {
        return Cow::Borrowed(path);
    };
    match std::env::home_dir() {
        Some(home) => Cow::Owned(format!("{}{rest}", home.display())),
        None => Cow::Borrowed(path),
    }
}

pub(super) fn absolute(path: &str) -> Result<PathBuf, Problem> {
    std::path::absolute(path).map_err(|error| invalid(format!("The path '{path}' cannot be used: {error}.")))
}

fn settings_from_standard_input() -> Result<Value, Problem> {
    let input = std::io::stdin();
    if input.is_terminal() {
        complain("Reading the settings from the terminal; press Ctrl+D to finish.");
    }
    let mut text = Vec::new();
    // One byte more than allowed tells what is too large from what fits.
    input
        .take(run::LARGEST_SETTINGS + 1)
        .read_to_end(&mut text)
        .map_err(|error| invalid(format!("The settings on standard input cannot be read: {error}.")))?;
    if text.len() as u64 > run::LARGEST_SETTINGS {
        return Err(invalid("The settings on standard input are larger than 64 MiB."));
    }
    run::settings_object(text)
        .map_err(|messages| invalid(format!("The settings on standard input are invalid: {}.", messages.join("; "))))
}
