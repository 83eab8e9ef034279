#!/bin/sh
# Builds the engine twice: first with counters in it, and then again as they say it is used. The same program to the
# node, only faster. Needs llvm-profdata of the same LLVM as rustc: `rustup component add llvm-tools`, or a package
# such as Debian's llvm-22; `pgo.sh --is-possible` only says whether it is there.
#
# The program lands where EXE says, as with a plain `make`. TARGET is built for instead of this machine if it is given,
# by `cargo $BUILD`; it must run here.
set -eu
cd "$(dirname "$0")/.."

CARGO=${CARGO:-cargo}
EXE=${EXE:-gardez}
DIR=${CARGO_TARGET_DIR:-target}/pgo
HOST=$(rustc -vV | sed -n 's/^host: //p')
TARGET=${TARGET:-$HOST}
LLVM=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
FLAGS=${RUSTFLAGS:--C target-cpu=native}

profdata=""
for candidate in "$(rustc --print sysroot)/lib/rustlib/$HOST/bin/llvm-profdata" "llvm-profdata-$LLVM" llvm-profdata; do
    # The old ones have no version to tell, and do not fit.
    if command -v "$candidate" >/dev/null && "$candidate" --version 2>/dev/null | grep -q "version $LLVM\."; then
        profdata=$candidate
        break
    fi
done
if [ -z "$profdata" ]; then
    echo "There is no llvm-profdata of LLVM $LLVM here: rustup component add llvm-tools, or the package llvm-$LLVM." >&2
    exit 1
fi
[ "${1:-}" != --is-possible ] || exit 0

build() {
    # With a target named, the flags are for the program alone and not for what builds it.
    RUSTFLAGS="$FLAGS $1" "$CARGO" "${BUILD:-build}" --release --locked --package gardez --target "$TARGET" --target-dir "$DIR"
}

program="$DIR/$TARGET/release/gardez"
profiles=$(mkdir -p "$DIR" && cd "$DIR" && pwd)/profiles
rm -rf "$profiles"
build "-C profile-generate=$profiles"
for evaluation in network handcrafted; do
    "$program" bench --option "Evaluation=$evaluation"
done
"$profdata" merge -o "$profiles/merged" "$profiles"
build "-C profile-use=$profiles/merged"
"$program" bench
cp "$program" "$EXE.new"
mv -f "$EXE.new" "$EXE"
