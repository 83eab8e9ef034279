#!/bin/sh
# Builds the page into web/dist, from where the program takes it.
set -eu
cd "$(dirname "$0")/../web"

# Packages are fetched again only when the list of them has changed.
if [ ! -d node_modules ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    npm ci --no-audit --no-fund
fi
npm run build

# The compiler looks at the files that were there the last time; this makes it look again.
touch ../crates/web/src/page.rs
