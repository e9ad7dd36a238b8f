BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force

    # A document that says itself which command it is for, and one in which something is wrong.
    function Get-Document {
        param([switch] $Wrong)
        $document = Get-StorageSettings
        $document['component'] = 'storage'
        if ($Wrong) { $document['unknownSetting'] = 1 }
        $document
    }
}

Describe 'The test of settings documents' {
    It 'returns nothing where nothing is wrong, and true with -Quiet' {
        Test-SvcSettings -SettingsObject (Get-Document) | Should -BeNullOrEmpty
        Test-SvcSettings -SettingsObject (Get-Document) -Quiet | Should -BeTrue
        Get-Document | Test-SvcSettings -Quiet | Should -BeTrue
    }

    It 'returns what is wrong as the library says it, and false with -Quiet' {
        $said = Get-LibraryError -Command 'Test-SvcSettings' -Settings @((Get-Document -Wrong))
        $findings = @(Test-SvcSettings -SettingsObject (Get-Document -Wrong))
        $findings.Count | Should -Be $said['findings'].Count
        $findings[0].PSTypeNames[0] | Should -Be 'Svc.Finding'
        $findings[0].Path | Should -Be $said['findings'][0]['path']
        $findings[0].Code | Should -Be $said['findings'][0]['code']
        $findings[0].Message | Should -Be $said['findings'][0]['message']
        Test-SvcSettings -SettingsObject (Get-Document -Wrong) -Quiet | Should -BeFalse
        Test-SvcSettings -SettingsObject (Get-Document -Wrong) -Quiet -ErrorAction Stop | Should -BeFalse
    }

    It 'is an error where the documents cannot be tested, also with -Quiet' {
        $file = [IO.Path]::Combine($TestDrive, 'none.yml')
        $said = Get-LibraryError -Command 'Test-SvcSettings' -Request @{ settingsFiles = @($file) }
        foreach ($quiet in $true, $false) {
            $record = try { Test-SvcSettings -SettingsFile $file -Quiet:$quiet } catch { $_ }
            Assert-LibraryError -Record $record -Said $said -Command 'Test-SvcSettings'
        }
    }
}
