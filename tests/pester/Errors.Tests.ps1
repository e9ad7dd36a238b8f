BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe 'Errors' {
    BeforeEach { $state = Use-LocalCloud -Folder $TestDrive }

    AfterAll { Clear-SvcContext }

    Context 'with text that a terminal or a pipeline would carry out' {
        It 'are escaped in the message and as they are in the findings' {
            $file = [IO.Path]::Combine($TestDrive, 'hostile.yml')
            [IO.File]::WriteAllText($file, "location: UK South`nresourceGroupName: Pester`nstorageAccounts:`n  - storageAccountName: Pester`n    accountType: ""Sta\e[2Jndrd\u202E\n::error::x ##vso[y]""`n")
            $record = try { New-SvcIaasStorage -SettingsFile $file 6>$null } catch [SvcDeploy.DeploymentException] { $_ }
            $record.Exception.Message.Contains("'Sta\u{1b}[2Jndrd\u{202e}`n\u{3a}:error::x \u{23}#vso[y]'") | Should -BeTrue
            $record.Exception.Findings[0].Message.Contains("'Sta`e[2Jndrd`u{202e}`n::error::x ##vso[y]'") | Should -BeTrue
        }
    }

    Context 'in a settings file' {
        BeforeAll {
            $file = [IO.Path]::Combine($TestDrive, 'wrong.yml')
            [IO.File]::WriteAllText($file, "location: UK South`nresourceGroupName: Pester`nstorageAcounts: []`nstorageAccounts:`n  - storageAccountName: Pester`n    accountType: Standrd`n")
        }

        BeforeEach {
            $record = try { New-SvcIaasStorage -SettingsFile $file 6>$null } catch [SvcDeploy.DeploymentException] { $_ }
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

        It 'are at most 20 in the message, and all in the property' {
            $settings = Get-StorageSettings -Name (1..30 | ForEach-Object { "Account$_" })
            foreach ($account in $settings['storageAccounts']) { $account['accountType'] = 'Standrd' }
            $many = try { New-SvcIaasStorage -SettingsObject $settings 6>$null } catch [SvcDeploy.DeploymentException] { $_ }
            $many.Exception.Findings.Count | Should -Be 30
            @($many.Exception.Message -split "`n" -match '^\[[0-9]+\] ').Count | Should -Be 20
        }

        It 'have an exception that a stand-in can throw' {
            [SvcDeploy.DeploymentException]::new('mock').Message | Should -Be 'mock'
        }

        It 'are numbered in the message, each on a line of its own' {
            $record.Exception.Message | Should -Match "`n\[1\] "
            $record.Exception.Message | Should -Match "`n\[2\] "
        }

        It 'have a view' {
            $shown = $record.Exception.Findings | Out-String -Width 200
            foreach ($finding in $record.Exception.Findings) { $shown | Should -Match ([regex]::Escape("$($finding.File):$($finding.Line):$($finding.Column): ")) }
        }

        It 'are those of the command in the position of the error' {
            $record.InvocationInfo.MyCommand.Name | Should -Be 'New-SvcIaasStorage'
        }
    }

    It 'tell the file that does not exist' {
        $missing = [IO.Path]::Combine($TestDrive, 'missing.yml')
        $record = try { New-SvcIaasStorage -SettingsFile $missing 6>$null } catch { $_ }
        $record.CategoryInfo.Category | Should -Be 'ObjectNotFound'
        $record.Exception.Message | Should -BeLike '*missing.yml*'
    }

    It 'of settings that are an object have a path instead of a place' {
        $settings = Get-StorageSettings
        $settings['storageAccounts'][0]['accountType'] = 'Standrd'
        $record = try { New-SvcIaasStorage -SettingsObject $settings 6>$null } catch { $_ }
        $record.Exception.Findings.Count | Should -Be 1
        $record.Exception.Findings[0].Line | Should -BeNullOrEmpty
        $record.Exception.Findings[0].Path | Should -Be 'storageAccounts[0].accountType'
    }

    Context 'of one resource' {
        BeforeEach {
            # Names of accounts are worldwide: another subscription has this one.
            [void] (New-SvcIaasStorage -SettingsObject (Get-StorageSettings -Name 'First') 6>$null)
            Set-SvcContext -SubscriptionId '22222222-2222-2222-2222-222222222222'
            $settings = Get-StorageSettings -Name 'First', 'Second'
        }

        It 'do not keep the others from being deployed' {
            $problems = $null
            $deployed = $null
            $last = try { [void] (New-SvcIaasStorage -SettingsObject $settings -ErrorAction SilentlyContinue -ErrorVariable problems -OutVariable deployed 6>$null) } catch { $_ }
            $deployed.Name | Should -Contain 'stsecond10d0b2b3'
            $deployed.Name | Should -Not -Contain 'stfirst06c9b76d'
            $records = @($problems | Where-Object { $_ -is [Management.Automation.ErrorRecord] -and $_.FullyQualifiedErrorId -like 'StorageAccountAlreadyTaken*,New-SvcIaasStorage' })
            $records.Count | Should -Be 1
            $records[0].Exception.ResourceId | Should -BeLike '*/stfirst06c9b76d'
            $last.FullyQualifiedErrorId | Should -Be 'DeploymentFailed,New-SvcIaasStorage'
        }

        It 'end the command with one that has what failed and what was done' {
            $last = try { New-SvcIaasStorage -SettingsObject $settings -ErrorAction SilentlyContinue 6>$null } catch [SvcDeploy.DeploymentException] { $_ }
            $last.Exception.Code | Should -Be 'DeploymentFailed'
            # They stand above it on the screen.
            $last.Exception.Message | Should -Not -Match '\[1\]'
            $last.Exception.Failures.Count | Should -Be 1
            $last.Exception.Failures[0].PSTypeNames[0] | Should -Be 'Svc.Failure'
            $last.Exception.Failures[0].Code | Should -BeLike 'StorageAccountAlreadyTaken*'
            $last.Exception.Failures[0].ResourceId | Should -BeLike '*/stfirst06c9b76d'
            $last.Exception.Failures[0].Message | Should -Not -BeNullOrEmpty
            $last.Exception.Done.Name | Should -Contain 'stsecond10d0b2b3'
            $last.Exception.Done[0].PSTypeNames[0] | Should -Be 'Svc.DeployedResource'
        }

        It 'are told by the last one, numbered, under <How>' -ForEach @(
            @{ How = '-ErrorAction Stop'; Line = { param($Settings) New-SvcIaasStorage -SettingsObject $Settings -ErrorAction Stop } }
            @{ How = '$ErrorActionPreference of the caller'; Line = { param($Settings) $ErrorActionPreference = 'Stop'; New-SvcIaasStorage -SettingsObject $Settings } }
        ) {
            $last = try { [void] (& $Line $settings 6>$null) } catch [SvcDeploy.DeploymentException] { $_ }
            $last.FullyQualifiedErrorId | Should -Be 'DeploymentFailed,New-SvcIaasStorage'
            $last.Exception.Message | Should -Match "`n\[1\] .*stfirst06c9b76d"
            $last.Exception.Failures.Count | Should -Be 1
            $last.Exception.Done.Name | Should -Contain 'stsecond10d0b2b3'
        }

        It 'are written each, and the session goes on, in a script that catches nothing' {
            $session = Invoke-Session -Parameters @{ Module = Get-ModuleManifest; State = $state; Settings = $settings } -Script {
                param($Module, $State, $Settings)
                $ErrorActionPreference = 'Continue'
                Import-Module $Module
                Set-SvcContext -Cloud local -SubscriptionId '22222222-2222-2222-2222-222222222222' -LocalStateFile $State
                New-SvcIaasStorage -SettingsObject $Settings
                'after'
            }
            $session.Output | Should -Contain 'after'
            @($session.Errors | Where-Object { $_.FullyQualifiedErrorId -like 'StorageAccountAlreadyTaken*' }).Count | Should -Be 1
            @($session.Errors | Where-Object { $_.FullyQualifiedErrorId -like 'DeploymentFailed*' }).Count | Should -Be 1
            $session.Errors[0].FullyQualifiedErrorId | Should -BeLike 'StorageAccountAlreadyTaken*'
            $session.Errors[-1].FullyQualifiedErrorId | Should -Be 'DeploymentFailed,New-SvcIaasStorage'
            # The sum stands between them: the resource and its group were made.
            @($session.Lines -match '^2 created, 1 failed in [0-9.]+ s\.$').Count | Should -Be 1
        }

        It 'come after everything else was done, and the last one after them' {
            $output = @(
                try { New-SvcIaasStorage -SettingsObject $settings -ErrorAction Continue 2>&1 6>$null } catch { $_ }
            )
            $kinds = $output | ForEach-Object { if ($_ -is [Management.Automation.ErrorRecord]) { ($_.FullyQualifiedErrorId -split ',')[0] } else { 'resource' } }
            $kinds | Should -Be @('resource', 'resource', 'StorageAccountAlreadyTaken', 'DeploymentFailed')
        }

        It 'are seen by <How>' -ForEach @(
            @{ How = '$?'; Line = 'New-SvcIaasStorage -SettingsObject $Settings 2>$null; $succeeded = $?; "seen $(-not $succeeded)"' }
            @{ How = 'a trap'; Line = 'trap { "seen $($_.Exception.Code -eq "DeploymentFailed")"; continue }; New-SvcIaasStorage -SettingsObject $Settings 2>$null' }
            @{ How = '$Error'; Line = 'New-SvcIaasStorage -SettingsObject $Settings 2>$null; "seen $($Error[0].Exception.Code -eq "DeploymentFailed")"' }
        ) {
            $session = Invoke-Session -Parameters @{ Module = Get-ModuleManifest; State = $state; Settings = $settings } -Script @"
param(`$Module, `$State, `$Settings)
Import-Module `$Module
Set-SvcContext -Cloud local -SubscriptionId '22222222-2222-2222-2222-222222222222' -LocalStateFile `$State
$Line
"@
            $session.Output | Should -Contain 'seen True'
        }

        It 'end a script with -ErrorAction Stop' {
            $file = [IO.Path]::Combine($TestDrive, 'stopping.yml')
            Write-StorageFile -Path $file -Name 'First', 'Second'
            $shown = Invoke-Process -Folder $TestDrive -Script @"
Import-Module '$(Get-ModuleManifest)'
Set-SvcContext -Cloud local -SubscriptionId '22222222-2222-2222-2222-222222222222' -LocalStateFile '$state'
New-SvcIaasStorage -SettingsFile '$file' -ErrorAction Stop
'went on'
"@
            $LASTEXITCODE | Should -Be 1
            $shown | Should -Not -Contain 'went on'
            # What is wrong with an argument ends it as well.
            $shown = Invoke-Process -Folder $TestDrive -Script @"
Import-Module '$(Get-ModuleManifest)'
New-SvcIaasStorage -SettingsObject 'text' -ErrorAction Stop
'went on'
"@
            $LASTEXITCODE | Should -Be 1
            $shown | Should -Not -Contain 'went on'
        }

        It 'are one record, in the position of the caller, with -ErrorAction Stop' {
            $before = $Error.Count
            $record = try { New-SvcIaasStorage -SettingsObject $settings -ErrorAction Stop 6>$null } catch [SvcDeploy.DeploymentException] { $_ }
            $Error.Count | Should -Be ($before + 1)
            $record.InvocationInfo.MyCommand.Name | Should -Be 'New-SvcIaasStorage'
        }

        It 'give a script that stops at errors an exit status' {
            $file = [IO.Path]::Combine($TestDrive, 'failing.yml')
            Write-StorageFile -Path $file -Name 'First', 'Second'
            [void] (Invoke-Process -Folder $TestDrive -Script @"
`$ErrorActionPreference = 'Stop'
Import-Module '$(Get-ModuleManifest)'
Set-SvcContext -Cloud local -SubscriptionId '22222222-2222-2222-2222-222222222222' -LocalStateFile '$state'
New-SvcIaasStorage -SettingsFile '$file'
exit 0
"@)
            $LASTEXITCODE | Should -Be 1
        }
    }
}

Describe 'Credentials' {
    BeforeAll {
        # The error of a run on the public cloud with these variables. Nobody is asked for a token.
        function Get-CredentialError {
            param([hashtable] $Variables)
            $all = @{ AZURE_TOKEN_CREDENTIALS = 'EnvironmentCredential'; AZURE_CLIENT_SECRET = ''; AZURE_CLIENT_CERTIFICATE_PATH = '' }
            foreach ($name in $Variables.Keys) { $all[$name] = $Variables[$name] }
            $before = @{}
            foreach ($name in $all.Keys) { $before[$name] = [Environment]::GetEnvironmentVariable($name) }
            Clear-SvcContext
            Set-SvcContext -Cloud public -SubscriptionId '11111111-1111-1111-1111-111111111111'
            Push-Location -LiteralPath $TestDrive
            try {
                foreach ($name in $all.Keys) { [Environment]::SetEnvironmentVariable($name, $all[$name]) }
                try { New-SvcIaasStorage -SettingsObject (Get-StorageSettings) 6>$null } catch { $_ }
            }
            finally {
                Pop-Location
                foreach ($name in $before.Keys) { [Environment]::SetEnvironmentVariable($name, $before[$name]) }
            }
        }

        $application = @{ AZURE_TENANT_ID = '11111111-1111-1111-1111-111111111111'; AZURE_CLIENT_ID = '22222222-2222-2222-2222-222222222222' }
    }

    AfterAll { Clear-SvcContext }

    It 'that are missing are an error that says what was looked for' {
        $record = Get-CredentialError -Variables @{}
        $record.FullyQualifiedErrorId | Should -Be 'CredentialUnavailable,New-SvcIaasStorage'
        $record.CategoryInfo.Category | Should -Be 'SecurityError'
        $record.Exception.Message | Should -BeLike '*neither AZURE_CLIENT_SECRET nor AZURE_CLIENT_CERTIFICATE_PATH is set*'
        $record.ErrorDetails.RecommendedAction | Should -BeLike '*Connect-AzAccount*'
    }

    It 'are no certificate where <Case>' -ForEach @(
        @{ Case = 'the file is missing'; Name = 'missing.pem'; Bytes = $null; Message = '*does not exist*'; Advice = '*AZURE_CLIENT_CERTIFICATE_PATH*PEM*' }
        @{ Case = 'it is a PFX file'; Name = 'deployer.pfx'; Bytes = [byte[]] (0x30, 0x82, 0x0a, 0x10, 0x02, 0x01, 0x03, 0x30, 0x82); Message = '*is a PFX file*'; Advice = '*openssl pkcs12*' }
    ) {
        $file = [IO.Path]::Combine("$TestDrive", $Name)
        if ($Bytes) { [IO.File]::WriteAllBytes($file, $Bytes) }
        # A relative path starts where the session stands.
        $record = Get-CredentialError -Variables ($application + @{ AZURE_CLIENT_CERTIFICATE_PATH = $Name })
        $record.FullyQualifiedErrorId | Should -Be 'CredentialRefused,New-SvcIaasStorage'
        $record.Exception.Message | Should -BeLike $Message
        $record.Exception.Message.Contains($file) | Should -BeTrue
        $record.ErrorDetails.RecommendedAction | Should -BeLike $Advice
    }
}
