#!/bin/sh
# Looks for races and for misuse of memory where there is unsafe code: the search threads and their table, the network's
# kernels, the sliding attacks.
#   address   the address sanitizer; needs nothing but the compiler
#   thread    the thread sanitizer; needs the source of the standard library (rustup component add rust-src), because
#             its locks have to be compiled with it too
#   miri      an interpreter that knows the rules of the language (rustup +nightly component add miri); no SIMD, no mmap
# What cannot be run here is named at the end.
set -u
cd "$(dirname "$0")/.."

CARGO=${CARGO:-cargo}
TRIPLE=$(rustc -vV | sed -n 's/^host: //p')
TARGET_DIR=${CARGO_TARGET_DIR:-target}/sanitize
missing=

fail() {
    printf 'FAILED: %s\n' "$1" >&2
    exit 1
}

printf '== address sanitizer\n'
RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address -Ctarget-cpu=native" ASAN_OPTIONS=detect_leaks=0 \
    "$CARGO" test --profile checked --target "$TRIPLE" --target-dir "$TARGET_DIR/address" --lib \
    -p chess -p nnue -p engine || fail "address sanitizer"

if [ -d "$(rustc --print sysroot)/lib/rustlib/src/rust/library/std" ]; then
    printf '== thread sanitizer\n'
    RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=thread -Ctarget-cpu=native" TSAN_OPTIONS=halt_on_error=1 \
        "$CARGO" test -Zbuild-std --profile checked --target "$TRIPLE" --target-dir "$TARGET_DIR/thread" \
        --lib -p engine -- transposition pool threads || fail "thread sanitizer"
else
    missing="$missing
  thread sanitizer: no source of the standard library (rustup component add rust-src)"
fi

if "$CARGO" +nightly miri --version >/dev/null 2>&1; then
    printf '== Miri\n'
    RUSTFLAGS= "$CARGO" +nightly miri test --target-dir "$TARGET_DIR/miri" -p nnue --lib kernels || fail "Miri"
else
    missing="$missing
  Miri: it is not installed (rustup +nightly component add miri rust-src)"
fi

if [ -n "$missing" ]; then
    printf '\nNot run here:%s\n' "$missing"
fi
