#!/bin/sh
# Sees to it that Pango is there, which sets the PDF of a report; `make test` calls it with the interpreter. Left out
# loudly where it cannot be had, and a failure in CI.
set -eu

python=${1:?usage: tools/pango.sh PYTHON}

is_there() {
    "$python" -c "import weasyprint" >/dev/null 2>&1
}

is_there && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends libpango-1.0-0 libpangoft2-1.0-0 >/dev/null; } || true
fi
is_there && exit 0

echo "*** Pango is not installed: the test of PDF is LEFT OUT (Debian: apt-get install libpangoft2-1.0-0) ***" >&2
[ "${CI:-}" != true ]
