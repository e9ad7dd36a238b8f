BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe 'New-SvcPaasWeb' {
    It 'takes a file or an object, each in a set of its own' {
        $found = Get-Command -Name New-SvcPaasWeb
        $found.DefaultParameterSet | Should -Be 'File'
        $found.Parameters['SettingsFile'].ParameterSets['File'].IsMandatory | Should -BeTrue
        $found.Parameters['SettingsObject'].ParameterSets['Object'].IsMandatory | Should -BeTrue
        $found.Parameters['SettingsObject'].ParameterSets['Object'].ValueFromPipeline | Should -BeTrue
        $found.Parameters['TagSettingsFile'].Aliases | Should -Contain 'TagSettingFile'
        $found.Parameters.Keys | Should -Not -Contain 'OmitTags'
    }
}

Describe 'Web apps' {
    BeforeAll {
        # An app with a slot, and a function app that gets at its account by its identity.
        $file = [IO.Path]::Combine($TestDrive, 'web.yml')
        [IO.File]::WriteAllText($file, @'
service:
  dependencies:
    appInsights: web-insights
    storage: web-storage
  publish:
    frontdoor: pester-edge
    frontdoorResourceGroup: pester-edge-group
    webapp: pester-app
webSolutions:
  - name: Shop
    appServicePlans:
      - name: Front
        sku: S1
        region: UK South
        webapps:
          - name: Store
            runTime: NODE|22-lts
            enableAppInsight: true
            slots:
              - staging
        functions:
          - name: Orders
            runtime: PYTHON|3.12
'@)
        # The same with a name that nobody publishes.
        $wrong = [IO.Path]::Combine($TestDrive, 'wrong.yml')
        [IO.File]::WriteAllText($wrong, [IO.File]::ReadAllText($file).Replace('web-storage', 'web-storgae'))
    }

    BeforeEach {
        [void] (Use-LandingZone -Folder $TestDrive)
        $plan = @(Get-LibraryPlan -Command 'New-SvcPaasWeb' -Settings $file)
    }

    AfterAll { Clear-SvcContext }

    It 'are planned whole, without a secret that the library does not show' {
        $planned = New-SvcPaasWeb -SettingsFile $file -WhatIf 6>$null
        foreach ($action in $planned) { $action.PSTypeNames[0] | Should -Be 'Svc.PlannedAction' }
        $planned | ConvertTo-PlanText | Should -Be @($plan | ConvertTo-PlanText)
    }

    It 'are deployed, and a second run does nothing' {
        $deployed = New-SvcPaasWeb -SettingsFile $file 6>$null
        foreach ($resource in $deployed) { $resource.PSTypeNames[0] | Should -Be 'Svc.DeployedResource' }
        $deployed.Count | Should -Be $plan.Count
        @(New-SvcPaasWeb -SettingsFile $file -WhatIf 6>$null).Count | Should -Be 0
        @(New-SvcPaasWeb -SettingsFile $file 6>$null).Count | Should -Be 0
    }

    It 'with an account that nobody publishes are an error with its place' {
        $record = try { New-SvcPaasWeb -SettingsFile $wrong 6>$null } catch { $_ }
        Assert-LibraryError -Record $record -Said (Get-LibraryError -Command 'New-SvcPaasWeb' -Settings $wrong) -Command 'New-SvcPaasWeb'
    }
}
