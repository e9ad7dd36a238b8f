//! The calls that deploy a template (references of `az deployment`, `az stack` and Az.Resources).

use super::{Template, TemplateScope};
use crate::protocol::TemplateCall;

/// The name that stands for the file of a template that goes nowhere.
const SOME_FILE: &str = "template.json";

/// The calls for a template in a file, one for each tool.
#[must_use]
pub fn calls(template: &Template, file: Option<&str>, name: &str, is_stack: bool) -> Vec<TemplateCall> {
    let file = file.unwrap_or(SOME_FILE);
    let secrets: Vec<&str> = template
        .parameters
        .iter()
        .filter(|parameter| parameter.secret)
        .map(|parameter| parameter.name.as_str())
        .collect();
    let call = |tool: &str, command: String| TemplateCall { tool: tool.to_owned(), command };
    vec![
        call("Azure CLI", azure_cli(&template.scope, file, name, is_stack, &secrets)),
        call("Az PowerShell", powershell(&template.scope, file, name, is_stack)),
    ]
}

fn azure_cli(scope: &TemplateScope, file: &str, name: &str, is_stack: bool, secrets: &[&str]) -> String {
    let group = if is_stack { "stack" } else { "deployment" };
    let (scope, place) = match scope {
        TemplateScope::Subscription(location) => ("sub", format!("--location {}", shell(location))),
        TemplateScope::Group(group) => ("group", format!("--resource-group {}", shell(group))),
    };
    let mut call = format!("az {group} {scope} create --name {} {place} --template-file {}", shell(name), shell(file));
    if !secrets.is_empty() {
        let given: Vec<String> = secrets.iter().map(|name| format!("{name}=\"${name}\"")).collect();
        call.push_str(&format!(" --parameters {}", given.join(" ")));
    }
    if is_stack {
        // Resources are deleted, resource groups are detached.
        call.push_str(" --action-on-unmanage deleteResources --deny-settings-mode none");
    }
    call
}

fn powershell(scope: &TemplateScope, file: &str, name: &str, is_stack: bool) -> String {
    let (cmdlet, place) = match (scope, is_stack) {
        (TemplateScope::Subscription(location), true) => {
            ("New-AzSubscriptionDeploymentStack", format!("-Location {}", quoted(location)))
        }
        (TemplateScope::Subscription(location), false) => {
            ("New-AzSubscriptionDeployment", format!("-Location {}", quoted(location)))
        }
        (TemplateScope::Group(group), true) => {
            ("New-AzResourceGroupDeploymentStack", format!("-ResourceGroupName {}", quoted(group)))
        }
        (TemplateScope::Group(group), false) => {
            ("New-AzResourceGroupDeployment", format!("-ResourceGroupName {}", quoted(group)))
        }
    };
    // Az PowerShell asks for secrets by itself.
    let mut call = format!("{cmdlet} -Name {} {place} -TemplateFile {}", quoted(name), quoted(file));
    if is_stack {
        call.push_str(" -ActionOnUnmanage DeleteResources -DenySettingsMode None");
    }
    call
}

/// A word of a POSIX shell.
fn shell(text: &str) -> String {
    let is_plain = |part: char| part.is_ascii_alphanumeric() || "-_./:=@".contains(part);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// A text of PowerShell, in quotation marks where it needs them.
fn quoted(text: &str) -> String {
    let is_plain = |part: char| part.is_ascii_alphanumeric() || "-_./:\\".contains(part);
    let begins_well = |text: &str| !text.starts_with('-');
    if !text.is_empty() && text.chars().all(is_plain) && begins_well(text) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "''"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::protocol::TemplateParameter;

    fn made(scope: TemplateScope, secrets: &[&str], is_stack: bool) -> [String; 2] {
        let parameter = |name: &&str| TemplateParameter {
            name: (*name).to_owned(),
            secret: true,
            default: None,
            description: String::new(),
        };
        let parameters = secrets.iter().map(parameter).collect();
        let template = Template { body: Value::Null, scope, parameters, warnings: Vec::new() };
        let calls = calls(&template, Some("/my files/t.json"), "svc-x", is_stack);
        [calls[0].command.clone(), calls[1].command.clone()]
    }

    #[test]
    fn a_template_is_deployed_to_its_scope() {
        let subscription = TemplateScope::Subscription("uksouth".to_owned());
        assert_eq!(
            made(subscription.clone(), &["hook"], false),
            [
                "az deployment sub create --name svc-x --location uksouth --template-file '/my files/t.json' --parameters hook=\"$hook\"",
                "New-AzSubscriptionDeployment -Name svc-x -Location uksouth -TemplateFile '/my files/t.json'",
            ]
        );
        assert_eq!(
            made(subscription, &[], true),
            [
                "az stack sub create --name svc-x --location uksouth --template-file '/my files/t.json' --action-on-unmanage \
                 deleteResources --deny-settings-mode none",
                "New-AzSubscriptionDeploymentStack -Name svc-x -Location uksouth -TemplateFile '/my files/t.json' -ActionOnUnmanage \
                 DeleteResources -DenySettingsMode None",
            ]
        );
        assert_eq!(
            made(TemplateScope::Group("rg-it's".to_owned()), &[], true),
            [
                r"az stack group create --name svc-x --resource-group 'rg-it'\''s' --template-file '/my files/t.json' --action-on-unmanage deleteResources --deny-settings-mode none",
                "New-AzResourceGroupDeploymentStack -Name svc-x -ResourceGroupName 'rg-it''s' -TemplateFile '/my files/t.json' \
                 -ActionOnUnmanage DeleteResources -DenySettingsMode None",
            ]
        );
    }
}
