//! The functions that keep the context of a session, and its aliases. Their code is a template; this is what others have to know of them.

use svc_engine::run::registry::START_LOCAL_CLOUD;

pub(crate) struct ContextFunction {
    pub(crate) name: &'static str,
    /// One sentence of help.
    pub(crate) synopsis: &'static str,
    /// A paragraph of help.
    pub(crate) description: &'static str,
    /// Whether it has a parameter for each member of the context.
    pub(crate) takes_members: bool,
    /// The parameters that are no members of the context: name, type, help, and whether it is mandatory.
    pub(crate) parameters: &'static [(&'static str, &'static str, &'static str, bool)],
    /// Whether it has `-WhatIf` and `-Confirm`.
    pub(crate) changes: bool,
    /// The types of what it takes from the pipeline, each with what it stands for.
    pub(crate) inputs: &'static [(&'static str, &'static str)],
    /// The types of what it writes, each with what it stands for.
    pub(crate) outputs: &'static [(&'static str, &'static str)],
    /// Code, and what it does.
    pub(crate) examples: &'static [(&'static str, &'static str)],
    /// The functions that belong to it.
    pub(crate) links: &'static [&'static str],
}

/// All of them, in the order of the script.
pub(crate) const CONTEXT_FUNCTIONS: [ContextFunction; 6] = [
    ContextFunction {
        name: "Set-SvcContext",
        synopsis: "Sets what the commands of this session share: the cloud, the subscription, the environment and more.",
        description: "Changes only the given values; empty text removes a value, but for what says where a run goes and what it may do (SubscriptionId, SubscriptionName, ApprovedPlan): these are removed with Clear-SvcContext -Name. The context belongs to the session that sets it: \
            another session, a job and every runspace of ForEach-Object -Parallel has its own. Values that are not set come from the SVC_* environment variables, and subscription and tenant then from the Az context of the session.",
        takes_members: true,
        parameters: &[],
        changes: true,
        inputs: &[(
            "Svc.Context",
            "What Get-SvcContext has returned, or any object with properties of the parameters' names.",
        )],
        outputs: &[("Svc.Context", "With -PassThru, the resulting context.")],
        examples: &[
            (
                "Set-SvcContext -Cloud local",
                "Lets the commands of this session work on the local cloud, which needs no account.",
            ),
            (
                "Set-SvcContext -SubscriptionId 00000000-0000-0000-0000-000000000000 -Environment production",
                "Sets the subscription, and the environment in generated names.",
            ),
            (
                "Set-SvcContext -OperationTimeout ([timespan]::FromHours(2)) -AllowForeignDeletes:$false",
                "Waits up to two hours for an operation, and turns a switch off.",
            ),
            (
                "Set-SvcContext -PlanReport plan.md, plan.json\nNew-SvcIaasStorage -SettingsFile storage.yml -WhatIf\nClear-SvcContext -Name PlanReport\nSet-SvcContext -ApprovedPlan plan.json\nNew-SvcIaasStorage -SettingsFile storage.yml\nClear-SvcContext -Name ApprovedPlan",
                "Writes a plan to a file, and later carries out what is in that file and nothing else.",
            ),
            (
                "$before = Get-SvcContext\nSet-SvcContext -Cloud local\n$before | Set-SvcContext",
                "Works on the local cloud for a while and goes back to what was set before.",
            ),
        ],
        links: &["Get-SvcContext", "Clear-SvcContext"],
    },
    ContextFunction {
        name: "Get-SvcContext",
        synopsis: "Shows what the commands of this session would use.",
        description: "Returns one object with a property for each value that a command would use, and the account. Its property Sources shows where each comes from: set, an environment variable, the Az context, or the default. Piped into Set-SvcContext it sets what was set, and nothing else.",
        takes_members: false,
        parameters: &[],
        changes: false,
        inputs: &[("None", "Does not accept pipeline input.")],
        outputs: &[("Svc.Context", "One object with a property for each value.")],
        examples: &[
            ("Get-SvcContext", "Shows the whole context."),
            ("(Get-SvcContext).Sources", "Shows what a command would use, and where each value comes from."),
        ],
        links: &["Set-SvcContext", "Clear-SvcContext"],
    },
    ContextFunction {
        name: "Clear-SvcContext",
        synopsis: "Clears the context of this session, or some of it.",
        description: "The commands then use the SVC_* environment variables and their defaults again.",
        takes_members: false,
        parameters: &[("Name", "String[]", "What to remove, as Set-SvcContext calls it. Default: everything.", false)],
        changes: true,
        inputs: &[("None", "Does not accept pipeline input.")],
        outputs: &[("None", "No output.")],
        examples: &[
            ("Clear-SvcContext", "Removes everything that Set-SvcContext has set."),
            ("Clear-SvcContext -Name ApprovedPlan", "Lets the commands do again what no approved plan says."),
            ("Clear-SvcContext -WhatIf", "Shows what would be done, without changing the context."),
        ],
        links: &["Set-SvcContext", "Get-SvcContext"],
    },
    ContextFunction {
        name: "Register-SvcAlias",
        synopsis: "Lets scripts call the commands by the names of the replaced module.",
        description: "Sets a global alias for each command that deploys, for New-SvcDeployment and for Set-, Get- and Clear-SvcContext: New-XyzIaasStorage for New-SvcIaasStorage. The aliases belong to the session. \
            A module that is loaded and has functions of these names is told in a warning, because its own functions would call these commands.",
        takes_members: false,
        parameters: &[
            ("Prefix", "String", "The word behind the hyphen in the old names: Xyz of New-XyzIaasStorage.", true),
            ("PassThru", "SwitchParameter", "Returns the aliases.", false),
        ],
        changes: true,
        inputs: &[("None", "Does not accept pipeline input.")],
        outputs: &[("System.Management.Automation.AliasInfo", "With -PassThru, the aliases.")],
        examples: &[
            ("Register-SvcAlias -Prefix Xyz", "Scripts that call New-XyzIaasStorage deploy with New-SvcIaasStorage."),
            (
                "Register-SvcAlias -Prefix Xyz -PassThru | Format-Table Name, Definition",
                "Shows what each alias stands for.",
            ),
        ],
        links: &["Set-SvcContext", "New-SvcDeployment"],
    },
    ContextFunction {
        name: START_LOCAL_CLOUD,
        synopsis: "Starts a local cloud for rehearsals in this session.",
        description: "Serves an Azure Resource Manager endpoint on loopback, inside this process, and lets the context of the session lead to it, so that every command works on it until Stop-SvcLocalCloud. \
            It needs no account, and what is deployed to it is gone with it unless -StateFile keeps it. Jobs that New-SvcDeployment starts with -AsJob work on it, too.",
        takes_members: false,
        parameters: &[(
            "StateFile",
            "String",
            "The file that keeps the resources, as -LocalStateFile of the context. Default: they are gone with the local cloud.",
            false,
        )],
        changes: true,
        inputs: &[("None", "Does not accept pipeline input.")],
        outputs: &[("Svc.LocalCloud", "Where it is: Endpoint, SubscriptionId and StateFile.")],
        examples: &[
            (
                "Start-SvcLocalCloud\nNew-SvcDeployment ./environment\nNew-SvcDeployment ./environment -WhatIf\nStop-SvcLocalCloud",
                "Rehearses a deployment, and shows that a second one would change nothing.",
            ),
            (
                "Start-SvcLocalCloud -StateFile ./rehearsal.json",
                "Works on the resources of an earlier rehearsal, and keeps what is changed.",
            ),
        ],
        links: &["Stop-SvcLocalCloud", "Set-SvcContext", "New-SvcDeployment"],
    },
    ContextFunction {
        name: "Stop-SvcLocalCloud",
        synopsis: "Stops the local cloud of this session.",
        description: "The context leads again to what it led to when Start-SvcLocalCloud was called, unless it was set to something else meanwhile. Where no local cloud runs nothing is done, so that scripts can end with it.",
        takes_members: false,
        parameters: &[],
        changes: true,
        inputs: &[("None", "Does not accept pipeline input.")],
        outputs: &[("None", "No output.")],
        examples: &[
            ("Stop-SvcLocalCloud", "Ends a rehearsal."),
            (
                "try { Start-SvcLocalCloud; New-SvcDeployment ./environment }\nfinally { Stop-SvcLocalCloud }",
                "Ends a rehearsal however it went.",
            ),
        ],
        links: &[START_LOCAL_CLOUD, "Set-SvcContext"],
    },
];

/// The functions that have no alias: the replaced module had nothing like them.
pub(crate) const WITHOUT_ALIAS: [&str; 3] = ["Register-SvcAlias", START_LOCAL_CLOUD, "Stop-SvcLocalCloud"];
