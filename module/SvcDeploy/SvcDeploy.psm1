# Generated from the command registry by 'cargo run -p svc-deploy-module -- generate'; do not edit.

# Windows PowerShell would fail at the first command only, with an error of the compiler. This file has nothing that it cannot read.
if ($PSVersionTable.PSVersion.Major -lt 7) {
    throw "SvcDeploy needs PowerShell 7.4 or later, and this is Windows PowerShell $($PSVersionTable.PSVersion). Install PowerShell 7 (https://aka.ms/powershell) and run the script with 'pwsh'; in Azure Automation give the runbook a runtime environment with PowerShell 7.6."
}
if ('FullLanguage' -ne $ExecutionContext.SessionState.LanguageMode) {
    throw "SvcDeploy calls a native library, which the language mode of this session ($($ExecutionContext.SessionState.LanguageMode)) does not allow. An administrator can allow the signed module, or run it where the mode is FullLanguage."
}
Microsoft.PowerShell.Core\Set-StrictMode -Version 3.0

$script:ModuleVersion = '0.1.0'
$script:AbiVersion = 1

# The preference variable behind each common parameter. A script module does not see those of its caller's scope by itself.
$script:CallerPreference = @{
    WhatIf = 'WhatIfPreference'; Confirm = 'ConfirmPreference'; Verbose = 'VerbosePreference'; Debug = 'DebugPreference'
    WarningAction = 'WarningPreference'; ErrorAction = 'ErrorActionPreference'; InformationAction = 'InformationPreference'; ProgressAction = 'ProgressPreference'
}

# The environment variables that hold a path. A relative one starts where this session stands, which the library does not know.
$script:PathVariable = @('SVC_PROJECT_ROOT', 'SVC_LOCAL_STATE_FILE', 'SVC_PLAN_REPORT', 'SVC_APPROVED_PLAN', 'AZURE_CLIENT_CERTIFICATE_PATH', 'AZURE_FEDERATED_TOKEN_FILE', 'AZURE_CONFIG_DIR', 'SSL_CERT_FILE')

# What PowerShell adds to the objects that come out of a job or another session.
$script:RemotingMember = @('PSComputerName', 'PSShowComputerName', 'PSSourceJobInstanceId', 'RunspaceId')

# What has a form in PowerShell or .NET that no settings document has: ConvertTo-Json would write the parts of the object.
$script:NotPlainData = 'The settings object is not plain data:'
$script:NotPlainType = '^System\.(TimeSpan|Security\.SecureString|Management\.Automation\.ScriptBlock|Xml\.\w+|Text\.Json\..+)$'

# Reads a property as it is: PowerShell itself takes a getter that throws for nothing.
$script:PropertyValue = [Management.Automation.PSPropertyInfo].GetProperty('Value')

# The names of clouds: our own, and those of Az.
$script:CloudName = @('public', 'usgovernment', 'china', 'local', 'AzureCloud', 'AzureUSGovernment', 'AzureChinaCloud')

# The variables of credentials that are there for this run: with one of them the session of Az is not loaded.
$script:OwnCredential = @('AZURE_CLIENT_SECRET', 'AZURE_CLIENT_CERTIFICATE_PATH', 'AZURE_FEDERATED_TOKEN_FILE', 'IDENTITY_ENDPOINT', 'MSI_ENDPOINT')

# The kinds of files that a plan is written to.
$script:PlanExtension = @('.md', '.html', '.json')

# What a question about the context is about.
$script:ContextTarget = 'the context of this session'

# What scripts of the replaced module pass to Set-SvcContext, and nothing uses.
$script:IgnoredContextParameter = @('BuildId', 'BuildRepoName', 'BuildDefinitionName', 'BuildDefinitionNumber', 'ProjectConfirmation', 'ProjectConfigName')

# The members of the context, as the request names them, and where a value comes from that Set-SvcContext has not set.
$script:ContextMember = @(
    @{ Name = 'cloud'; Parameter = 'Cloud'; Kind = 'cloud'; Variables = @('SVC_CLOUD'); FromAz = $true; Guards = $true; Default = 'public' }
    @{ Name = 'subscriptionId'; Parameter = 'SubscriptionId'; Kind = 'guid'; Variables = @('SVC_SUBSCRIPTION_ID', 'AZURE_SUBSCRIPTION_ID'); FromAz = $true; Guards = $true; Default = $null }
    @{ Name = 'subscriptionName'; Parameter = 'SubscriptionName'; Kind = 'text'; Variables = @('SVC_SUBSCRIPTION_NAME'); FromAz = $false; Guards = $true; Default = $null }
    @{ Name = 'tenantId'; Parameter = 'TenantId'; Kind = 'guid'; Variables = @('SVC_TENANT_ID', 'AZURE_TENANT_ID'); FromAz = $true; Guards = $false; Default = $null }
    @{ Name = 'environment'; Parameter = 'Environment'; Kind = 'text'; Variables = @('SVC_ENVIRONMENT'); FromAz = $false; Guards = $false; Default = 'development' }
    @{ Name = 'projectRoot'; Parameter = 'ProjectRoot'; Kind = 'folder'; Variables = @('SVC_PROJECT_ROOT'); FromAz = $false; Guards = $false; Default = $null }
    @{ Name = 'serviceTagKey'; Parameter = 'ServiceTagKey'; Kind = 'tagKey'; Variables = @('SVC_SERVICE_TAG_KEY'); FromAz = $false; Guards = $false; Default = 'svc-service' }
    @{ Name = 'exceptionTagKey'; Parameter = 'ExceptionTagKey'; Kind = 'tagKey'; Variables = @('SVC_EXCEPTION_TAG_KEY'); FromAz = $false; Guards = $false; Default = 'svc-monitor-exception' }
    @{ Name = 'environmentTagKey'; Parameter = 'EnvironmentTagKey'; Kind = 'tagKey'; Variables = @('SVC_ENVIRONMENT_TAG_KEY'); FromAz = $false; Guards = $true; Default = $null }
    @{ Name = 'enforceDefaults'; Parameter = 'EnforceDefaults'; Kind = 'flag'; Variables = @('SVC_ENFORCE_DEFAULTS'); FromAz = $false; Guards = $true; Default = 'false' }
    @{ Name = 'allowForeignDeletes'; Parameter = 'AllowForeignDeletes'; Kind = 'flag'; Variables = @('SVC_ALLOW_FOREIGN_DELETES'); FromAz = $false; Guards = $true; Default = 'false' }
    @{ Name = 'requestTimeout'; Parameter = 'RequestTimeout'; Kind = 'duration'; Variables = @('SVC_REQUEST_TIMEOUT'); FromAz = $false; Guards = $false; Default = '90s' }
    @{ Name = 'operationTimeout'; Parameter = 'OperationTimeout'; Kind = 'duration'; Variables = @('SVC_OPERATION_TIMEOUT'); FromAz = $false; Guards = $false; Default = $null }
    @{ Name = 'localStateFile'; Parameter = 'LocalStateFile'; Kind = 'path'; Variables = @('SVC_LOCAL_STATE_FILE'); FromAz = $false; Guards = $false; Default = $null }
    @{ Name = 'resourceManagerEndpoint'; Parameter = 'ResourceManagerEndpoint'; Kind = 'endpoint'; Variables = @('SVC_RESOURCE_MANAGER_ENDPOINT'); FromAz = $false; Guards = $false; Default = $null }
    @{ Name = 'offline'; Parameter = 'Offline'; Kind = 'flag'; Variables = @('SVC_OFFLINE'); FromAz = $false; Guards = $true; Default = 'false' }
    @{ Name = 'planReport'; Parameter = 'PlanReport'; Kind = 'paths'; Variables = @('SVC_PLAN_REPORT'); FromAz = $false; Guards = $true; Default = $null }
    @{ Name = 'approvedPlan'; Parameter = 'ApprovedPlan'; Kind = 'path'; Variables = @('SVC_APPROVED_PLAN'); FromAz = $false; Guards = $true; Default = $null }
    @{ Name = 'includeUnchanged'; Parameter = 'IncludeUnchanged'; Kind = 'flag'; Variables = @('SVC_INCLUDE_UNCHANGED'); FromAz = $false; Guards = $false; Default = 'false' }
    @{ Name = 'rehearse'; Parameter = 'Rehearse'; Kind = 'duration'; Variables = @('SVC_REHEARSE'); FromAz = $false; Guards = $false; Default = $null }
    @{ Name = 'rehearseAll'; Parameter = 'RehearseAll'; Kind = 'flag'; Variables = @('SVC_REHEARSE_ALL'); FromAz = $false; Guards = $false; Default = 'false' }
    @{ Name = 'rehearseFor'; Parameter = 'RehearseFor'; Kind = 'duration'; Variables = @('SVC_REHEARSE_FOR'); FromAz = $false; Guards = $false; Default = $null }
    @{ Name = 'maxAlerts'; Parameter = 'MaxAlerts'; Kind = 'number'; Variables = @('SVC_MAX_ALERTS'); FromAz = $false; Guards = $true; Default = $null }
    @{ Name = 'only'; Parameter = 'Only'; Kind = 'texts'; Variables = @('SVC_ONLY'); FromAz = $false; Guards = $true; Default = $null }
    @{ Name = 'except'; Parameter = 'Except'; Kind = 'texts'; Variables = @('SVC_EXCEPT'); FromAz = $false; Guards = $true; Default = $null }
    @{ Name = 'prune'; Parameter = 'Prune'; Kind = 'flag'; Variables = @('SVC_PRUNE'); FromAz = $false; Guards = $true; Default = 'false' }
    @{ Name = 'noDelete'; Parameter = 'NoDelete'; Kind = 'flag'; Variables = @('SVC_NO_DELETE'); FromAz = $false; Guards = $true; Default = 'false' }
    @{ Name = 'maxChanges'; Parameter = 'MaxChanges'; Kind = 'number'; Variables = @('SVC_MAX_CHANGES'); FromAz = $false; Guards = $true; Default = $null }
    @{ Name = 'maxDeletes'; Parameter = 'MaxDeletes'; Kind = 'number'; Variables = @('SVC_MAX_DELETES'); FromAz = $false; Guards = $true; Default = $null }
    @{ Name = 'checkPolicies'; Parameter = 'CheckPolicies'; Kind = 'flag'; Variables = @('SVC_CHECK_POLICIES'); FromAz = $false; Guards = $true; Default = 'false' }
    @{ Name = 'changeReference'; Parameter = 'ChangeReference'; Kind = 'text'; Variables = @('SVC_CHANGE_REFERENCE'); FromAz = $false; Guards = $false; Default = $null }
)

function Get-SvcModuleLibraryPath {
    $system = if ($IsWindows) { 'win' } elseif ($IsMacOS) { 'osx' } else { 'linux' }
    $file = if ($IsWindows) { 'svc_deploy.dll' } elseif ($IsMacOS) { 'libsvc_deploy.dylib' } else { 'libsvc_deploy.so' }
    $architecture = "$([Runtime.InteropServices.RuntimeInformation]::ProcessArchitecture)".ToLowerInvariant()
    [IO.Path]::Combine($PSScriptRoot, 'runtimes', "$system-$architecture", 'native', $file)
}

# Packages carry the bindings compiled; a source checkout does not.
function Import-SvcModuleCompiledBinding {
    $path = [IO.Path]::Combine($PSScriptRoot, 'SvcDeploy.Interop.dll')
    if (-not ('SvcDeploy.Native' -as [type]) -and [IO.File]::Exists($path)) { [void] [Reflection.Assembly]::LoadFrom($path) }
}

# Loads the library when the first command runs: importing the module, help and completion work where it cannot be loaded.
function Initialize-SvcModuleLibrary {
    $path = Get-SvcModuleLibraryPath
    try {
        Import-SvcModuleCompiledBinding
        if (-not ('SvcDeploy.Native' -as [type])) {
            Microsoft.PowerShell.Utility\Add-Type -LiteralPath ([IO.Path]::Combine($PSScriptRoot, 'Interop.cs'))
        }
        [SvcDeploy.Native]::Load($path)
        $abiVersion = [SvcDeploy.Native]::svc_abi_version()
    }
    catch {
        Exit-SvcModuleCommand -Record (ConvertTo-SvcModuleErrorRecord -Exception ([DllNotFoundException]::new("The native library cannot be loaded from '$path'. $($_.Exception.GetBaseException().Message)", $_.Exception)) -Code 'LibraryLoadFailed' -Category 'NotInstalled' -Target $path)
    }
    # Neither types nor the library can be unloaded, so a session that used another version of the module keeps that one's.
    $loadedVersion = [SvcDeploy.Native]::ModuleVersion
    if ($abiVersion -ne $script:AbiVersion -or $loadedVersion -ne $script:ModuleVersion) {
        Exit-SvcModuleCommand -Record (ConvertTo-SvcModuleErrorRecord -Exception ([InvalidOperationException]::new("This session has loaded the library of SvcDeploy $loadedVersion with ABI version $abiVersion; SvcDeploy $script:ModuleVersion needs its own with ABI version $script:AbiVersion.")) -Code 'LibraryVersionMismatch' -Category 'InvalidOperation' -Target $path -Recommendation 'Start a new session.')
    }
}

