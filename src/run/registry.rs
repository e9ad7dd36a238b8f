//! The registry that hosts make their own commands, options, completions and help from.

pub use crate::azure::cloud::{az_names as az_cloud_names, names as cloud_names};
pub use crate::commands::{
    ArmProperty, COMMANDS, Command, Example, OMIT_TAGS, PROJECT_FILES, Parameter, ParameterKind, ParameterSet,
    ProjectFile, SETTINGS_FILE, SETTINGS_FILES, SETTINGS_OBJECT, SETTINGS_OBJECTS, SettingsType, TAG_SETTINGS_FILE,
    find,
};
pub use crate::protocol::{CONTEXT_MEMBERS, ContextMember, ContextMemberKind, decides_about_runs, path_variables};

use serde_json::{Value, json};

use crate::azure::cloud;
pub use crate::commands::function_of;
use crate::commands::subcommand_of;
use crate::naming::Environment;
use crate::protocol::{EXCEPTION_TAG_KEY, SERVICE_TAG_KEY};

/// The offer of hosts for a command: for one of the eight, or of the deployment, which chooses among them.
#[derive(Debug, Clone, Copy)]
pub struct Described {
    /// The cmdlet name, as in `New-SvcIaasStorage`.
    pub name: &'static str,
    /// The value of `component` in its settings documents; none for the deployment, whose documents have those of the others.
    pub component: Option<&'static str>,
    /// One sentence of help.
    pub synopsis: &'static str,
    /// A paragraph of help.
    pub description: &'static str,
    /// Its parameters, in the order of the help.
    pub parameters: &'static [Parameter],
    /// The options beside these.
    pub options: &'static [HostOption],
    /// The members of the context that it takes for one run, by their names.
    pub of_context: &'static [&'static str],
    /// Examples for the help.
    pub examples: &'static [Example],
}

/// An option of hosts beside the parameters of deployments: what is written, and where to.
#[derive(Debug, Clone, Copy)]
pub struct HostOption {
    /// In PowerShell's spelling.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: HostOptionKind,
    /// It has to be given.
    pub is_required: bool,
    /// Help in complete sentences.
    pub help: &'static str,
}

/// The kinds of values of an option of a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostOptionKind {
    /// A word or a name.
    Text,
    /// Names, several after each other.
    Texts,
    /// The path of a file.
    Path,
    /// It is on or off.
    Switch,
}

impl HostOption {
    const fn optional(name: &'static str, kind: HostOptionKind, help: &'static str) -> HostOption {
        HostOption { name, kind, is_required: false, help }
    }
}

/// The switch of everything that writes a file which it was told.
const OVERWRITE: HostOption = HostOption::optional(
    "Overwrite",
    HostOptionKind::Switch,
    "Replaces the file of -Path where an earlier export has written it. A file of another kind stays as it is.",
);

/// The deployment of several documents, each by the command that its `component` names. Its documents have no type of their own, so it is
/// not among [`COMMANDS`].
pub const DEPLOYMENT: Described = Described {
    name: "New-SvcDeployment",
    component: None,
    synopsis: "Deploys a whole environment: several settings documents in one run.",
    description: "Takes one or several settings documents, or a folder of them, and runs for each the command that its component names. The documents are \
         planned together: what one publishes, another can depend on in the same run, and the plan shows as '(known after apply)' what only Azure decides. \
         A finding in any document ends the run before anything is changed. One question confirms the plan, which is carried out side by side, as far as nothing \
         waits for something else. A document that fails takes along only what depends on it.",
    parameters: &[SETTINGS_FILES, SETTINGS_OBJECTS, TAG_SETTINGS_FILE, OMIT_TAGS],
    options: &[
        HostOption::optional(
            "Force",
            HostOptionKind::Switch,
            "Makes deletions without asking. Whether other changes are asked about is for -Confirm to say.",
        ),
        HostOption::optional(
            "AsJob",
            HostOptionKind::Switch,
            "Runs in the background, as a thread job with the context of this session, and returns the job: Receive-Job has its results. Nobody can be asked there, so deletions need -Force.",
        ),
    ],
    of_context: &["planReport", "approvedPlan", "offline"],
    examples: &[
        Example {
            code: "New-SvcDeployment -SettingsFile ./environment -WhatIf",
            text: "Shows what the documents in a folder would deploy, and changes nothing.",
        },
        Example {
            code: "New-SvcDeployment -SettingsFile ./core-monitor.yml, ./web.yml -TagSettingsFile ./tags.yml",
            text: "Deploys two documents in one run, with the tags of a tag settings file.",
        },
        Example {
            code: "New-SvcDeployment ./environment -WhatIf -PlanReport plan.md, plan.json\nNew-SvcDeployment ./environment -ApprovedPlan plan.json -Force",
            text: "Writes the plan for a review, and does later what was reviewed and nothing else, deletions without a question.",
        },
        Example {
            code: "Get-ChildItem ./environment -Filter *.yml | New-SvcDeployment -Confirm:$false",
            text: "Deploys the documents that another command lists, without questions.",
        },
        Example {
            code: "$job = New-SvcDeployment ./environment -AsJob\n$job | Receive-Job -Wait -AutoRemoveJob",
            text: "Deploys in the background, and takes the results when it is done.",
        },
        Example {
            code: "$core = Get-Content core-monitor.json -Raw | ConvertFrom-Json -AsHashtable\n$web = Get-Content web.json -Raw | ConvertFrom-Json -AsHashtable\n$web.location = 'UK West'\nNew-SvcDeployment -SettingsObject $core, $web -OmitTags",
            text: "Deploys two documents together, one of them to another location, and skips the tag settings.",
        },
    ],
};

