# Completions of NAME for PowerShell. The program itself knows what can stand there; files are left to PowerShell.
Register-ArgumentCompleter -Native -CommandName 'NAME', 'NAME.exe' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $start = $commandAst.Extent.StartOffset
    $before = $commandAst.CommandElements | Where-Object { $_.Extent.StartOffset - $start -lt $cursorPosition }
    $words = @($before | Select-Object -Skip 1 | ForEach-Object { $_.Extent.Text })
    $word = ''
    # A new word is no element yet; of one that is, PowerShell may hand over a part only.
    if ($wordToComplete -and $words.Count) {
        $word = $words[-1]
        $words = @($words | Select-Object -SkipLast 1)
    }
    # An empty text is no argument before PowerShell 7.3, so the word stands behind its option.
    $arguments = @('complete', "--word=$word", '--') + $words
    $program = $commandAst.GetCommandName()
    & $program @arguments 2>$null | ForEach-Object {
        $parts = $_ -split "`t", 2
        $help = if ($parts[1]) { $parts[1] } else { $parts[0] }
        [System.Management.Automation.CompletionResult]::new($parts[0], $parts[0], 'ParameterValue', $help)
    }
}
