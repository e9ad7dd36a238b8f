BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe 'Looking first with -WhatIf' {
    BeforeAll {
        $file = [IO.Path]::Combine($TestDrive, 'storage.yml')
        Write-StorageFile -Path $file
    }

    BeforeEach { $state = Use-LocalCloud -Folder $TestDrive }

    AfterAll { Clear-SvcContext }

    It 'writes one object for each action, with all that the library says of it' {
        $planned = @(New-SvcIaasStorage -SettingsFile $file -WhatIf 6>$null)
        $said = @(Get-LibraryPlan -Command 'New-SvcIaasStorage' -Settings $file)
        $said.Count | Should -BeGreaterThan 1
        $planned.Count | Should -Be $said.Count
        for ($index = 0; $index -lt $said.Count; $index++) {
            $planned[$index].PSTypeNames[0] | Should -Be 'Svc.PlannedAction'
            $planned[$index].Id | Should -Be $said[$index]['resourceId']
            foreach ($name in 'action', 'type', 'label', 'name', 'fullName', 'resourceGroup', 'origin') { $planned[$index].$name | Should -Be $said[$index][$name] -Because $name }
            $told = @($said[$index]['changes'] | ForEach-Object { "$($_['path'])|$($_['before'])|$($_['after'])|$($_['origin'])" })
            @($planned[$index].Changes | ForEach-Object { "$($_.Path)|$($_.Before)|$($_.After)|$($_.Origin)" }) | Should -Be $told
        }
    }

    It 'says first what it is for' {
        $lines = @(New-SvcIaasStorage -SettingsFile $file -WhatIf 6>&1 | Where-Object { $_ -is [Management.Automation.InformationRecord] } | ForEach-Object { "$_" })
        $lines[0] | Should -Be (Get-LibraryMessage -Command 'New-SvcIaasStorage' -Settings $file -WhatIf | Select-Message 'target')['description']
    }

    It 'warns of what stays as it is' {
        $settings = Get-StorageSettings
        $settings['storageAccounts'][0]['replication'] = 'LRS'
        [void] (New-SvcIaasStorage -SettingsObject $settings 6>$null)
        $settings['storageAccounts'][0]['replication'] = 'ZRS'
        $planned = @(New-SvcIaasStorage -SettingsObject $settings -WhatIf -WarningVariable kept -WarningAction SilentlyContinue 6>$null)
        $stays = $planned | Where-Object Action -EQ 'keep'
        $stays.PSTypeNames[0] | Should -Be 'Svc.PlannedAction'
        $stays.Reason | Should -Not -BeNullOrEmpty
        $said = Get-LibraryMessage -Command 'New-SvcIaasStorage' -Settings $settings -WhatIf | Select-Message 'kept'
        $stays.Changes[0].Path | Should -Be $said['path']
        "$kept" | Should -Be $said['reason']
    }

    It 'writes the plan to the files of -PlanReport' {
        $folders = foreach ($name in 'ours', 'theirs') { [IO.Directory]::CreateDirectory([IO.Path]::Combine($TestDrive, $name)).FullName }
        Set-SvcContext -PlanReport $folders[0]
        [void] (New-SvcIaasStorage -SettingsFile $file -WhatIf 6>$null)
        $context = @{ cloud = 'local'; subscriptionId = (Get-SvcContext).SubscriptionId; localStateFile = $state; planReport = @($folders[1]) }
        [void] (Get-LibraryMessage -Command 'New-SvcIaasStorage' -Settings $file -Request @{ context = $context } -WhatIf)
        $written = foreach ($folder in $folders) { (Get-ChildItem -LiteralPath $folder | Sort-Object Name | Select-Object -ExpandProperty Name) -join ' ' }
        $written[1] | Should -Not -BeNullOrEmpty
        $written[0] | Should -Be $written[1]
    }

    It 'writes what is up to date as planned actions when the context asks for it' {
        [void] (New-SvcIaasStorage -SettingsFile $file 6>$null)
        Set-SvcContext -IncludeUnchanged
        $planned = @(New-SvcIaasStorage -SettingsFile $file -WhatIf 6>$null)
        $planned.Count | Should -BeGreaterThan 0
        foreach ($action in $planned) {
            $action.PSTypeNames[0] | Should -Be 'Svc.PlannedAction'
            $action.Action | Should -Be 'unchanged'
        }
    }

    It 'is what -ApprovedPlan carries out, and nothing else' {
        $plan = [IO.Path]::Combine($TestDrive, 'approved.json')
        $document = [IO.Path]::Combine($TestDrive, 'approved.yml')
        Write-StorageFile -Path $document
        Set-SvcContext -PlanReport $plan
        [void] (New-SvcIaasStorage -SettingsFile $document -WhatIf 6>$null)
        Clear-SvcContext -Name PlanReport
        Set-SvcContext -ApprovedPlan $plan
        Write-StorageFile -Path $document -Name 'Pester', 'Other'
        $record = try { New-SvcIaasStorage -SettingsFile $document 6>$null } catch { $_ }
        Assert-LibraryError -Record $record -Said (Get-LibraryError -Command 'New-SvcIaasStorage' -Settings $document) -Command 'New-SvcIaasStorage'
        # What it would do instead is shown, and nobody is asked.
        $lines = @(& { try { New-SvcIaasStorage -SettingsFile $document -Confirm } catch { "$($_.FullyQualifiedErrorId)" } } 6>&1 | ForEach-Object { "$_" })
        ($lines -match 'other').Count | Should -BeGreaterThan 0
        $lines[-1] | Should -Be $record.FullyQualifiedErrorId
        Write-StorageFile -Path $document
        @(New-SvcIaasStorage -SettingsFile $document 6>$null).Count | Should -Be (Get-StorageCount)
        $record = try { New-SvcIaasStorage -SettingsFile $file 6>$null } catch { $_ }
        Assert-LibraryError -Record $record -Said (Get-LibraryError -Command 'New-SvcIaasStorage' -Settings $file) -Command 'New-SvcIaasStorage'
    }

    It 'changes nothing' {
        [void] (New-SvcIaasStorage -SettingsFile $file -WhatIf 6>$null)
        (New-SvcIaasStorage -SettingsFile $file -WhatIf 6>$null).Action | Should -Contain 'create'
    }

    It 'shows what would be modified when the resource exists' {
        [void] (New-SvcIaasStorage -SettingsObject (Get-StorageSettings) 6>$null)
        $settings = Get-StorageSettings
        $settings['storageAccounts'][0]['supportsHttpsTrafficOnly'] = $false
        $said = @(Get-LibraryPlan -Command 'New-SvcIaasStorage' -Settings $settings | ConvertTo-PlanText)
        $said.Count | Should -BeGreaterThan 1
        New-SvcIaasStorage -SettingsObject $settings -WhatIf 6>$null | ConvertTo-PlanText | Should -Be $said
    }

    It 'shows a line for each action on the host' {
        $session = Invoke-Session -Parameters @{ Module = Get-ModuleManifest; State = $state; File = $file } -Script {
            param($Module, $State, $File)
            Import-Module $Module
            Set-SvcContext -Cloud local -SubscriptionId ([guid]::NewGuid()) -LocalStateFile $State
            New-SvcIaasStorage -SettingsFile $File -WhatIf 6>$null
        }
        @($session.Lines -like 'What if: *').Count | Should -Be $session.Output.Count
        $session.Lines -like "What if: *$(Get-StorageName)*" | Should -Not -BeNullOrEmpty
        $session.Prompts.Count | Should -Be 0
    }

    It 'is what $WhatIfPreference of a calling script asks for' {
        $script = [IO.Path]::Combine($TestDrive, 'preference.ps1')
        [IO.File]::WriteAllText($script, 'param($File) $WhatIfPreference = $true; New-SvcIaasStorage -SettingsFile $File')
        foreach ($action in (& $script -File $file 6>$null)) { $action.PSTypeNames[0] | Should -Be 'Svc.PlannedAction' }
        (New-SvcIaasStorage -SettingsFile $file -WhatIf 6>$null).Action | Should -Contain 'create'
    }

    It 'is what $WhatIfPreference = <_> of a calling script asks for: nothing is deployed' -ForEach '$true', '1', "'1'", "'true'", "'yes'" {
        $script = [IO.Path]::Combine($TestDrive, "$([guid]::NewGuid()).ps1")
        [IO.File]::WriteAllText($script, "param(`$File) `$WhatIfPreference = $_; New-SvcIaasStorage -SettingsFile `$File")
        $output = @(& $script -File $file 6>$null)
        $output.Count | Should -Be (Get-StorageCount)
        foreach ($action in $output) { $action.PSTypeNames[0] | Should -Be 'Svc.PlannedAction' }
        @(New-SvcIaasStorage -SettingsFile $file -WhatIf 6>$null).Count | Should -Be (Get-StorageCount)
    }

    It 'is not what $WhatIfPreference asks for when -WhatIf:$false is given' {
        $script = [IO.Path]::Combine($TestDrive, 'overruled.ps1')
        [IO.File]::WriteAllText($script, 'param($File) $WhatIfPreference = $true; New-SvcIaasStorage -SettingsFile $File -WhatIf:$false')
        foreach ($resource in (& $script -File $file 6>$null)) { $resource.PSTypeNames[0] | Should -Be 'Svc.DeployedResource' }
    }

    It 'has a view that shows the changes' {
        $shown = New-SvcIaasStorage -SettingsFile $file -WhatIf 6>$null | Out-String -Width 200
        $shown | Should -Match "\+ create [a-z ]+ '$(Get-StorageName)'"
        $shown | Should -Match "in '$(Get-StorageGroup)'"
        # Of what is created, in one line, what the document says: a line for the action and at most one for its properties.
        $lines = @($shown -split '\r?\n' | Where-Object { $_.Trim() })
        $lines.Count | Should -BeLessOrEqual (2 * (Get-StorageCount))
        @($lines -match '^    \S+: ').Count | Should -BeGreaterThan 0
        # The group is not in itself.
        @($lines -match " in '").Count | Should -Be 1
    }
}
