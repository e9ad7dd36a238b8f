# Generated from the command registry by 'cargo run -p svc-deploy-module -- generate'; do not edit.

# Windows PowerShell would fail at the first command only, with an error of the compiler. This file has nothing that it cannot read.
if ($PSVersionTable.PSVersion.Major -lt 7) {
    throw "SvcDeploy needs PowerShell 7.2 or later, and this is Windows PowerShell $($PSVersionTable.PSVersion). Install PowerShell 7 (https://aka.ms/powershell) and run the script with 'pwsh'; in Azure Automation choose the runtime version 7.4 of the runbook."
}
Microsoft.PowerShell.Core\Set-StrictMode -Version 3.0

$script:ModuleVersion = '0.1.0'
$script:AbiVersion = 1

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

# Those of them that hold a path. A relative one starts where this session stands, which the library does not know.
$script:PathVariable = @(
    'SVC_PROJECT_ROOT'
    'SVC_LOCAL_STATE_FILE'
    'SVC_PLAN_REPORT'
    'SVC_APPROVED_PLAN'
    'AZURE_CLIENT_CERTIFICATE_PATH'
    'AZURE_FEDERATED_TOKEN_FILE'
    'AZURE_CONFIG_DIR'
    'SSL_CERT_FILE'
)

# What PowerShell adds to the objects that come out of a job or another session.
$script:RemotingMember = @('PSComputerName', 'PSShowComputerName', 'PSSourceJobInstanceId', 'RunspaceId')

# The names of clouds: our own, and those of Az.
$script:CloudName = @('public', 'usgovernment', 'china', 'local', 'AzureCloud', 'AzureUSGovernment', 'AzureChinaCloud')

# The global variable that keeps the context.
$script:ContextVariable = 'SvcDeployContext'

# What a question about the context is about.
$script:ContextTarget = 'the context of this session'

# What scripts of the replaced module pass to Set-SvcContext, and nothing uses.
$script:IgnoredContextParameter = @('BuildId', 'BuildRepoName', 'BuildDefinitionName', 'BuildDefinitionNumber', 'ProjectConfirmation')

# The members of the context, as the request names them, and where a value comes from that Set-SvcContext has not set.
$script:ContextMember = @(
    @{ Name = 'cloud'; Parameter = 'Cloud'; Kind = 'cloud'; Variables = @('SVC_CLOUD'); FromAz = $true; Default = 'public' }
    @{ Name = 'subscriptionId'; Parameter = 'SubscriptionId'; Kind = 'guid'; Variables = @('SVC_SUBSCRIPTION_ID', 'AZURE_SUBSCRIPTION_ID'); FromAz = $true; Default = $null }
    @{ Name = 'subscriptionName'; Parameter = 'SubscriptionName'; Kind = 'text'; Variables = @('SVC_SUBSCRIPTION_NAME'); FromAz = $false; Default = $null }
    @{ Name = 'tenantId'; Parameter = 'TenantId'; Kind = 'guid'; Variables = @('SVC_TENANT_ID', 'AZURE_TENANT_ID'); FromAz = $true; Default = $null }
    @{ Name = 'environment'; Parameter = 'Environment'; Kind = 'text'; Variables = @('SVC_ENVIRONMENT'); FromAz = $false; Default = 'development' }
    @{ Name = 'projectRoot'; Parameter = 'ProjectRoot'; Kind = 'folder'; Variables = @('SVC_PROJECT_ROOT'); FromAz = $false; Default = $null }
    @{ Name = 'serviceTagKey'; Parameter = 'ServiceTagKey'; Kind = 'tagKey'; Variables = @('SVC_SERVICE_TAG_KEY'); FromAz = $false; Default = 'svc-service' }
    @{ Name = 'exceptionTagKey'; Parameter = 'ExceptionTagKey'; Kind = 'tagKey'; Variables = @('SVC_EXCEPTION_TAG_KEY'); FromAz = $false; Default = 'svc-monitor-exception' }
    @{ Name = 'allowForeignDeletes'; Parameter = 'AllowForeignDeletes'; Kind = 'flag'; Variables = @('SVC_ALLOW_FOREIGN_DELETES'); FromAz = $false; Default = 'false' }
    @{ Name = 'requestTimeout'; Parameter = 'RequestTimeout'; Kind = 'duration'; Variables = @('SVC_REQUEST_TIMEOUT'); FromAz = $false; Default = '90s' }
    @{ Name = 'operationTimeout'; Parameter = 'OperationTimeout'; Kind = 'duration'; Variables = @('SVC_OPERATION_TIMEOUT'); FromAz = $false; Default = $null }
    @{ Name = 'localStateFile'; Parameter = 'LocalStateFile'; Kind = 'path'; Variables = @('SVC_LOCAL_STATE_FILE'); FromAz = $false; Default = $null }
    @{ Name = 'resourceManagerEndpoint'; Parameter = 'ResourceManagerEndpoint'; Kind = 'endpoint'; Variables = @('SVC_RESOURCE_MANAGER_ENDPOINT'); FromAz = $false; Default = $null }
    @{ Name = 'offline'; Parameter = 'Offline'; Kind = 'flag'; Variables = @('SVC_OFFLINE'); FromAz = $false; Default = 'false' }
    @{ Name = 'planReport'; Parameter = 'PlanReport'; Kind = 'paths'; Variables = @('SVC_PLAN_REPORT'); FromAz = $false; Default = $null }
    @{ Name = 'approvedPlan'; Parameter = 'ApprovedPlan'; Kind = 'path'; Variables = @('SVC_APPROVED_PLAN'); FromAz = $false; Default = $null }
    @{ Name = 'includeUnchanged'; Parameter = 'IncludeUnchanged'; Kind = 'flag'; Variables = @('SVC_INCLUDE_UNCHANGED'); FromAz = $false; Default = 'false' }
)

function Get-LibraryPath {
    $system = if ($IsWindows) { 'win' } elseif ($IsMacOS) { 'osx' } else { 'linux' }
    $file = if ($IsWindows) { 'svc_deploy.dll' } elseif ($IsMacOS) { 'libsvc_deploy.dylib' } else { 'libsvc_deploy.so' }
    $architecture = "$([Runtime.InteropServices.RuntimeInformation]::ProcessArchitecture)".ToLowerInvariant()
    [IO.Path]::Combine($PSScriptRoot, 'runtimes', "$system-$architecture", 'native', $file)
}

# Packages carry the bindings compiled; a source checkout does not.
function Import-CompiledBinding {
    $path = [IO.Path]::Combine($PSScriptRoot, 'SvcDeploy.Interop.dll')
    if (-not ('SvcDeploy.Native' -as [type]) -and [IO.File]::Exists($path)) { [void] [Reflection.Assembly]::LoadFrom($path) }
}

# Loads the library when the first command runs: importing the module, help and completion work where it cannot be loaded.
function Initialize-Library {
    param([Management.Automation.PSCmdlet] $Cmdlet)
    $path = Get-LibraryPath
    try {
        Import-CompiledBinding
        if (-not ('SvcDeploy.Native' -as [type])) {
            Microsoft.PowerShell.Utility\Add-Type -LiteralPath ([IO.Path]::Combine($PSScriptRoot, 'Interop.cs'))
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

# A script's 'catch [SvcDeploy.DeploymentException]' needs the type even when the error comes before the first command. The
# bindings are managed and small; what keeps them from loading is told by the first command.
try { Import-CompiledBinding }
catch { Microsoft.PowerShell.Utility\Write-Verbose -Message "The bindings cannot be loaded yet: $($_.Exception.Message)" }

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
    # PowerShell would look for it below the current location.
    if (-not $IsWindows -and $Path -match '^([^\\/]+::)?\\\\') {
        $problem = [ArgumentException]::new("'$Path' is a UNC path, which works on Windows only. Mount the share and use the path of the mount.")
        $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $problem -Code 'NotAFilePath' -Category 'InvalidArgument' -Target $Path))
    }
    $provider = $null
    $drive = $null
    try { $resolved = $Cmdlet.SessionState.Path.GetUnresolvedProviderPathFromPSPath($Path, [ref] $provider, [ref] $drive) }
    catch {
        $problem = [ArgumentException]::new("'$Path' is not a path: $($_.Exception.GetBaseException().Message)", $_.Exception)
        $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $problem -Code 'NotAFilePath' -Category 'InvalidArgument' -Target $Path))
    }
    if ('FileSystem' -ne $provider.Name) {
        $problem = [ArgumentException]::new("'$Path' is a path of the $($provider.Name) provider; expected a file.")
        $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $problem -Code 'NotAFilePath' -Category 'InvalidArgument' -Target $Path))
    }
    $resolved
}

