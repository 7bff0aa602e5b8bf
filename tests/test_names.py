"""Which names may be meant after a slip of the pen, wherever a name is asked for."""

from __future__ import annotations

import pytest

from ledger.errors import MalformedError
from ledger.names import hint, meant, readable_name

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


@pytest.mark.parametrize(
    "name",
    [
        "می\u200cرود",
        "علي\u064e\u200cها",
        "ക്\u200d",
        "र\u094d\u200cष",
        "র\u200d\u09cdয\u09beব",
        "👩🏽\u200d🚀",
        "🙂\u200d\u2194\ufe0f",
        "\u2764\ufe0f",
        "1\ufe0f\u20e3",
        "邉\U000e0100",
    ],
    ids=ascii,
)
def test_signs_that_a_script_or_an_emoji_needs_may_stand_in_a_name(name: str) -> None:
    assert readable_name("name", name) == name


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("An\u202ena", "U+202E"),
        ("\u061cعلي", "U+061C"),
        ("\u2066Anna\u2069", "U+2066"),
        ("An\u200bna", "U+200B"),
        ("An\u2060na", "U+2060"),
        ("\ufeffAnna", "U+FEFF"),
        ("An\u00adna", "U+00AD"),
        ("An\u200cna", "U+200C"),
        ("Anna\u200d", "U+200D"),
        ("علي\u200c", "U+200C"),
        ("👩\u200d\u200d🚀", "U+200D"),
        ("An\u034fna", "U+034F"),
        ("Anna\ufe0f", "U+FE0F"),
        ("\u2764\ufe0f\ufe0f", "U+FE0F"),
        ("Anna\u3164", "U+3164"),
        ("🏴\U000e0067", "U+E0067"),
    ],
    ids=ascii,
)
def test_no_other_sign_of_a_name_may_be_invisible(name: str, sign: str) -> None:
    with pytest.raises(MalformedError, match=f"a name without the sign {sign.replace('+', '[+]')}, "):
        readable_name("name", name)
