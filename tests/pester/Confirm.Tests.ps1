BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
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
        $session.Output.Name | Should -Contain 'stfirst06c9b76d'
        $session.Output.Name | Should -Contain 'stsecond10d0b2b3'
    }

    It 'asks for each action' {
        $session = Invoke-Deployment -Line 'New-SvcIaasStorage -SettingsObject $Settings -Confirm' -Answers 'Yes', 'Yes', 'Yes'
        $session.Prompts.Count | Should -Be 3
        $session.Output.Count | Should -Be 3
        $session.Prompts -like '*stfirst06c9b76d*' | Should -Not -BeNullOrEmpty
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
        $session.Output.Name | Should -Contain 'rg-pester-iaas-23fa0775'
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

    It 'fails with advice where nobody can be asked, and changes nothing' {
        $state = [IO.Path]::Combine($TestDrive, "$([guid]::NewGuid()).json")
        $file = [IO.Path]::Combine($TestDrive, 'storage.json')
        [IO.File]::WriteAllText($file, (ConvertTo-Json -InputObject (Get-StorageSettings) -Depth 9))
        $shown = Invoke-Process -Folder $TestDrive -Script @"
Import-Module '$(Get-ModuleManifest)'
Set-SvcContext -Cloud local -SubscriptionId ([guid]::NewGuid()) -LocalStateFile '$state'
try { New-SvcIaasStorage -SettingsFile '$file' -Confirm } catch {
    `$_.FullyQualifiedErrorId
    `$_.ErrorDetails.RecommendedAction
}
"left `$(@(New-SvcIaasStorage -SettingsFile '$file' -WhatIf).Count)"
"@
        $shown | Should -Contain 'ConfirmationUnavailable,New-SvcIaasStorage'
        $shown | Should -Contain 'Pass -Confirm:$false in unattended runs.'
        $shown | Should -Contain 'left 2'
    }
}
