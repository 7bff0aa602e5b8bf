"""QR codes have the same modules in every form."""

from __future__ import annotations

from xml.etree import ElementTree

import segno

from ledger.text.qr import qr_file, qr_lines

LINK = "http://192.168.1.20:8000/sign-in#trk_" + "a" * 43 + "_00000000"
DARK = {"█": (True, True), "▀": (True, False), "▄": (False, True), " ": (False, False)}


def test_lines_show_every_module_two_in_a_sign() -> None:
    rows = [[DARK[sign][half] for sign in line] for line in qr_lines(LINK) for half in (0, 1)]
    expected = segno.make(LINK, error="l", micro=False)
    modules = [[bool(module) for module in row] for row in expected.matrix_iter(border=4)]
    assert rows[: len(modules)] == modules
    assert not any(map(any, rows[len(modules) :]))


def test_pictures_can_be_read_as_such() -> None:
    assert ElementTree.fromstring(qr_file(LINK, "svg")).tag.endswith("svg")
    assert qr_file(LINK, "png").endswith(b"IEND\xaeB`\x82")


def test_another_link_is_another_picture() -> None:
    assert qr_lines(LINK) != qr_lines(LINK + "1")
    assert qr_file(LINK, "svg") != qr_file(LINK + "1", "svg")
