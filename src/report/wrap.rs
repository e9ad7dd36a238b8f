//! Lines of a width from spans of any length. Nothing is cut off: what does not fit goes on in the next line.

use unicode_width::UnicodeWidthChar;

use super::text::{Line, Span, Style};

/// The indentation of the second line of what is wrapped.
const HANGING: usize = 2;

/// A space at which no line ends.
pub(super) const JOINT: &str = "\u{0}";

/// The least columns that a text gets, however far it is indented.
const NARROWEST: usize = 20;

/// Lays spans out in lines that are at most `width` wide.
pub(super) fn fill(width: usize, indent: usize, spans: &[Span]) -> Vec<Line> {
    let mut lines = Lines { width: width.max(indent + HANGING + NARROWEST), indent, lines: Vec::new(), used: 0 };
    lines.begin(indent);
    let mut word = Vec::new();
    for (style, part) in spans.iter().flat_map(|span| words(&span.text).map(|part| (span.style, part))) {
        if part.starts_with(' ') && !word.is_empty() {
            lines.word(&std::mem::take(&mut word));
        }
        let text: String = part.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
        word.push(Span::new(style, text));
    }
    lines.word(&word);
    lines.lines
}

/// The same with the place in the document at the right: in the last line where it fits, else in one of its own.
pub(super) fn with_origin(width: usize, indent: usize, spans: &[Span], origin: Option<&str>) -> Vec<Line> {
    let mut lines = fill(width, indent, spans);
    let Some(origin) = origin.map(|origin| Span::new(Style::Faint, origin)) else { return lines };
    let used = |line: &Line| line.iter().map(Span::width).sum::<usize>();
    let last = lines.last().map_or(0, used);
    if last + 2 + origin.width() > width {
        lines.push(Line::new());
    }
    if let Some(line) = lines.last_mut() {
        let gap = width.saturating_sub(used(line) + origin.width());
        line.push(Span::new(Style::Plain, " ".repeat(gap)));
        line.push(origin);
    }
    lines
}

/// The words of a text, each with the spaces before it.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(|character| character != ' ').unwrap_or(rest.len());
        let end = rest[start..].find(' ').map_or(rest.len(), |end| start + end);
        let (word, after) = rest.split_at(end);
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

struct Lines {
    width: usize,
    indent: usize,
    lines: Vec<Line>,
    used: usize,
}

impl Lines {
    fn begin(&mut self, indent: usize) {
        self.lines.push(if indent > 0 { vec![Span::new(Style::Plain, " ".repeat(indent))] } else { Line::new() });
        self.used = indent;
    }

    /// Adds a word, whose parts may be of several styles, with the spaces before it.
    fn word(&mut self, parts: &[Span]) {
        let width: usize = parts.iter().map(Span::width).sum();
        let is_new = self.used <= self.indent + HANGING;
        let goes_on = self.used + width > self.width && !is_new;
        if goes_on {
            self.begin(self.indent + HANGING);
        }
        for (index, part) in parts.iter().enumerate() {
            let text = if goes_on && index == 0 { part.text.trim_start() } else { &part.text };
            self.pieces(&Span::new(part.style, text));
        }
    }

    /// Adds a part of a word, in pieces where it is wider than a line.
    fn pieces(&mut self, word: &Span) {
        let mut piece = String::new();
        for character in word.text.chars() {
            let width = character.width().unwrap_or_default();
            if self.used + width > self.width {
                self.add(word.style, std::mem::take(&mut piece));
                self.begin(self.indent + HANGING);
            }
            self.used += width;
            piece.push(character);
        }
        self.add(word.style, piece);
    }

    fn add(&mut self, style: Style, text: String) {
        let Some(line) = self.lines.last_mut() else { return };
        match line.last_mut().filter(|last| last.style == style) {
            Some(last) => last.text.push_str(&text),
            None if text.is_empty() => {}
            None => line.push(Span::new(style, text)),
        }
    }
}
