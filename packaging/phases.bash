# Read by packaging/test and packaging/soak: phases with their time and log, builds, tests and fuzzers. Before it, $logs
# is the folder for logs and $findings the one for what fuzzers find.
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd) || exit 1
export LC_ALL=C.UTF-8
jobs=$(nproc)
mkdir -p "$logs" "$findings" || exit 1

lines=()      # one line for each phase, printed at the end
failures=0
whole_start=$SECONDS

# phase NAME COMMAND…: runs it, keeps its output in a file, and shows that if it failed.
phase() {
    local name=$1 start=$SECONDS status log
    shift
    log=$logs/${name//[^a-z0-9]/-}.log
    printf '%s … ' "$name"
    "$@" >"$log" 2>&1
    status=$?
    local outcome=passed
    if [ $status -ne 0 ]; then
        outcome=FAILED
        failures=$((failures + 1))
    fi
    printf '%s, %d s\n' "$outcome" $((SECONDS - start))
    lines+=("$(printf '%-34s %-7s %5d s' "$name" "$outcome" $((SECONDS - start)))")
    [ $status -eq 0 ] || { tail -n 80 "$log"; echo "(all of it: $log)"; }
    return $status
}

skip() { lines+=("$(printf '%-34s %-7s' "$1" "not run")"); }

configure() {
    local build=$root/build/$1
    # A folder that was copied or moved takes a cache with it that points to the old place.
    if [ -f "$build/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
        rm -rf "$build"
    fi
    cmake --preset "$1"
}

configure_and_build() { configure "$1" && cmake --build "$root/build/$1" -- -j "$jobs"; }

run_tests() {
    local preset=$1
    shift
    # One more than processors: tests of the window wait for timers.
    ctest --preset "$preset" -j $((jobs + 1)) --no-tests=error "$@"
}

run_fuzzer() {
    local program=$1 seconds=$2 name seeds corpus
    name=$(basename "$program")
    name=${name#fuzz_}
    corpus=$root/build/fuzz/corpus/$name
    seeds=$root/tests/data/fuzz/$name
    mkdir -p "$corpus" "$seeds"
    "$program" "$corpus" "$seeds" -max_total_time="$seconds" -rss_limit_mb=1024 -timeout=30 -print_final_stats=1 \
        -artifact_prefix="$findings/fuzz-$name-"
}

# run_fuzzers SECONDS: every target for so long, as many at once as there are processors: a fuzzer uses one.
run_fuzzers() {
    local program name started=() status=0
    export seconds=$1
    for program in build/fuzz/fuzz/fuzz_*; do
        [ -x "$program" ] && started+=("${program##*/fuzz_}")
    done
    [ ${#started[@]} -gt 0 ] || { echo "There is no fuzz target."; return 1; }
    export root logs findings
    export -f run_fuzzer
    printf '%s\0' "${started[@]}" |
        xargs -0 -n 1 -P "$jobs" bash -c 'run_fuzzer "build/fuzz/fuzz/fuzz_$0" "$seconds" >"$logs/fuzz-$0.log" 2>&1; echo $? >"$logs/fuzz-$0.status"'
    for name in "${started[@]}"; do
        [ "$(cat "$logs/fuzz-$name.status" 2>/dev/null)" = 0 ] && continue
        status=1
        echo "FAILED: fuzz_$name ($logs/fuzz-$name.log)"
        tail -n 60 "$logs/fuzz-$name.log"
    done
    [ $status -ne 0 ] || echo "${#started[@]} targets, nothing found."
    return $status
}

# print_times: the time of each phase, and whether all passed.
print_times() {
    printf '\n%s\n' "Time of each phase"
    printf '  %s\n' "${lines[@]}"
    printf '  %-34s %-7s %5d s\n\n' "all" "" $((SECONDS - whole_start))
    if [ $failures -eq 0 ]; then echo "Everything passed."; else echo "$failures of the phases FAILED."; fi
}
