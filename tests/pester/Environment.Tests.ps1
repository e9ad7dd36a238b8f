BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force

    # A document of a storage account in a group of its own.
    function Get-Document {
        param([string] $Name)
        @{ component = 'storage'; location = 'UK South'; resourceGroupName = $Name; storageAccounts = @(@{ storageAccountName = $Name; accountType = 'Standard' }) }
    }

    # The same as a JSON file in a folder, whose path it returns.
    function Write-Document {
        param([string] $Folder, [string] $Name)
        [void] [IO.Directory]::CreateDirectory($Folder)
        $file = [IO.Path]::Combine($Folder, "$Name.json")
        [IO.File]::WriteAllText($file, (Get-Document -Name $Name | ConvertTo-Json -Depth 10))
        $file
    }
}

Describe 'Deploying several documents in one run' {
    BeforeEach {
        [void] (Use-LocalCloud -Folder $TestDrive)
        $folder = [IO.Path]::Combine($TestDrive, "$([guid]::NewGuid())")
        $first = Write-Document -Folder $folder -Name 'First'
        $second = Write-Document -Folder $folder -Name 'Second'
        # What is beside documents in a project.
        [void] [IO.Directory]::CreateDirectory([IO.Path]::Combine($folder, '_names'))
        [IO.File]::WriteAllText([IO.Path]::Combine($folder, '_names', 'tokens.yml'), 'tokens: {}')
        $expected = @(Get-LibraryPlan -Command 'New-SvcDeployment' -Settings $folder | ConvertTo-ActionText | Sort-Object)
    }

    AfterAll { Clear-SvcContext }

    It 'takes <Case>' -ForEach @(
        @{ Case = 'a list of files'; Line = { param($Folder, $First, $Second) New-SvcDeployment -SettingsFile $First, $Second 6>$null } }
        @{ Case = 'a list of files by position'; Line = { param($Folder, $First, $Second) New-SvcDeployment $First, $Second 6>$null } }
        @{ Case = 'a folder'; Line = { param($Folder) New-SvcDeployment -SettingsFile $Folder 6>$null } }
        @{ Case = 'files from the pipeline'; Line = { param($Folder, $First, $Second) Get-Item -LiteralPath $First, $Second | New-SvcDeployment 6>$null } }
        @{ Case = 'everything of a folder from the pipeline'; Line = { param($Folder) Get-ChildItem -LiteralPath $Folder | New-SvcDeployment 6>$null } }
        @{ Case = 'a pattern'; Line = { param($Folder) New-SvcDeployment ([IO.Path]::Combine($Folder, '*.json')) 6>$null } }
        @{ Case = 'a folder from the pipeline'; Line = { param($Folder) Get-Item -LiteralPath $Folder | New-SvcDeployment 6>$null } }
    ) {
        $deployed = @(& $Line $folder $first $second)
        $deployed | ConvertTo-ActionText | Sort-Object | Should -Be $expected
        @($deployed.Document | Sort-Object -Unique) | Should -Be @($first, $second)
        # Of one run: nothing is left to do.
        @(New-SvcDeployment -SettingsFile $folder 6>$null).Count | Should -Be 0
    }

    It 'takes a file before the pattern that its name is, and refuses a pattern that finds nothing' {
        $document = Get-Document -Name 'First' | ConvertTo-Json -Depth 10
        $literal = [IO.Path]::Combine($folder, '[ab].json')
        [IO.File]::WriteAllText($literal, $document)
        @(New-SvcDeployment $literal -WhatIf 6>$null | Select-Object -ExpandProperty Document -Unique) | Should -Be @($literal)
        { New-SvcDeployment ([IO.Path]::Combine($folder, '*.none')) -WhatIf } | Should -Throw -ErrorId 'SettingsFileNotFound,New-SvcDeployment' -ExpectedMessage '*matches*'
    }

    It 'leaves out of the pipeline what a folder leaves out' {
        foreach ($name in '_draft', '.hidden') { [void] (Write-Document -Folder $folder -Name $name) }
        $planned = @(Resolve-Path -Path ([IO.Path]::Combine($folder, '*')) | New-SvcDeployment -WhatIf 6>$null)
        $planned | ConvertTo-ActionText | Sort-Object | Should -Be $expected
        $deployed = @(Get-ChildItem -LiteralPath $folder -Force | New-SvcDeployment 6>$null)
        $deployed | ConvertTo-ActionText | Sort-Object | Should -Be $expected
    }

    It 'takes objects <Case>, each with its number' -ForEach @(
        @{ Case = 'in a list'; Line = { param($Settings) New-SvcDeployment -SettingsObject $Settings 6>$null } }
        @{ Case = 'from the pipeline'; Line = { param($Settings) $Settings | New-SvcDeployment 6>$null } }
    ) {
        $deployed = @(& $Line @((Get-Document -Name 'First'), (Get-Document -Name 'Second')))
        $deployed | ConvertTo-ActionText | Sort-Object | Should -Be $expected
        @($deployed.Document | Sort-Object -Unique) | Should -Be @('0', '1')
    }

    It 'takes a single object' {
        $said = @(Get-LibraryPlan -Command 'New-SvcIaasStorage' -Settings (Get-Document -Name 'First') | ConvertTo-ActionText | Sort-Object)
        New-SvcDeployment -SettingsObject (Get-Document -Name 'First') 6>$null | ConvertTo-ActionText | Sort-Object | Should -Be $said
    }

    It 'is one run: one summary' {
        $lines = @(Get-Item -LiteralPath $first, $second | New-SvcDeployment 6>&1 | Where-Object { $_ -is [Management.Automation.InformationRecord] } | ForEach-Object { "$_" })
        @($lines -match "^$($expected.Count) created in [0-9.]+ s\.$").Count | Should -Be 1
        @($lines -match ' created in ').Count | Should -Be 1
    }

    It 'plans all of them with -WhatIf, and says which document an action is of' {
        $planned = @(New-SvcDeployment -SettingsFile $folder -WhatIf 6>$null)
        $planned | ConvertTo-ActionText | Sort-Object | Should -Be $expected
        foreach ($action in $planned) {
            $action.PSTypeNames[0] | Should -Be 'Svc.PlannedAction'
            @($first, $second) | Should -Contain $action.Document
        }
        @(New-SvcDeployment -SettingsFile $folder 6>$null).Count | Should -Be $expected.Count
    }

    It 'finds a folder from the root of the project' {
        Set-SvcContext -ProjectRoot $TestDrive
        @(New-SvcDeployment -SettingsFile ([IO.Path]::GetFileName($folder)) 6>$null).Count | Should -Be $expected.Count
    }

    It 'reports the findings of all documents in one error, before any change' {
        foreach ($file in $first, $second) { [IO.File]::WriteAllText($file, [IO.File]::ReadAllText($file).Replace('UK South', 'Mars')) }
        $record = try { New-SvcDeployment -SettingsFile $folder 6>$null } catch [SvcDeploy.DeploymentException] { $_ }
        $said = Get-LibraryError -Command 'New-SvcDeployment' -Settings $folder
        $record.Exception.Code | Should -Be $said['code']
        @($record.Exception.Findings.File) | Should -Be @($said['findings'] | ForEach-Object { $_['file'] })
        @($record.Exception.Findings.File | Sort-Object -Unique) | Should -Be @($first, $second)
    }

    It 'says of a failure which document it is of' {
        $cloud = Use-FailingCloud -Folder $TestDrive
        $written = $null
        $last = try { [void] (New-SvcDeployment -SettingsFile $cloud.File, $first -ErrorAction SilentlyContinue -ErrorVariable written 6>$null) } catch [SvcDeploy.DeploymentException] { $_ }
        $last.Exception.Code | Should -Be $cloud.Last['code']
        @($last.Exception.Failures.Document) | Should -Be @($cloud.File)
        @($last.Exception.Done.Document) | Should -Contain $first
        $records = @($written | Where-Object { $_ -is [Management.Automation.ErrorRecord] -and $_.FullyQualifiedErrorId -eq "$($cloud.Failure['code']),New-SvcDeployment" })
        @($records.Exception.Document) | Should -Be @($cloud.File)
    }

    Context 'refuses' {
        It 'text' {
            { 'first.yml' | New-SvcDeployment 6>$null } | Should -Throw -ErrorId 'SettingsObjectNotPlainData,New-SvcDeployment'
        }

        It 'nothing among objects, and deploys none of the others' {
            { (Get-Document -Name 'First'), $null, (Get-Document -Name 'Second') | New-SvcDeployment 6>$null } | Should -Throw -ErrorId 'SettingsObjectNotPlainData,New-SvcDeployment'
            @(New-SvcDeployment -SettingsFile $folder -WhatIf 6>$null).Count | Should -Be $expected.Count
        }

        It 'an empty pipeline' {
            $record = try { @() | New-SvcDeployment 6>$null } catch { $_ }
            Assert-LibraryError -Record $record -Said (Get-LibraryError -Command 'New-SvcDeployment') -Command 'New-SvcDeployment'
        }

        It 'files and objects in one run' {
            $record = try { (Get-Item -LiteralPath $first), (Get-Document -Name 'Second') | New-SvcDeployment 6>$null } catch { $_ }
            $said = Get-LibraryError -Command 'New-SvcDeployment' -Settings @((Get-Document -Name 'Second')) -Request @{ settingsFiles = @($first) }
            Assert-LibraryError -Record $record -Said $said -Command 'New-SvcDeployment'
        }

        It 'a document that does not say which command it is for' {
            $record = try { New-SvcDeployment -SettingsObject (Get-StorageSettings) 6>$null } catch { $_ }
            Assert-LibraryError -Record $record -Said (Get-LibraryError -Command 'New-SvcDeployment' -Settings @(Get-StorageSettings)) -Command 'New-SvcDeployment'
        }

        It 'a second list without a comma' {
            { New-SvcDeployment $first $second 6>$null } | Should -Throw -ErrorId 'PositionalParameterNotFound,New-SvcDeployment'
        }
    }
}