# A script's 'catch [SvcDeploy.DeploymentException]' needs the type before the first command, which tells what keeps it from loading.
try { Import-SvcModuleCompiledBinding }
catch { Microsoft.PowerShell.Utility\Write-Verbose -Message "The bindings cannot be loaded yet: $($_.Exception.Message)" }

function ConvertTo-SvcModuleErrorRecord {
    param([Exception] $Exception, [string] $Code, [Management.Automation.ErrorCategory] $Category, [object] $Target, [string] $Recommendation)
    $record = [Management.Automation.ErrorRecord]::new($Exception, $Code, $Category, $Target)
    if ($Recommendation) {
        $record.ErrorDetails = [Management.Automation.ErrorDetails]::new($Exception.Message)
        $record.ErrorDetails.RecommendedAction = $Recommendation
    }
    $record
}

# Ends the command with an error. The function that the user has called throws it, as its last statement: thrown here, a transcript would
# have a record for each function on the way. `$ending` is a variable of that function, and the label is on the way to it.
function Exit-SvcModuleCommand {
    param([Management.Automation.ErrorRecord] $Record)
    $ending['Record'] = $Record
    break 'SvcModule'
}

# Calls a function that may end the command. So does what fails in it: outside of try a method that throws ends its statement only.
function Invoke-SvcModuleGuarded {
    param([string] $Function, [hashtable] $Arguments)
    :SvcModule do {
        try { & $Function @Arguments }
        catch [Management.Automation.PipelineStoppedException], [Management.Automation.ActionPreferenceStopException] { throw }
        catch { $ending['Record'] = $_ }
    } while ($false)
}

# Ends the command because of something that it was given.
function Deny-SvcModuleArgument {
    param([string] $Code, [string] $Message, [object] $Target, [string] $Recommendation)
    Exit-SvcModuleCommand -Record (ConvertTo-SvcModuleErrorRecord -Exception ([ArgumentException]::new($Message)) -Code $Code -Category 'InvalidArgument' -Target $Target -Recommendation $Recommendation)
}

# The library knows neither the location of this session nor its drives, so it gets absolute paths of the file system.
function Resolve-SvcModuleFilePath {
    param([Management.Automation.PSCmdlet] $Cmdlet, [string] $Path)
    # PowerShell would look for it below the current location.
    if (-not $IsWindows -and $Path -match '^([^\\/]+::)?\\\\') {
        Deny-SvcModuleArgument -Code 'NotAFilePath' -Message "'$Path' is a UNC path, which works on Windows only. Mount the share and use the path of the mount." -Target $Path
    }
    $provider, $drive = $null, $null
    try { $resolved = $Cmdlet.SessionState.Path.GetUnresolvedProviderPathFromPSPath($Path, [ref] $provider, [ref] $drive) }
    catch { Deny-SvcModuleArgument -Code 'NotAFilePath' -Message "'$Path' is not a path: $($_.Exception.GetBaseException().Message)" -Target $Path }
    if ('FileSystem' -ne $provider.Name) {
        Deny-SvcModuleArgument -Code 'NotAFilePath' -Message "'$Path' is a path of the $($provider.Name) provider; expected a file." -Target $Path
    }
    $resolved
}

# A document: a relative path that is not there is tried from the root of the project.
function Resolve-SvcModuleDocumentPath {
    param([Management.Automation.PSCmdlet] $Cmdlet, [string] $Path)
    $resolved = Resolve-SvcModuleFilePath -Cmdlet $Cmdlet -Path $Path
    $drive = $null
    if ([IO.Path]::IsPathRooted($Path) -or $Cmdlet.SessionState.Path.IsPSAbsolute($Path, [ref] $drive) -or [IO.File]::Exists($resolved) -or [IO.Directory]::Exists($resolved)) { return $resolved }
    $root = (Get-SvcModuleContextTable)['projectRoot']
    if (-not $root) {
        $passed = Get-SvcModulePassedEnvironment
        if ($passed.ContainsKey('SVC_PROJECT_ROOT')) { $root = $passed['SVC_PROJECT_ROOT'] }
    }
    if (-not $root) { return $resolved }
    $below = [IO.Path]::GetFullPath($Path, $root)
    if ([IO.File]::Exists($below) -or [IO.Directory]::Exists($below)) { $below } else { $resolved }
}

# Documents by a pattern, where no file has that name: those that the folder would take, in the order of their names.
function Resolve-SvcModuleDocumentPattern {
    param([Management.Automation.PSCmdlet] $Cmdlet, [string] $Path)
    $literal = Resolve-SvcModuleDocumentPath -Cmdlet $Cmdlet -Path $Path
    if (-not [Management.Automation.WildcardPattern]::ContainsWildcardCharacters($Path) -or [IO.File]::Exists($literal) -or [IO.Directory]::Exists($literal)) { return $literal }
    $provider, $found = $null, @()
    try { $found = @($Cmdlet.SessionState.Path.GetResolvedProviderPathFromPSPath($Path, [ref] $provider) | Microsoft.PowerShell.Core\Where-Object { [IO.Path]::GetFileName($_) -notmatch '^[_.]' } | Microsoft.PowerShell.Utility\Sort-Object) }
    catch [Management.Automation.ItemNotFoundException] { $found = @() }
    if (0 -eq $found.Count) { Deny-SvcModuleArgument -Code 'SettingsFileNotFound' -Message "No settings file matches '$Path'." -Target $Path }
    $found
}

# Get-ChildItem hands folders over with the files; like Get-Content, a command says so and goes on with the next item.
function Write-SvcModuleFolderError {
    param([Management.Automation.PSCmdlet] $Cmdlet, [IO.DirectoryInfo] $Folder)
    # Nothing has taken over the caller's preferences yet.
    if (-not $Cmdlet.MyInvocation.BoundParameters.ContainsKey('ErrorAction')) {
        $ExecutionContext.SessionState.PSVariable.Set('ErrorActionPreference', $Cmdlet.GetVariableValue('ErrorActionPreference'))
    }
    $Cmdlet.WriteError((ConvertTo-SvcModuleErrorRecord -Exception ([ArgumentException]::new("'$($Folder.FullName)' is a folder; expected a settings file.")) -Code 'SettingsFileIsFolder' -Category 'InvalidArgument' -Target $Folder -Recommendation 'Use Get-ChildItem -File to leave folders out.'))
}

# What every command takes beside its documents. Scripts of the replaced module pass $true or $false after the switch.
function Add-SvcModuleTagOption {
    param([Management.Automation.PSCmdlet] $Cmdlet, [Collections.IDictionary] $Bound, [hashtable] $Request)
    if ($Bound['TagSettingsFile']) { $Request['tagSettingsFile'] = Resolve-SvcModuleDocumentPath -Cmdlet $Cmdlet -Path $Bound['TagSettingsFile'] }
    if ($Bound.ContainsKey('OmitTags')) { $Request['omitTags'] = $Bound['OmitTags'].IsPresent -and (-not $Bound.ContainsKey('LegacyBoolean') -or $Bound['LegacyBoolean']) }
}

# The parameter that takes this value. It exists only behind the switch: so neither help nor completion has it, and whatever else
# stands there is refused in PowerShell's own words.
function Get-SvcModuleLegacyBoolean {
    $attributes = [Collections.ObjectModel.Collection[Attribute]]::new()
    $attributes.Add([Management.Automation.ParameterAttribute] @{ Position = 1 })
    $parameters = [Management.Automation.RuntimeDefinedParameterDictionary]::new()
    $parameters.Add('LegacyBoolean', [Management.Automation.RuntimeDefinedParameter]::new('LegacyBoolean', [bool], $attributes))
    $parameters
}

# An object of settings. A FileInfo of the pipeline, or what Resolve-Path returns, is a settings file; a string is neither.
function Add-SvcModuleSettingsObject {
    param([Management.Automation.PSCmdlet] $Cmdlet, [hashtable] $Request, [object] $SettingsObject)
    if ($SettingsObject -is [IO.FileSystemInfo]) { $Request['settingsFile'] = $SettingsObject.FullName }
    elseif ($SettingsObject -is [Management.Automation.PathInfo]) { $Request['settingsFile'] = Resolve-SvcModuleFilePath -Cmdlet $Cmdlet -Path $SettingsObject.Path }
    elseif ($null -eq $SettingsObject) {
        Deny-SvcModuleArgument -Code 'SettingsObjectNotPlainData' -Message '-SettingsObject takes objects such as hashtables, not $null.'
    }
    elseif ($SettingsObject -is [string] -or $SettingsObject -is [ValueType]) {
        Deny-SvcModuleArgument -Code 'SettingsObjectNotPlainData' -Message '-SettingsObject takes an object such as a hashtable, not text.' -Target $SettingsObject -Recommendation 'Pass a path with -SettingsFile, or convert the text first (ConvertFrom-Json).'
    }
    else {
        $copies = [Collections.Generic.Dictionary[object, object]]::new([Collections.Generic.ReferenceEqualityComparer]::Instance)
        try { $Request['settings'] = ConvertTo-SvcModulePlainData -Value $SettingsObject -Place '' -Depth 0 -Copies $copies }
        catch { Deny-SvcModuleArgument -Code 'SettingsObjectNotPlainData' -Message "$script:NotPlainData $($_.Exception.Message)" }
        $Request['baseDirectory'] = $Cmdlet.SessionState.Path.CurrentFileSystemLocation.ProviderPath
    }
}

# The path of an object that names a document, as 'Select-Object PSPath' and Import-Csv make them; no settings have such keys.
function Get-SvcModuleNamedPath {
    param([object] $Item)
    if ($Item -isnot [Management.Automation.PSCustomObject]) { return }
    foreach ($name in 'PSPath', 'Path', 'SettingsFile') {
        $property = $Item.PSObject.Properties[$name]
        if ($null -ne $property -and $property.Value -is [string] -and $property.Value) { return $property.Value }
    }
}

