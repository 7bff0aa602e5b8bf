"""Titles of evenings and tables and names of people: titles are shown, slugs are in addresses; people can be hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from ledger.access.grants import Grant
from ledger.events import Corrected, SessionOpened
from ledger.text.site.catalogue import table_title
from tests.web.attacking import attacked
from tests.web.pages.forms import answer_to, led_to, sent, shown, text_of
from tests.web.serving import ADMIN, DIRECTOR, OMBRE, Served, ledger_of, ledger_with, serving, stored_events

OPENER = Grant(token="opener", role="director", may_open=True)
THURSDAY = "木曜会"
DAY = "2026-11-26"
TABLE = f"{DAY}-1"
OF_A_TABLE = (
    f"/t/{TABLE}", f"/t/{TABLE}/1", f"/t/{TABLE}/1/readings", f"/embed/{TABLE}/1/1", f"/record/{TABLE}",
    f"/record/{TABLE}/deal", f"/record/{TABLE}/start", f"/record/{TABLE}/close",
)  # fmt: skip
LISTS = ("/tables", "/tables?q=%C2%B7", "/record", f"/record/sessions/{DAY}/close", "/table-cards")

STREAMS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    f"session/{DAY}": [{"type": "session_opened", "title": THURSDAY, "date": DAY}],
    TABLE: [{**OMBRE[0], "session": DAY}, *OMBRE[1:]],
    "by-the-window": [{**OMBRE[0], "session": DAY}],
    "friends": [OMBRE[0]],
}


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Served]:
    with serving(ledger_with(tmp_path, STREAMS)) as served:
        yield served


def test_a_table_is_called_by_its_number_in_its_evening_or_by_its_name() -> None:
    assert table_title("friday-2", "friday", "Friday", "en") == "Friday · table 2"
    assert table_title("friday-2", "friday", "金曜会", "ja") == "金曜会 · 卓2"
    assert table_title("by-the-window", "friday", "Friday", "en") == "Friday · by-the-window"
    assert table_title("friday-2-1", "friday", "Friday", "en") == "Friday · friday-2-1"
    assert table_title("friends", None, None, "en") == "friends"
    assert table_title("friday-2", "friday", None, "en") == "friday-2"


@pytest.mark.parametrize("path", OF_A_TABLE)
def test_a_page_of_a_table_says_the_title_of_the_evening(evening: Served, path: str) -> None:
    page = shown(evening, path, who=DIRECTOR)
    title = re.search(r"<title>(.*?)</title>", page, re.DOTALL)
    assert f"{THURSDAY} · table 1" in text_of(page) and TABLE not in text_of(page)
    assert title is not None and TABLE not in title[1]


@pytest.mark.parametrize("path", LISTS)
def test_a_list_says_the_title_of_the_evening(evening: Served, path: str) -> None:
    text = text_of(shown(evening, path, who=ADMIN))
    assert f"{THURSDAY} · table 1" in text and f"{THURSDAY} · by-the-window" in text
    assert TABLE not in text


@pytest.mark.parametrize("path", [f"/sessions/{DAY}", "/sessions"])
def test_a_page_of_the_evening_says_its_title_once(evening: Served, path: str) -> None:
    text = text_of(shown(evening, path, who=ADMIN))
    assert THURSDAY in text and "Table 1" in text and "by-the-window" in text and f"{THURSDAY} ·" not in text[40:]


def test_an_evening_is_chosen_by_its_title(evening: Served) -> None:
    page = shown(evening, "/record/new?game=ombre&seats=3", who=OPENER)
    assert re.search(rf'<option value="{DAY}"[^>]*>{THURSDAY}</option>', page)


def test_a_printed_card_says_the_title_of_its_table(tmp_path: Path) -> None:
    wanted = {"tables": f"{TABLE} not-opened", "address": "http://192.168.1.20"}
    with attacked(ledger_with(tmp_path, STREAMS)) as service:
        page = service.browse("/table-cards", form=wanted, token=service.token("admin", "admin")).body.decode()
    assert f"<h2>{THURSDAY} · table 1</h2>" in page and "<h2>not-opened</h2>" in page and TABLE not in text_of(page)


def test_who_is_bound_to_the_table_reads_the_title_of_its_evening_too(evening: Served) -> None:
    bound = Grant(token="bound", role="recorder", tables=(TABLE,))
    for path in (f"/record/{TABLE}", f"/t/{TABLE}", "/sign-in"):
        text = text_of(shown(evening, path, who=bound))
        assert f"{THURSDAY} · table 1" in text and "by-the-window" not in text


def test_a_new_title_of_the_evening_is_shown_at_once(evening: Served) -> None:
    pages = (f"/t/{TABLE}", f"/t/{TABLE}/1", f"/record/{TABLE}", "/tables")
    for path in pages:
        assert THURSDAY in shown(evening, path, who=DIRECTOR)
    (opened,) = stored_events(evening.ledger, f"session/{DAY}")
    assert isinstance(opened, SessionOpened)
    renamed = SessionOpened(title="忘年会", date=DAY)
    evening.record(f"session/{DAY}", Corrected(version=1, action="replace", reason="renamed", events=(renamed,)))
    for path in pages:
        page = shown(evening, path, who=DIRECTOR)
        assert "忘年会 · table 1" in page and THURSDAY not in page


def test_an_evening_in_another_script_gets_an_address_of_its_date(tmp_path: Path) -> None:
    fields = {"game": "ombre", "seats": "3", "p0": "葵", "p1": "陽", "p2": "凛", "session": "new", "title": THURSDAY}
    with serving(ledger_of(tmp_path)) as served:
        for number in ("", "-2"):
            there = led_to(sent(served, "/record/new", {**fields, "date": DAY}, who=OPENER))
            assert there == f"/record/{DAY}{number}-1/start"
            page = answer_to(served, "GET", there, OPENER, headers={"accept-language": "ja"}).text
            assert f"{THURSDAY} · 卓1" in text_of(page)


def test_a_substitute_is_listed_with_the_points_of_the_deals_that_they_played(tmp_path: Path) -> None:
    def deal(number: int, ombre: int, *tricks: int) -> list[Mapping[str, Any]]:
        outcome = {"ombre": ombre, "contract": "entrada", "trump": "S", "tricks": tricks}
        started = {"type": "deal_started", "deal": number, "dealer": (number + 1) % 3}
        return [started, {"type": "result_recorded", "outcome": outcome}]

    seated = {"type": "player_seated", "seat": 2, "player": "Gil"}
    played = [OMBRE[0], *deal(1, 0, 5, 2, 2), seated, *deal(2, 1, 2, 3, 4)]
    with serving(ledger_with(tmp_path, {"t": played})) as served:
        third = OMBRE[0]["players"][2]
        assert f"{third} −5 , Gil +20" in text_of(shown(served, "/tables"))
        page = text_of(shown(served, "/t/t"))
        assert f"{third} → Gil" in page and f"{third} −5, Gil +20" in page
        assert "totals of the seats after this deal" in text_of(shown(served, "/t/t/1"))
        assert f"{third} → Gil" in text_of(shown(served, "/t/t/1/readings"))


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


@pytest.mark.parametrize(("do", "value", "message"), [
    ("name", "", "Type a name"),
    ("name", "Ben", "another player in the record"),
    ("link", "Ben", "sat at the table ours"),
    ("link", "Nobody", "Nobody"),
    ("erase", "", "no display name"),
])  # fmt: skip
def test_what_cannot_be_changed_leaves_all_as_it_was(club: Served, do: str, value: str, message: str) -> None:
    page = act(club, "Ann", do, value, 422)
    assert message.casefold() in text_of(page).casefold() and f'href="#{do}"' in page
    assert answer_to(club, "GET", "/names/Nobody", DIRECTOR).status_code == 404
