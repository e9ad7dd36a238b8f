# Generated from the command registry by 'cargo run -p svc-deploy-module -- generate'; do not edit.
Set-StrictMode -Version 3.0

$script:ModuleVersion = '0.1.0'
$script:AbiVersion = 1

# What Set-SvcContext keeps, as the request carries it. Every runspace that imports the module has its own.
$script:Context = @{}

# The preference variable behind each common parameter. A script module does not see those of its caller's scope by itself.
$script:CallerPreference = @{
    WhatIf            = 'WhatIfPreference'
    Confirm           = 'ConfirmPreference'
    Verbose           = 'VerbosePreference'
    Debug             = 'DebugPreference'
    WarningAction     = 'WarningPreference'
    ErrorAction       = 'ErrorActionPreference'
    InformationAction = 'InformationPreference'
    ProgressAction    = 'ProgressPreference'
}

# Handed to the library by value: on Linux and macOS native code does not see what $env: sets in this session.
$script:PassedEnvironment = '^(AZURE_|SVC_|IDENTITY_|IMDS_|MSI_|SSL_CERT_|HTTPS?_PROXY$|ALL_PROXY$|NO_PROXY$)'

function Get-LibraryPath {
    $system = if ($IsWindows) { 'win' } elseif ($IsMacOS) { 'osx' } else { 'linux' }
    $file = if ($IsWindows) { 'svc_deploy.dll' } elseif ($IsMacOS) { 'libsvc_deploy.dylib' } else { 'libsvc_deploy.so' }
    $architecture = "$([Runtime.InteropServices.RuntimeInformation]::ProcessArchitecture)".ToLowerInvariant()
    [IO.Path]::Combine($PSScriptRoot, 'runtimes', "$system-$architecture", 'native', $file)
}

# Loads the library when the first command runs: importing the module, help and completion work where it cannot be loaded.
function Initialize-Library {
    param([Management.Automation.PSCmdlet] $Cmdlet)
    $path = Get-LibraryPath
    try {
        if (-not ('SvcDeploy.Native' -as [type])) {
            $compiled = [IO.Path]::Combine($PSScriptRoot, 'SvcDeploy.Interop.dll')
            if ([IO.File]::Exists($compiled)) { [void] [Reflection.Assembly]::LoadFrom($compiled) }
            else { Add-Type -LiteralPath ([IO.Path]::Combine($PSScriptRoot, 'Interop.cs')) }
        }
        [SvcDeploy.Native]::Load($path)
        $abiVersion = [SvcDeploy.Native]::svc_abi_version()
    }
    catch {
        $problem = [DllNotFoundException]::new("The native library cannot be loaded from '$path'. $($_.Exception.GetBaseException().Message)", $_.Exception)
        $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $problem -Code 'LibraryLoadFailed' -Category 'NotInstalled' -Target $path))
    }
    # Neither types nor the library can be unloaded, so a session that used another version of the module keeps that one's.
    $loadedVersion = [SvcDeploy.Native]::ModuleVersion
    if ($abiVersion -ne $script:AbiVersion -or $loadedVersion -ne $script:ModuleVersion) {
        $problem = [InvalidOperationException]::new("This session has loaded the library of SvcDeploy $loadedVersion with ABI version $abiVersion; SvcDeploy $script:ModuleVersion needs its own with ABI version $script:AbiVersion.")
        $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $problem -Code 'LibraryVersionMismatch' -Category 'InvalidOperation' -Target $path -Recommendation 'Start a new session.'))
    }
}

function ConvertTo-ErrorRecord {
    param([Exception] $Exception, [string] $Code, [Management.Automation.ErrorCategory] $Category, [object] $Target, [string] $Recommendation)
    $record = [Management.Automation.ErrorRecord]::new($Exception, $Code, $Category, $Target)
    if ($Recommendation) {
        $record.ErrorDetails = [Management.Automation.ErrorDetails]::new($Exception.Message)
        $record.ErrorDetails.RecommendedAction = $Recommendation
    }
    $record
}

# The library knows neither the location of this session nor its drives, so it gets absolute paths of the file system.
function Resolve-FilePath {
    param([Management.Automation.PSCmdlet] $Cmdlet, [string] $Path)
    $provider = $null
    $drive = $null
    try { $resolved = $Cmdlet.SessionState.Path.GetUnresolvedProviderPathFromPSPath($Path, [ref] $provider, [ref] $drive) }
    catch {
        $problem = [ArgumentException]::new("'$Path' is not a path: $($_.Exception.GetBaseException().Message)", $_.Exception)
        $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $problem -Code 'NotAFilePath' -Category 'InvalidArgument' -Target $Path))
    }
    if ($provider.Name -ne 'FileSystem') {
        $problem = [ArgumentException]::new("'$Path' is a $($provider.Name) path; a file is needed.")
        $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $problem -Code 'NotAFilePath' -Category 'InvalidArgument' -Target $Path))
    }
    $resolved
}

# An object of settings; a FileInfo from the pipeline is a settings file, a string is neither.
function Add-SettingsObject {
    param([Management.Automation.PSCmdlet] $Cmdlet, [hashtable] $Request, [object] $SettingsObject)
    if ($SettingsObject -is [IO.FileInfo]) { $Request['settingsFile'] = $SettingsObject.FullName }
    elseif ($SettingsObject -is [string] -or $SettingsObject -is [ValueType]) {
        $problem = [ArgumentException]::new('-SettingsObject takes an object such as a hashtable, not text.')
        $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $problem -Code 'SettingsObjectNotPlainData' -Category 'InvalidArgument' -Target $SettingsObject -Recommendation 'Pass a path with -SettingsFile, or convert the text first (ConvertFrom-Json).'))
    }
    else {
        $Request['settings'] = $SettingsObject
        $Request['baseDirectory'] = $Cmdlet.SessionState.Path.CurrentFileSystemLocation.ProviderPath
    }
}

# LegacyBoolean takes the value that "-OmitTags $true" leaves over. Without the switch such a value is a mistake, and silence
# would hide it: every other command refuses an argument it has no parameter for.
function Deny-LooseBoolean {
    param([Management.Automation.PSCmdlet] $Cmdlet, [object] $Value, [string] $SwitchName)
    $problem = [ArgumentException]::new("A positional parameter cannot be found that accepts the argument '$Value': it belongs after -$SwitchName.")
    $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $problem -Code 'PositionalParameterNotFound' -Category 'InvalidArgument' -Target $Value))
}

