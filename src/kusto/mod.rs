//! The query language of log alerts, so far as the engine has to read queries: their words, strings and comments, their
//! statements, and the operators of the one that gives the result. Everything it does not know goes through unchanged: Azure
//! has the whole language, and looks at every query that is not the engine's own.

mod lexer;
mod query;

pub(crate) use lexer::{Token, TokenKind, minutes, tokens};
pub(crate) use query::{Query, closing, split};