# Documents of a deployment: objects in one list, files and folders in the other.
function Add-SvcModuleSettingsDocument {
    param([Management.Automation.PSCmdlet] $Cmdlet, [hashtable] $Request, [object] $SettingsObject)
    if ($SettingsObject -is [Collections.IList]) {
        foreach ($item in $SettingsObject) { Add-SvcModuleSettingsDocument -Cmdlet $Cmdlet -Request $Request -SettingsObject $item }
        return
    }
    $path = Get-SvcModuleNamedPath -Item $SettingsObject
    $given = if ($path) { [IO.FileInfo] (Resolve-SvcModuleDocumentPath -Cmdlet $Cmdlet -Path $path) } else { $SettingsObject }
    # Get-ChildItem and Resolve-Path hand over _names, _tags, .git and drafts with the documents; in a folder they are none either.
    $isPath = $given -is [IO.FileSystemInfo] -or $given -is [Management.Automation.PathInfo]
    if ($isPath -and [IO.Path]::GetFileName([IO.Path]::TrimEndingDirectorySeparator("$given")) -match '^[_.]') { return }
    $document = @{}
    Add-SvcModuleSettingsObject -Cmdlet $Cmdlet -Request $document -SettingsObject $given
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
# what a job has put on its results, and take for ever with an object that holds itself. What several settings share is copied once.
function ConvertTo-SvcModulePlainData {
    param([object] $Value, [string] $Place, [int] $Depth, [Collections.IDictionary] $Copies)
    if ($null -eq $Value -or $Value -is [DBNull]) { return $null }
    $base = $Value.PSObject.BaseObject
    if ($base -is [switch]) { return $base.IsPresent }
    if ($base -is [uri] -or $base -is [version] -or $base -is [Net.IPAddress]) { return "$base" }
    $type = $base.GetType()
    if ($type.FullName -match $script:NotPlainType) { Deny-SvcModuleArgument -Code 'SettingsObjectNotPlainData' -Message "$script:NotPlainData $(if ($Place) { "'$Place'" } else { 'it' }) is a $($type.Name), which settings cannot hold; write the value as text." }
    # Without what a job has put on it.
    if ($base -is [string] -or $base -is [ValueType]) { return $base }
    # A switch that comes out of a job.
    if ('Deserialized.System.Management.Automation.SwitchParameter' -eq $Value.PSObject.TypeNames[0]) { return [bool] $Value.IsPresent }
    $copy = $null
    if ($Copies.TryGetValue($Value, [ref] $copy)) {
        if ($null -eq $copy) { Deny-SvcModuleArgument -Code 'SettingsObjectNotPlainData' -Message "$script:NotPlainData '$Place' holds itself." }
        return , $copy
    }
    # The request around the settings is a level, too, and ConvertTo-Json writes 100.
    if ($Depth -gt 98) { Deny-SvcModuleArgument -Code 'SettingsObjectNotPlainData' -Message "$script:NotPlainData '$Place' is nested more than 98 levels deep." }
    $Copies.Add($Value, $null)
    if ($base -is [Collections.IEnumerable] -and $base -isnot [Collections.IDictionary]) {
        $list = [Collections.Generic.List[object]]::new()
        foreach ($item in $Value) { $list.Add((ConvertTo-SvcModulePlainData -Value $item -Place "$Place[$($list.Count)]" -Depth ($Depth + 1) -Copies $Copies)) }
        $copy = $list.ToArray()
    }
    else {
        $copy = [Collections.Specialized.OrderedDictionary]::new([StringComparer]::Ordinal)
        $isTable = $base -is [Collections.IDictionary]
        $entries = if ($isTable) { $base.GetEnumerator() } else { $Value.PSObject.Properties }
        foreach ($entry in $entries) {
            $name = if ($isTable) { "$($entry.Key)" } else { $entry.Name }
            if (-not $isTable -and $script:RemotingMember -contains $name) { continue }
            $below = if ($Place) { "$Place.$name" } else { $name }
            if ($copy.Contains($name)) { Deny-SvcModuleArgument -Code 'SettingsObjectNotPlainData' -Message "$script:NotPlainData two keys are '$below' as text." }
            # A getter that throws is nothing for PowerShell, and the setting would be left out without a word.
            if ($isTable) { $item = $entry.Value }
            else {
                try { $item = $script:PropertyValue.GetValue($entry) }
                catch { Deny-SvcModuleArgument -Code 'SettingsObjectNotPlainData' -Message "$script:NotPlainData '$below' cannot be read: $($_.Exception.GetBaseException().Message)" }
            }
            $copy[$name] = ConvertTo-SvcModulePlainData -Value $item -Place $below -Depth ($Depth + 1) -Copies $Copies
        }
    }
    $Copies[$Value] = $copy
    # The comma keeps PowerShell from unrolling a list of one.
    return , $copy
}

function ConvertTo-SvcModuleRequestJson {
    param([hashtable] $Request)
    try { Microsoft.PowerShell.Utility\ConvertTo-Json -InputObject $Request -Depth 100 -EnumsAsStrings -Compress -WarningAction Stop -ErrorAction Stop }
    catch { Deny-SvcModuleArgument -Code 'SettingsObjectNotPlainData' -Message "The settings object cannot be written as JSON: $($_.Exception.Message)" }
}

# The document of a command: a file, or an object of the pipeline.
function Add-SvcModuleDocument {
    param([Management.Automation.PSCmdlet] $Cmdlet, [Collections.IDictionary] $Bound, [hashtable] $Request)
    if ($Bound.ContainsKey('SettingsFile')) { $Request['settingsFile'] = Resolve-SvcModuleDocumentPath -Cmdlet $Cmdlet -Path $Bound['SettingsFile'] }
    elseif ($Bound['SettingsObject'] -is [IO.DirectoryInfo]) {
        Write-SvcModuleFolderError -Cmdlet $Cmdlet -Folder $Bound['SettingsObject']
        $ending['IsSkipped'] = $true
        return
    }
    else { Add-SvcModuleSettingsObject -Cmdlet $Cmdlet -Request $Request -SettingsObject $Bound['SettingsObject'] }
    if ($Request.ContainsKey('settingsFile') -and [IO.Directory]::Exists($Request['settingsFile'])) {
        Deny-SvcModuleArgument -Code 'SettingsFileIsFolder' -Message "'$($Request['settingsFile'])' is a folder; expected a settings file." -Target $Request['settingsFile'] -Recommendation 'New-SvcDeployment takes the documents of a folder.'
    }
    Add-SvcModuleTagOption -Cmdlet $Cmdlet -Bound $Bound -Request $Request
}

# One run of a command for one document.
function Invoke-SvcModuleDocumentCommand {
    param([Management.Automation.PSCmdlet] $Cmdlet, [string] $Command, [Collections.IDictionary] $Bound)
    $request = @{}
    Invoke-SvcModuleGuarded -Function 'Add-SvcModuleDocument' -Arguments @{ Cmdlet = $Cmdlet; Bound = $Bound; Request = $request }
    Invoke-SvcModuleOperation -Cmdlet $Cmdlet -Command $Command -Request $request
}

# Documents of one run, as files or out of the pipeline: an environment, or a template.
function Add-SvcModuleBoundDocument {
    param([Management.Automation.PSCmdlet] $Cmdlet, [Collections.IDictionary] $Bound, [hashtable] $Request)
    if ($Bound.ContainsKey('SettingsFile')) { $Request['settingsFiles'] = @(foreach ($item in $Bound['SettingsFile']) { Resolve-SvcModuleDocumentPattern -Cmdlet $Cmdlet -Path $item }) }
    # An object may be empty, so the set tells whether it was given.
    if ('Object' -eq $Cmdlet.ParameterSetName) { Add-SvcModuleSettingsDocument -Cmdlet $Cmdlet -Request $Request -SettingsObject $Bound['SettingsObject'] }
}

# Handed to the library by value: on Linux and macOS native code does not see what $env: sets in this session, and a document may name any of
# them. The table tells names apart by case: on Linux http_proxy and HTTP_PROXY are two variables.
function Get-SvcModulePassedEnvironment {
    $location = $ExecutionContext.SessionState.Path.CurrentFileSystemLocation.ProviderPath
    $passed = [Collections.Generic.Dictionary[string, string]]::new([StringComparer]::Ordinal)
    foreach ($entry in [Environment]::GetEnvironmentVariables().GetEnumerator()) {
        $value = $entry.Value
        if ($value -and $script:PathVariable -contains $entry.Key) {
            if ($value -match '^~($|[\\/])') { $value = "$HOME$($value.Substring(1))" }
            $value = [IO.Path]::GetFullPath($value, $location)
        }
        $passed[$entry.Key] = $value
    }
    $passed
}

# Az.Accounts where it is loaded, also inside another module. Where it is not, as in a new session and in each parallel runspace, it is
# loaded for the context that Connect-AzAccount has saved, as the replaced module required it; but not for a cloud on this machine, and
# not where the environment has a credential of its own.
function Get-SvcModuleAzModule {
    param([hashtable] $Context, [Collections.IDictionary] $Passed)
    $find = { Microsoft.PowerShell.Core\Get-Module -Name 'Az.Accounts' -All | Microsoft.PowerShell.Utility\Select-Object -First 1 }
    $module = & $find
    if ($null -ne $module -or $null -eq $Passed) { return $module }
    foreach ($name in 'cloud', 'resourceManagerEndpoint') {
        $variable = ($script:ContextMember | Microsoft.PowerShell.Core\Where-Object { $name -eq $_['Name'] })['Variables'][0]
        $place = if ($Context.ContainsKey($name)) { $Context[$name] } elseif ($Passed.ContainsKey($variable)) { $Passed[$variable] } else { '' }
        $url = $null
        if ('local' -eq $place -or ([uri]::TryCreate($place, [UriKind]::Absolute, [ref] $url) -and $url.IsLoopback)) { return }
    }
    $own = $Passed.Keys | Microsoft.PowerShell.Core\Where-Object { $Passed[$_] -and $_ -in $script:OwnCredential }
    $choice = if ($Passed.ContainsKey('AZURE_TOKEN_CREDENTIALS')) { $Passed['AZURE_TOKEN_CREDENTIALS'] } else { '' }
    if ($own -or $choice -notin '', 'dev', 'AzurePowerShellCredential') { return }
    if (-not [IO.File]::Exists([IO.Path]::Combine($HOME, '.Azure', 'AzureRmContext.json'))) { return }
    try { $null = Microsoft.PowerShell.Core\Import-Module -Name 'Az.Accounts' -Global -PassThru -Verbose:$false -ErrorAction Stop }
    catch [Management.Automation.PipelineStoppedException] { throw }
    catch { Microsoft.PowerShell.Utility\Write-Verbose -Message "Az.Accounts has a saved context and cannot be loaded: $($_.Exception.Message)" }
    & $find
}

# The session's own Az context: what the request has of it, the account, and why there is no token of it. Where it cannot be used the
# request has an empty one: the library asks, is told why, and takes its next credential. Az commands run inside their module, which may be
# nested in another one. What else they write is passed over, and a 'break' in them ends the loop here and not one of the caller.
function Get-SvcModuleAzSession {
    param([hashtable] $Context, [Collections.IDictionary] $Passed)
    $az = Get-SvcModuleAzModule -Context $Context -Passed $Passed
    if ($null -eq $az) { return @{} }
    $session = @{}
    $account = $null
    $problem = 'Get-AzContext ended without an answer'
    do {
        try {
            $current = & $az { Get-AzContext -ErrorAction Stop } | Microsoft.PowerShell.Core\Where-Object { $null -ne $_.PSObject.Properties['Account'] -and $_.Account } | Microsoft.PowerShell.Utility\Select-Object -Last 1
            $problem = 'nobody is signed in; run Connect-AzAccount'
            if ($null -eq $current) { break }
            # An account without subscriptions has a context with a tenant only.
            if ($null -ne $current.Subscription) { $session['subscriptionId'] = $current.Subscription.Id }
            if ($null -ne $current.Tenant) { $session['tenantId'] = $current.Tenant.Id }
            if ($null -ne $current.Environment) {
                $session['cloud'] = $current.Environment.Name
                $session['resourceManagerEndpoint'] = $current.Environment.ResourceManagerUrl
            }
            $account = "$($current.Account.Id)"
            $problem = ''
        }
        catch [Management.Automation.PipelineStoppedException] { throw }
        catch { $problem = "its context cannot be read: $($_.Exception.Message)" }
    } while ($false)
    if ($problem) { Microsoft.PowerShell.Utility\Write-Verbose -Message "The Az session is not used: $problem." }
    @{ session = if ($problem) { @{} } else { $session }; account = $account; problem = $problem }
}

# Az.Accounts 5 gives the token as a SecureString, earlier versions as text.
function Get-SvcModuleAzSessionToken {
    param([hashtable] $Message, [string] $Unusable)
    $problem = $Unusable
    if (-not $problem) {
        $problem = 'Get-AzAccessToken ended without an answer'
        $parameters = @{ ResourceUrl = $Message['resource']; ErrorAction = 'Stop' }
        if ($Message['tenantId']) { $parameters['TenantId'] = $Message['tenantId'] }
        do {
            try {
                $answer = & (Get-SvcModuleAzModule) { param([hashtable] $Given) Get-AzAccessToken @Given } $parameters | Microsoft.PowerShell.Core\Where-Object { $null -ne $_.PSObject.Properties['Token'] } | Microsoft.PowerShell.Utility\Select-Object -Last 1
                $problem = 'Get-AzAccessToken returned no token'
                if ($null -eq $answer) { break }
                $text = if ($answer.Token -is [securestring]) { Microsoft.PowerShell.Security\ConvertFrom-SecureString -SecureString $answer.Token -AsPlainText } else { "$($answer.Token)" }
                # What no header of a request can carry is no token.
                if ('' -eq $text.Trim() -or $text -match '[^\x20-\x7e]') { break }
                return @{ id = $Message['id']; token = $text; expiresOn = ([DateTimeOffset] $answer.ExpiresOn).ToUnixTimeSeconds() }
            }
            catch [Management.Automation.PipelineStoppedException] { throw }
            catch { $problem = $_.Exception.Message }
        } while ($false)
    }
    @{ id = $Message['id']; error = $problem }
}

# Runs one command of the library to its end on the caller's cmdlet: every record, prompt and object is the caller's own.
# The command is named by the generator, not taken from the cmdlet: Import-Module -Prefix renames that one.
function Invoke-SvcModuleOperation {
    param([Management.Automation.PSCmdlet] $Cmdlet, [string] $Command, [hashtable] $Request, [hashtable] $Own)
    if ($ending.Count) { return }
    $operation = $null
    # What fails before the operation starts ends the command: what was meant as a dry run would deploy.
    :SvcModule do {
        try {
            # Everything that is called from here sees these, ShouldProcess too. They are not set in the functions that support it,
            # because there they are typed, and $WhatIfPreference = 1 would be an error.
            foreach ($parameter in $script:CallerPreference.Keys) {
                if (-not $Cmdlet.MyInvocation.BoundParameters.ContainsKey($parameter)) {
                    $name = $script:CallerPreference[$parameter]
                    $ExecutionContext.SessionState.PSVariable.Set($name, $Cmdlet.GetVariableValue($name))
                }
            }
            Initialize-SvcModuleLibrary
            $Request['whatIf'] = [bool] $WhatIfPreference
            $Request['context'] = (Get-SvcModuleContextTable).Clone()
            if ($Own) { foreach ($member in $Own.Keys) { $Request['context'][$member] = $Own[$member] } }
            $Request['environment'] = Get-SvcModulePassedEnvironment
            $az = Get-SvcModuleAzSession -Context $Request['context'] -Passed $Request['environment']
            $Request['azSession'] = $az['session']
            $json = ConvertTo-SvcModuleRequestJson -Request $Request
            $operation = [SvcDeploy.Operation]::new($Command, $json)
        }
        catch [Management.Automation.PipelineStoppedException], [Management.Automation.ActionPreferenceStopException] { throw }
        catch { $ending['Record'] = $_ }
    } while ($false)
    if ($null -eq $operation) { return }
    $finished = $delivering = $continued = $false
    try {
        :SvcModule while (-not $finished) {
            # A 'continue' of the next command has come to this loop, which is not the one that it means; a 'break' has left it.
            if ($delivering) { $continued = $true; break }
            $text = $null
            try { $poll = $operation.Next(100, [ref] $text) }
            catch [Management.Automation.PipelineStoppedException] { throw }
            catch { Exit-SvcModuleBrokenOperation -Problem $_.Exception }
            if ('Message' -eq $poll) {
                $objects = Receive-SvcModuleMessage -Cmdlet $Cmdlet -Operation $operation -AzProblem $az['problem'] -Message (Microsoft.PowerShell.Utility\ConvertFrom-Json -InputObject $text -AsHashtable)
                $delivering = $true
                $objects
                $delivering = $false
            }
            $finished = 'Finished' -eq $poll
        }
    }
    finally {
        # Reached before the end by Ctrl+C, Select-Object -First, or an error that ends the command.
        if (-not $finished) { Close-SvcModuleOperation -Cmdlet $Cmdlet -Operation $operation }
        $operation.Dispose()
    }
    if ($ending.Count) { return }
    # Handed on, outside of every loop of this module, to the loop of the caller.
    if ($continued) { continue }
    if (-not $finished) { break }
}

# Outside of try a call that the library refuses would end its statement only, and the loop would wait for ever. It is a defect.
function Exit-SvcModuleBrokenOperation {
    param([Exception] $Problem)
    Exit-SvcModuleCommand -Record (ConvertTo-SvcModuleErrorRecord -Exception $Problem.GetBaseException() -Code 'LibraryCallFailed' -Category 'InvalidOperation' -Target $null -Recommendation 'Run the command again: completed changes are skipped. Report the error if it comes back.')
}

# A stopping pipeline takes no more records, so what is still going on in Azure is told on the host. The library says it and
# ends within two seconds; it is the last of what may be many messages, so time is counted, not messages.
function Close-SvcModuleOperation {
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
            if ('warning' -eq $message['event']) { $Cmdlet.Host.UI.WriteWarningLine(([SvcDeploy.ShownText]::Of($message['message']))) }
        }
    }
}

