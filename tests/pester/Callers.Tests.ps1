BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe 'Callers' {
    BeforeEach { $state = Use-LocalCloud -Folder $TestDrive }

    AfterAll { Clear-SvcContext }

    Context 'with -Debug' {
        It 'are asked nothing' {
            $parameters = @{ Module = Get-ModuleManifest; State = $state; Settings = Get-StorageSettings }
            $session = Invoke-Session -Parameters $parameters -Script {
                param($Module, $State, $Settings)
                Import-Module $Module
                Set-SvcContext -Cloud local -SubscriptionId ([guid]::NewGuid()) -LocalStateFile $State
                # Leaving tags out is a warning.
                New-SvcIaasStorage -SettingsObject $Settings -OmitTags -Debug
            }
            $session.Prompts.Count | Should -Be 0
            $session.Output.Count | Should -Be (Get-StorageCount)
            $session.Warnings.Count | Should -BeGreaterThan 0
        }

        It 'deploy to the end where nobody can be asked' {
            $file = [IO.Path]::Combine($TestDrive, 'debug.yml')
            Write-StorageFile -Path $file
            $shown = Invoke-Process -Folder $TestDrive -Script @"
Import-Module '$(Get-ModuleManifest)'
Set-SvcContext -Cloud local -SubscriptionId ([guid]::NewGuid()) -LocalStateFile '$state'
"done `$(@(New-SvcIaasStorage -SettingsFile '$file' -Debug 5>`$null).Count)"
"@
            $shown | Should -Contain "done $(Get-StorageCount)"
        }

        It 'still get warnings in a variable' {
            $warnings = $null
            [void] (New-SvcIaasStorage -SettingsObject (Get-StorageSettings) -OmitTags -WarningVariable warnings -WarningAction SilentlyContinue 6>$null)
            @($warnings).Count | Should -BeGreaterThan 0
        }
    }

    Context 'with a pipeline' {
        It 'catch by its type what the next command throws' {
            $caught = try {
                New-SvcIaasStorage -SettingsObject (Get-StorageSettings) 6>$null | ForEach-Object { throw [IO.FileNotFoundException]::new('downstream') }
            }
            catch [IO.FileNotFoundException] { 'by type' }
            catch { "wrapped: $($_.Exception.GetType().FullName)" }
            $caught | Should -Be 'by type'
        }

        It 'catch by its type what the next command throws for a planned action' {
            $caught = try {
                New-SvcIaasStorage -SettingsObject (Get-StorageSettings) -WhatIf 6>$null | ForEach-Object { throw [IO.FileNotFoundException]::new('downstream') }
            }
            catch [IO.FileNotFoundException] { 'by type' }
            catch { "wrapped: $($_.Exception.GetType().FullName)" }
            $caught | Should -Be 'by type'
        }

        It 'leave the loop that they mean with <Word>, and the run ends there<What>' -ForEach @(
            @{ Word = 'break'; What = ''; Dry = $false; Expected = @('loop 1') }
            @{ Word = 'continue'; What = ''; Dry = $false; Expected = 'loop 1', 'loop 2' }
            @{ Word = 'break'; What = ' with -WhatIf'; Dry = $true; Expected = @('loop 1') }
            @{ Word = 'continue'; What = ' with -WhatIf'; Dry = $true; Expected = 'loop 1', 'loop 2' }
        ) {
            $settings = Get-StorageSettings -Name 'First', 'Second', 'Third'
            $seen = [Collections.Generic.List[string]]::new()
            foreach ($number in 1, 2) {
                $seen.Add("loop $number")
                if ('break' -eq $Word) { New-SvcIaasStorage -SettingsObject $settings -WhatIf:$Dry 6>$null | ForEach-Object { break } }
                else { New-SvcIaasStorage -SettingsObject $settings -WhatIf:$Dry 6>$null | ForEach-Object { continue } }
                $seen.Add('behind it')
            }
            $seen | Should -Be $Expected
            # The group comes first, and nothing was begun after the run was left; what was under way then is done all the same.
            $left = @(New-SvcIaasStorage -SettingsObject $settings -WhatIf 6>$null)
            $count = Get-StorageCount -Name 'First', 'Second', 'Third'
            if ($Dry) { $left.Count | Should -Be $count } else { $left.Count | Should -BeLessThan $count }
        }

        It 'leave a loop by its label' {
            $seen = [Collections.Generic.List[int]]::new()
            :outer foreach ($number in 1, 2) {
                $seen.Add($number)
                foreach ($other in 1, 2) { New-SvcIaasStorage -SettingsObject (Get-StorageSettings) -WhatIf 6>$null | ForEach-Object { break 'outer' } }
            }
            $seen | Should -Be @(1)
        }

        It 'hand over what Resolve-Path returns' {
            $file = [IO.Path]::Combine($TestDrive, 'resolved.yml')
            Write-StorageFile -Path $file
            (Resolve-Path -LiteralPath $file | New-SvcIaasStorage -WhatIf 6>$null).Name | Should -Contain (Get-StorageName)
        }

        It 'are told of a folder in the place of a file' {
            $folder = [IO.Directory]::CreateDirectory([IO.Path]::Combine($TestDrive, 'folder')).FullName
            { New-SvcIaasStorage -SettingsFile $folder -WhatIf } | Should -Throw -ErrorId 'SettingsFileIsFolder,New-SvcIaasStorage' -ExpectedMessage '*is a folder*'
        }

        It 'hand over folders: each is an error, and the files are deployed' {
            $folder = [IO.Path]::Combine($TestDrive, 'settings')
            [void] [IO.Directory]::CreateDirectory([IO.Path]::Combine($folder, '_tags'))
            Write-StorageFile -Path ([IO.Path]::Combine($folder, 'storage.yml'))
            $problems = $null
            $planned = Get-ChildItem -LiteralPath $folder | New-SvcIaasStorage -WhatIf -ErrorAction SilentlyContinue -ErrorVariable problems 6>$null
            $planned.Name | Should -Contain (Get-StorageName)
            @($problems).Count | Should -Be 1
            $problems[0].FullyQualifiedErrorId | Should -Be 'SettingsFileIsFolder,New-SvcIaasStorage'
            $problems[0].Exception.Message | Should -BeLike '*_tags* is a folder*'
        }
    }

    Context 'with objects' {
        It 'may have a switch in them: <_>' -ForEach $true, $false {
            $settings = Get-StorageSettings
            $settings['storageAccounts'][0]['supportsHttpsTrafficOnly'] = [switch] $_
            $planned = New-SvcIaasStorage -SettingsObject $settings -WhatIf 6>$null
            $settings['storageAccounts'][0]['supportsHttpsTrafficOnly'] = $_
            $planned | ConvertTo-PlanText | Should -Be @(Get-LibraryPlan -Command 'New-SvcIaasStorage' -Settings $settings | ConvertTo-PlanText)
        }

        It 'may have them from a job' {
            $job = Start-Job -ScriptBlock {
                [pscustomobject]@{
                    location          = 'UK South'
                    resourceGroupName = 'Pester'
                    storageAccounts   = @([pscustomobject]@{ storageAccountName = 'Pester'; accountType = 'Standard'; supportsHttpsTrafficOnly = [switch] $true })
                }
            }
            try {
                $settings = $job | Receive-Job -Wait
                $settings.PSObject.Properties.Name | Should -Contain 'RunspaceId'
                (New-SvcIaasStorage -SettingsObject $settings -WhatIf 6>$null).Name | Should -Contain (Get-StorageName)
                ($settings | New-SvcIaasStorage -WhatIf 6>$null).Name | Should -Contain (Get-StorageName)
            }
            finally { Remove-Job -Job $job -Force }
        }

        It 'may have numbers and booleans from a job, and DBNull for nothing' {
            $job = Start-Job -ScriptBlock { $true; 'Standard' }
            try {
                $flag, $type = $job | Receive-Job -Wait
                $settings = Get-StorageSettings
                $settings['storageAccounts'][0]['supportsHttpsTrafficOnly'] = $flag
                $settings['storageAccounts'][0]['accountType'] = $type
                $settings['storageAccounts'][0]['queue'] = [DBNull]::Value
                $planned = New-SvcIaasStorage -SettingsObject $settings -WhatIf 6>$null
                $plain = Get-StorageSettings
                $plain['storageAccounts'][0]['supportsHttpsTrafficOnly'] = $true
                $planned | ConvertTo-PlanText | Should -Be @(Get-LibraryPlan -Command 'New-SvcIaasStorage' -Settings $plain | ConvertTo-PlanText)
            }
            finally { Remove-Job -Job $job -Force }
        }

        It 'are told what no settings can hold: <Name>' -ForEach @(
            @{ Name = 'a script block'; Value = { 1 }; Message = "*'location' is a ScriptBlock,*" }
            @{ Name = 'a time span'; Value = [timespan] '01:00:00'; Message = "*'location' is a TimeSpan,*" }
            @{ Name = 'XML'; Value = [xml] '<a/>'; Message = "*'location' is a XmlDocument,*" }
            @{ Name = 'an element of JSON'; Value = [Text.Json.JsonDocument]::Parse('{}').RootElement; Message = "*'location' is a JsonElement,*" }
            @{ Name = 'two keys that are one'; Value = @{ 1 = 'a'; '1' = 'b' }; Message = "*two keys are 'location.1' as text*" }
        ) {
            $settings = Get-StorageSettings
            $settings['location'] = $Value
            { New-SvcIaasStorage -SettingsObject $settings -WhatIf } | Should -Throw -ErrorId 'SettingsObjectNotPlainData,New-SvcIaasStorage' -ExpectedMessage $Message
        }

        It 'are told of a setting that cannot be read' {
            $settings = [pscustomobject] (Get-StorageSettings)
            $settings | Add-Member -MemberType ScriptProperty -Name tags -Value { throw 'no such tags' }
            { New-SvcIaasStorage -SettingsObject $settings -WhatIf } | Should -Throw -ErrorId 'SettingsObjectNotPlainData,New-SvcIaasStorage' -ExpectedMessage "*'tags' cannot be read: no such tags*"
        }

        It 'may share an object' {
            $shared = @{ name = 'x' }
            foreach ($level in 1..16) { $shared = @{ left = $shared; right = $shared } }
            $copies = InModuleScope -ModuleName SvcDeploy -Parameters @{ Shared = $shared } -ScriptBlock {
                param($Shared)
                $copies = [Collections.Generic.Dictionary[object, object]]::new([Collections.Generic.ReferenceEqualityComparer]::Instance)
                [void] (ConvertTo-SvcModulePlainData -Value $Shared -Place '' -Depth 0 -Copies $copies)
                $copies.Count
            }
            $copies | Should -Be 17
        }

        It 'keep a list of one a list' {
            $settings = Get-StorageSettings
            $settings['storageAccounts'][0]['queue'] = @('incoming')
            New-SvcIaasStorage -SettingsObject $settings -WhatIf 6>$null | ConvertTo-PlanText |
                Should -Be @(Get-LibraryPlan -Command 'New-SvcIaasStorage' -Settings $settings | ConvertTo-PlanText)
        }

        It 'may have a single item in the place of a list, as PowerShell unrolls lists of one' {
            $accounts = foreach ($name in @('Pester')) { @{ storageAccountName = $name; accountType = 'Standard'; queue = 'incoming' } }
            ($accounts -is [hashtable]) | Should -BeTrue
            $unrolled = @{ location = 'UK South'; resourceGroupName = 'Pester'; storageAccounts = $accounts }
            $settings = Get-StorageSettings
            $settings['storageAccounts'][0]['queue'] = @('incoming')
            New-SvcIaasStorage -SettingsObject $unrolled -WhatIf 6>$null | ConvertTo-ActionText |
                Should -Be @(Get-LibraryPlan -Command 'New-SvcIaasStorage' -Settings $settings | ConvertTo-ActionText)
        }

        It 'are told what is wrong in a single item where it is written' {
            $settings = @{ location = 'UK South'; resourceGroupName = 'Pester'; storageAccounts = @{ storageAccountName = 'Pester'; accountType = 'Standrd' } }
            $record = try { New-SvcIaasStorage -SettingsObject $settings -WhatIf 6>$null } catch { $_ }
            Assert-LibraryError -Record $record -Said (Get-LibraryError -Command 'New-SvcIaasStorage' -Settings $settings -WhatIf) -Command 'New-SvcIaasStorage'
        }

        It 'are told of one that holds itself at once' {
            $settings = [pscustomobject]@{ location = 'UK South'; left = $null; right = $null }
            $settings.left = $settings
            $settings.right = $settings
            { New-SvcIaasStorage -SettingsObject $settings -WhatIf } | Should -Throw -ErrorId 'SettingsObjectNotPlainData,New-SvcIaasStorage' -ExpectedMessage '*holds itself*'
        }
    }

    It 'may have aliases named like what the helpers do, without the mark of the module' {
        $aliases = @((Get-Module -Name SvcDeploy).Invoke({ Get-ChildItem -Path 'Function:*-SvcModule*' }).Name -replace '-SvcModule', '-')
        $aliases.Count | Should -BeGreaterThan 0
        $shown = Invoke-Process -Folder $TestDrive -Script @"
'$($aliases -join "','")' | ForEach-Object { Set-Alias -Name `$_ -Value Write-Error -Scope Global }
Import-Module '$(Get-ModuleManifest)'
Set-SvcContext -Cloud local -SubscriptionId ([guid]::NewGuid()) -LocalStateFile '$state'
"done `$(@(New-SvcIaasStorage -SettingsObject @{ location = 'UK South'; resourceGroupName = 'Pester'; storageAccounts = @() }).Count)"
"@
        $shown | Should -Contain "done $(Get-StorageCount -Name @())"
    }

    It 'may have commands of the names that the module uses' {
        $shown = Invoke-Process -Folder $TestDrive -Script @"
function global:ConvertTo-Json { throw 'mine' }
function global:ConvertFrom-Json { throw 'mine' }
function global:Write-Verbose { throw 'mine' }
function global:Select-Object { throw 'mine' }
Import-Module '$(Get-ModuleManifest)'
Set-SvcContext -Cloud local -SubscriptionId ([guid]::NewGuid()) -LocalStateFile '$state'
"done `$(@(New-SvcIaasStorage -SettingsObject @{ location = 'UK South'; resourceGroupName = 'Pester'; storageAccounts = @() } -Verbose 4>`$null).Count)"
"@
        $shown | Should -Contain "done $(Get-StorageCount -Name @())"
    }
}
