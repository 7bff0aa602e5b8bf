"""The director's desk lists what waits, with its next step; entries can be corrected, with a preview of the effect."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from ledger.access.grants import Grant
from ledger.events import (
    CardPlayed,
    CardsDealt,
    Corrected,
    DealStarted,
    DisputeRaised,
    HandsOpened,
    SessionClosed,
    SessionOpened,
    TableClosed,
    TableOpened,
)
from ledger.log.base import utc_now
from ledger.table.corrections import corrected_reading
from tests.cli.commands import REVOKE
from tests.web.pages.forms import hidden_in, led_to, sent, shown, text_of
from tests.web.roles import DIRECTOR, RECORDER, SEER, VIEWER
from tests.web.serving import OMBRE, Served, ledger_of, ledger_with, serving, stored_events, stored_rows

TABLE = "ombre-revoke"
OPEN = "open"
BEFORE_ALL = utc_now()


@pytest.fixture(autouse=True)
def _nothing_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the clock of the desk; the ledgers of tests are copies, and may have been made many minutes ago."""
    monkeypatch.setattr("ledger.web.pages.desk.utc_now", lambda: BEFORE_ALL)


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Served]:
    with serving(ledger_of(tmp_path, REVOKE)) as served:
        yield served


def waiting(served: Served, who: Grant = DIRECTOR) -> list[str]:
    """Return the texts of what waits."""
    page = shown(served, "/desk", who=who)
    (listed,) = re.findall(r'<ol class="waits">(.*?)</ol>', page, re.DOTALL) or [""]
    return [text_of(one).strip() for one in re.findall(r"<li\b[^>]*>(.*?)</li>", listed, re.DOTALL)]


def linked(served: Served, text: str, who: Grant = DIRECTOR) -> str:
    """Return the address of the first link with that text."""
    match = re.search(rf'href="([^"]*)"[^>]*>{text}</a>', shown(served, "/desk", who=who))
    assert match is not None, text
    return match[1]


def rule(served: Served, path: str, **fields: str) -> None:
    page = shown(served, path, who=DIRECTOR)
    version = re.search(r'name="version" value="(\d+)"', page)
    assert version is not None
    form = {"version": version[1], "kind": "stands", "text": "as it is", "do": "record", **fields}
    sent(served, path.partition("?")[0], form, who=DIRECTOR)


def test_a_finding_waits_until_it_is_ruled(club: Served) -> None:
    (item,) = waiting(club)
    assert item.startswith("Finding ombre-revoke, deal 1") and "did not follow suit" in item
    assert linked(club, "Rule on it") == f"/t/{TABLE}/1/ruling?about=25"
    rule(club, linked(club, "Rule on it"))
    assert waiting(club) == []
    assert "as it is" in text_of(shown(club, "/desk", who=DIRECTOR)), "it is among the last rulings"


def test_a_dispute_waits_in_place_of_the_finding_until_it_is_ruled(club: Served) -> None:
    club.record(TABLE, DisputeRaised(deal=1, text="he had a diamond", seat=0))
    (item,) = waiting(club)
    assert item.startswith("Dispute") and "he had a diamond" in item and "raised by Belinda" in item
    assert linked(club, "Open the case") == f"/t/{TABLE}/disputes/39"
    rule(club, f"/t/{TABLE}/disputes/39", kind="adjust", s0="10", s1="-10")
    assert waiting(club) == []


def test_a_stale_ruling_waits_for_another(club: Served) -> None:
    rule(club, f"/t/{TABLE}/1/ruling", kind="adjust", s0="10", s1="-10")
    events = [{"type": "card_played", "seat": 1, "card": card} for card in ("D4", "H2")]
    for number, (version, event) in enumerate(zip((25, 27), events, strict=True)):
        club.post(
            f"/tables/{TABLE}/corrections",
            {"id": f"0193b3c0-0000-7000-8000-00000000004{number}", "version": version, "action": "replace",
             "events": [event], "reason": "changed about", "expected_version": 39 + number},
            who=DIRECTOR,
        )  # fmt: skip
    item = next(one for one in waiting(club) if one.startswith("Stale"))
    assert "The record was corrected later, by entry 40" in item
    readings = linked(club, "Compare the readings")
    assert f'href="/t/{TABLE}/1/ruling">Rule again' in shown(club, readings, who=DIRECTOR)
    assert "Rule again" not in shown(club, readings, who=VIEWER)
    rule(club, linked(club, "Rule again"), kind="replace", s0="-20", s1="0", s2="15", pool="5")
    assert not any(one.startswith("Stale") for one in waiting(club))


