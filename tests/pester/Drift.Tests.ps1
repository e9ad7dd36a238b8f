BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force

    # A document that says itself which command it is for.
    function Get-Document {
        $document = Get-StorageSettings
        $document['component'] = 'storage'
        $document
    }
}

Describe 'The comparison of documents with what exists' {
    BeforeEach {
        $state = Use-LocalCloud -Folder $TestDrive
        [void] (New-SvcDeployment -SettingsObject (Get-Document) -Confirm:$false 6>$null)
    }

    AfterAll { Clear-SvcContext }

    It 'has no differences after a deployment' {
        $drift = Compare-SvcDeployment -SettingsObject (Get-Document) 6>$null
        $drift.PSTypeNames[0] | Should -Be 'Svc.Drift'
        $drift.HasDifferences | Should -BeFalse
        $drift.Differences.Count | Should -Be 0
    }

    It 'is one object of what differs, without lines of a dry run' {
        [IO.File]::WriteAllText($state, [IO.File]::ReadAllText($state).Replace('TLS1_2', 'TLS1_0'))
        $before = [IO.File]::ReadAllText($state)
        $said = Get-LibraryMessage -Command 'Compare-SvcDeployment' -Settings @((Get-Document)) | Select-Message 'drift'
        $WhatIfPreference = $true
        $all = @(Compare-SvcDeployment -SettingsObject (Get-Document) *>&1)
        $WhatIfPreference = $false
        @($all | Where-Object { "$_" -like 'What if:*' }).Count | Should -Be 0
        $drift = @($all | Where-Object { $_ -is [Svc.Drift] })
        $drift.Count | Should -Be 1
        $drift[0].HasDifferences | Should -Be $said['hasDifferences']
        $drift[0].Sentence | Should -Be $said['sentence']
        $drift[0].Unchanged | Should -Be $said['unchanged']
        $drift[0].Target['subscriptionId'] | Should -Be $said['target']['subscriptionId']
        $said['differences'].Count | Should -BeGreaterThan 0
        foreach ($member in 'fingerprint', 'kind', 'path', 'wanted', 'existing', 'fullName') {
            $drift[0].Differences.$member | Should -Be @($said['differences'] | ForEach-Object { $_[$member] }) -Because $member
        }
        $drift[0].Differences[0].Id | Should -Be $said['differences'][0]['resourceId']
        [IO.File]::ReadAllText($state) | Should -Be $before
    }

    It 'is shown as lines, and the sentence last' {
        [IO.File]::WriteAllText($state, [IO.File]::ReadAllText($state).Replace('TLS1_2', 'TLS1_0'))
        $drift = Compare-SvcDeployment -SettingsObject (Get-Document) 6>$null
        $lines = @(($drift | Out-String -Width 400).Trim() -split '\r?\n')
        $lines[-1] | Should -Be $drift.Sentence
        $lines[0] | Should -Be "$($drift.Differences[0])"
    }

    It 'says when something was changed as text, and not as a date' {
        $changed = @{ by = 'jane@contoso.com'; operation = 'write'; at = [datetime]::new(2026, 11, 21, 22, 14, 0, [DateTimeKind]::Utc) }
        [Svc.Difference]::new(@{ fullName = 'a/b'; changed = $changed }).At | Should -Be '2026-11-21T22:14:00Z'
    }

    It 'is refused as every run is' {
        $record = try { Compare-SvcDeployment -SettingsFile ([IO.Path]::Combine($TestDrive, 'none.yml')) 6>$null } catch { $_ }
        $said = Get-LibraryError -Command 'Compare-SvcDeployment' -Request @{ settingsFiles = @([IO.Path]::Combine($TestDrive, 'none.yml')) }
        Assert-LibraryError -Record $record -Said $said -Command 'Compare-SvcDeployment'
    }
}
