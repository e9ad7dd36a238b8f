//! The end of a run that makes a template: what is wanted, written down for Azure's own engine.

use std::path::Path;

use super::compile::{Resolved, announce_replaced};
use super::context::check_absolute;
use super::destination::{OutputFile, Replaces, save};
use super::failure::{Failure, failure, refused};
use super::planning::{compare, renamed};
use super::prepare::Prepared;
use crate::commands::{Sought, subcommand_of};
use crate::desired::World;
use crate::plan::Plan;
use crate::protocol::{Code, Host, Message, TemplateOptions, TemplateReport, Warning};
use crate::settings::{OwnFile, Place};
use crate::template::{Input, Template, calls, template};

/// The things that the run needs beside what it knows of the documents.
pub(super) struct TemplateRun {
    file: Option<OutputFile>,
    late_binding: bool,
    stack: bool,
}

impl TemplateRun {
    /// The options of a request, of which the file must be one that may be written.
    pub(super) fn of(options: Option<TemplateOptions>, prepared: &Prepared) -> Result<TemplateRun, Failure> {
        let options = options.unwrap_or_default();
        let file = |path: &Path| {
            check_absolute(path, "template.path")?;
            OutputFile::at(path, OwnFile::Template, Replaces::of_switch(options.overwrite), &prepared.inputs)
        };
        Ok(TemplateRun {
            file: options.path.as_deref().map(file).transpose()?,
            late_binding: options.late_binding.unwrap_or_default(),
            stack: options.stack.unwrap_or_default(),
        })
    }

    /// Makes the template, writes it where the request says so, and tells the host.
    pub(super) async fn finish(self, prepared: &Prepared, resolved: Resolved, host: &Host) -> Result<(), Failure> {
        host.warnings(resolved.compiled.warnings.iter().cloned());
        check_look_ups(&resolved)?;
        let world = resolved.world;
        let mut plan = Plan::default();
        let desired = match &world {
            World::Unknown => resolved.compiled.desired,
            // What exists under another name is meant by that.
            World::Known(_) => {
                let (desired, compared) = compare(resolved.compiled.desired, &resolved.compiled.owned, &world);
                plan = compared;
                desired
            }
        };
        host.warnings(renamed(&resolved.compiled.namesakes, &plan));
        announce_replaced(&plan, &prepared.secrets, host);
        plan.refused.extend(resolved.taken);
        if !plan.refused.is_empty() {
            return Err(refused(plan.refused));
        }
        let made = template(&Input {
            desired: &desired,
            world: &world,
            looked_up: &resolved.compiled.looked_up,
            complete: &resolved.compiled.complete,
            owned: &resolved.compiled.owned,
            subscription: &prepared.context.run.subscription,
            service_tag_key: &prepared.context.run.service_tag_key,
            secrets: &prepared.secrets,
            late_binding: self.late_binding,
            stack: self.stack,
        });
        let made = made.map_err(|reasons| impossible(&reasons))?;
        let left_alone = plan.left_alone.iter().map(|left| Warning::from(left.error.failure.message.as_str()));
        let kept = resolved.compiled.kept.iter().chain(&plan.kept).map(|kept| Warning {
            place: kept.place.clone(),
            ..format!("{} A deployment of the template tries to change it all the same.", kept.reason).into()
        });
        host.warnings(plan.warnings.iter().cloned().chain(left_alone).chain(kept).chain(made.warnings.iter().cloned()));
        let report = self.report(prepared, &made);
        if let Some(file) = self.file {
            save(vec![(file, report.template.clone())]).await?;
        }
        host.send(Message::Template(report));
        Ok(())
    }

    fn report(&self, prepared: &Prepared, made: &Template) -> TemplateReport {
        let path = self.file.as_ref().map(|file| file.path().display().to_string());
        let calls = calls(made, path.as_deref(), &deployment_name(prepared), self.stack);
        TemplateReport { template: format!("{:#}\n", made.body), path, parameters: made.parameters.clone(), calls }
    }
}

/// The name of the deployment, or of the stack: always the same for a document, so that a stack knows what it made before.
fn deployment_name(prepared: &Prepared) -> String {
    /// Azure takes a few more.
    const LONGEST: usize = 60;
    let head = &prepared.head;
    let name = match head.documents.as_slice() {
        [] => subcommand_of(&head.command),
        [only] => Path::new(only).file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        _ => "environment".to_owned(),
    };
    let is_legal = |part: &char| part.is_ascii_alphanumeric() || "-_.".contains(*part);
    let name: String = format!("svc-{name}").chars().filter(is_legal).take(LONGEST).collect();
    name.trim_end_matches(['.', '-']).to_owned()
}

/// Without a look at Azure there is nothing that a look-up could stand for.
fn check_look_ups(resolved: &Resolved) -> Result<(), Failure> {
    let sought = &resolved.compiled.sought;
    if matches!(resolved.world, World::Known(_)) || sought.is_empty() {
        return Ok(());
    }
    let place = |place: &Place| format!("{} ({})", place.path(), place.show());
    let names: Vec<String> =
        sought.iter().map(|Sought { service, place: at, .. }| format!("'{service}' of {}", place(at))).collect();
    let message = format!(
        "A template cannot be made offline of a document that depends on others: {}. The ids and locations of these are not known.",
        names.join(", ")
    );
    Err(Box::new(
        failure(Code::TemplateImpossible, message)
            .recommending("Leave -Offline out: make the template where the subscription can be read."),
    ))
}

fn impossible(reasons: &[String]) -> Failure {
    failure(Code::TemplateImpossible, format!("No template can be made. {}", reasons.join(" ")))
}
