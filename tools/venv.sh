#!/bin/sh
# Makes the virtual environment .venv with a Python that is new enough; `make` calls it. PYTHON names one to use.
set -eu

folder=${1:?usage: tools/venv.sh FOLDER}

is_new_enough() {
    command -v "$1" >/dev/null 2>&1 &&
        "$1" -c "import sys; sys.exit(sys.version_info < (3, 11))" >/dev/null 2>&1
}

candidates=${PYTHON:-python3 python3.13 python3.12 python3.11}
python=
for candidate in $candidates; do
    if is_new_enough "$candidate"; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    echo "trickledger needs Python 3.11 or newer. Tried:" >&2
    for candidate in $candidates; do
        echo "  $candidate: $("$candidate" --version 2>/dev/null || echo not found)" >&2
    done
    echo "Install one, or say where it is: make PYTHON=/path/to/python3.12 …" >&2
    exit 1
fi

# Debian packs ensurepip apart from Python itself.
if ! "$python" -c "import ensurepip, venv" >/dev/null 2>&1; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        apt-get update -qq && apt-get install -y -qq python3-venv >/dev/null
    else
        echo "$python has no venv module. On Debian and Ubuntu: sudo apt-get install python3-venv" >&2
        exit 1
    fi
fi

rm -rf "$folder"
"$python" -m venv "$folder"
