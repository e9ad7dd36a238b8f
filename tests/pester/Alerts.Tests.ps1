BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe '<Command>' -ForEach @(
    @{ Command = 'New-SvcMonitorLogAlerts'; Example = 'log-alerts.yml' }
    @{ Command = 'New-SvcMonitorMetricAlerts'; Example = 'metric-alerts.yml' }
    @{ Command = 'New-SvcMonitorResourceHealthAlerts'; Example = 'resource-health-alerts.yml' }
) {
    BeforeAll {
        $examples = [IO.Path]::Combine($PSScriptRoot, '..', '..', 'examples')
        $file = [IO.Path]::GetFullPath([IO.Path]::Combine($examples, $Example))
        # The same document with its last rule taken out: everything from the comment or the empty line before it on.
        $text = [IO.File]::ReadAllText($file).Replace("`r`n", "`n")
        $shorter = [IO.Path]::Combine($TestDrive, 'shorter.yml')
        [IO.File]::WriteAllText($shorter, $text.Substring(0, $text.TrimEnd().LastIndexOf("`n`n") + 1))

        # Runs the command in a session that answers.
        function Invoke-Deployment {
            param([string] $Before = '', [string] $Argument = '', [string[]] $Answers = @(), [string] $Document = $file)
            $parameters = @{ Module = Get-ModuleManifest; State = (Get-SvcContext).LocalStateFile; File = $Document }
            Invoke-Session -Parameters $parameters -Answers $Answers -Script @"
param(`$Module, `$State, `$File)
Import-Module `$Module
Set-SvcContext -Cloud local -SubscriptionId '10ca1c10-0d00-4000-8000-000000000001' -LocalStateFile `$State
& {
    $Before
    $Command -SettingsFile `$File $Argument
}
"@
        }

        # What the shorter document deletes, once the whole one is deployed.
        function Get-Deletion {
            $planned = @(Get-LibraryPlan -Command $Command -Settings $shorter)
            $planned.Count | Should -BeGreaterThan 0
            foreach ($action in $planned) { $action['action'] | Should -Be 'delete' }
            $planned
        }
    }

    BeforeEach {
        [void] (Use-LandingZone -Folder $TestDrive)
        $plan = @(Get-LibraryPlan -Command $Command -Settings $file)
        $plan.Count | Should -BeGreaterThan 1
    }

    AfterAll { Clear-SvcContext }

    It 'says how often each rule would have fired' {
        Set-SvcContext -Rehearse 7d
        try {
            $expected = @(Get-LibraryPlan -Command $Command -Settings $file)
            @($expected | Where-Object { $_['rehearsal'] }).Count | Should -BeGreaterThan 0
            $planned = @(& $Command -SettingsFile $file -WhatIf 6> $null)
            foreach ($action in $expected) {
                $found = @($planned | Where-Object -Property Id -EQ -Value $action['resourceId'])
                $found.Count | Should -Be 1
                $rehearsal = $action['rehearsal']
                if ($null -eq $rehearsal) { $found[0].Rehearsal | Should -BeNullOrEmpty; continue }
                "$($found[0].Rehearsal)" | Should -BeExactly $rehearsal['sentence']
                $found[0].Rehearsal.Fired | Should -Be $rehearsal['fired']
                $found[0].Rehearsal.Notifications | Should -Be $rehearsal['notifications']
                ($found[0] | Out-String) | Should -Match ([regex]::Escape($rehearsal['sentence'].Substring(0, 20)))
            }
        }
        finally { Clear-SvcContext -Name Rehearse }
    }

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
        $planned | ConvertTo-PlanText | Should -Be @($plan | ConvertTo-PlanText)
        foreach ($action in $planned) { $action.PSTypeNames[0] | Should -Be 'Svc.PlannedAction' }
        $session = Invoke-Deployment -Argument '-WhatIf'
        $session.Prompts.Count | Should -Be 0
        $session.Output.Count | Should -Be $plan.Count
        @($session.Lines -like 'What if: *') | Should -Be @($plan | ForEach-Object { "What if: $($_['description'])" })
        @(Get-LibraryPlan -Command $Command -Settings $file).Count | Should -Be $plan.Count
    }

    It 'deploys the example, and a second run does nothing' {
        $deployed = & $Command -SettingsFile $file -Confirm:$false 6>$null
        foreach ($resource in $deployed) { $resource.PSTypeNames[0] | Should -Be 'Svc.DeployedResource' }
        # What does not depend on each other is made at the same time, in any order.
        $deployed | ConvertTo-ActionText | Sort-Object | Should -Be @($plan | ConvertTo-ActionText | Sort-Object)
        @(& $Command -SettingsFile $file -WhatIf 6>$null).Count | Should -Be 0
        @(& $Command -SettingsFile $file -Confirm:$false 6>$null).Count | Should -Be 0
    }

    It 'creates without asking: the impact is medium' {
        $session = Invoke-Deployment
        $session.Prompts.Count | Should -Be 0
        $session.Output.Count | Should -Be $plan.Count
    }

    It 'asks for each action with -Confirm' {
        # Nothing waits for the last one.
        $session = Invoke-Deployment -Argument '-Confirm' -Answers (@('Yes') * ($plan.Count - 1) + 'No')
        $session.Prompts | Should -Be @($plan | ForEach-Object { $_['question'] })
        $session.Output.Count | Should -Be ($plan.Count - 1)
        & $Command -SettingsFile $file -WhatIf 6>$null | ConvertTo-ActionText | Should -Be ($plan[-1] | ConvertTo-ActionText)
    }

    It 'asks for a deletion without being told to, and the answer <Answer> deletes: <Deletes>' -ForEach @(
        @{ Answer = 'No to All'; Deletes = $false }
        @{ Answer = 'Yes to All'; Deletes = $true }
    ) {
        [void] (& $Command -SettingsFile $file 6>$null)
        $deletions = @(Get-Deletion)
        $session = Invoke-Deployment -Document $shorter -Answers $Answer
        $session.Prompts | Should -Be $deletions[0]['question']
        $session.Output.Count | Should -Be $(if ($Deletes) { $deletions.Count } else { 0 })
        @(& $Command -SettingsFile $shorter -WhatIf 6>$null).Count | Should -Be $(if ($Deletes) { 0 } else { $deletions.Count })
    }

    It 'deletes without a question with <Before><Argument>' -ForEach @(
        @{ Before = ''; Argument = '-Confirm:$false' }
        @{ Before = '$ConfirmPreference = "None"'; Argument = '' }
    ) {
        [void] (& $Command -SettingsFile $file 6>$null)
        $deletions = @(Get-Deletion)
        $session = Invoke-Deployment -Document $shorter -Before $Before -Argument $Argument
        $session.Prompts.Count | Should -Be 0
        $session.Output | ConvertTo-ActionText | Sort-Object | Should -Be @($deletions | ConvertTo-ActionText | Sort-Object)
    }

    It 'fails with advice where nobody can be asked for a deletion, and changes nothing' {
        $state = (Get-SvcContext).LocalStateFile
        [void] (& $Command -SettingsFile $file 6>$null)
        $deletions = @(Get-Deletion)
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
        $shown | Should -Contain "left $($deletions.Count)"
        $shown | Should -Contain "done $($deletions.Count)"
    }

    It 'refuses a group that holds something else, and the context can allow it' {
        $group = $plan | Where-Object { 'Microsoft.Resources/resourceGroups' -eq $_['type'] } | ForEach-Object { $_['resourceId'] }
        [void] (& $Command -SettingsFile $shorter -Confirm:$false 6>$null)
        Add-Resource -State (Get-SvcContext).LocalStateFile -Body @{
            id         = "$group/providers/Microsoft.Storage/storageAccounts/pesterforeign"
            name       = 'pesterforeign'
            type       = 'Microsoft.Storage/storageAccounts'
            location   = 'uksouth'
            kind       = 'StorageV2'
            sku        = @{ name = 'Standard_LRS' }
            properties = @{}
        }
        $record = try { & $Command -SettingsFile $file -Confirm:$false 6>$null } catch { $_ }
        Assert-LibraryError -Record $record -Said (Get-LibraryError -Command $Command -Settings $file) -Command $Command
        Set-SvcContext -AllowForeignDeletes
        $planned = & $Command -SettingsFile $file -WhatIf 6>$null
        $planned | ConvertTo-PlanText | Should -Be @(Get-LibraryPlan -Command $Command -Settings $file | ConvertTo-PlanText)
        @($planned | Where-Object Name -EQ 'pesterforeign').Count | Should -Be 1
    }
}
