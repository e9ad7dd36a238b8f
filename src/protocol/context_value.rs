//! The values of the members of the context, which all are set, taken out and checked in one way whatever their types.

use std::path::PathBuf;

use super::context_members::{Number, OneOrMore};

/// A type of values that members of the context have.
trait ContextValue: Sized {
    /// Whether it says nothing, or one of a list does.
    fn is_nothing(&self) -> bool;

    /// The value that the text of a variable stands for; none where it is no such value.
    fn of_variable(text: &str) -> Option<Self>;

    /// The paths in it.
    fn paths(&self) -> &[PathBuf] {
        &[]
    }
}

/// The value of a member of the context, or that it has none.
pub trait MemberValue {
    /// Whether what is said is nothing; none where nothing is said of the member.
    fn is_nothing(&self) -> Option<bool>;

    /// Sets it to what a variable says. Returns whether that is such a value.
    fn set(&mut self, variable: &str) -> bool;

    /// Takes out what is said.
    fn unset(&mut self);

    /// The paths that are said.
    fn paths(&self) -> &[PathBuf];
}

impl<T: ContextValue> MemberValue for Option<T> {
    fn is_nothing(&self) -> Option<bool> {
        self.as_ref().map(T::is_nothing)
    }

    fn set(&mut self, variable: &str) -> bool {
        *self = T::of_variable(variable);
        self.is_some()
    }

    fn unset(&mut self) {
        *self = None;
    }

    fn paths(&self) -> &[PathBuf] {
        self.as_ref().map_or(&[], T::paths)
    }
}

impl ContextValue for String {
    fn is_nothing(&self) -> bool {
        self.is_empty()
    }

    fn of_variable(text: &str) -> Option<String> {
        Some(text.to_owned())
    }
}

impl ContextValue for Number {
    fn is_nothing(&self) -> bool {
        self.0.is_empty()
    }

    fn of_variable(text: &str) -> Option<Number> {
        Some(Number(text.to_owned()))
    }
}

impl ContextValue for bool {
    fn is_nothing(&self) -> bool {
        false
    }

    fn of_variable(text: &str) -> Option<bool> {
        match text.to_ascii_lowercase().as_str() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        }
    }
}

impl ContextValue for PathBuf {
    fn is_nothing(&self) -> bool {
        self.as_os_str().is_empty()
    }

    fn of_variable(text: &str) -> Option<PathBuf> {
        Some(text.into())
    }

    fn paths(&self) -> &[PathBuf] {
        std::slice::from_ref(self)
    }
}

impl ContextValue for OneOrMore<PathBuf> {
    fn is_nothing(&self) -> bool {
        self.0.is_empty() || self.0.iter().any(PathBuf::is_nothing)
    }

    fn of_variable(text: &str) -> Option<OneOrMore<PathBuf>> {
        Some(OneOrMore(vec![text.into()]))
    }

    fn paths(&self) -> &[PathBuf] {
        &self.0
    }
}

impl ContextValue for OneOrMore<String> {
    fn is_nothing(&self) -> bool {
        self.0.is_empty() || self.0.iter().any(String::is_nothing)
    }

    fn of_variable(text: &str) -> Option<OneOrMore<String>> {
        Some(OneOrMore(text.split(',').map(|text| text.trim().to_owned()).collect()))
    }
}
