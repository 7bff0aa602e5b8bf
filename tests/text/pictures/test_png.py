"""PNG pictures have the requested size and every character; cards in a room are as large as possible, never outside."""

import struct
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

import ledger
from ledger.errors import MalformedError, NotFoundError
from ledger.text.pictures import png
from ledger.text.pictures.moment import moment_at
from ledger.text.pictures.png import Font, fonts_for, latin_font, preferred_font
from ledger.text.pictures.seats import GAP, Room, places_in, shown_name
from ledger.text.pictures.table import table_svg
from tests.hand_records import REPLAYS, fold_of, record_in
from tests.text.pictures.drawn import Box

MOMENT = moment_at(fold_of(record_in(REPLAYS / "ombre" / "revoke.toml")), 1, 24, "ja")


def picture_of(*players: str) -> str:
    return table_svg(structs.replace(MOMENT, players=players))


@pytest.mark.parametrize("scale", range(1, 5))
def test_a_picture_has_the_requested_size(scale: int) -> None:
    picture = ledger.picture_png(table_svg(MOMENT), scale)
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", picture[16:24]) == (400 * scale, 440 * scale)


@pytest.mark.parametrize("scale", [0, -1, 5, 1000])
def test_a_scale_out_of_bounds_is_refused(scale: int) -> None:
    with pytest.raises(MalformedError) as refused:
        ledger.picture_png(table_svg(MOMENT), scale)
    assert refused.value.code == "malformed"
    assert refused.value.values == {"where": "scale", "text": str(scale), "expected": "a scale from 1 to 4"}


def test_the_same_picture_is_the_same_bytes() -> None:
    assert ledger.picture_png(table_svg(MOMENT)) == ledger.picture_png(table_svg(MOMENT))


def test_another_japanese_name_is_another_picture() -> None:
    """If the characters were drawn as empty boxes, the two would look the same."""
    hanako, taro = (ledger.picture_png(picture_of(name, "Ben", "Cleo")) for name in ("花子", "太郎"))
    assert hanako != taro


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> list[Font]:
    """Let a test choose the fonts of the system."""
    fonts: list[Font] = []
    monkeypatch.setattr(png, "_system_fonts", lambda: iter(fonts))
    return fonts


def font_with(signs: str) -> Font:
    return Font(Path(f"{signs}.ttf"), signs, frozenset(signs))


@pytest.mark.parametrize("name", ["Zoë", "花子", "Жуковский"])
def test_a_name_of_usual_signs_is_set_in_the_preferred_font(name: str, system: list[Font]) -> None:
    assert fonts_for(name) == [preferred_font()]


def test_a_name_that_lacks_a_sign_there_is_set_wholly_in_a_font_that_has_all(system: list[Font]) -> None:
    system += [font_with("Արա"), font_with("Արամ")]
    assert fonts_for("Արամ") == [font_with("Արամ")]


@pytest.mark.parametrize("name", ["Ćwierć", "Łukasz Żółć", "Gęś 花子"])
def test_latin_letters_are_in_one_face_where_the_system_has_no_font(name: str, system: list[Font]) -> None:
    """Noto Sans JP has C and an accent but no Ć: resvg would compose it, with the accent beside the letter."""
    first, *others = fonts_for(name)
    assert first == latin_font() and set(others) <= {preferred_font()}
    assert ledger.picture_png(picture_of(name, "Ben", "Cleo")) != ledger.picture_png(picture_of("Gęs", "Ben", "Cleo"))


def test_a_name_that_no_font_has_whole_is_set_in_several(system: list[Font]) -> None:
    system += [font_with("րա"), font_with("Ար")]
    assert fonts_for("Ար 花子") == [preferred_font(), font_with("Ար")]


def test_a_sign_that_no_font_has_is_an_error(system: list[Font]) -> None:
    with pytest.raises(NotFoundError) as refused:
        ledger.picture_png(picture_of("Արամ", "Ben", "Cleo"))
    assert refused.value.code == "not_installed"
    assert str(refused.value) == (
        "no font on this machine has the character Ա of Արամ; install one that has it (Debian: fonts-noto-core)"
    )


def test_what_is_not_drawn_wants_no_font(system: list[Font]) -> None:
    assert fonts_for("Ann\u200d\u200e \ufe0fB") == [preferred_font()]