def test_hands_that_are_over_are_shown_by_who_may_see_them(tmp_path: Path) -> None:
    opened = TableOpened(game="kop", players=("Ann", "Ben", "Cleo", "Dora"))
    hands = (("CA",), None, None, None)
    events = [opened, DealStarted(deal=1, dealer=0), CardsDealt(hands=hands), TableClosed()]
    with serving(ledger_with(tmp_path, {"t": events})) as served:  # type: ignore[dict-item]
        assert any("Hands" in one and "Anyone who may see" in one for one in waiting(served))
        sent(served, "/desk", {"do": "open_hands", "table": "t"}, 403, DIRECTOR)
        assert "Show the hands to everybody" in " ".join(waiting(served, SEER))
        assert led_to(sent(served, "/desk", {"do": "open_hands", "table": "t", "version": "4"}, who=SEER)) == "/desk"
        assert stored_events(served.ledger, "table/t")[-1] == HandsOpened(deal=1)
        assert not any("Hands" in one for one in waiting(served, SEER))


def test_a_quiet_table_is_named_and_an_open_one_can_be_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ahead = timedelta()
    path = ledger_with(tmp_path, {OPEN: OMBRE})
    last_at = datetime.fromisoformat(stored_rows(path, f"table/{OPEN}")[-1].recorded_at)
    monkeypatch.setattr("ledger.web.pages.desk.utc_now", lambda: last_at + ahead)
    with serving(path) as served:
        assert waiting(served) == []
        room = text_of(shown(served, "/desk", who=DIRECTOR))
        assert "holds up proofs" in room and "just now" in room
        ahead = timedelta(minutes=9, seconds=30)
        (quiet,) = waiting(served)
        assert quiet.startswith("Quiet open 9 min") and "recording devices connected: 0" in quiet
        ahead = timedelta(hours=13)
        (left,) = waiting(served)
        assert left.startswith("Left open open 13 h") and "end before the open deal" in left
        assert linked(served, "Close the table") == f"/record/{OPEN}/close"


def test_a_table_and_an_evening_are_reopened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.web.pages.desk._WATCHED_MAX", 0)  # a large evening may have more tables
    table = [TableOpened(game="kop", players=("Ann", "Ben", "Cleo", "Dora"), session="s"), TableClosed()]
    evening = [SessionOpened(title="Thursday", date="2026-03-05"), SessionClosed()]
    streams = {"session/s": evening, "s-1": table}
    with serving(ledger_with(tmp_path, streams)) as served:  # type: ignore[arg-type]
        page = shown(served, "/desk", who=DIRECTOR)
        form = {"do": "reopen_evening", "session": "s", "ids": hidden_in(page, "ids")}
        assert "Reopen Thursday" in text_of(page)
        assert [led_to(sent(served, "/desk", form, who=DIRECTOR)) for _ in range(2)] == ["/desk"] * 2
        assert "Reopen Thursday · table 1" in text_of(shown(served, "/desk", who=DIRECTOR))
        sent(served, "/desk", {"do": "reopen_table", "table": "s-1", "version": "1"}, 422, DIRECTOR)
        sent(served, "/desk", {"do": "reopen_table", "table": "s-1", "version": "2"}, who=DIRECTOR)
        for stream in ("session/s", "table/s-1"):
            last = stored_events(served.ledger, stream)[-1]
            assert isinstance(last, Corrected) and (last.version, last.action) == (2, "strike")
        assert "One open table." in text_of(shown(served, "/desk", who=DIRECTOR))
        sent(served, "/desk", {"do": "reopen_evening", "session": "nowhere"}, 404, DIRECTOR)


