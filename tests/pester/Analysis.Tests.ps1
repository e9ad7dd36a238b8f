BeforeDiscovery {
    $missing = -not (Get-Module -Name PSScriptAnalyzer -ListAvailable)
}

BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
}

Describe 'PSScriptAnalyzer' -Skip:$missing {
    It 'has nothing to say about <_> by its default rules' -ForEach 'SvcDeploy.psm1', 'SvcDeploy.psd1' {
        $findings = Invoke-ScriptAnalyzer -Path ([IO.Path]::Combine((Get-ModuleFolder), $_))
        $findings | ForEach-Object { "$($_.RuleName) line $($_.Line): $($_.Message)" } | Should -BeNullOrEmpty
    }

    It 'has nothing to say about <_> by the rules of the PowerShell Gallery' -ForEach 'SvcDeploy.psm1', 'SvcDeploy.psd1' {
        $findings = Invoke-ScriptAnalyzer -Path ([IO.Path]::Combine((Get-ModuleFolder), $_)) -Settings PSGallery
        $findings | ForEach-Object { "$($_.RuleName) line $($_.Line): $($_.Message)" } | Should -BeNullOrEmpty
    }

    It 'is told to pass over a rule only with a reason' {
        $suppressed = Invoke-ScriptAnalyzer -Path ([IO.Path]::Combine((Get-ModuleFolder), 'SvcDeploy.psm1')) -SuppressedOnly
        foreach ($finding in $suppressed) {
            foreach ($suppression in $finding.Suppression) {
                $suppression.Justification | Should -Not -BeNullOrEmpty -Because "$($finding.RuleName) line $($finding.Line)"
            }
        }
    }
}