# Does what a message of the library asks for. Objects go down the pipeline as output: through $Cmdlet.WriteObject, what the next
# command throws would come back wrapped, and no typed catch of the caller would match it. Records are written by cmdlets: the
# methods of $Cmdlet ask at every record under -Debug. Errors do not, and the method gives them the caller's position.
function Receive-SvcModuleMessage {
    param([Management.Automation.PSCmdlet] $Cmdlet, [SvcDeploy.Operation] $Operation, [string] $AzProblem, [hashtable] $Message)
    switch ($Message['event']) {
        'verbose' { Microsoft.PowerShell.Utility\Write-Verbose -Message ([SvcDeploy.ShownText]::Of($Message['message'])) }
        'debug' { Microsoft.PowerShell.Utility\Write-Debug -Message ([SvcDeploy.ShownText]::Of($Message['message'])) }
        'warning' { Microsoft.PowerShell.Utility\Write-Warning -Message ([SvcDeploy.ShownText]::Of($Message['message'])) }
        'target' { Write-SvcModuleLine -Cmdlet $Cmdlet -Text ([SvcDeploy.ShownText]::Of($Message['description'])) }
        'kept' {
            Microsoft.PowerShell.Utility\Write-Warning -Message ([SvcDeploy.ShownText]::Of($Message['reason']))
            if ([bool] $WhatIfPreference) { [Svc.PlannedAction]::new($Message, 'keep') }
        }
        'progress' { $Cmdlet.WriteProgress((ConvertTo-SvcModuleProgressRecord -Message $Message)) }
        'plan' {
            $decision = Confirm-SvcModulePlan -Cmdlet $Cmdlet -Command $Operation.Command -Plan $Message
            Send-SvcModuleAnswer -Operation $Operation -Answer @{ id = $Message['id']; approved = $decision['approved'] }
            foreach ($action in $decision['planned']) { [Svc.PlannedAction]::new($action) }
        }
        'token' {
            $answer = Get-SvcModuleAzSessionToken -Message $Message -Unusable $AzProblem
            Send-SvcModuleAnswer -Operation $Operation -Answer $answer
        }
        'resource' { [Svc.DeployedResource]::new($Message, $Message['action']) }
        'template' { ConvertTo-SvcModuleTemplate -Message $Message }
        'drift' { [Svc.Drift]::new($Message) }
        'unchanged' { if ([bool] $WhatIfPreference) { [Svc.PlannedAction]::new($Message, 'unchanged') } else { [Svc.DeployedResource]::new($Message, 'unchanged') } }
        # For the function that has asked for it.
        'document' { $Message }
        'error' {
            # The first error would be all that the caller sees of -ErrorAction Stop, so there the one that ends the command tells them all.
            $stops = 'Stop' -eq $ErrorActionPreference
            if ($Message['terminating']) { $ending['Record'] = ConvertTo-SvcModuleDeploymentError -Message $Message -ListFailures:$stops }
            elseif (-not $stops) { $Cmdlet.WriteError((ConvertTo-SvcModuleDeploymentError -Message $Message)) }
        }
        'result' { Write-SvcModuleLine -Cmdlet $Cmdlet -Text $Message['sentence'] }
    }
}

# Shown like Write-Host: it is no output, and 6>$null or -InformationAction Ignore silences it.
function Write-SvcModuleLine {
    param([Management.Automation.PSCmdlet] $Cmdlet, [string] $Text)
    $Cmdlet.WriteInformation([Management.Automation.HostInformationMessage] @{ Message = $Text }, [string[]] @('PSHOST'))
}

function Send-SvcModuleAnswer {
    param([SvcDeploy.Operation] $Operation, [hashtable] $Answer)
    try { $Operation.Answer((Microsoft.PowerShell.Utility\ConvertTo-Json -InputObject $Answer -Compress)) }
    catch [Management.Automation.PipelineStoppedException] { throw }
    catch { Exit-SvcModuleBrokenOperation -Problem $_.Exception }
}

function ConvertTo-SvcModuleProgressRecord {
    param([hashtable] $Message)
    $record = [Management.Automation.ProgressRecord]::new($Message['activityId'], ([SvcDeploy.ShownText]::Of($Message['activity'])), ([SvcDeploy.ShownText]::Of($Message['status'])))
    if ($Message['completed']) { $record.RecordType = 'Completed' }
    elseif ($null -ne $Message['percent']) { $record.PercentComplete = $Message['percent'] }
    if ($Message['currentOperation']) { $record.CurrentOperation = [SvcDeploy.ShownText]::Of($Message['currentOperation']) }
    $record
}

# Asks for each action of the plan, all of them on the caller's cmdlet so that "Yes to All" holds. Returns the indexes of the
# approved actions, and the actions that -WhatIf has only shown. What is always to be confirmed (a deletion) is asked for unless
# the caller says otherwise, and the answer that is offered is No; where -Confirm is given, ShouldProcess asks for deletions, too.
function Confirm-SvcModulePlan {
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSShouldProcess', '', Justification = 'It asks through the cmdlet of its caller.')]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSAvoidShouldContinueWithoutForce', '', Justification = '-Confirm:$false is what -Force would be; the deployment has both.')]
    param([Management.Automation.PSCmdlet] $Cmdlet, [string] $Command, [hashtable] $Plan)
    $bound = $Cmdlet.MyInvocation.BoundParameters
    $asks = -not $WhatIfPreference -and 'None' -ne $ConfirmPreference -and -not $bound.ContainsKey('Confirm') -and -not $bound['Force']
    $approved, $planned = [Collections.Generic.List[object]]::new(), [Collections.Generic.List[object]]::new()
    $yesToAll = $noToAll = $false
    if ($Plan['refused'] -and -not $WhatIfPreference) { Show-SvcModulePlan -Cmdlet $Cmdlet -Plan $Plan; return @{ approved = @(); planned = @() } }
    # An environment is one plan: it is shown, and asked for once.
    if (-not $WhatIfPreference -and 'New-SvcDeployment' -eq $Command -and $Cmdlet.MyInvocation.BoundParameters['Confirm']) {
        Show-SvcModulePlan -Cmdlet $Cmdlet -Plan $Plan
        $count = $Plan['actions'].Count
        $deletions = @($Plan['actions'] | Microsoft.PowerShell.Core\Where-Object { 'always' -eq $_['confirm'] }).Count
        $question = "Make $count change$(if (1 -ne $count) { 's' })$(if ($deletions) { ", $deletions of them deletions" })?"
        # Where something is deleted, the answer that is offered is No.
        try { $yes = $Cmdlet.ShouldContinue($question, 'Confirm deployment', $deletions -gt 0, [ref] $yesToAll, [ref] $noToAll) }
        catch [Management.Automation.PipelineStoppedException] { throw }
        catch { Deny-SvcModuleConfirmation -Problem $_.Exception -Target $Command }
        return @{ approved = @(if ($yes) { $Plan['actions'] | Microsoft.PowerShell.Core\ForEach-Object { $_['index'] } }); planned = @() }
    }
    $lost = [Collections.Generic.HashSet[object]]::new()
    foreach ($action in $Plan['actions']) {
        # Nobody is asked about what can no longer be made, because something that it needs was declined.
        $all = "all of $($action['document'])"
        if ($lost.Count -and $lost.Overlaps([object[]] @($action['dependsOn']; $action['together']; if ($action['last']) { $all }))) { [void] $lost.Add($action['index']); continue }
        $question = [SvcDeploy.ShownText]::Of($action['question'])
        $reason = [Management.Automation.ShouldProcessReason]::None
        try {
            if ($asks -and 'always' -eq $action['confirm']) { $yes = $Cmdlet.ShouldContinue($question, 'Confirm deletion', $true, [ref] $yesToAll, [ref] $noToAll) }
            else { $yes = $Cmdlet.ShouldProcess(([SvcDeploy.ShownText]::Of($action['description'])), $question, 'Confirm', [ref] $reason) }
        }
        catch [Management.Automation.PipelineStoppedException] { throw }
        catch { Deny-SvcModuleConfirmation -Problem $_.Exception -Target $action['resourceId'] }
        if ($yes) { $approved.Add($action['index']) }
        elseif ('WhatIf' -eq $reason) { $planned.Add($action) }
        elseif ($lost.Add($action['index']) -and -not $action['last']) { [void] $lost.Add($all) }
    }
    @{ approved = $approved; planned = $planned }
}

