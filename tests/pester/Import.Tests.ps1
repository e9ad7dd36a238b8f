BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe 'Importing the module' {
    It 'has a valid manifest' {
        $manifest = Test-ModuleManifest -Path (Get-ModuleManifest)
        $manifest.ExportedCommands.Keys | Should -Contain 'New-SvcIaasStorage'
        $manifest.PrivateData.PSData.Tags | Should -Contain 'Azure'
        $manifest.ReleaseNotes | Should -Not -BeNullOrEmpty
    }

    It 'has a manifest that lists every file' {
        $folder = Get-ModuleFolder
        $listed = (Import-PowerShellDataFile -Path (Get-ModuleManifest)).FileList | Sort-Object
        $there = Get-ChildItem -LiteralPath $folder -Recurse -File |
            ForEach-Object { [IO.Path]::GetRelativePath($folder, $_.FullName).Replace('\', '/') } | Sort-Object
        $listed -join ' ' | Should -Be ($there -join ' ')
    }

    It 'exports the commands and nothing else' {
        $module = Get-Module -Name SvcDeploy
        ($module.ExportedFunctions.Keys | Sort-Object) -join ' ' |
            Should -Be (((Import-PowerShellDataFile -Path (Get-ModuleManifest)).FunctionsToExport | Sort-Object) -join ' ')
        $module.ExportedAliases.Count | Should -Be 0
        $module.ExportedVariables.Count | Should -Be 0
    }

    It 'loads the compiled bindings where there are any, for typed catches, and not the library' {
        $compiled = [IO.File]::Exists([IO.Path]::Combine((Get-ModuleFolder), 'SvcDeploy.Interop.dll'))
        $shown = Invoke-Process -Folder $TestDrive -Script @"
Import-Module '$(Get-ModuleManifest)'
[void] (Get-Help New-SvcIaasStorage)
"bindings `$([bool] ('SvcDeploy.Native' -as [type]))"
"libraries `$(@([Diagnostics.Process]::GetCurrentProcess().Modules.ModuleName -like '*svc_deploy*').Count)"
"@
        $shown | Should -Contain "bindings $compiled"
        $shown | Should -Contain 'libraries 0'
    }

    It 'lets a script catch by type before the first command' {
        if (-not [IO.File]::Exists([IO.Path]::Combine((Get-ModuleFolder), 'SvcDeploy.Interop.dll'))) {
            Set-ItResult -Skipped -Because 'the bindings of this folder are not compiled'
            return
        }
        $shown = Invoke-Process -Folder $TestDrive -Script @"
Import-Module '$(Get-ModuleManifest)'
try { throw [IO.IOException]::new('early') } catch [SvcDeploy.DeploymentException] { 'wrong' } catch [IO.IOException] { 'right' }
"@
        $shown | Should -Be 'right'
    }

    It 'works with a prefix' {
        $module = Import-Module (Get-ModuleManifest) -Prefix My -PassThru -Force
        try {
            Set-MySvcContext -Cloud local -SubscriptionId ([guid]::NewGuid()) -LocalStateFile ([IO.Path]::Combine($TestDrive, 'prefix.json'))
            $settings = Get-StorageSettings
            (New-MySvcIaasStorage -SettingsObject $settings -WhatIf 6>$null).Name | Should -Contain (Get-StorageName)
        }
        finally {
            Remove-Module -ModuleInfo $module
            Import-Module (Get-ModuleManifest) -Force
        }
    }
}

Describe 'The library' {
    BeforeAll {
        # Runs a command and shows the error.
        function Get-FirstError {
            param([string] $Folder)
            Invoke-Process -Folder $TestDrive -Script @"
Import-Module '$Folder/SvcDeploy.psd1'
try { New-SvcIaasStorage -SettingsObject @{} -WhatIf } catch { "`$(`$_.FullyQualifiedErrorId) | `$(`$_.CategoryInfo.Category) | `$(`$_.Exception.Message)" }
'after'
"@
        }
    }

    It 'is named with the reason when it is missing' {
        $folder = Copy-Module -Destination $TestDrive
        $library = Get-LibraryFile -Folder $folder
        Remove-Item -LiteralPath $library
        $shown = Get-FirstError -Folder $folder
        $shown[0] | Should -BeLike 'LibraryLoadFailed,New-SvcIaasStorage | NotInstalled | *'
        $shown -join ' ' | Should -BeLike "*$([IO.Path]::GetFileName($library))*"
        $shown | Should -Contain 'after'
    }

    It 'is named with the reason when it is no library' {
        $folder = Copy-Module -Destination $TestDrive
        $library = Get-LibraryFile -Folder $folder
        Remove-Item -LiteralPath $library
        [IO.File]::WriteAllText($library, 'This is not a library.')
        (Get-FirstError -Folder $folder)[0] | Should -BeLike 'LibraryLoadFailed,New-SvcIaasStorage | NotInstalled | *'
    }

    It 'is refused when the session has that of another version' {
        $folder = Copy-Module -Destination $TestDrive
        foreach ($file in 'SvcDeploy.psm1', 'SvcDeploy.psd1') {
            $path = [IO.Path]::Combine($folder, $file)
            $text = [IO.File]::ReadAllText($path) -replace "(ModuleVersion\s*= )'[0-9.]+'", "`$1'99.0.0'"
            [IO.File]::WriteAllText($path, $text)
        }
        $shown = Invoke-Process -Folder $TestDrive -Script @"
Import-Module '$(Get-ModuleManifest)'
try { New-SvcIaasStorage -SettingsObject @{} -WhatIf } catch { 'first' }
Remove-Module SvcDeploy
Import-Module '$folder/SvcDeploy.psd1'
try { New-SvcIaasStorage -SettingsObject @{} -WhatIf } catch { `$_.FullyQualifiedErrorId }
"@
        $shown | Should -Contain 'first'
        $shown | Should -Contain 'LibraryVersionMismatch,New-SvcIaasStorage'
    }

    It 'is bound from source when the package has no compiled bindings' {
        $folder = Copy-Module -Destination $TestDrive
        $compiled = [IO.Path]::Combine($folder, 'SvcDeploy.Interop.dll')
        if ([IO.File]::Exists($compiled)) { Remove-Item -LiteralPath $compiled }
        $shown = Invoke-Process -Folder $TestDrive -Script @"
Import-Module '$folder/SvcDeploy.psd1'
try { New-SvcIaasStorage -SettingsObject @{ noSuchKey = 1 } -WhatIf } catch { `$_.Exception.GetType().FullName }
"bindings `$([bool] ('SvcDeploy.Native' -as [type]))"
"@
        $shown | Should -Contain 'SvcDeploy.DeploymentException'
        $shown | Should -Contain 'bindings True'
    }

    It 'says in one sentence that the language mode is not enough' {
        $shown = @(Invoke-Process -Folder $TestDrive -Script @"
`$ExecutionContext.SessionState.LanguageMode = 'ConstrainedLanguage'
try { Import-Module '$(Get-ModuleManifest)' -ErrorAction Stop } catch { "`$_" }
"@)
        $shown.Count | Should -Be 1
        $shown[0] | Should -BeLike '*the language mode of this session (ConstrainedLanguage)*'
    }
}
