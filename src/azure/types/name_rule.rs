//! Azure's rules for names. Each type has its own in its entry; here is what they are made of. Sources: the REST
//! specifications (patterns in bicep-types-az of 2026-08) and "Naming rules and restrictions for Azure resources".

use thiserror::Error;

/// The rule for names of a type.
#[derive(Debug, Clone, Copy)]
pub struct NameRule {
    /// The fewest characters.
    pub shortest: usize,
    /// The most characters.
    pub longest: usize,
    /// The characters that may stand anywhere.
    pub characters: Characters,
    /// The form of the name as a whole, beside length and characters.
    pub form: Form,
    /// The subject of sentences about names, where the label of the type is not enough.
    pub subject: Option<&'static str>,
}

/// Characters of names.
#[derive(Debug, Clone, Copy)]
pub struct Characters {
    /// Whether a character is one of them.
    pub include: fn(char) -> bool,
    /// The words for them.
    pub words: &'static str,
}

/// The form of names.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    /// Whether a name has it.
    pub holds: fn(&str) -> bool,
    /// The words for it.
    pub words: &'static str,
}

/// A name that Azure would refuse.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct NameRefused {
    message: String,
}

impl NameRule {
    /// A rule of its parts: the fewest and the most characters, which they are, and the form.
    pub(super) const fn new(shortest: usize, longest: usize, characters: Characters, form: Form) -> NameRule {
        NameRule { shortest, longest, characters, form, subject: None }
    }

    /// The same, with another subject than the label of the type.
    pub(super) const fn called(self, subject: &'static str) -> NameRule {
        NameRule { subject: Some(subject), ..self }
    }

    /// Whether Azure takes a name; `label` is that of the type.
    pub(super) fn check(&self, label: &str, name: &str) -> Result<(), NameRefused> {
        let subject = self.subject.unwrap_or(label);
        let length = name.chars().count();
        let refused = |message: String| Err(NameRefused { message });
        if !(self.shortest..=self.longest).contains(&length) {
            return refused(format!(
                "{subject} names must have {} to {} characters; '{name}' has {length}",
                self.shortest, self.longest
            ));
        }
        if let Some(character) = name.chars().find(|character| !(self.characters.include)(*character)) {
            return refused(format!(
                "{subject} names can contain {}; '{name}' contains '{character}'",
                self.characters.words
            ));
        }
        if !(self.form.holds)(name) {
            return refused(format!("{subject} names must {}; found '{name}'", self.form.words));
        }
        Ok(())
    }
}

pub(super) const LOWER_DIGITS: Characters =
    Characters { include: lower_or_digit, words: "only lower-case letters and digits" };
pub(super) const LOWER_DIGITS_HYPHENS: Characters =
    Characters { include: lower_digit_hyphen, words: "only lower-case letters, digits and hyphens" };
/// Those of [`LOWER_DIGITS_HYPHENS`], and that of the containers that Azure itself makes.
pub(super) const CONTAINER: Characters =
    Characters { include: container, words: "only lower-case letters, digits and hyphens" };
pub(super) const LETTERS_DIGITS: Characters = Characters { include: letter_or_digit, words: "only letters and digits" };
pub(super) const LETTERS_DIGITS_HYPHENS: Characters =
    Characters { include: letter_digit_hyphen, words: "only letters, digits and hyphens" };
pub(super) const WORDS_DOTS_HYPHENS: Characters =
    Characters { include: word_dot_hyphen, words: "only letters, digits, '_', '.' and '-'" };
pub(super) const WORDS_DOTS_HYPHENS_BRACKETS: Characters =
    Characters { include: word_dot_hyphen_bracket, words: "only letters, digits, '_', '.', '-' and brackets" };
/// Those of [`WORDS_DOTS_HYPHENS_BRACKETS`], and the letters of other languages.
pub(super) const RESOURCE_GROUP_CHARACTERS: Characters = Characters {
    include: |character| character.is_alphabetic() || word_dot_hyphen_bracket(character),
    ..WORDS_DOTS_HYPHENS_BRACKETS
};
pub(super) const COMPONENT_CHARACTERS: Characters = Characters { include: component, words: "none of % & \\ ? /" };
pub(super) const ACTION_GROUP_CHARACTERS: Characters = Characters { include: component, words: "none of / & % \\ ?" };
pub(super) const METRIC_ALERT_CHARACTERS: Characters =
    Characters { include: metric_alert, words: "none of * # & + : < > ? @ % { } / \\" };
pub(super) const QUERY_RULE_CHARACTERS: Characters =
    Characters { include: query_rule, words: "none of * < > % { } & : \\ ? / #" };

pub(super) const ANY_FORM: Form = Form { holds: |_| true, words: "" };
pub(super) const ALPHANUMERIC_ENDS: Form =
    Form { holds: alphanumeric_ends, words: "begin and end with a letter or digit" };
pub(super) const SINGLE_HYPHENS: Form =
    Form { holds: single_hyphens, words: "begin and end with a letter or digit and have no two hyphens in a row" };
pub(super) const CONTAINER_FORM: Form = Form { holds: container_form, ..SINGLE_HYPHENS };
pub(super) const WORD_AT_THE_END: Form = Form {
    holds: alphanumeric_start_word_end,
    words: "begin with a letter or digit and end with a letter, digit or underscore",
};
/// Azure has a table of that name itself ("Understanding the Table service data model", table names).
pub(super) const TABLE_FORM: Form = Form {
    holds: |name| letter_first(name) && !name.eq_ignore_ascii_case("tables"),
    words: "begin with a letter and not be 'tables'",
};
pub(super) const LETTER_FIRST_ALPHANUMERIC_END: Form =
    Form { holds: letter_first_alphanumeric_end, words: "begin with a letter and end with a letter or digit" };