# Asks on the caller's cmdlet before anything but Azure is changed: a file, the context. The preferences that an operation takes are gone
# when it has returned. A dry run needs the context, so -InDryRun leaves $WhatIfPreference out; -WhatIf always counts.
function Confirm-SvcModuleChange {
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
    catch { Deny-SvcModuleConfirmation -Problem $_.Exception -Target $Target }
}

# The plan in lines.
function Show-SvcModulePlan {
    param([Management.Automation.PSCmdlet] $Cmdlet, [hashtable] $Plan)
    foreach ($item in $Plan['actions']) {
        foreach ($line in [Svc.PlannedAction]::new($item).Lines()) { Write-SvcModuleLine -Cmdlet $Cmdlet -Text ([SvcDeploy.ShownText]::Of($line)) }
    }
}

function Deny-SvcModuleConfirmation {
    param([Exception] $Problem, [string] $Target)
    # What the console says of an input that is closed.
    $reason = if ($Problem.GetBaseException() -is [NullReferenceException]) { 'there is no input to answer from.' } else { $Problem.GetBaseException().Message }
    Exit-SvcModuleCommand -Record (ConvertTo-SvcModuleErrorRecord -Exception ([InvalidOperationException]::new("Cannot ask for confirmation: $reason", $Problem)) -Code 'ConfirmationUnavailable' -Category 'InvalidOperation' -Target $Target -Recommendation 'Pass -Confirm:$false in unattended runs.')
}

# The template stays text, as it has to be deployed.
function ConvertTo-SvcModuleTemplate {
    param([hashtable] $Message)
    $calls = @(foreach ($call in $Message['calls']) { [Svc.TemplateCall]::new($call) })
    $parameters = @(foreach ($parameter in $Message['parameters']) { [Svc.TemplateParameter]::new($parameter) })
    [pscustomobject]@{ PSTypeName = 'Svc.Template'; Path = $Message['path']; Calls = $calls; Parameters = $parameters; Template = $Message['template'] }
}

# With -ListFailures the message has them all, numbered, because the caller will see no other error.
function ConvertTo-SvcModuleDeploymentError {
    param([hashtable] $Message, [switch] $ListFailures)
    $exception = [SvcDeploy.DeploymentException]::new($Message, $ListFailures.IsPresent)
    ConvertTo-SvcModuleErrorRecord -Exception $exception -Code ([SvcDeploy.ShownText]::Of($Message['code'])) -Category $Message['category'] -Target $Message['target'] -Recommendation ([SvcDeploy.ShownText]::Of($Message['recommendation']))
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
    process { $ending = @{}; Invoke-SvcModuleDocumentCommand -Cmdlet $PSCmdlet -Command 'New-SvcCoreMonitor' -Bound $PSBoundParameters; if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } } }
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
    process { $ending = @{}; Invoke-SvcModuleDocumentCommand -Cmdlet $PSCmdlet -Command 'New-SvcMonitorLogAlerts' -Bound $PSBoundParameters; if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } } }
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
    process { $ending = @{}; Invoke-SvcModuleDocumentCommand -Cmdlet $PSCmdlet -Command 'New-SvcMonitorMetricAlerts' -Bound $PSBoundParameters; if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } } }
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
    process { $ending = @{}; Invoke-SvcModuleDocumentCommand -Cmdlet $PSCmdlet -Command 'New-SvcMonitorResourceHealthAlerts' -Bound $PSBoundParameters; if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } } }
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
        [switch] $OmitTags
    )
    dynamicparam { if ($PSBoundParameters.ContainsKey('OmitTags')) { Get-SvcModuleLegacyBoolean } }
    process { $ending = @{}; Invoke-SvcModuleDocumentCommand -Cmdlet $PSCmdlet -Command 'New-SvcIaasPrivateEndpoints' -Bound $PSBoundParameters; if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } } }
}

function New-SvcIaasStorage {
    # .EXTERNALHELP SvcDeploy-help.xml
    [CmdletBinding(DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType('Svc.DeployedResource', 'Svc.PlannedAction')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [ValidateNotNullOrEmpty()] [string] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [ValidateNotNull()] [object] $SettingsObject,
        [Alias('TagSettingFile')] [AllowEmptyString()] [string] $TagSettingsFile,
        [switch] $OmitTags
    )
    dynamicparam { if ($PSBoundParameters.ContainsKey('OmitTags')) { Get-SvcModuleLegacyBoolean } }
    process { $ending = @{}; Invoke-SvcModuleDocumentCommand -Cmdlet $PSCmdlet -Command 'New-SvcIaasStorage' -Bound $PSBoundParameters; if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } } }
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
    process { $ending = @{}; Invoke-SvcModuleDocumentCommand -Cmdlet $PSCmdlet -Command 'New-SvcIaasBastionHost' -Bound $PSBoundParameters; if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } } }
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
    process { $ending = @{}; Invoke-SvcModuleDocumentCommand -Cmdlet $PSCmdlet -Command 'New-SvcPaasWeb' -Bound $PSBoundParameters; if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } } }
}

function New-SvcDeployment {
    # .EXTERNALHELP SvcDeploy-help.xml
    [CmdletBinding(DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType('Svc.DeployedResource', 'Svc.PlannedAction')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [Alias('Path', 'PSPath')] [ValidateNotNullOrEmpty()] [string[]] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [AllowNull()] [object] $SettingsObject,
        [Alias('TagSettingFile')] [AllowEmptyString()] [string] $TagSettingsFile,
        [switch] $OmitTags,
        [switch] $Offline,
        [string[]] $PlanReport,
        [string] $ApprovedPlan,
        [switch] $Force,
        [switch] $AsJob
    )
    dynamicparam { if ($PSBoundParameters.ContainsKey('OmitTags')) { Get-SvcModuleLegacyBoolean } }
    # What comes through the pipeline is one environment, so it is collected, and run once. What cannot be collected ends the command:
    # an environment without one of its documents is another one.
    begin { $request = @{}; $ending = @{} }
    process { Invoke-SvcModuleGuarded -Function 'Add-SvcModuleBoundDocument' -Arguments @{ Cmdlet = $PSCmdlet; Bound = $PSBoundParameters; Request = $request }; if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } } }
    end {
        $own = @{}
        Invoke-SvcModuleGuarded -Function 'Add-SvcModuleTagOption' -Arguments @{ Cmdlet = $PSCmdlet; Bound = $PSBoundParameters; Request = $request }
        Invoke-SvcModuleGuarded -Function 'Add-SvcModuleOwnContext' -Arguments @{ Cmdlet = $PSCmdlet; Bound = $PSBoundParameters; Own = $own }
        if ($AsJob) { Invoke-SvcModuleGuarded -Function 'Start-SvcModuleJob' -Arguments @{ Cmdlet = $PSCmdlet; Bound = $PSBoundParameters; Request = $request; Own = $own } }
        Invoke-SvcModuleOperation -Cmdlet $PSCmdlet -Command 'New-SvcDeployment' -Request $request -Own $own
        if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } }
    }
}

function Compare-SvcDeployment {
    # .EXTERNALHELP SvcDeploy-help.xml
    [CmdletBinding(DefaultParameterSetName = 'File')]
    [OutputType('Svc.Drift')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [Alias('Path', 'PSPath')] [ValidateNotNullOrEmpty()] [string[]] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [AllowNull()] [object] $SettingsObject,
        [Alias('TagSettingFile')] [AllowEmptyString()] [string] $TagSettingsFile,
        [switch] $OmitTags,
        [string[]] $PlanReport
    )
    dynamicparam { if ($PSBoundParameters.ContainsKey('OmitTags')) { Get-SvcModuleLegacyBoolean } }
    # What comes through the pipeline is one environment, so it is collected, and run once. What cannot be collected ends the command:
    # an environment without one of its documents is another one.
    begin { $request = @{}; $ending = @{} }
    process { Invoke-SvcModuleGuarded -Function 'Add-SvcModuleBoundDocument' -Arguments @{ Cmdlet = $PSCmdlet; Bound = $PSBoundParameters; Request = $request }; if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } } }
    end {
        $own = @{}
        Invoke-SvcModuleGuarded -Function 'Add-SvcModuleTagOption' -Arguments @{ Cmdlet = $PSCmdlet; Bound = $PSBoundParameters; Request = $request }
        Invoke-SvcModuleGuarded -Function 'Add-SvcModuleOwnContext' -Arguments @{ Cmdlet = $PSCmdlet; Bound = $PSBoundParameters; Own = $own }
        Invoke-SvcModuleOperation -Cmdlet $PSCmdlet -Command 'Compare-SvcDeployment' -Request $request -Own $own
        if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } }
    }
}

function Export-SvcSettings {
    # .EXTERNALHELP SvcDeploy-help.xml
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseSingularNouns', '', Justification = 'What a document holds are settings.')]
    [CmdletBinding(SupportsShouldProcess, ConfirmImpact = 'Low')]
    [OutputType([string], [IO.FileInfo])]
    param(
        [Parameter(Position = 0, ValueFromPipelineByPropertyName)] [ArgumentCompletions('monitor', 'logAlerts', 'metricAlerts', 'resourceHealthAlerts', 'privateEndpoints', 'storage', 'bastionHosts', 'web')] [ValidateNotNullOrEmpty()] [string] $Component,
        [Parameter(Position = 1, ValueFromPipelineByPropertyName)] [Alias('ResourceGroupName')] [ValidateNotNullOrEmpty()] [string[]] $ResourceGroup,
        [switch] $All,
        [AllowEmptyString()] [string] $Path,
        [switch] $Overwrite,
        [switch] $Tag,
        [switch] $Names
    )
    process {
        $ending = @{}
        $export = @{ all = [bool] $All }
        if ($Component) { $export['component'] = $Component }
        if ($ResourceGroup) { $export['resourceGroup'] = $ResourceGroup }
        Invoke-SvcModuleGuarded -Function 'Add-SvcModuleExportOption' -Arguments @{ Cmdlet = $PSCmdlet; Bound = $PSBoundParameters; Export = $export }
        Invoke-SvcModuleGuarded -Function 'Add-SvcModuleWrittenFile' -Arguments @{ Cmdlet = $PSCmdlet; Path = $Path; Wanted = $export }
        $documents = Invoke-SvcModuleOperation -Cmdlet $PSCmdlet -Command 'Export-SvcSettings' -Request $export
        if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } }
        Get-SvcModuleWrittenDocument -Documents $documents
    }
}

function Add-SvcModuleExportOption {
    param([Management.Automation.PSCmdlet] $Cmdlet, [Collections.IDictionary] $Bound, [hashtable] $Export)
    if ($Bound['Names'] -and -not $Bound['Path']) { Deny-SvcModuleArgument -Code 'PathMissing' -Message '-Names writes files beside the document, so it takes -Path.' -Target $null -Recommendation 'Name a file in a new or empty folder with -Path.' }
    $Export['names'] = [bool] $Bound['Names']
    $Export['tag'] = [bool] $Bound['Tag']
    $Export['overwrite'] = [bool] $Bound['Overwrite']
    $Export['baseDirectory'] = $Cmdlet.SessionState.Path.CurrentFileSystemLocation.ProviderPath
}

function New-SvcSettings {
    # .EXTERNALHELP SvcDeploy-help.xml
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseSingularNouns', '', Justification = 'What a document holds are settings.')]
    [CmdletBinding(SupportsShouldProcess, ConfirmImpact = 'Low')]
    [OutputType([string], [IO.FileInfo])]
    param(
        [Parameter(Mandatory, Position = 0)] [ArgumentCompletions('monitor', 'logAlerts', 'metricAlerts', 'resourceHealthAlerts', 'privateEndpoints', 'storage', 'bastionHosts', 'web')] [ValidateNotNullOrEmpty()] [string] $Component,
        [AllowEmptyString()] [string] $Path,
        [switch] $EveryKey
    )
    process {
        $ending = @{}
        $new = @{ component = $Component; everyKey = [bool] $EveryKey }
        Invoke-SvcModuleGuarded -Function 'Add-SvcModuleWrittenFile' -Arguments @{ Cmdlet = $PSCmdlet; Path = $Path; Wanted = $new }
        $documents = Invoke-SvcModuleOperation -Cmdlet $PSCmdlet -Command 'New-SvcSettings' -Request $new
        if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } }
        Get-SvcModuleWrittenDocument -Documents $documents
    }
}

