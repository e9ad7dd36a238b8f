BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe 'Ending a command early' {
    It 'with Select-Object -First 1 ends it and leaves the session usable' {
        [void] (Use-LocalCloud -Folder $TestDrive)
        $settings = Get-StorageSettings -Name 'First', 'Second', 'Third'
        @(New-SvcIaasStorage -SettingsObject $settings -WhatIf 6>$null | Select-Object -First 1).Count | Should -Be 1
        @(New-SvcIaasStorage -SettingsObject $settings -WhatIf 6>$null).Count | Should -Be (Get-StorageCount -Name 'First', 'Second', 'Third')
        Clear-SvcContext
    }

    It 'with Stop() from outside ends it while the cloud does not answer' {
        # Takes connections, because the system does, and never answers.
        $listener = [Net.Sockets.TcpListener]::new([Net.IPAddress]::Loopback, 0)
        $listener.Start()
        $shell = [powershell]::Create()
        try {
            [void] $shell.AddScript({
                    param($Module, $Cloud, $Settings)
                    Import-Module $Module
                    Set-SvcContext -Cloud $Cloud -SubscriptionId '11111111-1111-1111-1111-111111111111'
                    New-SvcIaasStorage -SettingsObject $Settings 6>$null
                }).AddParameters(@{
                    Module   = Get-ModuleManifest
                    Cloud    = "http://127.0.0.1:$($listener.LocalEndpoint.Port)"
                    Settings = Get-StorageSettings
                })
            [void] $shell.BeginInvoke()
            for ($attempt = 0; $attempt -lt 300 -and -not $listener.Pending(); $attempt++) { Start-Sleep -Milliseconds 100 }
            $listener.Pending() | Should -BeTrue
            $shell.BeginStop($null, $null).AsyncWaitHandle.WaitOne(20000) | Should -BeTrue
            $shell.InvocationStateInfo.State | Should -Be 'Stopped'
        }
        finally {
            $listener.Stop()
            $shell.Dispose()
        }
    }
}

Describe 'Several runspaces at once' {
    It 'have a context and a deployment each' {
        $module = Get-ModuleManifest
        $folder = "$TestDrive"
        $settings = Get-StorageSettings
        $ids = 1..4 | ForEach-Object -ThrottleLimit 4 -Parallel {
            Import-Module $using:module
            Set-SvcContext -Cloud local -SubscriptionId "$_$_$_$_$_$_$_$_-0000-0000-0000-000000000000" -LocalStateFile ([IO.Path]::Combine($using:folder, "parallel-$_.json"))
            (New-SvcIaasStorage -SettingsObject $using:settings 6>$null | Where-Object Type -EQ 'Microsoft.Storage/storageAccounts').Id
        }
        @($ids | Sort-Object -Unique).Count | Should -Be @($ids).Count
        @($ids).Count | Should -BeGreaterThan 1
        $ids -like "/subscriptions/33333333-*/$(Get-StorageName)" | Should -Not -BeNullOrEmpty
    }
}

Describe 'Several runs on one local cloud' {
    It 'wait for its state' {
        $state = Use-LocalCloud -Folder $TestDrive
        $module = Get-ModuleManifest
        $settings = @{ First = Get-StorageSettings -Name 'First'; Second = Get-StorageSettings -Name 'Second' }
        $subscription = (Get-SvcContext).SubscriptionId
        $names = 'First', 'Second' | ForEach-Object -ThrottleLimit 2 -Parallel {
            Import-Module $using:module
            Set-SvcContext -Cloud local -SubscriptionId $using:subscription -LocalStateFile $using:state
            (New-SvcIaasStorage -SettingsObject ($using:settings)[$_] 6>$null).Name
        }
        foreach ($name in 'First', 'Second') { $names | Should -Contain (Get-StorageName $name) }
        @(New-SvcIaasStorage -SettingsObject (Get-StorageSettings -Name 'First', 'Second') -WhatIf 6>$null).Count | Should -Be 0
        Clear-SvcContext
    }
}

