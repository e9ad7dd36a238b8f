# What the tests share: where the module is, documents to deploy, and other sessions to run commands in.
Set-StrictMode -Version 3.0

# Any GUID is a subscription of the local cloud.
$script:Subscription = '11111111-1111-1111-1111-111111111111'

function Get-ModuleFolder {
    $folder = if ($env:SVC_MODULE_PATH) { $env:SVC_MODULE_PATH } else { [IO.Path]::Combine($PSScriptRoot, '..', '..', 'target', 'module', 'SvcDeploy') }
    $folder = [IO.Path]::GetFullPath($folder)
    if (-not [IO.File]::Exists([IO.Path]::Combine($folder, 'SvcDeploy.psd1'))) {
        throw "There is no module in $folder. Make it with: cargo run -p svc-deploy-module -- stage target/module"
    }
    $folder
}

function Get-ModuleManifest { [IO.Path]::Combine((Get-ModuleFolder), 'SvcDeploy.psd1') }

# The types of the bindings, which a source checkout compiles when the first command runs.
function Import-Binding {
    if (-not ('SvcDeploy.Native' -as [type])) { Add-Type -LiteralPath ([IO.Path]::Combine((Get-ModuleFolder), 'Interop.cs')) }
}

# What the library itself says for a request, message by message. A test compares with this what the module makes of it, so that no
# test knows what the library plans and says. It runs on a copy of the state, with the context of the session unless the request has
# another, and changes nothing that the test sees but for files that the request names.
function Get-LibraryMessage {
    param([string] $Command, [object] $Settings, [hashtable] $Request = @{}, [switch] $WhatIf)
    $module = Get-Module -Name 'SvcDeploy' | Select-Object -First 1
    Import-Binding
    [SvcDeploy.Native]::Load((& $module { Get-SvcModuleLibraryPath }))
    $body = @{ whatIf = $WhatIf.IsPresent; context = (& $module { Get-SvcModuleContextTable }).Clone(); environment = & $module { Get-SvcModulePassedEnvironment } }
    foreach ($name in $Request.Keys) { $body[$name] = $Request[$name] }
    if ($Settings -isnot [string] -and $null -ne $Settings) {
        $body['settings'] = $Settings
        $body['baseDirectory'] = (Get-Location -PSProvider FileSystem).ProviderPath
    }
    elseif ('New-SvcDeployment' -eq $Command -and $Settings) { $body['settingsFiles'] = @($Settings) }
    elseif ($Settings) { $body['settingsFile'] = $Settings }
    if ($body['context'].ContainsKey('localStateFile')) {
        $state = $body['context']['localStateFile']
        $body['context']['localStateFile'] = "$state.$([guid]::NewGuid()).json"
        if ([IO.File]::Exists($state)) { [IO.File]::Copy($state, $body['context']['localStateFile']) }
    }
    $operation = [SvcDeploy.Operation]::new($Command, (ConvertTo-Json -InputObject $body -Depth 100 -Compress))
    try {
        do {
            $text = $null
            $poll = $operation.Next(100, [ref] $text)
            if ('Message' -eq $poll) {
                $message = ConvertFrom-Json -InputObject $text -AsHashtable
                if ('plan' -eq $message['event']) {
                    $answer = @{ id = $message['id']; approved = @($message['actions'] | ForEach-Object { $_['index'] }) }
                    $operation.Answer((ConvertTo-Json -InputObject $answer -Compress))
                }
                $message
            }
        } until ('Finished' -eq $poll)
    }
    finally { $operation.Dispose() }
}

# The messages of one kind.
function Select-Message {
    param([Parameter(ValueFromPipeline)] [Collections.IDictionary] $Message, [Parameter(Position = 0)] [string] $Kind)
    process { if ($Kind -eq $Message['event']) { $Message } }
}

# The actions that the library plans.
function Get-LibraryPlan {
    param([string] $Command, [object] $Settings, [hashtable] $Request = @{})
    Get-LibraryMessage -Command $Command -Settings $Settings -Request $Request -WhatIf | Select-Message 'plan' | ForEach-Object { $_['actions'] }
}

