BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe 'The context of a session' {
    BeforeEach { Clear-SvcContext }

    AfterAll { Clear-SvcContext }

    It 'is empty at first' {
        $context = Get-SvcContext
        $context.PSTypeNames[0] | Should -Be 'Svc.Context'
        foreach ($property in $context.PSObject.Properties) { $property.Value | Should -BeNullOrEmpty -Because $property.Name }
    }

    It 'has a parameter for each property' {
        $parameters = (Get-Command -Name Set-SvcContext).Parameters.Keys
        foreach ($property in (Get-SvcContext).PSObject.Properties) { $parameters | Should -Contain $property.Name }
    }

    It 'changes only what is given' {
        Set-SvcContext -Cloud local -Environment test
        Set-SvcContext -Environment production
        $context = Get-SvcContext
        $context.Cloud | Should -Be 'local'
        $context.Environment | Should -Be 'production'
    }

    It 'takes out what is set to empty text' {
        Set-SvcContext -Cloud local -LocalStateFile state.json
        Set-SvcContext -Cloud '' -LocalStateFile ''
        (Get-SvcContext).Cloud | Should -BeNullOrEmpty
        (Get-SvcContext).LocalStateFile | Should -BeNullOrEmpty
    }

    It 'holds absolute paths' {
        Push-Location -LiteralPath $TestDrive
        try { Set-SvcContext -ProjectRoot . -LocalStateFile state.json }
        finally { Pop-Location }
        [IO.Path]::IsPathRooted((Get-SvcContext).ProjectRoot) | Should -BeTrue
        (Get-SvcContext).LocalStateFile | Should -Be ([IO.Path]::Combine($TestDrive, 'state.json'))
    }

    It 'holds flags as booleans, also false' {
        Set-SvcContext -AllowForeignDeletes
        (Get-SvcContext).AllowForeignDeletes | Should -BeTrue
        Set-SvcContext -AllowForeignDeletes:$false
        (Get-SvcContext).AllowForeignDeletes | Should -Be $false
        (Get-SvcContext).AllowForeignDeletes | Should -BeOfType [bool]
    }

    It 'is not changed with -WhatIf' {
        Set-SvcContext -Cloud local
        Set-SvcContext -Cloud public -WhatIf
        Clear-SvcContext -WhatIf
        (Get-SvcContext).Cloud | Should -Be 'local'
    }

    It 'is not changed when $WhatIfPreference of the caller says so' {
        & {
            $WhatIfPreference = $true
            Set-SvcContext -Cloud local
        }
        (Get-SvcContext).Cloud | Should -BeNullOrEmpty
    }

    It 'takes no positional values' {
        { Set-SvcContext local } | Should -Throw -ErrorId 'PositionalParameterNotFound,Set-SvcContext'
    }
}
