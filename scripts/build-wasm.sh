#!/bin/sh
# Builds the engine for browsers, crates/wasm, into web/public/wasm: gardez_bg.wasm and the JavaScript that goes with it.
#
# The compiler is rustup's if it has or can get the target wasm32-unknown-unknown, otherwise that of the Debian packages
# rustc-web, cargo-web and rust-web-src, which builds the standard library along. They are installed when run as root.
# One line says which it is. Where neither can be had, one line says what is missing, and the exit code is 3.
#
# --toolchain-only: makes sure that there is a compiler, and builds nothing.
set -eu
cd "$(dirname "$0")/.."

CARGO=${CARGO:-cargo}
TARGET=wasm32-unknown-unknown
TARGET_DIR=$(realpath -m "${CARGO_TARGET_DIR:-target}")/wasm
OUT=web/public/wasm
# The search recurses deeply, and its stack is part of the module's memory.
FLAGS="-C target-feature=+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint -C link-arg=-zstack-size=4194304"

have() {
    command -v "$1" >/dev/null 2>&1
}

missing() {
    echo "The engine for browsers is not built: $1" >&2
    exit 3
}

# The stamp is newer than all sources when there is nothing to do.
stamp=$TARGET_DIR/built
if [ "${1:-}" != --toolchain-only ] && [ -f "$stamp" ] && [ -f "$OUT/gardez_bg.wasm" ] &&
    [ -z "$(find Cargo.toml Cargo.lock crates/*/Cargo.toml crates/*/src crates/*/build.rs crates/nnue/networks crates/book \
        scripts/build-wasm.sh scripts/bindgen/src -newer "$stamp" -type f 2>/dev/null | head -n 1)" ]; then
    exit 0
fi

has_target() {
    [ -d "$("${RUSTC:-rustc}" --print sysroot 2>/dev/null)/lib/rustlib/$TARGET/lib" ]
}

debian=/usr/lib/rustlib/src/rust/library/std
if has_target; then
    compiler="rustup's $TARGET"
elif have rustup && rustup target add "$TARGET" >/dev/null 2>&1 && has_target; then
    compiler="rustup's $TARGET, which was added"
else
    packages="rustc-web cargo-web rust-web-src lld"
    if ! [ -d "$debian" ] || ! have wasm-ld; then
        have apt-get || missing "rustup has no $TARGET, and there is no Debian package to be had."
        [ "$(id -u)" = 0 ] || missing "run: sudo apt-get install -y --no-install-recommends $packages"
        apt-get update -qq >/dev/null 2>&1 || true
        # shellcheck disable=SC2086
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages >/dev/null 2>&1 ||
            missing "rustup has no $TARGET, and the packages $packages cannot be installed."
    fi
    CARGO=/usr/bin/cargo
    RUSTC=/usr/bin/rustc
    RUSTC_BOOTSTRAP=1
    export RUSTC RUSTC_BOOTSTRAP
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER
    FLAGS="$FLAGS -C linker-flavor=wasm-ld"
    TARGET_DIR=$TARGET_DIR-debian
    BUILD_STD="-Zbuild-std=std,panic_abort"
    compiler="Debian's $("$RUSTC" --version | cut -d' ' -f1-2) and its sources"
fi
[ "${1:-}" != --toolchain-only ] || exit 0
echo "Building the engine for browsers with $compiler."

# shellcheck disable=SC2086
env -u RUSTFLAGS CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="$FLAGS" \
    "$CARGO" build --locked --quiet --package wasm --profile wasm --target "$TARGET" --target-dir "$TARGET_DIR" ${BUILD_STD:-}
"$CARGO" run --locked --quiet --release --manifest-path scripts/bindgen/Cargo.toml --target-dir "$TARGET_DIR/bindgen" -- \
    "$TARGET_DIR/$TARGET/wasm/wasm.wasm" "$TARGET_DIR/bindings"

mkdir -p "$OUT" "$(dirname "$stamp")"
cp "$TARGET_DIR/bindings/gardez_bg.wasm" "$TARGET_DIR/bindings/gardez.js" "$TARGET_DIR/bindings/gardez.d.ts" "$OUT/"
touch "$stamp"
echo "$OUT/gardez_bg.wasm: $(wc -c <"$OUT/gardez_bg.wasm") bytes, $(gzip -9 -c "$OUT/gardez_bg.wasm" | wc -c) compressed."