# The error that ends the run of the library.
function Get-LibraryError {
    param([string] $Command, [object] $Settings, [hashtable] $Request = @{}, [switch] $WhatIf)
    Get-LibraryMessage -Command $Command -Settings $Settings -Request $Request -WhatIf:$WhatIf | Select-Message 'error' | Where-Object { $_['terminating'] }
}

# The texts of one kind of message that has nothing else for people.
function Get-LibraryText {
    param([string] $Kind, [string] $Command, [object] $Settings, [hashtable] $Request = @{}, [switch] $WhatIf)
    Get-LibraryMessage -Command $Command -Settings $Settings -Request $Request -WhatIf:$WhatIf | Select-Message $Kind | ForEach-Object { $_['message'] }
}

# What is done with which resource, as text, of an action of the library or an object of the module.
function ConvertTo-ActionText {
    param([Parameter(ValueFromPipeline)] [object] $Action)
    process { "$($Action.action) $($Action.type) $($Action.fullName)" }
}

# The same with every property that changes, what it is and will be, and where that is written.
function ConvertTo-PlanText {
    param([Parameter(ValueFromPipeline)] [object] $Action)
    process {
        ConvertTo-ActionText -Action $Action
        $changes = if ($Action -is [Collections.IDictionary]) { $Action['changes'] } else { $Action.Changes }
        foreach ($change in $changes) {
            if ($change -is [Collections.IDictionary]) { "  $($change['path']): $($change['before']) -> $($change['after']) ($($change['origin']))" }
            else { "  $($change.Path): $($change.Before) -> $($change.After) ($($change.Origin))" }
        }
    }
}

# What a record has of the error that ends a command is what the library says.
function Assert-LibraryError {
    param([Management.Automation.ErrorRecord] $Record, [Collections.IDictionary] $Said, [string] $Command)
    $Record.Exception | Should -BeOfType ([SvcDeploy.DeploymentException])
    $Record.FullyQualifiedErrorId | Should -Be "$($Said['code']),$Command"
    $Record.Exception.Code | Should -Be $Said['code']
    $Record.Exception.Message | Should -Be $Said['message']
    $Record.CategoryInfo.Category | Should -Be $Said['category']
    $Record.Exception.ResourceId | Should -Be $Said['resourceId']
    if ($Said['recommendation']) { $Record.ErrorDetails.RecommendedAction | Should -Be $Said['recommendation'] }
    $found = @($Record.Exception.Findings | ForEach-Object { "$($_.File)|$($_.Line)|$($_.Column)|$($_.Path)|$($_.Code)|$($_.Message)" })
    $known = @($Said['findings'] | Where-Object { $_ } | ForEach-Object { "$($_['file'])|$($_['line'])|$($_['column'])|$($_['path'])|$($_['code'])|$($_['message'])" })
    $found -join "`n" | Should -Be ($known -join "`n")
}

# The name that the library gives a storage account of Get-StorageSettings, and its resource group.
function Get-StorageName {
    param([string] $Name = 'Pester', [string] $Type = 'Microsoft.Storage/storageAccounts')
    $request = @{ context = @{ cloud = 'local'; subscriptionId = $script:Subscription; offline = $true } }
    Get-LibraryPlan -Command 'New-SvcIaasStorage' -Settings (Get-StorageSettings -Name $Name) -Request $request | Where-Object { $Type -eq $_['type'] } | ForEach-Object { $_['name'] }
}

# How many actions a document of these accounts is.
function Get-StorageCount {
    param([string[]] $Name = 'Pester')
    $request = @{ context = @{ cloud = 'local'; subscriptionId = $script:Subscription; offline = $true } }
    @(Get-LibraryPlan -Command 'New-SvcIaasStorage' -Settings (Get-StorageSettings -Name $Name) -Request $request).Count
}

function Get-StorageGroup { Get-StorageName -Type 'Microsoft.Resources/resourceGroups' }

