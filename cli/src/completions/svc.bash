# Completions of NAME for bash. The program itself knows what can stand there; files are left to bash.
_svc() {
    local IFS=$'\n' current=$2 word last=0 words=() found=()
    # bash splits at = and :, so that --cloud=local and -Cloud:local are three words. A sign at the end is the word itself.
    [[ -z $2 && ${COMP_WORDS[COMP_CWORD]} == [=:] ]] && current=${COMP_WORDS[COMP_CWORD]}
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}" "$current"; do
        if ((${#words[@]})) && [[ $word == [=:] || ${words[last]} == -*[=:] ]]; then
            words[last]+=$word
        else
            words+=("$word")
            last=$((${#words[@]} - 1))
        fi
    done
    found=($("${COMP_WORDS[0]}" complete --word="${words[last]}" -- "${words[@]:0:last}" 2>/dev/null))
    found=("${found[@]%%$'\t'*}")
    COMPREPLY=("${found[@]#"${words[last]%"$2"}"}")
}
complete -o bashdefault -o default -F _svc NAME
