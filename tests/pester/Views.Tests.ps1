BeforeAll {
    Import-Module ([IO.Path]::Combine($PSScriptRoot, 'Helpers.psm1')) -Force
    Import-Module (Get-ModuleManifest) -Force
    Import-Binding

    # As many columns as a terminal has at first.
    function Show-Object {
        param([object] $Object, [int] $Width = 80)
        $rendering = $PSStyle.OutputRendering
        $PSStyle.OutputRendering = 'PlainText'
        try { $Object | Out-String -Width $Width }
        finally { $PSStyle.OutputRendering = $rendering }
    }

    # What is left of an object that a job has sent.
    function ConvertTo-JobResult {
        param([object] $Object)
        [Management.Automation.PSSerializer]::Deserialize([Management.Automation.PSSerializer]::Serialize($Object))
    }

    $longName = 'app-storefront-development-uksouth-0123456789abcdef0123456789abcdef/staging'
    $resource = [pscustomobject]@{
        PSTypeName    = 'Svc.DeployedResource'
        Action        = 'create'
        Type          = 'Microsoft.Web/sites/slots'
        Label         = 'slot'
        Name          = 'staging'
        FullName      = $longName
        ResourceGroup = 'rg-shop-paas-01234567'
        Id            = "/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/rg-shop-paas-01234567/providers/Microsoft.Web/sites/$longName"
        Seconds       = 12.34
        Properties    = @{}
    }
    $action = [pscustomobject]@{
        PSTypeName    = 'Svc.PlannedAction'
        Action        = 'modify'
        Type          = 'Microsoft.Web/sites/slots'
        Label         = 'slot'
        Name          = 'staging'
        FullName      = 'app-shop/staging'
        ResourceGroup = 'rg-shop-paas-01234567'
        Id            = '/subscriptions/11111111-1111-1111-1111-111111111111'
        Changes       = @(
            [pscustomobject]@{ PSTypeName = 'Svc.PropertyChange'; Path = 'properties.httpsOnly'; Before = 'false'; After = 'true'; Origin = 'web.yml:3:5' }
            [pscustomobject]@{ PSTypeName = 'Svc.PropertyChange'; Path = 'tags.owner'; Before = $null; After = '"platform"'; Origin = $null }
        )
    }
}

Describe 'One view' {
    It 'shows any mix of ours in lines, whatever came first' {
        $planned = [Svc.PlannedAction]::new(@{ action = 'create'; label = 'slot'; fullName = 'app/one' })
        $deployed = [Svc.DeployedResource]::new(@{ label = 'slot'; fullName = 'app/two'; seconds = 2.0 }, 'create')
        $finding = [Svc.Finding]::new(@{ file = 'web.yml'; line = 3; column = 5; path = 'sku'; message = 'wrong' })
        foreach ($mix in @($planned, $deployed, $finding), @($finding, $planned, $deployed)) {
            $lines = @((Show-Object -Object $mix -Width 200) -split '\r?\n' | Where-Object { $_.Trim() })
            $lines.Count | Should -Be $mix.Count
            $lines | Should -Contain "+ create slot 'app/one'"
            @($lines -match "^\+ created slot 'app/two' \(2[.,]0 s\)$").Count | Should -Be 1
            $lines | Should -Contain 'web.yml:3:5: sku: wrong'
        }
    }

    It 'is the same for results of jobs' {
        $change = @{ path = 'sku'; after = '"S1"'; origin = 'web.yml:3:5' }
        foreach ($result in @(
                [Svc.PlannedAction]::new(@{ action = 'create'; label = 'slot'; fullName = 'app/one'; changes = @($change, @{ path = 'kind'; after = '"app"' }) })
                [Svc.DeployedResource]::new(@{ label = 'slot'; fullName = 'app/two'; seconds = 2.0 }, 'create')
                [Svc.Finding]::new(@{ file = 'web.yml'; line = 3; column = 5; path = 'sku'; message = 'wrong' })
            )) {
            $received = ConvertTo-JobResult -Object $result
            $received.PSTypeNames[0] | Should -Be "Deserialized.$($result.GetType().FullName)"
            Show-Object -Object $received | Should -Be (Show-Object -Object $result)
        }
    }

    It 'has of what is created what the document says, and of what changes everything' {
        $changes = @(@{ path = 'sku'; after = '"S1"'; origin = 'web.yml:3:5' }, @{ path = 'kind'; after = '"app"' })
        foreach ($action in 'create', 'modify') {
            $planned = [Svc.PlannedAction]::new(@{ action = $action; label = 'slot'; fullName = 'app/one'; changes = $changes })
            $shown = Show-Object -Object $planned
            $shown | Should -Match 'sku: '
            $shown -match 'kind: ' | Should -Be ('modify' -eq $action)
            # The plan that is shown before a question is the same.
            @(@($planned.Lines()) -match 'kind: ').Count | Should -Be ([int] ('modify' -eq $action))
        }
    }

    It 'does not put a resource group into itself' {
        $group = @{ action = 'create'; type = 'Microsoft.Resources/resourceGroups'; label = 'resource group'; fullName = 'rg'; resourceGroup = 'rg' }
        Show-Object -Object ([Svc.PlannedAction]::new($group)) | Should -Not -Match " in '"
    }

    It 'is a short list behind something foreign' {
        $deployed = [Svc.DeployedResource]::new(@{ label = 'slot'; fullName = 'app/two'; seconds = 2.0 }, 'create')
        $shown = Show-Object -Object @([pscustomobject]@{ Other = 1 }, $deployed) -Width 200
        $shown | Should -Match 'FullName +: app/two'
        $shown | Should -Not -Match 'Properties'
    }

    It 'is a sentence as text' {
        "$([Svc.DeployedResource]::new(@{ label = 'storage account'; fullName = 'x' }, 'create'))" | Should -Be "created storage account 'x'"
    }
}

