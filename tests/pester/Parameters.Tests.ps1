BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe 'New-SvcIaasStorage' {
    BeforeAll {
        $file = [IO.Path]::Combine($TestDrive, 'storage.yml')
        Write-StorageFile -Path $file
        $tags = [IO.Path]::Combine($TestDrive, 'tags.yml')
        [IO.File]::WriteAllText($tags, "tags:`n  mandatory:`n    owner: pester`n")

        # The warnings of a command line are those of the library with tags, or without.
        function Assert-Warning {
            param([string] $Line, [bool] $Omitted)
            $output = & ([scriptblock]::Create("param(`$file, `$tags) $Line")) $file $tags 3>&1 6>$null
            $found = @($output | Where-Object { $_ -is [Management.Automation.WarningRecord] } | ForEach-Object Message)
            $said = @(Get-LibraryText 'warning' -Command 'New-SvcIaasStorage' -Settings $file -Request @{ omitTags = $Omitted } -WhatIf)
            # Otherwise nothing is compared here.
            [bool] $said | Should -Be $Omitted
            $found -join "`n" | Should -Be ($said -join "`n")
        }
    }

    BeforeEach { [void] (Use-LocalCloud -Folder $TestDrive) }

    AfterAll { Clear-SvcContext }

    Context 'Its parameters' {
        It 'are in two sets, each with one that is mandatory' {
            $command = Get-Command -Name New-SvcIaasStorage
            $command.DefaultParameterSet | Should -Be 'File'
            $command.Parameters['SettingsFile'].ParameterSets['File'].IsMandatory | Should -BeTrue
            $command.Parameters['SettingsObject'].ParameterSets['Object'].IsMandatory | Should -BeTrue
            $command.Parameters['SettingsObject'].ParameterSets['Object'].ValueFromPipeline | Should -BeTrue
            $command.Parameters['TagSettingsFile'].Aliases | Should -Contain 'TagSettingFile'
        }

        It 'may have a tag settings file that is empty, as of a variable that is not set' {
            $planned = New-SvcIaasStorage -SettingsFile $file -TagSettingsFile '' -WhatIf 6>$null
            $planned.Name | Should -Contain (Get-StorageName)
            { New-SvcIaasStorage -SettingsFile '' -WhatIf } | Should -Throw -ErrorId 'ParameterArgumentValidationError,New-SvcIaasStorage'
        }

        It 'take a relative path from the root of the project where it is not here' {
            $root = [IO.Path]::Combine($TestDrive, 'root')
            $elsewhere = [IO.Path]::Combine($TestDrive, 'elsewhere')
            foreach ($folder in [IO.Path]::Combine($root, 'settings'), $elsewhere) { [void] [IO.Directory]::CreateDirectory($folder) }
            Write-StorageFile -Path ([IO.Path]::Combine($root, 'settings', 'storage.yml')) -Name 'First'
            Set-SvcContext -ProjectRoot $root
            Push-Location -LiteralPath $elsewhere
            try {
                (New-SvcIaasStorage -SettingsFile settings/storage.yml -WhatIf 6>$null).Name | Should -Contain (Get-StorageName 'First')
                # What is here comes first.
                [void] [IO.Directory]::CreateDirectory([IO.Path]::Combine($elsewhere, 'settings'))
                Write-StorageFile -Path ([IO.Path]::Combine($elsewhere, 'settings', 'storage.yml')) -Name 'Second'
                (New-SvcIaasStorage -SettingsFile settings/storage.yml -WhatIf 6>$null).Name | Should -Contain (Get-StorageName 'Second')
                # What is nowhere is not where the caller stands.
                { New-SvcIaasStorage -SettingsFile other.yml -WhatIf } | Should -Throw -ExpectedMessage "*elsewhere*other.yml*"
            }
            finally { Pop-Location }
        }

        It 'take a path as it is, with what would be a pattern elsewhere' {
            $literal = [IO.Path]::Combine($TestDrive, '[ab].yml')
            Write-StorageFile -Path $literal -Name 'First'
            (New-SvcIaasStorage -SettingsFile $literal -WhatIf 6>$null).Name | Should -Contain (Get-StorageName 'First')
            $pattern = [IO.Path]::Combine($TestDrive, 'stor*.yml')
            $record = try { New-SvcIaasStorage -SettingsFile $pattern -WhatIf 6>$null } catch { $_ }
            Assert-LibraryError -Record $record -Said (Get-LibraryError -Command 'New-SvcIaasStorage' -Settings $pattern -WhatIf) -Command 'New-SvcIaasStorage'
        }

        It 'do not take both a file and an object' {
            { New-SvcIaasStorage -SettingsFile $file -SettingsObject @{} -WhatIf } | Should -Throw -ErrorId 'AmbiguousParameterSet,New-SvcIaasStorage'
        }

        It 'take a settings file as <Line>' -ForEach @(
            @{ Line = 'New-SvcIaasStorage -SettingsFile $file -WhatIf' }
            @{ Line = 'New-SvcIaasStorage $file -WhatIf' }
            @{ Line = 'New-SvcIaasStorage -SettingsF $file -WhatIf' }
            @{ Line = 'Get-Item -LiteralPath $file | New-SvcIaasStorage -WhatIf' }
        ) {
            $planned = & ([scriptblock]::Create("param(`$file) $Line")) $file 6>$null
            $planned.Name | Should -Contain (Get-StorageName)
        }

        It 'take settings as <Kind>' -ForEach @(
            @{ Kind = 'a hashtable'; Settings = { Get-StorageSettings } }
            @{ Kind = 'an object from JSON'; Settings = { Get-StorageSettings | ConvertTo-Json -Depth 9 | ConvertFrom-Json } }
            @{ Kind = 'a hashtable from JSON'; Settings = { Get-StorageSettings | ConvertTo-Json -Depth 9 | ConvertFrom-Json -AsHashtable } }
        ) {
            (New-SvcIaasStorage -SettingsObject (& $Settings) -WhatIf 6>$null).Name | Should -Contain (Get-StorageName)
            (& $Settings | New-SvcIaasStorage -WhatIf 6>$null).Name | Should -Contain (Get-StorageName)
        }

        It 'take several objects from the pipeline, one after the other' {
            $planned = 'First', 'Second' | ForEach-Object { Get-StorageSettings -Name $_ } | New-SvcIaasStorage -WhatIf 6>$null
            $planned.Name | Should -Contain (Get-StorageName 'First')
            $planned.Name | Should -Contain (Get-StorageName 'Second')
        }

        It 'leave the given settings as they are' {
            $settings = Get-StorageSettings
            $before = ConvertTo-Json -InputObject $settings -Depth 9
            [void] (New-SvcIaasStorage -SettingsObject $settings -WhatIf 6>$null)
            ConvertTo-Json -InputObject $settings -Depth 9 | Should -Be $before
        }

        It 'find a file by a path that is relative to the location' {
            Push-Location -LiteralPath $TestDrive
            try { (New-SvcIaasStorage -SettingsFile ./storage.yml -WhatIf 6>$null).Name | Should -Contain (Get-StorageName) }
            finally { Pop-Location }
        }

        It 'find a file by the path of a drive' {
            (New-SvcIaasStorage -SettingsFile 'TestDrive:/storage.yml' -WhatIf 6>$null).Name | Should -Contain (Get-StorageName)
        }

        It 'take the tag settings file as <_>' -ForEach '-TagSettingsFile', '-TagSettingFile', '-Tag' {
            $planned = & ([scriptblock]::Create("param(`$file, `$tags) New-SvcIaasStorage -SettingsFile `$file $_ `$tags -WhatIf")) $file $tags 6>$null
            $said = @(Get-LibraryPlan -Command 'New-SvcIaasStorage' -Settings $file -Request @{ tagSettingsFile = $tags } | ConvertTo-PlanText)
            $said -like '*owner*' | Should -Not -BeNullOrEmpty
            $planned | ConvertTo-PlanText | Should -Be $said
        }
    }

    Context 'It leaves tag settings alone' {
        It 'with <Spelling>: <Omitted>' -ForEach @(
            @{ Spelling = ''; Omitted = $false }
            @{ Spelling = '-OmitTags'; Omitted = $true }
            @{ Spelling = '-Omit'; Omitted = $true }
            @{ Spelling = '-OmitTags:$true'; Omitted = $true }
            @{ Spelling = '-OmitTags:$false'; Omitted = $false }
            @{ Spelling = '-OmitTags $true'; Omitted = $true }
            @{ Spelling = '-OmitTags $false'; Omitted = $false }
        ) {
            Assert-Warning -Omitted $Omitted -Line "New-SvcIaasStorage -SettingsFile `$file $Spelling -WhatIf"
        }

        It 'with a splatted value of <_>' -ForEach $true, $false {
            Assert-Warning -Omitted $_ -Line "`$values = @{ SettingsFile = `$file; OmitTags = `$$_ }; New-SvcIaasStorage @values -WhatIf"
        }

        It 'when the settings come from the pipeline' {
            Assert-Warning -Omitted $true -Line 'Get-StorageSettings | New-SvcIaasStorage -OmitTags -WhatIf'
        }

        It 'and a boolean without the switch is refused' {
            { New-SvcIaasStorage -SettingsFile $file $true -WhatIf } | Should -Throw -ErrorId 'PositionalParameterNotFound,New-SvcIaasStorage'
        }

        It 'and any other value is refused in the words of PowerShell: <Line>' -ForEach @(
            @{ Line = 'New-SvcIaasStorage $file b.yml -WhatIf' }
            @{ Line = 'New-SvcIaasStorage $file -OmitTags b.yml -WhatIf' }
            @{ Line = 'New-SvcIaasStorage $file -OmitTags $null -WhatIf' }
        ) {
            $record = try { & ([scriptblock]::Create("param(`$file) $Line")) $file } catch { $_ }
            $record.Exception | Should -BeOfType [Management.Automation.ParameterBindingException]
            $record.FullyQualifiedErrorId | Should -BeLike '*,New-SvcIaasStorage'
        }

        It 'and the common parameters complete' {
            $line = 'New-SvcIaasStorage -'
            $found = [Management.Automation.CommandCompletion]::CompleteInput($line, $line.Length, $null).CompletionMatches.CompletionText
            $found | Should -Contain '-Verbose'
            $found | Should -Contain '-OmitTags'
            $found | Should -Not -Contain '-LegacyBoolean'
        }
    }

    Context 'It refuses' {
        It 'text' {
            { 'storage.yml' | New-SvcIaasStorage -WhatIf } | Should -Throw -ErrorId 'SettingsObjectNotPlainData,New-SvcIaasStorage'
        }

        It 'an object that holds itself' {
            $settings = Get-StorageSettings
            $settings['storageAccounts'][0]['self'] = $settings
            { New-SvcIaasStorage -SettingsObject $settings -WhatIf } | Should -Throw -ErrorId 'SettingsObjectNotPlainData,New-SvcIaasStorage'
        }

        It 'an object that is deeper than JSON is written' {
            $settings = @{}
            $inner = $settings
            foreach ($level in 1..120) {
                $inner['level'] = @{ number = $level }
                $inner = $inner['level']
            }
            { New-SvcIaasStorage -SettingsObject $settings -WhatIf } | Should -Throw -ErrorId 'SettingsObjectNotPlainData,New-SvcIaasStorage'
        }

        It 'an object of the system that holds itself' {
            { New-SvcIaasStorage -SettingsObject @{ location = [IO.DirectoryInfo]::new($TestDrive) } -WhatIf } | Should -Throw -ErrorId 'SettingsObjectNotPlainData,New-SvcIaasStorage'
        }

        It 'a UNC path where there are none' -Skip:$IsWindows {
            { New-SvcIaasStorage -SettingsFile '\\server\share\storage.yml' -WhatIf } | Should -Throw -ErrorId 'NotAFilePath,New-SvcIaasStorage' -ExpectedMessage '*is a UNC path*'
        }

        It 'a path that is not of the file system' {
            { New-SvcIaasStorage -SettingsFile 'Env:/PATH' -WhatIf } | Should -Throw -ErrorId 'NotAFilePath,New-SvcIaasStorage'
        }

        It 'a path on a drive that does not exist' {
            { New-SvcIaasStorage -SettingsFile 'nosuchdrive:/storage.yml' -WhatIf } | Should -Throw -ErrorId 'NotAFilePath,New-SvcIaasStorage'
        }

        It 'empty text for a path' {
            { New-SvcIaasStorage -SettingsFile '' -WhatIf } | Should -Throw
        }
    }
}