# The table tells names apart by case: on Linux http_proxy and HTTP_PROXY are two variables.
function Get-PassedEnvironment {
    $passed = [hashtable]::new()
    foreach ($entry in [Environment]::GetEnvironmentVariables().GetEnumerator()) {
        if ($entry.Key -match $script:PassedEnvironment) { $passed[$entry.Key] = $entry.Value }
    }
    $passed
}

function ConvertTo-RequestJson {
    param([Management.Automation.PSCmdlet] $Cmdlet, [hashtable] $Request)
    try { ConvertTo-Json -InputObject $Request -Depth 100 -EnumsAsStrings -Compress -WarningAction Stop -ErrorAction Stop }
    catch {
        $problem = [ArgumentException]::new("The settings object cannot be written as JSON: $($_.Exception.Message)", $_.Exception)
        $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $problem -Code 'SettingsObjectNotPlainData' -Category 'InvalidArgument' -Target $null))
    }
}

# The session's own Az context, only when Az.Accounts is already in use: it is never imported just to look. One that cannot
# be read is told and left aside, because the library knows other credentials.
function Get-AzSession {
    param([Management.Automation.PSCmdlet] $Cmdlet)
    if (-not (Get-Module -Name 'Az.Accounts')) { return $null }
    try { $current = Get-AzContext -ErrorAction Stop }
    catch {
        $Cmdlet.WriteVerbose("The Az context of this session cannot be read: $($_.Exception.Message)")
        return $null
    }
    if ($null -eq $current -or $null -eq $current.Account) { return $null }
    $session = @{}
    # An account without subscriptions has a context with a tenant only.
    if ($null -ne $current.Subscription) { $session['subscriptionId'] = $current.Subscription.Id }
    if ($null -ne $current.Tenant) { $session['tenantId'] = $current.Tenant.Id }
    if ($null -ne $current.Environment) {
        $session['cloud'] = $current.Environment.Name
        $session['resourceManagerEndpoint'] = $current.Environment.ResourceManagerUrl
    }
    $session
}

# Az.Accounts 5 gives the token as a SecureString, earlier versions as text.
function Get-AzSessionToken {
    param([hashtable] $Message)
    $parameters = @{ ResourceUrl = $Message['resource']; ErrorAction = 'Stop' }
    if ($Message['tenantId']) { $parameters['TenantId'] = $Message['tenantId'] }
    $answer = Get-AzAccessToken @parameters
    $text = if ($answer.Token -is [securestring]) { ConvertFrom-SecureString -SecureString $answer.Token -AsPlainText } else { $answer.Token }
    @{ id = $Message['id']; token = $text; expiresOn = ([DateTimeOffset] $answer.ExpiresOn).ToUnixTimeSeconds() }
}

# Runs one command of the library to its end on the caller's cmdlet: every record, prompt and object is the caller's own.
# The command is named by the generator, not taken from the cmdlet: Import-Module -Prefix renames that one.
function Invoke-Operation {
    param([Management.Automation.PSCmdlet] $Cmdlet, [string] $Command, [hashtable] $Request)
    Initialize-Library -Cmdlet $Cmdlet
    $Request['context'] = $script:Context
    $Request['environment'] = Get-PassedEnvironment
    $Request['azSession'] = Get-AzSession -Cmdlet $Cmdlet
    $json = ConvertTo-RequestJson -Cmdlet $Cmdlet -Request $Request
    $operation = [SvcDeploy.Operation]::new($Command, $json)
    $finished = $false
    try {
        while (-not $finished) {
            $text = $null
            $poll = $operation.Next(100, [ref] $text)
            if ($poll -eq 'Message') {
                Receive-Message -Cmdlet $Cmdlet -Operation $operation -Message (ConvertFrom-Json -InputObject $text -AsHashtable)
            }
            $finished = $poll -eq 'Finished'
        }
    }
    finally {
        # Reached before the end by Ctrl+C, Select-Object -First, or an error that ends the command.
        if (-not $finished) { Stop-Operation -Cmdlet $Cmdlet -Operation $operation }
        $operation.Dispose()
    }
}

# A stopping pipeline takes no more records, so what is still going on in Azure is told on the host. The library says it and
# ends within two seconds; it is the last of what may be many messages, so time is counted, not messages.
function Stop-Operation {
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '')]
    param([Management.Automation.PSCmdlet] $Cmdlet, [SvcDeploy.Operation] $Operation)
    $Operation.Cancel()
    $watch = [Diagnostics.Stopwatch]::StartNew()
    while ($watch.ElapsedMilliseconds -lt 2000) {
        $text = $null
        $poll = $Operation.Next(100, [ref] $text)
        if ($poll -eq 'Finished') { break }
        if ($poll -eq 'Message') {
            $message = ConvertFrom-Json -InputObject $text -AsHashtable
            if ($message['event'] -eq 'warning') { $Cmdlet.Host.UI.WriteWarningLine($message['message']) }
        }
    }
}

function Receive-Message {
    param([Management.Automation.PSCmdlet] $Cmdlet, [SvcDeploy.Operation] $Operation, [hashtable] $Message)
    switch ($Message['event']) {
        'verbose' { $Cmdlet.WriteVerbose($Message['message']) }
        'debug' { $Cmdlet.WriteDebug($Message['message']) }
        'warning' { $Cmdlet.WriteWarning($Message['message']) }
        'progress' { $Cmdlet.WriteProgress((ConvertTo-ProgressRecord -Message $Message)) }
        'plan' {
            $approved = @(Confirm-Plan -Cmdlet $Cmdlet -Plan $Message)
            $Operation.Answer((ConvertTo-Json -InputObject @{ id = $Message['id']; approved = $approved } -Compress))
        }
        'token' {
            $answer = try { Get-AzSessionToken -Message $Message } catch { @{ id = $Message['id']; error = $_.Exception.Message } }
            $Operation.Answer((ConvertTo-Json -InputObject $answer -Compress))
        }
        'resource' { $Cmdlet.WriteObject((ConvertTo-DeployedResource -Message $Message)) }
        'error' {
            $record = ConvertTo-DeploymentError -Message $Message
            if ($Message['terminating']) { $Cmdlet.ThrowTerminatingError($record) } else { $Cmdlet.WriteError($record) }
        }
        'result' { $Cmdlet.WriteVerbose((ConvertTo-Summary -Message $Message)) }
    }
}

