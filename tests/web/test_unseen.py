"""A token that is bound to one table finds no trace of another one in any answer; hands are shown by whom and when."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from msgspec import structs, to_builtins

import ledger
from ledger.access.base import Tables
from ledger.access.grants import Grant
from ledger.events import Announced, CardsDealt, DealVoided, Event, Noted, SessionOpened, TableOpened
from ledger.log.base import Batch, NewEntry
from ledger.service.running import Settings
from ledger.web import handlers  # noqa: F401 - each module declares its routes
from ledger.web.http.routing import ROUTES
from tests.contracts.log_builders import an_id
from tests.covering import covering
from tests.table.test_hiding import WHOLE, start
from tests.web.attacking import HOME, Attacked, Reply, attacked, filled
from tests.web.lists import rows_of
from tests.web.sending import problem_of
from tests.web.serving import DIRECTOR, OMBRE, RECORDER, SEER, VIEWER, Served, ledger_with, serving

OURS: Tables = ("ours",)
THEIRS, NOWHERE = "the-others", "nowhere-at-all"
NAMES = (b"the-others", b"Zacharias")

JSON = ("content-type", "application/json")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Attacked]:
    """Two tables with open deals; the other one is in a session, and has a player of its own."""
    with of_both(tmp_path) as one:
        yield one


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    """The same service, for tests that change nothing."""
    with of_both(tmp_path_factory.mktemp("unchanged")) as one:
        yield one


@contextmanager
def of_both(folder: Path) -> Iterator[Attacked]:
    opened = {**OMBRE[0], "players": ["Ann", "Ben", "Zacharias"], "session": "an-evening"}
    evening = {"type": "session_opened", "title": "Evening", "date": "2026-01-05"}
    streams = {"session/an-evening": [evening], THEIRS: [opened, *OMBRE[1:]], "ours": OMBRE}
    with attacked(ledger_with(folder, streams), Settings(loopback=False)) as one:
        yield one


OF_TABLES = [(one.method, one.path) for one in ROUTES if "{table}" in one.path or "{slug}" in one.path]


def visible_part(reply: Reply, table: str) -> tuple[Any, ...]:
    return (
        reply.status,
        [(name, value.replace(table, "T")) for name, value in reply.headers if name != "content-length"],
        reply.body.decode().replace(table, "T"),
    )


def body_of(method: str, path: str) -> bytes:
    return b"{}" if method == "POST" and "entries" not in path else ENTRY


ENTRY = b'{"entries": [{"id": "%s", "event": {"type": "noted", "text": "x"}}]}' % str(uuid4()).encode()


@pytest.mark.parametrize(
    ("route", "role", "header"),
    covering(
        OF_TABLES,
        ("viewer", "recorder", "director"),
        (None, ("if-none-match", "*"), ("if-match", '"1"'), ("accept", "application/x-ndjson")),
    ),
)
def test_a_table_of_others_is_as_one_that_is_not_there(
    unchanged: Attacked, route: tuple[str, str], role: str, header: tuple[str, str] | None
) -> None:
    method, path = route
    token = unchanged.token(f"bound-{uuid4()}", role, tables=OURS)
    headers = [JSON] if header is None else [JSON, header]
    content = body_of(method, path)
    theirs, nowhere = (
        unchanged.ask(method, filled(path, table=table, slug=table), *headers, token=token, content=content)
        for table in (THEIRS, NOWHERE)
    )
    assert visible_part(theirs, THEIRS) == visible_part(nowhere, NOWHERE)
    assert theirs.status in (403, 404, 406)


READS = [one.path for one in ROUTES if one.method == "GET"]


@pytest.mark.parametrize("path", READS)
def test_no_read_reveals_a_table_of_others(unchanged: Attacked, path: str) -> None:
    token = unchanged.token(f"bound-{uuid4()}", "director", tables=OURS)
    for query in ("", "?limit=1", "?after=0", "?as_of=3"):
        target = filled(path) + query
        reply = unchanged.ask("HEAD" if path == "/live" else "GET", target, token=token)
        assert not [name for name in NAMES if name in reply.body], target
        assert not [value for _, value in reply.headers if any(name.decode() in value for name in NAMES)]


@pytest.mark.parametrize("target", rows_of("addresses that hints could complete"))
def test_no_hint_names_what_may_not_be_seen(unchanged: Attacked, target: str) -> None:
    reply = unchanged.get(target, token=unchanged.token(f"bound-{uuid4()}", "viewer", tables=OURS))
    sent = target.encode()
    assert not [name for name in NAMES if name in reply.body and name not in sent], reply.body


def test_nothing_names_anything_to_who_has_no_token(unchanged: Attacked) -> None:
    for route in ROUTES:
        for table in ("ours", THEIRS, NOWHERE):
            path = filled(route.path).replace("ours", table)
            if route.who == "none":
                continue
            reply = unchanged.ask(route.method, path, JSON, content=b"{}")
            assert (reply.status, reply.code) == (401, "unauthenticated")
            assert visible_part(reply, table) == visible_part(
                unchanged.ask(route.method, filled(route.path), JSON), "ours"
            )


def test_an_id_of_another_table_does_not_reveal_which(service: Attacked) -> None:
    id = str(uuid4())
    with ledger.open(service.service.ledger) as store:
        entry = NewEntry(Noted(text="a word"), id)
        store.append(Batch(f"table/{THEIRS}", "any", (entry,)), recorded_by="somebody")
    token = service.token("bound", "recorder", tables=OURS)
    noted = {"id": id, "event": {"type": "noted", "text": "a word"}}
    reply = service.post("/streams/table/ours/entries", {"entries": [noted]}, token=token)
    assert reply.code == "id_used"
    assert not [name for name in NAMES if name in reply.body], reply.body


def test_no_error_quotes_what_others_sent(service: Attacked) -> None:
    """A fault is reported without its data, regardless of its author."""
    token = service.token("viewer")
    for target in ("/nothing", "/tables/x/score", "/tables/ours?seat=9", "/tables/ours/deals/9/steps"):
        body = service.get(target, token=token).body
        assert b"SA" not in body
        assert b".ledger" not in body
        assert b"/tmp" not in body


def test_an_answer_at_the_machine_is_not_cached_for_others(tmp_path: Path) -> None:
    with attacked(ledger_with(tmp_path, {"ours": OMBRE}), Settings()) as one:
        target = "/streams/table/ours/entries"
        token = one.token("viewer")
        assert b'"SA"' in one.get(target, peer=HOME).body
        assert b'"SA"' not in one.get(target, token=token).body
        tag = one.get(target, peer=HOME).header("etag") or ""
        assert one.get(target, ("if-none-match", tag), token=token).status == 200


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