# A document: a relative path that is not there is tried from the root of the project.
function Resolve-DocumentPath {
    param([Management.Automation.PSCmdlet] $Cmdlet, [string] $Path)
    $resolved = Resolve-FilePath -Cmdlet $Cmdlet -Path $Path
    $drive = $null
    if ([IO.Path]::IsPathRooted($Path) -or $Cmdlet.SessionState.Path.IsPSAbsolute($Path, [ref] $drive) -or [IO.File]::Exists($resolved) -or [IO.Directory]::Exists($resolved)) { return $resolved }
    $root = (Get-ContextTable)['projectRoot']
    if (-not $root) {
        $passed = Get-PassedEnvironment
        if ($passed.ContainsKey('SVC_PROJECT_ROOT')) { $root = $passed['SVC_PROJECT_ROOT'] }
    }
    if (-not $root) { return $resolved }
    $below = [IO.Path]::GetFullPath($Path, $root)
    if ([IO.File]::Exists($below) -or [IO.Directory]::Exists($below)) { $below } else { $resolved }
}

# Get-ChildItem hands folders over with the files; like Get-Content, a command says so and goes on with the next item.
function Write-FolderError {
    param([Management.Automation.PSCmdlet] $Cmdlet, [IO.DirectoryInfo] $Folder)
    # Nothing has taken over the caller's preferences yet.
    if (-not $Cmdlet.MyInvocation.BoundParameters.ContainsKey('ErrorAction')) {
        $ExecutionContext.SessionState.PSVariable.Set('ErrorActionPreference', $Cmdlet.GetVariableValue('ErrorActionPreference'))
    }
    $problem = [ArgumentException]::new("'$($Folder.FullName)' is a folder; expected a settings file.")
    $Cmdlet.WriteError((ConvertTo-ErrorRecord -Exception $problem -Code 'SettingsFileIsFolder' -Category 'InvalidArgument' -Target $Folder -Recommendation 'Use Get-ChildItem -File to leave folders out.'))
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
        try { $Request['settings'] = ConvertTo-PlainData -Value $SettingsObject -Depth 0 }
        catch {
            $problem = [ArgumentException]::new("The settings object is not plain data: $($_.Exception.Message)", $_.Exception)
            $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $problem -Code 'SettingsObjectNotPlainData' -Category 'InvalidArgument' -Target $null))
        }
        $Request['baseDirectory'] = $Cmdlet.SessionState.Path.CurrentFileSystemLocation.ProviderPath
    }
}

# Documents of a deployment: objects in one list, files and folders in the other.
function Add-SettingsDocument {
    param([Management.Automation.PSCmdlet] $Cmdlet, [hashtable] $Request, [object] $SettingsObject)
    if ($SettingsObject -is [Collections.IList]) {
        foreach ($item in $SettingsObject) { Add-SettingsDocument -Cmdlet $Cmdlet -Request $Request -SettingsObject $item }
        return
    }
    $document = @{}
    if ($null -eq $SettingsObject) {
        $problem = [ArgumentException]::new('-SettingsObject takes objects such as hashtables, not $null.')
        $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $problem -Code 'SettingsObjectNotPlainData' -Category 'InvalidArgument' -Target $null))
    }
    elseif ($SettingsObject -is [IO.DirectoryInfo]) {
        # Get-ChildItem hands over _names, _tags and .git with the documents; in a folder they are none either.
        if ($SettingsObject.Name -match '^[_.]') { return }
        $document['settingsFile'] = $SettingsObject.FullName
    }
    else { Add-SettingsObject -Cmdlet $Cmdlet -Request $document -SettingsObject $SettingsObject }
    foreach ($part in ('settingsFile', 'settingsFiles'), ('settings', 'settings')) {
        $one, $several = $part
        if ($document.ContainsKey($one)) {
            if (-not $Request.ContainsKey($several)) { $Request[$several] = [Collections.Generic.List[object]]::new() }
            $Request[$several].Add($document[$one])
        }
    }
    if ($document.ContainsKey('baseDirectory')) { $Request['baseDirectory'] = $document['baseDirectory'] }
}

# A copy in tables, lists and values, which is what JSON can hold. ConvertTo-Json alone would write a switch as an object, add
# what a job has put on its results, and take for ever with an object that holds itself.
function ConvertTo-PlainData {
    param([object] $Value, [int] $Depth)
    if ($null -eq $Value) { return $null }
    if ($Value -is [switch]) { return $Value.IsPresent }
    if ($Value -is [string] -or $Value -is [ValueType]) { return $Value }
    if ($Value -is [uri] -or $Value -is [version]) { return "$Value" }
    # The request around the settings is a level, too, and ConvertTo-Json writes 100.
    if ($Depth -gt 98) { throw 'it is nested more than 98 levels deep, or holds itself.' }
    if ($Value -is [Collections.IDictionary]) {
        $table = [Collections.Specialized.OrderedDictionary]::new([StringComparer]::Ordinal)
        foreach ($entry in $Value.GetEnumerator()) { $table["$($entry.Key)"] = ConvertTo-PlainData -Value $entry.Value -Depth ($Depth + 1) }
        return $table
    }
    if ($Value -is [Collections.IEnumerable]) {
        $list = [Collections.Generic.List[object]]::new()
        foreach ($item in $Value) { $list.Add((ConvertTo-PlainData -Value $item -Depth ($Depth + 1))) }
        # The comma keeps PowerShell from unrolling a list of one.
        return , $list.ToArray()
    }
    # A switch that comes out of a job.
    if ('Deserialized.System.Management.Automation.SwitchParameter' -eq $Value.PSObject.TypeNames[0]) { return [bool] $Value.IsPresent }
    $table = [Collections.Specialized.OrderedDictionary]::new([StringComparer]::Ordinal)
    foreach ($property in $Value.PSObject.Properties) {
        if ($script:RemotingMember -notcontains $property.Name) { $table[$property.Name] = ConvertTo-PlainData -Value $property.Value -Depth ($Depth + 1) }
    }
    $table
}

# Scripts of the replaced module pass $true or $false after a switch, and LegacyBoolean takes that value. Anything else there
# is refused in the words of every other command.
function Resolve-Switch {
    param([Management.Automation.PSCmdlet] $Cmdlet, [string] $Name, [switch] $Value, [object] $LegacyBoolean)
    $bound = $Cmdlet.MyInvocation.BoundParameters
    if (-not $bound.ContainsKey('LegacyBoolean')) { return $Value.IsPresent }
    if (-not $bound.ContainsKey($Name) -or $LegacyBoolean -isnot [bool]) {
        $shown = if ($null -eq $LegacyBoolean) { '$null' } else { "$LegacyBoolean" }
        $problem = [ArgumentException]::new("A positional parameter cannot be found that accepts argument '$shown'.")
        $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $problem -Code 'PositionalParameterNotFound' -Category 'InvalidArgument' -Target $LegacyBoolean))
    }
    $Value.IsPresent -and $LegacyBoolean
}

function ConvertTo-RequestJson {
    param([Management.Automation.PSCmdlet] $Cmdlet, [hashtable] $Request)
    try { Microsoft.PowerShell.Utility\ConvertTo-Json -InputObject $Request -Depth 100 -EnumsAsStrings -Compress -WarningAction Stop -ErrorAction Stop }
    catch {
        $problem = [ArgumentException]::new("The settings object cannot be written as JSON: $($_.Exception.Message)", $_.Exception)
        $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $problem -Code 'SettingsObjectNotPlainData' -Category 'InvalidArgument' -Target $null))
    }
}

