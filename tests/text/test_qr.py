"""QR codes: the modules of the code, in whichever form they are shown."""

from __future__ import annotations

from xml.etree import ElementTree

import segno

from ledger.text.qr import qr_png, qr_svg, qr_text

LINK = "http://192.168.1.20:8000/sign-in#trk_" + "a" * 43 + "_00000000"
LIGHT = {"█": (True, True), "▀": (True, False), "▄": (False, True), " ": (False, False)}


def test_the_terminal_shows_every_module_dark_where_nothing_is_drawn() -> None:
    rows: list[list[bool]] = []
    for line in qr_text(LINK).splitlines():
        rows += [[LIGHT[sign][half] for sign in line] for half in (0, 1)]
    asked = segno.make(LINK, error="m", micro=False, boost_error=False)
    dark = [[bool(module) for module in row] for row in asked.matrix_iter(border=4)]
    assert [[not light for light in row] for row in rows][: len(dark)] == dark
    assert all(all(row) for row in rows[len(dark) :])


def test_pictures_can_be_read_as_such() -> None:
    assert ElementTree.fromstring(qr_svg(LINK)).tag.endswith("svg")
    assert qr_png(LINK).endswith(b"IEND\xaeB`\x82")


def test_another_link_is_another_picture() -> None:
    assert qr_text(LINK) != qr_text(LINK + "1")
    assert qr_svg(LINK) != qr_svg(LINK + "1")
