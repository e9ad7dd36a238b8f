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
        'Set-SvcContext'
        'Get-SvcContext'
        'Clear-SvcContext'
    )
    CmdletsToExport      = @()
    VariablesToExport    = @()
    AliasesToExport      = @()
    FormatsToProcess     = @('SvcDeploy.Format.ps1xml')
    FileList             = @(
        'SvcDeploy.psd1'
        'SvcDeploy.psm1'
        'Interop.cs'
        'SvcDeploy.Format.ps1xml'
        'en-US/about_SvcDeploy.help.txt'
        'schemas/monitor.schema.json'
        'schemas/logAlerts.schema.json'
        'schemas/metricAlerts.schema.json'
        'schemas/resourceHealthAlerts.schema.json'
        'schemas/privateEndpoints.schema.json'
        'schemas/storage.schema.json'
        'schemas/bastionHosts.schema.json'
        'schemas/web.schema.json'
    )
    PrivateData          = @{
        PSData = @{
            Tags       = @('Azure', 'ARM', 'Deployment', 'Infrastructure', 'IaC', 'YAML', 'PSEdition_Core', 'Windows', 'Linux', 'MacOS')
            LicenseUri = 'https://spdx.org/licenses/MIT.html'
        }
    }
}
