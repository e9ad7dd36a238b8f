# Generated from the command registry by 'cargo run -p svc-deploy-module -- generate'; do not edit.
@{
    RootModule           = 'SvcDeploy.psm1'
    ModuleVersion        = '0.1.0'
    GUID                 = '8d4f6a52-9c1b-4e7e-a3d0-5b27c96e41fa'
    Author               = 'Svc Deploy contributors'
    CompanyName          = 'Svc Deploy contributors'
    Copyright            = '(c) Svc Deploy contributors. MIT licence.'
    Description          = 'Deploys Azure infrastructure from settings documents in JSON or YAML.'
    PowerShellVersion    = '7.4'
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
        'Compare-SvcDeployment'
        'Export-SvcSettings'
        'Export-SvcTemplate'
        'Test-SvcSettings'
        'New-SvcSettings'
        'Get-SvcSettingsSchema'
        'Set-SvcContext'
        'Get-SvcContext'
        'Clear-SvcContext'
        'Register-SvcAlias'
        'Start-SvcLocalCloud'
        'Stop-SvcLocalCloud'
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
        'en-US/about_SvcDeploy_Approval.help.txt'
        'en-US/about_SvcDeploy_Environments.help.txt'
        'en-US/about_SvcDeploy_Names.help.txt'
        'en-US/about_SvcDeploy_PublishNames.help.txt'
        'en-US/about_SvcDeploy_Settings.help.txt'
        'schemas/monitor.schema.json'
        'schemas/logAlerts.schema.json'
        'schemas/metricAlerts.schema.json'
        'schemas/resourceHealthAlerts.schema.json'
        'schemas/privateEndpoints.schema.json'
        'schemas/storage.schema.json'
        'schemas/bastionHosts.schema.json'
        'schemas/web.schema.json'
        'schemas/tags.schema.json'
        'schemas/values.schema.json'
        'schemas/generators.schema.json'
        'schemas/resources.schema.json'
        'schemas/locations.schema.json'
        'schemas/tokens.schema.json'
        'schemas/logAlertDefinitions.schema.json'
    )
    PrivateData          = @{
        PSData = @{
            Tags         = @('Azure', 'ARM', 'Deployment', 'Infrastructure', 'IaC', 'YAML', 'PSEdition_Core', 'Windows', 'Linux', 'MacOS')
            ReleaseNotes = 'The first release. It deploys Azure infrastructure from settings documents in YAML or JSON, and takes over what the PowerShell module that it replaces
has deployed: commands, parameters, documents, names and tags stay.

- `New-SvcCoreMonitor`: the monitoring of a subscription with workspace, application insights, storage account, action groups and alerts.
- `New-SvcIaasStorage`: storage accounts with containers, file shares, tables, queues and private endpoints.
- `New-SvcIaasPrivateEndpoints`: private endpoints with private DNS zones and their links.
- `New-SvcIaasBastionHost`: bastion hosts with subnet, public IP address and audit log.
- `New-SvcPaasWeb`: web apps with slots, function apps, API management services, CDNs, and an Azure Front Door in front of them.
- `New-SvcMonitorLogAlerts`, `New-SvcMonitorMetricAlerts`, `New-SvcMonitorResourceHealthAlerts`: alert rules, complete for their resource group.
- `New-SvcDeployment`: the documents of a folder as one environment, in the order that they need, with one plan and one question.
- Every run compares the document with Azure and plans property by property. What matches is not changed, what others set stays, and deletions are
  shown and confirmed. `-WhatIf` only shows, also without a credential (`-Offline`).
- Everything that is wrong with a document is told at once, before anything is contacted, with line and column and the nearest value that is right.
- A run that fails goes on with what does not depend on the failure, and running it again finishes it.
- Plans as files for a pull request, as a page and for programs; `-ApprovedPlan` does what was reviewed and nothing else.
- `svc`, the same commands without PowerShell: `plan`, `apply`, `validate`, `new`, `schema`, completions, manual pages, output for GitHub, SARIF, JSON.
- `svc export` and `Export-SvcSettings` write the document of what exists; `svc template` and `Export-SvcTemplate` write ARM templates and stacks.
- A local cloud inside the program for rehearsals and tests: `-Cloud local`, `svc local`, faults, throttling, template deployments.
- Credentials of `Connect-AzAccount`, service principals, workload and managed identities, the Azure CLI and the Azure Developer CLI; the public cloud,
  Azure US Government, Azure China and private Resource Manager endpoints; proxies and certificates of a company.
- JSON Schemas and a reference of every setting, with examples; naming and tag files of the project.
- Packages for Linux, Windows and macOS on x64 and ARM64: the module, `svc`, Debian packages, Homebrew, winget, an image, and a GitHub action. Each
  release has checksums, attestations and bills of materials.
- A C ABI for other hosts.

[Differences](docs/differences.md) has what is other than in the replaced module.'
        }
    }
}
