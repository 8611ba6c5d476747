# bash completion for kifu. Other programs with kifu_main: `complete -F _kifu nim_tool`.
_kifu() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "info events tree state json html diff verify recover pack unpack help --version" -- "$word"))
        return
    fi
    case $before in
    -o | --output | --schema)
        COMPREPLY=($(compgen -f -- "$word"))
        return
        ;;
    --from | --to | --type | --player | --level | --memory | --at | --line | --title | --states) return ;;
    esac
    case ${COMP_WORDS[1]} in
    info | diff) options="--json --schema --memory" ;;
    events) options="--json --json-lines --schema --from --to --type --player --undone --line --memory" ;;
    tree) options="--json --schema --line --all --memory" ;;
    state) options="--json --schema --at --line --memory" ;;
    json) options="--output --schema --no-schema --no-state --memory" ;;
    html) options="--output --schema --title --states --quiet --memory" ;;
    verify) options="--json --schema --quiet --memory" ;;
    check-saves) options="--json --quiet --memory" ;;
    bisect) options="--json --memory" ;;
    recover) options="--output --schema --memory" ;;
    pack) options="--output --in-place --schema --level --memory" ;;
    unpack) options="--output --in-place --schema --memory" ;;
    help) options="info events tree state json html diff verify recover pack unpack" ;;
    esac
    if [[ $word == -* || ${COMP_WORDS[1]} == help ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    else
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}
complete -o filenames -F _kifu kifu
