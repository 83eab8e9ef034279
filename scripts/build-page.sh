#!/bin/sh
# Builds the page into web/dist, where the program takes it from. Without Node, or with one that is too old,
# it says so and leaves things as they are: the program builds without the page.
set -eu
cd "$(dirname "$0")/../web"

if ! command -v npm >/dev/null 2>&1 || ! node -e 'const [a, b] = process.versions.node.split(".").map(Number);
    process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'; then
    echo "Node 20.19 or newer is missing: the program is built without its page." >&2
    exit 0
fi

# The stamp is newer than all sources when there is nothing to do.
stamp=dist/.built
if [ -f "$stamp" ] && [ -z "$(find index.html package-lock.json vite.config.ts public src -newer "$stamp" | head -n 1)" ]; then
    exit 0
fi

if [ ! -f node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    npm ci --no-audit --no-fund
fi
npm run build
touch "$stamp"