function Get-SvcSettingsSchema {
    # .EXTERNALHELP SvcDeploy-help.xml
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseSingularNouns', '', Justification = 'What a document holds are settings.')]
    [CmdletBinding(PositionalBinding = $true)]
    [OutputType([string])]
    param(
        [Parameter(Mandatory, Position = 0)] [ArgumentCompletions('monitor', 'logAlerts', 'metricAlerts', 'resourceHealthAlerts', 'privateEndpoints', 'storage', 'bastionHosts', 'web', 'tags', 'values', 'generators', 'resources', 'locations', 'tokens', 'logAlertDefinitions')] [ValidateNotNullOrEmpty()] [string] $Name,
        [AllowEmptyString()] [string] $For
    )
    process {
        $ending = @{}
        $schema = @{ name = $Name }
        if ($For) { Invoke-SvcModuleGuarded -Function 'Add-SvcModuleSchemaFolder' -Arguments @{ Cmdlet = $PSCmdlet; Path = $For; Wanted = $schema } }
        $documents = Invoke-SvcModuleOperation -Cmdlet $PSCmdlet -Command 'Get-SvcSettingsSchema' -Request $schema
        if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } }
        Get-SvcModuleWrittenDocument -Documents $documents
    }
}

function Add-SvcModuleSchemaFolder {
    param([Management.Automation.PSCmdlet] $Cmdlet, [string] $Path, [hashtable] $Wanted)
    $Wanted['folder'] = Resolve-SvcModuleFilePath -Cmdlet $Cmdlet -Path $Path
}

# Where what is written goes: to a file, or to the caller. Whether it may be written there is for the engine to say.
function Add-SvcModuleWrittenFile {
    param([Management.Automation.PSCmdlet] $Cmdlet, [string] $Path, [hashtable] $Wanted)
    if ($ending.Count -or -not $Path) { return }
    # An export of more than one document goes to a folder.
    $several = $Wanted['all'] -or -not $Wanted['component'] -or 1 -lt @($Wanted['resourceGroup']).Count
    if (-not $several -and $Path -match '[\\/]$') { Deny-SvcModuleArgument -Code 'NotAFilePath' -Message "'$Path' is a folder; expected the path of a new file." -Target $Path }
    $Wanted['path'] = Resolve-SvcModuleFilePath -Cmdlet $Cmdlet -Path $Path
    $action = if ($several) { 'Write settings documents' } else { 'Write the settings document' }
    if (-not (Confirm-SvcModuleChange -Cmdlet $Cmdlet -Target $Wanted['path'] -Action $action)) { $ending['IsSkipped'] = $true }
}

# A document as the caller gets it: its file, or else its text.
function Get-SvcModuleWrittenDocument {
    param([object[]] $Documents)
    # Tags that an export has written, or that -WhatIf has shown, are objects of their own.
    foreach ($document in $Documents) {
        if ($document -isnot [Collections.IDictionary]) { $document } elseif ($document['path']) { Microsoft.PowerShell.Management\Get-Item -LiteralPath $document['path'] } else { $document['text'].TrimEnd("`n") }
    }
}

function Export-SvcTemplate {
    # .EXTERNALHELP SvcDeploy-help.xml
    [CmdletBinding(DefaultParameterSetName = 'File', SupportsShouldProcess, ConfirmImpact = 'Low')]
    [OutputType('Svc.Template')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [Alias('PSPath')] [ValidateNotNullOrEmpty()] [string[]] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [AllowNull()] [object] $SettingsObject,
        [AllowEmptyString()] [string] $Path,
        [switch] $Overwrite,
        [switch] $LateBinding,
        [switch] $Stack,
        [Alias('TagSettingFile')] [AllowEmptyString()] [string] $TagSettingsFile,
        [switch] $OmitTags
    )
    # What comes through the pipeline is one template, so it is collected, and written once.
    begin { $request = @{}; $ending = @{} }
    process { Invoke-SvcModuleGuarded -Function 'Add-SvcModuleBoundDocument' -Arguments @{ Cmdlet = $PSCmdlet; Bound = $PSBoundParameters; Request = $request }; if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } } }
    end {
        Invoke-SvcModuleGuarded -Function 'Add-SvcModuleTemplateOption' -Arguments @{ Cmdlet = $PSCmdlet; Bound = $PSBoundParameters; Request = $request }
        Invoke-SvcModuleOperation -Cmdlet $PSCmdlet -Command 'Export-SvcTemplate' -Request $request
        if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } }
    }
}

# What the template is to be like, and where it goes.
function Add-SvcModuleTemplateOption {
    param([Management.Automation.PSCmdlet] $Cmdlet, [Collections.IDictionary] $Bound, [hashtable] $Request)
    Add-SvcModuleTagOption -Cmdlet $Cmdlet -Bound $Bound -Request $Request
    $Request['template'] = @{ lateBinding = [bool] $Bound['LateBinding']; stack = [bool] $Bound['Stack']; overwrite = [bool] $Bound['Overwrite'] }
    if ($Bound['Path']) {
        $file = Resolve-SvcModuleFilePath -Cmdlet $Cmdlet -Path $Bound['Path']
        if (-not (Confirm-SvcModuleChange -Cmdlet $Cmdlet -Target $file -Action 'Write the template')) { $ending['IsSkipped'] = $true; return }
        $Request['template']['path'] = $file
    }
    # One document is a template of that document; several of them are one environment.
    foreach ($part in ('settingsFiles', 'settingsFile'), ('settings', 'settings')) {
        $several, $one = $part
        $known = @($Request[$several])
        if ($Request.ContainsKey($several) -and $known.Count -eq 1 -and -not [IO.Directory]::Exists([string] $known[0])) {
            $Request.Remove($several)
            $Request[$one] = $known[0]
        }
    }
}

function Test-SvcSettings {
    # .EXTERNALHELP SvcDeploy-help.xml
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseSingularNouns', '', Justification = 'What a document holds are settings.')]
    [CmdletBinding(DefaultParameterSetName = 'File')]
    [OutputType('Svc.Finding', [bool])]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'File')] [Alias('Path', 'PSPath')] [ValidateNotNullOrEmpty()] [string[]] $SettingsFile,
        [Parameter(Mandatory, ParameterSetName = 'Object', ValueFromPipeline)] [AllowNull()] [object] $SettingsObject,
        [switch] $Quiet,
        [Alias('TagSettingFile')] [AllowEmptyString()] [string] $TagSettingsFile,
        [switch] $OmitTags
    )
    # Documents that belong together are tested together, so the pipeline is collected.
    begin { $request = @{}; $ending = @{} }
    process { Invoke-SvcModuleGuarded -Function 'Add-SvcModuleBoundDocument' -Arguments @{ Cmdlet = $PSCmdlet; Bound = $PSBoundParameters; Request = $request }; if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } } }
    end {
        Invoke-SvcModuleGuarded -Function 'Add-SvcModuleTagOption' -Arguments @{ Cmdlet = $PSCmdlet; Bound = $PSBoundParameters; Request = $request }
        $findings = Invoke-SvcModuleTest -Cmdlet $PSCmdlet -Command 'Test-SvcSettings' -Request $request
        if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } }
        if ($Quiet) { -not $findings } elseif ($findings) { $findings }
    }
}

# What is wrong with documents is the answer. That they cannot be tested, as a file that is not there, stays an error.
function Invoke-SvcModuleTest {
    param([Management.Automation.PSCmdlet] $Cmdlet, [string] $Command, [hashtable] $Request)
    Invoke-SvcModuleOperation -Cmdlet $Cmdlet -Command $Command -Request $Request
    $exception = if ($ending['Record']) { $ending['Record'].Exception }
    if ($exception -is [SvcDeploy.DeploymentException] -and $exception.Findings.Count) {
        $ending.Remove('Record')
        $exception.Findings
    }
}

# The context is kept for each runspace, outside of its variables, where no cleaning up reaches it. So it outlives Import-Module -Force,
# a nested import and a second copy of the module have the same one, and it goes with its runspace.
function Get-SvcModuleContextStore {
    param([string] $Name = 'SvcDeploy.Context')
    $domain = [AppDomain]::CurrentDomain
    [Threading.Monitor]::Enter($domain)
    try {
        $store = $domain.GetData($Name)
        if ($null -eq $store) {
            $store = [Runtime.CompilerServices.ConditionalWeakTable[runspace, hashtable]]::new()
            $domain.SetData($Name, $store)
        }
        # The comma keeps PowerShell from unrolling it.
        , $store
    }
    finally { [Threading.Monitor]::Exit($domain) }
}

function Get-SvcModuleContextTable {
    $table = $null
    if ((Get-SvcModuleContextStore).TryGetValue([runspace]::DefaultRunspace, [ref] $table)) { $table } else { @{} }
}

function Save-SvcModuleContextTable {
    param([hashtable] $Table)
    (Get-SvcModuleContextStore).AddOrUpdate([runspace]::DefaultRunspace, $Table)
}

# Why an endpoint cannot be used; nothing when it can.
function Get-SvcModuleEndpointProblem {
    param([string] $Text)
    $url = $null
    if (-not [uri]::TryCreate($Text, [UriKind]::Absolute, [ref] $url)) { return "expected a URL, found '$Text'" }
    if ($url.UserInfo) { return 'the URL must not contain a user name or a password' }
    if ('http' -eq $url.Scheme -and -not $url.IsLoopback) { return "'$Text' must begin with https://; http works for loopback addresses only" }
    if ($url.Scheme -notin 'https', 'http') { return "'$Text' must begin with https://" }
    if ($url.Query -or $url.Fragment) { return "'$Text' must not contain a query or a fragment" }
}

# A value as the request carries it. Nothing takes the member out, but for what guards a run: there it is a variable that nobody has set.
function ConvertTo-SvcModuleContextValue {
    param([Management.Automation.PSCmdlet] $Cmdlet, [hashtable] $Member, [object] $Value, [switch] $MayRemove)
    $text = "$Value".Trim()
    $isEmpty = '' -eq $text
    if ($isEmpty -and ($MayRemove -or -not $Member['Guards'])) { return '' }
    $kind = if ($isEmpty) { 'empty' } else { $Member['Kind'] }
    $problem = switch ($kind) {
        'empty' { "expected a value, found nothing; Clear-SvcContext -Name $($Member['Parameter']) takes out what was set" }
        'flag' { if ($text -notin 'true', 'false', '1', '0') { "expected `$true or `$false, found '$text'" } }
        'path' { $text = Resolve-SvcModuleFilePath -Cmdlet $Cmdlet -Path $text }
        'paths' {
            $paths = [Collections.Generic.List[string]]::new()
            foreach ($item in $Value) {
                if (-not "$item".Trim()) { continue }
                $file = Resolve-SvcModuleFilePath -Cmdlet $Cmdlet -Path "$item".Trim()
                $paths.Add($file)
                if ([IO.Path]::GetExtension($file) -notin $script:PlanExtension -and $file -notmatch '[\\/]$' -and -not [IO.Directory]::Exists($file)) {
                    "'$item' is no folder, and no plan is written as '$([IO.Path]::GetExtension($file))'; use a folder that exists, or a file that ends with $($script:PlanExtension -join ', ')"
                }
            }
        }
        'folder' {
            $text = Resolve-SvcModuleFilePath -Cmdlet $Cmdlet -Path $text
            if (-not [IO.Directory]::Exists($text)) { "'$text' is not a folder" }
        }
        'cloud' {
            if ($text -match '://') { Get-SvcModuleEndpointProblem -Text $text }
            elseif ($text -notin $script:CloudName) { "'$text' is not valid; use $($script:CloudName -join ', '), or the URL of a Resource Manager endpoint" }
        }
        'endpoint' { Get-SvcModuleEndpointProblem -Text $text }
        'guid' { if ($text -notmatch '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$') { "expected a GUID, found '$text'" } }
        'duration' {
            # A [timespan] as text.
            if ($text -match '^([0-9]+[.])?[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?$') { $text = [Xml.XmlConvert]::ToString([timespan] $text) }
            $iso = 'P([0-9]+D)?(T(?=[0-9])([0-9]+H)?([0-9]+M)?([0-9]+([.][0-9]+)?S)?)?'
            $short = '([0-9]+D)?([0-9]+H)?([0-9]+M)?([0-9]+([.][0-9]+)?S)?'
            if ($text -notmatch "^($iso|$short)`$" -or $text -notmatch '[1-9]') {
                "expected 90s, 45m or 1h30m, a [timespan], or an ISO 8601 duration such as PT45M, found '$text'"
            }
        }
        'texts' { foreach ($item in $Value) { if (-not "$item".Trim()) { 'expected a place, a name or a type, found an empty one' } } }
        'number' { if ($text -notmatch '^[0-9]{1,9}$') { "expected a whole number from 0, found '$text'" } }
        'tagKey' {
            if ($text.Length -gt 512) { 'a tag key can have at most 512 characters' }
            elseif ($text -match '[<>%&\\?/]') { "'$text' contains a character that tag keys must not have: < > % & \ ? /" }
        }
    }
    if ($problem) { Deny-SvcModuleArgument -Code 'ContextInvalid' -Message "-$($Member['Parameter']): $(@($problem)[0])." -Target $Value }
    # The comma keeps PowerShell from unrolling a list of one.
    if ('paths' -eq $kind) { return , $paths.ToArray() }
    if ('texts' -eq $kind) { return , @(foreach ($item in $Value) { "$item".Trim() }) }
    if ('flag' -eq $kind) { $text -in 'true', '1' } else { $text }
}

