//! Every text of a message, so that one place can clean them all. The patterns name every member: a new one does not compile before it
//! is decided here whether it may hold what a server, a document or a user wrote.

use serde_json::Value;

use super::action::{Action, PropertyChange};
use super::code::Code;
use super::drift::{Attribution, Difference, Drift};
use super::error_report::{ErrorReport, FailureReport, FindingReport};
use super::kept::Kept;
use super::message::{FileBeside, Message};
use super::rehearsal::Rehearsal;
use super::resource_report::{ResourceReport, UnchangedReport};
use super::target::{MadeWith, Target};
use super::template::{TemplateCall, TemplateParameter, TemplateReport};
use super::warning::{FilePlace, Warning};

/// What is done with each text.
type Visit<'a> = &'a mut dyn FnMut(&mut String);

impl Message {
    /// Visits every text that may hold what a server, a document or a user wrote.
    pub(super) fn each_text(&mut self, visit: Visit<'_>) {
        match self {
            Message::Verbose { message } | Message::Debug { message } => visit(message),
            Message::Warning(warning) => warning.each_text(visit),
            Message::Progress {
                activity_id: _,
                activity,
                status,
                current_operation,
                percent: _,
                under_way,
                completed: _,
            } => {
                under_way.iter_mut().for_each(|resource| resource.each_text(visit));
                visit(activity);
                visit(status);
                optional(current_operation, visit);
            }
            Message::Target(target) => target.each_text(visit),
            Message::Kept(kept) => kept.each_text(visit),
            Message::Plan { format: _, id: _, target, made_with, refused: _, actions } => {
                made_with.each_text(visit);
                target.iter_mut().for_each(|target| target.each_text(visit));
                actions.iter_mut().for_each(|action| action.each_text(visit));
            }
            Message::Resource(report) => report.each_text(visit),
            Message::Unchanged(report) => report.each_text(visit),
            Message::Document { component: _, text, path: _, files, differences } => {
                visit(text);
                for FileBeside { path: _, text } in files {
                    visit(text);
                }
                differences.iter_mut().for_each(visit);
            }
            Message::Template(report) => report.each_text(visit),
            Message::Drift(drift) => drift.each_text(visit),
            Message::Error(report) => report.each_text(visit),
            // The audience of a token is what the host has to ask for; the counts are numbers.
            Message::Token { .. } | Message::Result(_) => {}
        }
    }
}

impl Warning {
    fn each_text(&mut self, visit: Visit<'_>) {
        let Warning { message, place, path, code: _ } = self;
        visit(message);
        optional(path, visit);
        file_of(place, visit);
    }
}

fn file_of(place: &mut Option<FilePlace>, visit: Visit<'_>) {
    if let Some(FilePlace { file, line: _, column: _ }) = place {
        visit(file);
    }
}

fn optional(text: &mut Option<String>, visit: Visit<'_>) {
    if let Some(text) = text {
        visit(text);
    }
}

pub(super) fn each_text_of(value: &mut Value, visit: Visit<'_>) {
    match value {
        Value::String(text) => visit(text),
        Value::Array(items) => items.iter_mut().for_each(|item| each_text_of(item, visit)),
        Value::Object(members) => members.values_mut().for_each(|member| each_text_of(member, visit)),
        _ => {}
    }
}

impl Code {
    fn each_text(&mut self, visit: Visit<'_>) {
        if let Code::Azure(code) = self {
            visit(code);
        }
    }
}

impl MadeWith {
    fn each_text(&mut self, visit: Visit<'_>) {
        let MadeWith { environment, project_files, left_out: _ } = self;
        visit(environment);
        project_files.iter_mut().for_each(visit);
    }
}

impl Target {
    fn each_text(&mut self, visit: Visit<'_>) {
        let Target { cloud, endpoint, subscription_id, subscription_name, tenant_id, identity, made_with } = self;
        made_with.each_text(visit);
        for text in [cloud, endpoint, subscription_id] {
            visit(text);
        }
        for text in [subscription_name, tenant_id, identity] {
            optional(text, visit);
        }
    }
}

impl Kept {
    fn each_text(&mut self, visit: Visit<'_>) {
        let Kept {
            resource_id,
            resource_type,
            label,
            full_name,
            path,
            wanted,
            existing,
            orphan: _,
            reason,
            place,
            document,
        } = self;
        for text in [resource_id, resource_type, label, full_name, path, reason] {
            visit(text);
        }
        for text in [wanted, existing, document] {
            optional(text, visit);
        }
        file_of(place, visit);
    }
}

impl Drift {
    fn each_text(&mut self, visit: Visit<'_>) {
        let Drift { target, made_with, has_differences: _, differences, kept, unchanged: _, sentence: _ } = self;
        made_with.each_text(visit);
        target.iter_mut().for_each(|target| target.each_text(visit));
        differences.iter_mut().for_each(|difference| difference.each_text(visit));
        kept.iter_mut().for_each(|kept| kept.each_text(visit));
    }
}

