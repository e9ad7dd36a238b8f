//! A plan as lines of text with marks of style, laid out for a width. Who prints them decides what a mark looks like.

use std::collections::HashMap;

use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use super::summary::{SHARED, Tally};
use super::wrap::{JOINT, fill, with_origin};
use super::{
    Difference, Node, Part, Sign, by_type, difference, document_names, is_default, sections, short_path, tree,
};
use crate::azure::ResourceId;
use crate::plan::{STATE_UNKNOWN, short_name};
use crate::protocol::{Action, ActionKind, MadeWith, PropertyChange, listed, plural};

/// Lines wider than this are hard to read; a wider terminal stays empty at its right.
const WIDEST: usize = 120;

/// Stands for a value that is not there.
const NONE: &str = "(none)";

/// A value of a new resource that is no longer than this stands in one line.
const UNBROKEN: usize = 48;

/// The most items of a list, and characters of a value, that the short form of a new resource shows.
const SHORT: (usize, usize) = (3, 60);

/// The styles of a part of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Nothing special.
    Plain,
    /// A resource that comes.
    Create,
    /// A resource that is changed.
    Modify,
    /// A resource that goes.
    Delete,
    /// A resource that goes and must not be overlooked.
    Alarm,
    /// The line above a part.
    Heading,
    /// A text that is read only when it is looked for.
    Faint,
}

/// A part of a line in one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The style.
    pub style: Style,
    /// The text, without line breaks.
    pub text: String,
}

impl Span {
    pub(super) fn new(style: Style, text: impl Into<String>) -> Span {
        Span { style, text: text.into() }
    }

    pub(super) fn width(&self) -> usize {
        self.text.width()
    }
}

/// Parts of one line from left to right, without a line break.
pub type Line = Vec<Span>;

/// The layout of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The columns of a line; more than 120 are not used.
    pub width: usize,
    /// Everything is shown of new resources, not only what the document says.
    pub full: bool,
}

/// The name of a resource with the resources that hold it: `slot 'staging' of app 'app-shop'`.
#[must_use]
pub fn name(resource_id: &str, label: &str) -> String {
    short_name(&ResourceId::new(resource_id), label)
}

/// The character before an action (`+`, `~`, `-`) and the style of its line.
#[must_use]
pub fn sign(action: ActionKind) -> (char, Style) {
    match action {
        ActionKind::Create => ('+', Style::Create),
        ActionKind::Modify => ('~', Style::Modify),
        ActionKind::Delete => ('-', Style::Alarm),
    }
}

/// The line above a plan: the environment, and the files of the project.
#[must_use]
pub fn head(made_with: &MadeWith, width: usize) -> Vec<Line> {
    let files = if made_with.project_files.is_empty() {
        String::new()
    } else {
        format!(", with {}", listed(&made_with.project_files))
    };
    let text = format!("Environment: {}{files}.", made_with.environment_in_words());
    fill(width.min(WIDEST), 0, &[Span::new(Style::Faint, text)])
}

/// The whole plan: the tree, of several documents one for each, what was left out, the counts.
#[must_use]
pub fn plan(actions: &[Action], layout: Layout) -> Vec<Line> {
    let mut writer = Writer { width: layout.width.min(WIDEST), full: layout.full, lines: Vec::new(), left_out: 0 };
    let sections = sections(actions);
    let names = document_names(&sections.iter().map(|section| section.document.unwrap_or(SHARED)).collect::<Vec<_>>());
    let is_of_several = sections.iter().any(|section| section.document.is_some());
    for (section, name) in sections.iter().zip(&names) {
        if is_of_several {
            writer.heading(name, section.actions.iter().copied());
        }
        for node in tree(section.actions.iter().copied()) {
            writer.node(&node, 0, &Inherited::default());
        }
        writer.lines.push(Line::new());
    }
    if writer.left_out > 0 {
        let (count, s) = (writer.left_out, plural(writer.left_out));
        let text =
            format!("{count} default{s} and repeated value{s} of new resources not shown; --full shows everything.");
        writer.fill(0, &[Span::new(Style::Faint, text)]);
    }
    writer.counts(actions, if is_of_several { sections.len() } else { 1 });
    writer.lines
}

