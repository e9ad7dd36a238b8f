//! Every text of a message, so that one place can clean them all. The lists name every member: a new one does not compile before it
//! is decided here whether it may hold what a server, a document or a user wrote.

use serde_json::Value;

use super::action::{Action, PropertyChange};
use super::code::Code;
use super::drift::{Attribution, Difference, Drift};
use super::error_report::{ErrorReport, FailureReport, FindingReport};
use super::kept::Kept;
use super::message::{FileBeside, Message};
use super::rehearsal::Rehearsal;
use super::resource_name::ResourceName;
use super::resource_report::{ResourceReport, UnchangedReport};
use super::target::{MadeWith, Target};
use super::template::{TemplateCall, TemplateParameter, TemplateReport};
use super::under_way::UnderWay;
use super::warning::{FilePlace, Warning};

/// The function that is called with each text.
pub(super) type Visit<'a> = &'a mut dyn FnMut(&mut String);

/// The things that have texts.
pub(super) trait Texts {
    /// Visits every text that may hold what a server, a document or a user wrote.
    fn each_text(&mut self, visit: Visit<'_>);
}

impl Texts for String {
    fn each_text(&mut self, visit: Visit<'_>) {
        visit(self);
    }
}

impl<T: Texts> Texts for Option<T> {
    fn each_text(&mut self, visit: Visit<'_>) {
        self.iter_mut().for_each(|inner| inner.each_text(visit));
    }
}

impl<T: Texts> Texts for Box<T> {
    fn each_text(&mut self, visit: Visit<'_>) {
        (**self).each_text(visit);
    }
}

impl<T: Texts> Texts for Vec<T> {
    fn each_text(&mut self, visit: Visit<'_>) {
        self.iter_mut().for_each(|inner| inner.each_text(visit));
    }
}

impl Texts for Value {
    fn each_text(&mut self, visit: Visit<'_>) {
        match self {
            Value::String(text) => visit(text),
            Value::Array(items) => items.each_text(visit),
            Value::Object(members) => members.values_mut().for_each(|member| member.each_text(visit)),
            _ => {}
        }
    }
}

impl Texts for Code {
    fn each_text(&mut self, visit: Visit<'_>) {
        if let Code::Azure(code) = self {
            visit(code);
        }
    }
}

impl Texts for Message {
    fn each_text(&mut self, visit: Visit<'_>) {
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
                under_way.each_text(visit);
                visit(activity);
                visit(status);
                current_operation.each_text(visit);
            }
            Message::Target(target) => target.each_text(visit),
            Message::Kept(kept) => kept.each_text(visit),
            Message::Plan { format: _, id: _, target, made_with, refused: _, actions } => {
                made_with.each_text(visit);
                target.each_text(visit);
                actions.each_text(visit);
            }
            Message::Resource(report) => report.each_text(visit),
            Message::Unchanged(report) => report.each_text(visit),
            Message::Document { component: _, text, path: _, files, differences } => {
                visit(text);
                files.each_text(visit);
                differences.each_text(visit);
            }
            Message::Template(report) => report.each_text(visit),
            Message::Drift(drift) => drift.each_text(visit),
            Message::Error(report) => report.each_text(visit),
            // The audience of a token is what the host has to ask for; the counts are numbers.
            Message::Token { .. } | Message::Result(_) => {}
        }
    }
}

/// The members of a type that have texts, and behind the semicolon those that have none of others.
macro_rules! texts {
    ($name:ident { $($text:ident),+ $(; $($other:ident),+)? }) => {
        impl Texts for $name {
            fn each_text(&mut self, visit: Visit<'_>) {
                let $name { $($text,)+ $($($other: _,)+)? } = self;
                $($text.each_text(visit);)+
            }
        }
    };
}

texts!(Warning { message, path, place; code });
texts!(UnderWay { resource_id, name; seconds, usual_seconds });
texts!(FilePlace { file; line, column });
texts!(FileBeside { text; path });
texts!(MadeWith { environment, project_files; left_out });
texts!(Target { made_with, cloud, endpoint, subscription_id, subscription_name, tenant_id, identity });
texts!(Kept { resource, path, reason, wanted, existing, document, place; orphan });
texts!(Drift { made_with, target, differences, kept; has_differences, unchanged, sentence });
texts!(Difference {
    resource, path, sentence, wanted, existing, origin, document, place, changed; fingerprint, kind
});
texts!(Attribution { by, client, operation, at });
// The template is made without secrets, and whoever makes it looks for them. What may be part of one, such as the version in the query of a
// URL, may stand in it as well, and without that it would be another template.
texts!(TemplateReport { path, parameters, calls; template });
texts!(TemplateParameter { name, default, description; secret });
texts!(TemplateCall { command; tool });
texts!(ResourceName { resource_type, label, name, full_name, resource_group, resource_id });
texts!(Action {
    resource, description, question, changes, origin, document, rehearsal;
    index, action, confirm, depends_on, together, last, state_unknown
});
texts!(PropertyChange { path, before, after, origin; by_policy });
texts!(ResourceReport {
    resource, properties, document; action, seconds
});
texts!(UnchangedReport { resource, properties, document, rehearsal });
texts!(Rehearsal {
    fired_for, reason, sentence; from, to, fired, fired_before, minutes, last_fired, notifications, sampled, strip
});
texts!(ErrorReport { failure, findings, failures, done; terminating });
texts!(FailureReport {
    code, message, target, recommendation, resource_id, request_id, document; category
});
texts!(FindingReport { file, path, message; line, column, code });