def test_a_dispute_waits_even_at_a_table_of_long_ago(club: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    club.record(TABLE, DisputeRaised(deal=1, text="long ago", seat=0), TableClosed())
    for table in ("later-1", "later-2"):
        club.record(table, TableOpened(game="kop", players=("Ann", "Ben", "Cleo", "Dora")), TableClosed())
    monkeypatch.setattr("ledger.web.pages.desk._WATCHED_MAX", 1)
    assert waiting(club) == [], "the read model is not there yet"
    club.ok("/sessions", who=DIRECTOR)
    assert ["long ago" in item for item in waiting(club)] == [True]


def test_only_the_desk_itself_comes_to_htmx(club: Served) -> None:
    part = shown(club, "/desk", who=DIRECTOR, headers={"hx-request": "true"})
    assert part.lstrip().startswith('<div id="desk"') and "<html" not in part


ENTRIES = f"/t/{TABLE}/1/entries"


def path(version: int) -> str:
    return f"/t/{TABLE}/entries/{version}/correct"


def filled(club: Served, version: int, **fields: str) -> dict[str, str]:
    page = shown(club, path(version), who=DIRECTOR)
    seen = {name: hidden_in(page, name) for name in ("version", "ids")}
    return {**seen, "action": "replace", "reason": "misread", "do": "record", **fields}


def preview(club: Served, version: int, **fields: str) -> str:
    page = sent(club, path(version), filled(club, version, do="", reason="", **fields), 200, DIRECTOR).text
    return text_of(page[page.index('id="preview"') :])


def read_at(club: Served, version: int) -> list[object]:
    events = stored_events(club.ledger, f"table/{TABLE}")
    return [event for at, event in corrected_reading(list(enumerate(events, 1))) if at == version]


def test_what_the_preview_shows_is_recorded_and_is_in_the_list(club: Served) -> None:
    assert "Baron ♥2 → ♦4" in preview(club, 25, words="D4")
    assert len(stored_events(club.ledger, f"table/{TABLE}")) == 38, "a preview records nothing"
    form = filled(club, 25, words="Baron: D4")
    for _ in range(2):  # a form that is sent twice is recorded once
        assert led_to(sent(club, path(25), form, who=DIRECTOR)) == f"{ENTRIES}#e25"
    assert read_at(club, 25) == [CardPlayed(seat=1, card="D4")]
    page = text_of(shown(club, ENTRIES, who=DIRECTOR))
    assert "25 Baron ♥2 ≠ Corrected Baron ♦4 by entry 39: misread" in page
    sent(club, path(25), filled(club, 25, action="restore"), who=DIRECTOR)
    assert read_at(club, 25) == [CardPlayed(seat=1, card="H2")]


def test_entries_are_struck_and_others_put_behind_them(club: Served) -> None:
    sent(club, path(38), filled(club, 38, action="strike"), who=DIRECTOR)
    assert read_at(club, 38) == []
    assert "nothing by entry 39: misread" in text_of(shown(club, ENTRIES, who=DIRECTOR))
    note = '{"type": "noted", "text": "late"}'
    sent(club, path(37), filled(club, 37, action="insert_after", words=note), who=DIRECTOR)
    assert len(read_at(club, 37)) == 2


def test_the_hands_are_offered_in_the_words_that_a_correction_takes(club: Served) -> None:
    words = shown(club, path(3), who=DIRECTOR).partition('spellcheck="false">')[2].partition("<")[0]
    assert words.startswith("Belinda: ")
    sent(club, path(3), filled(club, 3, words=words.replace("HK", "??")), who=DIRECTOR)
    (dealt,) = read_at(club, 3)
    assert isinstance(dealt, CardsDealt) and dealt.hands[0] is not None and "??" in dealt.hands[0]


def test_a_ruling_that_becomes_stale_is_named_before(club: Served) -> None:
    body = {"id": "0193b3c0-0000-7000-8000-000000000039", "deal": 1, "kind": "adjust", "text": "a fine",
            "deltas": [10, -10, 0], "expected_version": 38}  # fmt: skip
    club.post(f"/tables/{TABLE}/rulings", body, who=DIRECTOR)
    assert "the ruling of entry 39" in preview(club, 25, words="D4")
    assert "better to rule again" in text_of(shown(club, path(39), who=DIRECTOR))
    sent(club, path(39), filled(club, 39, action="strike"), who=DIRECTOR)
    assert isinstance(stored_events(club.ledger, f"table/{TABLE}")[-1], Corrected)


def test_what_others_recorded_meanwhile_is_seen_first(club: Served) -> None:
    form = filled(club, 25, words="D4")
    club.record(TABLE, DisputeRaised(deal=1, text="x"))
    page = sent(club, path(25), form, 409, SEER).text
    assert "entries 39 to 39" in text_of(page) and ">D4</textarea>" in page
    sent(club, path(25), {**form, "version": hidden_in(page, "version")}, who=DIRECTOR)


def test_only_a_director_is_led_to_the_entries(club: Served) -> None:
    shown(club, path(99), 404, DIRECTOR)
    assert f'href="{ENTRIES}"' in shown(club, f"/t/{TABLE}/1/24", who=DIRECTOR)
    assert ENTRIES not in shown(club, f"/t/{TABLE}/1/24", who=RECORDER)
