# The names of the replaced module, each test in a session of its own: aliases are global.

BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
}

Describe 'Register-SvcAlias' {
    It 'has an alias for each command that deploys, and for the context' {
        $session = Invoke-Session -Parameters @{ Module = Get-ModuleManifest } -Script {
            param($Module)
            Import-Module $Module
            Register-SvcAlias -Prefix Xyz
            Get-Alias -Name '*-Xyz*' | ForEach-Object { "$($_.Name) $($_.Definition)" }
        }
        $session.Errors | Should -BeNullOrEmpty
        $session.Output | Should -Contain 'New-XyzIaasStorage New-SvcIaasStorage'
        $session.Output | Should -Contain 'New-XyzDeployment New-SvcDeployment'
        foreach ($verb in 'Set', 'Get', 'Clear') { $session.Output | Should -Contain "$verb-XyzContext $verb-SvcContext" }
        $session.Output | Should -HaveCount 12
    }

    It 'lets a script call the old names' {
        $session = Invoke-Session -Parameters @{ Module = Get-ModuleManifest } -Script {
            param($Module)
            Import-Module $Module
            Register-SvcAlias Xyz
            Set-XyzContext -Environment test -ProjectConfigName x -BuildId 7
            (Get-XyzContext).Environment
        }
        $session.Errors | Should -BeNullOrEmpty
        $session.Output | Should -Be 'test'
    }

    It 'warns where the replaced module is loaded, and loads none' {
        $session = Invoke-Session -Parameters @{ Module = Get-ModuleManifest } -Script {
            param($Module)
            Import-Module $Module
            $before = (Get-Module).Name
            New-Module -Name Old.Module -ScriptBlock { function New-XyzIaasStorage { 'old' } } | Import-Module
            Register-SvcAlias -Prefix Xyz
            Compare-Object -ReferenceObject ($before + 'Old.Module') -DifferenceObject (Get-Module).Name
        }
        $session.Warnings | Should -HaveCount 1
        "$($session.Warnings[0])" | Should -BeLike "The module 'Old.Module' is loaded and has New-XyzIaasStorage:*Remove-Module Old.Module"
        $session.Output | Should -BeNullOrEmpty
    }

    It 'refuses what is no word, and its own' -ForEach @('', 'X-y', 'Svc') {
        $session = Invoke-Session -Parameters @{ Module = Get-ModuleManifest; Prefix = $_ } -Script {
            param($Module, $Prefix)
            Import-Module $Module
            try { Register-SvcAlias -Prefix $Prefix } catch { $_.FullyQualifiedErrorId }
            (Get-Alias -Name '*-*Svc*', '*-X*' -ErrorAction Ignore).Name
        }
        $session.Output | Should -BeLike 'ParameterArgumentValidationError*,Register-SvcAlias'
    }

    It 'sets nothing with -WhatIf, and returns the aliases with -PassThru' {
        $session = Invoke-Session -Parameters @{ Module = Get-ModuleManifest } -Script {
            param($Module)
            Import-Module $Module
            Register-SvcAlias -Prefix Xyz -WhatIf -PassThru
            (Get-Alias -Name 'New-Xyz*' -ErrorAction Ignore).Name
            (Register-SvcAlias -Prefix Xyz -PassThru).Count
        }
        $session.Output | Should -Be 12
    }
}
