# Completions of NAME for fish. The program itself knows what can stand there; files are left to fish.
function __svc_complete
    set -l words (commandline --current-process --tokenize --cut-at-cursor)
    set -l word (commandline --current-token --cut-at-cursor)
    set -l found ($words[1] complete "--word=$word" -- $words[2..-1] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path "$word"
    end
end
complete --command NAME --no-files --keep-order --arguments '(__svc_complete)'
