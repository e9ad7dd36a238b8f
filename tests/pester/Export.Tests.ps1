BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
}

Describe 'The document of what exists' {
    BeforeEach {
        $state = Use-LocalCloud -Folder $TestDrive
        $subscription = (Get-SvcContext).SubscriptionId
        [void] (New-SvcIaasStorage -SettingsObject (Get-StorageSettings) 6>$null)
        $group = Get-StorageGroup
        $folder = [IO.Directory]::CreateDirectory([IO.Path]::Combine($TestDrive, [guid]::NewGuid())).FullName
        $path = [IO.Path]::Combine($folder, 'storage.yml')
        $said = Get-LibraryMessage -Command 'Export-SvcSettings' -Request @{ component = 'storage'; resourceGroup = $group } | Select-Message 'document' | ForEach-Object { $_['text'].TrimEnd("`n") }
    }

    AfterAll { Clear-SvcContext }

    It 'is the output' {
        $text = Export-SvcSettings -Component storage -ResourceGroup $group
        $text | Should -BeOfType [string]
        $text | Should -Be $said
    }

    It 'is written to a file, and its plan is empty' {
        $file = Export-SvcSettings storage $group -Path $path
        $file | Should -BeOfType [IO.FileInfo]
        $file.FullName | Should -Be $path
        $planned = @(New-SvcIaasStorage -SettingsFile $path -WhatIf 6>$null)
        $planned.Count | Should -Be 0
    }

    It 'takes what to export from objects, and returns a file as Get-Item does' {
        [pscustomobject]@{ Component = 'storage'; ResourceGroupName = $group } | Export-SvcSettings | Should -Be $said
        (Export-SvcSettings storage -ResourceGroupName $group -Path $path).PSPath | Should -Not -BeNullOrEmpty
    }

    It 'writes the documents of an environment to a folder' {
        $new = [IO.Path]::Combine($folder, 'estate')
        $files = @(Export-SvcSettings -All -Path $new 3>$null)
        $files | Should -BeOfType [IO.FileInfo]
        $files.Name | Should -Contain 'storage.yml'
        @(New-SvcDeployment -SettingsFile $new -WhatIf 6>$null 3>$null).Count | Should -Be 0
        $some = [IO.Path]::Combine($folder, 'some')
        @(Export-SvcSettings -ResourceGroup $group, $group -Path $some).Name | Should -Be 'storage.yml'
    }

    It 'leaves no folder behind where the path is one' {
        $new = [IO.Path]::Combine($folder, 'new')
        { Export-SvcSettings storage $group -Path "$new/" } | Should -Throw -ErrorId 'NotAFilePath,Export-SvcSettings'
        [IO.Directory]::Exists($new) | Should -BeFalse
    }

    It 'is not written over a file that exists' {
        [IO.File]::WriteAllText($path, 'mine')
        $record = try { Export-SvcSettings storage $group -Path $path } catch { $_ }
        Assert-LibraryError -Record $record -Said (Get-LibraryError -Command 'Export-SvcSettings' -Request @{ component = 'storage'; resourceGroup = $group; path = $path }) -Command 'Export-SvcSettings'
        [IO.File]::ReadAllText($path) | Should -Be 'mine'
    }

    It 'takes the place of an earlier export with -Overwrite' {
        [void] (Export-SvcSettings storage $group -Path $path)
        { Export-SvcSettings storage $group -Path $path } | Should -Throw
        (Export-SvcSettings storage $group -Path $path -Overwrite).FullName | Should -Be $path
    }

    It 'is not written with -WhatIf' {
        Export-SvcSettings storage $group -Path $path -WhatIf | Should -BeNullOrEmpty
        [IO.File]::Exists($path) | Should -BeFalse
    }

    It 'is not written where $WhatIfPreference of the caller is <_>' -ForEach $true, 1, 'yes' {
        & {
            param($Preference, $Group, $File)
            $WhatIfPreference = $Preference
            Export-SvcSettings storage $Group -Path $File
        } $_ $group $path | Should -BeNullOrEmpty
        [IO.File]::Exists($path) | Should -BeFalse
    }

    It 'is not written where the question of -Confirm cannot be asked' {
        $shown = Invoke-Process -Folder $TestDrive -Script @"
Import-Module '$(Get-ModuleManifest)'
Set-SvcContext -Cloud local -SubscriptionId '$subscription' -LocalStateFile '$state'
try { Export-SvcSettings storage '$group' -Path '$path' -Confirm } catch { `$_.FullyQualifiedErrorId }
"@
        $shown | Should -Contain 'ConfirmationUnavailable,Export-SvcSettings'
        [IO.File]::Exists($path) | Should -BeFalse
    }

    It 'has naming files beside it with -Names' {
        [void] (Export-SvcSettings storage $group -Path $path -Names)
        [IO.Directory]::GetFiles($folder, '*', 'AllDirectories').Count | Should -BeGreaterThan 1
        @(New-SvcIaasStorage -SettingsFile $path -WhatIf 6>$null).Count | Should -Be 0
        { Export-SvcSettings storage $group -Names } | Should -Throw -ErrorId 'PathMissing*'
    }

    It 'tells what is wrong' {
        foreach ($wrong in @{ component = 'storage'; resourceGroup = 'nowhere' }, @{ component = 'web'; resourceGroup = $group }) {
            $record = try { Export-SvcSettings -Component $wrong['component'] -ResourceGroup $wrong['resourceGroup'] } catch { $_ }
            Assert-LibraryError -Record $record -Said (Get-LibraryError -Command 'Export-SvcSettings' -Request $wrong) -Command 'Export-SvcSettings'
        }
    }
}

Describe 'Publish names that documents lack' {
    BeforeEach {
        $state = Use-LandingZone -Folder $TestDrive
        [void] (New-SvcIaasPrivateEndpoints -SettingsFile ([IO.Path]::Combine($PSScriptRoot, '..', '..', 'examples', 'private-endpoints.yml')) 6>$null)
        $content = [IO.File]::ReadAllText($state) | ConvertFrom-Json -AsHashtable
        # The one that is not the first of its type.
        $network = $content['resources'] | Where-Object { $_['body']['type'] -like '*/virtualNetworks' } | Select-Object -Last 1
        $name, $network['body']['tags'] = $network['body']['name'], @{}
        [IO.File]::WriteAllText($state, (ConvertTo-Json -InputObject $content -Depth 30))
        $group = $network['body']['id'].Split('/')[4]
        $path = [IO.Path]::Combine($TestDrive, "$([guid]::NewGuid()).yml")
    }

    AfterAll { Clear-SvcContext }

    It 'are written with -Tag, and the document has them' {
        $written = @(Export-SvcSettings privateEndpoints $group -Path $path -Tag 6>$null)
        $written[0] | Should -BeOfType ([Svc.DeployedResource])
        $written[0].Name | Should -Be $name
        $written[1].FullName | Should -Be $path
        @(New-SvcIaasPrivateEndpoints -SettingsFile $path -WhatIf 6>$null).Count | Should -Be 0
    }

    It 'are shown with -WhatIf where the document is the output' {
        $shown = @(Export-SvcSettings privateEndpoints $group -Tag -WhatIf 6>$null 3>$null)
        $shown[0] | Should -BeOfType ([Svc.PlannedAction])
        @(Export-SvcSettings privateEndpoints $group -Tag -WhatIf 6>$null 3>$null)[0].Id | Should -Be $shown[0].Id -Because 'nothing was written'
    }
}