# What is said for one run goes before the context of the session.
function Add-SvcModuleOwnContext {
    param([Management.Automation.PSCmdlet] $Cmdlet, [Collections.IDictionary] $Bound, [hashtable] $Own)
    foreach ($member in $script:ContextMember) {
        if (-not $Bound.ContainsKey($member['Parameter'])) { continue }
        $Own[$member['Name']] = ConvertTo-SvcModuleContextValue -Cmdlet $Cmdlet -Member $member -Value $Bound[$member['Parameter']]
    }
}

# Changes what the parameters and the members of the input object name, all of it or nothing.
function Edit-SvcModuleContext {
    param([Management.Automation.PSCmdlet] $Cmdlet, [Collections.IDictionary] $Bound, [object] $InputObject)
    $given = @{}
    # A key of a table may have the name of a property of tables.
    if ($InputObject -is [Collections.IDictionary]) { foreach ($entry in $InputObject.GetEnumerator()) { $given["$($entry.Key)"] = $entry.Value } }
    elseif ($null -ne $InputObject) { foreach ($property in $InputObject.PSObject.Properties) { $given[$property.Name] = $property.Value } }
    # What Get-SvcContext has returned says what a command would use; what was not set then is not set now.
    $isRead = $given.ContainsKey('Sources')
    foreach ($source in $given['Sources']) {
        if ($source -isnot [string] -and 'set' -ne $source.Source) { $given[$source.Name] = '' }
    }
    foreach ($parameter in $script:IgnoredContextParameter) {
        if ($Bound.ContainsKey($parameter)) { Microsoft.PowerShell.Utility\Write-Verbose -Message "-$parameter has no effect; no name or tag depends on it." }
    }
    $changes = [ordered]@{}
    foreach ($member in $script:ContextMember) {
        $parameter = $member['Parameter']
        $isBound = $Bound.ContainsKey($parameter)
        if ($isBound -or $given.ContainsKey($parameter)) {
            $value = if ($isBound) { $Bound[$parameter] } else { $given[$parameter] }
            $changes[$parameter] = @{ Name = $member['Name']; Value = ConvertTo-SvcModuleContextValue -Cmdlet $Cmdlet -Member $member -Value $value -MayRemove:($isRead -and -not $isBound) }
        }
    }
    if (0 -eq $changes.Count) {
        if ($null -eq $InputObject) { return }
        Deny-SvcModuleArgument -Code 'ContextInvalid' -Message "The input object has none of the context's properties, such as Cloud or SubscriptionId." -Target $InputObject -Recommendation 'Pipe in what Get-SvcContext returns.'
    }
    if (-not (Confirm-SvcModuleChange -Cmdlet $Cmdlet -Target $script:ContextTarget -InDryRun -Action "Set $($changes.Keys -join ', ')")) { return }
    $table = (Get-SvcModuleContextTable).Clone()
    foreach ($change in $changes.Values) {
        # The text stands on the left: on the right it would become a boolean, and $false would be the same as empty.
        if ('' -eq $change['Value']) { $table.Remove($change['Name']) } else { $table[$change['Name']] = $change['Value'] }
    }
    Save-SvcModuleContextTable -Table $table
}

# Takes out what these parameters have set; everything without a name.
function Clear-SvcModuleContext {
    param([Management.Automation.PSCmdlet] $Cmdlet, [string[]] $Name)
    $table = if ($Name) { (Get-SvcModuleContextTable).Clone() } else { @{} }
    foreach ($parameter in $Name) {
        $member = $script:ContextMember | Microsoft.PowerShell.Core\Where-Object { $parameter -eq $_['Parameter'] }
        if ($null -eq $member) {
            Deny-SvcModuleArgument -Code 'ContextInvalid' -Message "-Name: '$parameter' is no member of the context; use $($script:ContextMember.Parameter -join ', ')." -Target $parameter
        }
        $table.Remove($member['Name'])
    }
    if (Confirm-SvcModuleChange -Cmdlet $Cmdlet -Target $script:ContextTarget -InDryRun -Action "Clear$(if ($Name) { " $($Name -join ', ')" })") { Save-SvcModuleContextTable -Table $table }
}

# What a command would use for each member, and where that comes from.
function Get-SvcModuleContextObject {
    $properties = [ordered]@{}
    $sources = @(Get-SvcModuleContextSource)
    foreach ($source in $sources) { $properties[$source.Name] = $source.Value }
    $properties['Sources'] = $sources
    $context = [pscustomobject] $properties
    $context.PSObject.TypeNames.Insert(0, 'Svc.Context')
    $context
}

function Get-SvcModuleContextSource {
    $table = Get-SvcModuleContextTable
    $passed = Get-SvcModulePassedEnvironment
    $az = Get-SvcModuleAzSession -Context $table -Passed $passed
    foreach ($member in $script:ContextMember) {
        $name = $member['Name']
        # The subscription that Connect-AzAccount has chosen goes before the one that the machine has for Azure's own tools.
        $isOfAz = $member['FromAz'] -and $az['session'] -and $az['session'].ContainsKey($name)
        $variables = if ($isOfAz -and 'subscriptionId' -eq $name) { $member['Variables'][0] } else { $member['Variables'] }
        $variable = $variables | Microsoft.PowerShell.Core\Where-Object { $passed.ContainsKey($_) -and $passed[$_] } | Microsoft.PowerShell.Utility\Select-Object -First 1
        if ($table.ContainsKey($name)) { $value, $source = $table[$name], 'set' }
        elseif ($variable) { $value, $source = $passed[$variable], "environment variable $variable" }
        elseif ($isOfAz) { $value, $source = $az['session'][$name], 'Az context' }
        elseif ($null -ne $member['Default']) { $value, $source = $member['Default'], 'default' }
        else { $value, $source = $null, 'not set' }
        if ('flag' -eq $member['Kind'] -and $value -is [string]) { $value = $value -in 'true', '1' }
        [pscustomobject]@{ PSTypeName = 'Svc.ContextValue'; Name = $member['Parameter']; Value = $value; Source = $source }
    }
    if ($az['account']) { $value, $source = $az['account'], 'Az context' }
    elseif ($passed.ContainsKey('AZURE_CLIENT_ID') -and $passed['AZURE_CLIENT_ID']) { $value, $source = $passed['AZURE_CLIENT_ID'], 'environment variable AZURE_CLIENT_ID' }
    else { $value, $source = $null, 'not set' }
    [pscustomobject]@{ PSTypeName = 'Svc.ContextValue'; Name = 'Account'; Value = $value; Source = $source }
}

function Set-SvcContext {
    # .EXTERNALHELP SvcDeploy-help.xml
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSShouldProcess', '', Justification = 'What it calls by name asks.')]
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
        [string] $EnvironmentTagKey,
        [switch] $EnforceDefaults,
        [switch] $AllowForeignDeletes,
        [string] $RequestTimeout,
        [string] $OperationTimeout,
        [string] $LocalStateFile,
        [string] $ResourceManagerEndpoint,
        [switch] $Offline,
        [string[]] $PlanReport,
        [string] $ApprovedPlan,
        [switch] $IncludeUnchanged,
        [string] $Rehearse,
        [switch] $RehearseAll,
        [string] $RehearseFor,
        [string] $MaxAlerts,
        [string[]] $Only,
        [string[]] $Except,
        [switch] $Prune,
        [switch] $NoDelete,
        [string] $MaxChanges,
        [string] $MaxDeletes,
        [switch] $CheckPolicies,
        [string] $ChangeReference,
        [Parameter(ValueFromPipeline)] [object] $InputObject,
        [switch] $PassThru,
        [Parameter(DontShow)] [object] $BuildId, [Parameter(DontShow)] [object] $BuildRepoName, [Parameter(DontShow)] [object] $BuildDefinitionName, [Parameter(DontShow)] [object] $BuildDefinitionNumber, [Parameter(DontShow)] [object] $ProjectConfirmation, [Parameter(DontShow)] [object] $ProjectConfigName
    )
    process {
        $ending = @{}
        Invoke-SvcModuleGuarded -Function 'Edit-SvcModuleContext' -Arguments @{ Cmdlet = $PSCmdlet; Bound = $PSBoundParameters; InputObject = $InputObject }
        if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } }
        if ($PassThru) { Get-SvcModuleContextObject }
    }
}

function Get-SvcContext {
    # .EXTERNALHELP SvcDeploy-help.xml
    [CmdletBinding()]
    [OutputType('Svc.Context')]
    param()
    process { Get-SvcModuleContextObject }
}

function Clear-SvcContext {
    # .EXTERNALHELP SvcDeploy-help.xml
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSShouldProcess', '', Justification = 'What it calls by name asks.')]
    [CmdletBinding(SupportsShouldProcess, ConfirmImpact = 'Low')]
    param([Parameter(Position = 0)] [ArgumentCompletions('Cloud', 'SubscriptionId', 'SubscriptionName', 'TenantId', 'Environment', 'ProjectRoot', 'ServiceTagKey', 'ExceptionTagKey', 'EnvironmentTagKey', 'EnforceDefaults', 'AllowForeignDeletes', 'RequestTimeout', 'OperationTimeout', 'LocalStateFile', 'ResourceManagerEndpoint', 'Offline', 'PlanReport', 'ApprovedPlan', 'IncludeUnchanged', 'Rehearse', 'RehearseAll', 'RehearseFor', 'MaxAlerts', 'Only', 'Except', 'Prune', 'NoDelete', 'MaxChanges', 'MaxDeletes', 'CheckPolicies', 'ChangeReference')] [string[]] $Name)
    process {
        $ending = @{}
        Invoke-SvcModuleGuarded -Function 'Clear-SvcModuleContext' -Arguments @{ Cmdlet = $PSCmdlet; Name = $Name }
        if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } }
    }
}

function Register-SvcAlias {
    # .EXTERNALHELP SvcDeploy-help.xml
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSShouldProcess', '', Justification = 'What it calls by name asks.')]
    [CmdletBinding(SupportsShouldProcess, ConfirmImpact = 'Low')]
    [OutputType([Management.Automation.AliasInfo])]
    param(
        [Parameter(Mandatory, Position = 0)] [ValidatePattern('^(?!svc$)[a-z][a-z0-9]*$', ErrorMessage = "expected the word behind the hyphen in the old names, such as Xyz, found '{0}'.")] [string] $Prefix,
        [switch] $PassThru
    )
    process {
        $ending = @{}
        $set = Invoke-SvcModuleGuarded -Function 'Register-SvcModuleAlias' -Arguments @{ Cmdlet = $PSCmdlet; Prefix = $Prefix; PassThru = $PassThru }
        if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } }; $set
    }
}

