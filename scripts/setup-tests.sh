#!/bin/sh
# Makes sure that what the build and the tests need from the machine is there. Missing system packages
# are installed when run as root; otherwise this stops with the one command to run.
#
# --toolchain-only: what a build needs, not what the tests need besides.
set -eu

CARGO=${CARGO:-cargo}

stop() {
    printf '%s\n' "$1" >&2
    exit 1
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# Program looked for, and the Debian package that brings it.
packages() {
    echo 'cc gcc libc6-dev'
    [ "$1" != --toolchain-only ] || return 0
    # The tests' Syzygy tables come with a Python package, and Node where there is none.
    echo 'pip3 python3-pip'
    python3 -c 'import ensurepip' 2>/dev/null || echo 'ensurepip python3-venv'
    echo 'chromium chromium'
}

if [ "$(uname -s)" = Linux ]; then
    missing=$(packages "${1:-}" | while read -r program package; do
        have "$program" || printf '%s ' "$package"
    done)
    if [ -n "$missing" ]; then
        install="apt-get install -y --no-install-recommends $missing"
        have apt-get || stop "These packages are missing (Debian's names): $missing"
        [ "$(id -u)" = 0 ] || stop "Packages are missing. Install them with: sudo $install"
        echo "Installing $missing"
        apt-get update
        DEBIAN_FRONTEND=noninteractive $install
    fi
fi

# Distributions bring Rust compilers that are too old, so this is not left to the package manager.
have "$CARGO" || stop "Rust is missing. Install it with rustup, as the page \"Install Rust\" of the Rust project says."

[ "${1:-}" = --toolchain-only ] && exit 0

"$(dirname "$0")/build-wasm.sh" --toolchain-only || stop "The tests need the compiler for WebAssembly."

for tool in fmt clippy; do
    if ! "$CARGO" "$tool" --version >/dev/null 2>&1; then
        component=$tool
        [ "$tool" = fmt ] && component=rustfmt
        have rustup || stop "cargo $tool is missing: install the package $component of your Rust distribution."
        rustup component add "$component"
    fi
done
