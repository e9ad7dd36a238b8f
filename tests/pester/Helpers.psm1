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

# Settings of storage accounts in a resource group of their own. The group is rg-pester-iaas-23fa0775; the account 'Pester'
# is stpester97de097b, 'First' stfirst06c9b76d, 'Second' stsecond10d0b2b3 and 'Third' stthirdd7946d32.
function Get-StorageSettings {
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseSingularNouns', '')]
    param([string[]] $Name = 'Pester')
    $accounts = foreach ($account in $Name) { @{ storageAccountName = $account; accountType = 'Standard' } }
    @{ location = 'UK South'; resourceGroupName = 'Pester'; storageAccounts = @($accounts) }
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

# Runs a script in a process of its own and returns what it prints, one string a line.
function Invoke-Process {
    param([string] $Script, [string] $Folder)
    $program = [Environment]::ProcessPath
    if ([IO.Path]::GetFileNameWithoutExtension($program) -ne 'pwsh') {
        $program = Get-Command -Name 'pwsh' -CommandType Application | Select-Object -First 1 -ExpandProperty Source
    }
    $file = [IO.Path]::Combine($Folder, "$([guid]::NewGuid()).ps1")
    [IO.File]::WriteAllText($file, $Script)
    & $program -NoLogo -NoProfile -NonInteractive -File $file 2>&1 | ForEach-Object { "$_" }
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

Export-ModuleMember -Function 'Copy-Module', 'Get-LibraryFile', 'Get-ModuleFolder', 'Get-ModuleManifest', 'Get-StorageSettings', 'Invoke-Process', 'Invoke-Session', 'Use-LandingZone', 'Use-LocalCloud', 'Write-StorageFile'