# The table tells names apart by case: on Linux http_proxy and HTTP_PROXY are two variables.
function Get-PassedEnvironment {
    $location = $ExecutionContext.SessionState.Path.CurrentFileSystemLocation.ProviderPath
    $passed = [Collections.Generic.Dictionary[string, string]]::new([StringComparer]::Ordinal)
    foreach ($entry in [Environment]::GetEnvironmentVariables().GetEnumerator()) {
        if ($entry.Key -notmatch $script:PassedEnvironment) { continue }
        $value = $entry.Value
        if ($value -and $script:PathVariable -contains $entry.Key) {
            if ($value -match '^~($|[\\/])') { $value = "$HOME$($value.Substring(1))" }
            $value = [IO.Path]::GetFullPath($value, $location)
        }
        $passed[$entry.Key] = $value
    }
    $passed
}

# Az.Accounts where it is in use already, also inside another module: it is never imported just to look.
function Get-AzModule {
    Microsoft.PowerShell.Core\Get-Module -Name 'Az.Accounts' -All | Microsoft.PowerShell.Utility\Select-Object -First 1
}

# The session's own Az context. One that cannot be read is told and left aside, because the library knows other credentials.
# Az commands run inside their module: where it is nested in another one, only that one could call them by name.
function Get-AzSession {
    $az = Get-AzModule
    if ($null -eq $az) { return $null }
    try { $current = & $az { Get-AzContext -ErrorAction Stop } }
    catch {
        Microsoft.PowerShell.Utility\Write-Verbose -Message "The Az context of this session cannot be read: $($_.Exception.Message)"
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
    $answer = & (Get-AzModule) { param([hashtable] $Given) Get-AzAccessToken @Given } $parameters
    $text = if ($answer.Token -is [securestring]) { Microsoft.PowerShell.Security\ConvertFrom-SecureString -SecureString $answer.Token -AsPlainText } else { $answer.Token }
    @{ id = $Message['id']; token = $text; expiresOn = ([DateTimeOffset] $answer.ExpiresOn).ToUnixTimeSeconds() }
}

# Runs one command of the library to its end on the caller's cmdlet: every record, prompt and object is the caller's own.
# The command is named by the generator, not taken from the cmdlet: Import-Module -Prefix renames that one.
function Invoke-Operation {
    param([Management.Automation.PSCmdlet] $Cmdlet, [string] $Command, [hashtable] $Request)
    # What fails before the operation starts ends the command. Outside of try a method that throws ends its statement only, and
    # what was meant as a dry run would deploy.
    try {
        # Everything that is called from here sees these, ShouldProcess too. They are not set in the functions that support it,
        # because there they are typed, and $WhatIfPreference = 1 would be an error.
        foreach ($parameter in $script:CallerPreference.Keys) {
            if (-not $Cmdlet.MyInvocation.BoundParameters.ContainsKey($parameter)) {
                $name = $script:CallerPreference[$parameter]
                $ExecutionContext.SessionState.PSVariable.Set($name, $Cmdlet.GetVariableValue($name))
            }
        }
        Initialize-Library -Cmdlet $Cmdlet
        $Request['whatIf'] = [bool] $WhatIfPreference
        $Request['context'] = Get-ContextTable
        $Request['environment'] = Get-PassedEnvironment
        $Request['azSession'] = Get-AzSession
        $json = ConvertTo-RequestJson -Cmdlet $Cmdlet -Request $Request
        $operation = [SvcDeploy.Operation]::new($Command, $json)
    }
    catch [Management.Automation.PipelineStoppedException] { throw }
    catch { $Cmdlet.ThrowTerminatingError($_) }
    $finished = $false
    try {
        while (-not $finished) {
            $text = $null
            try { $poll = $operation.Next(100, [ref] $text) }
            catch [Management.Automation.PipelineStoppedException] { throw }
            catch { Stop-BrokenOperation -Cmdlet $Cmdlet -Problem $_.Exception }
            if ('Message' -eq $poll) {
                Receive-Message -Cmdlet $Cmdlet -Operation $operation -Message (Microsoft.PowerShell.Utility\ConvertFrom-Json -InputObject $text -AsHashtable)
            }
            $finished = 'Finished' -eq $poll
        }
    }
    finally {
        # Reached before the end by Ctrl+C, Select-Object -First, or an error that ends the command.
        if (-not $finished) { Stop-Operation -Cmdlet $Cmdlet -Operation $operation }
        $operation.Dispose()
    }
}

# Outside of try a call that the library refuses would end its statement only, and the loop would wait for ever. It is a defect.
function Stop-BrokenOperation {
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'The command itself has asked.')]
    param([Management.Automation.PSCmdlet] $Cmdlet, [Exception] $Problem)
    $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $Problem.GetBaseException() -Code 'LibraryCallFailed' -Category 'InvalidOperation' -Target $null -Recommendation 'Run the command again: completed changes are skipped. Report the error if it comes back.'))
}

# A stopping pipeline takes no more records, so what is still going on in Azure is told on the host. The library says it and
# ends within two seconds; it is the last of what may be many messages, so time is counted, not messages.
function Stop-Operation {
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'The command itself has asked.')]
    param([Management.Automation.PSCmdlet] $Cmdlet, [SvcDeploy.Operation] $Operation)
    $Operation.Cancel()
    $watch = [Diagnostics.Stopwatch]::StartNew()
    while ($watch.ElapsedMilliseconds -lt 2000) {
        $text = $null
        try { $poll = $Operation.Next(100, [ref] $text) }
        catch { return }
        if ('Finished' -eq $poll) { return }
        if ('Message' -eq $poll) {
            $message = Microsoft.PowerShell.Utility\ConvertFrom-Json -InputObject $text -AsHashtable
            if ('warning' -eq $message['event']) { $Cmdlet.Host.UI.WriteWarningLine((ConvertTo-ShownText -Text $message['message'])) }
        }
    }
}

# Does what a message of the library asks for. Objects go down the pipeline as output: through $Cmdlet.WriteObject, what the next
# command throws would come back wrapped, and no typed catch of the caller would match it. Records are written by cmdlets: the
# methods of $Cmdlet ask at every record under -Debug. Errors do not, and the method gives them the caller's position.
function Receive-Message {
    param([Management.Automation.PSCmdlet] $Cmdlet, [SvcDeploy.Operation] $Operation, [hashtable] $Message)
    switch ($Message['event']) {
        'verbose' { Microsoft.PowerShell.Utility\Write-Verbose -Message (ConvertTo-ShownText -Text $Message['message']) }
        'debug' { Microsoft.PowerShell.Utility\Write-Debug -Message (ConvertTo-ShownText -Text $Message['message']) }
        'warning' { Microsoft.PowerShell.Utility\Write-Warning -Message (ConvertTo-ShownText -Text $Message['message']) }
        'target' { Microsoft.PowerShell.Utility\Write-Verbose -Message (ConvertTo-ShownText -Text $Message['description']) }
        'kept' { Microsoft.PowerShell.Utility\Write-Warning -Message (ConvertTo-ShownText -Text $Message['reason']) }
        'progress' { $Cmdlet.WriteProgress((ConvertTo-ProgressRecord -Message $Message)) }
        'plan' {
            $decision = Confirm-Plan -Cmdlet $Cmdlet -Plan $Message
            Send-Answer -Cmdlet $Cmdlet -Operation $Operation -Answer @{ id = $Message['id']; approved = $decision['approved'] }
            foreach ($action in $decision['planned']) { ConvertTo-PlannedAction -Action $action }
        }
        'token' {
            $answer = try { Get-AzSessionToken -Message $Message } catch { @{ id = $Message['id']; error = $_.Exception.Message } }
            Send-Answer -Cmdlet $Cmdlet -Operation $Operation -Answer $answer
        }
        'resource' { ConvertTo-DeployedResource -Message $Message -Action $Message['action'] }
        'template' { ConvertTo-Template -Message $Message }
        'unchanged' { ConvertTo-DeployedResource -Message $Message -Action 'unchanged' }
        # For the function that has asked for it.
        'document' { $Message }
        'error' {
            # The first error that is written would be all that the caller sees of -ErrorAction Stop, so there the last one, which
            # ends the command, tells them all.
            $stops = 'Stop' -eq $ErrorActionPreference
            if ($Message['terminating']) { $Cmdlet.ThrowTerminatingError((ConvertTo-DeploymentError -Message $Message -ListFailures:$stops)) }
            if (-not $stops) { $Cmdlet.WriteError((ConvertTo-DeploymentError -Message $Message)) }
        }
        'result' {
            # Shown like Write-Host: it is no output, and 6>$null or -InformationAction Ignore silences it.
            $line = [Management.Automation.HostInformationMessage] @{ Message = ConvertTo-Summary -Message $Message }
            $Cmdlet.WriteInformation($line, [string[]] @('PSHOST'))
        }
    }
}

