#!/bin/sh
# Builds the page into web/dist, which the program embeds, with the engine for browsers where that can be built. Without a
# recent Node it prints a message and changes nothing: the program builds without the page.
set -eu
cd "$(dirname "$0")/../web"

if ! ../scripts/with-node.sh --installed-only true; then
    echo "Node 20.19 or newer is missing: the program is built without its page." >&2
    exit 0
fi

# Without it the page needs its server. The script itself says what it lacks.
../scripts/build-wasm.sh || [ $? -eq 3 ]

# The stamp is newer than all sources when there is nothing to do.
stamp=node_modules/.page-built
if [ -f "$stamp" ] && [ -f dist/index.html ] && [ -z "$(find index.html package-lock.json vite.config.ts public src -newer "$stamp" | head -n 1)" ]; then
    exit 0
fi

if [ ! -f node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    ../scripts/with-node.sh npm ci --no-audit --no-fund
fi
../scripts/with-node.sh npm run build
touch "$stamp"
# Cargo knows the files that it embedded, not those that are new.
touch ../crates/web/src/page.rs
