//! `svc export`: the settings document of what exists.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command};
use svc_engine::protocol::ExitStatus;
use svc_engine::run::registry::{CONTEXT_MEMBERS, EXPORT};

use super::arguments::{context, host_option, is_about_plans};
use super::deploy::{Export, Session};
use super::help::below;
use super::new_document::{canonical, components};
use super::options::{Form, Options, Switch};
use super::output::{self, say, say_raw};
use super::request::export_request;

/// The name of the subcommand.
pub(super) const NAME: &str = "export";
/// It stands without its name in front of it.
const COMPONENT: &str = "Component";
const GROUP: &str = "ResourceGroup";
const ALL: &str = "All";
const PATH: &str = "Path";
const NAMES: &str = "Names";
const TAG: &str = "Tag";
const OVERWRITE: &str = "Overwrite";

/// The subcommand.
pub(super) fn subcommand() -> Command {
    const EXAMPLES: &[(&str, &str)] = &[
        (
            "svc export storage --resource-group rg-shop --path storage.yml",
            "Writes the document of the storage accounts in 'rg-shop'.",
        ),
        (
            "svc export metricAlerts --resource-group rg-alerts",
            "Prints the document of the metric alert rules in 'rg-alerts'.",
        ),
        ("svc export --all --path estate", "Writes the documents of everything in the subscription to a new folder."),
        (
            "svc export storage --resource-group rg-old --names --path old/storage.yml",
            "Writes the document of accounts that others have named, with a folder '_names' that keeps their names.",
        ),
    ];
    let switches =
        [Switch::Yes, Switch::Confirm, Switch::Verbose, Switch::Debug, Switch::DetailedExitcode].map(|switch| {
            match switch {
                Switch::Yes => switch
                    .arg()
                    .short('y')
                    .requires_if("true", TAG)
                    .help("Writes the tags of --tag without a question."),
                Switch::Confirm => {
                    switch.arg().requires_if("true", TAG).help("Asks before each tag; --confirm=false never asks.")
                }
                Switch::DetailedExitcode => {
                    switch.arg().help("Ends with status 4 where a plan of the document would change something.")
                }
                _ => switch.arg(),
            }
        });
    let form =
        "json prints the messages of the engine to standard output, one per line; the document is in one of them.";
    let about = EXPORT.synopsis;
    Command::new(NAME)
        .about(about)
        .long_about(format!(
            "{about} A plan of the document changes nothing, or the document says what it would change. What the settings cannot say is a comment in it, and a warning. \
             Nothing is changed, but for the tags that --tag asks for. Without a component, or of several groups, a folder gets a document for everything that can be in one. Without --path the document goes to standard output."
        ))
        .after_help(below(EXAMPLES))
        .args(EXPORT.options.iter().map(|option| {
            let argument = host_option(option);
            match option.name {
                COMPONENT => Arg::new(COMPONENT)
                    .value_name("COMPONENT")
                    .value_parser(PossibleValuesParser::new(components()).map(|name| canonical(&name)))
                    .ignore_case(true)
                    .help("What the document is about, as in its 'component'."),
                GROUP => argument.short('g').conflicts_with(ALL).required_unless_present(ALL),
                TAG => argument.requires_if("true", PATH).long_help(format!("{} Needs the role Tag Contributor.", option.help)),
                NAMES | OVERWRITE => argument.requires_if("true", PATH),
                _ => argument,
            }
        }))
        .args(switches)
        .arg(Form::arg(Form::OF_TEXTS, form).short('o'))
        // What exists is not read offline, which the engine says.
        .args(context(|member| !is_about_plans(member) && member.name != "offline"))
}

/// `svc export`.
pub(super) fn run(options: Options<'_>) -> ExitStatus {
    let mut session = Session::begin(NAME, options);
    let request = export_request(EXPORT.options, options);
    let path = EXPORT.options.iter().find(|option| option.name == PATH).and_then(|path| options.option(path)?.text());
    let written = match request {
        Ok(request) => session.export(&request, options),
        Err(problem) => Err(session.refuse(problem)),
    };
    let Export { documents, differs, status } = match written {
        Ok(written) => written,
        Err(status) => return status,
    };
    // Whoever reads messages has read the documents, and where they are.
    if options.form().is_for_programs() {
        return output::end(status, path.is_some());
    }
    let Some(path) = path else {
        documents.iter().for_each(|text| say_raw(text.trim_end()));
        return output::end(status, false);
    };
    let is_one = !std::path::Path::new(path).is_dir();
    let (are, of) = if is_one { ("The document is in", "it") } else { ("The documents are in", "them") };
    let plan = if differs {
        format!("A plan of {of} is not empty; see it with")
    } else {
        format!("A plan of {of} changes nothing:")
    };
    // A plan of a folder would look for the local cloud in that.
    let state = if is_one || !is_local_by_default(options) { "" } else { " --local-state-file .svc/local-cloud.json" };
    say(format!("{are} '{path}'. {plan} svc plan {path}{state}"));
    output::end(status, true)
}

/// Whether the cloud is the local one, kept where nobody has said.
fn is_local_by_default(options: Options<'_>) -> bool {
    let said = |member: &str| {
        let member = CONTEXT_MEMBERS.iter().find(|known| known.name == member)?;
        let given = options.context_member(member).and_then(|given| given.text().map(str::to_owned));
        given.or_else(|| std::env::var(member.variable).ok()).filter(|value| !value.is_empty())
    };
    let is_local = said("cloud").is_some_and(|cloud| cloud.eq_ignore_ascii_case("local"));
    is_local && said("localStateFile").is_none() && said("projectRoot").is_none()
}
