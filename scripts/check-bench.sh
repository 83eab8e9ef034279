#!/bin/sh
# Fails unless a program's bench gives the node count in scripts/bench-number. GARDEZ_RUNNER names an emulator to run it with.
set -eu
program=$(cd "$(dirname "${1:-./gardez}")" && pwd)/$(basename "${1:-./gardez}")
cd "$(dirname "$0")/.."
expected=$(cat scripts/bench-number)
found=$(${GARDEZ_RUNNER:-} "$program" bench | tr -d '\r' | sed -n 's/^\([0-9]*\) nodes .*/\1/p' | tail -n 1)
if [ "$found" != "$expected" ]; then
    echo "bench is $found, and scripts/bench-number says $expected" >&2
    exit 1
fi
echo "bench is $found"