# Settings of storage accounts in a resource group of their own.
function Get-StorageSettings {
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseSingularNouns', '')]
    param([string[]] $Name = 'Pester')
    @{ location = 'UK South'; resourceGroupName = 'Pester'; storageAccounts = @(foreach ($account in $Name) { @{ storageAccountName = $account; accountType = 'Standard' } }) }
}

# The same as a YAML file.
function Write-StorageFile {
    param([string] $Path, [string[]] $Name = 'Pester')
    $lines = @('location: UK South', 'resourceGroupName: Pester', 'storageAccounts:')
    $lines += foreach ($account in $Name) { "  - storageAccountName: $account"; '    accountType: Standard' }
    [IO.File]::WriteAllLines($Path, [string[]] $lines)
}

# The commands of this session work on a local cloud of their own, without anything that another test has left.
function Use-LocalCloud {
    param([string] $Folder, [string] $SubscriptionId = $script:Subscription)
    Clear-SvcContext
    $state = [IO.Path]::Combine($Folder, "$([guid]::NewGuid()).json")
    Set-SvcContext -Cloud local -SubscriptionId $SubscriptionId -LocalStateFile $state
    $state
}

# The same with what private endpoints and bastion hosts depend on: the resources of examples/landing-zone.json, which are
# all in this subscription.
function Use-LandingZone {
    param([string] $Folder)
    $state = Use-LocalCloud -Folder $Folder -SubscriptionId '10ca1c10-0d00-4000-8000-000000000001'
    [IO.File]::Copy([IO.Path]::Combine($PSScriptRoot, 'landing-zone-state.json'), $state)
    $state
}

