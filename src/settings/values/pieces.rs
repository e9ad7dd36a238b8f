//! References in texts: `$(name)`, `$(env:NAME)`, and `$$(` for what is to stay as it is.

/// The beginning of a reference to a variable of the caller.
const VARIABLE: &str = "env:";

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// Stands for itself.
    Plain(&'t str),
    /// Stands for a value of the project.
    Value(&'t str),
    /// Stands for a variable of the caller.
    Variable(&'t str),
    /// Begins as a reference does, and is none.
    Wrong(&'t str),
}

/// The parts of a text, from left to right.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    while let Some(at) = rest.find("$(") {
        let is_literal = rest[..at].ends_with('$');
        let (before, reference) = rest.split_at(if is_literal { at - 1 } else { at });
        pieces.push(Piece::Plain(before));
        let length = if is_literal { "$$(".len() } else { reference.find(')').map_or(reference.len(), |end| end + 1) };
        let (reference, behind) = reference.split_at(length);
        pieces.push(if is_literal { Piece::Plain(&reference[1..]) } else { piece_of(reference) });
        rest = behind;
    }
    pieces.push(Piece::Plain(rest));
    pieces.retain(|piece| *piece != Piece::Plain(""));
    pieces
}

fn piece_of(reference: &str) -> Piece<'_> {
    let inner = reference.strip_prefix("$(").and_then(|rest| rest.strip_suffix(')')).unwrap_or_default();
    match inner.strip_prefix(VARIABLE) {
        Some(name) if is_name(name) => Piece::Variable(name),
        None if is_name(inner) => Piece::Value(inner),
        _ => Piece::Wrong(reference),
    }
}

/// Whether a text can be the name of a value: letters, digits, `_` and `-`, and no digit or hyphen first.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.chars().all(|character| character.is_ascii_alphanumeric() || "_-".contains(character))
}

/// The names of the values that a text stands for, anywhere in it.
pub(super) fn names(text: &str) -> impl Iterator<Item = &str> {
    pieces(text).into_iter().filter_map(|piece| if let Piece::Value(name) = piece { Some(name) } else { None })
}

#[cfg(test)]
mod tests {
    use super::Piece::{Plain, Value, Variable, Wrong};
    use super::*;

    #[test]
    fn a_text_is_taken_apart() {
        let table: &[(&str, &[Piece<'_>])] = &[
            ("", &[]),
            ("a $ (b)", &[Plain("a $ (b)")]),
            ("$(a)", &[Value("a")]),
            ("x-$(a_1)$(b-2).", &[Plain("x-"), Value("a_1"), Value("b-2"), Plain(".")]),
            ("$(env:KEY)", &[Variable("KEY")]),
            ("$$(a)", &[Plain("$("), Plain("a)")]),
            ("$$$(a)", &[Plain("$"), Plain("$("), Plain("a)")]),
            ("é$(ä)", &[Plain("é"), Wrong("$(ä)")]),
            ("$(a", &[Wrong("$(a")]),
            (
                "$()$( a)$(1a)$(a.b)$(env:)",
                &[Wrong("$()"), Wrong("$( a)"), Wrong("$(1a)"), Wrong("$(a.b)"), Wrong("$(env:)")],
            ),
            ("$(a$(b)", &[Wrong("$(a$(b)")]),
        ];
        for (text, expected) in table {
            assert_eq!(pieces(text), *expected, "{text}");
        }
        assert_eq!(names("$(a) $$(b) $(env:C) $(d)").collect::<Vec<_>>(), ["a", "d"]);
    }
}
