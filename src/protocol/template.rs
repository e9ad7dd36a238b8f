//! A template for Azure's own engine, as hosts are given it.

use serde::Serialize;

/// A template, and how it is deployed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TemplateReport {
    /// The template: the text of JSON, because some readers of JSON turn strings that look like dates into dates.
    pub template: String,
    /// The absolute path of the file that has it, where the request named one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Its parameters, in the order in which the template has them.
    pub parameters: Vec<TemplateParameter>,
    /// The calls that deploy it, one for each tool.
    pub calls: Vec<TemplateCall>,
}

/// A parameter of a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TemplateParameter {
    /// Its name.
    pub name: String,
    /// It is a `securestring`, and has no default.
    pub secret: bool,
    /// The value where none is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// One sentence or two: what it stands for.
    pub description: String,
}

/// A call that deploys a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TemplateCall {
    /// `Azure CLI` or `Az PowerShell`.
    pub tool: String,
    /// The command line.
    pub command: String,
}
