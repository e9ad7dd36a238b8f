BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe 'What a deployment is told for one run' {
    BeforeEach {
        $state = Use-LocalCloud -Folder $TestDrive
        $settings = Get-StorageSettings
        $settings['component'] = 'storage'
        $folder = [IO.Directory]::CreateDirectory([IO.Path]::Combine($TestDrive, [guid]::NewGuid())).FullName
        $plan = [IO.Path]::Combine($folder, 'plan.json')
    }

    AfterAll { Clear-SvcContext }

    It 'writes the plan where -PlanReport says, and leaves the context as it is' {
        [void] (New-SvcDeployment -SettingsObject $settings -WhatIf -PlanReport $plan 6>$null)
        [IO.File]::Exists($plan) | Should -BeTrue
        (Get-SvcContext).PlanReport | Should -BeNullOrEmpty
    }

    It 'does what -ApprovedPlan has' {
        [void] (New-SvcDeployment -SettingsObject $settings -WhatIf -PlanReport $plan 6>$null)
        $deployed = @(New-SvcDeployment -SettingsObject $settings -ApprovedPlan $plan 6>$null)
        $deployed.Count | Should -BeGreaterThan 1
        (Get-SvcContext).ApprovedPlan | Should -BeNullOrEmpty
        { New-SvcDeployment -SettingsObject $settings -ApprovedPlan ([IO.Path]::Combine($folder, 'missing.json')) } | Should -Throw
    }

    It 'asks nobody with -Offline' {
        Clear-SvcContext
        $planned = @(New-SvcDeployment -SettingsObject $settings -Offline -WhatIf 6>$null 3>$null)
        $planned.Count | Should -BeGreaterThan 1
    }

    It 'refuses an empty value of what guards a run' {
        { New-SvcDeployment -SettingsObject $settings -ApprovedPlan '' } | Should -Throw -ErrorId 'ContextInvalid,New-SvcDeployment'
    }

    It 'takes -Force, which leaves nothing to be asked' {
        $shown = Invoke-Process -Folder $TestDrive -Script @"
Import-Module '$(Get-ModuleManifest)'
Set-SvcContext -Cloud local -SubscriptionId '$((Get-SvcContext).SubscriptionId)' -LocalStateFile '$state'
`$settings = @{ component = 'storage'; location = 'uksouth'; resourceGroupName = 'forced'; storageAccounts = @(@{ storageAccountName = 'forced'; accountType = 'Standard' }) }
(New-SvcDeployment -SettingsObject `$settings -Force 6>`$null).Count
"@
        $shown | Should -Contain '2'
    }

    It 'writes the report of a comparison where -PlanReport says' {
        $report = [IO.Path]::Combine($folder, 'drift.md')
        [void] (Compare-SvcDeployment -SettingsObject $settings -PlanReport $report 6>$null)
        [IO.File]::Exists($report) | Should -BeTrue
    }
}
