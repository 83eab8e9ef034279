#!/bin/sh
# Builds the Python package and runs its tests, in a virtual environment that is made anew each time. The packages that the
# tests need are fetched from PyPI once, into target/python/packages.
#
#   scripts/test-python.sh [arguments of pytest]
#
# GARDEZ_BIN names the program that the tests compare with. PYTHON names another Python than python3.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
python=${PYTHON:-python3}
target=${CARGO_TARGET_DIR:-target}
case $target in
/*) ;;
*) target=$root/$target ;;
esac
work=$target/python
list=$root/scripts/python-packages.txt
binary=${GARDEZ_BIN:-$target/checked/gardez}
case $binary in
/*) ;;
*) binary=$root/$binary ;;
esac
[ -x "$binary" ] || { echo "error: there is no program $binary; build it with cargo build --profile checked" >&2; exit 1; }

packages=$work/packages-$("$python" -c 'import sys, sysconfig; print(sys.implementation.cache_tag, sysconfig.get_platform(), sep="-")')
if ! cmp -s "$list" "$packages/list"; then
    echo "fetching packages of Python" >&2
    rm -rf "$packages"
    "$python" -m pip download --quiet --disable-pip-version-check --only-binary :all: --dest "$packages" -r "$list"
    cp "$list" "$packages/list"
fi

rm -rf "$work/environment" "$work/wheels"
"$python" -m venv "$work/environment"
"$work/environment/bin/pip" install --quiet --disable-pip-version-check --no-index --find-links "$packages" -r "$list"
# In the profile of the other tests, so that what it depends on is compiled already.
CARGO_TARGET_DIR=$target PYO3_PYTHON=$work/environment/bin/python "$work/environment/bin/maturin" build --quiet --locked \
    --profile checked --manifest-path crates/python/Cargo.toml --out "$work/wheels"
"$work/environment/bin/pip" install --quiet --disable-pip-version-check --no-index --no-deps "$work"/wheels/gardez-*.whl

export PYTHONDONTWRITEBYTECODE=1 GARDEZ_BIN="$binary" GARDEZ_SYZYGY="${GARDEZ_TEST_DATA:-$target/test-data}/syzygy"
# Away from the sources, so that what is tested is what was installed.
cd "$work"
exec "$work/environment/bin/python" -m pytest --quiet -p no:cacheprovider "$root/crates/python/tests" "$@"
