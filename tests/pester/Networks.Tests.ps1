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
        $expected = @(Get-LibraryPlan -Command 'New-SvcIaasPrivateEndpoints' -Settings $file | ConvertTo-ActionText)
    }

    AfterAll { Clear-SvcContext }

    It 'are planned with their zone, its links and their zone groups, the shared zone once' {
        $planned = New-SvcIaasPrivateEndpoints -SettingsFile $file -WhatIf 6>$null
        foreach ($action in $planned) {
            $action.PSTypeNames[0] | Should -Be 'Svc.PlannedAction'
            $action.Action | Should -Be 'create'
        }
        $planned | ConvertTo-ActionText | Should -Be $expected
    }

    It 'tell what they are connected to and where the settings say so' {
        $planned = New-SvcIaasPrivateEndpoints -SettingsFile $file -WhatIf 6>$null
        $endpoint = $planned | Where-Object Name -Like 'ped-spoke-*'
        $subnet = $endpoint.Changes | Where-Object Path -EQ 'properties.subnet.id'
        $subnet.Before | Should -BeNullOrEmpty
        $subnet.After | Should -BeLike '*/virtualNetworks/vnet-spoke/subnets/endpoints"'
        $subnet.Origin | Should -BeLike '*endpoints.yml:19:*'
        ($endpoint.Changes | Where-Object Path -EQ 'tags.svc-service').After | Should -Be '"pester-endpoint"'
    }

    It 'are deployed, and a second run does nothing' {
        $deployed = New-SvcIaasPrivateEndpoints -SettingsFile $file 6>$null
        foreach ($resource in $deployed) {
            $resource.PSTypeNames[0] | Should -Be 'Svc.DeployedResource'
            $resource.Action | Should -Be 'create'
        }
        # What does not depend on each other is made at the same time, in any order.
        $deployed | ConvertTo-ActionText | Sort-Object | Should -Be ($expected | Sort-Object)
        @(New-SvcIaasPrivateEndpoints -SettingsFile $file -WhatIf 6>$null).Count | Should -Be 0
        @(New-SvcIaasPrivateEndpoints -SettingsFile $file 6>$null).Count | Should -Be 0
    }

    It 'whose zone group was declined are made, and the next run adds what is missing' {
        # Only the zone groups are declined.
        $answers = 'Yes', 'Yes', 'Yes', 'No', 'Yes', 'Yes', 'No'
        $parameters = @{ Module = Get-ModuleManifest; State = (Get-SvcContext).LocalStateFile; File = $file }
        $session = Invoke-Session -Parameters $parameters -Answers $answers -Script {
            param($Module, $State, $File)
            Import-Module $Module
            Set-SvcContext -Cloud local -SubscriptionId '10ca1c10-0d00-4000-8000-000000000001' -LocalStateFile $State
            New-SvcIaasPrivateEndpoints -SettingsFile $File -Confirm 6>$null
        }
        $session.Prompts.Count | Should -Be 7
        $session.Output.Count | Should -Be 5
        $missing = @(New-SvcIaasPrivateEndpoints -SettingsFile $file 6>$null)
        $missing.Count | Should -Be 2
        $missing.Type | Should -Be @('Microsoft.Network/privateEndpoints/privateDnsZoneGroups', 'Microsoft.Network/privateEndpoints/privateDnsZoneGroups')
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
            $warnings = @($output | Where-Object { $_ -is [Management.Automation.WarningRecord] } | ForEach-Object Message)
            $endpoint = $output | Where-Object Name -Like 'ped-hub-*'
            if ($Omitted) {
                $warnings | Should -Be 'Tag settings are skipped because of -OmitTags; only the tag for publish names is written.'
                $endpoint.Changes.Path | Should -Not -Contain 'tags.owner'
            }
            else {
                $warnings.Count | Should -Be 0
                $endpoint.Changes.Path | Should -Contain 'tags.owner'
            }
            $endpoint.Changes.Path | Should -Contain 'tags.svc-service'
        }

        It 'are left alone with a splatted value of <Value>: <Value>' -ForEach @(
            @{ Value = $true }
            @{ Value = $false }
        ) {
            $values = @{ SettingsFile = $file; OmitTags = $Value }
            $output = New-SvcIaasPrivateEndpoints @values -WhatIf 3>&1 6>$null
            @($output | Where-Object { $_ -is [Management.Automation.WarningRecord] }).Count | Should -Be ([int] $Value)
        }

        It 'refuse a boolean without the switch' {
            { New-SvcIaasPrivateEndpoints -SettingsFile $file $true -WhatIf 6>$null } |
                Should -Throw -ErrorId 'PositionalParameterNotFound,New-SvcIaasPrivateEndpoints'
        }
    }

    Context 'that depend on what nobody publishes' {
        It 'are one typed error with a finding for each place' {
            $record = try { New-SvcIaasPrivateEndpoints -SettingsFile $wrong 6>$null } catch { $_ }
            $record.Exception | Should -BeOfType ([SvcDeploy.DeploymentException])
            $record.FullyQualifiedErrorId | Should -Be 'ServiceNotFound,New-SvcIaasPrivateEndpoints'
            $record.CategoryInfo.Category | Should -Be 'ObjectNotFound'
            $record.Exception.Code | Should -Be 'ServiceNotFound'
            $record.ErrorDetails.RecommendedAction | Should -BeLike '*deployed and published first.'
            $findings = $record.Exception.Findings
            $findings.Count | Should -Be 2
            $findings[0].PSTypeNames[0] | Should -Be 'Svc.Finding'
            $findings[0].File | Should -BeLike '*wrong.yml'
            $findings[0].Line | Should -Be 16
            $findings[0].Path | Should -Be 'privateEndpoints[0].service.dependencies.resource'
            $findings[0].Code | Should -Be 'ServiceNotFound'
            $findings[0].Message | Should -Be "no storage account in this subscription is published as 'central-file', did you mean 'central-files'?"
            $findings[1].Line | Should -Be 22
        }

        It 'are planned with placeholders and a warning for each place' {
            $output = New-SvcIaasPrivateEndpoints -SettingsFile $wrong -WhatIf 6>$null 3>&1
            $warnings = @($output | Where-Object { $_ -is [Management.Automation.WarningRecord] } | ForEach-Object Message)
            $warnings.Count | Should -Be 2
            $warnings[0] | Should -BeLike "*'central-file'*; the plan shows a placeholder"
            $endpoint = $output | Where-Object Name -Like 'ped-hub-*'
            $connection = $endpoint.Changes | Where-Object Path -EQ 'properties.privateLinkServiceConnections'
            $connection.After | Should -BeLike "*<storage account published as 'central-file'>*"
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
        $expected = @(Get-LibraryPlan -Command 'New-SvcIaasBastionHost' -Settings $file | ConvertTo-ActionText)
    }

    AfterAll { Clear-SvcContext }

    It 'are planned with their subnet, address and audit log; the objects have the names of Azure' {
        $planned = New-SvcIaasBastionHost -SettingsFile $file -WhatIf 6>$null
        $planned | ConvertTo-ActionText | Should -Be $expected
        foreach ($action in $planned) { $action.PSTypeNames[0] | Should -Be 'Svc.PlannedAction' }
        $said = @(Get-LibraryPlan -Command 'New-SvcIaasBastionHost' -Settings $file)
        @($planned.Id) | Should -Be @($said | ForEach-Object { $_['resourceId'] })
        @($planned.Changes.Origin) | Should -Be @($said | ForEach-Object { $_['changes'] } | ForEach-Object { $_['origin'] })
    }

    It 'are deployed, and a second run does nothing' {
        $deployed = New-SvcIaasBastionHost -SettingsFile $file 6>$null
        foreach ($resource in $deployed) { $resource.PSTypeNames[0] | Should -Be 'Svc.DeployedResource' }
        $deployed | ConvertTo-ActionText | Sort-Object | Should -Be ($expected | Sort-Object)
        @(New-SvcIaasBastionHost -SettingsFile $file 6>$null).Count | Should -Be 0
    }

    It 'have an AzureBastionSubnet in what is shown' {
        $session = Invoke-Deployment -Preference '-WhatIf'
        $session.Output.Count | Should -Be $expected.Count
        $session.Lines | Should -Contain "What if: Create subnet 'AzureBastionSubnet' of virtual network 'vnet-hub' in resource group 'rg-landing-zone'."
        @($session.Lines -like '*CloudBastion*').Count | Should -Be 0
    }

    It 'have an AzureBastionSubnet in what is asked' {
        $session = Invoke-Deployment -Preference '-Confirm' -Answers 'No to All'
        $session.Output.Count | Should -Be 0
        $session.Prompts | Should -Be "Create subnet 'AzureBastionSubnet' of virtual network 'vnet-hub' in resource group 'rg-landing-zone'?"
    }

    It 'have an AzureBastionSubnet in what is told' {
        [void] (New-SvcIaasBastionHost -SettingsFile $file 6>$null)
        $output = @(New-SvcIaasBastionHost -SettingsFile $file -Verbose 6>$null 4>&1 | ForEach-Object { "$_" })
        $output | Should -Contain "The subnet 'AzureBastionSubnet' of virtual network 'vnet-hub' in resource group 'rg-landing-zone' is up to date."
        @($output -like '*CloudBastion*').Count | Should -Be 0
    }

    It 'are refused with the address range <Range>' -ForEach @{ Range = '10.10.250.0/27' }, @{ Range = '10.10.2.0/26' } {
        $wrong = [IO.Path]::Combine($TestDrive, 'wrong.yml')
        [IO.File]::WriteAllText($wrong, [IO.File]::ReadAllText($file).Replace('10.10.250.0/26', $Range))
        $record = try { New-SvcIaasBastionHost -SettingsFile $wrong 6>$null } catch { $_ }
        $said = Get-LibraryError -Command 'New-SvcIaasBastionHost' -Settings $wrong
        $record.FullyQualifiedErrorId | Should -Be "$($said['code']),New-SvcIaasBastionHost"
        $record.Exception.Message | Should -Be $said['message']
    }

    It 'of a network that nobody publishes are one typed error' {
        $wrong = [IO.Path]::Combine($TestDrive, 'wrong.yml')
        [IO.File]::WriteAllText($wrong, [IO.File]::ReadAllText($file).Replace('hub-network', 'hub-netwrk'))
        $record = try { New-SvcIaasBastionHost -SettingsFile $wrong 6>$null } catch { $_ }
        $record.Exception | Should -BeOfType ([SvcDeploy.DeploymentException])
        $record.FullyQualifiedErrorId | Should -Be 'ServiceNotFound,New-SvcIaasBastionHost'
        $record.Exception.Findings.Count | Should -Be 1
        $record.Exception.Findings[0].Line | Should -Be 5
        $record.Exception.Findings[0].Path | Should -Be 'service.dependencies.vnet'
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
        $expected = @(Get-LibraryPlan -Command 'New-SvcIaasStorage' -Settings $settings | ConvertTo-ActionText)
    }

    AfterAll { Clear-SvcContext }

    It 'are planned with all that belongs to the endpoint' {
        $planned = New-SvcIaasStorage -SettingsObject $settings -WhatIf 6>$null
        $planned | ConvertTo-ActionText | Should -Be $expected
        ($planned[1].Changes | Where-Object Path -EQ 'properties.subnet.id').Origin | Should -Be 'storageAccounts[0].privateEndpoints[0].subnetName'
    }

    It 'are deployed, and a second run does nothing' {
        $deployed = New-SvcIaasStorage -SettingsObject $settings 6>$null
        $deployed | ConvertTo-ActionText | Sort-Object | Should -Be ($expected | Sort-Object)
        @(New-SvcIaasStorage -SettingsObject $settings 6>$null).Count | Should -Be 0
    }
}
