#!/usr/bin/env bash
# Builds what a release consists of into dist/: static binaries for Linux, one for Windows, a Debian package, manual pages,
# completions, a bill of materials, checksums. macOS needs a Mac; the release workflow builds it.
#
#   scripts/dist.sh                  everything that can be built here
#   scripts/dist.sh linux-aarch64    only this; several names may be given (see TARGETS; deb, sbom)
#   PROFILE=play scripts/dist.sh     for a trial: quicker to build, slower to play
#
# Cross compilation goes through cargo-zigbuild, which is installed under target/ from its Python package. Each binary's
# bench number is checked, under an emulator where there is one.
set -euo pipefail
cd "$(dirname "$0")/.."

CARGO=${CARGO:-cargo}
PROFILE=${PROFILE:-release}
VERSION=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
TOOLS=$PWD/target/dist-tools
OUT=$PWD/dist
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}

# Name of the package, target of Rust, the least processor (SIMD paths are chosen at run time), file name.
TARGETS="
linux-x86-64    x86_64-unknown-linux-musl   x86-64-v2  gardez
linux-aarch64   aarch64-unknown-linux-musl  generic    gardez
windows-x86-64  x86_64-pc-windows-gnu       x86-64-v2  gardez.exe
"

say() { printf '\n== %s\n' "$*"; }
have() { command -v "$1" >/dev/null 2>&1; }

setup() {
    PATH=$TOOLS/bin:$PATH
    if ! have cargo-zigbuild; then
        say "installing cargo-zigbuild under target/"
        python3 -m venv "$TOOLS"
        "$TOOLS/bin/pip" install --quiet cargo-zigbuild==0.24.0 ziglang==0.17.0
    fi
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
    local run directory=target/dist/$name
    run=$(runner "$target")
    mkdir -p "$directory"
    # Nothing of where it was built stays in the program.
    export RUSTFLAGS="-C target-cpu=$processor --remap-path-prefix=$PWD=/gardez --remap-path-prefix=$HOME/.cargo=/cargo"
    # A profile is made where the program runs as it is, and where there is the tool to read it.
    if [ -z "$run" ] && [ "$PROFILE" = release ] && scripts/pgo.sh --is-possible; then
        BUILD=zigbuild TARGET=$target CARGO_TARGET_DIR=$directory EXE=$directory/$file scripts/pgo.sh
    else
        CARGO_TARGET_DIR=$directory "$CARGO" zigbuild --profile "$PROFILE" --locked --package gardez --target "$target"
        cp "$directory/$target/$PROFILE/$file" "$directory/$file"
    fi
    unset RUSTFLAGS
    if [ "$run" = none ]; then
        echo "bench not checked: there is nothing here to run $target with"
    else
        GARDEZ_RUNNER=$run scripts/check-bench.sh "$directory/$file"
        [ -n "$run" ] || native=$directory/$file
    fi
    built+=("$name $directory/$file")
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
    tar --sort=name --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw,a-s --mtime="@$SOURCE_DATE_EPOCH" \
        -C target/dist/stage -cf - "$folder" | gzip -n -9 >"$OUT/$folder.tar.gz"
    echo "dist/$folder.tar.gz: $(wc -c <"$OUT/$folder.tar.gz") bytes"
}

manual() {
    say "manual pages and completions"
    if [ -z "$native" ]; then
        "$CARGO" build --profile "$PROFILE" --locked --package gardez
        native=target/$PROFILE/gardez
    fi
    rm -rf target/dist/manual target/dist/completions
    "$native" man --output target/dist/manual
    mkdir -p target/dist/completions
    for shell in bash zsh fish; do
        "$native" completions "$shell" >"target/dist/completions/gardez.$shell"
    done
}

# What packaging/Containerfile copies.
container() {
    rm -rf target/dist/container
    mkdir -p target/dist/container/data
    cp "$1" target/dist/container/gardez
}

debian_package() {
    say "Debian package"
    have cargo-deb || "$CARGO" install --quiet --locked --root "$TOOLS" cargo-deb@3.8.0
    local binary=target/dist/linux-x86-64/gardez
    [ -x "$binary" ] || { echo "left out: it is made from linux-x86-64" >&2; return 0; }
    mkdir -p target/release && cp "$binary" target/release/gardez
    "$CARGO" deb --no-build --no-strip --package gardez --output "$OUT/"
}

bill_of_materials() {
    say "bill of materials"
    have cargo-cyclonedx || "$CARGO" install --quiet --locked --root "$TOOLS" cargo-cyclonedx@0.5.9
    "$CARGO" cyclonedx --quiet --manifest-path crates/gardez/Cargo.toml --format json --override-filename sbom
    mkdir -p "$OUT"
    mv crates/gardez/sbom.json "$OUT/gardez-$VERSION.cdx.json"
    # The tool writes one for every crate of the workspace; the program's has all of them inside.
    rm -f crates/*/sbom.json
}

wanted=("$@")
is_wanted() { [ ${#wanted[@]} -eq 0 ] || [[ " ${wanted[*]} " == *" $1 "* ]]; }

# What was built, and a program among it that runs on this machine.
built=()
native=

setup
while read -r name target processor file; do
    if [ -n "$name" ] && is_wanted "$name"; then build "$name" "$target" "$processor" "$file"; fi
done <<<"$TARGETS"
if [ ${#built[@]} -gt 0 ]; then
    manual
    for entry in "${built[@]}"; do
        # shellcheck disable=SC2086
        pack $entry
    done
    [ ! -x target/dist/linux-x86-64/gardez ] || container target/dist/linux-x86-64/gardez
fi
if is_wanted deb; then debian_package; fi
if is_wanted sbom; then bill_of_materials; fi
say "checksums"
(cd "$OUT" && find . -maxdepth 1 -type f ! -name SHA256SUMS | sed 's,^\./,,' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS && cat SHA256SUMS)