function ConvertTo-ProgressRecord {
    param([hashtable] $Message)
    $record = [Management.Automation.ProgressRecord]::new($Message['activityId'], $Message['activity'], $Message['status'])
    if ($Message['completed']) { $record.RecordType = 'Completed' }
    elseif ($null -ne $Message['percent']) { $record.PercentComplete = $Message['percent'] }
    if ($Message['currentOperation']) { $record.CurrentOperation = $Message['currentOperation'] }
    $record
}

# Asks ShouldProcess for each action of the plan, all of them on the caller's cmdlet so that "Yes to All" holds.
# Returns the indexes of the approved actions; under -WhatIf none is, and each action is written as an object.
function Confirm-Plan {
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSShouldProcess', '')]
    param([Management.Automation.PSCmdlet] $Cmdlet, [hashtable] $Plan)
    foreach ($action in $Plan['actions']) {
        $reason = [Management.Automation.ShouldProcessReason]::None
        try { $yes = $Cmdlet.ShouldProcess($action['description'], $action['question'], 'Confirm', [ref] $reason) }
        catch [Management.Automation.PipelineStoppedException] { throw }
        catch {
            $problem = [InvalidOperationException]::new("Nobody can be asked to confirm: $($_.Exception.GetBaseException().Message)", $_.Exception)
            $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $problem -Code 'ConfirmationUnavailable' -Category 'InvalidOperation' -Target $action['resourceId'] -Recommendation 'Pass -Confirm:$false in unattended runs.'))
        }
        if ($yes) { $action['index'] }
        elseif ($reason -eq 'WhatIf') { $Cmdlet.WriteObject((ConvertTo-PlannedAction -Action $action)) }
    }
}

# Before and After are JSON text: PowerShell's own reader would turn text that looks like a date into one.
function ConvertTo-PlannedAction {
    param([hashtable] $Action)
    $changes = @(
        foreach ($change in $Action['changes']) {
            [pscustomobject]@{
                PSTypeName = 'Svc.PropertyChange'
                Path       = $change['path']
                Before     = $change['before']
                After      = $change['after']
                Origin     = $change['origin']
            }
        }
    )
    [pscustomobject]@{
        PSTypeName    = 'Svc.PlannedAction'
        Action        = $Action['action']
        Type          = $Action['type']
        Name          = $Action['name']
        ResourceGroup = $Action['resourceGroup']
        Id            = $Action['resourceId']
        Changes       = $changes
    }
}

function ConvertTo-DeployedResource {
    param([hashtable] $Message)
    [pscustomobject]@{
        PSTypeName    = 'Svc.DeployedResource'
        Action        = $Message['action']
        Type          = $Message['type']
        Name          = $Message['name']
        ResourceGroup = $Message['resourceGroup']
        Id            = $Message['resourceId']
        Seconds       = $Message['seconds']
        Properties    = $Message['properties']
    }
}

function ConvertTo-DeploymentError {
    param([hashtable] $Message)
    $findings = @(
        foreach ($finding in $Message['findings']) {
            [pscustomobject]@{
                PSTypeName = 'Svc.Finding'
                File       = $finding['file']
                Line       = $finding['line']
                Column     = $finding['column']
                Path       = $finding['path']
                Code       = $finding['code']
                Message    = $finding['message']
            }
        }
    )
    $exception = [SvcDeploy.DeploymentException]::new($Message['message'], $Message['code'], $Message['resourceId'], $Message['requestId'], $findings)
    ConvertTo-ErrorRecord -Exception $exception -Code $Message['code'] -Category $Message['category'] -Target $Message['target'] -Recommendation $Message['recommendation']
}

function ConvertTo-Summary {
    param([hashtable] $Message)
    $counts = foreach ($name in 'created', 'modified', 'deleted', 'unchanged', 'skipped', 'failed') { "$($Message[$name]) $name" }
    "Resources: $($counts -join ', '). It took $([Math]::Round([double] $Message['seconds'], 1)) seconds."
}

