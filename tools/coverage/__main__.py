"""Measure all games in both clubs, two at a time, and write the page: `python -m tools.coverage`."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, product

from tools.coverage.measuring import coverages
from tools.coverage.page import PAGE, minima, with_coverage
from tools.coverage.pools import CLUBS, VARIANTS


def main() -> None:
    """Measure all games in both clubs, write the page, and print the figures."""
    with ProcessPoolExecutor(2) as workers:
        measured = list(workers.map(coverages, *zip(*product(VARIANTS, CLUBS), strict=True)))
    measured_rows = list(chain.from_iterable(measured))
    PAGE.write_text(with_coverage(PAGE.read_text(encoding="utf-8"), measured_rows), encoding="utf-8")
    for one in measured_rows:
        print(one.variant, one.club, one.kind, one.what, one.who, *one.shares.values(), sep="\t")
    for kind, least in minima(measured_rows).items():
        print(kind, least, file=sys.stderr)


if __name__ == "__main__":
    main()
