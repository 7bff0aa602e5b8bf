"""Which names may be meant after a slip of the pen, wherever a name is asked for."""

from __future__ import annotations

import pytest

from ledger.names import hint, meant

TABLES = ["ombre-1", "ombre-revoke", "kop-match-official", "spring"]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("ombre-revok", ["ombre-revoke"]),
        ("OMBRE-REVOKE", ["ombre-revoke"]),
        ("ombre_revoke", ["ombre-revoke"]),
        ("revoke", ["ombre-revoke"]),
        ("official", ["kop-match-official"]),
        ("sprnig", ["spring"]),
        ("winter", []),
        ("o", []),
        ("", []),
    ],
)
def test_what_is_spelled_alike_or_holds_all_of_it_is_meant(asked: str, found: list[str]) -> None:
    assert meant(asked, TABLES) == found


def test_names_of_persons_are_compared_without_capitals_and_as_one_form() -> None:
    assert meant("LUCIA", ["Lucía", "Ann"]) == ["Lucía"]
    assert meant("u\u0308mit", ["Ümit"]) == ["Ümit"]


def test_three_at_most_are_told_the_likeliest_first() -> None:
    assert meant("ombre-2", [f"ombre-{number}" for number in range(10, 30)] + ["ombre-2"])[0] == "ombre-2"
    assert len(meant("ombre-2", [f"ombre-{number}" for number in range(10, 30)])) == 3


def test_where_none_is_near_something_else_is_said() -> None:
    assert str(hint("winter", TABLES, "trickledger tables lists them")) == "trickledger tables lists them"
    assert str(hint("sprin", TABLES, "")) == "perhaps spring"