# Modules are looked at and no command is looked for: that would load the module that has it.
function Register-SvcModuleAlias {
    param([Management.Automation.PSCmdlet] $Cmdlet, [string] $Prefix, [switch] $PassThru)
    $aliases = [ordered]@{}
    foreach ($name in @('New-SvcCoreMonitor', 'New-SvcMonitorLogAlerts', 'New-SvcMonitorMetricAlerts', 'New-SvcMonitorResourceHealthAlerts', 'New-SvcIaasPrivateEndpoints', 'New-SvcIaasStorage', 'New-SvcIaasBastionHost', 'New-SvcPaasWeb', 'New-SvcDeployment', 'Set-SvcContext', 'Get-SvcContext', 'Clear-SvcContext')) { $aliases[($name -replace '-Svc', "-$Prefix")] = $name }
    foreach ($module in Microsoft.PowerShell.Core\Get-Module) {
        $own = $aliases.Keys | Microsoft.PowerShell.Core\Where-Object { $module.ExportedFunctions.ContainsKey($_) }
        if ($own) {
            Microsoft.PowerShell.Utility\Write-Warning -Message "The module '$($module.Name)' is loaded and has $($own -join ', '): aliases go before functions, so its own functions would call these commands. Remove it first: Remove-Module $($module.Name)"
        }
    }
    if (-not (Confirm-SvcModuleChange -Cmdlet $Cmdlet -Target 'the aliases of this session' -InDryRun -Action "Set $($aliases.Keys -join ', ')")) { return }
    foreach ($alias in $aliases.Keys) {
        Microsoft.PowerShell.Utility\Set-Alias -Name $alias -Value $aliases[$alias] -Scope Global -Force -PassThru:$PassThru -WhatIf:$false -Confirm:$false
    }
}

function Start-SvcLocalCloud {
    # .EXTERNALHELP SvcDeploy-help.xml
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSShouldProcess', '', Justification = 'What it calls by name asks.')]
    [CmdletBinding(SupportsShouldProcess, ConfirmImpact = 'Low')]
    [OutputType('Svc.LocalCloud')]
    param([Parameter(Position = 0)] [AllowEmptyString()] [string] $StateFile)
    process {
        $ending = @{}
        $cloud = Invoke-SvcModuleGuarded -Function 'Start-SvcModuleLocalCloud' -Arguments @{ Cmdlet = $PSCmdlet; StateFile = $StateFile }
        if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } }; $cloud
    }
}

function Stop-SvcLocalCloud {
    # .EXTERNALHELP SvcDeploy-help.xml
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSShouldProcess', '', Justification = 'What it calls by name asks.')]
    [CmdletBinding(SupportsShouldProcess, ConfirmImpact = 'Low')]
    param()
    process {
        $ending = @{}
        Invoke-SvcModuleGuarded -Function 'Stop-SvcModuleLocalCloud' -Arguments @{ Cmdlet = $PSCmdlet }
        if ($ending['Record']) { if ('Stop' -eq $PSBoundParameters['ErrorAction']) { $PSCmdlet.WriteError($ending['Record']) } else { $PSCmdlet.ThrowTerminatingError($ending['Record']) } }
    }
}

# The local cloud of a runspace is kept as its context is, with what that said of clouds before.
function Start-SvcModuleLocalCloud {
    param([Management.Automation.PSCmdlet] $Cmdlet, [string] $StateFile)
    $store, $running = (Get-SvcModuleContextStore -Name 'SvcDeploy.LocalCloud'), $null
    if ($store.TryGetValue([runspace]::DefaultRunspace, [ref] $running)) {
        Deny-SvcModuleArgument -Code 'LocalCloudIsRunning' -Message "The local cloud of this session is running already, at $($running['endpoint'])." -Target $running['endpoint'] -Recommendation 'Use it, or end it first with Stop-SvcLocalCloud.'
    }
    $wanted = @{}
    if ($StateFile) { $wanted['stateFile'] = Resolve-SvcModuleFilePath -Cmdlet $Cmdlet -Path $StateFile }
    if (-not (Confirm-SvcModuleChange -Cmdlet $Cmdlet -Target 'the local cloud of this session' -InDryRun -Action 'Start')) { return }
    Initialize-SvcModuleLibrary
    $operation = [SvcDeploy.Operation]::new('Start-SvcLocalCloud', (ConvertTo-SvcModuleRequestJson -Request $wanted))
    $target = $null
    try {
        do {
            $text = $null
            $poll = $operation.Next(100, [ref] $text)
            $message = if ('Message' -eq $poll) { Microsoft.PowerShell.Utility\ConvertFrom-Json -InputObject $text -AsHashtable } else { @{} }
            if ('target' -eq $message['event']) { $target = $message }
            elseif ('error' -eq $message['event']) { $ending['Record'] = ConvertTo-SvcModuleDeploymentError -Message $message }
        } until ($target -or 'Finished' -eq $poll)
    }
    catch [Management.Automation.PipelineStoppedException] { throw }
    catch { $ending['Record'] = $_ }
    finally { if (-not $target) { $operation.Dispose() } }
    if (-not $target) { return }
    $context = (Get-SvcModuleContextTable).Clone()
    $before = @{}
    # The second one goes before the first, and a variable of the environment may set it.
    foreach ($name in 'cloud', 'resourceManagerEndpoint') { $before[$name] = $context[$name]; $context[$name] = $target['endpoint'] }
    $store.AddOrUpdate([runspace]::DefaultRunspace, @{ operation = $operation; endpoint = $target['endpoint']; before = $before })
    Save-SvcModuleContextTable -Table $context
    [pscustomobject]@{ PSTypeName = 'Svc.LocalCloud'; Endpoint = $target['endpoint']; SubscriptionId = $target['subscriptionId']; StateFile = $wanted['stateFile'] }
}

# What somebody has set since it was started stays.
function Stop-SvcModuleLocalCloud {
    param([Management.Automation.PSCmdlet] $Cmdlet)
    $store, $running = (Get-SvcModuleContextStore -Name 'SvcDeploy.LocalCloud'), $null
    if (-not $store.TryGetValue([runspace]::DefaultRunspace, [ref] $running)) {
        Microsoft.PowerShell.Utility\Write-Verbose -Message 'This session has started no local cloud.'
        return
    }
    if (-not (Confirm-SvcModuleChange -Cmdlet $Cmdlet -Target 'the local cloud of this session' -InDryRun -Action 'Stop')) { return }
    [void] $store.Remove([runspace]::DefaultRunspace)
    $context = (Get-SvcModuleContextTable).Clone()
    foreach ($name in $running['before'].Keys) {
        if ($running['endpoint'] -ne $context[$name]) { continue }
        if ($running['before'][$name]) { $context[$name] = $running['before'][$name] } else { $context.Remove($name) }
    }
    Save-SvcModuleContextTable -Table $context
    # Its state is written when it has ended.
    Close-SvcModuleOperation -Cmdlet $Cmdlet -Operation $running['operation']
    $running['operation'].Dispose()
}

# Runs the deployment in a thread job, with what this session has set. Nobody can answer there.
function Start-SvcModuleJob {
    param([Management.Automation.PSCmdlet] $Cmdlet, [Collections.IDictionary] $Bound, [hashtable] $Request, [hashtable] $Own)
    if ($ending.Count) { return }
    $start = Microsoft.PowerShell.Core\Get-Command -Name 'Start-ThreadJob' -CommandType 'Cmdlet' -ErrorAction 'Ignore'
    if ($null -eq $start) { Deny-SvcModuleArgument -Code 'ThreadJobMissing' -Message '-AsJob needs Start-ThreadJob, which this PowerShell does not have.' -Recommendation 'Install the module ThreadJob.' }
    $context = (Get-SvcModuleContextTable).Clone()
    foreach ($member in $Own.Keys) { $context[$member] = $Own[$member] }
    $given, $preferences = @{}, @{}
    if ($Request.ContainsKey('omitTags')) { $given['OmitTags'] = $Request['omitTags'] }
    if ($Request.ContainsKey('tagSettingsFile')) { $given['TagSettingsFile'] = $Request['tagSettingsFile'] }
    if ($Bound.ContainsKey('Force')) { $given['Force'] = $Bound['Force'] }
    foreach ($name in $script:CallerPreference.Keys) {
        $variable = $script:CallerPreference[$name]
        if ($Bound.ContainsKey($name)) { $given[$name] = $Bound[$name] } else { $preferences[$variable] = $Cmdlet.GetVariableValue($variable) }
    }
    $documents = @(
        foreach ($file in $Request['settingsFiles']) { if ([IO.Directory]::Exists($file)) { [IO.DirectoryInfo] $file } else { [IO.FileInfo] $file } }
        if ($Request.ContainsKey('settings')) { $Request['settings'] }
    )
    $run = {
        param([string] $Manifest, [string] $Location, [hashtable] $Context, [hashtable] $Preferences, [object[]] $Documents, [hashtable] $Given)
        Microsoft.PowerShell.Management\Set-Location -LiteralPath $Location
        $module = Microsoft.PowerShell.Core\Import-Module -Name $Manifest -PassThru
        & $module { param([hashtable] $Table) Save-SvcModuleContextTable -Table $Table } $Context
        foreach ($name in $Preferences.Keys) { $ExecutionContext.SessionState.PSVariable.Set("global:$name", $Preferences[$name]) }
        # Uncaught, what ends the deployment would end this statement only, and the job would have completed.
        try { $Documents | SvcDeploy\New-SvcDeployment @Given }
        catch { throw }
    }
    $manifest = [IO.Path]::Combine($PSScriptRoot, 'SvcDeploy.psd1')
    $ending['IsSkipped'] = $true
    & $start -Name 'New-SvcDeployment' -ScriptBlock $run -ArgumentList $manifest, $Cmdlet.SessionState.Path.CurrentFileSystemLocation.ProviderPath, $context, $preferences, $documents, $given
}

# The resource groups of the subscription, as the Az session sees them.
function Get-SvcModuleResourceGroup {
    $az = Microsoft.PowerShell.Core\Get-Module -Name 'Az.Accounts' -All | Microsoft.PowerShell.Utility\Select-Object -First 1
    if ($null -eq $az) { return }
    $answer = & $az {
        param([string] $Chosen)
        $subscription = if ($Chosen) { $Chosen } else { (Get-AzContext).Subscription.Id }
        Invoke-AzRestMethod -Path "/subscriptions/$subscription/resourcegroups?api-version=2021-04-01" -ErrorAction Stop
    } "$((Get-SvcModuleContextTable)['subscriptionId'])"
    (Microsoft.PowerShell.Utility\ConvertFrom-Json -InputObject $answer.Content -AsHashtable)['value'] | Microsoft.PowerShell.Core\ForEach-Object { $_['name'] }
}

# The publish names in the documents of the current folder.
function Get-SvcModulePublishName {
    Initialize-SvcModuleLibrary
    [SvcDeploy.PublishNames]::InFolder($ExecutionContext.SessionState.Path.CurrentFileSystemLocation.ProviderPath)
}

# What only Azure or the folder knows of a word that is typed. Where it cannot be found out nothing is completed.
$script:Completer = {
    param($CommandName, $ParameterName, $WordToComplete)
    $ending = @{}
    $function = if ('ResourceGroup' -eq $ParameterName) { 'Get-SvcModuleResourceGroup' } else { 'Get-SvcModulePublishName' }
    $known = Invoke-SvcModuleGuarded -Function $function -Arguments @{}
    $start = [Management.Automation.WildcardPattern]::Escape($WordToComplete.Trim("'"))
    foreach ($text in $known) { if ($text -like "$start*") { if ($text -match '[^\w.-]') { "'$text'" } else { $text } } }
}
Microsoft.PowerShell.Core\Register-ArgumentCompleter -CommandName 'Export-SvcSettings' -ParameterName 'ResourceGroup' -ScriptBlock $script:Completer
foreach ($parameter in 'Only', 'Except') { Microsoft.PowerShell.Core\Register-ArgumentCompleter -CommandName 'Set-SvcContext' -ParameterName $parameter -ScriptBlock $script:Completer }

Export-ModuleMember -Function 'New-SvcCoreMonitor', 'New-SvcMonitorLogAlerts', 'New-SvcMonitorMetricAlerts', 'New-SvcMonitorResourceHealthAlerts', 'New-SvcIaasPrivateEndpoints', 'New-SvcIaasStorage', 'New-SvcIaasBastionHost', 'New-SvcPaasWeb', 'New-SvcDeployment', 'Compare-SvcDeployment', 'Export-SvcSettings', 'Export-SvcTemplate', 'Test-SvcSettings', 'New-SvcSettings', 'Get-SvcSettingsSchema', 'Set-SvcContext', 'Get-SvcContext', 'Clear-SvcContext', 'Register-SvcAlias', 'Start-SvcLocalCloud', 'Stop-SvcLocalCloud'
