BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe 'The context of a session' {
    BeforeAll {
        # Where the value of a member comes from.
        function Get-Source {
            param([string] $Name)
            (Get-SvcContext).Sources | Where-Object Name -EQ $Name
        }
    }

    BeforeEach { Clear-SvcContext }

    AfterAll { Clear-SvcContext }

    It 'has what a command would use, and nothing set, at first' {
        $context = Get-SvcContext
        $context.PSTypeNames[0] | Should -Be 'Svc.Context'
        $context.Sources.Source | Should -Not -Contain 'set'
        foreach ($source in $context.Sources) { $context.($source.Name) | Should -Be $source.Value -Because $source.Name }
    }

    It 'has a parameter and a source for each property' {
        $parameters = (Get-Command -Name Set-SvcContext).Parameters.Keys
        $context = Get-SvcContext
        $names = @($context.PSObject.Properties.Name | Where-Object { $_ -ne 'Sources' })
        foreach ($name in $names -ne 'Account') { $parameters | Should -Contain $name }
        $context.Sources.Name | Should -Be $names
    }

    It 'changes only what is given' {
        Set-SvcContext -Cloud local -Environment test
        Set-SvcContext -Environment production
        $context = Get-SvcContext
        $context.Cloud | Should -Be 'local'
        $context.Environment | Should -Be 'production'
    }

    It 'takes out what is set to empty text' {
        Set-SvcContext -Environment test -LocalStateFile state.json
        Set-SvcContext -Environment '' -LocalStateFile ''
        (Get-Source -Name 'Environment').Source | Should -Be 'default'
        (Get-SvcContext).LocalStateFile | Should -BeNullOrEmpty
    }

    It 'holds absolute paths' {
        Push-Location -LiteralPath $TestDrive
        try { Set-SvcContext -ProjectRoot . -LocalStateFile state.json }
        finally { Pop-Location }
        [IO.Path]::IsPathRooted((Get-SvcContext).ProjectRoot) | Should -BeTrue
        (Get-SvcContext).LocalStateFile | Should -Be ([IO.Path]::Combine($TestDrive, 'state.json'))
    }

    It 'holds the paths of plans as a list of absolute ones' {
        Push-Location -LiteralPath $TestDrive
        try { Set-SvcContext -PlanReport plan.json, other.json -ApprovedPlan approved.json }
        finally { Pop-Location }
        (Get-SvcContext).PlanReport | Should -Be @([IO.Path]::Combine($TestDrive, 'plan.json'), [IO.Path]::Combine($TestDrive, 'other.json'))
        (Get-SvcContext).ApprovedPlan | Should -Be ([IO.Path]::Combine($TestDrive, 'approved.json'))
        Clear-SvcContext -Name PlanReport
        (Get-SvcContext).PlanReport | Should -BeNullOrEmpty
    }

    It 'keeps what guards a run where a variable is not set: <Name> is <Value>' -ForEach @(
        foreach ($name in 'ApprovedPlan', 'Cloud', 'PlanReport', 'SubscriptionId', 'SubscriptionName') { foreach ($value in $null, '', ' ') { @{ Name = $name; Value = $value } } }
    ) {
        Set-SvcContext -Cloud local -ApprovedPlan plan.json -PlanReport plan.md -SubscriptionId '11111111-1111-1111-1111-111111111111' -SubscriptionName 'Test'
        $parameters = @{ $Name = $Value }
        { Set-SvcContext @parameters } | Should -Throw -ErrorId 'ContextInvalid,Set-SvcContext' -ExpectedMessage "*Clear-SvcContext -Name $Name*"
        { $parameters | Set-SvcContext } | Should -Throw -ErrorId 'ContextInvalid,Set-SvcContext'
        (Get-Source -Name $Name).Source | Should -Be 'set'
        Clear-SvcContext -Name $Name
        (Get-Source -Name $Name).Source | Should -Not -Be 'set'
    }

    It 'is cleared in part, and only what has a name' {
        Set-SvcContext -Cloud local -Environment test -ApprovedPlan plan.json
        Clear-SvcContext -Name ApprovedPlan, Environment
        (Get-Source -Name 'Cloud').Source | Should -Be 'set'
        (Get-Source -Name 'Environment').Source | Should -Be 'default'
        { Clear-SvcContext -Name Cluod } | Should -Throw -ErrorId 'ContextInvalid,Clear-SvcContext'
        (Get-Source -Name 'Cloud').Source | Should -Be 'set'
    }

    It 'outlives what cleans variables up' {
        $session = Invoke-Session -Parameters @{ Module = Get-ModuleManifest } -Script {
            param($Module)
            Import-Module $Module
            Set-SvcContext -Cloud local -ApprovedPlan plan.json
            Get-Variable -Scope Global | Remove-Variable -Force -Scope Global -ErrorAction Ignore
            Import-Module $Module -Force
            (Get-SvcContext).Cloud
        }
        $session.Output | Should -Be 'local'
    }

    It 'takes a time span for -<_>' -ForEach 'RequestTimeout', 'OperationTimeout' {
        $parameters = @{ $_ = [timespan] '01:30:00' }
        Set-SvcContext @parameters
        $name = $_
        (Get-SvcContext).$name | Should -Be 'PT1H30M'
    }

    It 'refuses a plan of a kind that is not written' {
        { Set-SvcContext -PlanReport plan.docx } | Should -Throw -ErrorId 'ContextInvalid,Set-SvcContext' -ExpectedMessage '*.md*'
        Set-SvcContext -PlanReport $TestDrive, 'plan.md'
        (Get-SvcContext).PlanReport.Count | Should -BeGreaterThan 1
    }

    It 'holds flags as booleans, also false' {
        Set-SvcContext -AllowForeignDeletes
        (Get-SvcContext).AllowForeignDeletes | Should -BeTrue
        Set-SvcContext -AllowForeignDeletes:$false
        (Get-SvcContext).AllowForeignDeletes | Should -Be $false
        (Get-SvcContext).AllowForeignDeletes | Should -BeOfType [bool]
    }

    It 'is returned with -PassThru, and only then' {
        Set-SvcContext -Cloud local | Should -BeNullOrEmpty
        $context = Set-SvcContext -Environment test -PassThru
        $context.PSTypeNames[0] | Should -Be 'Svc.Context'
        $context.Cloud | Should -Be 'local'
        $context.Environment | Should -Be 'test'
    }

    It 'takes -<_> of the replaced module, which has no effect' -ForEach 'BuildId', 'BuildRepoName', 'BuildDefinitionName', 'BuildDefinitionNumber', 'ProjectConfirmation' {
        Set-SvcContext -Cloud local
        $arguments = @{ $_ = 'x'; Environment = 'test' }
        $lines = @(Set-SvcContext @arguments -Verbose 4>&1 | ForEach-Object { "$_" })
        $lines | Should -Contain "-$_ has no effect; no name or tag depends on it."
        (Get-SvcContext).Cloud | Should -Be 'local'
        (Get-SvcContext).Environment | Should -Be 'test'
        (Get-SvcContext).PSObject.Properties.Name | Should -Not -Contain $_
    }

    It 'takes no positional values' {
        { Set-SvcContext local } | Should -Throw -ErrorId 'PositionalParameterNotFound,Set-SvcContext'
    }

    It 'completes <Parameter>' -ForEach @(
        @{ Parameter = 'Cloud'; Value = 'local' }
        @{ Parameter = 'Environment'; Value = 'test' }
    ) {
        $line = "Set-SvcContext -$Parameter "
        $found = [Management.Automation.CommandCompletion]::CompleteInput($line, $line.Length, $null).CompletionMatches.CompletionText
        $found | Should -Contain $Value
        $found.Count | Should -BeGreaterThan 1
    }

    Context 'through the pipeline' {
        It 'is the same again' {
            Set-SvcContext -Cloud local -Environment test -AllowForeignDeletes:$false
            $before = Get-SvcContext
            Get-SvcContext | Set-SvcContext
            foreach ($property in $before.PSObject.Properties | Where-Object Name -NE 'Sources') { (Get-SvcContext).($property.Name) | Should -Be $property.Value -Because $property.Name }
            (Get-Source -Name 'AllowForeignDeletes').Source | Should -Be 'set'
            (Get-Source -Name 'ServiceTagKey').Source | Should -Be 'default'
            (Get-Source -Name 'IncludeUnchanged').Source | Should -Be 'default'
        }

        It 'goes back to what was set before' {
            Set-SvcContext -Environment test
            $before = Get-SvcContext
            Set-SvcContext -Cloud local -Environment production -AllowForeignDeletes
            $before | Set-SvcContext
            (Get-Source -Name 'Cloud').Source | Should -Be 'default'
            (Get-SvcContext).Environment | Should -Be 'test'
            (Get-Source -Name 'AllowForeignDeletes').Source | Should -Be 'default'
        }

        It 'takes a table with a key that tables have as a property' {
            @{ Keys = 'x'; Cloud = 'local' } | Set-SvcContext
            (Get-SvcContext).Cloud | Should -Be 'local'
        }

        It 'takes any object with properties of these names' {
            [pscustomobject]@{ Cloud = 'local'; AllowForeignDeletes = 'true'; Comment = 'of a CSV file' } | Set-SvcContext
            (Get-SvcContext).Cloud | Should -Be 'local'
            (Get-SvcContext).AllowForeignDeletes | Should -Be $true
        }

        It 'refuses an object without any of them' {
            { 'local' | Set-SvcContext } | Should -Throw -ErrorId 'ContextInvalid,Set-SvcContext'
        }
    }

    Context 'tells where a value comes from' {
        It 'when it was set, is a default, or is not set' {
            Set-SvcContext -Cloud local
            (Get-Source -Name 'Cloud').Value | Should -Be 'local'
            (Get-Source -Name 'Cloud').Source | Should -Be 'set'
            (Get-Source -Name 'ServiceTagKey').Value | Should -Not -BeNullOrEmpty
            (Get-Source -Name 'ServiceTagKey').Source | Should -Be 'default'
            (Get-Source -Name 'ResourceManagerEndpoint').Source | Should -Be 'not set'
        }

        It 'in its view' {
            Set-SvcContext -Cloud local
            $shown = Get-SvcContext | Out-String -Width 120
            $shown | Should -Match 'Cloud +: local \(set\)'
            $shown | Should -Match "ServiceTagKey +: $([regex]::Escape((Get-SvcContext).ServiceTagKey)) \(default\)"
            $shown | Should -Match 'ResourceManagerEndpoint +: \(not set\)'
        }

        It 'when it is a variable, without setting it' {
            $before = $env:SVC_ENVIRONMENT
            try {
                $env:SVC_ENVIRONMENT = 'test'
                (Get-Source -Name 'Environment').Value | Should -Be 'test'
                (Get-Source -Name 'Environment').Source | Should -Be 'environment variable SVC_ENVIRONMENT'
                (Get-SvcContext).Environment | Should -Be 'test'
                Get-SvcContext | Set-SvcContext
                (Get-Source -Name 'Environment').Source | Should -Be 'environment variable SVC_ENVIRONMENT'
            }
            finally { $env:SVC_ENVIRONMENT = $before }
        }
    }

    Context 'refuses a wrong value, and keeps what was set:' {
        It '-<Parameter> <Value>' -ForEach @(
            @{ Parameter = 'Cloud'; Value = 'publik'; Message = "*'publik' is not valid; use *" }
            @{ Parameter = 'Cloud'; Value = 'http://management.example.com'; Message = '*must begin with https://*' }
            @{ Parameter = 'Cloud'; Value = 'https://user:secret@management.example.com'; Message = '*user name or a password*' }
            @{ Parameter = 'ResourceManagerEndpoint'; Value = 'management.azure.com'; Message = "*expected a URL, found 'management.azure.com'*" }
            @{ Parameter = 'SubscriptionId'; Value = 'mine'; Message = "*expected a GUID, found 'mine'*" }
            @{ Parameter = 'TenantId'; Value = '11111111'; Message = "*expected a GUID, found '11111111'*" }
            @{ Parameter = 'RequestTimeout'; Value = '90'; Message = "*an ISO 8601 duration *, found '90'*" }
            @{ Parameter = 'OperationTimeout'; Value = 'PT0S'; Message = "*an ISO 8601 duration *, found 'PT0S'*" }
            @{ Parameter = 'ServiceTagKey'; Value = 'a/b'; Message = '*character*' }
            @{ Parameter = 'ExceptionTagKey'; Value = 'a%b'; Message = '*character*' }
            @{ Parameter = 'EnvironmentTagKey'; Value = 'a<b'; Message = '*character*' }
            @{ Parameter = 'ProjectRoot'; Value = 'no-such-folder'; Message = '*no-such-folder* is not a folder*' }
        ) {
            Set-SvcContext -Environment test
            $values = @{ Environment = 'production'; $Parameter = $Value }
            { Set-SvcContext @values } | Should -Throw -ErrorId 'ContextInvalid,Set-SvcContext' -ExpectedMessage $Message
            (Get-Source -Name $Parameter).Source | Should -Not -Be 'set'
            (Get-SvcContext).Environment | Should -Be 'test'
        }

        It 'but not an environment: naming files have their own' {
            Set-SvcContext -Environment staging
            (Get-SvcContext).Environment | Should -Be 'staging'
        }

        It 'and takes -<Parameter> <Value>' -ForEach @(
            @{ Parameter = 'Cloud'; Value = 'AzureUSGovernment' }
            @{ Parameter = 'Cloud'; Value = 'http://127.0.0.1:8090' }
            @{ Parameter = 'Cloud'; Value = 'https://management.example.com' }
            @{ Parameter = 'SubscriptionId'; Value = '00000000-0000-0000-0000-00000000000A' }
            @{ Parameter = 'RequestTimeout'; Value = 'PT1H30M' }
            @{ Parameter = 'OperationTimeout'; Value = 'P1D' }
            @{ Parameter = 'ServiceTagKey'; Value = 'cm-service' }
        ) {
            $values = @{ $Parameter = $Value }
            Set-SvcContext @values
            (Get-SvcContext).$Parameter | Should -Be $Value
        }
    }

    Context 'under -WhatIf and -Confirm' {
        It 'is not changed with -WhatIf' {
            Set-SvcContext -Cloud local
            Set-SvcContext -Cloud public -WhatIf
            Clear-SvcContext -WhatIf
            (Get-SvcContext).Cloud | Should -Be 'local'
        }

        It 'is changed although $WhatIfPreference of the caller is <_>: the dry run needs it' -ForEach $true, 1, 'yes' {
            & {
                param($Preference)
                $WhatIfPreference = $Preference
                Set-SvcContext -Cloud local
            } $_
            (Get-SvcContext).Cloud | Should -Be 'local'
            & {
                param($Preference)
                $WhatIfPreference = $Preference
                Clear-SvcContext
            } $_
            (Get-Source -Name 'Cloud').Source | Should -Be 'default'
        }

        It 'is changed when the global $WhatIfPreference is on' {
            $session = Invoke-Session -Parameters @{ Module = Get-ModuleManifest } -Script {
                param($Module)
                Import-Module $Module
                $global:WhatIfPreference = $true
                Set-SvcContext -Cloud local
                (Get-SvcContext).Cloud
            }
            $session.Output | Should -Be 'local'
        }

        It 'is not changed with -Confirm where nobody can be asked' {
            $shown = Invoke-Process -Folder $TestDrive -Script @"
Import-Module '$(Get-ModuleManifest)'
try { Set-SvcContext -Cloud local -Confirm } catch { `$_.FullyQualifiedErrorId }
"cloud '`$((Get-SvcContext).Sources[0].Source)'"
"@
            $shown | Should -Contain 'ConfirmationUnavailable,Set-SvcContext'
            $shown | Should -Contain "cloud 'default'"
        }
    }

    Context 'belongs to the runspace' {
        It 'so it outlives Import-Module -Force' {
            Set-SvcContext -Cloud local
            Import-Module (Get-ModuleManifest) -Force
            (Get-SvcContext).Cloud | Should -Be 'local'
        }

        It 'so a second copy of the module has it, too' {
            $copy = Copy-Module -Destination $TestDrive
            $session = Invoke-Session -Parameters @{ Module = Get-ModuleManifest; Copy = [IO.Path]::Combine($copy, 'SvcDeploy.psd1') } -Script {
                param($Module, $Copy)
                Import-Module $Module
                Set-SvcContext -Cloud local
                Import-Module $Copy -Prefix Other
                (Get-OtherSvcContext).Cloud
            }
            $session.Output | Should -Be 'local'
        }

        It 'so a module that imports it has it, too' {
            $nesting = [IO.Path]::Combine($TestDrive, 'Nesting.psm1')
            [IO.File]::WriteAllText($nesting, "Import-Module '$(Get-ModuleManifest)'`nfunction Get-NestedCloud { (Get-SvcContext).Cloud }`n")
            $session = Invoke-Session -Parameters @{ Module = Get-ModuleManifest; Nesting = $nesting } -Script {
                param($Module, $Nesting)
                Import-Module $Module
                Set-SvcContext -Cloud local
                Import-Module $Nesting
                Get-NestedCloud
            }
            $session.Output | Should -Be 'local'
        }

        It 'so another one starts without it' {
            Set-SvcContext -Cloud local
            $session = Invoke-Session -Parameters @{ Module = Get-ModuleManifest } -Script {
                param($Module)
                Import-Module $Module
                "cloud '$((Get-SvcContext).Sources[0].Source)'"
            }
            $session.Output | Should -Be "cloud 'default'"
        }
    }
}
