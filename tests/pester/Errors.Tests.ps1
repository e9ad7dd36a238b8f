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
            $said = Get-LibraryError -Command 'New-SvcIaasStorage' -Settings $file
            $said['message'] | Should -Match "[`e`u{202e}]"
            $record.Exception.Message | Should -Be ([SvcDeploy.ShownText]::Of($said['message']))
            $record.Exception.Message | Should -Not -Match "[`e`u{202e}]|(?m)^::|##vso"
            $record.Exception.Findings[0].Message | Should -Be $said['findings'][0]['message']
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
            Assert-LibraryError -Record $record -Said (Get-LibraryError -Command 'New-SvcIaasStorage' -Settings $file) -Command 'New-SvcIaasStorage'
        }

        It 'are listed with their places' {
            $findings = $record.Exception.Findings
            $said = @((Get-LibraryError -Command 'New-SvcIaasStorage' -Settings $file)['findings'])
            $said.Count | Should -BeGreaterThan 1
            $findings.Count | Should -Be $said.Count
            for ($index = 0; $index -lt $said.Count; $index++) {
                $findings[$index].PSTypeNames[0] | Should -Be 'Svc.Finding'
                foreach ($name in 'file', 'line', 'column', 'path', 'code', 'message') { $findings[$index].$name | Should -Be $said[$index][$name] -Because $name }
            }
        }

        It 'are at most 20 in the message, and all in the property' {
            $settings = Get-StorageSettings -Name (1..30 | ForEach-Object { "Account$_" })
            foreach ($account in $settings['storageAccounts']) { $account['accountType'] = 'Standrd' }
            $many = try { New-SvcIaasStorage -SettingsObject $settings 6>$null } catch [SvcDeploy.DeploymentException] { $_ }
            $said = Get-LibraryError -Command 'New-SvcIaasStorage' -Settings $settings
            $said['findings'].Count | Should -BeGreaterThan 20
            $many.Exception.Findings.Count | Should -Be $said['findings'].Count
            # What the library says, up to the twenty-first, and where the others are.
            $shown = $said['message'].Substring(0, $said['message'].IndexOf("`n[21] "))
            $many.Exception.Message.StartsWith($shown) | Should -BeTrue
            $many.Exception.Message.Substring($shown.Length) | Should -Match '^\n.*Findings.*$'
        }

        It 'have an exception that a stand-in can throw' {
            [SvcDeploy.DeploymentException]::new('mock').Message | Should -Be 'mock'
        }

        It 'have a view' {
            $shown = $record.Exception.Findings | Out-String -Width 200
            foreach ($finding in $record.Exception.Findings) { $shown | Should -Match ([regex]::Escape("$($finding.File):$($finding.Line):$($finding.Column): ")) }
        }

        It 'are one record in a transcript' {
            $log = [IO.Path]::Combine($TestDrive, 'transcript.txt')
            $shown = Invoke-Process -Folder $TestDrive -Script @"
Import-Module '$(Get-ModuleManifest)'
Set-SvcContext -Cloud local -SubscriptionId ([guid]::NewGuid()) -LocalStateFile '$state'
[void] (Start-Transcript -LiteralPath '$log')
try { New-SvcIaasStorage -SettingsFile '$file' } catch { 'caught' }
[void] (Stop-Transcript)
"@
            $shown | Should -Contain 'caught'
            [regex]::Matches([IO.File]::ReadAllText($log), 'TerminatingError\(').Count | Should -Be 1
        }

        It 'are those of the command in the position of the error' {
            $record.InvocationInfo.MyCommand.Name | Should -Be 'New-SvcIaasStorage'
        }
    }

    It 'are one record in a transcript where <What>' -ForEach @(
        @{ What = 'a document is a folder'; Line = 'New-SvcIaasStorage -SettingsFile .' }
        @{ What = 'a path is no file'; Line = 'New-SvcIaasStorage -SettingsFile Env:PATH' }
        @{ What = 'an object is no plain data'; Line = 'New-SvcIaasStorage -SettingsObject @{ a = @{ b = @{ c = [timespan]::Zero } } }' }
        @{ What = 'an environment has no such document'; Line = 'New-SvcDeployment -SettingsFile ./nothing-*.yml' }
        @{ What = 'a member of the context is refused'; Line = "Set-SvcContext -Cloud 'nowhere'" }
        @{ What = 'no such member is there'; Line = "Clear-SvcContext -Name 'Colour'" }
        @{ What = 'an export has no file'; Line = "Export-SvcSettings storage 'rg-any' -Names" }
        @{ What = 'a template has no file'; Line = 'Export-SvcTemplate -SettingsFile Env:PATH' }
    ) {
        $log = [IO.Path]::Combine($TestDrive, 'refused.txt')
        $shown = Invoke-Process -Folder $TestDrive -Script @"
Import-Module '$(Get-ModuleManifest)'
[void] (Start-Transcript -LiteralPath '$log')
try { $Line } catch { 'caught' }
[void] (Stop-Transcript)
"@
        $shown | Should -Contain 'caught'
        [regex]::Matches([IO.File]::ReadAllText($log), 'TerminatingError\(').Count | Should -Be 1
        Remove-Item -LiteralPath $log
    }

    It 'end the script under -ErrorAction Stop where an argument is refused' {
        $shown = Invoke-Process -Folder $TestDrive -Script @"
Import-Module '$(Get-ModuleManifest)'
New-SvcIaasStorage -SettingsFile . -ErrorAction Stop
'went on'
"@
        $shown | Should -Not -Contain 'went on'
    }

    It 'tell the file that does not exist' {
        $missing = [IO.Path]::Combine($TestDrive, 'missing.yml')
        $record = try { New-SvcIaasStorage -SettingsFile $missing 6>$null } catch { $_ }
        Assert-LibraryError -Record $record -Said (Get-LibraryError -Command 'New-SvcIaasStorage' -Settings $missing) -Command 'New-SvcIaasStorage'
    }

    It 'of settings that are an object have a path instead of a place' {
        $settings = Get-StorageSettings
        $settings['storageAccounts'][0]['accountType'] = 'Standrd'
        $record = try { New-SvcIaasStorage -SettingsObject $settings 6>$null } catch { $_ }
        Assert-LibraryError -Record $record -Said (Get-LibraryError -Command 'New-SvcIaasStorage' -Settings $settings) -Command 'New-SvcIaasStorage'
        $record.Exception.Findings[0].Line | Should -BeNullOrEmpty
    }

    Context 'of one resource' {
        BeforeEach { $cloud = Use-FailingCloud -Folder $TestDrive }

        It 'do not keep the others from being deployed' {
            $problems = $null
            $deployed = $null
            $last = try { [void] (New-SvcPaasWeb -SettingsFile $cloud.File -ErrorAction SilentlyContinue -ErrorVariable problems -OutVariable deployed 6>$null) } catch { $_ }
            # What does not depend on each other is made at the same time, in any order.
            $deployed | ConvertTo-ActionText | Sort-Object | Should -Be ($cloud.Done | ConvertTo-ActionText | Sort-Object)
            $records = @($problems | Where-Object { $_ -is [Management.Automation.ErrorRecord] -and $_.FullyQualifiedErrorId -eq "$($cloud.Failure['code']),New-SvcPaasWeb" })
            $records.Count | Should -Be 1
            $records[0].Exception.Message | Should -Be $cloud.Failure['message']
            $records[0].Exception.ResourceId | Should -Be $cloud.Failure['resourceId']
            $records[0].CategoryInfo.Category | Should -Be $cloud.Failure['category']
            $records[0].ErrorDetails.RecommendedAction | Should -Be $cloud.Failure['recommendation']
            $last.FullyQualifiedErrorId | Should -Be "$($cloud.Last['code']),New-SvcPaasWeb"
        }

        It 'end the command with one that has what failed and what was done' {
            $last = try { New-SvcPaasWeb -SettingsFile $cloud.File -ErrorAction SilentlyContinue 6>$null } catch [SvcDeploy.DeploymentException] { $_ }
            $last.Exception.Code | Should -Be $cloud.Last['code']
            # The single ones stand above it on the screen.
            $last.Exception.Message | Should -Be $cloud.Last['message']
            $last.Exception.Failures.Count | Should -Be 1
            $last.Exception.Failures[0].PSTypeNames[0] | Should -Be 'Svc.Failure'
            $last.Exception.Failures[0].Code | Should -Be $cloud.Failure['code']
            $last.Exception.Failures[0].ResourceId | Should -Be $cloud.Failure['resourceId']
            $last.Exception.Failures[0].Message | Should -Be $cloud.Failure['message']
            $last.Exception.Done | ConvertTo-ActionText | Sort-Object | Should -Be ($cloud.Done | ConvertTo-ActionText | Sort-Object)
            $last.Exception.Done[0].PSTypeNames[0] | Should -Be 'Svc.DeployedResource'
        }

        It 'are told by the last one, numbered, under <How>' -ForEach @(
            @{ How = '-ErrorAction Stop'; Line = { param($File) New-SvcPaasWeb -SettingsFile $File -ErrorAction Stop } }
            @{ How = '$ErrorActionPreference of the caller'; Line = { param($File) $ErrorActionPreference = 'Stop'; New-SvcPaasWeb -SettingsFile $File } }
        ) {
            $last = try { [void] (& $Line $cloud.File 6>$null) } catch [SvcDeploy.DeploymentException] { $_ }
            $last.FullyQualifiedErrorId | Should -Be "$($cloud.Last['code']),New-SvcPaasWeb"
            $last.Exception.Message.Contains("`n[1] ") | Should -BeTrue
            $last.Exception.Message.Contains($cloud.Failure['message']) | Should -BeTrue
            $last.Exception.Failures.Count | Should -Be 1
            $last.Exception.Done.Count | Should -Be $cloud.Done.Count
        }

        It 'are written each, and the session goes on, in a script that catches nothing' {
            $session = Invoke-Session -Parameters @{ Module = Get-ModuleManifest; State = $cloud.State; File = $cloud.File; SubscriptionId = (Get-SvcContext).SubscriptionId } -Script {
                param($Module, $State, $File, $SubscriptionId)
                $ErrorActionPreference = 'Continue'
                Import-Module $Module
                Set-SvcContext -Cloud local -SubscriptionId $SubscriptionId -LocalStateFile $State
                New-SvcPaasWeb -SettingsFile $File
                'after'
            }
            $session.Output | Should -Contain 'after'
            $session.Errors.FullyQualifiedErrorId | Should -Be @("$($cloud.Failure['code']),New-SvcPaasWeb", "$($cloud.Last['code']),New-SvcPaasWeb")
            # The sum is told as well.
            @($session.Lines -match "^$($cloud.Done.Count) created, 1 failed in [0-9.]+ s\.$").Count | Should -Be 1
        }

        It 'come after everything else was done, and the last one after them' {
            $output = @(
                try { New-SvcPaasWeb -SettingsFile $cloud.File -ErrorAction Continue 2>&1 6>$null } catch { $_ }
            )
            $kinds = $output | ForEach-Object { if ($_ -is [Management.Automation.ErrorRecord]) { ($_.FullyQualifiedErrorId -split ',')[0] } else { 'resource' } }
            $kinds | Should -Be (@('resource') * $cloud.Done.Count + $cloud.Failure['code'] + $cloud.Last['code'])
        }

        It 'are seen by <How>' -ForEach @(
            @{ How = '$?'; Line = 'New-SvcPaasWeb -SettingsFile $File 2>$null; $succeeded = $?; "seen $(-not $succeeded)"' }
            @{ How = 'a trap'; Line = 'trap { "seen $($_.Exception.Code -eq $Code)"; continue }; New-SvcPaasWeb -SettingsFile $File 2>$null' }
            @{ How = '$Error'; Line = 'New-SvcPaasWeb -SettingsFile $File 2>$null; "seen $($Error[0].Exception.Code -eq $Code)"' }
        ) {
            $session = Invoke-Session -Parameters @{ Module = Get-ModuleManifest; State = $cloud.State; File = $cloud.File; SubscriptionId = (Get-SvcContext).SubscriptionId; Code = $cloud.Last['code'] } -Script @"
param(`$Module, `$State, `$File, `$SubscriptionId, `$Code)
Import-Module `$Module
Set-SvcContext -Cloud local -SubscriptionId `$SubscriptionId -LocalStateFile `$State
$Line
"@
            $session.Output | Should -Contain 'seen True'
        }

        It 'end a script with -ErrorAction Stop' {
            $shown = Invoke-Process -Folder $TestDrive -Script @"
Import-Module '$(Get-ModuleManifest)'
Set-SvcContext -Cloud local -SubscriptionId '$((Get-SvcContext).SubscriptionId)' -LocalStateFile '$($cloud.State)'
New-SvcPaasWeb -SettingsFile '$($cloud.File)' -ErrorAction Stop
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
            $record = try { New-SvcPaasWeb -SettingsFile $cloud.File -ErrorAction Stop 6>$null } catch [SvcDeploy.DeploymentException] { $_ }
            $Error.Count | Should -Be ($before + 1)
            $record.InvocationInfo.MyCommand.Name | Should -Be 'New-SvcPaasWeb'
        }

        It 'give a script that stops at errors an exit status' {
            [void] (Invoke-Process -Folder $TestDrive -Script @"
`$ErrorActionPreference = 'Stop'
Import-Module '$(Get-ModuleManifest)'
Set-SvcContext -Cloud local -SubscriptionId '$((Get-SvcContext).SubscriptionId)' -LocalStateFile '$($cloud.State)'
New-SvcPaasWeb -SettingsFile '$($cloud.File)'
exit 0
"@)
            $LASTEXITCODE | Should -Be 1
        }
    }
}

Describe 'Credentials' {
    BeforeAll {
        # The error of a run on the public cloud with these variables, of the command or of the library. Nobody is asked for a token.
        function Get-CredentialError {
            param([hashtable] $Variables, [switch] $OfLibrary)
            $all = @{ AZURE_TOKEN_CREDENTIALS = 'EnvironmentCredential'; AZURE_CLIENT_SECRET = ''; AZURE_CLIENT_CERTIFICATE_PATH = '' }
            foreach ($name in $Variables.Keys) { $all[$name] = $Variables[$name] }
            $before = @{}
            foreach ($name in $all.Keys) { $before[$name] = [Environment]::GetEnvironmentVariable($name) }
            Clear-SvcContext
            Set-SvcContext -Cloud public -SubscriptionId '11111111-1111-1111-1111-111111111111'
            Push-Location -LiteralPath $TestDrive
            try {
                foreach ($name in $all.Keys) { [Environment]::SetEnvironmentVariable($name, $all[$name]) }
                if ($OfLibrary) { return Get-LibraryError -Command 'New-SvcIaasStorage' -Settings (Get-StorageSettings) }
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

    It 'that are missing are what the library says of them' {
        $record = Get-CredentialError -Variables @{}
        $said = Get-CredentialError -Variables @{} -OfLibrary
        Assert-LibraryError -Record $record -Said $said -Command 'New-SvcIaasStorage'
    }

    It 'are a file whose relative path starts where the session stands' {
        $record = Get-CredentialError -Variables ($application + @{ AZURE_CLIENT_CERTIFICATE_PATH = 'missing.pem' })
        $said = Get-CredentialError -Variables ($application + @{ AZURE_CLIENT_CERTIFICATE_PATH = [IO.Path]::Combine("$TestDrive", 'missing.pem') }) -OfLibrary
        Assert-LibraryError -Record $record -Said $said -Command 'New-SvcIaasStorage'
    }
}