Describe 'The environment' {
    It 'is handed over as this session has it: a document may name any variable' {
        $before = $env:AZURE_PESTER, $env:PESTER_OTHER
        try {
            $env:AZURE_PESTER = 'passed'
            $env:PESTER_OTHER = 'passed, too'
            $passed = InModuleScope -ModuleName SvcDeploy -ScriptBlock { Get-SvcModulePassedEnvironment }
            $passed['AZURE_PESTER'] | Should -Be 'passed'
            $passed['PESTER_OTHER'] | Should -Be 'passed, too'
        }
        finally { $env:AZURE_PESTER, $env:PESTER_OTHER = $before }
    }

    It 'has values that documents name, which are shown nowhere' {
        [void] (Use-LocalCloud -Folder $TestDrive)
        $folder = [IO.Path]::Combine("$TestDrive", "$([guid]::NewGuid())")
        foreach ($name in '_values', '_tags') { [void] [IO.Directory]::CreateDirectory([IO.Path]::Combine($folder, $name)) }
        [IO.File]::WriteAllText([IO.Path]::Combine($folder, '_values', 'all.yml'), "account: Pester`n")
        [IO.File]::WriteAllText([IO.Path]::Combine($folder, '_tags', 'globalTags.yml'), "tags:`n  mandatory:`n    owner: `$(env:PESTER_OWNER)`n")
        $file = [IO.Path]::Combine($folder, 'storage.yml')
        Write-StorageFile -Path $file -Name '$(account)'
        $before = $env:PESTER_OWNER
        try {
            $env:PESTER_OWNER = 'hunter2-of-pester'
            $shown = New-SvcIaasStorage -SettingsFile $file -WhatIf -Verbose *>&1 | Out-String -Width 4096
        }
        finally { $env:PESTER_OWNER = $before }
        $shown | Should -Match ([regex]::Escape((Get-StorageName -Name 'Pester')))
        $shown | Should -Not -Match 'hunter2'
        { New-SvcIaasStorage -SettingsFile $file -WhatIf 6>$null } | Should -Throw -ExpectedMessage '*the variable PESTER_OWNER is not set*'
        Clear-SvcContext
    }
}

Describe 'Paths in the environment' {
    BeforeAll {
        # What the library gets for a variable while the session stands in the test's folder.
        function Get-Passed {
            param([string] $Name, [string] $Value)
            $before = [Environment]::GetEnvironmentVariable($Name)
            Push-Location -LiteralPath $TestDrive
            try {
                [Environment]::SetEnvironmentVariable($Name, $Value)
                InModuleScope -ModuleName SvcDeploy -Parameters @{ Name = $Name } -ScriptBlock {
                    param($Name)
                    (Get-SvcModulePassedEnvironment)[$Name]
                }
            }
            finally {
                [Environment]::SetEnvironmentVariable($Name, $before)
                Pop-Location
            }
        }
        $absolute = [IO.Path]::Combine([IO.Path]::GetTempPath(), 'absolute.pem')
    }

    It 'start where the session stands: <_>' -ForEach 'SVC_PROJECT_ROOT', 'SVC_LOCAL_STATE_FILE', 'AZURE_CLIENT_CERTIFICATE_PATH', 'AZURE_FEDERATED_TOKEN_FILE', 'SSL_CERT_FILE' {
        Get-Passed -Name $_ -Value 'some/file.pem' | Should -Be ([IO.Path]::Combine("$TestDrive", 'some', 'file.pem'))
        Get-Passed -Name $_ -Value $absolute | Should -Be $absolute
    }

    It 'start at home with a tilde' {
        Get-Passed -Name 'SSL_CERT_FILE' -Value '~/file.pem' | Should -Be ([IO.Path]::Combine($HOME, 'file.pem'))
    }

    It 'are no other variables' {
        Get-Passed -Name 'SVC_ENVIRONMENT' -Value 'some/file.pem' | Should -Be 'some/file.pem'
    }
}