# Messages of servers and values of documents are in what people read, and must not move the cursor, turn the reading direction or
# command the pipeline that reads the log. Objects have them as they are.
function ConvertTo-ShownText {
    param([string] $Text)
    $misleading = '[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb-[\t\n]]'
    $command = '(?<=^[^\S\n]*):(?=:)|#(?=#[A-Za-z]*\[)'
    [regex]::Replace($Text.Replace("`r`n", "`n"), "(?m)$misleading|$command", { param($match) '\u{' + ([int] [char] $match.Value).ToString('x') + '}' })
}

function Send-Answer {
    param([Management.Automation.PSCmdlet] $Cmdlet, [SvcDeploy.Operation] $Operation, [hashtable] $Answer)
    try { $Operation.Answer((Microsoft.PowerShell.Utility\ConvertTo-Json -InputObject $Answer -Compress)) }
    catch [Management.Automation.PipelineStoppedException] { throw }
    catch { Stop-BrokenOperation -Cmdlet $Cmdlet -Problem $_.Exception }
}

function ConvertTo-ProgressRecord {
    param([hashtable] $Message)
    $record = [Management.Automation.ProgressRecord]::new($Message['activityId'], (ConvertTo-ShownText -Text $Message['activity']), (ConvertTo-ShownText -Text $Message['status']))
    if ($Message['completed']) { $record.RecordType = 'Completed' }
    elseif ($null -ne $Message['percent']) { $record.PercentComplete = $Message['percent'] }
    if ($Message['currentOperation']) { $record.CurrentOperation = ConvertTo-ShownText -Text $Message['currentOperation'] }
    $record
}

# Asks for each action of the plan, all of them on the caller's cmdlet so that "Yes to All" holds. Returns the indexes of the
# approved actions, and the actions that -WhatIf has only shown. What is always to be confirmed (a deletion) is asked for unless
# the caller says otherwise; where -Confirm is given, ShouldProcess asks for deletions, too.
function Confirm-Plan {
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSShouldProcess', '', Justification = 'It asks through the cmdlet of its caller.')]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSAvoidShouldContinueWithoutForce', '', Justification = '-Confirm:$false is what -Force would be.')]
    param([Management.Automation.PSCmdlet] $Cmdlet, [hashtable] $Plan)
    $asks = -not $WhatIfPreference -and 'None' -ne $ConfirmPreference -and -not $Cmdlet.MyInvocation.BoundParameters.ContainsKey('Confirm')
    $approved = [Collections.Generic.List[object]]::new()
    $planned = [Collections.Generic.List[object]]::new()
    $yesToAll = $false
    $noToAll = $false
    foreach ($action in $Plan['actions']) {
        $question = ConvertTo-ShownText -Text $action['question']
        $reason = [Management.Automation.ShouldProcessReason]::None
        try {
            if ($asks -and 'always' -eq $action['confirm']) { $yes = $Cmdlet.ShouldContinue($question, 'Confirm deletion', $false, [ref] $yesToAll, [ref] $noToAll) }
            else { $yes = $Cmdlet.ShouldProcess((ConvertTo-ShownText -Text $action['description']), $question, 'Confirm', [ref] $reason) }
        }
        catch [Management.Automation.PipelineStoppedException] { throw }
        catch { Deny-Confirmation -Cmdlet $Cmdlet -Problem $_.Exception -Target $action['resourceId'] }
        if ($yes) { $approved.Add($action['index']) }
        elseif ('WhatIf' -eq $reason) { $planned.Add($action) }
    }
    @{ approved = $approved; planned = $planned }
}

# Asks on the caller's cmdlet before anything but Azure is changed: a file, the context. It takes the preferences of the caller itself,
# because those that Invoke-Operation takes are gone when that has returned. A dry run needs the context, so -InDryRun leaves
# $WhatIfPreference out; -WhatIf always counts.
function Confirm-Change {
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSShouldProcess', '', Justification = 'It asks through the cmdlet of its caller.')]
    param([Management.Automation.PSCmdlet] $Cmdlet, [string] $Target, [string] $Action, [switch] $InDryRun)
    foreach ($parameter in 'WhatIf', 'Confirm') {
        if (-not $Cmdlet.MyInvocation.BoundParameters.ContainsKey($parameter)) {
            $name = $script:CallerPreference[$parameter]
            $value = if ($InDryRun -and 'WhatIf' -eq $parameter) { $false } else { $Cmdlet.GetVariableValue($name) }
            $ExecutionContext.SessionState.PSVariable.Set($name, $value)
        }
    }
    try { $Cmdlet.ShouldProcess($Target, $Action) }
    catch [Management.Automation.PipelineStoppedException] { throw }
    catch { Deny-Confirmation -Cmdlet $Cmdlet -Problem $_.Exception -Target $Target }
}

function Deny-Confirmation {
    param([Management.Automation.PSCmdlet] $Cmdlet, [Exception] $Problem, [string] $Target)
    # What the console says of an input that is closed.
    $reason = if ($Problem.GetBaseException() -is [NullReferenceException]) { 'there is no input to answer from.' } else { $Problem.GetBaseException().Message }
    $denied = [InvalidOperationException]::new("Cannot ask for confirmation: $reason", $Problem)
    $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $denied -Code 'ConfirmationUnavailable' -Category 'InvalidOperation' -Target $Target -Recommendation 'Pass -Confirm:$false in unattended runs.'))
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
        Label         = $Action['label']
        Name          = $Action['name']
        FullName      = $Action['fullName']
        ResourceGroup = $Action['resourceGroup']
        Id            = $Action['resourceId']
        Origin        = $Action['origin']
        Document      = $Action['document']
        Changes       = $changes
    }
}

# The template stays text, as it has to be deployed.
function ConvertTo-Template {
    param([hashtable] $Message)
    $parameters = @(
        foreach ($parameter in $Message['parameters']) {
            [pscustomobject]@{
                PSTypeName  = 'Svc.TemplateParameter'
                Name        = $parameter['name']
                Secret      = $parameter['secret']
                Default     = $parameter['default']
                Description = $parameter['description']
            }
        }
    )
    $calls = @(
        foreach ($call in $Message['calls']) {
            [pscustomobject]@{ PSTypeName = 'Svc.TemplateCall'; Tool = $call['tool']; Command = $call['command'] }
        }
    )
    [pscustomobject]@{
        PSTypeName = 'Svc.Template'
        Path       = $Message['path']
        Calls      = $calls
        Parameters = $parameters
        Template   = $Message['template']
    }
}

function ConvertTo-DeployedResource {
    param([hashtable] $Message, [string] $Action)
    [pscustomobject]@{
        PSTypeName    = 'Svc.DeployedResource'
        Action        = $Action
        Type          = $Message['type']
        Label         = $Message['label']
        Name          = $Message['name']
        FullName      = $Message['fullName']
        ResourceGroup = $Message['resourceGroup']
        Id            = $Message['resourceId']
        Seconds       = $Message['seconds']
        Document      = $Message['document']
        Properties    = if ($null -eq $Message['properties']) { @{} } else { $Message['properties'] }
    }
}

function ConvertTo-Finding {
    param([hashtable] $Finding)
    [pscustomobject]@{
        PSTypeName = 'Svc.Finding'
        File       = $Finding['file']
        Line       = $Finding['line']
        Column     = $Finding['column']
        Path       = $Finding['path']
        Code       = $Finding['code']
        Message    = $Finding['message']
    }
}

function ConvertTo-Failure {
    param([hashtable] $Failure)
    [pscustomobject]@{
        PSTypeName     = 'Svc.Failure'
        Code           = $Failure['code']
        Category       = $Failure['category']
        Message        = $Failure['message']
        Recommendation = $Failure['recommendation']
        Target         = $Failure['target']
        ResourceId     = $Failure['resourceId']
        RequestId      = $Failure['requestId']
        Document       = $Failure['document']
    }
}

