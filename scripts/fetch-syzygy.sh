#!/bin/sh
# Puts the Syzygy tables for three and four men, which the tests need, into target/test-data/syzygy, or
# $GARDEZ_TEST_DATA/syzygy. They come with the source package of python-chess on PyPI. Does nothing when
# they are there already.
set -eu

version=1.11.2
tables=70

root=$(cd "$(dirname "$0")/.." && pwd)
data=${GARDEZ_TEST_DATA:-$root/target/test-data}
target=$data/syzygy

count_tables() {
    find "$1" -name '*.rtb[wz]' 2>/dev/null | wc -l
}

if [ "$(count_tables "$target")" -eq "$tables" ]; then
    exit 0
fi

mkdir -p "$data"
# Beside the target, so that the finished directory can be moved into place in one step.
work=$(mktemp -d "$data/syzygy.XXXXXX")
trap 'rm -rf "$work"' EXIT

echo "fetching Syzygy tables from the source package of chess $version" >&2
python3 -m pip download --quiet --no-deps --no-binary :all: --dest "$work" "chess==$version"
tar -xzf "$work/chess-$version.tar.gz" -C "$work"
unpacked=$work/chess-$version/data/syzygy/regular

found=$(count_tables "$unpacked")
if [ "$found" -ne "$tables" ]; then
    echo "error: chess $version has $found Syzygy tables, not the $tables that the tests need" >&2
    exit 1
fi
rm -rf "$target"
mv "$unpacked" "$target"
