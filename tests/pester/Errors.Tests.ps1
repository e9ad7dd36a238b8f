BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe 'Errors' {
    BeforeEach { $state = Use-LocalCloud -Folder $TestDrive }

    AfterAll { Clear-SvcContext }

    Context 'in a settings file' {
        BeforeAll {
            $file = [IO.Path]::Combine($TestDrive, 'wrong.yml')
            [IO.File]::WriteAllText($file, "location: UK South`nresourceGroupName: Pester`nstorageAcounts: []`nstorageAccounts:`n  - storageAccountName: Pester`n    accountType: Standrd`n")
        }

        BeforeEach {
            $record = try { New-SvcIaasStorage -SettingsFile $file } catch [SvcDeploy.DeploymentException] { $_ }
        }

        It 'are one typed error with a code and a category' {
            $record.FullyQualifiedErrorId | Should -Be 'SettingsInvalid,New-SvcIaasStorage'
            $record.Exception.Code | Should -Be 'SettingsInvalid'
            $record.CategoryInfo.Category | Should -Be 'InvalidData'
            $record.Exception.ResourceId | Should -BeNullOrEmpty
        }

        It 'are listed with their places' {
            $findings = $record.Exception.Findings
            $findings.Count | Should -Be 2
            $findings[0].PSTypeNames[0] | Should -Be 'Svc.Finding'
            $findings[0].File | Should -BeLike '*wrong.yml'
            $findings[0].Line | Should -Be 3
            $findings[0].Column | Should -Be 1
            $findings[0].Message | Should -BeLike '*storageAccounts*'
            $findings[1].Line | Should -Be 6
            $findings[1].Path | Should -Be 'storageAccounts[0].accountType'
            $findings[1].Code | Should -Not -BeNullOrEmpty
        }

        It 'are numbered in the message, each on a line of its own' {
            $record.Exception.Message | Should -Match "`n\[1\] "
            $record.Exception.Message | Should -Match "`n\[2\] "
        }

        It 'have a view' {
            $shown = $record.Exception.Findings | Out-String -Width 200
            $shown | Should -Match 'Line +Column +Path +Message'
            $shown | Should -Match '6 .*storageAccounts\[0\]\.accountType'
        }

        It 'are those of the command in the position of the error' {
            $record.InvocationInfo.MyCommand.Name | Should -Be 'New-SvcIaasStorage'
        }
    }

    It 'tell the file that does not exist' {
        $missing = [IO.Path]::Combine($TestDrive, 'missing.yml')
        $record = try { New-SvcIaasStorage -SettingsFile $missing } catch { $_ }
        $record.CategoryInfo.Category | Should -Be 'ObjectNotFound'
        $record.Exception.Message | Should -BeLike '*missing.yml*'
    }

    It 'of settings that are an object have a path instead of a place' {
        $settings = Get-StorageSettings
        $settings['storageAccounts'][0]['accountType'] = 'Standrd'
        $record = try { New-SvcIaasStorage -SettingsObject $settings } catch { $_ }
        $record.Exception.Findings.Count | Should -Be 1
        $record.Exception.Findings[0].Line | Should -BeNullOrEmpty
        $record.Exception.Findings[0].Path | Should -Be 'storageAccounts[0].accountType'
    }

    Context 'of one resource' {
        BeforeEach {
            # Names of accounts are worldwide: another subscription has this one.
            [void] (New-SvcIaasStorage -SettingsObject (Get-StorageSettings -Name 'First'))
            Set-SvcContext -SubscriptionId '22222222-2222-2222-2222-222222222222'
            $settings = Get-StorageSettings -Name 'First', 'Second'
        }

        It 'do not keep the others from being deployed' {
            $deployed = New-SvcIaasStorage -SettingsObject $settings -ErrorAction SilentlyContinue -ErrorVariable problems
            $deployed.Name | Should -Contain 'stsecond10d0b2b3'
            $deployed.Name | Should -Not -Contain 'stfirst06c9b76d'
            $records = @($problems | Where-Object { $_ -is [Management.Automation.ErrorRecord] })
            $records[0].FullyQualifiedErrorId | Should -BeLike 'StorageAccountAlreadyTaken*,New-SvcIaasStorage'
            $records[0].Exception.ResourceId | Should -BeLike '*/stfirst06c9b76d'
        }

        It 'end the command with -ErrorAction Stop' {
            { New-SvcIaasStorage -SettingsObject $settings -ErrorAction Stop } | Should -Throw -ExceptionType ([SvcDeploy.DeploymentException])
        }

        It 'end the command when $ErrorActionPreference of the caller says so' {
            {
                $ErrorActionPreference = 'Stop'
                New-SvcIaasStorage -SettingsObject $settings
            } | Should -Throw -ExceptionType ([SvcDeploy.DeploymentException])
        }
    }
}
