"""Measure all games in both clubs, two at a time; store the summary and write the page: `python -m tools.coverage`."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, product

from tools.coverage.measuring import coverages
from tools.coverage.page import write_page
from tools.coverage.pools import CLUBS, VARIANTS
from tools.coverage.summary import summarise, write


def main() -> None:
    """Measure all games in both clubs, store the summary, write the page, and print the figures."""
    with ProcessPoolExecutor(2) as workers:
        measured = list(workers.map(coverages, *zip(*product(VARIANTS, CLUBS), strict=True)))
    measured_rows = list(chain.from_iterable(measured))
    summary = summarise(measured_rows)
    write(summary)
    write_page()
    for one in measured_rows:
        print(one.variant, one.club, one.kind, one.what, one.who, *one.shares.values(), sep="\t")
    for kind, least in summary.minima.items():
        print(kind, least, file=sys.stderr)


if __name__ == "__main__":
    main()
