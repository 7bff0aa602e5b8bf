#!/bin/sh
# Sees to it that a program is there if a test asks for it; `make test` calls it with the program and its Debian packages.
# Left out loudly where it cannot be had, and a failure in CI.
set -eu

program=${1:?usage: tools/program.sh PROGRAM PACKAGE...}
shift
: "${1:?usage: tools/program.sh PROGRAM PACKAGE...}"

grep -rqs "ci_requires(\"$program\")" tests || exit 0
command -v "$program" >/dev/null 2>&1 && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@" >/dev/null; } || true
fi
command -v "$program" >/dev/null 2>&1 && exit 0

echo "*** $program is not installed: the tests that need it are LEFT OUT (Debian: apt-get install $*) ***" >&2
[ "${CI:-}" != true ]
