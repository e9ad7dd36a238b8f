# Generated from the command registry by 'cargo run -p svc-deploy-module -- generate'; do not edit.
@{
    RootModule           = 'SvcDeploy.psm1'
    ModuleVersion        = '0.1.0'
    GUID                 = '8d4f6a52-9c1b-4e7e-a3d0-5b27c96e41fa'
    Author               = 'Svc Deploy contributors'
    CompanyName          = 'Svc Deploy contributors'
    Copyright            = '(c) Svc Deploy contributors. MIT licence.'
    Description          = 'Deploys Azure infrastructure from settings documents in JSON or YAML.'
    PowerShellVersion    = '7.2'
    CompatiblePSEditions = @('Core')
    FunctionsToExport    = @(
        'New-SvcCoreMonitor'
        'New-SvcMonitorLogAlerts'
        'New-SvcMonitorMetricAlerts'
        'New-SvcMonitorResourceHealthAlerts'
        'New-SvcIaasPrivateEndpoints'
        'New-SvcIaasStorage'
        'New-SvcIaasBastionHost'
        'New-SvcPaasWeb'
        'New-SvcDeployment'
        'Export-SvcSettings'
        'Export-SvcTemplate'
        'Set-SvcContext'
        'Get-SvcContext'
        'Clear-SvcContext'
    )
    CmdletsToExport      = @()
    VariablesToExport    = @()
    AliasesToExport      = @()
    FormatsToProcess     = @('SvcDeploy.Format.ps1xml')
    TypesToProcess       = @('SvcDeploy.Types.ps1xml')
    FileList             = @(
        'SvcDeploy.psd1'
        'SvcDeploy.psm1'
        'Interop.cs'
        'SvcDeploy.Format.ps1xml'
        'SvcDeploy.Types.ps1xml'
        'en-US/SvcDeploy-help.xml'
        'en-US/about_SvcDeploy.help.txt'
        'schemas/monitor.schema.json'
        'schemas/logAlerts.schema.json'
        'schemas/metricAlerts.schema.json'
        'schemas/resourceHealthAlerts.schema.json'
        'schemas/privateEndpoints.schema.json'
        'schemas/storage.schema.json'
        'schemas/bastionHosts.schema.json'
        'schemas/web.schema.json'
        'schemas/tags.schema.json'
        'schemas/generators.schema.json'
        'schemas/resources.schema.json'
        'schemas/locations.schema.json'
        'schemas/tokens.schema.json'
        'schemas/logAlertDefinitions.schema.json'
    )
    PrivateData          = @{
        PSData = @{
            Tags         = @('Azure', 'ARM', 'Deployment', 'Infrastructure', 'IaC', 'YAML', 'PSEdition_Core', 'Windows', 'Linux', 'MacOS')
            ReleaseNotes = '### Added
- A plan report, a template, an export and the request log of `svc local` never replace what they did not write: settings documents and other files of a run, files of another kind, and folders in which a report would get the name of such a file are `FileExists` before Azure is asked. Links are followed. `svc export` and `svc template` have one rule and one switch, `--overwrite` (`-Overwrite`, `overwrite` in the C ABI), and make missing folders; exports are written by the engine (`path` in the request), and one that fails leaves nothing behind.
- Plan reports, templates and state files are left out of folders of settings documents, and named alone they get a sentence that says what they are. `svc local` refuses one file for two purposes, and an `--operation-time` that is no number.
- `svc export`, `Export-SvcSettings` and `svc_export_settings` in the C ABI write the settings document of what exists in a resource group, so that its plan is empty: storage accounts, private endpoints, bastion hosts, and log, metric and resource health alerts. The command judges the document before it is written; what it cannot say is a comment in it, with the reason. `--names` takes the names of others as they are, and writes the naming files for that. `docs/exporting.md`.
- `svc template`, `Export-SvcTemplate` and `svc_export_template`: documents as an ARM template, for deployments, deployment stacks (`--stack`) and Azure Policy. Secrets are parameters and are never written out; with `--late-binding` the ids of look-ups are parameters as well. What a deployment of the template would overwrite is told; `docs/fleets.md`.
- `New-SvcDeployment` in the engine (`svc_engine::run::start_deployment`): a whole environment in one run. Documents, folders of them, or objects are planned together, whatever their order: what one publishes, another can depend on. All findings are one error, one graph is asked for once and carried out side by side, and messages say which `document` they are about. What needs a publish name that another document of the run takes away is an error before any change.
- Hosts of it: `New-SvcDeployment` in PowerShell (lists, folders, the pipeline, objects; `Document` on results, planned actions and failures), `svc new-deployment`, `svc plan`, `apply` and `validate` with several documents or a folder, `svc_new_deployment` in the C ABI. Plans on screen and on file have a part for each document.
- `docs/settings`: the reference of every settings document, of tag, naming and definition files, and of the context, generated from the settings types. A key has its type, default, values, what it becomes in Azure, and an example that the tests deploy.
- The JSON Schemas take what the program takes: null where a value may be absent, other keys for a setting (with the one that replaces them), lists that hold only `none`. They have defaults, examples, deprecated keys, titles and `$id`, and offer locations, skus and runtimes. New: schemas of tag, naming and log alert definition files. Enumerations are in the spelling of the documentation only; the program still takes any letter case.
- A document without `component` whose keys are those of another command is one finding that names the command.
- Packages for Linux (glibc 2.28 and later), Windows and macOS, each for x64 and ARM64: the module as a zip for Azure Automation and as a NuGet package, `svc` as archives, Debian packages, an image and a GitHub action, with checksums, licences and a list of contents; `docs/releasing.md`.
- Windows PowerShell 5.1 gets a sentence that says which PowerShell the module needs.
- The manifest of the module knows previews (`Prerelease`).
- What a run deploys to is said first: cloud, subscription, tenant, and which credential, whose (the event `target`, a line of `svc`, a verbose line of the module).
- What the settings want otherwise and what stays as it is: the event `kept`, as data.
- `-PlanReport`: the plan on file, written before anything is changed: `.md` for a pull request, `.html` as a page, `.json` for programs, a folder for all three. `-ApprovedPlan`: only what is in such a file is done.
- `-Offline`: plans without a credential and without asking anybody. Without it, a missing credential is an error with `-WhatIf`, too.
- `svc` shows a plan as a tree of resource groups, resources and children: new resources in short (all values with `--full`), changed lists item by item and texts line by line, ids as names, roles as theirs, defaults marked, and the place in the document at the right. Counts by action and type end it.
- Pictures of the terminal in the docs, made from what `svc` prints; the widths of findings follow `COLUMNS`. Long texts in lists of new resources, such as queries, are shown by their beginning.
- `svc` asks once at a terminal before it changes a cloud, with the deletions listed above the question; `--yes` makes all changes without it. Without a terminal every change of a cloud requires `--yes` or `-Confirm:$false`, not only deletions.
- Actions of a plan have an `origin`: the setting the resource comes from. Changes have none where the document does not say the value.
- Result lines of `svc` name what holds a resource: `slot ''staging'' of app ''app-shop''`. Where only the type of what holds it is known, an app is called an app: it may be a function app.
- The local cloud takes every published api-version of the types it knows, refuses an unknown namespace, and answers 404 where it does not know that Azure lists something, instead of an empty list. Plans list their sites, sites their host names, private DNS zones their record sets, resources their diagnostic categories, subscriptions built-in roles; locks and policy assignments on a group need no location.
- The local cloud carries out template deployments of resource groups and subscriptions: `Microsoft.Resources/deployments` with validation, what-if, cancelling and operations, nested deployments, symbolic names, loops, and the functions of Azure''s reference. `az deployment sub create` and `az deployment group what-if` run against it; `tests/hand-over`, a part of `.ci/extended`, hands every example to the Azure CLI and back.
- `New-SvcIaasStorage`: storage accounts with containers, file shares, tables, queues and private endpoints; through `svc`, the C ABI and the generated PowerShell module.
- `New-SvcIaasPrivateEndpoints`: private endpoints, the private DNS zones they need, and the links of these.
- `New-SvcIaasBastionHost`: bastion hosts with their subnet, public IP address and audit log.
- `New-SvcCoreMonitor`: workspace, application insights and storage account, action groups with ten kinds of receivers, three alerts, the activity log and the audit log of a key vault, management solutions as far as Azure still has them, and the threshold of Azure Advisor.
- `New-SvcPaasWeb`: app service plans, web apps with slots and app settings, function apps that access their storage account with their identity or a key, API management services, private endpoints of apps, and Azure Front Door Standard or Premium in place of the classic front door and every classic CDN.
- `New-SvcMonitorLogAlerts`: log alert rules with 38 built-in definitions, definitions of a project, parameters and exclusions.
- Log alerts: `autoMitigate`, `dimensions` and `failingPeriods`; `lookBackInMinutes` in definitions.
- `New-SvcMonitorMetricAlerts` and `New-SvcMonitorResourceHealthAlerts`, with previewed and confirmed deletions instead of Azure''s complete mode.
- Metric alerts: `dynamicThreshold` in place of `threshold`, and `metricNamespace` for custom and guest metrics and those of a part of a resource.
- Settings in YAML and JSON with every finding at once, each with line and column; JSON Schemas for editors.
- A single item where a list is expected is a list of one (`actionGroups: ops`), in documents, in objects that PowerShell unrolled, and in naming and definition files.
- Generated names of the replaced module, and naming and tagging files of a project: own environments, several aliases of a location, the salt of `tokens.yml`, and `subscriptionId` as a part of names.
- Relative paths of documents are also tried from the project root; `component` may have its building block (`Iaas.Storage`); an empty `-TagSettingsFile` is none.
- [examples/environment](examples/environment): the documents of one small shop, which depend on one another, with names and tags of their own.
- `svc plan`, `apply` and `validate` choose the command by the document''s `component`; `validate` checks any number of documents and contacts nothing. `-f`, `-y`, `-q` and `-o` are short forms there.
- `svc new`: a new document with comments, made from the settings types; `--all` with every key. `svc schema` without a name lists the schemas, takes components, and prints those of tag, naming and log alert definition files as well. `svc validate -o sarif` is a log for code scanning.
- [docs/quickstart.md](docs/quickstart.md): a document for each command, from `svc new` to a plan on the local cloud.
- The docs as a site: `mdbook serve` at the root of the repository. The commands in the docs are run by the tests, with the output that stands below them.
- Findings show the line of the document with a mark, without values of secret settings.
- `--output github`: annotations for warnings, errors and findings, and the summary of the job with the plan. `--detailed-exitcode`: status 4 where something differs.
- [docs/plan-reports.md](docs/plan-reports.md): the plan as a page, for a pull request and for programs, and the approved plan. `tests/browser/run` opens the pages in a browser and draws the graphs with Mermaid.
- Help with examples and exit statuses, wrapped to the terminal; `svc help New-SvcIaasStorage`; `svc completions` and `svc man`.
- While `svc` works, a terminal shows each resource that is under way with its time and the usual one; a log gets a line for the start and the end of what takes more than a moment, and one every 30 seconds. `underWay` in the messages of progress.
- Durations as `45m`, `90s` or `1h30m` beside those of ISO 8601.
- What-if by property, without values that Azure fills in; offline without credentials.
- The local cloud for rehearsals, examples and tests.
- Sign-in with the session of `Connect-AzAccount`, a client secret, a certificate, a workload identity, a managed identity (App Service, Automation, Azure Arc, Cloud Shell,
  virtual machines), the Azure CLI or the Azure Developer CLI, in all clouds and through proxies; a refused token is replaced while a run goes on.
- A server that cannot be reached is reported in plain words, with what to do: an untrusted, expired or wrong certificate, a refused connection, a name that cannot be resolved, a proxy.
  The path of a certificate that is relative, missing, a folder or a PFX file is an error that says so, and `AZURE_TOKEN_CREDENTIALS` that chooses a credential that is not set up says what is missing.
- Azure''s refusals say what to do, with the missing action, the policy or the lock, and point at the setting; resource providers are registered when the identity may.
- `Get-Help` of every command and of the context with syntax, parameters, examples, inputs and outputs, and the required permissions.
- Tables of results that fit 80 columns and name each resource with its parents; results of jobs look the same.
- A run in which something fails does everything else first, then reports each failure and ends with one error, `DeploymentFailed`, that lists what failed and what was done; failures are also reported after a cancellation. `svc` ends with 3 where something was changed and with 1 where nothing was, also when everything was declined.
- By default `svc` asks before deletions only, and not on the local cloud; in the messages each action says whether it must be confirmed.
- `IncludeUnchanged` in the context: results also for resources that are up to date. Every result, planned action and summary names resources with their parents and says what they are.
- `RequestTimeout` and `OperationTimeout` in the context: how long to wait for an answer, and for the end of an operation.
- PowerShell: a failed deployment ends with one terminating `DeploymentFailed`, so `try`/`catch`, `$?` and exit codes see it; its exception has `Failures` and `Done`. Under `-ErrorAction Stop` its message lists what failed.
- PowerShell: a last line on the information stream, such as `12 created, 3 changed, 40 unchanged in 61 s.` or `Everything is up to date: 12 resources.`
- PowerShell: results have `Label` and `FullName`; `Set-SvcContext -IncludeUnchanged` also writes resources that are up to date.
- `Get-SvcContext | Set-SvcContext`, `Set-SvcContext -PassThru`, completion of clouds and environments; `Get-SvcContext` shows where each value comes from (`Sources`).

### Changed
- A plan as Markdown that is too long for a comment keeps as many resources as fit, group by group, and says how many are missing and in which groups; all that would be created went.
- A number where text is expected, such as a publish name or a tag, is the text as it is written: `1e3`, `0x1F` and `1.10` became `1000.0`, `31` and `1.1`. A warning names spellings that are no plain decimal.
- `plan.json`, `-o json` and SARIF write marks of the reading direction and control characters as JSON escapes.
- `plan.json` has `format: 2`: values are JSON, paths JSON Pointers, what Azure decides is `afterUnknown` and no text, and `docs/plan.schema.json` is its JSON Schema. An approved file of format 1 is `ApprovedPlanInvalid`.
- An approved plan holds for every property: what is created or changed has exactly those that were approved, secrets are compared by digests and by where they come from, deletions by what is deleted. A run that failed half-way goes on with the same file whatever it has done, because values are compared as the planner compares them. What was approved and is neither planned nor done is a difference as well.
- Plans say where a secret comes from (`*** of application insights ''appi-web''`), and where an address leads (`https://hooks.example.com/***`). `PlanChanged` has both values from where they differ, and `plan` and `apply` show the new plan before it (`refused` in the message `plan` of the C ABI).
- An option, variable or member of the context that guards a run (cloud, subscription, `offline`, `planReport`, `approvedPlan`, `allowForeignDeletes`) and is set to nothing is an error (`ContextInvalid`): it meant "no approval needed", or the public cloud. So is a variable that is not UTF-8.
- In a folder of plans a document''s plan is called after the document, whatever the process has planned before; the number of a second document of the same name (`web-2.md`) is gone.
- A kind that a project''s `resources.yml` lacks takes the `defaults` of the file, and an architecture that `tokens.yml` lacks is an empty part of names, as in the replaced module; built-in words stood in, so that names of files of 2020 differed. A warning names each. `regions.yml` and the source `region` are read.
- Resources that carry their publish name in a tag of another key are no longer tagged a second time where `serviceTagKey` is not set: `ServiceTagKeyDiffers`.
- A run that would create everything anew beside resources of another environment warns of it.
- A run that is stopped before it changed anything says so in one line.
- The search for `_names`, `_tags` and log alert definitions ends at the root of the repository (`.git`). Files there that are called otherwise (`_names/token.yml`, `_tags/tags.yml`) and generators that nothing uses (`storge`) are warnings with the nearest known name. `-Verbose` says which environment and which files a run uses.
- Standard input has the encodings of files; UTF-16 is read without a byte order mark as well, a second mark is skipped, and the local cloud reads files with a mark.
- `subscriptionName` chooses the subscription where no id is given, before that of the Az session, and has to be the name of the id where both are given (`SubscriptionNameDiffers`); it was printed as the target whatever the id was. On the local cloud it is a label.
- A second run on the local cloud waits up to five seconds for the state file that another one uses.
- A misspelt mandatory key is one finding, the one at the key.
- Declining at `--confirm`: what can no longer be made is not asked for, and a run of which nothing can be made ends with status 1 however it was declined. Actions of a plan say which others they are made `together` with, and which come `last`.
- `--output json` has what is up to date only where `--include-unchanged` asks for it.
- `svc plan` takes `--what-if`; `-PlanReport a.json,b.md` is two paths; `-Full`, `-Yes`, `-Quiet`, `-File` and `-OmitTags true` are taken as the other spellings are.
- A finding repeats at most 40 characters of a value, and of one that looks like a secret its kind only; `svc plan ./token` no longer shows the token.
- A success that is not what was asked for (`{}`, `null`, nothing, an error, another resource, a listing without its list) is `AnswerNotUnderstood` and no longer "not there". Redirects, links to other hosts and broken JSON are named as what they are, and what servers send is repeated to a limit.
- A resource that is being deleted is planned to be created, and the run waits until it is gone. A plan no longer waits for a name that is taken; a run does, says so, and no longer than `OperationTimeout`.
- The local cloud refuses requests of pages in a browser (`Origin`), and templates whose expressions are too deep or whose values are larger than Azure takes (`InvalidTemplate`); `range` ends where Azure''s does.
- Of changes that wait for their turn, those before which the most waits begin first, and other changes no longer wait for the look at a group before its deletions.
- What listings of keys and app settings answer is hidden in every message from the moment it is read: keys always, app settings that are secret by their name or their form. Of a connection string its key alone is hidden, too.
- A plan shows no secret inside of a whole value either.
- Secrets that people put where no secret belongs (custom properties of alerts, tags, addresses in queries) are told by their name, form and randomness: hidden in plans, reports and the lines beside findings, parameters of templates, and left out of exports with the reason.
- An endpoint of one''s own that names an audience of Azure''s gets a token for itself only; the endpoint of a region of Azure is one of its cloud.
- Timeouts of the context are at most a year: longer ones ended the run.
- What somebody else changes while a plan waits for its answer is no longer overwritten: resources that were read more than a few seconds ago are read again before they are written. Changes elsewhere stay; a change of the same property is the error `ChangedMeanwhile`. Where Azure checks etags they are sent.
- `svc` takes SIGTERM and SIGHUP like Ctrl+C, says what Azure is still working on and ends with 143 or 129; output that cannot be written is told by the exit status (1, or 3 where something was changed).
- Control characters, marks of the reading direction and commands of pipelines in messages of servers and values of documents are escaped for people; JSON and objects have them as they are.
- A write that Azure answers with success and without the resource is an error, or looked up where the answer is empty, and no longer "created".
- `svc` shows a wait for Azure below the progress of the run, and no longer ends one with the other.
- What is wrong with naming, tag and definition files is one list with what is wrong with the document; of more than 100 warnings at a time the first 100 are shown.
- A what-if of a very large document takes half the time and memory.
- Standard input and the files of the local cloud are read to a limit; a pipe or a folder in the place of a naming, tag or definition file is an error and no longer passed over.
- Settings, certificate and token files are read to a limit and only where they are files; documents whose aliases or brackets would exhaust the machine are refused at once; of more than 100 findings the first 100
  are shown.
- `New-SvcPaasWeb`: the skus of plans and the units of API management are checked against Azure''s lists, with what apps on a plan can have; function apps on Flex Consumption plans (`FC1`). Another region, or a plan of another kind, is an error before anything is changed.
- `New-SvcPaasWeb`: `enableAppInsight: false` removes the settings of application insights; slots keep their runtime; API management keeps its units where `skuCount` is not set; a function app that is made again gets its roles; an API management service that is locked is waited for.
- A document that has a setting under both of its names (`region` and `location`), `resourceGroupName` beside the resource group dependency of a storage document, and a web document with nothing to deploy say so.
- Defaults shape what is created: on an existing resource, what the document does not say stays as it is, and a verbose line says so (storage accounts, containers and shares).
- A storage account name that somebody else has is an error of the plan (`NameTaken`); so are those of apps and API management services.
- `networkAclsBypass` takes several values, separated by commas; a container or share without a name is a warning; a table `tables`, which Azure refuses, is an error.
- Waiting for Azure is bounded and shown: an answer that asks to wait for longer than a request may take ends it and says so, and an operation that ended because another one was in the way is begun again.
- Answers have a size, listings an end, and ids and links out of answers are checked before they are used; tokens are sent over TLS only.
- A publish name that another resource already has is a warning, one of more than 256 characters an error; several resource groups of one publish name are an error unless the location of the document tells them apart.
- Core monitoring: a key vault that does not exist yet is a warning; defaults shape only what is created; retired solutions are not created; what is taken out of a webhook or a runbook receiver is removed; targets that are no resource ids are a warning.
- A missing role for something that does not exist yet is advised at its resource group.
- Log alerts do not resolve by themselves unless `autoMitigate` is true. `emailSubject`, `webhookJsonPayload` and its members go from the rule when they go from the document; a description of a definition follows it. An exclusion that no resource has is a warning.
- Built-in log alert definitions: averages for every `_timeWindow` of the window, named SQL Server instances and their agents, deallocated machines are not missed, a machine that is down stays alerted for two days; parameters are checked.
- Queries of log alerts are read: filters go before `render`, `;` and comments, and `pivot` or `ago(t)` in a string or a comment is fine.
- What Azure cannot change is an error of the plan (`CannotBeChanged`), under `-WhatIf` too, with the way out of each; before, some of it was found out in the middle of a run.
- Private endpoints and bastion hosts: missing subnets, a second host for a network and addresses of no use are errors of the plan; published zones without a link to the network, another prefix than the existing subnet has, and zone groups
  that the document does not want are warnings; zone groups of any name are used. Private link knows Azure Backup with all its zones, Managed Redis, flexible servers, HDInsight and private link services.
- A resource group for private endpoints (`service.publish.resourceGroup` at the root of a web document) is looked up only if an endpoint goes there, and `dependencies.resourceGroup` finds a group of the same run.
- The local cloud answers only under `localhost`, `127.0.0.1`, `[::1]` and the names given by `--host-name`; its request log is private and hides secrets, unless `--request-log-secrets` is given.
- Messages, help and documentation are in plainer English ([docs/style.md](docs/style.md)).
- All commands have the impact Medium in PowerShell. Deletions are still confirmed, unless `-Confirm:$false` is given or `$ConfirmPreference` is `None`; where nobody can be asked, a run that must ask ends before it changes anything.
- The context of a PowerShell session outlives `Import-Module -Force` and is the same for every copy of the module; `Set-SvcContext` refuses wrong values itself. `$WhatIfPreference` does not apply to it, `-WhatIf` does.
- A project root that is not a folder is an error, and so is a relative path in the context.
- What is wrong with the shape of a document and with its meaning is one list of findings; a wrong value or a duplicate key hides only what depends on it. Every syntax problem has its place.
- The `component` of another command is an error. A list that holds only `none` is empty, everywhere; an empty item is a warning, or an error in lists of targets and types.
- `svc` without a document says which option is missing, as an `error` event with `--output json`, like everything else that makes a request impossible.
- `result` messages have `upToDate`, the sentence for a run that found everything as it should be.
- Plans compare lists item by item: one changed threshold shows that threshold, and what others set in an item stays. The order of statuses, reasons and types of a health alert is no change, nor is the spelling of locations and resource types in rules.
- Alert commands refuse a resource group that another document publishes, and a plan that would delete every one of several rules (`ResourceGroupTaken`). Several groups of one publish name are an error unless the location of the document tells them apart, and an empty list of groups or alerts is legal.
- Metric alerts: a resource group may be elsewhere than `targetResourceLocation`, with a warning where it has no resource of the type there; a name that stands for resources in several locations is an error that names each. Dimensions that are taken out of the document are gone, and a description that is a default follows.
- Resource health alerts: targets outside the target groups, `none` as the only target, and types without a namespace are warnings. `none` in a list of statuses, reasons or types is no condition.
- More than five action groups in a rule, descriptions that are too long and resource groups in Global are errors before anything is contacted or changed; two alerts with one name say what to do.
- Relative paths and `~` in `SVC_*` and certificate variables start in the current folder of the session, or of `svc`.
- `New-SvcPaasWeb`: routes, pools, origins of own apps and (when confirmed) custom domains that leave the document leave its front door; patterns and domains move between rules, and domains between firewall policies, in one run. Defaults of front doors and CDNs shape only what is created.
- `New-SvcPaasWeb`: origins are named as their apps, and an existing origin for the same host is that origin, so several services of one name can be in one pool. `service.publish.frontdoor` and `frontdoorResourceGroup` are required only where there is a `frontdoor` or a `backendpool`.
- `New-SvcPaasWeb`: a certificate that the key vault does not have is an error in the plan; a custom domain that no rule routes is a warning.

### Fixed
- The module shows everything of its own in one view, in lines, in any mix; results are classes with `ResourceGroupName` and a sentence as text. Under `-WhatIf` what is kept (`keep`) and what is up to date (`unchanged`) are planned actions. The answer offered for a deletion is No; `New-SvcDeployment -Confirm` shows the plan and asks once, and takes patterns of files. Large plans and deployments take a fraction of the time in the module.
- Log alert definitions that are named beside documents (`svc validate *.yml`) are left out, as in a folder. A private endpoint that would lead to another account or app is told at the name of that.
- The module: `break` and `continue` in the next command of the pipeline stop the run and leave the loop that they mean; `-ErrorAction Stop` ends a script; the context outlives the cleaning up of variables; `-ApprovedPlan`, `-SubscriptionId` and `-SubscriptionName` that are nothing are an error, and `Clear-SvcContext -Name` takes one out; a setting whose getter throws, and what settings cannot hold, is an error that names it; values out of jobs are values; drafts (`_draft.yml`) of the pipeline are left out as in a folder.
- The session of `Connect-AzAccount` is used in new sessions and parallel runspaces. Every run says in one line what it deploys to and as whom. `Get-SvcContext` has what a command would use, with the account; timeouts take a `[timespan]`.
- Plans that Azure would refuse are errors before anything is asked for, or are made so that it takes them: the DNS label of a bastion host whose name has `_` or `.`, slots whose host name is over 63 characters, stacks that do not exist (a version that is not known is a warning), rules of a front door without a pattern. An empty list of targets no longer widens a resource health alert to the subscription. A warning tells names that environments would share because they are cut, and origins of apps that the document does not have; a changed resource of a private endpoint is told at the setting that names it.
- `Export-SvcTemplate` no longer writes the template over the settings document; it has `-WhatIf` and `-Confirm`, and `Export-SvcSettings` keeps to its caller''s dry run. `$ConfirmPreference = $true` no longer deletes without a question.
- Nothing is planned over role definition ids without a subscription, skus in other letter cases, public IP addresses without a tier, and parts of resources whose names are in another letter case; nulls that Azure prints are not shown in differences.
- The local cloud takes what Azure takes: tags `hidden-link:` with ids, `odata.type` in conditions of activity log alerts, metric alerts with queries in a region, components with tags only where one exists, members in any letter case, `ruleResolveConfiguration` by api-version; a site without a plan is refused with the reason.
- The local cloud answers as Azure answers: endpoints of storage accounts by network and DNS zone, ids of their identities, ids and states of the delegations of subnets; API management services keep the host name of their gateway and show no certificates.
- The local cloud spells ids, types, locations and tags of Azure Front Door and of Microsoft.Insights as Azure does; plans, sites, slots, API management services and private DNS are answered with the headers, states and bodies of Azure''s examples; bastion hosts show all their features. An import keeps nulls and the status of receivers. A table of the tests holds 115 requests of Azure''s published examples.
- A subnet whose operation failed is sent again by the next run. A core monitoring run that was cut off before its management solution is finished by the next one.
- With what-if, an existing private endpoint whose target cannot be looked up is shown with the placeholder; it used to end the run with `CannotBeChanged`.
- The runtimes that editors offer for web apps and function apps are those that Azure lists: Node 26, .NET 11, PHP 8.5, Java 25, Tomcat 11 and 9, JBoss EAP 8, and for functions Python 3.14, Java 25 and PowerShell 7.6 are new.
- The rules of resource health alerts have their conditions in the same order, whether the targets exist or are made by the run.
- Log alerts: the names of excluded resources in another letter case than before change no rule.
- Front Door: a rule that takes one protocol switches an existing redirect to HTTPS off, which Azure refuses beside it.
- Log alerts: an existing `resolveConfiguration`, or `ruleResolveConfiguration` of api-version 2023-12-01, is taken out instead of sent back beside `autoMitigate`, which Azure refuses.
- The CDN of a web app sent a request of its own for every query string to the app.
- `$WhatIfPreference = 1` (or `''true''`, `''yes''`) in a script deployed instead of planning.
- `-Debug` asked at every verbose line and warning, and ended an unattended deployment half-way.
- `catch [SvcDeploy.DeploymentException]` before the first command; typed `catch` of what the next command of a pipeline throws; an Az session inside another module; folders in the pipeline; settings that hold themselves,
  switches, or what a job adds to its objects; a user''s own functions named like those of PowerShell; UNC paths on Linux and macOS.'
        }
    }
}
