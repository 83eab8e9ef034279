#!/bin/sh
# Fails unless a program's bench gives the node count in scripts/bench-number.
set -eu
cd "$(dirname "$0")/.."
program=${1:-./gardez}
expected=$(cat scripts/bench-number)
found=$("$program" bench | sed -n 's/^\([0-9]*\) nodes .*/\1/p' | tail -n 1)
if [ "$found" != "$expected" ]; then
    echo "bench is $found, and scripts/bench-number says $expected" >&2
    exit 1
fi
echo "bench is $found"
