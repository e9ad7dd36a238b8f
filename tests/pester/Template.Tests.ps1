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

Describe 'The template of a document' {
    BeforeEach {
        [void] (Use-LocalCloud -Folder $TestDrive)
        $folder = [IO.Directory]::CreateDirectory([IO.Path]::Combine($TestDrive, [guid]::NewGuid())).FullName
        $path = [IO.Path]::Combine($folder, 'storage.json')
    }

    AfterAll { Clear-SvcContext }

    It 'is the output, with the calls that deploy it' {
        $template = Export-SvcTemplate -SettingsObject (Get-Document) 6>$null
        $template.PSTypeNames[0] | Should -Be 'Svc.Template'
        $content = $template.Template | ConvertFrom-Json -AsHashtable
        $content['resources'].Count | Should -BeGreaterThan 0
        $said = Get-LibraryMessage -Command 'Export-SvcTemplate' -Settings (Get-Document) | Select-Message 'template'
        $template.Template | Should -Be $said['template']
        $template.Calls.Command | Should -Be @($said['calls'] | ForEach-Object { $_['command'] })
        $template.Calls.Tool | Should -Be @($said['calls'] | ForEach-Object { $_['tool'] })
    }

    It 'is written to a file, and nothing is deployed' {
        $template = Export-SvcTemplate -SettingsObject (Get-Document) -Path $path 6>$null
        $template.Path | Should -Be $path
        [IO.File]::ReadAllText($path).TrimEnd() | Should -Be $template.Template.TrimEnd()
        @(New-SvcIaasStorage -SettingsObject (Get-Document) -WhatIf 6>$null).Count | Should -BeGreaterThan 0
    }

    It 'is shown by the calls that deploy it, and not as one long text' {
        $template = Export-SvcTemplate -SettingsObject (Get-Document) -Path $path 6>$null
        $shown = $template | Out-String -Width 400
        $shown | Should -BeLike "*Template:   $path*"
        foreach ($call in $template.Calls) { $shown.Contains("$($call.Tool):") | Should -BeTrue -Because $call.Tool }
        $shown.Contains('"resources"') | Should -BeFalse
    }

    It 'is one of several documents' {
        $other = Get-Document
        $other['resourceGroupName'] = 'Other'
        $other['storageAccounts'] = @(@{ storageAccountName = 'other'; accountType = 'Standard' })
        $template = (Get-Document), $other | Export-SvcTemplate 6>$null
        @($template).Count | Should -Be 1
        $said = Get-LibraryMessage -Command 'Export-SvcTemplate' -Settings @((Get-Document), $other) | Select-Message 'template'
        $template.Template | Should -Be $said['template']
    }

    It 'never takes the place of the document' {
        $settings = [IO.Path]::Combine($folder, 'storage.yml')
        Write-StorageFile -Path $settings
        [IO.File]::AppendAllText($settings, "component: storage`n")
        $before = [IO.File]::ReadAllText($settings)
        (Export-SvcTemplate $settings 6>$null).Path | Should -BeNullOrEmpty
        [IO.File]::ReadAllText($settings) | Should -Be $before
        [void] (Export-SvcTemplate $settings -Path $path 6>$null)
        [IO.File]::Exists($path) | Should -BeTrue
        [IO.File]::ReadAllText($settings) | Should -Be $before
        # The library refuses one of its documents, whether or not something may be replaced.
        foreach ($overwrite in $true, $false) {
            $record = try { Export-SvcTemplate $settings -Path $settings -Overwrite:$overwrite 6>$null } catch { $_ }
            $said = Get-LibraryError -Command 'Export-SvcTemplate' -Settings $settings -Request @{ template = @{ path = $settings; overwrite = $overwrite } }
            Assert-LibraryError -Record $record -Said $said -Command 'Export-SvcTemplate'
            [IO.File]::ReadAllText($settings) | Should -Be $before
        }
    }

    It 'is that of a pattern where no file has that name' {
        $settings = [IO.Path]::Combine($folder, 'storage.yml')
        Write-StorageFile -Path $settings
        [IO.File]::AppendAllText($settings, "component: storage`n")
        $template = (Export-SvcTemplate $settings 6>$null).Template
        $template | Should -Not -BeNullOrEmpty
        (Export-SvcTemplate ([IO.Path]::Combine($folder, 'stor*.yml')) 6>$null).Template | Should -Be $template
    }

    It 'is not written in a dry run: <Way>' -ForEach @(
        @{ Way = '-WhatIf'; Parameters = @{ WhatIf = $true }; Preference = $false }
        @{ Way = '$WhatIfPreference = $true'; Parameters = @{}; Preference = $true }
        @{ Way = '$WhatIfPreference = 1'; Parameters = @{}; Preference = 1 }
        @{ Way = "`$WhatIfPreference = 'yes'"; Parameters = @{}; Preference = 'yes' }
    ) {
        & {
            param($Preference, $Document, $Parameters)
            $WhatIfPreference = $Preference
            Export-SvcTemplate -SettingsObject $Document -Path $path @Parameters 6>$null
        } $Preference (Get-Document) $Parameters | Should -BeNullOrEmpty
        [IO.File]::Exists($path) | Should -BeFalse
    }

    It 'of rules alone is for alerts' {
        $record = try { Export-SvcTemplate -SettingsObject (Get-Document) -Stack 6>$null } catch { $_ }
        $said = Get-LibraryError -Command 'Export-SvcTemplate' -Settings (Get-Document) -Request @{ template = @{ stack = $true } }
        Assert-LibraryError -Record $record -Said $said -Command 'Export-SvcTemplate'
    }
}