# With -ListFailures the message has them all, numbered, because the caller will see no other error.
function ConvertTo-DeploymentError {
    param([hashtable] $Message, [switch] $ListFailures)
    $findings = @(foreach ($finding in $Message['findings']) { ConvertTo-Finding -Finding $finding })
    $failures = @(foreach ($failure in $Message['failures']) { ConvertTo-Failure -Failure $failure })
    $done = @(foreach ($resource in $Message['done']) { ConvertTo-DeployedResource -Message $resource -Action $resource['action'] })
    $lines = @(
        $Message['message']
        if ($ListFailures) {
            $number = 0
            foreach ($failure in $failures) {
                $number++
                "[$number] $($failure.Message) $($failure.Recommendation)".TrimEnd()
            }
        }
    )
    $exception = [SvcDeploy.DeploymentException]::new((ConvertTo-ShownText -Text ($lines -join "`n")), $Message['code'], $Message['resourceId'], $Message['requestId'], $Message['document'], $findings, $failures, $done)
    ConvertTo-ErrorRecord -Exception $exception -Code (ConvertTo-ShownText -Text $Message['code']) -Category $Message['category'] -Target $Message['target'] -Recommendation (ConvertTo-ShownText -Text $Message['recommendation'])
}

# The last line of a run: what was done, or would be.
function ConvertTo-Summary {
    param([hashtable] $Message)
    if ($Message['upToDate']) { return $Message['upToDate'] }
    $isPlan = [bool] $Message['whatIf']
    $counts = @(
        foreach ($count in ('created', 'created'), ('modified', 'changed'), ('deleted', 'deleted'), ('skipped', 'skipped')) {
            if ($Message[$count[0]]) { "$($Message[$count[0]])$(if ($isPlan) { ' would be' }) $($count[1])" }
        }
        if ($Message['failed']) { "$($Message['failed']) failed" }
        if ($Message['kept']) { "$($Message['kept']) kept although the document says otherwise" }
    )
    $unchanged = [int] $Message['unchanged']
    if ($unchanged) { $counts += "$unchanged unchanged" }
    $seconds = [double] $Message['seconds']
    $digits = if ($seconds -lt 10) { 1 } else { 0 }
    $time = if ($isPlan) { '' } else { " in $([Math]::Round($seconds, $digits)) s" }
    "$($counts -join ', ')$time."
}