/// The deletions of a plan, a line each, to be read again before they are approved.
#[must_use]
pub fn deletions(actions: &[Action], width: usize) -> Vec<Line> {
    let deleted: Vec<&Action> = actions.iter().filter(|action| action.action == ActionKind::Delete).collect();
    let documents: Vec<&str> = sections(actions).into_iter().filter_map(|section| section.document).collect();
    let names = document_names(&documents);
    let name = |document: &str| documents.iter().position(|known| *known == document).map(|at| names[at].as_str());
    let mut writer = Writer { width: width.min(WIDEST), full: false, lines: Vec::new(), left_out: 0 };
    if !deleted.is_empty() {
        let title = format!("{} resource{} will be deleted:", deleted.len(), plural(deleted.len()));
        writer.fill(0, &[Span::new(Style::Alarm, title)]);
    }
    for action in deleted {
        let text = crate::plan::full_name(&ResourceId::new(&action.resource.resource_id), &action.resource.label);
        let document = action.document.as_deref().and_then(name);
        writer.with_origin(2, &[Span::new(Style::Alarm, format!("- {text}"))], document);
    }
    writer.lines
}

/// The values that the resources around a new one say already, so that they are not repeated: JSON texts by path, and ids.
#[derive(Default, Clone)]
struct Inherited<'a> {
    values: HashMap<&'a str, &'a Value>,
    ids: Vec<&'a str>,
}

impl<'a> Inherited<'a> {
    fn below(&self, action: &'a Action) -> Inherited<'a> {
        let mut inherited = self.clone();
        inherited.ids.push(&action.resource.resource_id);
        for change in &action.changes {
            inherited.values.extend(change.after.as_deref().map(|after| (change.path.as_str(), after)));
        }
        inherited
    }

    fn has(&self, change: &PropertyChange) -> bool {
        let Some(after) = change.after.as_deref() else { return false };
        let is_id = |id: &&str| after.as_str() == Some(*id);
        self.values.get(change.path.as_str()) == Some(&after) || self.ids.iter().any(is_id)
    }
}

struct Writer {
    width: usize,
    full: bool,
    lines: Vec<Line>,
    left_out: usize,
}

impl Writer {
    fn node<'a>(&mut self, node: &Node<'a>, depth: usize, inherited: &Inherited<'a>) {
        let indent = 2 * depth;
        let name = format!("{} '{}'", node.label, node.name);
        let Some(action) = node.action else {
            self.fill(indent, &[Span::new(Style::Faint, format!("  {name}"))]);
            node.children.iter().for_each(|child| self.node(child, depth + 1, inherited));
            return;
        };
        let (sign, style) = sign(action.action);
        let mut head = vec![Span::new(style, format!("{sign} {name}"))];
        if action.action == ActionKind::Delete {
            head.push(Span::new(style, " will be deleted"));
        }
        if action.state_unknown {
            head.push(Span::new(Style::Faint, format!(" {STATE_UNKNOWN}")));
        }
        let (of, origin) = (ResourceId::new(&action.resource.resource_id), action.origin.as_deref());
        if action.action == ActionKind::Create && !self.full {
            let said = self.short(action, &of, inherited);
            let width = |spans: &[Span]| spans.iter().map(Span::width).sum::<usize>();
            let whole = indent + width(&head) + 2 + width(&said) + 2 + origin.unwrap_or_default().width();
            if whole <= self.width && !said.is_empty() {
                head.push(Span::new(Style::Plain, format!("{JOINT}{JOINT}")));
                head.extend(said);
                self.with_origin(indent, &head, origin);
            } else {
                self.with_origin(indent, &head, origin);
                if !said.is_empty() {
                    self.fill(indent + 4, &said);
                }
            }
        } else {
            self.with_origin(indent, &head, origin);
            action.changes.iter().for_each(|change| self.property(indent + 4, change, &of, action.action));
        }
        if let Some(rehearsal) = &action.rehearsal {
            self.fill(indent + 4, &[Span::new(Style::Plain, rehearsal.sentence.as_str())]);
        }
        let inherited = inherited.below(action);
        node.children.iter().for_each(|child| self.node(child, depth + 1, &inherited));
    }