def test_a_name_in_another_font_is_drawn(system: list[Font], monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra's serif font replaces the font of the system here and is said to have the missing character."""
    monkeypatch.setattr(png, "latin_font", lambda: font_with(""))
    serif = png.font_in(preferred_font().path.with_name("NotoSerifJP-Regular.otf"))
    assert serif.family
    system.append(serif._replace(signs=frozenset("Łukasz")))
    drawn = ledger.picture_png(picture_of("Łukasz", "Ben", "Cleo"))
    system[0] = preferred_font()._replace(signs=frozenset("Łukasz"))
    assert drawn != ledger.picture_png(picture_of("Łukasz", "Ben", "Cleo"))


def test_a_broken_font_of_the_system_has_no_sign(tmp_path: Path) -> None:
    (tmp_path / "Broken.ttf").write_bytes(b"no font")
    assert png.font_in(tmp_path / "Broken.ttf").signs == frozenset()


@pytest.mark.parametrize("package", ["resvg_py", "pylopdf_fonts_jp"])
def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(NotFoundError) as refused:
        ledger.picture_png(table_svg(MOMENT))
    assert refused.value.code == "not_installed"
    assert "[serve]" in str(refused.value)


PLATE = 94.0
SIDES = st.sampled_from(("left", "mid", "right"))


@given(
    count=st.integers(1, 40),
    width=st.integers(60, 390),
    height=st.integers(20, 220),
    scale_max=st.floats(0.8, 2),
    side=SIDES,
)
def test_cards_stay_in_their_room_and_apart(count: int, width: int, height: int, scale_max: float, side: str) -> None:
    room = Room(10, 20, width, height, scale_max, side)
    places = places_in(room, count)
    assert len(places) == count
    boxes = [Box(place.x, place.y, place.x + 28 * place.scale, place.y + 40 * place.scale) for place in places]
    if min(place.scale for place in places) <= 0:
        return
    around = Box(room.x - 0.02, room.y - 0.02, room.x + width + 0.02, room.y + height + 0.02)
    assert all(box.is_within(around) for box in boxes)
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert all(place.scale <= scale_max for place in places)


def test_a_hand_that_fits_in_one_row_has_the_largest_size() -> None:
    places = places_in(Room(0, 0, 200, 60, 1.4), 4)
    assert {place.scale for place in places} == {1.4}
    assert {place.y for place in places} == {0.0}


def test_a_row_is_moved_to_its_side() -> None:
    width = 28 * 2 + GAP
    (left, _), (mid, _), (right, _) = (places_in(Room(0, 0, 100, 40, 1, side), 2) for side in ("left", "mid", "right"))
    assert (left.x, mid.x, right.x) == (0, round((100 - width) / 2, 2), round(100 - width, 2))


def test_no_cards_take_no_places() -> None:
    assert places_in(Room(0, 0, 100, 40, 1), 0) == ()


@pytest.mark.parametrize(("name", "shown", "is_small"), [
    ("Belinda", "Belinda", False), ("Magdalena", "Magdalena", True),
    ("Alexander Pope of Twickenham", "Alexander…", True), ("山田花子", "山田花子", False),
    ("武者小路実篤", "武者小路実篤", True), ("勅使河原武者小路", "勅使河原武…", True),
])  # fmt: skip
def test_a_long_name_is_set_smaller_and_then_cut(name: str, shown: str, is_small: bool) -> None:
    assert shown_name(name, PLATE) == (shown, is_small)


@pytest.mark.parametrize("joined", ["e\u0301", "か\u3099", "n\u0303"])
def test_a_letter_keeps_what_combines_with_it(joined: str) -> None:
    shown, _ = shown_name(joined * 40, PLATE)
    beginning = shown.removesuffix("…")
    assert beginning == joined * (len(beginning) // len(joined))


@given(name=st.text(min_size=1, max_size=60), room=st.floats(30, 160))
def test_what_is_shown_is_the_name_or_its_beginning(name: str, room: float) -> None:
    shown, is_small = shown_name(name, room)
    assert shown == name or (is_small and name.startswith(shown.removesuffix("…")) and shown.endswith("…"))
