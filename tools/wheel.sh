#!/bin/sh
# Builds the wheel with the state machines compiled (docs/explanation/speed.md) into FOLDER, with the versions of requirements.lock.
# Left out loudly where there is no C compiler, and a failure in CI. LEVEL: of the C compiler's optimisation, by default
# the one in pyproject.toml, which is that of a release. With a LEVEL, PYTHON's own packages build it: to install others
# would take a sixth of the time.
set -eu

python=${1:?usage: tools/wheel.sh PYTHON FOLDER [LEVEL]}
folder=${2:?usage: tools/wheel.sh PYTHON FOLDER [LEVEL]}
level=${3:-}

can_compile() {
    cc=$("$python" -c "import sysconfig; print((sysconfig.get_config_var('CC') or 'cc').split()[0])")
    headers=$("$python" -c "import sysconfig; print(sysconfig.get_path('include'))")
    command -v "$cc" >/dev/null 2>&1 && [ -e "$headers/Python.h" ]
}

if ! can_compile && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends gcc libc6-dev python3-dev >/dev/null; } || true
fi
if ! can_compile; then
    echo "*** no C compiler or no Python.h: the compiled wheel is LEFT OUT (Debian: apt-get install gcc python3-dev) ***" >&2
    [ "${CI:-}" != true ]
    exit
fi

# In a copy, because the compiler puts what it makes beside the sources, where it would hide later changes to them.
source=$(mktemp -d)
trap 'rm -rf "$source"' EXIT
cp -r ledger replays schemas pyproject.toml README.md LICENSE THIRD-PARTY.md "$source"
mkdir "$source/docs"
cp docs/trickledger.1 "$source/docs"
[ -z "$level" ] || sed -i.bak "s/opt_level = \"[0-3]\"/opt_level = \"$level\"/" "$source/pyproject.toml"
mkdir -p "$folder"
rm -f "$folder"/*.whl
# No warnings (-w): the C is generated, and looking for them takes twice as long as compiling it.
HATCH_BUILD_HOOKS_ENABLE=1 CFLAGS="${CFLAGS:-} -w" PIP_CONSTRAINT=$PWD/requirements.lock \
    "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps ${level:+--no-build-isolation} --wheel-dir "$folder" "$source"
