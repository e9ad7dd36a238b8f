BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe 'The local cloud of a session' {
    BeforeEach {
        Clear-SvcContext
        $settings = Get-StorageSettings
    }

    AfterEach { Stop-SvcLocalCloud }

    It 'serves every command, and leaves the context as it was' {
        Set-SvcContext -Cloud usgovernment
        $cloud = Start-SvcLocalCloud
        $cloud.PSTypeNames[0] | Should -Be 'Svc.LocalCloud'
        (Get-SvcContext).Cloud | Should -Be $cloud.Endpoint
        @(New-SvcIaasStorage -SettingsObject $settings 6>$null).Count | Should -Be (Get-StorageCount)
        @(New-SvcIaasStorage -SettingsObject $settings -WhatIf 6>$null).Count | Should -Be 0
        Stop-SvcLocalCloud
        (Get-SvcContext).Cloud | Should -Be 'usgovernment'
        { Invoke-WebRequest -Uri $cloud.Endpoint -TimeoutSec 5 -SkipHttpErrorCheck } | Should -Throw
    }

    It 'goes before what a variable of the environment says' {
        $before = $env:SVC_RESOURCE_MANAGER_ENDPOINT
        try {
            $env:SVC_RESOURCE_MANAGER_ENDPOINT = 'http://127.0.0.1:1'
            [void] (Start-SvcLocalCloud)
            @(New-SvcIaasStorage -SettingsObject $settings 6>$null).Count | Should -Be (Get-StorageCount)
        }
        finally { $env:SVC_RESOURCE_MANAGER_ENDPOINT = $before }
    }

    It 'keeps its resources in -StateFile' {
        $state = [IO.Path]::Combine($TestDrive, "$([guid]::NewGuid()).json")
        (Start-SvcLocalCloud $state).StateFile | Should -Be $state
        [void] (New-SvcIaasStorage -SettingsObject $settings 6>$null)
        Stop-SvcLocalCloud
        [void] (Start-SvcLocalCloud -StateFile $state)
        @(New-SvcIaasStorage -SettingsObject $settings -WhatIf 6>$null).Count | Should -Be 0
    }

    It 'is one for each session, also after the module is imported again' {
        $cloud = Start-SvcLocalCloud
        Import-Module (Get-ModuleManifest) -Force
        { Start-SvcLocalCloud } | Should -Throw -ErrorId 'LocalCloudIsRunning,Start-SvcLocalCloud' -ExpectedMessage "*$($cloud.Endpoint)*"
        $other = Invoke-Session -Script 'param($Module) Import-Module $Module; (Start-SvcLocalCloud).Endpoint; Stop-SvcLocalCloud' -Parameters @{ Module = Get-ModuleManifest }
        $other.Errors | Should -BeNullOrEmpty
        $other.Output | Should -Not -Be $cloud.Endpoint
    }

    It 'says what is wrong with its file as the library does' {
        $state = [IO.Path]::Combine($TestDrive, 'damaged.json')
        [IO.File]::WriteAllText($state, '{')
        $record = try { Start-SvcLocalCloud -StateFile $state } catch { $_ }
        Assert-LibraryError -Record $record -Said (Get-LibraryError -Command 'Start-SvcLocalCloud' -Request @{ stateFile = $state }) -Command 'Start-SvcLocalCloud'
        (Get-SvcContext).Cloud | Should -Not -BeLike 'http*'
    }

    It 'is not started by -WhatIf, and stopping none is no error' {
        Start-SvcLocalCloud -WhatIf 6>$null | Should -BeNullOrEmpty
        { Stop-SvcLocalCloud -ErrorAction Stop } | Should -Not -Throw
    }

    It 'leaves alone what the context was set to meanwhile' {
        [void] (Start-SvcLocalCloud)
        Set-SvcContext -Cloud china
        Stop-SvcLocalCloud
        (Get-SvcContext).Cloud | Should -Be 'china'
    }
}