    /// Writes what the document says of a new resource, one value after the other.
    fn short(&mut self, action: &Action, of: &ResourceId, inherited: &Inherited<'_>) -> Vec<Span> {
        let (said, others): (Vec<&PropertyChange>, Vec<&PropertyChange>) =
            action.changes.iter().partition(|change| change.origin.is_some() && !inherited.has(change));
        self.left_out += others.len();
        let mut spans = Vec::new();
        for change in &said {
            let Some(after) = change.after.as_deref() else { continue };
            if !spans.is_empty() {
                spans.push(Span::new(Style::Faint, ", "));
            }
            let is_alone = said.iter().filter(|other| last_of(&other.path) == last_of(&change.path)).count() == 1;
            let key = if is_alone { last_of(&change.path) } else { short_path(&change.path) };
            let mut value = shortened(after, of);
            if value.len() <= UNBROKEN {
                value = value.replace(' ', JOINT);
            }
            // What is wider than a line together goes on in the next one, and is not cut in two.
            let first = value.split(' ').next().unwrap_or_default();
            let gap = if key.width() + first.width() <= SHORT.1 { JOINT } else { " " };
            spans.push(Span::new(Style::Faint, format!("{key}:{gap}")));
            spans.push(Span::new(Style::Plain, value));
            if change.by_policy {
                spans.push(Span::new(Style::Faint, format!("{JOINT}(policy)")));
            }
        }
        spans
    }

    /// A document, and what it changes.
    fn heading<'a>(&mut self, name: &str, actions: impl Iterator<Item = &'a Action>) {
        let Tally { create, modify, delete } = Tally::of_all(actions);
        let counts = [(create, "to create"), (modify, "to change"), (delete, "to delete")];
        let words: Vec<String> =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        self.fill(0, &[Span::new(Style::Heading, name), Span::new(Style::Faint, format!(": {}", words.join(", ")))]);
    }

    fn property(&mut self, indent: usize, change: &PropertyChange, of: &ResourceId, kind: ActionKind) {
        let mut line = vec![Span::new(Style::Plain, format!("{}:", short_path(&change.path)))];
        let parts = match difference(change, of) {
            Difference::Value { before, after } => {
                let none = || NONE.to_owned();
                if kind == ActionKind::Create {
                    line.push(Span::new(Style::Plain, format!(" {}", after.unwrap_or_else(none))));
                } else {
                    line.push(Span::new(Style::Delete, format!(" {}", before.unwrap_or_else(none))));
                    line.push(Span::new(Style::Plain, format!("{JOINT}->")));
                    line.push(Span::new(Style::Create, format!(" {}", after.unwrap_or_else(none))));
                }
                Vec::new()
            }
            Difference::Parts(parts) => parts,
        };
        if is_default(change) {
            line.push(Span::new(Style::Faint, format!(" {JOINT}#{JOINT}default")));
        }
        self.with_origin(indent, &line, change.origin.as_deref());
        for Part { sign, text } in parts {
            let (sign, style) = match sign {
                Sign::Added if kind == ActionKind::Create => (' ', Style::Plain),
                Sign::Added => ('+', Style::Create),
                Sign::Removed => ('-', Style::Delete),
                Sign::Kept => (' ', Style::Faint),
                Sign::Left => ('…', Style::Faint),
            };
            self.fill(indent + 2, &[Span::new(style, format!("{sign} {text}"))]);
        }
    }

    /// Writes how many there are of each action, and of which types.
    fn counts(&mut self, actions: &[Action], documents: usize) {
        let Tally { create, modify, delete } = Tally::of_all(actions);
        let place = if documents > 1 { format!(" in {documents} documents") } else { String::new() };
        let text = format!("Plan: {create} to create, {modify} to change, {delete} to delete{place}.");
        self.fill(0, &[Span::new(Style::Plain, text)]);
        for kind in [ActionKind::Create, ActionKind::Modify, ActionKind::Delete] {
            let types: Vec<String> = by_type(actions, kind)
                .into_iter()
                .map(|(label, count)| format!("{count} × {label}").replace(' ', JOINT))
                .collect();
            if !types.is_empty() {
                let (sign, style) = sign(kind);
                self.fill(2, &[Span::new(style, format!("{sign} ")), Span::new(Style::Plain, types.join(", "))]);
            }
        }
    }

    fn fill(&mut self, indent: usize, spans: &[Span]) {
        self.lines.extend(fill(self.width, indent, spans));
    }

    fn with_origin(&mut self, indent: usize, spans: &[Span], origin: Option<&str>) {
        self.lines.extend(with_origin(self.width, indent, spans, origin));
    }
}

