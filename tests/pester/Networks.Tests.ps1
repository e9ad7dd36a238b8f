BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe '<Command>' -ForEach @(
    @{ Command = 'New-SvcIaasPrivateEndpoints' }
    @{ Command = 'New-SvcIaasBastionHost' }
) {
    It 'takes a file or an object, each in a set of its own' {
        $found = Get-Command -Name $Command
        $found.DefaultParameterSet | Should -Be 'File'
        $found.Parameters['SettingsFile'].ParameterSets['File'].IsMandatory | Should -BeTrue
        $found.Parameters['SettingsObject'].ParameterSets['Object'].IsMandatory | Should -BeTrue
        $found.Parameters['SettingsObject'].ParameterSets['Object'].ValueFromPipeline | Should -BeTrue
        $found.Parameters['TagSettingsFile'].Aliases | Should -Contain 'TagSettingFile'
        $found.Parameters.Keys | Should -Contain 'WhatIf'
        $found.Parameters.Keys | Should -Contain 'Confirm'
    }

    It 'refuses text' {
        { 'settings.yml' | & $Command -WhatIf } | Should -Throw -ErrorId "SettingsObjectNotPlainData,$Command"
    }
}

Describe 'Private endpoints' {
    BeforeAll {
        # Two endpoints of one account in two networks, which share a zone that does not exist yet.
        $file = [IO.Path]::Combine($TestDrive, 'endpoints.yml')
        [IO.File]::WriteAllText($file, @'
service:
  dependencies:
    resourceGroup: landing-zone
    vnet: hub-network
    privateZones:
      - privatelink.blob.core.windows.net
  publish:
    privateEndpoint: pester-endpoint
globalSubResourceName: blob
privateEndpoints:
  - name: hub
    resourceNameSpace: Microsoft.Storage/storageAccounts
    subnetName: endpoints
    service:
      dependencies:
        resource: central-files
  - name: spoke
    resourceNameSpace: Microsoft.Storage/storageAccounts
    subnetName: endpoints
    service:
      dependencies:
        resource: central-files
        vnet: spoke-network
'@)
        # The same with a name that nobody publishes.
        $wrong = [IO.Path]::Combine($TestDrive, 'wrong.yml')
        [IO.File]::WriteAllText($wrong, [IO.File]::ReadAllText($file).Replace('central-files', 'central-file'))
        $tags = [IO.Path]::Combine($TestDrive, 'tags.yml')
        [IO.File]::WriteAllText($tags, "tags:`n  mandatory:`n    owner: pester`n")
    }

    BeforeEach {
        [void] (Use-LandingZone -Folder $TestDrive)
        $plan = @(Get-LibraryPlan -Command 'New-SvcIaasPrivateEndpoints' -Settings $file)
        $expected = @($plan | ConvertTo-ActionText)
    }

    AfterAll { Clear-SvcContext }

    It 'are planned whole' {
        $planned = New-SvcIaasPrivateEndpoints -SettingsFile $file -WhatIf 6>$null
        foreach ($action in $planned) { $action.PSTypeNames[0] | Should -Be 'Svc.PlannedAction' }
        # With what they are connected to, and where the settings say so.
        $planned | ConvertTo-PlanText | Should -Be @($plan | ConvertTo-PlanText)
    }

    It 'are deployed, and a second run does nothing' {
        $deployed = New-SvcIaasPrivateEndpoints -SettingsFile $file 6>$null
        foreach ($resource in $deployed) { $resource.PSTypeNames[0] | Should -Be 'Svc.DeployedResource' }
        # What does not depend on each other is made at the same time, in any order.
        $deployed | ConvertTo-ActionText | Sort-Object | Should -Be ($expected | Sort-Object)
        @(New-SvcIaasPrivateEndpoints -SettingsFile $file -WhatIf 6>$null).Count | Should -Be 0
        @(New-SvcIaasPrivateEndpoints -SettingsFile $file 6>$null).Count | Should -Be 0
    }

    It 'are made without what was declined, and the next run adds it' {
        # Nothing waits for the last one.
        $answers = @('Yes') * ($plan.Count - 1) + 'No'
        $parameters = @{ Module = Get-ModuleManifest; State = (Get-SvcContext).LocalStateFile; File = $file }
        $session = Invoke-Session -Parameters $parameters -Answers $answers -Script {
            param($Module, $State, $File)
            Import-Module $Module
            Set-SvcContext -Cloud local -SubscriptionId '10ca1c10-0d00-4000-8000-000000000001' -LocalStateFile $State
            New-SvcIaasPrivateEndpoints -SettingsFile $File -Confirm 6>$null
        }
        $session.Prompts | Should -Be @($plan | ForEach-Object { $_['question'] })
        $session.Output.Count | Should -Be ($plan.Count - 1)
        New-SvcIaasPrivateEndpoints -SettingsFile $file 6>$null | ConvertTo-ActionText | Should -Be $expected[-1]
    }

    Context 'and their tags' {
        It 'are left alone with <Spelling>: <Omitted>' -ForEach @(
            @{ Spelling = ''; Omitted = $false }
            @{ Spelling = '-OmitTags'; Omitted = $true }
            @{ Spelling = '-Omit'; Omitted = $true }
            @{ Spelling = '-OmitTags:$true'; Omitted = $true }
            @{ Spelling = '-OmitTags:$false'; Omitted = $false }
            @{ Spelling = '-OmitTags $true'; Omitted = $true }
            @{ Spelling = '-OmitTags $false'; Omitted = $false }
        ) {
            $line = [scriptblock]::Create("param(`$file, `$tags) New-SvcIaasPrivateEndpoints -SettingsFile `$file -TagSettingsFile `$tags $Spelling -WhatIf")
            $output = & $line $file $tags 3>&1 6>$null
            $request = @{ tagSettingsFile = $tags; omitTags = $Omitted }
            @($output | Where-Object { $_ -isnot [Management.Automation.WarningRecord] } | ConvertTo-PlanText) |
                Should -Be @(Get-LibraryPlan -Command 'New-SvcIaasPrivateEndpoints' -Settings $file -Request $request | ConvertTo-PlanText)
            $said = @(Get-LibraryText 'warning' -Command 'New-SvcIaasPrivateEndpoints' -Settings $file -Request $request -WhatIf)
            @($output | Where-Object { $_ -is [Management.Automation.WarningRecord] } | ForEach-Object Message) -join "`n" | Should -Be ($said -join "`n")
            # Otherwise nothing is compared here.
            [bool] $said | Should -Be $Omitted
        }

        It 'are left alone with a splatted value of <Value>: <Value>' -ForEach @(
            @{ Value = $true }
            @{ Value = $false }
        ) {
            $values = @{ SettingsFile = $file; OmitTags = $Value }
            $output = New-SvcIaasPrivateEndpoints @values -WhatIf 3>&1 6>$null
            @($output | Where-Object { $_ -is [Management.Automation.WarningRecord] }).Count -gt 0 | Should -Be $Value
        }

        It 'refuse a boolean without the switch' {
            { New-SvcIaasPrivateEndpoints -SettingsFile $file $true -WhatIf 6>$null } |
                Should -Throw -ErrorId 'PositionalParameterNotFound,New-SvcIaasPrivateEndpoints'
        }
    }

    Context 'that depend on what nobody publishes' {
        It 'are one typed error with a finding for each place' {
            $record = try { New-SvcIaasPrivateEndpoints -SettingsFile $wrong 6>$null } catch { $_ }
            $said = Get-LibraryError -Command 'New-SvcIaasPrivateEndpoints' -Settings $wrong
            @($said['findings']).Count | Should -BeGreaterThan 0
            Assert-LibraryError -Record $record -Said $said -Command 'New-SvcIaasPrivateEndpoints'
            $record.Exception.Findings[0].PSTypeNames[0] | Should -Be 'Svc.Finding'
        }

        It 'are planned with placeholders and a warning for each place' {
            $output = New-SvcIaasPrivateEndpoints -SettingsFile $wrong -WhatIf 6>$null 3>&1
            $warnings = @($output | Where-Object { $_ -is [Management.Automation.WarningRecord] } | ForEach-Object Message)
            $said = @(Get-LibraryText 'warning' -Command 'New-SvcIaasPrivateEndpoints' -Settings $wrong -WhatIf)
            $said.Count | Should -BeGreaterThan 0
            $warnings | Should -Be $said
            @($output | Where-Object { $_ -isnot [Management.Automation.WarningRecord] } | ConvertTo-PlanText) |
                Should -Be @(Get-LibraryPlan -Command 'New-SvcIaasPrivateEndpoints' -Settings $wrong | ConvertTo-PlanText)
        }
    }
}

Describe 'Bastion hosts' {
    BeforeAll {
        $file = [IO.Path]::Combine($TestDrive, 'bastion-hosts.yml')
        [IO.File]::WriteAllText($file, @'
location: UK South
service:
  dependencies:
    resourceGroup: landing-zone
    vnet: hub-network
    workspace: central-logs
bastionHosts:
  - bastionHostName: Hub
    bastionHostSubnetPrefix: 10.10.250.0/26
'@)
        $tags = [IO.Path]::Combine($TestDrive, 'tags.yml')
        [IO.File]::WriteAllText($tags, "tags:`n  mandatory:`n    owner: pester`n")

        # Runs the command in a session that answers.
        function Invoke-Deployment {
            param([string] $Preference, [string[]] $Answers = @())
            $parameters = @{ Module = Get-ModuleManifest; State = (Get-SvcContext).LocalStateFile; File = $file }
            Invoke-Session -Parameters $parameters -Answers $Answers -Script @"
param(`$Module, `$State, `$File)
Import-Module `$Module
Set-SvcContext -Cloud local -SubscriptionId '10ca1c10-0d00-4000-8000-000000000001' -LocalStateFile `$State
New-SvcIaasBastionHost -SettingsFile `$File $Preference
"@
        }
    }

    BeforeEach {
        [void] (Use-LandingZone -Folder $TestDrive)
        $plan = @(Get-LibraryPlan -Command 'New-SvcIaasBastionHost' -Settings $file)
        $expected = @($plan | ConvertTo-ActionText)
    }

    AfterAll { Clear-SvcContext }

    It 'are planned whole; the objects have the names of Azure' {
        $planned = New-SvcIaasBastionHost -SettingsFile $file -WhatIf 6>$null
        $planned | ConvertTo-PlanText | Should -Be @($plan | ConvertTo-PlanText)
        foreach ($action in $planned) { $action.PSTypeNames[0] | Should -Be 'Svc.PlannedAction' }
        @($planned.Id) | Should -Be @($plan | ForEach-Object { $_['resourceId'] })
    }

    It 'are deployed, and a second run does nothing' {
        $deployed = New-SvcIaasBastionHost -SettingsFile $file 6>$null
        foreach ($resource in $deployed) { $resource.PSTypeNames[0] | Should -Be 'Svc.DeployedResource' }
        $deployed | ConvertTo-ActionText | Sort-Object | Should -Be ($expected | Sort-Object)
        @(New-SvcIaasBastionHost -SettingsFile $file 6>$null).Count | Should -Be 0
    }

    It 'have the words of the library in what is shown, asked and told' {
        $session = Invoke-Deployment -Preference '-WhatIf'
        @($session.Lines -like 'What if: *') | Should -Be @($plan | ForEach-Object { "What if: $($_['description'])" })
        $session = Invoke-Deployment -Preference '-Confirm' -Answers 'No to All'
        $session.Output.Count | Should -Be 0
        $session.Prompts | Should -Be $plan[0]['question']
        [void] (New-SvcIaasBastionHost -SettingsFile $file 6>$null)
        # What is told of credentials and times differs from run to run.
        $output = @(New-SvcIaasBastionHost -SettingsFile $file -Verbose 6>$null 4>&1 | ForEach-Object { "$_" })
        $said = @(Get-LibraryText 'verbose' -Command 'New-SvcIaasBastionHost' -Settings $file | Where-Object { $_ -match "'" })
        $said.Count | Should -BeGreaterThan 0
        foreach ($line in $said) { $output | Should -Contain $line }
    }

    It 'are refused with the address range <Range>' -ForEach @{ Range = '10.10.250.0/27' }, @{ Range = '10.10.2.0/26' } {
        $wrong = [IO.Path]::Combine($TestDrive, 'wrong.yml')
        [IO.File]::WriteAllText($wrong, [IO.File]::ReadAllText($file).Replace('10.10.250.0/26', $Range))
        $record = try { New-SvcIaasBastionHost -SettingsFile $wrong 6>$null } catch { $_ }
        Assert-LibraryError -Record $record -Said (Get-LibraryError -Command 'New-SvcIaasBastionHost' -Settings $wrong) -Command 'New-SvcIaasBastionHost'
    }

    It 'of a network that nobody publishes are one typed error' {
        $wrong = [IO.Path]::Combine($TestDrive, 'wrong.yml')
        [IO.File]::WriteAllText($wrong, [IO.File]::ReadAllText($file).Replace('hub-network', 'hub-netwrk'))
        $record = try { New-SvcIaasBastionHost -SettingsFile $wrong 6>$null } catch { $_ }
        Assert-LibraryError -Record $record -Said (Get-LibraryError -Command 'New-SvcIaasBastionHost' -Settings $wrong) -Command 'New-SvcIaasBastionHost'
    }

    It 'and their addresses get the tags of a file' {
        $tagged = New-SvcIaasBastionHost -SettingsFile $file -TagSettingsFile $tags -WhatIf 6>$null | Where-Object { $_.Changes.Path -contains 'tags.owner' }
        $said = Get-LibraryPlan -Command 'New-SvcIaasBastionHost' -Settings $file -Request @{ tagSettingsFile = $tags } |
            Where-Object { @($_['changes'] | ForEach-Object { $_['path'] }) -contains 'tags.owner' }
        $tagged | ConvertTo-ActionText | Should -Be @($said | ConvertTo-ActionText)
    }

    It 'have no -OmitTags' {
        $parameters = (Get-Command -Name New-SvcIaasBastionHost).Parameters.Keys
        $parameters | Should -Not -Contain 'OmitTags'
        $parameters | Should -Not -Contain 'LegacyBoolean'
        { New-SvcIaasBastionHost -SettingsFile $file -OmitTags -WhatIf } | Should -Throw -ErrorId 'NamedParameterNotFound,New-SvcIaasBastionHost'
        { New-SvcIaasBastionHost -SettingsFile $file $true -WhatIf } | Should -Throw -ErrorId 'PositionalParameterNotFound,New-SvcIaasBastionHost'
    }
}

Describe 'Storage accounts with private endpoints' {
    BeforeAll {
        $settings = @{
            location        = 'UK South'
            service         = @{
                dependencies = @{
                    resourceGroup = 'landing-zone'
                    vnet          = 'hub-network'
                    privateZones  = @('privatelink.blob.core.windows.net')
                }
            }
            storageAccounts = @(
                @{
                    storageAccountName = 'Pester'
                    accountType        = 'Standard'
                    privateEndpoints   = @(@{ subnetName = 'endpoints'; subResourceName = 'blob' })
                }
            )
        }
    }

    BeforeEach {
        [void] (Use-LandingZone -Folder $TestDrive)
        $plan = @(Get-LibraryPlan -Command 'New-SvcIaasStorage' -Settings $settings)
        $expected = @($plan | ConvertTo-ActionText)
    }

    AfterAll { Clear-SvcContext }

    It 'are planned with all that belongs to the endpoint' {
        $planned = New-SvcIaasStorage -SettingsObject $settings -WhatIf 6>$null
        $planned | ConvertTo-PlanText | Should -Be @($plan | ConvertTo-PlanText)
    }

    It 'are deployed, and a second run does nothing' {
        $deployed = New-SvcIaasStorage -SettingsObject $settings 6>$null
        $deployed | ConvertTo-ActionText | Sort-Object | Should -Be ($expected | Sort-Object)
        @(New-SvcIaasStorage -SettingsObject $settings 6>$null).Count | Should -Be 0
    }
}