Describe 'The table of findings' {
    It 'leaves a path in one piece' {
        $path = 'webSolutions[0].appServicePlans[10].webapps[10].slots'
        $shown = Show-Object -Object ([Svc.Finding]::new(@{ file = 'web.yml'; line = 3; column = 5; path = $path; message = 'wrong ' * 20 }) | Format-Table)
        $shown | Should -Match ([regex]::Escape("${path}:"))
    }
}

Describe 'The view of deployed resources' {
    It 'has the action, the resource and the seconds' {
        Show-Object -Object $resource -Width 200 | Should -Match "\+ created slot '$longName' \(12[.,]3 s\)"
    }

    It 'is a table for Format-Table, which cuts nothing off at 80 columns' {
        $shown = Show-Object -Object ($resource | Format-Table)
        $shown | Should -Match 'Action +Seconds +Resource'
        $shown | Should -Not -Match ([char] 0x2026)
        $shown | Should -Not -Match '\.\.\.'
        ($shown -replace '\s') | Should -Match ([regex]::Escape("slot'$longName'"))
        foreach ($line in $shown -split '\r?\n') { $line.TrimEnd().Length | Should -BeLessOrEqual 80 }
    }

    It 'says <Shown> for <Word>' -ForEach @(
        @{ Word = 'create'; Shown = 'created' }
        @{ Word = 'modify'; Shown = 'changed' }
        @{ Word = 'delete'; Shown = 'deleted' }
        @{ Word = 'unchanged'; Shown = 'up to date' }
    ) {
        $copy = $resource.PSObject.Copy()
        $copy.Action = $Word
        Show-Object -Object $copy | Should -Match "(?m)^[-+~=] $Shown "
    }

    It 'is the same for results of jobs' {
        $received = ConvertTo-JobResult -Object $resource
        $received.PSTypeNames[0] | Should -Be 'Deserialized.Svc.DeployedResource'
        Show-Object -Object $received | Should -Be (Show-Object -Object $resource)
    }
}

Describe 'The view of the context' {
    BeforeAll {
        # What is longest: the name of a member, and the variable that it comes from.
        $value = [pscustomobject]@{ PSTypeName = 'Svc.ContextValue'; Name = 'ResourceManagerEndpoint'; Value = 'https://management.example.com'; Source = 'environment variable SVC_RESOURCE_MANAGER_ENDPOINT' }
        $line = "ResourceManagerEndpoint : https://management.example.com (environment variable SVC_RESOURCE_MANAGER_ENDPOINT)"
        $context = [pscustomobject]@{ PSTypeName = 'Svc.Context'; ResourceManagerEndpoint = $null; Sources = @($value) }
    }

    It 'is one line for each value and cuts nothing off' {
        foreach ($shown in (Show-Object -Object $context), (Show-Object -Object $value)) {
            $shown | Should -Not -Match ([char] 0x2026)
            ($shown -replace '\s') | Should -Be ($line -replace '\s')
        }
    }

    It 'is there for results of jobs, too' {
        $received = ConvertTo-JobResult -Object $context
        $received.PSTypeNames[0] | Should -Be 'Deserialized.Svc.Context'
        Show-Object -Object $received -Width 200 | Should -Match 'SVC_RESOURCE_MANAGER_ENDPOINT'
    }
}

Describe 'The view of changes' {
    It 'is one line for each and cuts nothing off' {
        $long = [pscustomobject]@{ PSTypeName = 'Svc.PropertyChange'; Path = "properties.$('siteConfig.' * 5)minTlsVersion"; Before = '"1.0"'; After = '"1.2"'; Origin = 'environments/production/web.yml:123:45' }
        $shown = Show-Object -Object $long
        $shown | Should -Not -Match ([char] 0x2026)
        ($shown -replace '\s') | Should -Be ("$($long.Path): `"1.0`" -> `"1.2`"  ($($long.Origin))" -replace '\s')
        (Show-Object -Object $action.Changes[1]).Trim() | Should -Be 'tags.owner: (none) -> "platform"'
    }
}

Describe 'The view of planned actions' {
    It 'has the parents in the name, the resource group and the changes' {
        $shown = Show-Object -Object $action -Width 200
        $shown | Should -Match "~ change slot 'app-shop/staging'"
        $shown | Should -Match "in 'rg-shop-paas-01234567'"
        $shown | Should -Match 'properties\.httpsOnly: false -> true  \(web\.yml:3:5\)'
        $shown | Should -Match 'tags\.owner: \(none\) -> "platform"'
    }

    It 'is there for results of jobs, too' {
        $received = ConvertTo-JobResult -Object $action
        $received.PSTypeNames[0] | Should -Be 'Deserialized.Svc.PlannedAction'
        Show-Object -Object $received -Width 200 | Should -Match "~ change slot 'app-shop/staging'"
    }
}
