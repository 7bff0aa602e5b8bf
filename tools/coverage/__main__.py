"""`python -m tools.coverage`: measures all games under both policies, two at a time, and writes the page."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, product

from ledger.games import registered_games
from tools.coverage.measuring import coverages
from tools.coverage.page import MINIMA, PAGE, minima, with_coverage
from tools.coverage.pools import POLICIES


def main() -> None:
    with ProcessPoolExecutor(2) as workers:
        measured = list(workers.map(coverages, *zip(*product(registered_games(), POLICIES), strict=True)))
    found = list(chain.from_iterable(measured))
    PAGE.write_text(with_coverage(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
    for kind, kinds in MINIMA.items():
        print(kind, minima(found, kinds), file=sys.stderr)


if __name__ == "__main__":
    main()
