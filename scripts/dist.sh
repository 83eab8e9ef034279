#!/usr/bin/env bash
# Builds what a release consists of into dist/: static binaries for Linux, one for Windows, a Debian package, manual pages,
# completions, the static site if the engine for browsers can be built, a bill of materials, checksums.
#
#   scripts/dist.sh                    everything that can be built here
#   scripts/dist.sh linux-x86-64-v3    only this; several names may be given (see TARGETS)
#
# Cross compilation goes through cargo-zigbuild, which is installed under target/ from its Python package. Each binary's
# bench number is checked, under an emulator where there is one.
set -euo pipefail
cd "$(dirname "$0")/.."

CARGO=${CARGO:-cargo}
VERSION=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
TOOLS=$PWD/target/dist-tools
OUT=$PWD/dist
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}

# Name of the package, target of Rust, processor, file name.
TARGETS="
linux-x86-64-v3    x86_64-unknown-linux-musl   x86-64-v3  gardez
linux-x86-64-v2    x86_64-unknown-linux-musl   x86-64-v2  gardez
linux-aarch64      aarch64-unknown-linux-musl  generic    gardez
windows-x86-64-v3  x86_64-pc-windows-gnu       x86-64-v3  gardez.exe
"

say() { printf '\n== %s\n' "$*"; }
have() { command -v "$1" >/dev/null 2>&1; }

setup() {
    if [ ! -x "$TOOLS/bin/cargo-zigbuild" ]; then
        say "installing cargo-zigbuild under target/"
        python3 -m venv "$TOOLS"
        "$TOOLS/bin/pip" install --quiet cargo-zigbuild==0.24.0 ziglang==0.17.0
    fi
    PATH=$TOOLS/bin:$PATH
    scripts/build-page.sh
}

# The program to run a binary of this target with: nothing, an emulator, or "none" if it cannot be run here.
runner() {
    case $1 in
    "$(rustc -vV | sed -n 's/^host: \([^-]*\).*/\1/p')"-*linux*) ;;
    aarch64-*linux*) have qemu-aarch64 && echo qemu-aarch64 || echo none ;;
    *windows*) have wine64 && echo wine64 || { have wine && echo wine || echo none; } ;;
    *) echo none ;;
    esac
}

build() {
    local name=$1 target=$2 processor=$3 file=$4
    say "$name: $target for $processor (some minutes)"
    if ! rustup target list --installed 2>/dev/null | grep -qx "$target" && ! rustup target add "$target"; then
        echo "left out: $target cannot be had here; the release workflow builds it" >&2
        return 0
    fi
    local flags="-C target-cpu=$processor --remap-path-prefix=$PWD=/gardez --remap-path-prefix=$HOME/.cargo=/cargo"
    # On processors with BMI2 the first Zen ones are slow at PEXT; a binary to give away cannot know, so v3 uses it.
    local pext=0
    [ "$processor" = x86-64-v3 ] && pext=1
    GARDEZ_PEXT=$pext RUSTFLAGS="$flags" CARGO_TARGET_DIR="target/dist/$name" \
        "$CARGO" zigbuild --release --locked --package gardez --target "$target"
    local binary=target/dist/$name/$target/release/$file
    local run
    run=$(runner "$target")
    if [ "$run" = none ]; then
        echo "bench not checked: there is nothing here to run $target with"
    else
        GARDEZ_RUNNER=$run scripts/check-bench.sh "$binary"
        [ -n "$run" ] || native=$binary
    fi
    built+=("$name $binary")
}

# An archive with the program and what belongs to it; the same bytes for the same contents.
pack() {
    local name=$1 binary=$2
    local folder=gardez-$VERSION-$name
    local stage=target/dist/stage/$folder
    rm -rf "$stage"
    mkdir -p "$stage/docs"
    cp "$binary" README.md LICENSE CHANGELOG.md "$stage/"
    cp docs/*.md "$stage/docs/"
    cp -r target/dist/manual "$stage/man"
    cp -r target/dist/completions "$stage/completions"
    mkdir -p "$OUT"
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C target/dist/stage -cf - "$folder" |
        gzip -n -9 >"$OUT/$folder.tar.gz"
    echo "dist/$folder.tar.gz: $(wc -c <"$OUT/$folder.tar.gz") bytes"
}

manual() {
    say "manual pages and completions"
    if [ -z "$native" ]; then
        "$CARGO" build --release --locked --package gardez
        native=target/release/gardez
    fi
    rm -rf target/dist/manual target/dist/completions
    "$native" man --output target/dist/manual
    mkdir -p target/dist/completions
    for shell in bash zsh fish; do
        "$native" completions "$shell" >"target/dist/completions/gardez.$shell"
    done
}

debian_package() {
    say "Debian package"
    have cargo-deb || "$CARGO" install --quiet --locked --root "$TOOLS" cargo-deb@3.8.0
    local binary=target/dist/linux-x86-64-v3/x86_64-unknown-linux-musl/release/gardez
    [ -x "$binary" ] || { echo "left out: it is made from linux-x86-64-v3" >&2; return 0; }
    mkdir -p target/release && cp "$binary" target/release/gardez
    "$CARGO" deb --no-build --no-strip --package gardez --output "$OUT/"
}

bill_of_materials() {
    say "bill of materials"
    have cargo-cyclonedx || "$CARGO" install --quiet --locked --root "$TOOLS" cargo-cyclonedx@0.5.9
    "$CARGO" cyclonedx --quiet --manifest-path crates/gardez/Cargo.toml --format json --override-filename sbom
    mv crates/gardez/sbom.json "$OUT/gardez-$VERSION.cdx.json"
}

wanted=("$@")
is_wanted() { [ ${#wanted[@]} -eq 0 ] || [[ " ${wanted[*]} " == *" $1 "* ]]; }

# What was built, and a program among it that runs on this machine.
built=()
native=

setup
while read -r name target processor file; do
    [ -n "$name" ] && is_wanted "$name" && build "$name" "$target" "$processor" "$file"
done <<<"$TARGETS"
manual
for entry in "${built[@]}"; do
    # shellcheck disable=SC2086
    pack $entry
done
if is_wanted deb; then debian_package; fi
if is_wanted sbom; then bill_of_materials; fi
say "checksums"
(cd "$OUT" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%f\n' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS && cat SHA256SUMS)
