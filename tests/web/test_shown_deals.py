"""When hands are shown to everybody, by whom, and that such a deal cannot be continued."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs, to_builtins

from ledger.access.grants import Grant
from ledger.events import (
    Announced,
    CardsDealt,
    DealVoided,
    Event,
    HandsOpened,
    SessionClosed,
    SessionOpened,
    TableClosed,
    TableOpened,
)
from tests.contracts.log_builders import an_id
from tests.table.test_hiding import DEALT, PASSES, RESULT, WHOLE, start
from tests.web.sending import problem_of
from tests.web.serving import DIRECTOR, RECORDER, SEER, VIEWER, Served, ledger_with, serving

STREAM = "/streams/table/k/entries"
OPENED = TableOpened(game="kop", players=("Ann", "Ben", "Cleo", "Dan"))
VOID = DealVoided(reason="misdealt")
IDS = count(1_000)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    session, table = SessionOpened(title="Spring", date="2026-03-01"), structs.replace(OPENED, session="s")
    with serving(ledger_with(tmp_path, {"session/s": [session], "k": [table]})) as made:
        yield made


def sent(served: Served, *events: Event, who: Grant = RECORDER, to: str = STREAM, **more: Any) -> tuple[int, Any]:
    entries = [{"id": an_id(next(IDS)), "event": to_builtins(event)} for event in events]
    answer = served.post(to, {"entries": entries, "as_played": True, "confirm": True, **more}, who=who)
    return answer.status_code, answer.json()


def done(served: Served, *events: Event, who: Grant = RECORDER, to: str = STREAM) -> Any:
    status, answer = sent(served, *events, who=who, to=to)
    assert status == 201, answer
    return answer


def struck(served: Served, version: int, who: Grant = RECORDER, *, dry_run: bool = False) -> tuple[int, str]:
    now = served.ok("/tables/k/now", who=SEER)["version"]
    body = {"id": an_id(next(IDS)), "version": version, "action": "strike", "reason": "x", "expected_version": now}
    answer = served.post("/tables/k/corrections", {**body, "dry_run": dry_run}, who=who)
    return answer.status_code, answer.json().get("code", "")


def hands(served: Served, who: Grant = VIEWER) -> list[Sequence[str]]:
    """Return the first hand of each deal, as a client sees it."""
    events = [entry["event"] for entry in served.ok(STREAM, who=who)]
    return [event["hands"][0] for event in events if event["type"] == "cards_dealt"]


HIDDEN = ["??"] * 4
SHOWN = list(DEALT.hands[0] or ())


def test_no_act_of_a_recorder_shows_hands_that_he_can_play_on_with(served: Served) -> None:
    """Void, read, strike; void, an invented result, read; close, read."""
    done(served, start(1), DEALT, *PASSES[:2], VOID)
    assert hands(served, RECORDER) == [HIDDEN]
    done(served, start(2), RESULT, TableClosed())
    assert hands(served, RECORDER) == [HIDDEN]
    assert [struck(served, version)[0] for version in (8, 7)] == [201, 201]
    assert hands(served, RECORDER) == [HIDDEN]
    assert served.ok("/tables/k", who=RECORDER)["deals"][0]["status"] == "voided"


def test_a_deal_is_shown_at_its_last_card_and_is_over_then(served: Served) -> None:
    done(served, *WHOLE[:-1])
    assert hands(served) == [HIDDEN]
    done(served, WHOLE[-1])
    assert hands(served) == [SHOWN]
    for version in range(23, 19, -1):
        assert struck(served, version) == (201, ""), "the last trick"
    assert struck(served, 19, dry_run=True) == struck(served, 19) == (409, "deal_shown")
    assert hands(served) == [SHOWN]


def test_what_ended_otherwise_is_shown_with_the_next_deal_and_is_over(served: Served) -> None:
    done(served, start(1), DEALT, *PASSES[:2], VOID, start(2), *WHOLE[1:])
    assert hands(served) == [SHOWN, SHOWN]
    assert struck(served, 6, DIRECTOR) == (201, ""), "the next deal was played"
    for version in range(28, 6, -1):
        if struck(served, version) != (201, ""):
            break
    assert version == 24, "of the last deal no more than its last trick"


@pytest.mark.parametrize("closing", [DIRECTOR, SEER], ids=["without hands", "with hands"])
def test_closing_the_session_shows_what_has_ended(served: Served, closing: Grant) -> None:
    done(served, start(1), DEALT, *PASSES[:2], VOID)
    answer = done(served, SessionClosed(), who=closing, to="/streams/session/s/entries")
    assert (answer["version"], answer["last_version"]) == (2, 2)
    assert hands(served) == [SHOWN]
    events = [entry["event"] for entry in served.ok(STREAM)]
    assert events[-1] == {"type": "hands_opened", "deal": 1}
    assert struck(served, 6, DIRECTOR) == (409, "deal_shown")
    assert struck(served, 6, SEER) == (201, "")
    assert sent(served, PASSES[2])[1]["code"] == "deal_shown", "nor is it played on by who sees no hands"
    done(served, PASSES[2], who=SEER)


def test_closing_the_session_shows_nothing_of_a_deal_that_is_being_played(served: Served) -> None:
    done(served, start(1), DEALT, *PASSES[:2])
    done(served, SessionClosed(), who=DIRECTOR, to="/streams/session/s/entries")
    assert hands(served) == [HIDDEN]
    done(served, PASSES[2])


def test_closing_a_table_shows_its_hands_where_who_closes_it_sees_them(served: Served) -> None:
    done(served, start(1), DEALT, *PASSES[:2], TableClosed())
    assert hands(served) == [HIDDEN]
    assert struck(served, 6) == (201, "")
    answer = done(served, TableClosed(), who=SEER)
    assert (answer["first_version"], answer["last_version"], answer["version"], len(answer["ids"])) == (8, 8, 9, 1)
    assert hands(served) == [SHOWN]
    assert struck(served, 8, DIRECTOR) == (409, "deal_shown")
    again = served.post(
        STREAM, {"entries": [{"id": answer["ids"][0], "event": {"type": "table_closed"}}], "as_played": True}, who=SEER
    )
    assert (again.status_code, again.json()["already_recorded"], again.json()["last_version"]) == (200, True, 8)


@pytest.mark.parametrize("who", [RECORDER, DIRECTOR])
def test_hands_are_opened_by_who_sees_them(served: Served, who: Grant) -> None:
    done(served, start(1), DEALT, VOID)
    status, answer = sent(served, HandsOpened(deal=1), who=who)
    assert (status, answer["code"]) == (403, "forbidden")
    assert hands(served) == [HIDDEN]
    done(served, HandsOpened(deal=1), who=SEER)
    assert hands(served) == [SHOWN]


def test_no_correction_and_no_import_opens_them_either(served: Served) -> None:
    done(served, start(1), DEALT, VOID)
    put_in = {"version": 4, "action": "insert_after", "events": [{"type": "hands_opened", "deal": 1}], "reason": "x"}
    body = {"id": an_id(1), "expected_version": 4, **put_in}
    assert problem_of(served.post("/tables/k/corrections", body, who=SEER)) == (422, "malformed")
    line = b'{"stream":"table/k","event":{"type":"hands_opened","deal":1}}\n'
    kind = {"content-type": "application/x-ndjson"}
    refused = served.post("/import", content=line, headers=kind, who=DIRECTOR)
    assert problem_of(refused) == (403, "forbidden")
    assert served.post("/import", content=line, headers=kind, who=SEER).status_code == 201
    assert hands(served) == [SHOWN]
    taken_back = b'{"stream":"table/k","event":{"type":"corrected","version":4,"action":"strike","reason":"x"}}\n'
    assert problem_of(served.post("/import", content=taken_back, headers=kind, who=DIRECTOR)) == (409, "deal_shown")


def test_the_page_of_a_deal_that_waits_says_why(served: Served) -> None:
    done(served, start(1), DEALT, *PASSES[:2], VOID)
    page = served.get("/t/k/1", is_page=True).text
    assert "This deal ended before its last card" in page and SHOWN[0] not in page
    assert "This deal ended before its last card" not in served.get("/t/k/1", is_page=True, who=SEER).text


def test_what_only_hidden_cards_decide_is_open_for_others(tmp_path: Path) -> None:
    """Two seats concede; only they know whether they are partners."""
    opened = structs.replace(OPENED, options={"concessions": True})
    conceded = Announced(seat=0, what="concede", seats=(0, 3))
    with serving(ledger_with(tmp_path, {"k": [opened, start(1), DEALT, *PASSES, conceded]})) as served:
        for more in ((), (start(2), CardsDealt(hands=(None,) * 4))):
            done(served, *more) if more else None
            assert served.ok("/tables/k")["deals"][0]["status"] == "open"
            assert served.ok("/tables/k", who=SEER)["deals"][0]["status"] == "complete"
        assert "being played" not in served.get("/t/k/1", is_page=True).text