impl Difference {
    fn each_text(&mut self, visit: Visit<'_>) {
        let Difference {
            fingerprint: _,
            kind: _,
            resource_id,
            resource_type,
            label,
            full_name,
            path,
            wanted,
            existing,
            origin,
            place,
            document,
            changed,
            sentence,
        } = self;
        for text in [resource_id, resource_type, label, full_name, path, sentence] {
            visit(text);
        }
        for text in [wanted, existing, origin, document] {
            optional(text, visit);
        }
        file_of(place, visit);
        if let Some(Attribution { by, client, operation, at }) = changed {
            optional(by, visit);
            optional(client, visit);
            visit(operation);
            visit(at);
        }
    }
}

impl TemplateReport {
    fn each_text(&mut self, visit: Visit<'_>) {
        // The template is made without secrets, and whoever makes it looks for them. What may be part of one, such as the version in the
        // query of a URL, may stand in it as well, and without that it would be another template.
        let TemplateReport { template: _, path, parameters, calls } = self;
        optional(path, visit);
        for TemplateParameter { name, secret: _, default, description } in parameters {
            visit(name);
            optional(default, visit);
            visit(description);
        }
        calls.iter_mut().for_each(|TemplateCall { tool: _, command }| visit(command));
    }
}

impl Action {
    fn each_text(&mut self, visit: Visit<'_>) {
        let Action {
            index: _,
            action: _,
            resource_type,
            label,
            name,
            full_name,
            resource_group,
            resource_id,
            description,
            question,
            confirm: _,
            depends_on: _,
            together: _,
            last: _,
            changes,
            state_unknown: _,
            origin,
            document,
            rehearsal,
        } = self;
        for text in [resource_type, label, name, full_name, resource_id, description, question] {
            visit(text);
        }
        rehearsal.iter_mut().for_each(|rehearsal| rehearsal.each_text(visit));
        optional(resource_group, visit);
        optional(origin, visit);
        optional(document, visit);
        for PropertyChange { path, before, after, origin, by_policy: _ } in changes {
            visit(path);
            for text in [before, after, origin] {
                optional(text, visit);
            }
        }
    }
}

impl ResourceReport {
    fn each_text(&mut self, visit: Visit<'_>) {
        let ResourceReport {
            action: _,
            resource_type,
            label,
            name,
            full_name,
            resource_group,
            resource_id,
            seconds: _,
            properties,
            document,
        } = self;
        for text in [resource_type, label, name, full_name, resource_id] {
            visit(text);
        }
        optional(resource_group, visit);
        optional(document, visit);
        if let Some(properties) = properties {
            each_text_of(properties, visit);
        }
    }
}

impl Rehearsal {
    fn each_text(&mut self, visit: Visit<'_>) {
        let Rehearsal {
            from: _,
            to: _,
            fired: _,
            fired_before: _,
            minutes: _,
            last_fired: _,
            fired_for,
            notifications: _,
            sampled: _,
            strip: _,
            reason,
            sentence,
        } = self;
        fired_for.iter_mut().for_each(&mut *visit);
        optional(reason, visit);
        visit(sentence);
    }
}

impl UnchangedReport {
    fn each_text(&mut self, visit: Visit<'_>) {
        let UnchangedReport {
            resource_type,
            label,
            name,
            full_name,
            resource_group,
            resource_id,
            properties,
            document,
            rehearsal,
        } = self;
        for text in [resource_type, label, name, full_name, resource_id] {
            visit(text);
        }
        rehearsal.iter_mut().for_each(|rehearsal| rehearsal.each_text(visit));
        optional(resource_group, visit);
        optional(document, visit);
        if let Some(properties) = properties {
            each_text_of(properties, visit);
        }
    }
}

impl ErrorReport {
    fn each_text(&mut self, visit: Visit<'_>) {
        let ErrorReport {
            terminating: _,
            code,
            category: _,
            message,
            target,
            recommendation,
            resource_id,
            request_id,
            document,
            findings,
            failures,
            done,
        } = self;
        code.each_text(visit);
        visit(message);
        for text in [target, recommendation, resource_id, request_id, document] {
            optional(text, visit);
        }
        for FindingReport { file, line: _, column: _, path, code: _, message } in findings {
            optional(file, visit);
            visit(path);
            visit(message);
        }
        failures.iter_mut().for_each(|failure| failure.each_text(visit));
        done.iter_mut().for_each(|report| report.each_text(visit));
    }
}

impl FailureReport {
    fn each_text(&mut self, visit: Visit<'_>) {
        let FailureReport { code, category: _, message, target, recommendation, resource_id, request_id, document } =
            self;
        code.each_text(visit);
        visit(message);
        for text in [target, recommendation, resource_id, request_id, document] {
            optional(text, visit);
        }
    }
}
