//! `svc export`: the settings document of what exists.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};
use svc_engine::protocol::ExitStatus;
use svc_engine::run::registry::{CONTEXT_MEMBERS, EXPORT};

use super::arguments::{context_member, host_option, of_every_command};
use super::deploy::{Session, is_for_programs, is_on};
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
const OF_DEPLOYMENTS: &[&str] = &["allowForeignDeletes", "includeUnchanged", "offline", "planReport", "approvedPlan"];

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
    let takes_option = |argument: &Arg| matches!(argument.get_id().as_str(), "Verbose" | "Debug" | "Output");
    let of_every_command = of_every_command().into_iter().filter(takes_option).map(|argument| {
        if argument.get_id() != "Output" {
            return argument;
        }
        argument.short('o').value_parser(PossibleValuesParser::new(["text", "json"])).help(
            "json prints the messages of the engine to standard output, one per line; the document is in one of them.",
        )
    });
    let about = EXPORT.synopsis;
    Command::new(NAME)
        .about(about)
        .long_about(format!(
            "{about} A plan of the document changes nothing. What the settings cannot say is a comment in it, and a warning. \
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
        Ok(request) => session.export(&request),
        Err(problem) => Err(session.refuse(problem)),
    };
    match (written, path) {
        (Err(status), _) => status,
        // Whoever reads messages has read the document, and where it is.
        (Ok(_), path) if is_for_programs(matches) => output::end(ExitStatus::Done, path.is_some()),
        (Ok(_), Some(path)) => {
            say(format!("The document is in '{0}'. See what it would change: svc plan {0}", path));
            output::end(ExitStatus::Done, true)
        }
        (Ok(text), None) => {
            say_raw(text.trim_end());
            ExitStatus::Done
        }
    }
}