# The same with a document of two web apps, one of which has a slot that cannot be made: another subscription has a web app with the
# host name of the slot, which nobody can ask Azure about, so it is found out when the slot is sent. Returns the document, the state,
# and what the library says of it: what fails, and what is done all the same.
function Use-FailingCloud {
    param([string] $Folder)
    $state = Use-LocalCloud -Folder $Folder
    $file = [IO.Path]::Combine($Folder, 'failing.yml')
    [IO.File]::WriteAllText($file, @'
component: web
service:
  publish:
    frontdoor: pester-edge
    frontdoorResourceGroup: pester-edge-group
    webapp: pester-app
webSolutions:
  - name: Pester
    appServicePlans:
      - name: Pester
        sku: S1
        region: UK South
        webapps:
          - name: First
            runTime: NODE|22-lts
            slots:
              - staging
          - name: Second
            runTime: NODE|22-lts
'@)
    $slot = Get-LibraryPlan -Command 'New-SvcPaasWeb' -Settings $file | Where-Object { 'Microsoft.Web/sites/slots' -eq $_['type'] }
    $name = $slot['fullName'].Replace('/', '-')
    $site = @{
        id         = "/subscriptions/99999999-9999-9999-9999-999999999999/resourceGroups/other/providers/Microsoft.Web/sites/$name"
        name       = $name
        type       = 'Microsoft.Web/sites'
        location   = 'uksouth'
        properties = @{ defaultHostName = "$name.azurewebsites.net" }
    }
    $content = @{ format = 'svc-local-cloud'; version = 1; resources = @(@{ body = $site }); operations = @() }
    [IO.File]::WriteAllText($state, (ConvertTo-Json -InputObject $content -Depth 9))
    $messages = @(Get-LibraryMessage -Command 'New-SvcPaasWeb' -Settings $file)
    @{
        File    = $file
        State   = $state
        Failure = $messages | Select-Message 'error' | Where-Object { -not $_['terminating'] }
        Last    = $messages | Select-Message 'error' | Where-Object { $_['terminating'] }
        Done    = @($messages | Select-Message 'resource')
    }
}

# Puts a resource that is nobody's into a state file.
function Add-Resource {
    param([string] $State, [hashtable] $Body)
    $text = [IO.File]::ReadAllText($State)
    $resource = ConvertTo-Json -InputObject @{ body = $Body } -Depth 9 -Compress
    [IO.File]::WriteAllText($State, [regex]::new('"resources":\s*\[').Replace($text, ('"resources":[' + $resource.Replace('$', '$$') + ','), 1))
}

# A copy of the module that a test may damage.
function Copy-Module {
    param([string] $Destination)
    $parent = [IO.Path]::Combine($Destination, "$([guid]::NewGuid())")
    [void] [IO.Directory]::CreateDirectory($parent)
    $folder = [IO.Path]::Combine($parent, 'SvcDeploy')
    Copy-Item -LiteralPath (Get-ModuleFolder) -Destination $folder -Recurse -Container
    $folder
}

function Get-LibraryFile {
    param([string] $Folder)
    Get-ChildItem -LiteralPath ([IO.Path]::Combine($Folder, 'runtimes')) -Recurse -File | Select-Object -ExpandProperty FullName
}

# Runs a script in a process of its own and returns what it prints, one string a line. Nobody can be asked there: PowerShell is told so,
# or there is nothing to read an answer from.
function Invoke-Process {
    param([string] $Script, [string] $Folder, [switch] $ClosedInput)
    $program = [Environment]::ProcessPath
    if ([IO.Path]::GetFileNameWithoutExtension($program) -ne 'pwsh') {
        $program = Get-Command -Name 'pwsh' -CommandType Application | Select-Object -First 1 -ExpandProperty Source
    }
    $file = [IO.Path]::Combine($Folder, "$([guid]::NewGuid()).ps1")
    [IO.File]::WriteAllText($file, $Script)
    if (-not $ClosedInput) { return & $program -NoLogo -NoProfile -NonInteractive -File $file 2>&1 | ForEach-Object { "$_" } }
    $start = [Diagnostics.ProcessStartInfo]::new($program)
    foreach ($argument in '-NoLogo', '-NoProfile', '-File', $file) { $start.ArgumentList.Add($argument) }
    $start.UseShellExecute = $false
    $start.RedirectStandardInput = $true
    $start.RedirectStandardOutput = $true
    $process = [Diagnostics.Process]::Start($start)
    try {
        $process.StandardInput.Close()
        $process.StandardOutput.ReadToEnd() -split '\r?\n'
        $process.WaitForExit()
    }
    finally { $process.Dispose() }
}

# Runs a script in a session with a host of its own: what it returns, writes and shows, and what it asks.
function Invoke-Session {
    param([string] $Script, [hashtable] $Parameters = @{}, [string[]] $Answers = @())
    if (-not ('SvcDeployTests.TestHost' -as [type])) { Add-Type -LiteralPath ([IO.Path]::Combine($PSScriptRoot, 'TestHost.cs')) }
    $testHost = [SvcDeployTests.TestHost]::new($Answers)
    $runspace = [runspacefactory]::CreateRunspace($testHost, [initialsessionstate]::CreateDefault2())
    $shell = [powershell]::Create()
    try {
        $runspace.Open()
        $shell.Runspace = $runspace
        [void] $shell.AddScript($Script).AddParameters($Parameters)
        $output = $shell.Invoke()
        [pscustomobject]@{
            Output   = @($output)
            Errors   = @($shell.Streams.Error)
            Warnings = @($shell.Streams.Warning)
            Lines    = $testHost.Lines
            Prompts  = $testHost.Prompts
            Offers   = $testHost.Offers
        }
    }
    finally {
        $shell.Dispose()
        $runspace.Dispose()
    }
}

Export-ModuleMember -Function @(
    'Add-Resource', 'Assert-LibraryError', 'ConvertTo-ActionText', 'ConvertTo-PlanText', 'Copy-Module', 'Get-LibraryError', 'Get-LibraryFile'
    'Get-LibraryMessage', 'Get-LibraryPlan', 'Get-LibraryText', 'Get-ModuleFolder', 'Get-ModuleManifest', 'Get-StorageCount', 'Get-StorageGroup'
    'Get-StorageName', 'Get-StorageSettings', 'Import-Binding', 'Invoke-Process', 'Invoke-Session', 'Select-Message', 'Use-FailingCloud', 'Use-LandingZone'
    'Use-LocalCloud', 'Write-StorageFile'
)
