"""QR codes as text are read back, module for module, as the library that draws them has them."""

from __future__ import annotations

import segno

from ledger.text.qr import qr_lines

ADDRESS = "http://192.168.100.200:8750/"
HALVES = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}


def test_two_rows_of_modules_stand_in_a_line() -> None:
    expected = [list(row) for row in segno.make(ADDRESS, error="l", micro=False).matrix_iter(border=4)]
    read = [[HALVES[sign][half] for sign in line] for line in qr_lines(ADDRESS) for half in (0, 1)]
    assert read[: len(expected)] == expected
    assert read[len(expected) :] == [[0] * len(expected)]


def test_it_fits_a_terminal() -> None:
    lines = qr_lines(ADDRESS)
    assert len({len(line) for line in lines}) == 1
    assert len(lines) <= 20
    assert len(lines[0]) <= 40
