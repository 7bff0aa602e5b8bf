"""The pages of names: display names, links between spellings, and hidden people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.web.pages.forms import answer_to, sent, shown, text_of
from tests.web.serving import DIRECTOR, OMBRE, Served, ledger_with, serving

ZOE = "Zoë / 2"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Served]:
    other = {**OMBRE[0], "players": ["Anne", ZOE, "Gus"]}
    with serving(ledger_with(tmp_path, {"ours": OMBRE, "theirs": [other]})) as served:
        yield served


def act(served: Served, player: str, do: str, value: str = "", status: int = 303) -> str:
    return sent(served, f"/names/{quote(player, safe='')}", {"do": do, "value": value}, status, who=DIRECTOR).text


def test_a_display_name_is_shown_everywhere_until_it_is_erased(club: Served) -> None:
    act(club, ZOE, "name", "Zoë Smith")
    for path in ("/names", "/tables", "/t/theirs"):
        assert "Zoë Smith" in text_of(shown(club, path, who=DIRECTOR)), path
    act(club, ZOE, "erase")
    for path in ("/names", "/tables", "/t/theirs"):
        assert "Zoë Smith" not in shown(club, path, who=DIRECTOR), path


def test_alike_spellings_are_suggested_linked_and_taken_apart(club: Served) -> None:
    assert "Anne is Ann" in text_of(shown(club, "/names/Anne", who=DIRECTOR))
    act(club, "Anne", "link", "Ann")
    assert "Anne" in text_of(shown(club, "/names/Ann", who=DIRECTOR))
    assert "counts as this person: Ann" in text_of(shown(club, "/names/Anne", who=DIRECTOR))
    act(club, "Anne", "unlink")
    assert "counts as this person" not in shown(club, "/names/Anne", who=DIRECTOR)


def test_a_person_is_hidden_and_shown_again(club: Served) -> None:
    act(club, "Ann", "hide")
    assert "Others see only initials of Ann" in text_of(shown(club, "/names/Ann", who=DIRECTOR))
    act(club, "Ann", "show")
    assert "Others see only" not in shown(club, "/names/Ann", who=DIRECTOR)


@pytest.mark.parametrize(
    ("do", "value", "message"),
    [
        ("name", "", "Type a name"),
        ("name", "Ben", "another player in the record"),
        ("link", "Ben", "sat at the table ours"),
        ("link", "Nobody", "Nobody"),
        ("erase", "", "no display name"),
    ],
)
def test_what_cannot_be_changed_leaves_all_as_it_was(club: Served, do: str, value: str, message: str) -> None:
    page = act(club, "Ann", do, value, 422)
    assert message.casefold() in text_of(page).casefold() and f'href="#{do}"' in page
    assert answer_to(club, "GET", "/names/Nobody", DIRECTOR).status_code == 404
