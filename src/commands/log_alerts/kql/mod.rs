//! The query language of log alerts, so far as the engine has to read queries: their words, strings and comments, their
//! statements, and the operators of the one that gives the result. Everything it does not know goes through unchanged: Azure
//! has the whole language, and looks at every query that is not the engine's own.

#[cfg(test)]
mod evaluate;
#[cfg(test)]
mod expression;
mod lexer;
mod query;
#[cfg(test)]
mod tables;
#[cfg(test)]
mod tests;

pub(super) use self::lexer::{Kind, minutes, tokens};
pub(super) use self::query::Query;