/// The comparison of what exists with documents. It deploys nothing, so it is not among [`all_commands`].
pub const COMPARE: Described = Described {
    name: "Compare-SvcDeployment",
    component: None,
    synopsis: "Compares what exists with settings documents, and says who has changed it.",
    description: "Takes one or several settings documents, or a folder of them, and returns one object with everything that is not as they say, defaults \
         included: each property with its setting, and who has changed it, when, and with which client, from Azure Resource Graph (14 days) and the activity log \
         (90 days). What has left the documents is in it, too. Nothing is changed in Azure.",
    parameters: DEPLOYMENT.parameters,
    options: &[],
    of_context: &["planReport"],
    examples: &[
        Example {
            code: "Compare-SvcDeployment -SettingsFile ./environment",
            text: "Shows what somebody has changed of what the documents in a folder deploy.",
        },
        Example {
            code: "(Compare-SvcDeployment ./environment).Differences | Where-Object By -eq 'jane@contoso.com'",
            text: "Shows what one person has changed.",
        },
        Example {
            code: "if ((Compare-SvcDeployment ./environment).HasDifferences) { New-SvcDeployment ./environment -WhatIf }",
            text: "Shows what a deployment would set right, where there is anything.",
        },
    ],
};

/// The check of settings documents. It deploys nothing, so it is not among [`all_commands`].
pub const TEST: Described = Described {
    name: "Test-SvcSettings",
    component: None,
    synopsis: "Checks settings documents, and contacts nothing.",
    description: "Takes one or several settings documents, or a folder of them, and returns one object for everything that is wrong with them and with the files of \
         their project: the file, the line, the setting, and what to do. Nothing is returned where nothing is wrong; with -Quiet it is true or false. Azure is not asked, so \
         names that have to exist there are not looked up.",
    parameters: DEPLOYMENT.parameters,
    options: &[HostOption::optional(
        "Quiet",
        HostOptionKind::Switch,
        "Returns true where nothing is wrong, and false otherwise, in the place of the findings.",
    )],
    of_context: &[],
    examples: &[
        Example {
            code: "Test-SvcSettings -SettingsFile ./environment",
            text: "Shows everything that is wrong with the documents in a folder.",
        },
        Example {
            code: "if (-not (Test-SvcSettings ./storage.yml -Quiet)) { exit 1 }",
            text: "Ends a script whose document is wrong.",
        },
        Example {
            code: "Test-SvcSettings ./environment | Group-Object File | Sort-Object Count -Descending",
            text: "Shows which documents have most to correct.",
        },
    ],
};

/// The export of documents as a template for Azure's own engine. It deploys nothing, so it is not among [`all_commands`].
pub const TEMPLATE: Described = Described {
    name: "Export-SvcTemplate",
    component: None,
    synopsis: "Writes settings documents as an ARM template, for Azure's own engine.",
    description: "Takes one or several settings documents, or a folder of them, and writes everything that they want as one ARM template: for a deployment to the \
         subscription or, with -Stack, the rules of alert documents for a deployment stack. Names and locations stand in it as they are; secrets are parameters and \
         are never written out. A warning names what a deployment of the template does differently from the command. Nothing is changed in Azure.",
    // Its own -Path is where the template goes.
    parameters: &[Parameter { aliases: &["PSPath"], ..SETTINGS_FILES }, SETTINGS_OBJECTS, TAG_SETTINGS_FILE, OMIT_TAGS],
    options: &[
        HostOption::optional(
            "Path",
            HostOptionKind::Path,
            "The file that gets the template. One that exists is not overwritten, unless -Overwrite says so.",
        ),
        OVERWRITE,
        HostOption::optional(
            "LateBinding",
            HostOptionKind::Switch,
            "Makes the ids of what is looked up parameters of the template.",
        ),
        HostOption::optional(
            "Stack",
            HostOptionKind::Switch,
            "Writes only the rules of alert documents, for a deployment stack.",
        ),
    ],
    of_context: &[],
    examples: &[
        Example {
            code: "Export-SvcTemplate -SettingsFile ./storage.yml -Path ./storage.json",
            text: "Writes the template of a document to a file.",
        },
        Example {
            code: "(Export-SvcTemplate -SettingsFile ./web.yml -LateBinding).Parameters",
            text: "Shows the parameters of a template to which the ids of what is looked up are given.",
        },
        Example {
            code: "(Export-SvcTemplate -SettingsFile ./log-alerts.yml -Stack -Path ./rules.json).Calls",
            text: "Writes the rules of an alert document for a deployment stack, and shows how that is made.",
        },
    ],
};

