#!/bin/sh
# Builds the page as a site of its own into site/: the files for any static HTTPS host, below any path. The engine is in it as
# WebAssembly, so its compiler must be there or be installable (scripts/build-wasm.sh).
set -eu
cd "$(dirname "$0")/.."

scripts/build-wasm.sh

cd web
if [ ! -f node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    ../scripts/with-node.sh npm ci --no-audit --no-fund
fi
../scripts/with-node.sh npm run check
../scripts/with-node.sh npm run site
echo "site/ is ready: put its content on any static HTTPS host. docs/phone.md says how."
