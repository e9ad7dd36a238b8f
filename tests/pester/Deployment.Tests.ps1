BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe 'Deploying to the local cloud' {
    BeforeEach { $state = Use-LocalCloud -Folder $TestDrive }

    AfterAll { Clear-SvcContext }

    It 'writes an object for each resource' {
        $deployed = New-SvcIaasStorage -SettingsObject (Get-StorageSettings)
        foreach ($resource in $deployed) {
            $resource.PSTypeNames[0] | Should -Be 'Svc.DeployedResource'
            $resource.Action | Should -Be 'create'
            $resource.Seconds | Should -BeGreaterOrEqual 0
        }
        $account = $deployed | Where-Object Type -EQ 'Microsoft.Storage/storageAccounts'
        $account.Name | Should -Be 'stpester97de097b'
        $account.ResourceGroup | Should -Be 'rg-pester-iaas-23fa0775'
        $account.Id | Should -BeLike '*/storageAccounts/stpester97de097b'
        $account.PSObject.Properties.Name | Should -Contain 'Properties'
    }

    It 'does nothing the second time, and says so with -Verbose' {
        [void] (New-SvcIaasStorage -SettingsObject (Get-StorageSettings))
        $output = New-SvcIaasStorage -SettingsObject (Get-StorageSettings) -Verbose 4>&1
        @($output | Where-Object { $_ -isnot [Management.Automation.VerboseRecord] }).Count | Should -Be 0
        @($output).Count | Should -BeGreaterThan 0
    }

    It 'sums up with -Verbose' {
        $output = @(New-SvcIaasStorage -SettingsObject (Get-StorageSettings) -Verbose 4>&1)
        @($output -like 'Resources: 2 created, 0 modified, *').Count | Should -Be 1
    }

    It 'is verbose when $VerbosePreference of a calling script says so' {
        $script = [IO.Path]::Combine($TestDrive, 'verbose.ps1')
        [IO.File]::WriteAllText($script, 'param($Settings) $VerbosePreference = "Continue"; New-SvcIaasStorage -SettingsObject $Settings -WhatIf')
        $output = & $script -Settings (Get-StorageSettings) 4>&1
        @($output | Where-Object { $_ -is [Management.Automation.VerboseRecord] }).Count | Should -BeGreaterThan 0
    }

    It 'works under strict mode and with errors that stop' {
        $deployed = & {
            Set-StrictMode -Version 3.0
            $ErrorActionPreference = 'Stop'
            New-SvcIaasStorage -SettingsObject (Get-StorageSettings)
        }
        $deployed.Name | Should -Contain 'stpester97de097b'
    }

    It 'has a view that is a table' {
        $shown = New-SvcIaasStorage -SettingsObject (Get-StorageSettings) | Out-String -Width 200
        $shown | Should -Match 'Action +Seconds +Resource'
        $shown | Should -Match "created +[0-9]+[.,][0-9] +storage account 'stpester97de097b'"
    }

    It 'deploys what the account contains' {
        $settings = Get-StorageSettings
        $settings['storageAccounts'][0]['blobContainer'] = @(@{ name = 'Documents' })
        $settings['storageAccounts'][0]['table'] = @('Orders')
        $settings['storageAccounts'][0]['queue'] = @('incoming')
        $settings['storageAccounts'][0]['fileShare'] = @(@{ name = 'share'; size = 5 })
        $deployed = New-SvcIaasStorage -SettingsObject $settings
        foreach ($name in 'documents', 'orders', 'incoming', 'share') { $deployed.Name | Should -Contain $name }
    }

    It 'takes the context from variables that were set in this session' {
        Clear-SvcContext
        $before = $env:SVC_CLOUD, $env:SVC_SUBSCRIPTION_ID, $env:SVC_LOCAL_STATE_FILE
        try {
            $env:SVC_CLOUD = 'local'
            $env:SVC_SUBSCRIPTION_ID = '33333333-3333-3333-3333-333333333333'
            $env:SVC_LOCAL_STATE_FILE = $state
            $planned = New-SvcIaasStorage -SettingsObject (Get-StorageSettings) -WhatIf
            $planned[0].Id | Should -BeLike '/subscriptions/33333333-3333-3333-3333-333333333333/*'
        }
        finally { $env:SVC_CLOUD, $env:SVC_SUBSCRIPTION_ID, $env:SVC_LOCAL_STATE_FILE = $before }
    }
}