/// The export of what exists as a settings document. It deploys nothing, so it is not among [`all_commands`].
pub const EXPORT: Described = Described {
    name: "Export-SvcSettings",
    component: None,
    synopsis: "Writes the settings documents of what exists.",
    description: "Reads what a resource group holds and writes the settings document of it, so that a plan of the document changes nothing. \
         What the settings cannot say is a comment in the document, and a warning. Without -Component, or of several resource groups, it writes a folder with \
         a document for everything that can be in one. Nothing in Azure is changed. Without -Path the document is the output.",
    parameters: &[],
    options: &[
        HostOption::optional(
            "Component",
            HostOptionKind::Text,
            "What the document is about, as in its component. Default: everything of which there can be a document.",
        ),
        HostOption::optional(
            "ResourceGroup",
            HostOptionKind::Texts,
            "The resource groups that are read, by their names in Azure.",
        ),
        HostOption::optional("All", HostOptionKind::Switch, "Reads every resource group of the subscription."),
        HostOption::optional(
            "Path",
            HostOptionKind::Path,
            "The file to write, or the folder for several documents. A file that exists is not overwritten, unless -Overwrite says so. The naming files of its project count. Default: the document is the output.",
        ),
        OVERWRITE,
        HostOption::optional(
            "Tag",
            HostOptionKind::Switch,
            "Gives what the documents depend on the publish names that it lacks, as tags: the plan of them is shown and asked for like that of a deployment. Nothing else in Azure is changed.",
        ),
        HostOption::optional(
            "Names",
            HostOptionKind::Switch,
            "Takes every name as it is, and writes a folder '_names' beside the document that makes just these names. The folder of the document must be empty, or hold nothing but an earlier export of it.",
        ),
    ],
    of_context: &[],
    examples: &[
        Example {
            code: "Export-SvcSettings -Component storage -ResourceGroup rg-shop -Path storage.yml",
            text: "Writes the document of the storage accounts in a resource group.",
        },
        Example {
            code: "Export-SvcSettings -All -Path estate\nNew-SvcDeployment -SettingsFile estate -WhatIf",
            text: "Writes the documents of everything in the subscription to a new folder, and shows that there is nothing to do.",
        },
        Example {
            code: "Export-SvcSettings bastionHosts rg-network | Out-Host -Paging",
            text: "Shows the document of the bastion hosts in a resource group.",
        },
        Example {
            code: "Export-SvcSettings storage rg-old -Path old/storage.yml -Names\nNew-SvcIaasStorage -SettingsFile old/storage.yml -WhatIf",
            text: "Writes the document of accounts that others have named, with naming files that keep their names, and shows that there is nothing to do.",
        },
    ],
};

/// A new settings document. It deploys nothing, so it is not among [`all_commands`].
pub const NEW: Described = Described {
    name: "New-SvcSettings",
    component: None,
    synopsis: "Writes a new settings document, with comments.",
    description: "Writes a new settings document: the mandatory keys and those that most documents have, each with a comment, and values that go together. It is valid \
         as it is. Without -Path the document is the output. Nothing is contacted.",
    parameters: &[],
    options: &[
        HostOption {
            is_required: true,
            ..HostOption::optional(
                "Component",
                HostOptionKind::Text,
                "What the document is about, as in its component.",
            )
        },
        HostOption::optional(
            "Path",
            HostOptionKind::Path,
            "The file to write; one that exists is never overwritten. Default: the document is the output.",
        ),
        HostOption::optional("EveryKey", HostOptionKind::Switch, "Writes every key, not only the usual ones."),
    ],
    of_context: &[],
    examples: &[
        Example {
            code: "New-SvcSettings storage -Path storage.yml",
            text: "Writes a new document of storage accounts, to be changed and deployed with New-SvcIaasStorage.",
        },
        Example {
            code: "New-SvcSettings logAlerts -EveryKey | Out-Host -Paging",
            text: "Shows every key that a document of log alerts may have.",
        },
    ],
};

