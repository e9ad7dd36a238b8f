BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe 'Confirming' {
    BeforeAll {
        # Deploys two accounts and their group, three actions, in a session that answers.
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
        $session = Invoke-Deployment -Line 'New-SvcIaasStorage -SettingsObject $Settings -Confirm' -Answers 'Yes', 'Yes', 'Yes'
        $session.Prompts.Count | Should -Be 3
        $session.Output.Count | Should -Be 3
        $session.Prompts -like "*$(Get-StorageName 'First')*" | Should -Not -BeNullOrEmpty
    }

    It 'asks once when the answer is <Answer>: <Deployed> deployed' -ForEach @(
        @{ Answer = 'Yes to All'; Deployed = 3 }
        @{ Answer = 'No to All'; Deployed = 0 }
    ) {
        $session = Invoke-Deployment -Line 'New-SvcIaasStorage -SettingsObject $Settings -Confirm' -Answers $Answer
        $session.Prompts.Count | Should -Be 1
        $session.Output.Count | Should -Be $Deployed
    }

    It 'leaves out what is declined' {
        $session = Invoke-Deployment -Line 'New-SvcIaasStorage -SettingsObject $Settings -Confirm' -Answers 'Yes', 'No', 'Yes'
        $session.Prompts.Count | Should -Be 3
        $session.Output.Count | Should -Be 2
        $session.Output.Name | Should -Contain (Get-StorageGroup)
    }

    It 'shows the plan of an environment and asks once: <Answer>' -ForEach @(
        @{ Answer = 'Yes'; Deployed = 3 }
        @{ Answer = 'No'; Deployed = 0 }
    ) {
        $session = Invoke-Deployment -Line '$Settings["component"] = "storage"; New-SvcDeployment -SettingsObject $Settings -Confirm' -Answers $Answer
        $session.Prompts.Count | Should -Be 1
        @($session.Lines -match '^create ').Count | Should -Be 3
        $session.Output.Count | Should -Be $Deployed
    }

    It 'skips with a warning what needs something that was declined' {
        $session = Invoke-Deployment -Line 'New-SvcIaasStorage -SettingsObject $Settings -Confirm' -Answers 'No', 'Yes to All'
        $session.Output.Count | Should -Be 0
        $session.Warnings.Count | Should -BeGreaterThan 0
    }

    It 'is asked for by $ConfirmPreference of a calling script' {
        $session = Invoke-Deployment -Line '& { $ConfirmPreference = "Low"; New-SvcIaasStorage -SettingsObject $Settings }' -Answers 'Yes to All'
        $session.Prompts.Count | Should -Be 1
        $session.Output.Count | Should -Be 3
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
        $shown | Should -Contain 'done 2'
    }

    It 'is turned off by -Confirm:$false' {
        $session = Invoke-Deployment -Line '& { $ConfirmPreference = "Low"; New-SvcIaasStorage -SettingsObject $Settings -Confirm:$false }'
        $session.Prompts.Count | Should -Be 0
        $session.Output.Count | Should -Be 3
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
        $shown | Should -Contain 'left 2'
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

        # One rule is to be changed, one to be made, and two to be deleted.
        function Invoke-Deletion {
            param([string] $Before = '', [string] $Argument = '', [string[]] $Answers = @())
            $parameters = @{
                Module   = Get-ModuleManifest
                State    = (Get-SvcContext).LocalStateFile
                Settings = Get-HealthAlerts -Name 'One', 'Four' -Description 'second'
            }
            Invoke-Session -Parameters $parameters -Answers $Answers -Script @"
param(`$Module, `$State, `$Settings)
Import-Module `$Module
Set-SvcContext -Cloud local -SubscriptionId '10ca1c10-0d00-4000-8000-000000000001' -LocalStateFile `$State
& {
    $Before
    New-SvcMonitorResourceHealthAlerts -SettingsObject `$Settings $Argument
}
"@
        }
    }

    BeforeEach {
        [void] (Use-LandingZone -Folder $TestDrive)
        [void] (New-SvcMonitorResourceHealthAlerts -SettingsObject (Get-HealthAlerts -Name 'One', 'Two', 'Three') 6>$null)
    }

    AfterAll { Clear-SvcContext }

    It 'are all that is asked for, each, and the answers <Answers> delete <Deleted>' -ForEach @(
        @{ Answers = 'Yes', 'Yes'; Asked = 2; Deleted = 2 }
        @{ Answers = 'Yes', 'No'; Asked = 2; Deleted = 1 }
        @{ Answers = @('Yes to All'); Asked = 1; Deleted = 2 }
        @{ Answers = @('No to All'); Asked = 1; Deleted = 0 }
    ) {
        $session = Invoke-Deletion -Answers $Answers
        $session.Prompts.Count | Should -Be $Asked
        foreach ($prompt in $session.Prompts) { $prompt | Should -Match 'alt-(two|three)-' }
        @($session.Output | Where-Object Action -EQ 'delete').Count | Should -Be $Deleted
        # What was not asked for is done whatever the answers are.
        @($session.Output | Where-Object Action -EQ 'modify').Count | Should -Be 1
        @($session.Output | Where-Object Action -EQ 'create').Count | Should -Be 1
    }

    It 'are asked for with everything else under -Confirm, once for all with Yes to All' {
        $session = Invoke-Deletion -Argument '-Confirm' -Answers 'Yes to All'
        $session.Prompts.Count | Should -Be 1
        $session.Output.Count | Should -Be 4
    }

    It 'are not asked for <How>' -ForEach @(
        @{ How = 'with -Confirm:$false'; Before = ''; Argument = '-Confirm:$false' }
        @{ How = 'when $ConfirmPreference is None'; Before = '$ConfirmPreference = "None"'; Argument = '' }
    ) {
        $session = Invoke-Deletion -Before $Before -Argument $Argument
        $session.Prompts.Count | Should -Be 0
        $session.Output.Count | Should -Be 4
    }

    It 'are not what a hasty Enter does: the answer that is offered is No' {
        $session = Invoke-Deletion -Answers 'Yes', 'Yes'
        $session.Offers | Should -Be 'No', 'No'
    }

    It 'are asked for when $ConfirmPreference is $true, which is no impact' {
        $session = Invoke-Deletion -Before '$ConfirmPreference = $true' -Answers 'Yes to All', 'Yes to All'
        @($session.Prompts -match 'alt-(two|three)-').Count | Should -BeGreaterThan 0
        $session.Output.Count | Should -Be 4
    }

    It 'are shown with -WhatIf, and not asked for' {
        $session = Invoke-Deletion -Argument '-WhatIf'
        $session.Prompts.Count | Should -Be 0
        @($session.Output | Where-Object Action -EQ 'delete').Count | Should -Be 2
        @($session.Lines -like 'What if: *').Count | Should -Be 4
    }

    It 'fail where nobody can be asked before anything else is changed' {
        $state = (Get-SvcContext).LocalStateFile
        $file = [IO.Path]::Combine($TestDrive, 'health.json')
        [IO.File]::WriteAllText($file, (ConvertTo-Json -InputObject (Get-HealthAlerts -Name 'One', 'Four' -Description 'second') -Depth 9))
        $shown = Invoke-Process -Folder $TestDrive -Script @"
Import-Module '$(Get-ModuleManifest)'
Set-SvcContext -Cloud local -SubscriptionId '10ca1c10-0d00-4000-8000-000000000001' -LocalStateFile '$state'
try { New-SvcMonitorResourceHealthAlerts -SettingsFile '$file' } catch { `$_.FullyQualifiedErrorId }
"left `$(@(New-SvcMonitorResourceHealthAlerts -SettingsFile '$file' -WhatIf).Count)"
"@
        $shown | Should -Contain 'ConfirmationUnavailable,New-SvcMonitorResourceHealthAlerts'
        $shown | Should -Contain 'left 4'
    }
}