function New-SvcCoreMonitor {
    # .EXTERNALHELP SvcDeploy-help.xml
    [CmdletBinding(DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType('Svc.DeployedResource', 'Svc.PlannedAction')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [ValidateNotNullOrEmpty()] [string] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [ValidateNotNull()] [object] $SettingsObject,
        [Alias('TagSettingFile')] [AllowEmptyString()] [string] $TagSettingsFile
    )
    process {
        $request = @{}
        try {
            if ($SettingsFile) { $request['settingsFile'] = Resolve-DocumentPath -Cmdlet $PSCmdlet -Path $SettingsFile }
            if ($SettingsObject -is [IO.DirectoryInfo]) {
                Write-FolderError -Cmdlet $PSCmdlet -Folder $SettingsObject
                return
            }
            if ('Object' -eq $PSCmdlet.ParameterSetName) { Add-SettingsObject -Cmdlet $PSCmdlet -Request $request -SettingsObject $SettingsObject }
            if ($TagSettingsFile) { $request['tagSettingsFile'] = Resolve-DocumentPath -Cmdlet $PSCmdlet -Path $TagSettingsFile }
        }
        catch [Management.Automation.PipelineStoppedException] { throw }
        catch { $PSCmdlet.ThrowTerminatingError($_) }
        Invoke-Operation -Cmdlet $PSCmdlet -Command 'New-SvcCoreMonitor' -Request $request
    }
}

function New-SvcMonitorLogAlerts {
    # .EXTERNALHELP SvcDeploy-help.xml
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseSingularNouns', '', Justification = 'The name of the replaced module.')]
    [CmdletBinding(DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType('Svc.DeployedResource', 'Svc.PlannedAction')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [ValidateNotNullOrEmpty()] [string] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [ValidateNotNull()] [object] $SettingsObject
    )
    process {
        $request = @{}
        try {
            if ($SettingsFile) { $request['settingsFile'] = Resolve-DocumentPath -Cmdlet $PSCmdlet -Path $SettingsFile }
            if ($SettingsObject -is [IO.DirectoryInfo]) {
                Write-FolderError -Cmdlet $PSCmdlet -Folder $SettingsObject
                return
            }
            if ('Object' -eq $PSCmdlet.ParameterSetName) { Add-SettingsObject -Cmdlet $PSCmdlet -Request $request -SettingsObject $SettingsObject }
        }
        catch [Management.Automation.PipelineStoppedException] { throw }
        catch { $PSCmdlet.ThrowTerminatingError($_) }
        Invoke-Operation -Cmdlet $PSCmdlet -Command 'New-SvcMonitorLogAlerts' -Request $request
    }
}

function New-SvcMonitorMetricAlerts {
    # .EXTERNALHELP SvcDeploy-help.xml
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseSingularNouns', '', Justification = 'The name of the replaced module.')]
    [CmdletBinding(DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType('Svc.DeployedResource', 'Svc.PlannedAction')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [ValidateNotNullOrEmpty()] [string] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [ValidateNotNull()] [object] $SettingsObject
    )
    process {
        $request = @{}
        try {
            if ($SettingsFile) { $request['settingsFile'] = Resolve-DocumentPath -Cmdlet $PSCmdlet -Path $SettingsFile }
            if ($SettingsObject -is [IO.DirectoryInfo]) {
                Write-FolderError -Cmdlet $PSCmdlet -Folder $SettingsObject
                return
            }
            if ('Object' -eq $PSCmdlet.ParameterSetName) { Add-SettingsObject -Cmdlet $PSCmdlet -Request $request -SettingsObject $SettingsObject }
        }
        catch [Management.Automation.PipelineStoppedException] { throw }
        catch { $PSCmdlet.ThrowTerminatingError($_) }
        Invoke-Operation -Cmdlet $PSCmdlet -Command 'New-SvcMonitorMetricAlerts' -Request $request
    }
}

function New-SvcMonitorResourceHealthAlerts {
    # .EXTERNALHELP SvcDeploy-help.xml
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseSingularNouns', '', Justification = 'The name of the replaced module.')]
    [CmdletBinding(DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType('Svc.DeployedResource', 'Svc.PlannedAction')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [ValidateNotNullOrEmpty()] [string] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [ValidateNotNull()] [object] $SettingsObject
    )
    process {
        $request = @{}
        try {
            if ($SettingsFile) { $request['settingsFile'] = Resolve-DocumentPath -Cmdlet $PSCmdlet -Path $SettingsFile }
            if ($SettingsObject -is [IO.DirectoryInfo]) {
                Write-FolderError -Cmdlet $PSCmdlet -Folder $SettingsObject
                return
            }
            if ('Object' -eq $PSCmdlet.ParameterSetName) { Add-SettingsObject -Cmdlet $PSCmdlet -Request $request -SettingsObject $SettingsObject }
        }
        catch [Management.Automation.PipelineStoppedException] { throw }
        catch { $PSCmdlet.ThrowTerminatingError($_) }
        Invoke-Operation -Cmdlet $PSCmdlet -Command 'New-SvcMonitorResourceHealthAlerts' -Request $request
    }
}

function New-SvcIaasPrivateEndpoints {
    # .EXTERNALHELP SvcDeploy-help.xml
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseSingularNouns', '', Justification = 'The name of the replaced module.')]
    [CmdletBinding(DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType('Svc.DeployedResource', 'Svc.PlannedAction')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [ValidateNotNullOrEmpty()] [string] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [ValidateNotNull()] [object] $SettingsObject,
        [Alias('TagSettingFile')] [AllowEmptyString()] [string] $TagSettingsFile,
        [switch] $OmitTags,
        [Parameter(Position = 1, DontShow)] [object] $LegacyBoolean
    )
    process {
        $request = @{}
        try {
            if ($SettingsFile) { $request['settingsFile'] = Resolve-DocumentPath -Cmdlet $PSCmdlet -Path $SettingsFile }
            if ($SettingsObject -is [IO.DirectoryInfo]) {
                Write-FolderError -Cmdlet $PSCmdlet -Folder $SettingsObject
                return
            }
            if ('Object' -eq $PSCmdlet.ParameterSetName) { Add-SettingsObject -Cmdlet $PSCmdlet -Request $request -SettingsObject $SettingsObject }
            if ($TagSettingsFile) { $request['tagSettingsFile'] = Resolve-DocumentPath -Cmdlet $PSCmdlet -Path $TagSettingsFile }
            $request['omitTags'] = Resolve-Switch -Cmdlet $PSCmdlet -Name 'OmitTags' -Value:$OmitTags -LegacyBoolean $LegacyBoolean
        }
        catch [Management.Automation.PipelineStoppedException] { throw }
        catch { $PSCmdlet.ThrowTerminatingError($_) }
        Invoke-Operation -Cmdlet $PSCmdlet -Command 'New-SvcIaasPrivateEndpoints' -Request $request
    }
}

function New-SvcIaasStorage {
    # .EXTERNALHELP SvcDeploy-help.xml
    [CmdletBinding(DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType('Svc.DeployedResource', 'Svc.PlannedAction')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [ValidateNotNullOrEmpty()] [string] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [ValidateNotNull()] [object] $SettingsObject,
        [Alias('TagSettingFile')] [AllowEmptyString()] [string] $TagSettingsFile,
        [switch] $OmitTags,
        [Parameter(Position = 1, DontShow)] [object] $LegacyBoolean
    )
    process {
        $request = @{}
        try {
            if ($SettingsFile) { $request['settingsFile'] = Resolve-DocumentPath -Cmdlet $PSCmdlet -Path $SettingsFile }
            if ($SettingsObject -is [IO.DirectoryInfo]) {
                Write-FolderError -Cmdlet $PSCmdlet -Folder $SettingsObject
                return
            }
            if ('Object' -eq $PSCmdlet.ParameterSetName) { Add-SettingsObject -Cmdlet $PSCmdlet -Request $request -SettingsObject $SettingsObject }
            if ($TagSettingsFile) { $request['tagSettingsFile'] = Resolve-DocumentPath -Cmdlet $PSCmdlet -Path $TagSettingsFile }
            $request['omitTags'] = Resolve-Switch -Cmdlet $PSCmdlet -Name 'OmitTags' -Value:$OmitTags -LegacyBoolean $LegacyBoolean
        }
        catch [Management.Automation.PipelineStoppedException] { throw }
        catch { $PSCmdlet.ThrowTerminatingError($_) }
        Invoke-Operation -Cmdlet $PSCmdlet -Command 'New-SvcIaasStorage' -Request $request
    }
}

function New-SvcIaasBastionHost {
    # .EXTERNALHELP SvcDeploy-help.xml
    [CmdletBinding(DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType('Svc.DeployedResource', 'Svc.PlannedAction')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [ValidateNotNullOrEmpty()] [string] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [ValidateNotNull()] [object] $SettingsObject,
        [Alias('TagSettingFile')] [AllowEmptyString()] [string] $TagSettingsFile
    )
    process {
        $request = @{}
        try {
            if ($SettingsFile) { $request['settingsFile'] = Resolve-DocumentPath -Cmdlet $PSCmdlet -Path $SettingsFile }
            if ($SettingsObject -is [IO.DirectoryInfo]) {
                Write-FolderError -Cmdlet $PSCmdlet -Folder $SettingsObject
                return
            }
            if ('Object' -eq $PSCmdlet.ParameterSetName) { Add-SettingsObject -Cmdlet $PSCmdlet -Request $request -SettingsObject $SettingsObject }
            if ($TagSettingsFile) { $request['tagSettingsFile'] = Resolve-DocumentPath -Cmdlet $PSCmdlet -Path $TagSettingsFile }
        }
        catch [Management.Automation.PipelineStoppedException] { throw }
        catch { $PSCmdlet.ThrowTerminatingError($_) }
        Invoke-Operation -Cmdlet $PSCmdlet -Command 'New-SvcIaasBastionHost' -Request $request
    }
}

function New-SvcPaasWeb {
    # .EXTERNALHELP SvcDeploy-help.xml
    [CmdletBinding(DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType('Svc.DeployedResource', 'Svc.PlannedAction')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [ValidateNotNullOrEmpty()] [string] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [ValidateNotNull()] [object] $SettingsObject,
        [Alias('TagSettingFile')] [AllowEmptyString()] [string] $TagSettingsFile
    )
    process {
        $request = @{}
        try {
            if ($SettingsFile) { $request['settingsFile'] = Resolve-DocumentPath -Cmdlet $PSCmdlet -Path $SettingsFile }
            if ($SettingsObject -is [IO.DirectoryInfo]) {
                Write-FolderError -Cmdlet $PSCmdlet -Folder $SettingsObject
                return
            }
            if ('Object' -eq $PSCmdlet.ParameterSetName) { Add-SettingsObject -Cmdlet $PSCmdlet -Request $request -SettingsObject $SettingsObject }
            if ($TagSettingsFile) { $request['tagSettingsFile'] = Resolve-DocumentPath -Cmdlet $PSCmdlet -Path $TagSettingsFile }
        }
        catch [Management.Automation.PipelineStoppedException] { throw }
        catch { $PSCmdlet.ThrowTerminatingError($_) }
        Invoke-Operation -Cmdlet $PSCmdlet -Command 'New-SvcPaasWeb' -Request $request
    }
}

function New-SvcDeployment {
    # .EXTERNALHELP SvcDeploy-help.xml
    [CmdletBinding(DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType('Svc.DeployedResource', 'Svc.PlannedAction')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [ValidateNotNullOrEmpty()] [string[]] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [AllowNull()] [object] $SettingsObject,
        [Alias('TagSettingFile')] [AllowEmptyString()] [string] $TagSettingsFile,
        [switch] $OmitTags,
        [Parameter(Position = 1, DontShow)] [object] $LegacyBoolean
    )
    # What comes through the pipeline is one deployment, so it is collected, and run once. What cannot be collected ends the command:
    # an environment without one of its documents is another one.
    begin { $request = @{} }
    process {
        try {
            if ($SettingsFile) { $request['settingsFiles'] = @(foreach ($document in $SettingsFile) { Resolve-DocumentPath -Cmdlet $PSCmdlet -Path $document }) }
            if ('Object' -eq $PSCmdlet.ParameterSetName) { Add-SettingsDocument -Cmdlet $PSCmdlet -Request $request -SettingsObject $SettingsObject }
        }
        catch [Management.Automation.PipelineStoppedException] { throw }
        catch { $PSCmdlet.ThrowTerminatingError($_) }
    }
    end {
        try {
            if ($TagSettingsFile) { $request['tagSettingsFile'] = Resolve-DocumentPath -Cmdlet $PSCmdlet -Path $TagSettingsFile }
            $request['omitTags'] = Resolve-Switch -Cmdlet $PSCmdlet -Name 'OmitTags' -Value:$OmitTags -LegacyBoolean $LegacyBoolean
        }
        catch [Management.Automation.PipelineStoppedException] { throw }
        catch { $PSCmdlet.ThrowTerminatingError($_) }
        Invoke-Operation -Cmdlet $PSCmdlet -Command 'New-SvcDeployment' -Request $request
    }
}

function Export-SvcSettings {
    # .EXTERNALHELP SvcDeploy-help.xml
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseSingularNouns', '', Justification = 'What a document holds are settings.')]
    [CmdletBinding(SupportsShouldProcess, ConfirmImpact = 'Low')]
    [OutputType([string], [IO.FileInfo])]
    param(
        [Parameter(Mandatory, Position = 0)] [ArgumentCompletions('logAlerts', 'metricAlerts', 'resourceHealthAlerts', 'privateEndpoints', 'storage', 'bastionHosts')] [ValidateNotNullOrEmpty()] [string] $Component,
        [Parameter(Mandatory, Position = 1)] [ValidateNotNullOrEmpty()] [string] $ResourceGroup,
        [AllowEmptyString()] [string] $Path,
        [switch] $Names
    )
    process {
        # What cannot be written is told before anything is read.
        try {
            $file = Resolve-NewDocument -Cmdlet $PSCmdlet -Path $Path -Names:$Names
            if ($file -and -not (Confirm-Change -Cmdlet $PSCmdlet -Target $file -Action 'Write the settings document')) { return }
        }
        catch [Management.Automation.PipelineStoppedException] { throw }
        catch { $PSCmdlet.ThrowTerminatingError($_) }
        $folder = if ($file) { [IO.Path]::GetDirectoryName($file) } else { $PSCmdlet.SessionState.Path.CurrentFileSystemLocation.ProviderPath }
        $export = @{ component = $Component; resourceGroup = $ResourceGroup; names = $Names.IsPresent; baseDirectory = $folder }
        $document = Invoke-Operation -Cmdlet $PSCmdlet -Command 'Export-SvcSettings' -Request $export
        if ($null -eq $document) { return }
        if (-not $file) { return $document['text'].TrimEnd("`n") }
        try {
            foreach ($beside in $document['files']) { Save-NewFile -Path ([IO.Path]::Combine($folder, $beside['path'])) -Text $beside['text'] }
            Save-NewFile -Path $file -Text $document['text']
        }
        catch {
            $problem = [IO.IOException]::new("'$file' cannot be written: $($_.Exception.GetBaseException().Message)", $_.Exception)
            $PSCmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $problem -Code 'FileNotWritten' -Category 'WriteError' -Target $file))
        }
        [IO.FileInfo]::new($file)
    }
}

# The absolute path of a document that is to be written; nothing where none is named. One that exists is never overwritten, and naming
# files that make every name as it is have a folder to themselves.
function Resolve-NewDocument {
    param([Management.Automation.PSCmdlet] $Cmdlet, [string] $Path, [switch] $Names)
    if (-not $Path) {
        if (-not $Names) { return }
        $problem = [ArgumentException]::new('-Names writes files beside the document, so it takes -Path.')
        $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $problem -Code 'PathMissing' -Category 'InvalidArgument' -Target $null -Recommendation 'Name a file in a new or empty folder with -Path.'))
    }
    $file = Resolve-FilePath -Cmdlet $Cmdlet -Path $Path
    $folder = [IO.Path]::GetDirectoryName($file)
    if ([IO.File]::Exists($file) -or [IO.Directory]::Exists($file)) {
        $problem = [IO.IOException]::new("'$file' exists already, and is not overwritten.")
        $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $problem -Code 'FileExists' -Category 'ResourceExists' -Target $file -Recommendation 'Name another file with -Path, or delete it first.'))
    }
    if ($Names -and [IO.Directory]::Exists($folder) -and [IO.Directory]::GetFileSystemEntries($folder).Count) {
        $problem = [IO.IOException]::new("The folder '$folder' is not empty, and the names of '_names' would be those of every document in it.")
        $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $problem -Code 'FolderNotEmpty' -Category 'ResourceExists' -Target $folder -Recommendation 'Name a file in a new or empty folder with -Path.'))
    }
    $file
}

# Writes a file that must not be there yet, in UTF-8.
function Save-NewFile {
    param([string] $Path, [string] $Text)
    $null = [IO.Directory]::CreateDirectory([IO.Path]::GetDirectoryName($Path))
    $stream = [IO.File]::Open($Path, [IO.FileMode]::CreateNew, [IO.FileAccess]::Write)
    try {
        $bytes = [Text.UTF8Encoding]::new($false).GetBytes($Text)
        $stream.Write($bytes, 0, $bytes.Length)
    }
    finally { $stream.Dispose() }
}

function Export-SvcTemplate {
    # .EXTERNALHELP SvcDeploy-help.xml
    [CmdletBinding(DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'Low')]
    [OutputType('Svc.Template')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [ValidateNotNullOrEmpty()] [string[]] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [AllowNull()] [object] $SettingsObject,
        [AllowEmptyString()] [string] $Path,
        [switch] $LateBinding,
        [switch] $Stack,
        [Alias('TagSettingFile')] [AllowEmptyString()] [string] $TagSettingsFile,
        [switch] $OmitTags
    )
    # What comes through the pipeline is one template, so it is collected, and written once.
    begin { $request = @{} }
    process {
        try {
            if ($SettingsFile) { $request['settingsFiles'] = @(foreach ($document in $SettingsFile) { Resolve-DocumentPath -Cmdlet $PSCmdlet -Path $document }) }
            if ('Object' -eq $PSCmdlet.ParameterSetName) { Add-SettingsDocument -Cmdlet $PSCmdlet -Request $request -SettingsObject $SettingsObject }
        }
        catch [Management.Automation.PipelineStoppedException] { throw }
        catch { $PSCmdlet.ThrowTerminatingError($_) }
    }
    end {
        try {
            # One document is a template of that document; several of them are one environment.
            foreach ($part in ('settingsFiles', 'settingsFile'), ('settings', 'settings')) {
                $several, $one = $part
                $known = @($request[$several])
                if ($request.ContainsKey($several) -and $known.Count -eq 1 -and -not [IO.Directory]::Exists([string] $known[0])) {
                    $request.Remove($several)
                    $request[$one] = $known[0]
                }
            }
            if ($TagSettingsFile) { $request['tagSettingsFile'] = Resolve-DocumentPath -Cmdlet $PSCmdlet -Path $TagSettingsFile }
            $request['omitTags'] = $OmitTags.IsPresent
            $request['template'] = @{ lateBinding = $LateBinding.IsPresent; stack = $Stack.IsPresent }
            if ($Path) {
                $file = Resolve-FilePath -Cmdlet $PSCmdlet -Path $Path
                # A template that took the place of a document would be the end of that document.
                if (@($request['settingsFile']; $request['settingsFiles']) -contains $file) {
                    $problem = [ArgumentException]::new("'$file' is a document of this template, and is not overwritten.")
                    $PSCmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $problem -Code 'FileExists' -Category 'ResourceExists' -Target $file -Recommendation 'Name another file with -Path.'))
                }
                if (-not (Confirm-Change -Cmdlet $PSCmdlet -Target $file -Action 'Write the template')) { return }
                $request['template']['path'] = $file
            }
        }
        catch [Management.Automation.PipelineStoppedException] { throw }
        catch { $PSCmdlet.ThrowTerminatingError($_) }
        Invoke-Operation -Cmdlet $PSCmdlet -Command 'Export-SvcTemplate' -Request $request
    }
}