/// The JSON Schemas for editors. It deploys nothing, so it is not among [`all_commands`].
pub const SCHEMA: Described = Described {
    name: "Get-SvcSettingsSchema",
    component: None,
    synopsis: "Returns the JSON Schema of settings documents or of a file beside them, for editors.",
    description: "Returns the JSON Schema of the documents of a component, or of a file that a project has beside its documents, such as tags and naming files, as text. Nothing \
         is contacted.",
    parameters: &[],
    options: &[
        HostOption {
            is_required: true,
            ..HostOption::optional(
                "Name",
                HostOptionKind::Text,
                "The component of settings documents, or the name of a file beside them.",
            )
        },
        HostOption::optional(
            "For",
            HostOptionKind::Path,
            "With values: the schema of the names that the documents of this folder use.",
        ),
    ],
    of_context: &[],
    examples: &[
        Example {
            code: "Get-SvcSettingsSchema storage | Set-Content storage.schema.json",
            text: "Writes the schema of documents of storage accounts to a file that editors read.",
        },
        Example {
            code: "Get-SvcSettingsSchema values -For ./environment",
            text: "Returns the schema of the values that the documents of a folder use.",
        },
        Example {
            code: "Test-Json -Path storage.json -Schema (Get-SvcSettingsSchema storage)",
            text: "Checks a document in JSON with what PowerShell has for that.",
        },
    ],
};

/// The function of PowerShell that starts a local cloud for its session, and the operation behind it.
pub const START_LOCAL_CLOUD: &str = "Start-SvcLocalCloud";

/// Everything that hosts offer as a command: the eight, and the deployment last.
pub fn all_commands() -> impl Iterator<Item = Described> {
    COMMANDS.iter().map(Described::from).chain([DEPLOYMENT])
}

impl From<&Command> for Described {
    fn from(command: &Command) -> Described {
        Described {
            name: command.name,
            component: Some(command.component),
            synopsis: command.synopsis,
            description: command.description,
            parameters: command.parameters,
            options: &[],
            of_context: &[],
            examples: command.examples,
        }
    }
}

impl Described {
    /// The members of the context that it takes for one run.
    pub fn context_members(&self) -> impl Iterator<Item = &'static ContextMember> {
        let names = self.of_context;
        CONTEXT_MEMBERS.iter().filter(move |member| names.contains(&member.name))
    }

    /// The name of the exported C function: `svc_new_iaas_storage`.
    #[must_use]
    pub fn function(&self) -> String {
        function_of(self.name)
    }

    /// The name as a subcommand of `svc`: `new-iaas-storage`.
    #[must_use]
    pub fn subcommand(&self) -> String {
        subcommand_of(self.name)
    }
}

/// The default of a member, as a user would write it. None where it depends on the run.
#[must_use]
pub fn default_of(member: &ContextMember) -> Option<&'static str> {
    match (member.kind, member.name) {
        (ContextMemberKind::Flag, _) => Some("false"),
        (_, "cloud") => Some(cloud::DEFAULT_NAME),
        (_, "environment") => Some(Environment::KEYS[0]),
        (_, "serviceTagKey") => Some(SERVICE_TAG_KEY),
        (_, "exceptionTagKey") => Some(EXCEPTION_TAG_KEY),
        (_, "requestTimeout") => Some("90s"),
        _ => None,
    }
}

/// The extensions of files that `planReport` may name, without the point; anything else is a folder.
pub fn plan_extensions() -> impl Iterator<Item = &'static str> {
    super::plan_report::extensions()
}

/// The values that a shell completes. Others may be right, too.
#[must_use]
pub fn completions_of(member: &ContextMember) -> Vec<&'static str> {
    match member.name {
        "cloud" => cloud::names().collect(),
        "environment" => Environment::KEYS.to_vec(),
        _ => Vec::new(),
    }
}

/// The registry as JSON, for hosts that build their own front end.
#[must_use]
pub fn describe() -> Value {
    let commands: Vec<Value> = all_commands()
        .map(|command| {
            json!({
                "name": command.name,
                "function": command.function(),
                "component": command.component,
                "synopsis": command.synopsis,
                "description": command.description,
                "parameters": command.parameters,
                "examples": command.examples,
            })
        })
        .collect();
    json!({ "version": env!("CARGO_PKG_VERSION"), "commands": commands, "contextMembers": CONTEXT_MEMBERS })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_names_every_command() {
        let described = describe();
        let names: Vec<&str> =
            described["commands"].as_array().unwrap().iter().filter_map(|command| command["name"].as_str()).collect();
        let known: Vec<&str> = COMMANDS.iter().map(|command| command.name).chain(["New-SvcDeployment"]).collect();
        assert_eq!(names, known);
        assert_eq!(described["commands"][known.len() - 1]["function"], "svc_new_deployment");
    }
}
