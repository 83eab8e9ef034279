#!/bin/sh
# Everything that must pass before a change lands. The first failure ends it and is printed last.
# The steps share one profile, so that each dependency is compiled once.
set -eu
cd "$(dirname "$0")/.."

CARGO=${CARGO:-cargo}
TARGET_DIR=${CARGO_TARGET_DIR:-target}
case $TARGET_DIR in
/*) ;;
*) TARGET_DIR=$PWD/$TARGET_DIR ;;
esac

step() {
    name=$1
    shift
    printf '\n== %s\n' "$name"
    "$@" || {
        printf '\nFAILED: %s\n' "$name" >&2
        exit 1
    }
}

# Small Syzygy tables for the tests of the tablebases, fetched once.
step "test data" scripts/fetch-syzygy.sh
# The engine for browsers is part of the page, and the page comes before the binary that carries it.
step "engine for browsers" scripts/build-wasm.sh
step "engine for browsers: bench number" env GARDEZ_RUNNER="node web/scripts/bench.mjs" \
    scripts/with-node.sh scripts/check-bench.sh web/public/wasm/gardez_bg.wasm
step "page: packages" scripts/with-node.sh npm --prefix web ci --no-audit --no-fund
step "page: lint" scripts/with-node.sh npm --prefix web run lint
step "page: types" scripts/with-node.sh npm --prefix web run check
step "page: tests" scripts/with-node.sh npm --prefix web test
step "page: build" scripts/with-node.sh npm --prefix web run build
step "formatting" "$CARGO" fmt --all --check
step "lints" "$CARGO" clippy --locked --workspace --all-targets --profile checked -- -D warnings
step "tests" "$CARGO" test --locked --workspace --profile checked
step "bench number" scripts/check-bench.sh "$TARGET_DIR/checked/gardez"
step "page in a browser" env GARDEZ_BIN="$TARGET_DIR/checked/gardez" \
    scripts/with-node.sh npm --prefix web run e2e
step "Python package" env GARDEZ_BIN="$TARGET_DIR/checked/gardez" CARGO_TARGET_DIR="$TARGET_DIR" \
    scripts/test-python.sh
step "documentation" env RUSTDOCFLAGS='-D warnings' \
    "$CARGO" doc --locked --workspace --no-deps --document-private-items --profile checked
# What other builds compile: the feature for tuning, and the engine for the plainest processor, apart because its flags
# differ.
step "search parameters as options" \
    "$CARGO" clippy --locked --package gardez --features tuning --profile checked -- -D warnings
step "for any processor" env RUSTFLAGS='-C target-cpu=generic' CARGO_TARGET_DIR="$TARGET_DIR/generic" \
    "$CARGO" check --locked --package engine --profile checked

printf '\nAll tests passed.\n'