# The context is a variable of the runspace's global scope: so it outlives Import-Module -Force, and a nested import and a
# second copy of the module have the same one. Each runspace has its own.
function Get-ContextTable {
    $variable = $ExecutionContext.SessionState.PSVariable.Get("global:$script:ContextVariable")
    if ($null -ne $variable -and $variable.Value -is [hashtable]) { $variable.Value } else { @{} }
}

function Save-ContextTable {
    param([hashtable] $Table)
    Microsoft.PowerShell.Utility\Set-Variable -Name $script:ContextVariable -Value $Table -Scope Global -WhatIf:$false -Confirm:$false
}

# Why an endpoint cannot be used; nothing when it can.
function Get-EndpointProblem {
    param([string] $Text)
    $url = $null
    if (-not [uri]::TryCreate($Text, [UriKind]::Absolute, [ref] $url)) { return "expected a URL, found '$Text'" }
    if ($url.UserInfo) { return 'the URL must not contain a user name or a password' }
    if ('http' -eq $url.Scheme -and -not $url.IsLoopback) { return "'$Text' must begin with https://; http works for loopback addresses only" }
    if ($url.Scheme -notin 'https', 'http') { return "'$Text' must begin with https://" }
    if ($url.Query -or $url.Fragment) { return "'$Text' must not contain a query or a fragment" }
}

