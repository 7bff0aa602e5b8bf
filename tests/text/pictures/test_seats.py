"""Cards in a room: as large as possible, side by side before one above the other, never outside, never overlapping.

Names on their plates: whole if they fit, small if they are long, cut if small letters do not fit.
"""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.text.pictures.seats import GAP, Place, Room, places_in, shown_name
from tests.text.pictures.drawn import Box

PLATE = 94.0
SIDES = st.sampled_from(("left", "mid", "right"))


def box_of(place: Place) -> Box:
    return Box(place.x, place.y, place.x + 28 * place.scale, place.y + 40 * place.scale)


@given(
    count=st.integers(1, 40),
    width=st.integers(60, 390),
    height=st.integers(20, 220),
    scale_max=st.floats(0.8, 2),
    side=SIDES,
)
def test_no_card_leaves_its_room_or_lies_on_another(
    count: int, width: int, height: int, scale_max: float, side: str
) -> None:
    room = Room(10, 20, width, height, scale_max, side)
    places = places_in(room, count)
    assert len(places) == count
    boxes = [box_of(place) for place in places]
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
