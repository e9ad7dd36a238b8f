BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe 'Confirming' {
    BeforeAll {
        # What is deployed: accounts and their group.
        $count = Get-StorageCount -Name 'First', 'Second'

        # Deploys them in a session that answers.
        function Invoke-Deployment {
            param([string] $Line, [string[]] $Answers = @())
            $parameters = @{
                Module   = Get-ModuleManifest
                State    = [IO.Path]::Combine($TestDrive, "$([guid]::NewGuid()).json")
                Settings = Get-StorageSettings -Name 'First', 'Second'
            }
            Invoke-Session -Parameters $parameters -Answers $Answers -Script @"
param(`$Module, `$State, `$Settings)
Import-Module `$Module
Set-SvcContext -Cloud local -SubscriptionId ([guid]::NewGuid()) -LocalStateFile `$State
$Line
"@
        }
    }

    It 'is not asked for by default: the impact is medium' {
        $session = Invoke-Deployment -Line 'New-SvcIaasStorage -SettingsObject $Settings'
        $session.Prompts.Count | Should -Be 0
        $session.Output.Name | Should -Contain (Get-StorageName 'First')
        $session.Output.Name | Should -Contain (Get-StorageName 'Second')
    }

    It 'asks for each action' {
        $session = Invoke-Deployment -Line 'New-SvcIaasStorage -SettingsObject $Settings -Confirm' -Answers (@('Yes') * $count)
        $session.Prompts.Count | Should -Be $count
        $session.Output.Count | Should -Be $count
        $session.Prompts -like "*$(Get-StorageName 'First')*" | Should -Not -BeNullOrEmpty
    }

    It 'asks once when the answer is <Answer>' -ForEach @(
        @{ Answer = 'Yes to All'; Deploys = $true }
        @{ Answer = 'No to All'; Deploys = $false }
    ) {
        $session = Invoke-Deployment -Line 'New-SvcIaasStorage -SettingsObject $Settings -Confirm' -Answers $Answer
        $session.Prompts.Count | Should -Be 1
        $session.Output.Count | Should -Be $(if ($Deploys) { $count } else { 0 })
    }

    It 'leaves out what is declined' {
        $session = Invoke-Deployment -Line 'New-SvcIaasStorage -SettingsObject $Settings -Confirm' -Answers (@('Yes') * ($count - 1) + 'No')
        $session.Prompts.Count | Should -Be $count
        $session.Output.Count | Should -Be ($count - 1)
        $session.Output.Name | Should -Contain (Get-StorageGroup)
    }

    It 'shows the plan of an environment and asks once: <Answer>' -ForEach @(
        @{ Answer = 'Yes'; Deploys = $true }
        @{ Answer = 'No'; Deploys = $false }
    ) {
        $session = Invoke-Deployment -Line '$Settings["component"] = "storage"; New-SvcDeployment -SettingsObject $Settings -Confirm' -Answers $Answer
        $session.Prompts.Count | Should -Be 1
        @($session.Lines -match '^create ').Count | Should -Be $count
        $session.Offers | Should -Be 'Yes'
        $session.Output.Count | Should -Be $(if ($Deploys) { $count } else { 0 })
    }

    It 'asks about nothing that needs what was declined' {
        $session = Invoke-Deployment -Line 'New-SvcIaasStorage -SettingsObject $Settings -Confirm' -Answers 'No'
        # The accounts are in the group.
        $session.Prompts.Count | Should -Be 1
        $session.Output.Count | Should -Be 0
    }

    It 'is asked for by $ConfirmPreference of a calling script' {
        $session = Invoke-Deployment -Line '& { $ConfirmPreference = "Low"; New-SvcIaasStorage -SettingsObject $Settings }' -Answers 'Yes to All'
        $session.Prompts.Count | Should -Be 1
        $session.Output.Count | Should -Be $count
    }

    It 'is not needed where nobody can be asked and nothing is deleted' {
        $state = [IO.Path]::Combine($TestDrive, "$([guid]::NewGuid()).json")
        $file = [IO.Path]::Combine($TestDrive, 'unattended.yml')
        Write-StorageFile -Path $file
        $shown = Invoke-Process -Folder $TestDrive -Script @"
Import-Module '$(Get-ModuleManifest)'
Set-SvcContext -Cloud local -SubscriptionId ([guid]::NewGuid()) -LocalStateFile '$state'
"done `$(@(New-SvcIaasStorage -SettingsFile '$file').Count)"
"@
        $shown | Should -Contain "done $(Get-StorageCount)"
    }

    It 'is turned off by -Confirm:$false' {
        $session = Invoke-Deployment -Line '& { $ConfirmPreference = "Low"; New-SvcIaasStorage -SettingsObject $Settings -Confirm:$false }'
        $session.Prompts.Count | Should -Be 0
        $session.Output.Count | Should -Be $count
    }

    It 'fails with advice where nobody can be asked and <Preference>, and changes nothing' -ForEach @(
        @{ Preference = '-Confirm is given'; Before = ''; Argument = '-Confirm' }
        @{ Preference = '$ConfirmPreference is Medium'; Before = '$ConfirmPreference = "Medium"'; Argument = '' }
        @{ Preference = '$ConfirmPreference is Low'; Before = '$ConfirmPreference = "Low"'; Argument = '' }
    ) {
        $state = [IO.Path]::Combine($TestDrive, "$([guid]::NewGuid()).json")
        $file = [IO.Path]::Combine($TestDrive, 'storage.json')
        [IO.File]::WriteAllText($file, (ConvertTo-Json -InputObject (Get-StorageSettings) -Depth 9))
        $shown = Invoke-Process -Folder $TestDrive -Script @"
Import-Module '$(Get-ModuleManifest)'
Set-SvcContext -Cloud local -SubscriptionId ([guid]::NewGuid()) -LocalStateFile '$state'
& {
    $Before
    try { New-SvcIaasStorage -SettingsFile '$file' $Argument } catch {
        `$_.FullyQualifiedErrorId
        `$_.ErrorDetails.RecommendedAction
    }
}
"left `$(@(New-SvcIaasStorage -SettingsFile '$file' -WhatIf).Count)"
"@
        $shown | Should -Contain 'ConfirmationUnavailable,New-SvcIaasStorage'
        $shown | Should -Contain 'Pass -Confirm:$false in unattended runs.'
        $shown | Should -Contain "left $(Get-StorageCount)"
    }

    It 'says that there is no input where it is closed' {
        $state = [IO.Path]::Combine($TestDrive, "$([guid]::NewGuid()).json")
        $file = [IO.Path]::Combine($TestDrive, 'closed.yml')
        Write-StorageFile -Path $file
        $shown = Invoke-Process -Folder $TestDrive -ClosedInput -Script @"
Import-Module '$(Get-ModuleManifest)'
Set-SvcContext -Cloud local -SubscriptionId ([guid]::NewGuid()) -LocalStateFile '$state'
try { New-SvcIaasStorage -SettingsFile '$file' -Confirm } catch { `$_.FullyQualifiedErrorId; `$_.Exception.Message }
"@
        @($shown -like '*ConfirmationUnavailable,New-SvcIaasStorage').Count | Should -Be 1
        @($shown -like '*there is no input to answer from.').Count | Should -Be 1
    }
}

Describe 'Deletions' {
    BeforeAll {
        # Rules of these names, and a description that the group's rules share.
        function Get-HealthAlerts {
            [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseSingularNouns', '')]
            param([string[]] $Name, [string] $Description = 'first')
            @{
                component = 'resourceHealthAlerts'
                location  = 'UK South'
                service   = @{
                    dependencies = @{ actionGroups = @('ops-team') }
                    publish      = @{ resourceGroup = 'pester-health'; resourceHealthAlert = 'pester-health' }
                }
                alerts    = @(foreach ($alert in $Name) { @{ name = $alert; description = $Description; healthStatus = @{ current = @('Unavailable') } } })
            }
        }

        # A rule is to be changed, one to be made, and two to be deleted.
        $settings = Get-HealthAlerts -Name 'One', 'Four' -Description 'second'

        function Invoke-Deletion {
            param([string] $Before = '', [string] $Argument = '', [string[]] $Answers = @(), [string] $Command = 'New-SvcMonitorResourceHealthAlerts')
            $parameters = @{ Module = Get-ModuleManifest; State = (Get-SvcContext).LocalStateFile; Settings = $settings }
            Invoke-Session -Parameters $parameters -Answers $Answers -Script @"
param(`$Module, `$State, `$Settings)
Import-Module `$Module
Set-SvcContext -Cloud local -SubscriptionId '10ca1c10-0d00-4000-8000-000000000001' -LocalStateFile `$State
& {
    $Before
    $Command -SettingsObject `$Settings $Argument
}
"@
        }
    }

    BeforeEach {
        [void] (Use-LandingZone -Folder $TestDrive)
        [void] (New-SvcMonitorResourceHealthAlerts -SettingsObject (Get-HealthAlerts -Name 'One', 'Two', 'Three') 6>$null)
        $plan = @(Get-LibraryPlan -Command 'New-SvcMonitorResourceHealthAlerts' -Settings $settings)
        $deletions = @($plan | Where-Object { 'delete' -eq $_['action'] })
        $questions = @($deletions | ForEach-Object { $_['question'] })
        $deletions.Count | Should -BeGreaterThan 1
        $plan.Count | Should -BeGreaterThan $deletions.Count
    }

    AfterAll { Clear-SvcContext }

    It 'are all that is asked for, each: <Answer>' -ForEach @(
        @{ Answer = 'Yes'; Every = $true }
        @{ Answer = 'No'; Every = $true }
        @{ Answer = 'Yes to All'; Every = $false }
        @{ Answer = 'No to All'; Every = $false }
    ) {
        $session = Invoke-Deletion -Answers (@($Answer) * $(if ($Every) { $deletions.Count } else { 1 }))
        $session.Prompts | Should -Be $(if ($Every) { $questions } else { $questions[0] })
        @($session.Output | Where-Object Action -EQ 'delete').Count | Should -Be $(if ($Answer -like 'Yes*') { $deletions.Count } else { 0 })
        # What was not asked for is done whatever the answers are.
        @($session.Output | Where-Object Action -NE 'delete').Count | Should -Be ($plan.Count - $deletions.Count)
    }

    It 'are asked for one by one: what is declined stays' {
        $session = Invoke-Deletion -Answers (@('Yes') * ($deletions.Count - 1) + 'No')
        @($session.Output | Where-Object Action -EQ 'delete').Count | Should -Be ($deletions.Count - 1)
        New-SvcMonitorResourceHealthAlerts -SettingsObject $settings -WhatIf 6>$null | ConvertTo-ActionText | Should -Be ($deletions[-1] | ConvertTo-ActionText)
    }

    It 'are asked for with everything else under -Confirm, once for all with Yes to All' {
        $session = Invoke-Deletion -Argument '-Confirm' -Answers 'Yes to All'
        $session.Prompts.Count | Should -Be 1
        $session.Output.Count | Should -Be $plan.Count
    }

    It 'are not asked for <How>' -ForEach @(
        @{ How = 'with -Confirm:$false'; Before = ''; Argument = '-Confirm:$false' }
        @{ How = 'when $ConfirmPreference is None'; Before = '$ConfirmPreference = "None"'; Argument = '' }
    ) {
        $session = Invoke-Deletion -Before $Before -Argument $Argument
        $session.Prompts.Count | Should -Be 0
        $session.Output.Count | Should -Be $plan.Count
    }

    It 'are not what a hasty Enter does: the answer that is offered is No' {
        $session = Invoke-Deletion -Answers (@('Yes') * $deletions.Count)
        $session.Offers | Should -Be @($deletions | ForEach-Object { 'No' })
    }

    It 'are not what a hasty Enter does where an environment is asked for once, and the question counts them' {
        $session = Invoke-Deletion -Command 'New-SvcDeployment' -Argument '-Confirm' -Answers 'No'
        $session.Prompts.Count | Should -Be 1
        $session.Prompts[0] | Should -BeLike "*$($plan.Count) changes, $($deletions.Count) of them deletions*"
        $session.Offers | Should -Be 'No'
        $session.Output.Count | Should -Be 0
        $session = Invoke-Deletion -Command 'New-SvcDeployment' -Argument '-Confirm' -Answers 'Yes'
        $session.Output.Count | Should -Be $plan.Count
    }

    It 'are asked for when $ConfirmPreference is $true, which is no impact' {
        $session = Invoke-Deletion -Before '$ConfirmPreference = $true' -Answers 'Yes to All', 'Yes to All'
        $session.Prompts | Should -Contain $questions[0]
        $session.Output.Count | Should -Be $plan.Count
    }

    It 'are shown with -WhatIf, and not asked for' {
        $session = Invoke-Deletion -Argument '-WhatIf'
        $session.Prompts.Count | Should -Be 0
        $session.Output | ConvertTo-ActionText | Should -Be @($plan | ConvertTo-ActionText)
        @($session.Lines -like 'What if: *').Count | Should -Be $plan.Count
    }

    It 'fail where nobody can be asked before anything else is changed' {
        $state = (Get-SvcContext).LocalStateFile
        $file = [IO.Path]::Combine($TestDrive, 'health.json')
        [IO.File]::WriteAllText($file, (ConvertTo-Json -InputObject $settings -Depth 9))
        $shown = Invoke-Process -Folder $TestDrive -Script @"
Import-Module '$(Get-ModuleManifest)'
Set-SvcContext -Cloud local -SubscriptionId '10ca1c10-0d00-4000-8000-000000000001' -LocalStateFile '$state'
try { New-SvcMonitorResourceHealthAlerts -SettingsFile '$file' } catch { `$_.FullyQualifiedErrorId }
"left `$(@(New-SvcMonitorResourceHealthAlerts -SettingsFile '$file' -WhatIf).Count)"
"@
        $shown | Should -Contain 'ConfirmationUnavailable,New-SvcMonitorResourceHealthAlerts'
        $shown | Should -Contain "left $($plan.Count)"
    }
}
