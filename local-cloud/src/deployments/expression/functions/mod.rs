//! The functions whose value follows from their arguments alone.

mod collections;
mod dates;
mod identifiers;
mod logic;
mod numbers;
mod objects;
mod printing;
mod texts;

use serde_json::Value;

pub(super) use self::dates::{now_text, parse as parse_moment};
pub(in crate::deployments) use self::objects::same;

/// Carries a function out.
type Work = fn(&[Value]) -> Result<Value, String>;

/// A function of templates.
pub(super) struct Function {
    pub(super) name: &'static str,
    /// How many arguments it needs.
    pub(super) least: usize,
    /// How many it takes.
    pub(super) most: usize,
    work: Work,
}

/// Any number of arguments.
const ANY: usize = usize::MAX;

const fn function(name: &'static str, least: usize, most: usize, work: Work) -> Function {
    Function { name, least, most, work }
}

static TABLES: &[&[Function]] = &[
    texts::FUNCTIONS,
    printing::FUNCTIONS,
    identifiers::FUNCTIONS,
    collections::FUNCTIONS,
    objects::FUNCTIONS,
    numbers::FUNCTIONS,
    logic::FUNCTIONS,
    dates::FUNCTIONS,
];

/// A function by its name, which is read in any letter case.
pub(super) fn find(name: &str) -> Option<&'static Function> {
    TABLES.iter().copied().flatten().find(|function| function.name.eq_ignore_ascii_case(name))
}

impl Function {
    /// The value for these arguments.
    pub(super) fn call(&self, arguments: &[Value]) -> Result<Value, String> {
        let problem =
            |reason: String| format!("Unable to evaluate the template language function '{}': {reason}.", self.name);
        if arguments.len() < self.least || arguments.len() > self.most {
            let wanted = match (self.least, self.most) {
                (least, ANY) => format!("at least {least}"),
                (least, most) if least == most => least.to_string(),
                (least, most) => format!("{least} to {most}"),
            };
            return Err(problem(format!("it takes {wanted} arguments and has {}", arguments.len())));
        }
        (self.work)(arguments).map_err(problem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_function_is_there_once() {
        let mut seen = BTreeSet::new();
        for function in TABLES.iter().copied().flatten() {
            assert!(seen.insert(function.name.to_lowercase()), "{} is listed twice", function.name);
            assert!(function.least <= function.most, "{}", function.name);
        }
    }

    #[test]
    fn refuses_a_wrong_number_of_arguments() {
        let error = find("TOLOWER").unwrap().call(&[]).unwrap_err();
        assert_eq!(
            error,
            "Unable to evaluate the template language function 'toLower': it takes 1 arguments and has 0."
        );
        assert!(find("substring").unwrap().call(&[]).unwrap_err().contains("takes 2 to 3 arguments"));
        assert!(find("min").unwrap().call(&[]).unwrap_err().contains("takes at least 1 arguments"));
    }
}