function New-SvcCoreMonitor {
    <#
    .SYNOPSIS
    Deploys what a subscription is monitored with: workspace, application insights, storage account, action groups and
    alerts.
    .DESCRIPTION
    Reads a settings document and creates or updates a resource group with a Log Analytics workspace, application
    insights, a storage account, management solutions, action groups, and alerts for administrative operations on key
    vaults, for resource health and for service health. The activity log of the subscription and the audit log of a key
    vault go to the workspace, and Azure Advisor gets its CPU threshold. What is already as the document says is not
    touched; a second run of the same document changes nothing.
    .PARAMETER SettingsFile
    Path of the settings document, JSON or YAML.
    .PARAMETER SettingsObject
    The settings as an object: a hashtable, or what ConvertFrom-Json or ConvertFrom-Yaml returned.
    .PARAMETER TagSettingsFile
    Path of the tag settings document, JSON or YAML. Without it _tags/globalTags.yml of the project is used if there is
    one.
    .INPUTS
    System.Object. Settings as an object, or the file of a settings document.
    .OUTPUTS
    Svc.DeployedResource. One for each resource that was created, changed or deleted.
    .OUTPUTS
    Svc.PlannedAction. With -WhatIf, one for each resource that would be.
    .EXAMPLE
    New-SvcCoreMonitor -SettingsFile core-monitor.yml -WhatIf
    Shows what would be created or changed, property by property.
    .EXAMPLE
    New-SvcCoreMonitor -SettingsFile core-monitor.yml -TagSettingsFile tags.yml
    Deploys the document and puts the tags of a tag settings file on everything that takes tags.
    .LINK
    about_SvcDeploy
    .LINK
    Set-SvcContext
    #>
    [CmdletBinding(DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType('Svc.DeployedResource', 'Svc.PlannedAction')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [ValidateNotNullOrEmpty()] [string] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [ValidateNotNull()] [object] $SettingsObject,
        [Alias('TagSettingFile')] [ValidateNotNullOrEmpty()] [string] $TagSettingsFile
    )
    begin {
        foreach ($parameter in $script:CallerPreference.Keys) {
            if (-not $PSBoundParameters.ContainsKey($parameter)) {
                $name = $script:CallerPreference[$parameter]
                $ExecutionContext.SessionState.PSVariable.Set($name, $PSCmdlet.GetVariableValue($name))
            }
        }
    }
    process {
        $request = @{ whatIf = [bool] $WhatIfPreference }
        if ($SettingsFile) { $request['settingsFile'] = Resolve-FilePath -Cmdlet $PSCmdlet -Path $SettingsFile }
        if ($PSCmdlet.ParameterSetName -eq 'Object') { Add-SettingsObject -Cmdlet $PSCmdlet -Request $request -SettingsObject $SettingsObject }
        if ($TagSettingsFile) { $request['tagSettingsFile'] = Resolve-FilePath -Cmdlet $PSCmdlet -Path $TagSettingsFile }
        Invoke-Operation -Cmdlet $PSCmdlet -Command 'New-SvcCoreMonitor' -Request $request
    }
}

function New-SvcMonitorLogAlerts {
    <#
    .SYNOPSIS
    Deploys log alert rules that run log queries and links them to action groups.
    .DESCRIPTION
    Reads a settings document and makes the resource group hold exactly the log alert rules that it describes: rules
    that the document no longer has are planned deletions, shown and confirmed like every other change. Where the group
    holds something else, the command refuses before it changes anything. An alert names a built-in definition, one of
    the project's own in logAlertDefinitions.yml, or has a query of its own. Every change is confirmed unless
    -Confirm:$false is given.
    .PARAMETER SettingsFile
    Path of the settings document, JSON or YAML.
    .PARAMETER SettingsObject
    The settings as an object: a hashtable, or what ConvertFrom-Json or ConvertFrom-Yaml returned.
    .INPUTS
    System.Object. Settings as an object, or the file of a settings document.
    .OUTPUTS
    Svc.DeployedResource. One for each resource that was created, changed or deleted.
    .OUTPUTS
    Svc.PlannedAction. With -WhatIf, one for each resource that would be.
    .EXAMPLE
    New-SvcMonitorLogAlerts -SettingsFile log-alerts.yml -WhatIf
    Shows which rules would be created, changed and deleted.
    .EXAMPLE
    New-SvcMonitorLogAlerts -SettingsFile log-alerts.yml -Confirm:$false
    Deploys the document without asking, as unattended runs need it.
    .LINK
    about_SvcDeploy
    .LINK
    Set-SvcContext
    #>
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseSingularNouns', '')]
    [CmdletBinding(DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'High')]
    [OutputType('Svc.DeployedResource', 'Svc.PlannedAction')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [ValidateNotNullOrEmpty()] [string] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [ValidateNotNull()] [object] $SettingsObject
    )
    begin {
        foreach ($parameter in $script:CallerPreference.Keys) {
            if (-not $PSBoundParameters.ContainsKey($parameter)) {
                $name = $script:CallerPreference[$parameter]
                $ExecutionContext.SessionState.PSVariable.Set($name, $PSCmdlet.GetVariableValue($name))
            }
        }
    }
    process {
        $request = @{ whatIf = [bool] $WhatIfPreference }
        if ($SettingsFile) { $request['settingsFile'] = Resolve-FilePath -Cmdlet $PSCmdlet -Path $SettingsFile }
        if ($PSCmdlet.ParameterSetName -eq 'Object') { Add-SettingsObject -Cmdlet $PSCmdlet -Request $request -SettingsObject $SettingsObject }
        Invoke-Operation -Cmdlet $PSCmdlet -Command 'New-SvcMonitorLogAlerts' -Request $request
    }
}

function New-SvcMonitorMetricAlerts {
    <#
    .SYNOPSIS
    Deploys metric alert rules over several resources or resource groups and links them to action groups.
    .DESCRIPTION
    Reads a settings document and makes the resource group hold exactly the metric alert rules that it describes: rules
    that the document no longer has are planned deletions, shown and confirmed like every other change. Where the group
    holds something else, the command refuses before it changes anything. Every change is confirmed unless
    -Confirm:$false is given.
    .PARAMETER SettingsFile
    Path of the settings document, JSON or YAML.
    .PARAMETER SettingsObject
    The settings as an object: a hashtable, or what ConvertFrom-Json or ConvertFrom-Yaml returned.
    .INPUTS
    System.Object. Settings as an object, or the file of a settings document.
    .OUTPUTS
    Svc.DeployedResource. One for each resource that was created, changed or deleted.
    .OUTPUTS
    Svc.PlannedAction. With -WhatIf, one for each resource that would be.
    .EXAMPLE
    New-SvcMonitorMetricAlerts -SettingsFile metric-alerts.yml -WhatIf
    Shows which rules would be created, changed and deleted.
    .EXAMPLE
    New-SvcMonitorMetricAlerts -SettingsFile metric-alerts.yml -Confirm:$false
    Deploys the document without asking, as unattended runs need it.
    .LINK
    about_SvcDeploy
    .LINK
    Set-SvcContext
    #>
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseSingularNouns', '')]
    [CmdletBinding(DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'High')]
    [OutputType('Svc.DeployedResource', 'Svc.PlannedAction')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [ValidateNotNullOrEmpty()] [string] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [ValidateNotNull()] [object] $SettingsObject
    )
    begin {
        foreach ($parameter in $script:CallerPreference.Keys) {
            if (-not $PSBoundParameters.ContainsKey($parameter)) {
                $name = $script:CallerPreference[$parameter]
                $ExecutionContext.SessionState.PSVariable.Set($name, $PSCmdlet.GetVariableValue($name))
            }
        }
    }
    process {
        $request = @{ whatIf = [bool] $WhatIfPreference }
        if ($SettingsFile) { $request['settingsFile'] = Resolve-FilePath -Cmdlet $PSCmdlet -Path $SettingsFile }
        if ($PSCmdlet.ParameterSetName -eq 'Object') { Add-SettingsObject -Cmdlet $PSCmdlet -Request $request -SettingsObject $SettingsObject }
        Invoke-Operation -Cmdlet $PSCmdlet -Command 'New-SvcMonitorMetricAlerts' -Request $request
    }
}

function New-SvcMonitorResourceHealthAlerts {
    <#
    .SYNOPSIS
    Deploys resource health alert rules and links them to action groups.
    .DESCRIPTION
    Reads a settings document and makes the resource group hold exactly the resource health alert rules that it
    describes: rules that the document no longer has are planned deletions, shown and confirmed like every other change.
    Where the group holds something else, the command refuses before it changes anything. Every change is confirmed
    unless -Confirm:$false is given.
    .PARAMETER SettingsFile
    Path of the settings document, JSON or YAML.
    .PARAMETER SettingsObject
    The settings as an object: a hashtable, or what ConvertFrom-Json or ConvertFrom-Yaml returned.
    .INPUTS
    System.Object. Settings as an object, or the file of a settings document.
    .OUTPUTS
    Svc.DeployedResource. One for each resource that was created, changed or deleted.
    .OUTPUTS
    Svc.PlannedAction. With -WhatIf, one for each resource that would be.
    .EXAMPLE
    New-SvcMonitorResourceHealthAlerts -SettingsFile resource-health-alerts.yml -WhatIf
    Shows which rules would be created, changed and deleted.
    .EXAMPLE
    New-SvcMonitorResourceHealthAlerts -SettingsFile resource-health-alerts.yml -Confirm:$false
    Deploys the document without asking, as unattended runs need it.
    .LINK
    about_SvcDeploy
    .LINK
    Set-SvcContext
    #>
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseSingularNouns', '')]
    [CmdletBinding(DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'High')]
    [OutputType('Svc.DeployedResource', 'Svc.PlannedAction')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [ValidateNotNullOrEmpty()] [string] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [ValidateNotNull()] [object] $SettingsObject
    )
    begin {
        foreach ($parameter in $script:CallerPreference.Keys) {
            if (-not $PSBoundParameters.ContainsKey($parameter)) {
                $name = $script:CallerPreference[$parameter]
                $ExecutionContext.SessionState.PSVariable.Set($name, $PSCmdlet.GetVariableValue($name))
            }
        }
    }
    process {
        $request = @{ whatIf = [bool] $WhatIfPreference }
        if ($SettingsFile) { $request['settingsFile'] = Resolve-FilePath -Cmdlet $PSCmdlet -Path $SettingsFile }
        if ($PSCmdlet.ParameterSetName -eq 'Object') { Add-SettingsObject -Cmdlet $PSCmdlet -Request $request -SettingsObject $SettingsObject }
        Invoke-Operation -Cmdlet $PSCmdlet -Command 'New-SvcMonitorResourceHealthAlerts' -Request $request
    }
}

function New-SvcIaasPrivateEndpoints {
    <#
    .SYNOPSIS
    Deploys private endpoints with their private DNS zones and the links of these to virtual networks.
    .DESCRIPTION
    Reads a settings document and connects existing resources privately to subnets of existing virtual networks. Private
    DNS zones that are named and do not exist are created and linked to the network. What is already as the document
    says is not touched; a second run of the same document changes nothing.
    .PARAMETER SettingsFile
    Path of the settings document, JSON or YAML.
    .PARAMETER SettingsObject
    The settings as an object: a hashtable, or what ConvertFrom-Json or ConvertFrom-Yaml returned.
    .PARAMETER TagSettingsFile
    Path of the tag settings document, JSON or YAML. Without it _tags/globalTags.yml of the project is used if there is
    one.
    .PARAMETER OmitTags
    The command leaves tag settings alone. The tag that carries publish names is written all the same.
    .PARAMETER LegacyBoolean
    Takes the value of the switch in -OmitTags $true and -OmitTags $false, which scripts written for a boolean parameter
    pass.
    .INPUTS
    System.Object. Settings as an object, or the file of a settings document.
    .OUTPUTS
    Svc.DeployedResource. One for each resource that was created, changed or deleted.
    .OUTPUTS
    Svc.PlannedAction. With -WhatIf, one for each resource that would be.
    .EXAMPLE
    New-SvcIaasPrivateEndpoints -SettingsFile private-endpoints.yml -WhatIf
    Shows which endpoints, zones and links would be created or changed.
    .EXAMPLE
    New-SvcIaasPrivateEndpoints -SettingsFile private-endpoints.yml -TagSettingsFile tags.yml
    Deploys the document and puts the tags of a tag settings file on the endpoints.
    .LINK
    about_SvcDeploy
    .LINK
    Set-SvcContext
    #>
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseSingularNouns', '')]
    [CmdletBinding(DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType('Svc.DeployedResource', 'Svc.PlannedAction')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [ValidateNotNullOrEmpty()] [string] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [ValidateNotNull()] [object] $SettingsObject,
        [Alias('TagSettingFile')] [ValidateNotNullOrEmpty()] [string] $TagSettingsFile,
        [switch] $OmitTags,
        [Parameter(Position = 1, DontShow)] [Nullable[bool]] $LegacyBoolean
    )
    begin {
        foreach ($parameter in $script:CallerPreference.Keys) {
            if (-not $PSBoundParameters.ContainsKey($parameter)) {
                $name = $script:CallerPreference[$parameter]
                $ExecutionContext.SessionState.PSVariable.Set($name, $PSCmdlet.GetVariableValue($name))
            }
        }
    }
    process {
        $request = @{ whatIf = [bool] $WhatIfPreference }
        if ($SettingsFile) { $request['settingsFile'] = Resolve-FilePath -Cmdlet $PSCmdlet -Path $SettingsFile }
        if ($PSCmdlet.ParameterSetName -eq 'Object') { Add-SettingsObject -Cmdlet $PSCmdlet -Request $request -SettingsObject $SettingsObject }
        if ($TagSettingsFile) { $request['tagSettingsFile'] = Resolve-FilePath -Cmdlet $PSCmdlet -Path $TagSettingsFile }
        if ($null -ne $LegacyBoolean -and -not $PSBoundParameters.ContainsKey('OmitTags')) {
            Deny-LooseBoolean -Cmdlet $PSCmdlet -Value $LegacyBoolean -SwitchName 'OmitTags'
        }
        $request['omitTags'] = $OmitTags.IsPresent -and ($null -eq $LegacyBoolean -or $LegacyBoolean)
        Invoke-Operation -Cmdlet $PSCmdlet -Command 'New-SvcIaasPrivateEndpoints' -Request $request
    }
}

function New-SvcIaasStorage {
    <#
    .SYNOPSIS
    Deploys storage accounts with their containers, file shares, tables and queues.
    .DESCRIPTION
    Reads a settings document and creates or updates the storage accounts that it describes, in an existing resource
    group or in one of its own. What is already as the document says is not touched; a second run of the same document
    changes nothing.
    .PARAMETER SettingsFile
    Path of the settings document, JSON or YAML.
    .PARAMETER SettingsObject
    The settings as an object: a hashtable, or what ConvertFrom-Json or ConvertFrom-Yaml returned.
    .PARAMETER TagSettingsFile
    Path of the tag settings document, JSON or YAML. Without it _tags/globalTags.yml of the project is used if there is
    one.
    .PARAMETER OmitTags
    The command leaves tag settings alone. The tag that carries publish names is written all the same.
    .PARAMETER LegacyBoolean
    Takes the value of the switch in -OmitTags $true and -OmitTags $false, which scripts written for a boolean parameter
    pass.
    .INPUTS
    System.Object. Settings as an object, or the file of a settings document.
    .OUTPUTS
    Svc.DeployedResource. One for each resource that was created, changed or deleted.
    .OUTPUTS
    Svc.PlannedAction. With -WhatIf, one for each resource that would be.
    .EXAMPLE
    New-SvcIaasStorage -SettingsFile storage.yml -WhatIf
    Shows what would be created or changed, property by property.
    .EXAMPLE
    New-SvcIaasStorage -SettingsFile storage.yml -TagSettingsFile tags.yml
    Deploys the document and puts the tags of a tag settings file on the accounts.
    .EXAMPLE
    Get-Content storage.json -Raw | ConvertFrom-Json | New-SvcIaasStorage -OmitTags
    Deploys settings that are already an object and leaves tag settings alone.
    .LINK
    about_SvcDeploy
    .LINK
    Set-SvcContext
    #>
    [CmdletBinding(DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType('Svc.DeployedResource', 'Svc.PlannedAction')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [ValidateNotNullOrEmpty()] [string] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [ValidateNotNull()] [object] $SettingsObject,
        [Alias('TagSettingFile')] [ValidateNotNullOrEmpty()] [string] $TagSettingsFile,
        [switch] $OmitTags,
        [Parameter(Position = 1, DontShow)] [Nullable[bool]] $LegacyBoolean
    )
    begin {
        foreach ($parameter in $script:CallerPreference.Keys) {
            if (-not $PSBoundParameters.ContainsKey($parameter)) {
                $name = $script:CallerPreference[$parameter]
                $ExecutionContext.SessionState.PSVariable.Set($name, $PSCmdlet.GetVariableValue($name))
            }
        }
    }
    process {
        $request = @{ whatIf = [bool] $WhatIfPreference }
        if ($SettingsFile) { $request['settingsFile'] = Resolve-FilePath -Cmdlet $PSCmdlet -Path $SettingsFile }
        if ($PSCmdlet.ParameterSetName -eq 'Object') { Add-SettingsObject -Cmdlet $PSCmdlet -Request $request -SettingsObject $SettingsObject }
        if ($TagSettingsFile) { $request['tagSettingsFile'] = Resolve-FilePath -Cmdlet $PSCmdlet -Path $TagSettingsFile }
        if ($null -ne $LegacyBoolean -and -not $PSBoundParameters.ContainsKey('OmitTags')) {
            Deny-LooseBoolean -Cmdlet $PSCmdlet -Value $LegacyBoolean -SwitchName 'OmitTags'
        }
        $request['omitTags'] = $OmitTags.IsPresent -and ($null -eq $LegacyBoolean -or $LegacyBoolean)
        Invoke-Operation -Cmdlet $PSCmdlet -Command 'New-SvcIaasStorage' -Request $request
    }
}

function New-SvcIaasBastionHost {
    <#
    .SYNOPSIS
    Deploys bastion hosts with their subnet, public IP address and audit log.
    .DESCRIPTION
    Reads a settings document and creates or updates bastion hosts of existing virtual networks, which give
    browser-based RDP and SSH to the virtual machines in them. The subnet CloudBastionSubnet is created where the
    network has none. What is already as the document says is not touched; a second run of the same document changes
    nothing.
    .PARAMETER SettingsFile
    Path of the settings document, JSON or YAML.
    .PARAMETER SettingsObject
    The settings as an object: a hashtable, or what ConvertFrom-Json or ConvertFrom-Yaml returned.
    .PARAMETER TagSettingsFile
    Path of the tag settings document, JSON or YAML. Without it _tags/globalTags.yml of the project is used if there is
    one.
    .INPUTS
    System.Object. Settings as an object, or the file of a settings document.
    .OUTPUTS
    Svc.DeployedResource. One for each resource that was created, changed or deleted.
    .OUTPUTS
    Svc.PlannedAction. With -WhatIf, one for each resource that would be.
    .EXAMPLE
    New-SvcIaasBastionHost -SettingsFile bastion-hosts.yml -WhatIf
    Shows what would be created or changed, property by property.
    .EXAMPLE
    New-SvcIaasBastionHost -SettingsFile bastion-hosts.yml -TagSettingsFile tags.yml
    Deploys the document and puts the tags of a tag settings file on the hosts and their public IP addresses.
    .LINK
    about_SvcDeploy
    .LINK
    Set-SvcContext
    #>
    [CmdletBinding(DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType('Svc.DeployedResource', 'Svc.PlannedAction')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [ValidateNotNullOrEmpty()] [string] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [ValidateNotNull()] [object] $SettingsObject,
        [Alias('TagSettingFile')] [ValidateNotNullOrEmpty()] [string] $TagSettingsFile
    )
    begin {
        foreach ($parameter in $script:CallerPreference.Keys) {
            if (-not $PSBoundParameters.ContainsKey($parameter)) {
                $name = $script:CallerPreference[$parameter]
                $ExecutionContext.SessionState.PSVariable.Set($name, $PSCmdlet.GetVariableValue($name))
            }
        }
    }
    process {
        $request = @{ whatIf = [bool] $WhatIfPreference }
        if ($SettingsFile) { $request['settingsFile'] = Resolve-FilePath -Cmdlet $PSCmdlet -Path $SettingsFile }
        if ($PSCmdlet.ParameterSetName -eq 'Object') { Add-SettingsObject -Cmdlet $PSCmdlet -Request $request -SettingsObject $SettingsObject }
        if ($TagSettingsFile) { $request['tagSettingsFile'] = Resolve-FilePath -Cmdlet $PSCmdlet -Path $TagSettingsFile }
        Invoke-Operation -Cmdlet $PSCmdlet -Command 'New-SvcIaasBastionHost' -Request $request
    }
}

function New-SvcPaasWeb {
    <#
    .SYNOPSIS
    Deploys web apps, function apps and API management services, and the front door and CDNs before them.
    .DESCRIPTION
    Reads a settings document and creates or updates resource groups with app service plans, web apps with their slots,
    function apps and API management services, and a front door with pools, domains and rules that sends requests to
    them. App settings of others stay. What is already as the document says is not touched; a second run of the same
    document changes nothing.
    .PARAMETER SettingsFile
    Path of the settings document, JSON or YAML.
    .PARAMETER SettingsObject
    The settings as an object: a hashtable, or what ConvertFrom-Json or ConvertFrom-Yaml returned.
    .PARAMETER TagSettingsFile
    Path of the tag settings document, JSON or YAML. Without it _tags/globalTags.yml of the project is used if there is
    one.
    .INPUTS
    System.Object. Settings as an object, or the file of a settings document.
    .OUTPUTS
    Svc.DeployedResource. One for each resource that was created, changed or deleted.
    .OUTPUTS
    Svc.PlannedAction. With -WhatIf, one for each resource that would be.
    .EXAMPLE
    New-SvcPaasWeb -SettingsFile web.yml -WhatIf
    Shows what would be created or changed, property by property.
    .EXAMPLE
    New-SvcPaasWeb -SettingsFile web.yml -TagSettingsFile tags.yml
    Deploys the document and puts the tags of a tag settings file on everything that takes tags.
    .LINK
    about_SvcDeploy
    .LINK
    Set-SvcContext
    #>
    [CmdletBinding(DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType('Svc.DeployedResource', 'Svc.PlannedAction')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [ValidateNotNullOrEmpty()] [string] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [ValidateNotNull()] [object] $SettingsObject,
        [Alias('TagSettingFile')] [ValidateNotNullOrEmpty()] [string] $TagSettingsFile
    )
    begin {
        foreach ($parameter in $script:CallerPreference.Keys) {
            if (-not $PSBoundParameters.ContainsKey($parameter)) {
                $name = $script:CallerPreference[$parameter]
                $ExecutionContext.SessionState.PSVariable.Set($name, $PSCmdlet.GetVariableValue($name))
            }
        }
    }
    process {
        $request = @{ whatIf = [bool] $WhatIfPreference }
        if ($SettingsFile) { $request['settingsFile'] = Resolve-FilePath -Cmdlet $PSCmdlet -Path $SettingsFile }
        if ($PSCmdlet.ParameterSetName -eq 'Object') { Add-SettingsObject -Cmdlet $PSCmdlet -Request $request -SettingsObject $SettingsObject }
        if ($TagSettingsFile) { $request['tagSettingsFile'] = Resolve-FilePath -Cmdlet $PSCmdlet -Path $TagSettingsFile }
        Invoke-Operation -Cmdlet $PSCmdlet -Command 'New-SvcPaasWeb' -Request $request
    }
}

function Set-SvcContext {
    <#
    .SYNOPSIS
    Sets what the commands of this session share: the cloud, the subscription, the environment and more.
    .DESCRIPTION
    Only what is given changes. Empty text takes a value out again. The context belongs to the session that sets it:
    another session, a job and every runspace of ForEach-Object -Parallel has its own. What it does not hold is taken
    from the SVC_* environment variables, and subscription and tenant then from the Az context of the session.
    .PARAMETER Cloud
    The cloud: public (the default), usgovernment, china, local for the local cloud, or the URL of a Resource Manager
    endpoint.
    .PARAMETER SubscriptionId
    GUID of the subscription.
    .PARAMETER SubscriptionName
    Display name of the subscription. Only a naming file can ask for it.
    .PARAMETER TenantId
    GUID of the tenant to sign in to.
    .PARAMETER Environment
    The environment in generated names: development (the default), integration, test, production or default.
    .PARAMETER ProjectRoot
    The folder that holds the _names and _tags folders and the logAlertDefinitions file of the project. Without it they
    are looked for beside the settings file and in its parent folders.
    .PARAMETER ServiceTagKey
    The tag that carries publish names: svc-service unless said. The replaced module wrote cm-service.
    .PARAMETER ExceptionTagKey
    The tag that the exclusions of log alerts are looked up by: svc-monitor-exception unless said.
    .PARAMETER AllowForeignDeletes
    Lets the alert commands plan the deletion of what others put into their resource group.
    .PARAMETER RequestTimeout
    How long the answer to one request is waited for, as an ISO 8601 duration: PT90S unless said.
    .PARAMETER OperationTimeout
    How long the end of one operation of Azure is waited for, as an ISO 8601 duration such as PT45M. Unless said it
    depends on the resource: PT30M for most, PT1H for bastion hosts, PT2H for API management.
    .PARAMETER LocalStateFile
    The file in which the local cloud keeps its resources: .svc/local-cloud.json beside the settings unless said.
    .PARAMETER ResourceManagerEndpoint
    Another Resource Manager endpoint of the named cloud, such as a private link one.
    .PARAMETER IncludeUnchanged
    Reports the resources that are up to date, too, with their names and ids, so that the next step of a script has
    them.
    .EXAMPLE
    Set-SvcContext -Cloud local
    Lets the commands of this session work on the local cloud, which needs no account.
    .EXAMPLE
    Set-SvcContext -SubscriptionId 00000000-0000-0000-0000-000000000000 -Environment production
    Chooses the subscription and the environment that is part of generated names.
    .EXAMPLE
    Set-SvcContext -SubscriptionId '' -AllowForeignDeletes:$false
    Takes the subscription out again and turns a switch off.
    .LINK
    Get-SvcContext
    .LINK
    Clear-SvcContext
    #>
    [CmdletBinding(SupportsShouldProcess, ConfirmImpact = 'Low', PositionalBinding = $false)]
    param(
        [string] $Cloud,
        [string] $SubscriptionId,
        [string] $SubscriptionName,
        [string] $TenantId,
        [string] $Environment,
        [string] $ProjectRoot,
        [string] $ServiceTagKey,
        [string] $ExceptionTagKey,
        [switch] $AllowForeignDeletes,
        [string] $RequestTimeout,
        [string] $OperationTimeout,
        [string] $LocalStateFile,
        [string] $ResourceManagerEndpoint,
        [switch] $IncludeUnchanged
    )
    begin {
        foreach ($parameter in $script:CallerPreference.Keys) {
            if (-not $PSBoundParameters.ContainsKey($parameter)) {
                $name = $script:CallerPreference[$parameter]
                $ExecutionContext.SessionState.PSVariable.Set($name, $PSCmdlet.GetVariableValue($name))
            }
        }
    }
    process {
        $changes = [ordered]@{}
        if ($PSBoundParameters.ContainsKey('Cloud')) { $changes['cloud'] = $Cloud }
        if ($PSBoundParameters.ContainsKey('SubscriptionId')) { $changes['subscriptionId'] = $SubscriptionId }
        if ($PSBoundParameters.ContainsKey('SubscriptionName')) { $changes['subscriptionName'] = $SubscriptionName }
        if ($PSBoundParameters.ContainsKey('TenantId')) { $changes['tenantId'] = $TenantId }
        if ($PSBoundParameters.ContainsKey('Environment')) { $changes['environment'] = $Environment }
        if ($PSBoundParameters.ContainsKey('ProjectRoot')) { $changes['projectRoot'] = if ($ProjectRoot) { Resolve-FilePath -Cmdlet $PSCmdlet -Path $ProjectRoot } else { '' } }
        if ($PSBoundParameters.ContainsKey('ServiceTagKey')) { $changes['serviceTagKey'] = $ServiceTagKey }
        if ($PSBoundParameters.ContainsKey('ExceptionTagKey')) { $changes['exceptionTagKey'] = $ExceptionTagKey }
        if ($PSBoundParameters.ContainsKey('AllowForeignDeletes')) { $changes['allowForeignDeletes'] = $AllowForeignDeletes.IsPresent }
        if ($PSBoundParameters.ContainsKey('RequestTimeout')) { $changes['requestTimeout'] = $RequestTimeout }
        if ($PSBoundParameters.ContainsKey('OperationTimeout')) { $changes['operationTimeout'] = $OperationTimeout }
        if ($PSBoundParameters.ContainsKey('LocalStateFile')) { $changes['localStateFile'] = if ($LocalStateFile) { Resolve-FilePath -Cmdlet $PSCmdlet -Path $LocalStateFile } else { '' } }
        if ($PSBoundParameters.ContainsKey('ResourceManagerEndpoint')) { $changes['resourceManagerEndpoint'] = $ResourceManagerEndpoint }
        if ($PSBoundParameters.ContainsKey('IncludeUnchanged')) { $changes['includeUnchanged'] = $IncludeUnchanged.IsPresent }
        if ($changes.Count -eq 0) { return }
        if (-not $PSCmdlet.ShouldProcess('the context of this session', "Set $($changes.Keys -join ', ')")) { return }
        foreach ($change in $changes.GetEnumerator()) {
            # The text stands on the left: on the right it would become a boolean, and $false would be the same as empty.
            if ('' -eq $change.Value) { $script:Context.Remove($change.Key) } else { $script:Context[$change.Key] = $change.Value }
        }
    }
}

function Get-SvcContext {
    <#
    .SYNOPSIS
    Shows what Set-SvcContext has set in this session.
    .DESCRIPTION
    Returns one object with a property for each value; those that were not set are empty.
    .OUTPUTS
    Svc.Context
    .EXAMPLE
    Get-SvcContext
    Shows the whole context.
    .LINK
    Set-SvcContext
    #>
    [CmdletBinding()]
    [OutputType('Svc.Context')]
    param()
    process {
        $PSCmdlet.WriteObject([pscustomobject]@{
                PSTypeName              = 'Svc.Context'
                Cloud                   = $script:Context['cloud']
                SubscriptionId          = $script:Context['subscriptionId']
                SubscriptionName        = $script:Context['subscriptionName']
                TenantId                = $script:Context['tenantId']
                Environment             = $script:Context['environment']
                ProjectRoot             = $script:Context['projectRoot']
                ServiceTagKey           = $script:Context['serviceTagKey']
                ExceptionTagKey         = $script:Context['exceptionTagKey']
                AllowForeignDeletes     = $script:Context['allowForeignDeletes']
                RequestTimeout          = $script:Context['requestTimeout']
                OperationTimeout        = $script:Context['operationTimeout']
                LocalStateFile          = $script:Context['localStateFile']
                ResourceManagerEndpoint = $script:Context['resourceManagerEndpoint']
                IncludeUnchanged        = $script:Context['includeUnchanged']
            })
    }
}

function Clear-SvcContext {
    <#
    .SYNOPSIS
    Takes everything out of the context of this session.
    .DESCRIPTION
    The commands then use the SVC_* environment variables and their defaults again.
    .EXAMPLE
    Clear-SvcContext
    Takes everything out that Set-SvcContext has put in.
    .LINK
    Set-SvcContext
    #>
    [CmdletBinding(SupportsShouldProcess, ConfirmImpact = 'Low')]
    param()
    begin {
        foreach ($parameter in $script:CallerPreference.Keys) {
            if (-not $PSBoundParameters.ContainsKey($parameter)) {
                $name = $script:CallerPreference[$parameter]
                $ExecutionContext.SessionState.PSVariable.Set($name, $PSCmdlet.GetVariableValue($name))
            }
        }
    }
    process {
        if ($PSCmdlet.ShouldProcess('the context of this session', 'Clear')) { $script:Context.Clear() }
    }
}

Export-ModuleMember -Function @(
    'New-SvcCoreMonitor'
    'New-SvcMonitorLogAlerts'
    'New-SvcMonitorMetricAlerts'
    'New-SvcMonitorResourceHealthAlerts'
    'New-SvcIaasPrivateEndpoints'
    'New-SvcIaasStorage'
    'New-SvcIaasBastionHost'
    'New-SvcPaasWeb'
    'Set-SvcContext'
    'Get-SvcContext'
    'Clear-SvcContext'
)
