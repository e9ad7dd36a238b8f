//! `svc template`: documents as an ARM template, for Azure's own engine.

use std::path::PathBuf;

use clap::Command;
use serde_json::Value;
use svc_engine::protocol::{ExitStatus, TemplateReport};
use svc_engine::run::registry::{OMIT_TAGS, TAG_SETTINGS_FILE, TEMPLATE};

use super::arguments::{context, host_option, is_about_plans, parameter};
use super::deploy::Session;
use super::help::below;
use super::options::{Form, Options, Switch, documents};
use super::output::{complain, say, say_raw};
use super::request::{Problem, own_members, request};
use super::verbs::source;

/// The name of the subcommand.
pub(super) const NAME: &str = "template";
const PATH: &str = "Path";
const OVERWRITE: &str = "Overwrite";

/// The subcommand.
pub(super) fn subcommand() -> Command {
    let about = TEMPLATE.synopsis;
    let details = "The template has everything that the documents want, for a deployment to the subscription or, with --stack, for a deployment \
                   stack. Names and locations stand in it as they are; secrets are parameters and are never written out. A warning names what a \
                   deployment of the template does differently from the command. Without --path it goes to standard output. Nothing is changed in Azure.";
    let examples = [
        ("svc template storage.yml --path storage.json", "Writes 'storage.json', and shows how it is deployed."),
        ("svc template web.yml --late-binding | less", "Shows it with the ids of what is looked up as parameters."),
        ("svc template log-alerts.yml --stack --path rules.json", "Writes the rules for a deployment stack."),
    ];
    let form =
        "json prints the messages of the engine to standard output, one per line; the template is in one of them.";
    Command::new(NAME)
        .about(about)
        .long_about(format!("{about}\n\n{details}"))
        .after_help(below(&examples))
        .args(documents())
        .args(TEMPLATE.options.iter().map(|option| {
            let argument = host_option(option);
            if option.name == OVERWRITE { argument.requires_if("true", PATH) } else { argument }
        }))
        .args([&TAG_SETTINGS_FILE, &OMIT_TAGS].map(parameter))
        .arg(Switch::Quiet.arg().short('q').help("Shows warnings and errors only, and the template."))
        .args([Switch::Verbose, Switch::Debug].map(Switch::arg))
        .arg(Form::arg(Form::OF_TEXTS, form).short('o'))
        .args(context(|member| !is_about_plans(member)))
}

/// Runs it.
pub(super) fn run(options: Options<'_>) -> ExitStatus {
    let mut session = Session::begin(NAME, options);
    match request_of(options) {
        Ok(request) => session.template(&request),
        Err(problem) => session.refuse(problem),
    }
}

fn request_of(options: Options<'_>) -> Result<Value, Problem> {
    let source = source(options)?;
    let mut request = request(&source, &[&TAG_SETTINGS_FILE, &OMIT_TAGS], true, options)?;
    request["template"] = own_members(TEMPLATE.options, options)?;
    Ok(request)
}

/// Shows a template: where it is, or the template itself, and how it is deployed.
pub(super) fn show(report: &TemplateReport, is_quiet: bool) {
    match &report.path {
        Some(path) if !is_quiet => say(format!("The template is in '{}'.", PathBuf::from(path).display())),
        Some(_) => {}
        None => say_raw(report.template.trim_end()),
    }
    if is_quiet {
        return;
    }
    for call in &report.calls {
        complain(format!("Deploy it with {}:", call.tool));
        complain(format!("  {}", call.command));
    }
    let secrets: Vec<&str> = report
        .parameters
        .iter()
        .filter(|parameter| parameter.secret)
        .map(|parameter| parameter.name.as_str())
        .collect();
    if !secrets.is_empty() {
        complain(format!("Secrets that the deployment is given: {}.", secrets.join(", ")));
    }
}
