#!/bin/sh
# Runs fuzz targets, each for a number of seconds: scripts/fuzz.sh [SECONDS] [TARGET...]
# Stable Rust will do: the coverage that libFuzzer wants is a pass of LLVM. The last line adds all inputs up.
set -eu
cd "$(dirname "$0")/../fuzz"

SECONDS_EACH=${1:-600}
[ $# -gt 0 ] && shift
CARGO=${CARGO:-cargo}
TARGET_DIR=${FUZZ_TARGET_DIR:-$PWD/target}
TRIPLE=$(rustc -vV | sed -n 's/^host: //p')
TARGETS=${*:-$(sed -n 's/^name = "\(.*\)"$/\1/p' Cargo.toml | grep -v '^gardez-fuzz$')}

# The crates are almost without unsafe code, so that a sanitizer would find nothing and cost speed; make sanitize
# looks at that code.
RUSTFLAGS="--cfg fuzzing -C target-cpu=native -C passes=sancov-module -C llvm-args=-sanitizer-coverage-level=4 \
-C llvm-args=-sanitizer-coverage-inline-8bit-counters -C llvm-args=-sanitizer-coverage-pc-table \
-C llvm-args=-sanitizer-coverage-trace-compares" \
    "$CARGO" build --locked --release --target "$TRIPLE" --target-dir "$TARGET_DIR" \
    $(for target in $TARGETS; do printf -- '--bin %s ' "$target"; done)

all=0
for target in $TARGETS; do
    seeds=seeds/$target
    [ -d "$seeds" ] || seeds=../crates/chess/tests/corpus/$target
    mkdir -p "corpus/$target" "artifacts/$target"
    log=artifacts/$target.log
    "$TARGET_DIR/$TRIPLE/release/$target" "corpus/$target" "$seeds" -max_total_time="$SECONDS_EACH" -timeout=60 \
        -rss_limit_mb=2048 -max_len="${MAX_LEN:-4096}" -print_final_stats=1 -verbosity=1 \
        -artifact_prefix="artifacts/$target/" >"$log" 2>&1 || {
        tail -40 "$log"
        echo "FAILED: $target; the input is in fuzz/artifacts/$target" >&2
        exit 1
    }
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    printf '%-12s %12s inputs in %s s\n' "$target" "$runs" "$SECONDS_EACH"
    all=$((all + runs))
done
printf '%-12s %12s inputs, no failure\n' all "$all"
