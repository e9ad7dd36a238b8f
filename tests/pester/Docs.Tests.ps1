# The PowerShell commands in the docs end without an error. CONTRIBUTING.md says how a page marks them: the blocks that begin with
# 'powershell run' are run, all of a page one after another in one process. It begins in a copy of the examples, on a local cloud that
# has the landing zone.

BeforeDiscovery {
    $root = [IO.Path]::GetFullPath([IO.Path]::Combine($PSScriptRoot, '..', '..'))
    $files = @(Get-Item -LiteralPath ([IO.Path]::Combine($root, 'README.md')))
    $files += @(Get-ChildItem -LiteralPath ([IO.Path]::Combine($root, 'docs')) -Filter '*.md' -Recurse -File)
    $pages = foreach ($file in $files) {
        $text = [IO.File]::ReadAllText($file.FullName).Replace("`r`n", "`n")
        $blocks = [regex]::Matches($text, '(?ms)^```powershell run\n(.*?)^```$')
        if ($blocks.Count -gt 0) {
            @{ Page = $file.Name; Script = -join @($blocks | ForEach-Object -Process { $_.Groups[1].Value }) }
        }
    }
}

Describe 'The PowerShell commands in the docs' {
    BeforeAll {
        Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
        $examples = [IO.Path]::GetFullPath([IO.Path]::Combine($PSScriptRoot, '..', '..', 'examples'))
        # The module is found by its name, as one that is installed.
        $modules = [IO.Path]::GetDirectoryName([IO.Path]::TrimEndingDirectorySeparator((Get-ModuleFolder)))
    }

    It 'are there' -ForEach @(@{ Count = @($pages).Count }) {
        $Count | Should -BeGreaterThan 2
    }

    It 'of <Page> end without an error' -ForEach $pages {
        $folder = [IO.Path]::Combine($TestDrive, "$([guid]::NewGuid())")
        Copy-Item -LiteralPath $examples -Destination $folder -Recurse -Container
        $state = [IO.Path]::Combine($folder, 'local-cloud.json')
        [IO.File]::Copy([IO.Path]::Combine($PSScriptRoot, 'landing-zone-state.json'), $state)
        $before = @(
            '$ErrorActionPreference = ''Stop'''
            '$ConfirmPreference = ''None'''
            "`$env:PSModulePath = '$($modules.Replace("'", "''"))' + [IO.Path]::PathSeparator + `$env:PSModulePath"
            '$env:SVC_CLOUD = ''local'''
            "`$env:SVC_LOCAL_STATE_FILE = '$($state.Replace("'", "''"))'"
            '$env:SUBSCRIPTION = ''10ca1c10-0d00-4000-8000-000000000001'''
            '$env:SVC_SUBSCRIPTION_ID = $env:SUBSCRIPTION'
            "Set-Location -LiteralPath '$($folder.Replace("'", "''"))'"
        ) -join "`n"
        $printed = @(Invoke-Process -Folder $TestDrive -Script "$before`n$Script`n'The page ends here.'`n")
        # A process may end its output with an empty line.
        $printed | Where-Object { $_.Trim() } | Select-Object -Last 1 | Should -Be 'The page ends here.' -Because ($printed -join "`n")
    }
}
