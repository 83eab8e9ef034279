#!/bin/sh
# Builds the page as a site of its own into site/: the files for any static HTTPS host, below any path. The engine is in it as
# WebAssembly, so it must have been built; scripts/build-wasm.sh does that.
set -eu
cd "$(dirname "$0")/.."

if [ -x scripts/build-wasm.sh ]; then
    scripts/build-wasm.sh
fi
if [ -z "$(find web/public web/src -name '*.wasm' 2>/dev/null | head -n 1)" ]; then
    echo "The engine is not there as WebAssembly, and a site without a server needs it: run make wasm first." >&2
    exit 1
fi

cd web
if [ ! -f node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    ../scripts/with-node.sh npm ci --no-audit --no-fund
fi
../scripts/with-node.sh npm run check
../scripts/with-node.sh npm run site
echo "site/ is ready: put its content on any static HTTPS host. docs/phone.md says how."
