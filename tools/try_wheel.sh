#!/bin/sh
# Tries the wheel that is installed for PYTHON, in an environment that need hold nothing else: `commands` runs some from an
# empty folder, `pages` serves and opens them (extra `serve`), `rules` runs their tests, which want the extra `test`.
# For `make test-wheel` and for each build of a release.
set -eu

python=${1:?usage: tools/try_wheel.sh PYTHON commands|pages|rules}
part=${2:?usage: tools/try_wheel.sh PYTHON commands|pages|rules}
project=$(cd "$(dirname "$0")/.." && pwd)
case $python in */*) python=$(cd "$(dirname "$python")" && pwd)/$(basename "$python") ;; esac
unset PYTHONPATH

where() { "$python" -P -c "import sysconfig; print(sysconfig.get_path('$1'))"; }

fail() {
    echo "*** $* ***" >&2
    exit 1
}

commands() {
    trickledger=$(where scripts)/trickledger
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    cd "$folder"

    case $("$python" -P -c 'import ledger.table.fold as fold; print(fold.__file__)') in
        *.py) fail "the state machines of this wheel are not compiled" ;;
    esac
    for file in licenses/LICENSE licenses/THIRD-PARTY.md licenses/ledger/text/site/vendored/htmx/LICENSE licenses/ledger/plots/vendored/letters/LICENSE; do
        "$python" -P -c "from importlib.metadata import files; assert any(str(one).endswith('.dist-info/$file') for one in files('trickledger'))" ||
            fail "the wheel lacks $file"
    done
    "$trickledger" --help >help.txt
    "$trickledger" examples
    "$trickledger" init
    "$trickledger" import examples/ombre/rape-of-the-lock.toml
    "$trickledger" score rape-of-the-lock
    "$trickledger" verify
    "$trickledger" demo >demo.txt || { cat demo.txt && fail "demo ended with an error"; }
    status=0
    "$trickledger" --ledger trickledger-demo/club.ledger stats ratings >ratings.txt 2>&1 || status=$?
    [ "$status" = 2 ] && grep -q "install .*/trickledger-.*\.whl\[ratings\]'" ratings.txt ||
        fail "ratings without their extra: status $status, $(cat ratings.txt)"
}

pages() {
    "$python" -P "$project/tools/try_pages.py" "$(where scripts)/trickledger"
}

rules() {
    cd "$project"
    # What is installed stands before the checkout, from which come the tests alone.
    TRICKLEDGER_BUILD=compiled "$python" -P -m pytest -q -n 2 -p no:cacheprovider -o pythonpath="$(where platlib) ." \
        tests/test_compiled.py tests/games tests/test_replays.py
}

case $part in
    commands | pages | rules) "$part" ;;
    *) fail "tools/try_wheel.sh PYTHON commands|pages|rules" ;;
esac
