//! `svc explain`: what is made of a line of a document, and where a name comes from.

use clap::{Arg, Command};
use serde_json::json;
use svc_engine::protocol::ExitStatus;
use svc_engine::run::registry::{OMIT_TAGS, TAG_SETTINGS_FILE};
use svc_engine::run::{Explained, ExplainedProperty, Explanation};

use super::arguments::{context, is_about_plans, parameter};
use super::deploy::Session;
use super::help::below;
use super::options::{Form, Options, Switch, more_files};
use super::output::{self, say, say_raw};
use super::request::request;
use super::verbs::source_of;

/// The name of the subcommand.
pub(super) const NAME: &str = "explain";
const WHAT: &str = "What";

/// The subcommand.
pub(super) fn subcommand() -> Command {
    const EXAMPLES: &[(&str, &str)] = &[
        (
            "svc explain stordersdb8e13ec",
            "Says which document makes the storage account, and what its name is made of.",
        ),
        ("svc explain storage.yml:12", "Says what is made of line 12 of 'storage.yml'."),
        ("svc explain kv-shop-dev-uks-0a1b2c3d -f environment", "Looks for the name in the documents of a folder."),
    ];
    let about = "Says where a name comes from, or what is made of a line of a document, and changes nothing.";
    Command::new(NAME)
        .about(about)
        .long_about(format!(
            "{about} Of a resource it says the document and the setting that it comes from, what each part of its name stands for, what it depends on, its tags, \
             and every property that it gets in Azure, with the setting that says it. Of a name that no document makes it says which part does not fit the naming \
             convention, and ends with status 1."
        ))
        .after_help(below(EXAMPLES))
        .arg(Arg::new(WHAT).value_name("NAME|FILE:LINE").num_args(1..).required(true).help(
            "Names in Azure, resource ids, or lines of documents. Without --file names are looked for in the documents of this folder.",
        ))
        .arg(more_files())
        // Messages stay what they are: the list is all that a program reads.
        .arg(Form::arg(Form::OF_TEXTS, "json prints the explanations to standard output, as one list.").short('o'))
        .args([&TAG_SETTINGS_FILE, &OMIT_TAGS].map(parameter))
        .args([Switch::Verbose, Switch::Debug].map(Switch::arg))
        .args(context(|member| !is_about_plans(member)))
}

/// `svc explain`.
pub(super) fn run(options: Options<'_>) -> ExitStatus {
    let whats: Vec<String> = options.operands(WHAT).into_iter().map(str::to_owned).collect();
    let named = options.files();
    let of_places: Vec<&str> = whats.iter().filter_map(|what| file_of(what)).collect();
    let files = match (named.is_empty(), of_places.len() == whats.len()) {
        (false, _) => named,
        (true, true) => of_places,
        (true, false) => vec!["."],
    };
    let mut session = Session::in_form(Form::Text, NAME, options);
    let request = source_of(&files, options)
        .and_then(|source| request(&source, &[&TAG_SETTINGS_FILE, &OMIT_TAGS], true, options));
    let explained = match request {
        Ok(request) => session.explain(&request, &whats),
        Err(problem) => Err(session.refuse(problem)),
    };
    let Explained { resources, foreign } = match explained {
        Ok(explained) => explained,
        Err(status) => return status,
    };
    if options.form() == Form::Json {
        say_raw(&json!(resources).to_string());
    } else {
        for (number, explanation) in resources.iter().enumerate() {
            if number > 0 {
                say("");
            }
            lines(explanation).into_iter().for_each(say);
        }
    }
    let status = if foreign.is_empty() { ExitStatus::Done } else { ExitStatus::Failed };
    foreign.into_iter().for_each(output::complain);
    output::end(status, false)
}

/// The file of a place in one: of `storage.yml:12` and of `storage.yml:12:5`.
fn file_of(what: &str) -> Option<&str> {
    let file = what.trim_end_matches(|character: char| character.is_ascii_digit()).strip_suffix(':')?;
    let without_column = file.trim_end_matches(|character: char| character.is_ascii_digit()).strip_suffix(':');
    Some(without_column.unwrap_or(file)).filter(|file| !file.is_empty() && file.len() < what.len() - 1)
}

/// The explanation of a resource, for people.
fn lines(of: &Explanation) -> Vec<String> {
    let mut lines = vec![
        format!("{}: {} '{}'", of.resource.label, of.resource.resource_type, of.resource.name),
        format!("  id          {}", of.resource.resource_id),
    ];
    let by = of.command.as_ref().map_or(String::new(), |command| format!(", by {command}"));
    lines.push(format!("  made of     {}{by}", of.origin.as_deref().unwrap_or("the whole document")));
    let width = of.name_parts.iter().map(|part| part.text.chars().count()).max().unwrap_or_default();
    for (number, part) in of.name_parts.iter().enumerate() {
        let head = if number == 0 { "name" } else { "" };
        let hash = part.hash_of.as_ref().map_or(String::new(), |text| format!(" of '{text}'"));
        let place = part.place.as_ref().map_or(String::new(), |place| format!("  {place}"));
        lines.push(format!("  {head:<10}  {:<width$}  {}{hash}{place}", part.text, part.source));
    }
    for (number, id) in of.depends_on.iter().enumerate() {
        lines.push(format!("  {:<10}  {id}", if number == 0 { "depends on" } else { "" }));
    }
    properties("tags", &of.tags, &mut lines);
    if let Some(api_version) = &of.api_version {
        lines.push(format!("  in Azure    api-version {api_version}"));
    }
    properties("", &of.properties, &mut lines);
    lines
}

fn properties(head: &str, all: &[ExplainedProperty], lines: &mut Vec<String>) {
    for (number, ExplainedProperty { path, value, origin }) in all.iter().enumerate() {
        let head = if number == 0 { head } else { "" };
        let origin = origin.as_deref().unwrap_or("default");
        lines.push(format!("  {head:<10}  {path} = {value}  {origin}"));
    }
}
