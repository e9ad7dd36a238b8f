BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe 'Deploying to the local cloud' {
    BeforeEach { $state = Use-LocalCloud -Folder $TestDrive }

    AfterAll { Clear-SvcContext }

    It 'writes an object for each resource' {
        $said = @(Get-LibraryMessage -Command 'New-SvcIaasStorage' -Settings (Get-StorageSettings) | Select-Message 'resource')
        $said.Count | Should -BeGreaterThan 1
        $deployed = @(New-SvcIaasStorage -SettingsObject (Get-StorageSettings) 6>$null)
        $deployed.Count | Should -Be $said.Count
        foreach ($resource in $deployed) {
            $message = $said | Where-Object { $resource.Id -eq $_['resourceId'] }
            $resource.PSTypeNames[0] | Should -Be 'Svc.DeployedResource'
            foreach ($name in 'action', 'type', 'label', 'name', 'fullName', 'resourceGroup') { $resource.$name | Should -Be $message[$name] -Because $name }
            $resource.Seconds | Should -BeGreaterOrEqual 0
        }
        # A table, also where Azure has told nothing.
        foreach ($resource in $deployed) { ($resource.Properties -is [hashtable]) | Should -BeTrue }
    }

    It 'does nothing the second time, and says so with -Verbose' {
        [void] (New-SvcIaasStorage -SettingsObject (Get-StorageSettings) 6>$null)
        $output = New-SvcIaasStorage -SettingsObject (Get-StorageSettings) -Verbose 6>$null 4>&1
        @($output | Where-Object { $_ -isnot [Management.Automation.VerboseRecord] }).Count | Should -Be 0
        @($output).Count | Should -BeGreaterThan 0
    }

    Context 'says on the information stream' {
        BeforeAll {
            # The lines of a command, without its objects.
            function Get-AllLine {
                param([hashtable] $Settings, [switch] $WhatIf)
                @(New-SvcIaasStorage -SettingsObject $Settings -WhatIf:$WhatIf 6>&1 | Where-Object { $_ -is [Management.Automation.InformationRecord] } | ForEach-Object { "$_" })
            }

            # Two runs do not take the same time.
            function Get-SentenceWithoutTime {
                param([string] $Text)
                $Text -replace ' \([0-9.]+ s\)\.$'
            }

            # What sums the run up.
            function Get-Line {
                param([hashtable] $Settings, [switch] $WhatIf)
                (Get-AllLine -Settings $Settings -WhatIf:$WhatIf)[-1]
            }
        }

        It 'once, first, what it deploys to<Dry>' -ForEach @{ Dry = ''; WhatIf = $false }, @{ Dry = ' with -WhatIf'; WhatIf = $true } {
            $lines = @(Get-AllLine -Settings (Get-StorageSettings) -WhatIf:$WhatIf)
            $said = Get-LibraryMessage -Command 'New-SvcIaasStorage' -Settings (Get-StorageSettings) -WhatIf | Select-Message 'target'
            $lines[0] | Should -Be $said['description']
            @($lines -eq $said['description']).Count | Should -Be 1
            # The last one sums it up, and there is no third.
            @($lines | Select-Object -Skip 1).Count | Should -Be 1
        }

        It 'which subscription, by the name that was given' {
            Set-SvcContext -SubscriptionName 'Pester subscription'
            (Get-AllLine -Settings (Get-StorageSettings) -WhatIf)[0] | Should -BeLike "*'Pester subscription'*"
        }

        It 'what was done' {
            Get-Line -Settings (Get-StorageSettings) | Should -Match "^Result: $(Get-StorageCount) created \([0-9.]+ s\)\.`$"
        }

        It 'what would be done' {
            [void] (New-SvcIaasStorage -SettingsObject (Get-StorageSettings -Name 'First') 6>$null)
            $settings = Get-StorageSettings -Name 'First', 'Second'
            $said = Get-LibraryMessage -Command 'New-SvcIaasStorage' -Settings $settings -WhatIf | Select-Message 'result'
            Get-SentenceWithoutTime -Text (Get-Line -Settings $settings -WhatIf) | Should -Be (Get-SentenceWithoutTime -Text $said['sentence'])
        }

        It 'that there was nothing to do' {
            [void] (New-SvcIaasStorage -SettingsObject (Get-StorageSettings) 6>$null)
            $said = Get-LibraryMessage -Command 'New-SvcIaasStorage' -Settings (Get-StorageSettings) | Select-Message 'result'
            $said['sentence'] | Should -Match '^Everything is up to date'
            Get-SentenceWithoutTime -Text (Get-Line -Settings (Get-StorageSettings)) | Should -Be (Get-SentenceWithoutTime -Text $said['sentence'])
        }

        It 'that is shown on the host, is no output, and goes away with <Silence>' -ForEach @(
            @{ Silence = ''; Count = 1 }
            @{ Silence = '6>$null'; Count = 0 }
            @{ Silence = '-InformationAction Ignore'; Count = 0 }
        ) {
            $parameters = @{ Module = Get-ModuleManifest; State = $state; Settings = Get-StorageSettings }
            $session = Invoke-Session -Parameters $parameters -Script @"
param(`$Module, `$State, `$Settings)
Import-Module `$Module
Set-SvcContext -Cloud local -SubscriptionId ([guid]::NewGuid()) -LocalStateFile `$State
New-SvcIaasStorage -SettingsObject `$Settings $Silence
"@
            $session.Output.Count | Should -Be (Get-StorageCount)
            @($session.Lines -match "^$(Get-StorageCount) created in ").Count | Should -Be $Count
        }
    }

    It 'writes what exists already when the context asks for it' {
        $created = New-SvcIaasStorage -SettingsObject (Get-StorageSettings) 6>$null
        @(New-SvcIaasStorage -SettingsObject (Get-StorageSettings) 6>$null).Count | Should -Be 0
        Set-SvcContext -IncludeUnchanged
        $found = @(New-SvcIaasStorage -SettingsObject (Get-StorageSettings) 6>$null)
        $found.Count | Should -Be $created.Count
        foreach ($resource in $found) {
            $resource.PSTypeNames[0] | Should -Be 'Svc.DeployedResource'
            $resource.Action | Should -Be 'unchanged'
            $created.Id | Should -Contain $resource.Id
        }
    }

    It 'is verbose when $VerbosePreference of a calling script says so' {
        $script = [IO.Path]::Combine($TestDrive, 'verbose.ps1')
        [IO.File]::WriteAllText($script, 'param($Settings) $VerbosePreference = "Continue"; New-SvcIaasStorage -SettingsObject $Settings -WhatIf')
        $output = & $script -Settings (Get-StorageSettings) 4>&1 6>$null
        @($output | Where-Object { $_ -is [Management.Automation.VerboseRecord] }).Count | Should -BeGreaterThan 0
    }

    It 'works under strict mode and with errors that stop' {
        $deployed = & {
            Set-StrictMode -Version 3.0
            $ErrorActionPreference = 'Stop'
            New-SvcIaasStorage -SettingsObject (Get-StorageSettings) 6>$null
        }
        $deployed.Name | Should -Contain (Get-StorageName)
    }

    It 'has a view in lines' {
        $deployed = New-SvcIaasStorage -SettingsObject (Get-StorageSettings) 6>$null
        $shown = $deployed | Out-String -Width 200
        foreach ($resource in $deployed) {
            $shown | Should -Match "created $($resource.Label) '$([regex]::Escape($resource.FullName))'"
            "$resource" | Should -Be "created $($resource.Label) '$($resource.FullName)'"
            $resource.ResourceGroupName | Should -Be $resource.ResourceGroup
        }
    }

    It 'binds onwards by the names that commands of Az have' {
        function Get-Bound {
            [CmdletBinding()] param([Parameter(ValueFromPipelineByPropertyName)] [string] $ResourceGroupName, [Parameter(ValueFromPipelineByPropertyName)] [string] $Name)
            process { "$ResourceGroupName/$Name" }
        }
        $deployed = @(New-SvcIaasStorage -SettingsObject (Get-StorageSettings) 6>$null)
        $deployed | Get-Bound | Should -Be @($deployed | ForEach-Object { "$($_.ResourceGroup)/$($_.Name)" })
    }

    It 'has members that complete, after a dot and behind the command' {
        [void] (New-SvcIaasStorage -SettingsObject (Get-StorageSettings) -OutVariable result 6>$null)
        $result.Count | Should -BeGreaterThan 0
        foreach ($line in 'New-SvcIaasStorage storage.yml | Select-Object -Property ', '(New-SvcIaasStorage storage.yml).') {
            $found = [Management.Automation.CommandCompletion]::CompleteInput($line, $line.Length, $null).CompletionMatches.CompletionText
            foreach ($name in $result[0].PSObject.Properties.Name) { $found | Should -Contain $name -Because $line }
        }
    }

    It 'deploys what the account contains' {
        $settings = Get-StorageSettings
        $settings['storageAccounts'][0]['blobContainer'] = @(@{ name = 'Documents' })
        $settings['storageAccounts'][0]['table'] = @('Orders')
        $settings['storageAccounts'][0]['queue'] = @('incoming')
        $settings['storageAccounts'][0]['fileShare'] = @(@{ name = 'share'; size = 5 })
        $expected = @(Get-LibraryPlan -Command 'New-SvcIaasStorage' -Settings $settings | ConvertTo-ActionText | Sort-Object)
        $expected.Count | Should -BeGreaterThan (Get-StorageCount)
        New-SvcIaasStorage -SettingsObject $settings 6>$null | ConvertTo-ActionText | Sort-Object | Should -Be $expected
    }

    It 'takes the context from variables that were set in this session' {
        Clear-SvcContext
        $before = $env:SVC_CLOUD, $env:SVC_SUBSCRIPTION_ID, $env:SVC_LOCAL_STATE_FILE
        try {
            $env:SVC_CLOUD = 'local'
            $env:SVC_SUBSCRIPTION_ID = '33333333-3333-3333-3333-333333333333'
            $env:SVC_LOCAL_STATE_FILE = $state
            $planned = New-SvcIaasStorage -SettingsObject (Get-StorageSettings) -WhatIf 6>$null
            $planned[0].Id | Should -BeLike '/subscriptions/33333333-3333-3333-3333-333333333333/*'
        }
        finally { $env:SVC_CLOUD, $env:SVC_SUBSCRIPTION_ID, $env:SVC_LOCAL_STATE_FILE = $before }
    }
}
