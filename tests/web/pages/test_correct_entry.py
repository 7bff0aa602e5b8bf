"""A director corrects any entry of a table, and sees first what that changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.events import CardPlayed, CardsDealt, Corrected, DisputeRaised
from ledger.table.corrections import corrected_reading
from tests.cli.commands import REVOKE
from tests.web.pages.forms import hidden_in, led_to, sent, shown, text_of
from tests.web.serving import DIRECTOR, RECORDER, SEER, Served, ledger_of, serving, stored_events

TABLE = "ombre-revoke"
ENTRIES = f"/t/{TABLE}/1/entries"


def path(version: int) -> str:
    return f"/t/{TABLE}/entries/{version}/correct"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Served]:
    with serving(ledger_of(tmp_path, REVOKE)) as served:
        yield served


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