# A value as the request carries it. Nothing, and empty text, take the member out.
function ConvertTo-ContextValue {
    param([Management.Automation.PSCmdlet] $Cmdlet, [hashtable] $Member, [object] $Value)
    $text = "$Value".Trim()
    if ('' -eq $text) { return '' }
    $problem = switch ($Member['Kind']) {
        'flag' { if ($text -notin 'true', 'false', '1', '0') { "expected `$true or `$false, found '$text'" } }
        'path' { $text = Resolve-FilePath -Cmdlet $Cmdlet -Path $text }
        'paths' {
            $paths = [Collections.Generic.List[string]]::new()
            foreach ($item in $Value) {
                if ("$item".Trim()) { $paths.Add((Resolve-FilePath -Cmdlet $Cmdlet -Path "$item".Trim())) }
            }
        }
        'folder' {
            $text = Resolve-FilePath -Cmdlet $Cmdlet -Path $text
            if (-not [IO.Directory]::Exists($text)) { "'$text' is not a folder" }
        }
        'cloud' {
            if ($text -match '://') { Get-EndpointProblem -Text $text }
            elseif ($text -notin $script:CloudName) { "'$text' is not valid; use $($script:CloudName -join ', '), or the URL of a Resource Manager endpoint" }
        }
        'endpoint' { Get-EndpointProblem -Text $text }
        'guid' { if ($text -notmatch '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$') { "expected a GUID, found '$text'" } }
        'duration' {
            $iso = 'P([0-9]+D)?(T(?=[0-9])([0-9]+H)?([0-9]+M)?([0-9]+([.][0-9]+)?S)?)?'
            $short = '([0-9]+D)?([0-9]+H)?([0-9]+M)?([0-9]+([.][0-9]+)?S)?'
            if ($text -notmatch "^($iso|$short)`$" -or $text -notmatch '[1-9]') {
                "expected 90s, 45m or 1h30m, or an ISO 8601 duration such as PT45M, found '$text'"
            }
        }
        'tagKey' {
            if ($text.Length -gt 512) { 'a tag key can have at most 512 characters' }
            elseif ($text -match '[<>%&\\?/]') { "'$text' contains a character that tag keys must not have: < > % & \ ? /" }
        }
    }
    if ($problem) {
        $exception = [ArgumentException]::new("-$($Member['Parameter']): $problem.")
        $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $exception -Code 'ContextInvalid' -Category 'InvalidArgument' -Target $Value))
    }
    # The comma keeps PowerShell from unrolling a list of one.
    if ('paths' -eq $Member['Kind']) { return , $paths.ToArray() }
    if ('flag' -eq $Member['Kind']) { $text -in 'true', '1' } else { $text }
}

# Changes what the parameters and the members of the input object name, all of it or nothing.
function Edit-Context {
    param([Management.Automation.PSCmdlet] $Cmdlet, [Collections.IDictionary] $Bound, [object] $InputObject)
    $given = @{}
    if ($InputObject -is [Collections.IDictionary]) { foreach ($name in $InputObject.Keys) { $given["$name"] = $InputObject[$name] } }
    elseif ($null -ne $InputObject) { foreach ($property in $InputObject.PSObject.Properties) { $given[$property.Name] = $property.Value } }
    foreach ($parameter in $script:IgnoredContextParameter) {
        if ($Bound.ContainsKey($parameter)) { Microsoft.PowerShell.Utility\Write-Verbose -Message "-$parameter has no effect; no name or tag depends on it." }
    }
    $changes = [ordered]@{}
    foreach ($member in $script:ContextMember) {
        $parameter = $member['Parameter']
        $isBound = $Bound.ContainsKey($parameter)
        if ($isBound -or $given.ContainsKey($parameter)) {
            $value = if ($isBound) { $Bound[$parameter] } else { $given[$parameter] }
            $changes[$parameter] = @{ Name = $member['Name']; Value = ConvertTo-ContextValue -Cmdlet $Cmdlet -Member $member -Value $value }
        }
    }
    if ($changes.Count -eq 0) {
        if ($null -eq $InputObject) { return }
        $exception = [ArgumentException]::new("The input object has none of the context's properties, such as Cloud or SubscriptionId.")
        $Cmdlet.ThrowTerminatingError((ConvertTo-ErrorRecord -Exception $exception -Code 'ContextInvalid' -Category 'InvalidArgument' -Target $InputObject -Recommendation 'Pipe in what Get-SvcContext returns.'))
    }
    if (-not (Confirm-Change -Cmdlet $Cmdlet -Target $script:ContextTarget -InDryRun -Action "Set $($changes.Keys -join ', ')")) { return }
    $table = (Get-ContextTable).Clone()
    foreach ($change in $changes.Values) {
        # The text stands on the left: on the right it would become a boolean, and $false would be the same as empty.
        if ('' -eq $change['Value']) { $table.Remove($change['Name']) } else { $table[$change['Name']] = $change['Value'] }
    }
    Save-ContextTable -Table $table
}

function Get-ContextObject {
    $table = Get-ContextTable
    $properties = [ordered]@{}
    foreach ($member in $script:ContextMember) { $properties[$member['Parameter']] = $table[$member['Name']] }
    $properties['Sources'] = @(Get-ContextSource)
    $context = [pscustomobject] $properties
    $context.PSObject.TypeNames.Insert(0, 'Svc.Context')
    $context
}

# What a command would use for each member, and where that comes from.
function Get-ContextSource {
    $table = Get-ContextTable
    $passed = Get-PassedEnvironment
    $az = Get-AzSession
    foreach ($member in $script:ContextMember) {
        $name = $member['Name']
        $variable = $member['Variables'] | Microsoft.PowerShell.Core\Where-Object { $passed.ContainsKey($_) -and $passed[$_] } | Microsoft.PowerShell.Utility\Select-Object -First 1
        if ($table.ContainsKey($name)) { $value, $source = $table[$name], 'set' }
        elseif ($variable) { $value, $source = $passed[$variable], "environment variable $variable" }
        elseif ($member['FromAz'] -and $null -ne $az -and $az.ContainsKey($name)) { $value, $source = $az[$name], 'Az context' }
        elseif ($null -ne $member['Default']) { $value, $source = $member['Default'], 'default' }
        else { $value, $source = $null, 'not set' }
        [pscustomobject]@{ PSTypeName = 'Svc.ContextValue'; Name = $member['Parameter']; Value = $value; Source = $source }
    }
}

function Set-SvcContext {
    # .EXTERNALHELP SvcDeploy-help.xml
    [CmdletBinding(SupportsShouldProcess, ConfirmImpact = 'Low', PositionalBinding = $false)]
    [OutputType('Svc.Context')]
    param(
        [ArgumentCompletions('public', 'usgovernment', 'china', 'local')] [string] $Cloud,
        [string] $SubscriptionId,
        [string] $SubscriptionName,
        [string] $TenantId,
        [ArgumentCompletions('development', 'integration', 'test', 'production', 'default')] [string] $Environment,
        [string] $ProjectRoot,
        [string] $ServiceTagKey,
        [string] $ExceptionTagKey,
        [switch] $AllowForeignDeletes,
        [string] $RequestTimeout,
        [string] $OperationTimeout,
        [string] $LocalStateFile,
        [string] $ResourceManagerEndpoint,
        [switch] $Offline,
        [string[]] $PlanReport,
        [string] $ApprovedPlan,
        [switch] $IncludeUnchanged,
        [Parameter(ValueFromPipeline)] [object] $InputObject,
        [switch] $PassThru,
        [Parameter(DontShow)] [object] $BuildId,
        [Parameter(DontShow)] [object] $BuildRepoName,
        [Parameter(DontShow)] [object] $BuildDefinitionName,
        [Parameter(DontShow)] [object] $BuildDefinitionNumber,
        [Parameter(DontShow)] [object] $ProjectConfirmation
    )
    process {
        try { Edit-Context -Cmdlet $PSCmdlet -Bound $PSBoundParameters -InputObject $InputObject }
        catch [Management.Automation.PipelineStoppedException] { throw }
        catch { $PSCmdlet.ThrowTerminatingError($_) }
        if ($PassThru) { Get-ContextObject }
    }
}

function Get-SvcContext {
    # .EXTERNALHELP SvcDeploy-help.xml
    [CmdletBinding()]
    [OutputType('Svc.Context')]
    param()
    process { Get-ContextObject }
}

function Clear-SvcContext {
    # .EXTERNALHELP SvcDeploy-help.xml
    [CmdletBinding(SupportsShouldProcess, ConfirmImpact = 'Low')]
    param()
    process {
        if (Confirm-Change -Cmdlet $PSCmdlet -Target $script:ContextTarget -InDryRun -Action 'Clear') { Save-ContextTable -Table @{} }
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
    'New-SvcDeployment'
    'Export-SvcSettings'
    'Export-SvcTemplate'
    'Set-SvcContext'
    'Get-SvcContext'
    'Clear-SvcContext'
)
