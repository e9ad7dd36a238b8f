BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe 'Log alerts' {
    BeforeAll {
        # One alert in a document, as an object; its members come over the ones it has to have.
        function Get-LogAlertDocument {
            param([hashtable] $Alert, [string] $Type = 'VirtualMachines')
            @{
                component = 'logAlerts'
                location  = 'UK South'
                service   = @{
                    dependencies = @{ workspace = 'central-logs' }
                    publish      = @{ resourceGroup = 'pester-logs'; logAlert = 'pester' }
                }
                groups    = @(@{ name = 'Pester'; alertSets = @(@{ type = $Type; alerts = @($Alert) }) })
            }
        }

        # The planned query of the only rule, as it is sent.
        function Get-PlannedQuery {
            param($Planned)
            $rule = $Planned | Where-Object Type -EQ 'Microsoft.Insights/scheduledQueryRules'
            $criteria = ($rule.Changes | Where-Object Path -EQ 'properties.criteria.allOf').After | ConvertFrom-Json
            $criteria[0].query
        }
    }

    BeforeEach { [void] (Use-LandingZone -Folder $TestDrive) }

    AfterAll { Clear-SvcContext }

    It 'have the query of their definition, with the parameters of the alert' {
        $settings = Get-LogAlertDocument @{ definition = 'vm_nonresponsive'; parameters = @{ _timeWindow = '20m' } }
        $planned = New-SvcMonitorLogAlerts -SettingsObject $settings -WhatIf 6>$null
        $planned.Count | Should -Be 2
        $query = Get-PlannedQuery $planned
        $query | Should -BeLike 'Heartbeat*< ago(20m)*'
        $query | Should -BeLike '*| where isnotempty(_ResourceId) and _ResourceId !contains "/microsoft.hybridcompute/"'
        # The next use of the definition has its own value.
        $settings = Get-LogAlertDocument @{ definition = 'VM_NonResponsive' }
        Get-PlannedQuery (New-SvcMonitorLogAlerts -SettingsObject $settings -WhatIf 6>$null) | Should -BeLike '*< ago(15m)*'
    }

    It 'leave the settings object as it is' {
        $settings = Get-LogAlertDocument @{ definition = 'VM_NonResponsive'; parameters = @{ _timeWindow = '20m' } }
        $before = $settings | ConvertTo-Json -Depth 20
        [void] (New-SvcMonitorLogAlerts -SettingsObject $settings -Confirm:$false 6>$null)
        $settings | ConvertTo-Json -Depth 20 | Should -Be $before
    }

    It 'exclude the resources of the exception tag' {
        $settings = Get-LogAlertDocument @{ definition = 'VM_NonResponsive'; exclusions = @('maintenance') }
        Get-PlannedQuery (New-SvcMonitorLogAlerts -SettingsObject $settings -WhatIf 6>$null) | Should -BeLike '*Computer !in~ ("vm-shop-2")*'
        # With another tag nothing has the value, and nothing is excluded.
        Set-SvcContext -ExceptionTagKey 'cm-monitor-exception'
        $output = New-SvcMonitorLogAlerts -SettingsObject $settings -WhatIf 6>$null 3>&1
        $warnings = @($output | Where-Object { $_ -is [Management.Automation.WarningRecord] } | ForEach-Object Message)
        $warnings.Count | Should -Be 1
        $warnings[0] | Should -BeLike "*none has it in the tag 'cm-monitor-exception' either, so nothing is excluded"
    }

    It 'warn of what Azure has no more' {
        $settings = Get-LogAlertDocument @{
            definition        = 'VM_Reboot'
            suppress          = @{ enabled = $true; mins = 10000; windows = 2 }
            customisedActions = @{ webhookJsonPayload = '{"team": "shop"}' }
            parameters        = @{ _unknown = 1 }
        }
        $output = New-SvcMonitorLogAlerts -SettingsObject $settings -WhatIf 6>$null 3>&1
        $warnings = @($output | Where-Object { $_ -is [Management.Automation.WarningRecord] } | ForEach-Object Message)
        $warnings.Count | Should -Be 4
        ($warnings -join "`n") | Should -BeLike '*2880 minutes are used instead of 10000*'
        ($warnings -join "`n") | Should -BeLike '*log alerts have no payload template*'
        ($warnings -join "`n") | Should -BeLike "*the query has no parameter '_unknown', so it is ignored*"
    }

    It 'of an unknown definition are one typed error with its place' {
        $settings = Get-LogAlertDocument @{ definition = 'VM_Reboots' }
        $record = try { New-SvcMonitorLogAlerts -SettingsObject $settings -Confirm:$false 6>$null } catch { $_ }
        $record.Exception | Should -BeOfType ([SvcDeploy.DeploymentException])
        $record.FullyQualifiedErrorId | Should -Be 'SettingsInvalid,New-SvcMonitorLogAlerts'
        @($record.Exception.Findings).Count | Should -Be 1
        $record.Exception.Message | Should -BeLike "*groups``[0``].alertSets``[0``].alerts``[0``].definition: *did you mean 'VM_Reboot'?"
    }

    Context 'with definitions of the project' {
        BeforeAll {
            $project = [IO.Path]::Combine($TestDrive, 'project')
            [void] [IO.Directory]::CreateDirectory($project)
            $definitions = [IO.Path]::Combine($project, 'logAlertDefinitions.yml')
            $text = @'
definitions:
  - type: Queues
    name: Too_Long
    description: A queue is too long.
    severity: Error
    schedule: {frequencyInMinutes: 5, timeWindowInMinutes: 15}
    threshold: {operator: greaterThan, value: 0}
    parameters: {_length: 100}
    columns: [_ResourceId]
    query: |
      Queues_CL
      | where Length > _length
'@
        }

        BeforeEach { [IO.File]::WriteAllText($definitions, $text) }

        It 'take them from the project root' {
            Set-SvcContext -ProjectRoot $project
            $settings = Get-LogAlertDocument @{ definition = 'Too_Long'; parameters = @{ _length = 7 } } -Type 'Queues'
            $query = Get-PlannedQuery (New-SvcMonitorLogAlerts -SettingsObject $settings -WhatIf 6>$null)
            $query | Should -Be "Queues_CL`n| where Length > 7`n| where isnotempty(_ResourceId) and _ResourceId !contains `"/microsoft.hybridcompute/`""
        }

        It 'tell what is wrong with their file, with its place' {
            [IO.File]::WriteAllText($definitions, $text.Replace('severity: Error', 'severity: Bad'))
            Set-SvcContext -ProjectRoot $project
            $settings = Get-LogAlertDocument @{ definition = 'VM_Reboot' }
            $record = try { New-SvcMonitorLogAlerts -SettingsObject $settings -Confirm:$false 6>$null } catch { $_ }
            $record.FullyQualifiedErrorId | Should -Be 'SettingsInvalid,New-SvcMonitorLogAlerts'
            $record.Exception.Message | Should -BeLike "logAlertDefinitions.yml has 1 problem:*5:15 definitions*'Bad' is not valid; use Critical, Error, Warning, Informational or Verbose"
        }
    }
}