Describe 'An Az session' {
    BeforeAll {
        # Stands in for the real module: the name is what counts.
        $folder = [IO.Path]::Combine($TestDrive, 'Az.Accounts')
        [void] [IO.Directory]::CreateDirectory($folder)
        $fake = [IO.Path]::Combine($folder, 'Az.Accounts.psm1')
        [IO.File]::WriteAllText($fake, @'
$script:Kind = 'complete'
function Set-FakeKind { param([string] $Kind) $script:Kind = $Kind }
function Get-AzContext {
    [CmdletBinding()] param()
    if ($script:Kind -eq 'none') { return $null }
    if ($script:Kind -eq 'break') { break }
    if ($script:Kind -eq 'noisy') { 'Welcome'; @{ Note = 1 } }
    if ($script:Kind -eq 'broken') { throw 'The context file is damaged.' }
    $subscription = if ($script:Kind -in 'complete', 'noisy') { [pscustomobject]@{ Id = 'subscription' } }
    [pscustomobject]@{
        Account      = [pscustomobject]@{ Id = 'pester@example.com' }
        Subscription = $subscription
        Tenant       = [pscustomobject]@{ Id = 'tenant' }
        Environment  = [pscustomobject]@{ Name = 'AzureCloud'; ResourceManagerUrl = 'https://management.azure.com/' }
    }
}
function Get-AzAccessToken {
    [CmdletBinding()] param([string] $ResourceUrl, [string] $TenantId)
    if ($script:Kind -eq 'break') { break }
    if ($script:Kind -eq 'noisy') { 'Welcome' }
    if ($script:Kind -eq 'empty') { return [pscustomobject]@{ Token = ''; ExpiresOn = [DateTimeOffset]::Now } }
    if ($script:Kind -eq 'strange') { return [pscustomobject]@{ Token = "a`nb"; ExpiresOn = [DateTimeOffset]::Now } }
    if ($script:Kind -eq 'timeless') { return [pscustomobject]@{ Token = 'token'; ExpiresOn = 'soon' } }
    $text = "token for $ResourceUrl of $TenantId"
    $token = [securestring]::new()
    foreach ($character in $text.ToCharArray()) { $token.AppendChar($character) }
    [pscustomobject]@{ Token = if ($script:Kind -eq 'text') { $text } else { $token }; ExpiresOn = [DateTimeOffset]::FromUnixTimeSeconds(1795234355) }
}
'@)
        # As a command does it: below a function that has common parameters.
        function Get-Session {
            InModuleScope -ModuleName SvcDeploy -ScriptBlock {
                function Read-Session {
                    [CmdletBinding()] param()
                    Get-SvcModuleAzSession -Context @{} -Passed @{}
                }
                Read-Session -Verbose
            }
        }
    }

    BeforeEach { Import-Module $fake -Global -Force }

    AfterEach { Remove-Module -Name 'Az.Accounts' -Force -ErrorAction Ignore }

    It 'is used when Az.Accounts is loaded' {
        $session = (Get-Session)['session']
        $session['subscriptionId'] | Should -Be 'subscription'
        $session['tenantId'] | Should -Be 'tenant'
        $session['cloud'] | Should -Be 'AzureCloud'
        $session['resourceManagerEndpoint'] | Should -Be 'https://management.azure.com/'
    }

    It 'decides the subscription before the variable of Azure, and not before ours' {
        $before = $env:AZURE_SUBSCRIPTION_ID, $env:SVC_SUBSCRIPTION_ID
        try {
            $env:AZURE_SUBSCRIPTION_ID = 'machine-wide'
            $env:SVC_SUBSCRIPTION_ID = $null
            (Get-SvcContext).SubscriptionId | Should -Be 'subscription'
            $env:SVC_SUBSCRIPTION_ID = 'ours'
            (Get-SvcContext).SubscriptionId | Should -Be 'ours'
            $env:SVC_SUBSCRIPTION_ID = $null
            Remove-Module -Name 'Az.Accounts' -Force
            Set-SvcContext -Cloud local
            (Get-SvcContext).SubscriptionId | Should -Be 'machine-wide'
        }
        finally {
            $env:AZURE_SUBSCRIPTION_ID, $env:SVC_SUBSCRIPTION_ID = $before
            Clear-SvcContext
        }
    }

    It 'is not loaded for the local cloud' {
        Remove-Module -Name 'Az.Accounts' -Force
        # Whoever runs the tests may have signed in.
        $own = InModuleScope -ModuleName SvcDeploy -ScriptBlock { Get-SvcModuleAzSession -Context @{ cloud = 'local' } -Passed @{} }
        $own.Count | Should -Be 0
        Get-Module -Name 'Az.Accounts' | Should -BeNullOrEmpty
    }

    It 'is found inside a module that wraps Az.Accounts' {
        Remove-Module -Name 'Az.Accounts' -Force
        $wrapper = [IO.Path]::Combine($TestDrive, 'Wrapper.psm1')
        [IO.File]::WriteAllText($wrapper, "Import-Module '$fake'`nfunction Get-Nothing { }`nExport-ModuleMember -Function 'Get-Nothing'`n")
        $module = Import-Module $wrapper -PassThru
        try { (Get-Session)['session']['subscriptionId'] | Should -Be 'subscription' }
        finally { Remove-Module -ModuleInfo $module -Force }
    }

    It 'is none when nobody is signed in' {
        Set-FakeKind -Kind 'none'
        $found = Get-Session
        $found['session'].Count | Should -Be 0
        $found['problem'] | Should -BeLike '*nobody is signed in*'
    }

    It 'is left aside with a reason when Get-AzContext runs into a break' {
        Set-FakeKind -Kind 'break'
        $found = Get-Session
        $found['session'].Count | Should -Be 0
        $found['problem'] | Should -Not -BeNullOrEmpty
    }

    It 'is found among what else Get-AzContext writes' {
        Set-FakeKind -Kind 'noisy'
        (Get-Session)['session']['subscriptionId'] | Should -Be 'subscription'
    }

    It 'is in what was tried, with the reason, where it cannot be used' {
        Set-FakeKind -Kind 'none'
        $before = $env:AZURE_TOKEN_CREDENTIALS
        try {
            $env:AZURE_TOKEN_CREDENTIALS = 'AzurePowerShellCredential'
            Clear-SvcContext
            Set-SvcContext -Cloud public -SubscriptionId '11111111-1111-1111-1111-111111111111'
            { New-SvcIaasStorage -SettingsObject (Get-StorageSettings) -WhatIf 6>$null } | Should -Throw -ExpectedMessage '*nobody is signed in*'
        }
        finally {
            $env:AZURE_TOKEN_CREDENTIALS = $before
            Clear-SvcContext
        }
    }

    It 'is loaded in a new session that has a saved context, and not where <Case>' -ForEach @(
        @{ Case = 'it is needed'; Context = @{}; Passed = @{}; Loaded = $true }
        @{ Case = 'the cloud is local'; Context = @{ cloud = 'local' }; Passed = @{}; Loaded = $false }
        @{ Case = 'the cloud is on this machine'; Context = @{ cloud = 'http://127.0.0.1:8090' }; Passed = @{}; Loaded = $false }
        @{ Case = 'the variable says so'; Context = @{}; Passed = @{ SVC_CLOUD = 'local' }; Loaded = $false }
        @{ Case = 'there is another credential'; Context = @{}; Passed = @{ AZURE_CLIENT_SECRET = 'x' }; Loaded = $false }
        @{ Case = 'another credential was chosen'; Context = @{}; Passed = @{ AZURE_TOKEN_CREDENTIALS = 'AzureCliCredential' }; Loaded = $false }
    ) {
        $house = [IO.Path]::Combine($TestDrive, 'home')
        [void] [IO.Directory]::CreateDirectory([IO.Path]::Combine($house, '.Azure'))
        [IO.File]::WriteAllText([IO.Path]::Combine($house, '.Azure', 'AzureRmContext.json'), '{}')
        $given = ConvertTo-Json -Compress -InputObject @{ Context = $Context; Passed = $Passed }
        $before = $env:HOME, $env:USERPROFILE
        try {
            $env:HOME, $env:USERPROFILE = $house, $house
            $shown = Invoke-Process -Folder $TestDrive -Script @"
`$env:PSModulePath = '$TestDrive' + [IO.Path]::PathSeparator + `$env:PSModulePath
`$module = Import-Module '$(Get-ModuleManifest)' -PassThru
`$given = '$given' | ConvertFrom-Json -AsHashtable
"account `$(& `$module { param(`$Given) (Get-SvcModuleAzSession -Context `$Given['Context'] -Passed `$Given['Passed'])['account'] } `$given)"
"@
        }
        finally { $env:HOME, $env:USERPROFILE = $before }
        $shown | Should -Contain $(if ($Loaded) { 'account pester@example.com' } else { 'account ' })
    }

    It 'may have no subscription' {
        Set-FakeKind -Kind 'tenant'
        $session = (Get-Session)['session']
        $session['tenantId'] | Should -Be 'tenant'
        $session.ContainsKey('subscriptionId') | Should -BeFalse
    }

    It 'is left aside with a verbose line and the reason when it cannot be read' {
        Set-FakeKind -Kind 'broken'
        $output = @(Get-Session 4>&1)
        @($output -like '*The context file is damaged.*').Count | Should -Be 1
        $output[-1]['problem'] | Should -BeLike '*The context file is damaged.*'
    }

    It 'is where Get-SvcContext says that values come from, until they are set' {
        Clear-SvcContext
        $sources = (Get-SvcContext).Sources
        ($sources | Where-Object Name -EQ 'TenantId').Value | Should -Be 'tenant'
        (Get-SvcContext).TenantId | Should -Be 'tenant'
        (Get-SvcContext).Account | Should -Be 'pester@example.com'
        foreach ($name in 'Cloud', 'SubscriptionId', 'TenantId') { ($sources | Where-Object Name -EQ $name).Source | Should -Be 'Az context' -Because $name }
        Set-SvcContext -Cloud local
        ((Get-SvcContext).Sources | Where-Object Name -EQ 'Cloud').Source | Should -Be 'set'
        Clear-SvcContext
    }

    It 'gives a token, as <_>' -ForEach 'complete', 'text', 'noisy' {
        Set-FakeKind -Kind $_
        $answer = InModuleScope -ModuleName SvcDeploy -ScriptBlock {
            Get-SvcModuleAzSessionToken -Message @{ event = 'token'; id = 7; resource = 'https://management.azure.com'; tenantId = 'tenant' }
        }
        $answer['id'] | Should -Be 7
        $answer['token'] | Should -Be 'token for https://management.azure.com of tenant'
        $answer['expiresOn'] | Should -Be 1795234355
    }

    It 'gives a sentence in place of a token that is <_>' -ForEach 'break', 'empty', 'strange', 'timeless' {
        Set-FakeKind -Kind $_
        $answer = InModuleScope -ModuleName SvcDeploy -ScriptBlock {
            Get-SvcModuleAzSessionToken -Message @{ event = 'token'; id = 7; resource = 'https://management.azure.com' }
        }
        $answer['id'] | Should -Be 7
        $answer['error'] | Should -Not -BeNullOrEmpty
        $answer.ContainsKey('token') | Should -BeFalse
    }

    It 'does not hinder a command' {
        [void] (Use-LocalCloud -Folder $TestDrive)
        (New-SvcIaasStorage -SettingsObject (Get-StorageSettings) -WhatIf 6>$null).Name | Should -Contain (Get-StorageName)
        Clear-SvcContext
    }
}
