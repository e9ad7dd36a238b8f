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
    }

    BeforeEach {
        [void] (Use-LandingZone -Folder $TestDrive)
        $expected = @(Get-LibraryPlan -Command 'New-SvcCoreMonitor' -Settings $file | ConvertTo-ActionText)
    }

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
        $planned | ConvertTo-ActionText | Should -Be $expected
        foreach ($action in $planned) { $action.PSTypeNames[0] | Should -Be 'Svc.PlannedAction' }
        $said = @(Get-LibraryText 'warning' -Command 'New-SvcCoreMonitor' -Settings $file -WhatIf)
        $said.Count | Should -BeGreaterThan 0
        ($warnings | Sort-Object) -join "`n" | Should -Be (($said | Sort-Object) -join "`n")
    }

    It 'is deployed, and a second run does nothing' {
        $deployed = New-SvcCoreMonitor -SettingsFile $file -WarningAction SilentlyContinue 6>$null
        foreach ($resource in $deployed) { $resource.PSTypeNames[0] | Should -Be 'Svc.DeployedResource' }
        # What does not depend on each other is made at the same time, in any order.
        $deployed | ConvertTo-ActionText | Sort-Object | Should -Be ($expected | Sort-Object)
        @(New-SvcCoreMonitor -SettingsFile $file -WarningAction SilentlyContinue 6>$null).Count | Should -Be 0
    }

    It 'shows the address of a webhook in no stream' {
        $output = New-SvcCoreMonitor -SettingsFile $file -WhatIf -Verbose -Debug *>&1
        $said = $output | ForEach-Object { "$_"; if ($_.PSObject.Properties['Changes']) { $_.Changes.Before; $_.Changes.After } }
        @($said -like '*pester-secret*').Count | Should -Be 0
    }

    It 'is refused where an alert names an action group that is not there' {
        $record = try { New-SvcCoreMonitor -SettingsFile $wrong 6>$null } catch { $_ }
        Assert-LibraryError -Record $record -Said (Get-LibraryError -Command 'New-SvcCoreMonitor' -Settings $wrong) -Command 'New-SvcCoreMonitor'
    }

    It 'puts the tags of a file on everything that takes tags' {
        $tagged = New-SvcCoreMonitor -SettingsFile $file -TagSettingsFile $tags -WhatIf -WarningAction SilentlyContinue 6>$null |
            Where-Object { $_.Changes.Path -contains 'tags.owner' }
        $said = Get-LibraryPlan -Command 'New-SvcCoreMonitor' -Settings $file -Request @{ tagSettingsFile = $tags } |
            Where-Object { @($_['changes'] | ForEach-Object { $_['path'] }) -contains 'tags.owner' }
        $tagged | ConvertTo-ActionText | Should -Be @($said | ConvertTo-ActionText)
    }
}
