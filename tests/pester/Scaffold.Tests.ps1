BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe 'New documents' {
    BeforeEach {
        $folder = [IO.Directory]::CreateDirectory([IO.Path]::Combine($TestDrive, [guid]::NewGuid())).FullName
        $path = [IO.Path]::Combine($folder, 'storage.yml')
        $said = Get-LibraryMessage -Command 'New-SvcSettings' -Request @{ component = 'storage' } | Select-Message 'document' | ForEach-Object { $_['text'].TrimEnd("`n") }
    }

    It 'are the output, or a file' {
        New-SvcSettings storage | Should -Be $said
        $file = New-SvcSettings -Component storage -Path $path
        $file | Should -BeOfType [IO.FileInfo]
        [IO.File]::ReadAllText($path).TrimEnd("`n") | Should -Be $said
    }

    It 'are valid as they are' {
        [void] (New-SvcSettings storage -Path $path)
        Test-SvcSettings $path -Quiet | Should -BeTrue
    }

    It 'are longer with every key' {
        (New-SvcSettings storage -EveryKey).Length | Should -BeGreaterThan $said.Length
    }

    It 'take the place of nothing' {
        [IO.File]::WriteAllText($path, 'mine')
        $record = try { New-SvcSettings storage -Path $path } catch { $_ }
        Assert-LibraryError -Record $record -Said (Get-LibraryError -Command 'New-SvcSettings' -Request @{ component = 'storage'; path = $path }) -Command 'New-SvcSettings'
        [IO.File]::ReadAllText($path) | Should -Be 'mine'
    }

    It 'are not written with -WhatIf' {
        New-SvcSettings storage -Path $path -WhatIf | Should -BeNullOrEmpty
        [IO.File]::Exists($path) | Should -BeFalse
    }
}

Describe 'Schemas' {
    It 'are those of components and of files beside documents' {
        foreach ($name in 'storage', 'tags', 'values') {
            $said = Get-LibraryMessage -Command 'Get-SvcSettingsSchema' -Request @{ name = $name } | Select-Message 'document' | ForEach-Object { $_['text'].TrimEnd("`n") }
            Get-SvcSettingsSchema $name | Should -Be $said
        }
    }

    It 'are read by what PowerShell has for them' {
        $document = @{ component = 'storage'; location = 'uksouth'; storageAccounts = @(@{ storageAccountName = 'orders'; accountType = 'Standard' }) } | ConvertTo-Json -Depth 9
        Test-Json -Json $document -Schema (Get-SvcSettingsSchema storage) | Should -BeTrue
    }

    It 'of an unknown name are an error' {
        $record = try { Get-SvcSettingsSchema storge } catch { $_ }
        Assert-LibraryError -Record $record -Said (Get-LibraryError -Command 'Get-SvcSettingsSchema' -Request @{ name = 'storge' }) -Command 'Get-SvcSettingsSchema'
    }
}
