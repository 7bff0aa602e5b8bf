"""Names on their plates: whole where they fit, small where they are long, cut where even that does not do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.text.pictures.plates import shown_name

ROOM = 94.0


def test_a_short_name_stands_in_full_size() -> None:
    assert shown_name("Belinda", ROOM) == ("Belinda", False)


def test_a_longer_name_is_set_smaller_first() -> None:
    assert shown_name("Magdalena", ROOM) == ("Magdalena", True)


def test_a_name_that_fits_nowhere_ends_in_an_ellipsis() -> None:
    assert shown_name("Alexander Pope of Twickenham", ROOM) == ("Alexander…", True)


def test_japanese_signs_take_their_full_width() -> None:
    assert shown_name("山田花子", ROOM) == ("山田花子", False)
    assert shown_name("武者小路実篤", ROOM) == ("武者小路実篤", True)
    assert shown_name("勅使河原武者小路", ROOM) == ("勅使河原武…", True)


@pytest.mark.parametrize("joined", ["e\u0301", "か\u3099", "n\u0303"])
def test_a_letter_keeps_what_combines_with_it(joined: str) -> None:
    shown, _ = shown_name(joined * 40, ROOM)
    kept = shown.removesuffix("…")
    assert kept == joined * (len(kept) // len(joined))


@given(name=st.text(min_size=1, max_size=60), room=st.floats(30, 160))
def test_what_is_shown_is_the_name_or_its_beginning(name: str, room: float) -> None:
    shown, is_small = shown_name(name, room)
    assert shown == name or (is_small and name.startswith(shown.removesuffix("…")) and shown.endswith("…"))
