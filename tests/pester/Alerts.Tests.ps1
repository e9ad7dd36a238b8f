BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe '<Command>' -ForEach @(
    @{
        Command  = 'New-SvcMonitorLogAlerts'
        Example  = 'log-alerts.yml'
        Service  = 'log-alerts'
        Group    = 'rg-log-alerts-mon-b215e283'
        RuleType = 'Microsoft.Insights/scheduledQueryRules'
        Label    = 'log alert'
        Rules    = @(
            'alt-log-servers-standard-0-dev-uks-4bca0022'
            'alt-log-servers-standard-cpu-1-dev-uks-1ddddef6'
            'alt-log-servers-standard-backup-2-dev-uks-8974a24d'
            'alt-log-databases-0-dev-uks-252b867f'
            'alt-log-databases-1-dev-uks-f7f0ae63'
            'alt-log-databases-failed-0-dev-uks-c0618988'
        )
    }
    @{
        Command  = 'New-SvcMonitorMetricAlerts'
        Example  = 'metric-alerts.yml'
        Service  = 'metric-alerts'
        Group    = 'rg-metric-alerts-mon-392fc8ab'
        RuleType = 'Microsoft.Insights/metricAlerts'
        Label    = 'metric alert'
        Rules    = @('alt-mtr-compute-servers-cpu-0-dev-uks-7908db8d', 'alt-mtr-storage-files-0-dev-uks-43c9762b')
    }
    @{
        Command  = 'New-SvcMonitorResourceHealthAlerts'
        Example  = 'resource-health-alerts.yml'
        Service  = 'resource-health-alerts'
        Group    = 'rg-resourcehealth-alerts-mon-3bd74222'
        RuleType = 'Microsoft.Insights/activityLogAlerts'
        Label    = 'activity log alert'
        Rules    = @('alt-anything-unavailable-dev-uks-b008bc52', 'alt-shop-servers-dev-uks-78a9734e', 'alt-landing-zone-storage-dev-uks-05b8dcfb')
    }
) {
    BeforeAll {
        $examples = [IO.Path]::Combine($PSScriptRoot, '..', '..', 'examples')
        $file = [IO.Path]::GetFullPath([IO.Path]::Combine($examples, $Example))
        $expected = @("Microsoft.Resources/resourceGroups $Group") + @($Rules | ForEach-Object { "$RuleType $_" })
        # The same document with its last rule taken out: everything from the comment or the empty line before it on.
        $text = [IO.File]::ReadAllText($file).Replace("`r`n", "`n")
        $shorter = [IO.Path]::Combine($TestDrive, 'shorter.yml')
        [IO.File]::WriteAllText($shorter, $text.Substring(0, $text.TrimEnd().LastIndexOf("`n`n") + 1))
        # An account in the group of the rules, which complete mode would delete.
        $account = @{
            location        = 'UK South'
            service         = @{ dependencies = @{ resourceGroup = $Service } }
            storageAccounts = @(@{ storageAccountName = 'Pester'; accountType = 'Standard' })
        }

        # Runs the command in a session that answers.
        function Invoke-Deployment {
            param([string] $Preference, [string[]] $Answers = @(), [string] $Document = $file)
            $parameters = @{ Module = Get-ModuleManifest; State = (Get-SvcContext).LocalStateFile; File = $Document }
            Invoke-Session -Parameters $parameters -Answers $Answers -Script @"
param(`$Module, `$State, `$File)
Import-Module `$Module
Set-SvcContext -Cloud local -SubscriptionId '10ca1c10-0d00-4000-8000-000000000001' -LocalStateFile `$State
$Command -SettingsFile `$File $Preference
"@
        }
    }

    BeforeEach { [void] (Use-LandingZone -Folder $TestDrive) }

    AfterAll { Clear-SvcContext }

    It 'takes a file or an object, each in a set of its own, and no tag settings' {
        $found = Get-Command -Name $Command
        $found.DefaultParameterSet | Should -Be 'File'
        $found.Parameters['SettingsFile'].ParameterSets['File'].IsMandatory | Should -BeTrue
        $found.Parameters['SettingsObject'].ParameterSets['Object'].IsMandatory | Should -BeTrue
        $found.Parameters['SettingsObject'].ParameterSets['Object'].ValueFromPipeline | Should -BeTrue
        $found.Parameters.Keys | Should -Contain 'WhatIf'
        $found.Parameters.Keys | Should -Contain 'Confirm'
        $found.Parameters.Keys | Should -Not -Contain 'TagSettingsFile'
        $found.Parameters.Keys | Should -Not -Contain 'OmitTags'
    }

    It 'refuses text' {
        { 'settings.yml' | & $Command -WhatIf } | Should -Throw -ErrorId "SettingsObjectNotPlainData,$Command"
    }

    It 'plans the example with -WhatIf, asks nothing and changes nothing' {
        $planned = & $Command -SettingsFile $file -WhatIf 6>$null
        $planned | ForEach-Object { "$($_.Type) $($_.Name)" } | Should -Be $expected
        foreach ($action in $planned) {
            $action.PSTypeNames[0] | Should -Be 'Svc.PlannedAction'
            $action.Action | Should -Be 'create'
            $action.ResourceGroup | Should -Be $Group
        }
        $session = Invoke-Deployment -Preference '-WhatIf'
        $session.Prompts.Count | Should -Be 0
        $session.Output.Count | Should -Be $expected.Count
        @($session.Lines -like 'What if: *').Count | Should -Be $expected.Count
    }

    It 'deploys the example, and a second run does nothing' {
        $deployed = & $Command -SettingsFile $file -Confirm:$false 6>$null
        foreach ($resource in $deployed) {
            $resource.PSTypeNames[0] | Should -Be 'Svc.DeployedResource'
            $resource.Action | Should -Be 'create'
        }
        # What does not depend on each other is made at the same time, in any order.
        $deployed | ForEach-Object { "$($_.Type) $($_.Name)" } | Sort-Object | Should -Be ($expected | Sort-Object)
        @(& $Command -SettingsFile $file -WhatIf 6>$null).Count | Should -Be 0
        @(& $Command -SettingsFile $file -Confirm:$false 6>$null).Count | Should -Be 0
    }

    It 'creates without asking: the impact is medium' {
        $session = Invoke-Deployment
        $session.Prompts.Count | Should -Be 0
        $session.Output.Count | Should -Be $expected.Count
    }

    It 'asks for each action with -Confirm' {
        $answers = @('Yes') * ($expected.Count - 1) + 'No'
        $session = Invoke-Deployment -Preference '-Confirm' -Answers $answers
        $session.Prompts.Count | Should -Be $expected.Count
        $session.Prompts[0] | Should -Be "Create resource group '$Group'?"
        $session.Output.Count | Should -Be ($expected.Count - 1)
        @(& $Command -SettingsFile $file -WhatIf 6>$null).Count | Should -Be 1
    }

    It 'asks for a deletion without being told to, and the answer <Answer> deletes <Deleted>' -ForEach @(
        @{ Answer = 'No'; Deleted = 0 }
        @{ Answer = 'No to All'; Deleted = 0 }
        @{ Answer = 'Yes'; Deleted = 1 }
        @{ Answer = 'Yes to All'; Deleted = 1 }
    ) {
        [void] (& $Command -SettingsFile $file 6>$null)
        $session = Invoke-Deployment -Document $shorter -Answers $Answer
        $session.Prompts.Count | Should -Be 1
        $session.Prompts[0] | Should -BeLike "*$($Rules[-1])*"
        $session.Output.Count | Should -Be $Deleted
        @(& $Command -SettingsFile $shorter -WhatIf 6>$null).Count | Should -Be (1 - $Deleted)
    }

    It 'deletes without a question with <Preference><Argument>' -ForEach @(
        @{ Preference = ''; Argument = '-Confirm:$false' }
        @{ Preference = '$ConfirmPreference = "None"'; Argument = '' }
    ) {
        [void] (& $Command -SettingsFile $file 6>$null)
        $parameters = @{ Module = Get-ModuleManifest; State = (Get-SvcContext).LocalStateFile; File = $shorter }
        $session = Invoke-Session -Parameters $parameters -Script @"
param(`$Module, `$State, `$File)
Import-Module `$Module
Set-SvcContext -Cloud local -SubscriptionId '10ca1c10-0d00-4000-8000-000000000001' -LocalStateFile `$State
& {
    $Preference
    $Command -SettingsFile `$File $Argument
}
"@
        $session.Prompts.Count | Should -Be 0
        $session.Output.Count | Should -Be 1
    }

    It 'fails with advice where nobody can be asked for a deletion, and changes nothing' {
        $state = (Get-SvcContext).LocalStateFile
        [void] (& $Command -SettingsFile $file 6>$null)
        $shown = Invoke-Process -Folder $TestDrive -Script @"
Import-Module '$(Get-ModuleManifest)'
Set-SvcContext -Cloud local -SubscriptionId '10ca1c10-0d00-4000-8000-000000000001' -LocalStateFile '$state'
try { $Command -SettingsFile '$shorter' } catch {
    `$_.FullyQualifiedErrorId
    `$_.ErrorDetails.RecommendedAction
}
"left `$(@($Command -SettingsFile '$shorter' -WhatIf).Count)"
"done `$(@($Command -SettingsFile '$shorter' -Confirm:`$false).Count)"
"@
        $shown | Should -Contain "ConfirmationUnavailable,$Command"
        $shown | Should -Contain 'Pass -Confirm:$false in unattended runs.'
        $shown | Should -Contain 'left 1'
        $shown | Should -Contain 'done 1'
    }

    It 'deletes a rule that was taken out, after it has asked' {
        [void] (& $Command -SettingsFile $file -Confirm:$false 6>$null)
        $planned = @(& $Command -SettingsFile $shorter -WhatIf 6>$null)
        $planned.Count | Should -Be 1
        $planned[0].Action | Should -Be 'delete'
        $planned[0].Type | Should -Be $RuleType
        $planned[0].Name | Should -Be $Rules[-1]
        $deleted = @(& $Command -SettingsFile $shorter -Confirm:$false 6>$null)
        $deleted.Count | Should -Be 1
        $deleted[0].Action | Should -Be 'delete'
        $deleted[0].Name | Should -Be $Rules[-1]
        @(& $Command -SettingsFile $shorter -WhatIf 6>$null).Count | Should -Be 0
    }

    It 'refuses a group that holds something else, and changes nothing' {
        [void] (& $Command -SettingsFile $shorter -Confirm:$false 6>$null)
        [void] (New-SvcIaasStorage -SettingsObject $account 6>$null)
        $record = try { & $Command -SettingsFile $file -Confirm:$false 6>$null } catch { $_ }
        $record.Exception | Should -BeOfType ([SvcDeploy.DeploymentException])
        $record.FullyQualifiedErrorId | Should -Be "CompleteModeWouldDelete,$Command"
        $record.CategoryInfo.Category | Should -Be 'InvalidOperation'
        $record.Exception.ResourceId | Should -BeLike "*/resourceGroups/$Group"
        $record.Exception.Message | Should -BeLike "*'$Group' may contain only the ${Label}s of the document, but contains 1 other resource: Microsoft.Storage/storageAccounts 'stpester97de097b'. Nothing was changed."
        $record.ErrorDetails.RecommendedAction | Should -BeLike '*AllowForeignDeletes*'
        Set-SvcContext -AllowForeignDeletes
        $planned = @(& $Command -SettingsFile $file -WhatIf 6>$null)
        $planned.Action | Should -Be @('create', 'delete')
        $planned[0].Name | Should -Be $Rules[-1]
        $planned[1].Name | Should -Be 'stpester97de097b'
    }
}
