#compdef NAME
# Completions of NAME for zsh. The program itself knows what can stand there; files are left to zsh.
_svc() {
    local line
    local -a found
    for line in "${(@f)$("${words[1]}" complete --word="$PREFIX" -- "${(@)words[2,CURRENT-1]}" 2>/dev/null)}"; do
        [[ -n $line ]] && found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    done
    if (( ${#found} )); then
        # The program has compared them, in any letter case.
        _describe NAME found -U
    else
        _files
    fi
}
if [[ ${funcstack[1]} == _svc ]]; then _svc "$@"; else compdef _svc NAME; fi
