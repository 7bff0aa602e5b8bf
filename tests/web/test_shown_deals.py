"""When hands are shown to everybody, by whom, and that such a deal cannot be continued."""

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

import pytest
from msgspec import structs, to_builtins

from ledger.access.grants import Grant
from ledger.events import (
    Announced,
    CardsDealt,
    DealVoided,
    Event,
    SessionOpened,
    TableOpened,
)
from tests.contracts.log_builders import an_id
from tests.table.test_hiding import WHOLE, start
from tests.web.sending import problem_of
from tests.web.serving import DIRECTOR, RECORDER, SEER, VIEWER, Served, ledger_with, serving

STREAM = "/streams/table/k/entries"
OPENED = TableOpened(game="kop", players=("Ann", "Ben", "Cleo", "Dan"))
VOID = DealVoided(reason="misdealt")
DEALT, PASSES = WHOLE[1], WHOLE[2:6]
IDS = count(1_000)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    session, table = SessionOpened(title="Spring", date="2026-03-01"), structs.replace(OPENED, session="s")
    with serving(ledger_with(tmp_path, {"session/s": [session], "k": [table]})) as made:
        yield made


def done(served: Served, *events: Event) -> None:
    entries = [{"id": an_id(next(IDS)), "event": to_builtins(event)} for event in events]
    answer = served.post(STREAM, {"entries": entries, "as_played": True}, who=RECORDER)
    assert answer.status_code == 201, answer.text


def hands(served: Served, who: Grant = VIEWER) -> list[Sequence[str]]:
    """Return the first hand of each deal, as a client sees it."""
    events = [entry["event"] for entry in served.ok(STREAM, who=who)]
    return [event["hands"][0] for event in events if event["type"] == "cards_dealt"]


SHOWN = list(DEALT.hands[0] or ())


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
