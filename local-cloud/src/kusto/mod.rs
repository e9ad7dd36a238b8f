//! Log queries over imported rows: the part of the Kusto query language that the built-in alert rules and their rehearsals use.
//! What is not known is an error that names it, never a guess. No crate reads enough of the language: kqlparser has neither
//! `has` nor `in~`.
//!
//! Source: Kusto query language reference (MicrosoftDocs/dataexplorer-docs, data-explorer/kusto/query).

mod aggregate;
mod expression;
mod lexer;
mod operators;
mod pipeline;
mod rows;
mod scalar;
#[cfg(test)]
mod tests;
mod value;

pub(super) use lexer::{Token, TokenKind, minutes_of, tokens};
pub(super) use pipeline::run;
pub(super) use rows::Rows;
pub(super) use value::{Value, time_text};
