#!/bin/sh
# Sees to it that a program is there if a test asks for it; `make test` calls it with the program and its Debian packages.
# Left out loudly where it cannot be had, and a failure in CI. OR=… names a program, and the package of it, that does as well.
set -eu

program=${1:?usage: [OR=PROGRAM] tools/program.sh PROGRAM PACKAGE...}
shift
: "${1:?usage: [OR=PROGRAM] tools/program.sh PROGRAM PACKAGE...}"
other=${OR:-} packages="$*"

has() { command -v "$1" >/dev/null 2>&1; }

install() {
    [ "$(id -u)" = 0 ] && has apt-get || return 0
    { timeout 600 apt-get update -qq && timeout 600 apt-get install -y -qq --no-install-recommends "$@" >/dev/null; } || true
}

grep -rqsE "ci_requires\(.*\"$program\"" tests || exit 0
has "$program" && exit 0

install "$@"
has "$program" && exit 0

if [ -n "$other" ]; then
    shift
    has "$other" || install "$other" "$@"
    has "$other" && exit 0
fi

echo "*** $program is not installed: the tests that need it are LEFT OUT (Debian: apt-get install $packages) ***" >&2
[ "${CI:-}" != true ]
