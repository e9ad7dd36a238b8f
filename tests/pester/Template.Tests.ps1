BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force

    # A document that says itself which command it is for.
    function Get-Document {
        $document = Get-StorageSettings
        $document['component'] = 'storage'
        $document
    }
}

Describe 'The template of a document' {
    BeforeEach {
        [void] (Use-LocalCloud -Folder $TestDrive)
        $folder = [IO.Directory]::CreateDirectory([IO.Path]::Combine($TestDrive, [guid]::NewGuid())).FullName
        $path = [IO.Path]::Combine($folder, 'storage.json')
    }

    AfterAll { Clear-SvcContext }

    It 'is the output, with the calls that deploy it' {
        $template = Export-SvcTemplate -SettingsObject (Get-Document) 6>$null
        $template.PSTypeNames[0] | Should -Be 'Svc.Template'
        $content = $template.Template | ConvertFrom-Json -AsHashtable
        $content['languageVersion'] | Should -Be '2.0'
        @($content['resources'].Values | Where-Object { $_['type'] -eq 'Microsoft.Resources/deployments' }).Count | Should -Be 1
        @($template.Calls | Where-Object { $_.Command -like '*az deployment sub create*' }).Count | Should -Be 1
        @($template.Calls | Where-Object { $_.Command -like '*New-AzSubscriptionDeployment*' }).Count | Should -Be 1
    }

    It 'is written to a file, and nothing is deployed' {
        $template = Export-SvcTemplate -SettingsObject (Get-Document) -Path $path 6>$null
        $template.Path | Should -Be $path
        [IO.File]::ReadAllText($path) | Should -BeLike '*deploymentTemplate.json#*'
        @(New-SvcIaasStorage -SettingsObject (Get-Document) -WhatIf 6>$null).Count | Should -BeGreaterThan 0
    }

    It 'is shown by the calls that deploy it, and not as one long text' {
        $template = Export-SvcTemplate -SettingsObject (Get-Document) -Path $path 6>$null
        $shown = $template | Out-String -Width 400
        $shown | Should -BeLike "*Template:   $path*"
        $shown | Should -BeLike '*Azure CLI:*az deployment sub create*'
        $shown | Should -Not -BeLike '*languageVersion*'
    }

    It 'is one of several documents' {
        $other = Get-Document
        $other['resourceGroupName'] = 'Other'
        $other['storageAccounts'] = @(@{ storageAccountName = 'other'; accountType = 'Standard' })
        $template = (Get-Document), $other | Export-SvcTemplate 6>$null
        @($template).Count | Should -Be 1
        $content = $template.Template | ConvertFrom-Json -AsHashtable
        @($content['resources'].Values | Where-Object { $_['type'] -eq 'Microsoft.Resources/deployments' }).Count | Should -Be 2
    }

    It 'never takes the place of the document' {
        $settings = [IO.Path]::Combine($folder, 'storage.yml')
        Write-StorageFile -Path $settings
        [IO.File]::AppendAllText($settings, "component: storage`n")
        $before = [IO.File]::ReadAllText($settings)
        (Export-SvcTemplate $settings 6>$null).Path | Should -BeNullOrEmpty
        [IO.File]::ReadAllText($settings) | Should -Be $before
        [void] (Export-SvcTemplate $settings -Path $path 6>$null)
        [IO.File]::Exists($path) | Should -BeTrue
        [IO.File]::ReadAllText($settings) | Should -Be $before
        { Export-SvcTemplate $settings -Path $settings } | Should -Throw -ErrorId 'FileExists,Export-SvcTemplate'
        [IO.File]::ReadAllText($settings) | Should -Be $before
    }

    It 'is not written in a dry run: <Way>' -ForEach @(
        @{ Way = '-WhatIf'; Parameters = @{ WhatIf = $true }; Preference = $false }
        @{ Way = '$WhatIfPreference = $true'; Parameters = @{}; Preference = $true }
        @{ Way = '$WhatIfPreference = 1'; Parameters = @{}; Preference = 1 }
        @{ Way = "`$WhatIfPreference = 'yes'"; Parameters = @{}; Preference = 'yes' }
    ) {
        & {
            param($Preference, $Document, $Parameters)
            $WhatIfPreference = $Preference
            Export-SvcTemplate -SettingsObject $Document -Path $path @Parameters 6>$null
        } $Preference (Get-Document) $Parameters | Should -BeNullOrEmpty
        [IO.File]::Exists($path) | Should -BeFalse
    }

    It 'of rules alone is for alerts' {
        { Export-SvcTemplate -SettingsObject (Get-Document) -Stack } | Should -Throw -ErrorId 'TemplateImpossible*'
    }
}