/// The last key of a path, with the one before it where it says little.
fn last_of(path: &str) -> &str {
    let Some((before, last)) = path.rsplit_once('.') else { return path };
    if !["id", "name", "type", "enabled"].contains(&last) {
        return last;
    }
    let from = before.rfind('.').map_or(0, |dot| dot + 1);
    short_path(&path[from..])
}

/// A value of a new resource in short: the first items of a list, the beginning of a text, the plain name of a resource of the same group.
fn shortened(value: &Value, of: &ResourceId) -> String {
    let (most_items, most_characters) = SHORT;
    let mut value = value.clone();
    let mut more = 0;
    if let Value::Array(items) = &mut value {
        more = items.len().saturating_sub(most_items);
        items.truncate(most_items);
    }
    let is_nested = value.is_array() || value.is_object();
    let bare = bare(value, of);
    let whole = super::value(&if is_nested { begun(bare, most_characters) } else { bare }, of);
    if more > 0 {
        return format!("{}, … {more} more]", whole.strip_suffix(']').unwrap_or(&whole));
    }
    if !whole.starts_with('"') || whole.chars().count() <= most_characters {
        return whole;
    }
    let beginning: String = whole.chars().take(most_characters).collect();
    format!("{beginning}…")
}

/// A value whose long texts are their beginnings, at most one line of them. Ids are not texts.
fn begun(value: Value, most_characters: usize) -> Value {
    match value {
        Value::String(text) if !text.starts_with('/') => {
            let line = text.lines().next().unwrap_or_default();
            let beginning: String = line.chars().take(most_characters).collect();
            Value::from(if beginning.len() < text.trim_end().len() { format!("{beginning}…") } else { text })
        }
        Value::Array(items) => items.into_iter().map(|item| begun(item, most_characters)).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(key, member)| (key, begun(member, most_characters))).collect()
        }
        other => other,
    }
}

/// A value without what only wraps it: an object of one member, the group of an id.
fn bare(value: Value, of: &ResourceId) -> Value {
    match value {
        Value::String(text) if text.starts_with("/subscriptions/") => {
            let id = ResourceId::new(text);
            let is_near = id.group_id().is_some_and(|group| Some(group) == of.group_id());
            Value::from(if is_near { id.name() } else { id.as_str() })
        }
        Value::Array(items) => items.into_iter().map(|item| bare(item, of)).collect(),
        Value::Object(members) if members.len() == 1 => {
            members.into_iter().next().map_or(Value::Null, |(_, member)| bare(member, of))
        }
        other => other,
    }
}
