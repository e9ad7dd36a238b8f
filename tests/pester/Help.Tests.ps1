BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
    if (-not ('SvcDeployTests.Registry' -as [type])) { Add-Type -LiteralPath ([IO.Path]::Combine($PSScriptRoot, 'Registry.cs')) }
    $library = Get-LibraryFile -Folder (Get-ModuleFolder) | Select-Object -First 1
    $registry = ConvertFrom-Json -InputObject ([SvcDeployTests.Registry]::Read($library)) -AsHashtable

    # The paragraphs of a part of the help as one text.
    function Join-Paragraph {
        param([object[]] $Paragraph)
        (@($Paragraph | ForEach-Object { $_.Text }) -join ' ').Trim()
    }
}

Describe 'The help of the commands' {
    It 'has the synopsis and the description of the registry' {
        foreach ($command in $registry['commands']) {
            $help = Get-Help -Name $command['name'] -Full
            $help.Synopsis.Trim() | Should -Be $command['synopsis'] -Because $command['name']
            Join-Paragraph -Paragraph $help.description | Should -Be $command['description'] -Because $command['name']
        }
    }

    It 'has every parameter of the registry' {
        foreach ($command in $registry['commands']) {
            $shown = @((Get-Help -Name $command['name'] -Full).parameters.parameter)
            $names = @($command['parameters'] | ForEach-Object { $_['name'] }) + 'WhatIf', 'Confirm'
            @($shown.name) -join ' ' | Should -Be ($names -join ' ') -Because $command['name']
            foreach ($parameter in $command['parameters']) {
                $entry = $shown | Where-Object name -eq $parameter['name']
                Join-Paragraph -Paragraph $entry.description | Should -Be $parameter['help'] -Because "$($command['name']) -$($parameter['name'])"
            }
        }
    }

    It 'has every example of the registry, with its code and its remarks apart' {
        foreach ($command in $registry['commands']) {
            $shown = @((Get-Help -Name $command['name'] -Full).examples.example)
            $shown.Count | Should -Be $command['examples'].Count -Because $command['name']
            for ($index = 0; $index -lt $shown.Count; $index++) {
                "$($shown[$index].code)" -replace "`r" | Should -Be $command['examples'][$index]['code'] -Because $command['name']
                Join-Paragraph -Paragraph $shown[$index].remarks | Should -Be $command['examples'][$index]['text'] -Because $command['name']
            }
        }
    }

    It 'names the permissions' {
        foreach ($command in $registry['commands']) {
            $text = Get-Help -Name $command['name'] -Full | Out-String -Width 500
            $text | Should -Match 'Permissions: ' -Because $command['name']
            $text | Should -Match 'running-in-azure\.md' -Because $command['name']
        }
    }

    It 'says what comes in and what goes out' {
        foreach ($command in $registry['commands']) {
            $help = Get-Help -Name $command['name'] -Full
            "$($help.inputTypes.inputType.type.name)" | Should -Be 'System.Object' -Because $command['name']
            @($help.returnValues.returnValue | ForEach-Object { $_.type.name }) -join ' ' | Should -Be 'Svc.DeployedResource Svc.PlannedAction' -Because $command['name']
        }
    }

    It 'shows the syntax without parameters that are internal' {
        $shown = Get-Help -Name New-SvcIaasStorage | Out-String -Width 500
        $shown | Should -Match 'New-SvcIaasStorage \[-SettingsFile\] <String> \[-TagSettingsFile <String>\] \[-OmitTags\] \[-WhatIf\] \[-Confirm\]'
        $shown | Should -Match 'New-SvcIaasStorage -SettingsObject <Object> \[-TagSettingsFile <String>\] \[-OmitTags\] \[-WhatIf\] \[-Confirm\]'
        $shown | Should -Not -Match 'Legacy'
    }

    It 'is found by the name of one parameter' {
        (Get-Help -Name New-SvcIaasStorage -Parameter OmitTags).aliases | Should -Be 'none'
        (Get-Help -Name New-SvcIaasStorage -Parameter TagSettingsFile).aliases | Should -Be 'TagSettingFile'
        (Get-Help -Name New-SvcIaasStorage -Parameter SettingsObject).pipelineInput | Should -BeLike 'True*'
    }

    It 'is found in a session of another language' {
        $shown = Invoke-Process -Folder $TestDrive -Script @"
[cultureinfo]::CurrentUICulture = [cultureinfo]::GetCultureInfo('de-DE')
Import-Module '$(Get-ModuleManifest)'
(Get-Help -Name New-SvcIaasStorage).Synopsis.Trim()
"@
        $shown | Should -Contain ($registry['commands'] | Where-Object { $_['name'] -eq 'New-SvcIaasStorage' })['synopsis']
    }
}

Describe 'The help of the context' {
    It 'has every member as a parameter of Set-SvcContext' {
        $shown = @((Get-Help -Name Set-SvcContext -Full).parameters.parameter)
        foreach ($member in $registry['contextMembers']) {
            $entry = $shown | Where-Object name -eq $member['parameter']
            Join-Paragraph -Paragraph $entry.description | Should -Be $member['help'] -Because $member['parameter']
        }
    }

    It 'has examples and links for <_>' -ForEach 'Set-SvcContext', 'Get-SvcContext', 'Clear-SvcContext' {
        $help = Get-Help -Name $_ -Full
        @($help.examples.example).Count | Should -BeGreaterThan 1
        @($help.relatedLinks.navigationLink.linkText) | Should -Contain 'about_SvcDeploy'
    }

    It 'has every parameter that the function shows' {
        $common = [Management.Automation.Cmdlet]::CommonParameters
        foreach ($name in 'Set-SvcContext', 'Get-SvcContext', 'Clear-SvcContext') {
            $shown = @((Get-Help -Name $name -Full).parameters.parameter | ForEach-Object { $_.name })
            # What is hidden is there for scripts of the replaced module only.
            $declared = @((Get-Command -Name $name).Parameters.Values | Where-Object { $_.Name -notin $common -and $_.Attributes.DontShow -notcontains $true } | ForEach-Object { $_.Name })
            ($shown | Sort-Object) -join ' ' | Should -Be (($declared | Sort-Object) -join ' ') -Because $name
        }
    }
}

Describe 'about_SvcDeploy' {
    It 'names every command' {
        $text = Get-Help -Name about_SvcDeploy | Out-String -Width 200
        foreach ($command in $registry['commands']) { $text | Should -Match $command['name'] }
    }
}

Describe 'The topics beside it' {
    It '<_> is found by its name' -ForEach 'Approval', 'Environments', 'Names', 'PublishNames', 'Settings' {
        $text = Get-Help -Name "about_SvcDeploy_$_" | Out-String -Width 200
        $text | Should -Match "about_SvcDeploy_$_"
        $text | Should -Match 'SHORT DESCRIPTION'
    }
}
