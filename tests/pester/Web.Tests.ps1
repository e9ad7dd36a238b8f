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
        $expected = @(Get-LibraryPlan -Command 'New-SvcPaasWeb' -Settings $file | ConvertTo-ActionText)
    }

    AfterAll { Clear-SvcContext }

    It 'are planned with their slots, their app settings and the roles of function apps' {
        $planned = New-SvcPaasWeb -SettingsFile $file -WhatIf 6>$null
        foreach ($action in $planned) {
            $action.PSTypeNames[0] | Should -Be 'Svc.PlannedAction'
            $action.Action | Should -Be 'create'
        }
        $planned | ConvertTo-ActionText | Should -Be $expected
    }

    It 'show no connection string' {
        $planned = New-SvcPaasWeb -SettingsFile $file -WhatIf 6>$null
        $settings = $planned | Where-Object Type -EQ 'Microsoft.Web/sites/slots/config'
        $change = $settings.Changes | Where-Object Path -EQ 'properties.APPLICATIONINSIGHTS_CONNECTION_STRING'
        $change.After | Should -Be '"***"'
        $change.Origin | Should -BeLike '*web.yml:18:*'
    }

    It 'are deployed, and a second run does nothing' {
        $deployed = New-SvcPaasWeb -SettingsFile $file 6>$null
        foreach ($resource in $deployed) {
            $resource.PSTypeNames[0] | Should -Be 'Svc.DeployedResource'
            $resource.Action | Should -Be 'create'
        }
        $deployed.Count | Should -Be $expected.Count
        @(New-SvcPaasWeb -SettingsFile $file -WhatIf 6>$null).Count | Should -Be 0
        @(New-SvcPaasWeb -SettingsFile $file 6>$null).Count | Should -Be 0
    }

    It 'with an account that nobody publishes are an error with its place' {
        $record = try { New-SvcPaasWeb -SettingsFile $wrong 6>$null } catch { $_ }
        $record.Exception | Should -BeOfType ([SvcDeploy.DeploymentException])
        $record.FullyQualifiedErrorId | Should -Be 'ServiceNotFound,New-SvcPaasWeb'
        $record.Exception.Findings.Count | Should -Be 1
        $record.Exception.Findings[0].Path | Should -Be 'service.dependencies.storage'
    }
}
