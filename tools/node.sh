#!/bin/sh
# Sees to it that `node` is there if a test asks for it; `make test` calls it. Left out loudly where it cannot be had,
# and a failure in CI.
set -eu

grep -rqs 'ci_requires("node")' tests || exit 0
command -v node >/dev/null 2>&1 && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends nodejs >/dev/null; } || true
fi
command -v node >/dev/null 2>&1 && exit 0

echo "*** node is not installed: the tests that need it are LEFT OUT (Debian: apt-get install nodejs) ***" >&2
[ "${CI:-}" != true ]
