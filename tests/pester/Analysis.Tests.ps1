BeforeDiscovery {
    $missing = -not (Get-Module -Name PSScriptAnalyzer -ListAvailable)
}

BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
}

Describe 'PSScriptAnalyzer' {
    It 'has nothing to say about <_>' -Skip:$missing -ForEach 'SvcDeploy.psm1', 'SvcDeploy.psd1' {
        $findings = Invoke-ScriptAnalyzer -Path ([IO.Path]::Combine((Get-ModuleFolder), $_))
        $findings | ForEach-Object { "$($_.RuleName) line $($_.Line): $($_.Message)" } | Should -BeNullOrEmpty
    }
}