Describe 'A deployment in the background' {
    BeforeAll {
        [void] (Start-SvcLocalCloud)
        $settings = Get-StorageSettings
        $settings['component'] = 'storage'
    }

    AfterAll {
        Stop-SvcLocalCloud
        Clear-SvcContext
    }

    It 'is a thread job with the context of the session' {
        $job = New-SvcDeployment -SettingsObject $settings -AsJob
        $job | Should -BeOfType ([Management.Automation.Job])
        $deployed = @($job | Receive-Job -Wait -AutoRemoveJob 6>$null)
        $deployed.Count | Should -Be (Get-StorageCount)
        $deployed[0] | Should -BeOfType ([Svc.DeployedResource])
        # Here, too, because both are on one cloud.
        @(New-SvcDeployment -SettingsObject $settings -WhatIf 6>$null).Count | Should -Be 0
    }

    It 'takes files, tags and what is said for one run' {
        $folder = [IO.Directory]::CreateDirectory([IO.Path]::Combine($TestDrive, 'background')).FullName
        Write-StorageFile -Path ([IO.Path]::Combine($folder, 'storage.yml')) -Name 'Background'
        [IO.File]::AppendAllText([IO.Path]::Combine($folder, 'storage.yml'), "component: storage`n")
        Push-Location -LiteralPath $folder
        try { $job = Get-ChildItem *.yml | New-SvcDeployment -AsJob -OmitTags -WhatIf -PlanReport plan.json }
        finally { Pop-Location }
        $planned = @($job | Receive-Job -Wait -AutoRemoveJob 6>$null)
        $planned[0] | Should -BeOfType ([Svc.PlannedAction])
        [IO.File]::Exists([IO.Path]::Combine($folder, 'plan.json')) | Should -BeTrue
        (Get-SvcContext).PlanReport | Should -BeNullOrEmpty
    }

    It 'has the preferences of the session' {
        $WhatIfPreference = $true
        $job = New-SvcDeployment -SettingsObject (@{ component = 'storage' } + (Get-StorageSettings -Name 'Dry')) -AsJob
        $WhatIfPreference = $false
        @($job | Receive-Job -Wait -AutoRemoveJob 6>$null)[0] | Should -BeOfType ([Svc.PlannedAction])
    }

    It 'fails with what fails there' {
        $job = New-SvcDeployment -SettingsObject @{ component = 'storage' } -AsJob
        [void] ($job | Wait-Job)
        $job.State | Should -Be 'Failed'
        $record = try { $job | Receive-Job -AutoRemoveJob -Wait -ErrorAction Stop } catch { $_ }
        $record.Exception.GetBaseException().Message | Should -Be (Get-LibraryError -Command 'New-SvcDeployment' -Request @{ settings = @(@{ component = 'storage' }); baseDirectory = "$TestDrive" })['message']
    }
}

Describe 'Documents by a property' {
    BeforeAll {
        [void] (Start-SvcLocalCloud)
        $file = [IO.Path]::Combine($TestDrive, 'named.yml')
        Write-StorageFile -Path $file -Name 'Named'
        [IO.File]::AppendAllText($file, "component: storage`n")
    }

    AfterAll {
        Stop-SvcLocalCloud
        Clear-SvcContext
    }

    It 'named <Name> are taken' -ForEach @{ Name = 'Path' }, @{ Name = 'PSPath' }, @{ Name = 'SettingsFile' } {
        @([pscustomobject] @{ $Name = $file } | New-SvcDeployment -WhatIf 6>$null).Count | Should -Be (Get-StorageCount -Name 'Named')
        @(Test-SvcSettings -Path $file).Count | Should -Be 0
    }

    It 'come from Get-ChildItem | Select-Object' {
        @(Get-ChildItem -LiteralPath $file | Select-Object PSPath | New-SvcDeployment -WhatIf 6>$null).Count | Should -Be (Get-StorageCount -Name 'Named')
    }
}

Describe 'Completion' {
    It 'has the publish names of the folder' {
        [IO.File]::WriteAllText([IO.Path]::Combine($TestDrive, 'published.yml'), "service:`n  publish:`n    storage: pester-published`n")
        Push-Location -LiteralPath $TestDrive
        try { $found = (TabExpansion2 -inputScript 'Set-SvcContext -Only pester-' -cursorColumn 28).CompletionMatches.CompletionText }
        finally { Pop-Location }
        $found | Should -Contain 'pester-published'
    }

    It 'of resource groups has nothing without an Az session, and no error' {
        { TabExpansion2 -inputScript 'Export-SvcSettings storage -ResourceGroup rg' -cursorColumn 44 } | Should -Not -Throw
    }
}
