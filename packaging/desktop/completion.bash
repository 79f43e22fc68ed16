# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of scalescope's command line in bash. All it offers is asked of the program (--help, list), so that it knows
# what this version knows, and one's own presets too.

# The lines "  NAME  text" of a verb's help that match; only their names.
_scalescope_names() { sed -nE "s/^  ($1)(  .*)?\$/\1/p"; }

# Ids of a list of the catalogue.
_scalescope_list() { "$program" list "$1" --format csv 2>/dev/null | sed -nE '2,$s/^([^",]+),.*/\1/p'; }

# What may stand for a word that help writes in capitals: sets text, and files where it may be a file.
_scalescope_word() {
    local list=''
    case $1 in
        SCENARIO) list=scenarios files=yes ;;
        NETWORK) list=networks files=yes ;;
        LESSON) list=lessons files=yes ;;
        CALIBRATION) list=calibrations files=yes ;;
        MACHINE) list=machines files=yes ;;
        DEVICE*) list=devices ;;
        LINK) list=links ;;
        FILE* | DIR | FIT | RUNS | SAMPLES | TRACE* | TABLE*) files=yes ;;
    esac
    [ -z "$list" ] || mapfile -t text < <(_scalescope_list "$list")
}

# Fields to set or to vary, and after the equals sign their values.
_scalescope_field() {
    local field=${1%%=*} type choices
    if [[ $1 != *=* ]]; then
        "$program" list fields --format csv 2>/dev/null | sed -nE '2,$s/^([a-z][^",NM]*),.*/\1=/p'
        printf '%s=\n' network cluster
        return
    fi
    case $field in
        network) type=network ;;
        cluster) type=cluster ;;
        *) IFS=, read -r _ type _ _ _ choices _ < <("$program" list fields --format csv 2>/dev/null | grep "^${field//./\\.},") ;;
    esac
    case $type in
        network) _scalescope_list networks ;;
        cluster | device | link | machine) _scalescope_list "${type}s" ;;
        boolean) printf 'true\nfalse\n' ;;
        choice | layer | layers) tr '|' '\n' <<<"$choices" | grep . ;;
    esac
}

_scalescope() {
    local program=$1 line=${COMP_LINE:0:COMP_POINT} cur files=no offered=() words=()
    COMPREPLY=()
    command -v -- "$program" >/dev/null || return
    # Not -r: an escaped space belongs to its word. The x makes a word of an empty end.
    read -a words <<<"${line}x"
    cur=${words[-1]%x}
    unset 'words[-1]'
    words=("${words[@]:1}")

    local verbs=() help=''
    _scalescope_verbs
    if [ ${#words[@]} -eq 0 ]; then
        offered=("${verbs[@]}" --help --version)
        files=yes
    elif printf '%s\n' "${verbs[@]}" | grep -qxF -- "${words[0]}"; then
        local verb=("${words[0]}")
        words=("${words[@]:1}")
        _scalescope_verbs "${verb[0]}"
        if [ ${#verbs[@]} -gt 0 ] && [ ${#words[@]} -eq 0 ]; then  # a group's
            offered=("${verbs[@]}")
        else
            if [ ${#verbs[@]} -gt 0 ]; then
                verb+=("${words[0]}")
                words=("${words[@]:1}")
                help=$("$program" "${verb[@]}" --help 2>/dev/null)
            fi
            _scalescope_after_verb
        fi
    else
        files=yes  # to open in the window
    fi

    mapfile -t COMPREPLY < <(compgen -W '${offered[@]}' -- "$cur")
    if [ $files = yes ]; then
        local path=${cur##*=} found
        local before=${cur%"$path"}
        while IFS= read -r found; do COMPREPLY+=("$before$found"); done < <(compgen -f -- "$path")
        compopt -o filenames 2>/dev/null
    fi
    # More is to come after these.
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    # Readline replaces only what stands after the last character that breaks words.
    local breaks=${COMP_WORDBREAKS//[^=:]/}
    if [[ -n $breaks && $cur == *["$breaks"]* ]]; then
        local kept=${cur%"${cur##*["$breaks"]}"}
        COMPREPLY=("${COMPREPLY[@]#"$kept"}")
    fi
}

# Sets help, of the program or of a group or verb of it, and the verbs that it names.
_scalescope_verbs() {
    help=$("$program" "$@" --help 2>/dev/null)
    mapfile -t verbs < <(sed -nE "/^Verbs:/,/^\$/s/^  (${1:+$1 })?([a-z-]+)  .*/\2/p" <<<"$help")
}

# Sets offered and files for the word cur, after `words` of the verb whose help is in `help`.
_scalescope_after_verb() {
    local option='' takes=no place word n=0
    local -a named=() text=()
    # Is this an option's value, or the n-th word without an option?
    for word in "${words[@]}"; do
        if [ $takes = yes ]; then
            takes=no
            continue
        fi
        case $word in
            --*=*) ;;
            --*)
                option=$word
                grep -qE -- "^  $word [^ ]" <<<"$help" && takes=yes
                ;;
            *) n=$((n + 1)) ;;
        esac
    done
    local value=$cur before=''
    if [ $takes = no ] && [[ $cur == --*=* ]]; then
        option=${cur%%=*} value=${cur#*=} before=${cur%%=*}= takes=yes
    fi

    if [ $takes = yes ]; then
        place=$(sed -nE "s/^  $option ([^ ]+)(  .*)?\$/\1/p" <<<"$help" | head -n 1)
        [ "$option" = --machine ] && place=MACHINE
        case $place in
            PATH=*)
                mapfile -t text < <(_scalescope_field "$value")
                [[ $value == network=* ]] && files=yes
                [[ $value == *=* ]] && before+=${value%%=*}= value=${value#*=}
                ;;
            [a-z]*,*) IFS=, read -ra text <<<"$place" ;;
            [a-z0-9]*'|'*) mapfile -t text < <(tr '|' '\n' <<<"$place" | grep -v '^[A-Z]') ;;
            *) _scalescope_word "$place" ;;
        esac
        # Where several may be given, the last of them.
        [[ $place == *,* && $value == *,* ]] && before+=${value%,*},
        offered=("${text[@]/#/$before}")
    elif [[ $cur == -* ]]; then
        mapfile -t offered < <(_scalescope_names '--[a-z0-9-]+( [^ ]+)?' <<<"$help" | sed 's/ .*//')
    else
        mapfile -t named < <(_scalescope_names '[A-Z]+' <<<"$help")
        [ ${#named[@]} -gt 0 ] || return
        [ $n -lt ${#named[@]} ] || n=$((${#named[@]} - 1))  # the last one may be repeated
        if [ "${named[n]}" = WHAT ]; then
            mapfile -t text < <(sed -nE '/^  WHAT /,/\(/s/^(  WHAT)? *([^(]*).*/\2/p' <<<"$help" |
                tr ', ' '\n\n' | grep -vE '^(or)?$')
        else
            _scalescope_word "${named[n]}"
        fi
        offered=("${text[@]}")
    fi
}

complete -F _scalescope scalescope
