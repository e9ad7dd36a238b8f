//! `svc export`: the settings document of what exists.

use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Command};
use svc_engine::protocol::ExitStatus;
use svc_engine::run::registry::{CONTEXT_MEMBERS, EXPORT};

use super::arguments::{DETAILED_EXITCODE, context_member, host_option, of_every_command};
use super::deploy::{Export, Session, is_for_programs, is_on};
use super::help::below;
use super::new_document::{chosen, component_of};
use super::output::{self, say, say_raw};
use super::request::{Switches, export_request};

/// The name of the subcommand.
pub(super) const NAME: &str = "export";
/// It stands without its name in front of it.
const COMPONENT: &str = "Component";
const GROUP: &str = "ResourceGroup";
const PATH: &str = "Path";
const NAMES: &str = "Names";
const OVERWRITE: &str = "Overwrite";

/// What a context says of plans and of changes; an export makes neither.
const OF_DEPLOYMENTS: &[&str] =
    &["allowForeignDeletes", "enforceDefaults", "includeUnchanged", "offline", "planReport", "approvedPlan"];

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
        (
            "svc export storage --resource-group rg-old --names --path old/storage.yml",
            "Writes the document of accounts that others have named, with a folder '_names' that keeps their names.",
        ),
    ];
    let examples: Vec<(String, &'static str)> =
        EXAMPLES.iter().map(|(code, what)| ((*code).to_owned(), *what)).collect();
    const TAKEN: &[&str] = &["Verbose", "Debug", "Output", DETAILED_EXITCODE];
    let of_every_command =
        of_every_command().into_iter().filter(|argument| TAKEN.contains(&argument.get_id().as_str()));
    let of_every_command = of_every_command.map(|argument| match argument.get_id().as_str() {
        "Output" => argument.short('o').value_parser(PossibleValuesParser::new(["text", "json"])).help(
            "json prints the messages of the engine to standard output, one per line; the document is in one of them.",
        ),
        DETAILED_EXITCODE => argument.help("Ends with status 4 where a plan of the document would change something."),
        _ => argument,
    });
    let about = EXPORT.synopsis;
    Command::new(NAME)
        .about(about)
        .long_about(format!(
            "{about} A plan of the document changes nothing, or the document says what it would change. What the settings cannot say is a comment in it, and a warning. \
             Nothing is changed. Without --path the document goes to standard output."
        ))
        .after_help(below(&examples))
        .arg(component_of(|command| command.export.is_some()).required(true))
        .args(EXPORT.options.iter().filter(|option| option.name != COMPONENT).map(|option| {
            let argument = host_option(option);
            match option.name {
                GROUP => argument.short('g'),
                NAMES | OVERWRITE => argument.requires_if("true", PATH),
                _ => argument,
            }
        }))
        .args(of_every_command)
        .args(CONTEXT_MEMBERS.iter().filter(|member| !OF_DEPLOYMENTS.contains(&member.name)).map(context_member))
}

/// `svc export`.
pub(super) fn run(matches: &ArgMatches) -> ExitStatus {
    let (Some(command), Some(group)) = (chosen(matches), matches.get_one::<String>(GROUP)) else {
        return ExitStatus::Usage;
    };
    let path = matches.get_one::<String>(PATH).map(String::as_str);
    let mut session = Session::begin(NAME, matches);
    let switches = Switches { names: is_on(matches, NAMES), overwrite: is_on(matches, OVERWRITE) };
    let request = export_request(command.component, group, path, switches, matches);
    let written = match request {
        Ok(request) => session.export(&request, is_on(matches, DETAILED_EXITCODE)),
        Err(problem) => Err(session.refuse(problem)),
    };
    let Export { text, differs, status } = match written {
        Ok(written) => written,
        Err(status) => return status,
    };
    match path {
        // Whoever reads messages has read the document, and where it is.
        _ if is_for_programs(matches) => {}
        Some(path) => {
            let plan = if differs { "A plan of it is not empty; see it with" } else { "A plan of it changes nothing:" };
            say(format!("The document is in '{path}'. {plan} svc plan {path}"));
        }
        None => say_raw(text.trim_end()),
    }
    output::end(status, path.is_some())
}