pub(super) const NO_DOT_AT_THE_END: Form =
    Form { holds: |name| !name.ends_with('.'), words: "not end with a full stop" };
pub(super) const NO_BLANK_OR_DOT_AT_THE_END: Form =
    Form { holds: |name| !name.ends_with([' ', '.']), words: "not end with a space or a full stop" };
pub(super) const DOMAIN_NAME: Form =
    Form { holds: labels, words: "have 2 to 34 labels of up to 63 characters, with full stops between them" };

/// The rule of most types of Microsoft.Network.
pub(super) const NETWORK: NameRule = NameRule::new(1, 80, WORDS_DOTS_HYPHENS, WORD_AT_THE_END);

fn lower_or_digit(character: char) -> bool {
    character.is_ascii_lowercase() || character.is_ascii_digit()
}
fn lower_digit_hyphen(character: char) -> bool {
    lower_or_digit(character) || character == '-'
}
fn container(character: char) -> bool {
    lower_digit_hyphen(character) || character == '$'
}
fn letter_or_digit(character: char) -> bool {
    character.is_ascii_alphanumeric()
}
fn letter_digit_hyphen(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '-'
}
fn word_dot_hyphen(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | '-')
}
fn word_dot_hyphen_bracket(character: char) -> bool {
    word_dot_hyphen(character) || matches!(character, '(' | ')')
}
fn component(character: char) -> bool {
    !character.is_control() && !matches!(character, '%' | '&' | '\\' | '?' | '/')
}
fn metric_alert(character: char) -> bool {
    !character.is_control()
        && !matches!(character, '*' | '#' | '&' | '+' | ':' | '<' | '>' | '?' | '@' | '%' | '{' | '}' | '/' | '\\')
}
fn query_rule(character: char) -> bool {
    !character.is_control()
        && !matches!(character, '*' | '<' | '>' | '%' | '{' | '}' | '&' | ':' | '\\' | '?' | '/' | '#')
}

fn alphanumeric_ends(name: &str) -> bool {
    name.starts_with(letter_or_digit) && name.ends_with(letter_or_digit)
}
fn alphanumeric_start_word_end(name: &str) -> bool {
    name.starts_with(letter_or_digit)
        && name.ends_with(|character: char| letter_or_digit(character) || character == '_')
}
fn single_hyphens(name: &str) -> bool {
    alphanumeric_ends(name) && !name.contains("--")
}
fn container_form(name: &str) -> bool {
    matches!(name, "$root" | "$web" | "$logs") || !name.contains('$') && single_hyphens(name)
}
fn letter_first(name: &str) -> bool {
    name.starts_with(|character: char| character.is_ascii_alphabetic())
}
fn letter_first_alphanumeric_end(name: &str) -> bool {
    letter_first(name) && name.ends_with(letter_or_digit)
}
fn labels(name: &str) -> bool {
    let count = name.split('.').count();
    (2..=34).contains(&count) && name.split('.').all(|label| !label.is_empty() && label.len() <= 63)
}

#[cfg(test)]
mod tests {
    use super::super::*;

    fn refusal(resource_type: &ResourceType, name: &str) -> String {
        resource_type.check_name(name).unwrap_err().to_string()
    }

    #[test]
    fn the_broken_rule_is_named() {
        assert_eq!(refusal(&STORAGE_ACCOUNT, "ab"), "storage account names must have 3 to 24 characters; 'ab' has 2");
        assert_eq!(
            refusal(&STORAGE_ACCOUNT, "ab-c"),
            "storage account names can contain only lower-case letters and digits; 'ab-c' contains '-'"
        );
        assert_eq!(
            refusal(&BLOB_CONTAINER, "a--b"),
            "blob container names must begin and end with a letter or digit and have no two hyphens in a row; found 'a--b'"
        );
        assert_eq!(refusal(&TABLE, "1ab"), "table names must begin with a letter and not be 'tables'; found '1ab'");
        assert_eq!(
            refusal(&FRONT_DOOR_ENDPOINT, ""),
            "Front Door endpoint names must have 1 to 46 characters; '' has 0"
        );
    }

    #[test]
    fn what_azure_takes() {
        for name in ["$web", "$root", "$logs", "abc", "a-b-c", "123"] {
            assert_eq!(BLOB_CONTAINER.check_name(name), Ok(()), "{name}");
        }
        assert!(BLOB_CONTAINER.check_name("$other").is_err());
        assert_eq!(METRIC_ALERT.check_name("alt-set a (x)_1"), Ok(()));
        assert!(ACTIVITY_LOG_ALERT.check_name("a b").is_err());
        assert_eq!(PRIVATE_DNS_ZONE.check_name("privatelink.blob.core.windows.net"), Ok(()));
        assert!(PRIVATE_DNS_ZONE.check_name("zone").is_err());
        assert_eq!(ROLE_ASSIGNMENT.check_name("?"), Ok(()), "a type without a rule takes every name");
    }

    #[test]
    fn characters_that_a_type_takes() {
        assert!(STORAGE_ACCOUNT.takes_in_names('a') && !STORAGE_ACCOUNT.takes_in_names('A'));
        assert!(ROLE_ASSIGNMENT.takes_in_names('?'));
        assert!(['ü', '名', 'д', '_', '('].into_iter().all(|character| RESOURCE_GROUP.takes_in_names(character)));
        assert!([' ', '🚀', '&', '/', '²'].into_iter().all(|character| !RESOURCE_GROUP.takes_in_names(character)));
        assert!(!VIRTUAL_NETWORK.takes_in_names('ü'));
    }
}
