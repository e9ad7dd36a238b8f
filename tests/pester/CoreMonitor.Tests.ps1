BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe 'Core monitoring' {
    BeforeAll {
        $file = [IO.Path]::Combine($TestDrive, 'core-monitor.yml')
        [IO.File]::WriteAllText($file, @'
component: monitor
name: Platform
location: UK South
advisorLowCPUThresholdPercentage: 10
service:
  publish:
    resourceGroup: core
    storage: core-logs
    workspace: core-workspace
    appInsights: core-insights
    solution: core-solutions
    keyvaultAdminAlert: vault-alert
    resourceHealthAlert: health-alert
    serviceHealthAlert: service-alert
  dependencies:
    keyvault: central-vault
alerts:
  keyvaultAdmin:
    actionGroupName: Security
  resourceHealth:
    actionGroupName: Security
  serviceHealth:
    actionGroupName: Security
actionGroups:
  - name: Security
    shortname: security
    webhooks:
      - serviceUri: https://hooks.example.net/pester-secret
'@)
        # The same with an action group that is not there.
        $wrong = [IO.Path]::Combine($TestDrive, 'wrong.yml')
        [IO.File]::WriteAllText($wrong, [IO.File]::ReadAllText($file).Replace('name: Security', 'name: Securty'))
        $tags = [IO.Path]::Combine($TestDrive, 'tags.yml')
        [IO.File]::WriteAllText($tags, "tags:`n  mandatory:`n    owner: pester`n")
        $expected = @(
            'Microsoft.Resources/resourceGroups rg-platform-core-8998747e'
            'Microsoft.Storage/storageAccounts stplatform5834ce34'
            'Microsoft.Storage/storageAccounts/blobServices/containers insights-logs-addonazurebackuppolicy'
            'Microsoft.Storage/storageAccounts/blobServices/containers insights-logs-azurebackupreport'
            'Microsoft.Storage/storageAccounts/blobServices/containers insights-logs-coreazurebackup'
            'Microsoft.Storage/storageAccounts/blobServices/containers insights-logs-networksecuritygroupflowevent'
            'Microsoft.OperationalInsights/workspaces log-platform-dev-uks-5bc5146d'
            'Microsoft.Insights/components appi-platform-dev-uks-8bc9cbc6'
            'Microsoft.Insights/diagnosticSettings Diagnostics'
            'Microsoft.Insights/diagnosticSettings Diagnostics'
            'Microsoft.Insights/diagnosticSettings Service'
            'Microsoft.Insights/diagnosticSettings log-platform-dev-uks-5bc5146d'
            'Microsoft.OperationsManagement/solutions KeyVaultAnalytics(log-platform-dev-uks-5bc5146d)'
            'Microsoft.Insights/actionGroups agrp-security-dev-gbl-fed73849'
            'Microsoft.Insights/activityLogAlerts alt-platform-keyvaultadmin-dev-gbl-f7855e50'
            'Microsoft.Insights/activityLogAlerts alt-platform-resourcehealth-dev-gbl-4f380097'
            'Microsoft.Insights/activityLogAlerts alt-platform-servicehealth-dev-gbl-e9fbdc01'
            'Microsoft.Advisor/configurations default'
        )
    }

    BeforeEach { [void] (Use-LandingZone -Folder $TestDrive) }

    AfterAll { Clear-SvcContext }

    It 'takes a file or an object, and the tags of a file' {
        $found = Get-Command -Name New-SvcCoreMonitor
        $found.DefaultParameterSet | Should -Be 'File'
        $found.Parameters['SettingsFile'].ParameterSets['File'].IsMandatory | Should -BeTrue
        $found.Parameters['SettingsObject'].ParameterSets['Object'].ValueFromPipeline | Should -BeTrue
        $found.Parameters['TagSettingsFile'].Aliases | Should -Contain 'TagSettingFile'
        $found.Parameters.Keys | Should -Not -Contain 'OmitTags'
    }

    It 'is planned whole, and what Azure has switched off is a warning' {
        $output = New-SvcCoreMonitor -SettingsFile $file -WhatIf 6>$null 3>&1
        $warnings = @($output | Where-Object { $_ -is [Management.Automation.WarningRecord] } | ForEach-Object Message)
        $planned = @($output | Where-Object { $_ -isnot [Management.Automation.WarningRecord] })
        $planned | ForEach-Object { "$($_.Type) $($_.Name)" } | Should -Be $expected
        foreach ($action in $planned) { $action.PSTypeNames[0] | Should -Be 'Svc.PlannedAction' }
        @($warnings -like '*the solution AzureActivity was retired on 15 September 2026*').Count | Should -Be 1
        @($warnings -like '*the solution Updates was switched off on 28 February 2025*').Count | Should -Be 1
    }

    It 'is deployed, and a second run does nothing' {
        $deployed = New-SvcCoreMonitor -SettingsFile $file -WarningAction SilentlyContinue 6>$null
        foreach ($resource in $deployed) { $resource.PSTypeNames[0] | Should -Be 'Svc.DeployedResource' }
        # What does not depend on each other is made at the same time, in any order.
        $deployed | ForEach-Object { "$($_.Type) $($_.Name)" } | Sort-Object | Should -Be ($expected | Sort-Object)
        @(New-SvcCoreMonitor -SettingsFile $file -WarningAction SilentlyContinue 6>$null).Count | Should -Be 0
    }

    It 'shows the address of a webhook in no stream' {
        $output = New-SvcCoreMonitor -SettingsFile $file -WhatIf -Verbose -Debug *>&1
        $said = $output | ForEach-Object { "$_"; if ($_.PSObject.Properties['Changes']) { $_.Changes.Before; $_.Changes.After } }
        @($said -like '*pester-secret*').Count | Should -Be 0
        $group = $output | Where-Object { $_.PSTypeNames[0] -eq 'Svc.PlannedAction' -and $_.Name -eq 'agrp-security-dev-gbl-fed73849' }
        ($group.Changes | Where-Object Path -EQ 'properties.webhookReceivers').After | Should -BeLike '*"serviceUri":"`*`*`*"*'
    }

    It 'is refused where an alert names an action group that is not there' {
        $record = try { New-SvcCoreMonitor -SettingsFile $wrong 6>$null } catch { $_ }
        $record.Exception | Should -BeOfType ([SvcDeploy.DeploymentException])
        $record.FullyQualifiedErrorId | Should -Be 'SettingsInvalid,New-SvcCoreMonitor'
        $record.Exception.Findings.Count | Should -Be 3
        $record.Exception.Findings[0].Line | Should -Be 19
        $record.Exception.Findings[0].Path | Should -Be 'alerts.keyvaultAdmin.actionGroupName'
        $record.Exception.Findings[0].Message |
            Should -Be "no action group of actionGroups has the name 'Security', did you mean 'Securty'?"
    }

    It 'puts the tags of a file on everything that takes tags' {
        $tagged = New-SvcCoreMonitor -SettingsFile $file -TagSettingsFile $tags -WhatIf -WarningAction SilentlyContinue 6>$null |
            Where-Object { $_.Changes.Path -contains 'tags.owner' }
        $tagged.Count | Should -Be 11
    }
}
