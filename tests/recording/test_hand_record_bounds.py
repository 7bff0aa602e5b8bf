"""What a hostile hand record takes of memory: no more than its size asks for, however it is nested."""

from __future__ import annotations

import tracemalloc

import pytest

from ledger.errors import MalformedError
from ledger.recording.hand.record import read_hand_record

HEAD = 'game = "ombre"\ntable = "t"\nplayers = ["Ann", "Ben", "Cleo"]\n'
DEEP = 400
ITEMS = 2_000


@pytest.mark.parametrize(
    "hostile",
    [
        "x = " + "[" * DEEP + "1," * ITEMS + "]" * DEEP,
        "x = " + "{a=" * (DEEP // 2) + "[" + "1," * ITEMS + "]" + "}" * (DEEP // 2),
    ],
    ids=["lists", "tables"],
)
def test_places_of_deeply_nested_values_do_not_fill_the_memory(hostile: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(MalformedError, match="line 4: unknown key: 'x'"):
            read_hand_record(HEAD + hostile, "file")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000


def test_a_fault_that_lies_deep_has_the_line_of_what_it_belongs_to() -> None:
    deep = "options = " + "{a=" * 20 + "1.5" + "}" * 20
    with pytest.raises(MalformedError, match="line 4"):
        read_hand_record(f"{HEAD}{deep}\n", "file")
