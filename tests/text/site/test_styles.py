"""Check that the pages are readable: the contrast of all colours that meet, and the limits of the style sheet.

Comments are removed from the files that pages load, and nothing else.
"""

import re
from collections.abc import Iterable
from importlib.resources import files

import pytest

from ledger.text.site.files import STYLES, site_files
from tests.text.site.styles import READINGS, Reading, colour, contrast

SCRIPTS = sorted(one.name for one in (files("ledger.text.site") / "scripts").iterdir() if one.name.endswith(".js"))
SHEET = site_files()[STYLES].content.decode()
SUITS = ("S", "H", "D", "C")

TEXT = 4.5
"""WCAG 2.2, 1.4.3 (AA)."""
STRONG = 7.0
"""WCAG 2.2, 1.4.6 (AAA), for readers who ask for more contrast."""
SHAPE = 3.0
"""WCAG 2.2, 1.4.11: the parts that identify a control or a state."""

GROUNDS = ("paper", "sheet", "lamp-wash", "stamp-wash")

TEXTS = [
    *((written, ground) for written in ("ink", "stamp", *SUITS) for ground in GROUNDS),
    *(("pencil", ground) for ground in GROUNDS),
    ("paper", "ink"),
    ("on-lamp", "lamp"),
    ("on-baize", "baize"),
    ("on-baize", "plate"),
    *((f"card-{suit}", ground) for suit in SUITS for ground in ("card", "off", "odd")),
    ("badge", "card"),
    ("badge", "odd"),
]
SHAPES = [
    *(("focus", "paper"), ("focus", "sheet"), ("lamp", "baize"), ("lamp", "plate"), ("on-lamp", "lamp")),
    *(("card", "baize"), ("stamp", "paper"), ("ink", "sheet"), ("edge", "card"), ("back-lines", "back")),
]

ALL = pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.name)


def too_weak(pairs: Iterable[tuple[str, str]], reading: Reading, least: float) -> dict[tuple[str, str], float]:
    """Return the pairs of colours with less contrast than that."""
    contrasts = {pair: contrast(*(colour(name, reading) for name in pair)) for pair in pairs}
    return {pair: value for pair, value in contrasts.items() if value < least}


@ALL
def test_what_is_written_can_be_read(reading: Reading) -> None:
    assert too_weak(TEXTS, reading, STRONG if reading.is_strong else TEXT) == {}


@ALL
def test_what_is_drawn_can_be_seen(reading: Reading) -> None:
    assert too_weak(SHAPES, reading, SHAPE) == {}


@ALL
def test_grey_letters_are_for_old_eyes_too(reading: Reading) -> None:
    assert contrast(colour("pencil", reading), colour("paper", reading)) >= STRONG


@ALL
def test_more_contrast_is_never_less(reading: Reading) -> None:
    plain = Reading(reading.is_dark, False)
    for written, ground in TEXTS:
        strong, before = (contrast(colour(written, one), colour(ground, one)) for one in (reading, plain))
        assert strong >= before - 0.01, (written, ground)


@pytest.mark.parametrize(
    "foreign", ["http:", "https:", "url(", "@import", "@font-face", "light-dark(", "!ie", "expression("]
)
def test_the_style_sheet_loads_nothing_and_asks_for_no_new_phone(foreign: str) -> None:
    assert foreign not in SHEET


def test_lists_of_letters_end_in_what_every_device_has() -> None:
    lists = re.findall(r"--(sans|serif|mono):([^;]+);", SHEET)
    assert len(lists) == 6
    for name, families in lists:
        last = families.rpartition(",")[2].strip()
        assert last in ("sans-serif", "serif", "monospace", "var(--sans)"), name


def test_motion_is_only_for_who_did_not_ask_for_less() -> None:
    without = re.sub(r"@media \(prefers-reduced-motion: no-preference\) \{.*?\} \}", "", SHEET, flags=re.S)
    assert not re.search(r"\b(transition|animation)\b(?!: none)|scroll-behavior", without)


def test_letters_have_no_size_of_their_own() -> None:
    """Sizes are in `rem`, so the reader's own size wins. Pictures scale as a whole; print uses points."""
    screen = SHEET.partition("@media print")[0]
    sizes = re.findall(
        r"(?<![\w-])font(?:-size)?:\s*([^;}]+)",
        re.sub(r"\.(?:table|plate|slide|badge|on)\b[^{}]*\{[^}]*\}", "", screen),
    )
    assert sizes
    assert [one for one in sizes if re.search(r"\d(?:px|pt)\b", one)] == []


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_is_sent_with_all_its_lines_but_remarks(name: str) -> None:
    source = (files("ledger.text.site") / "scripts" / name).read_text(encoding="utf-8").splitlines()
    sent = site_files()[name].content.decode().splitlines()
    assert len(sent) == len(source)
    is_within = False
    for written, sent_line in zip(source, sent, strict=True):
        is_remark = is_within or written.strip().startswith(("//", "/**"))
        is_within = (is_within or written.strip().startswith("/**")) and not written.rstrip().endswith("*/")
        assert sent_line == ("" if is_remark else written)


def test_the_style_sheet_is_sent_with_all_its_rules() -> None:
    sources = sorted((files("ledger.text.site") / "styles").iterdir(), key=lambda one: one.name)
    written = "\n".join(one.read_text(encoding="utf-8") for one in sources)
    assert "/*" not in SHEET
    assert SHEET.count("{") == SHEET.count("}") == re.sub(r"/\*.*?\*/", "", written, flags=re.S).count("{")
