"""The changing requests of each route, to a club with open deals, by clients that want to learn hidden cards."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from ledger.access.grants import Grant
from ledger.events import BidMade, CardsDealt, CardsExchanged, DealStarted, Event
from tests.contracts.log_builders import an_id
from tests.service.two_worlds import hidden_cards
from tests.web.every_route import DESK, PHONE, Situation
from tests.web.lists import lines_in
from tests.web.serving import BY_ROLE, DIRECTOR, RECORDER, VIEWER, encoded
from tests.web.two_clubs import OVER, OpenTable

OPENER: Final = Grant(token="opener", role="recorder", may_open=True)

NDJSON: Final = "application/x-ndjson"
TOML: Final = "application/toml"
VERSION: Final = "{version}"
"""The placeholder in a body for the current version of the table."""


class Act(NamedTuple):
    """One request that may change something. `about`: the stream whose version replaces `VERSION`."""

    method: str
    path: str
    who: Grant | None
    json: Any = None
    content: bytes | None = None
    media: str = "application/json"
    about: str = ""
    headers: Mapping[str, str] = {}


Acting: TypeAlias = Callable[[Situation], Iterator[Act]]

_ids: Final = count(500_000)


def _entry(event: Any, id: str | None = None) -> dict[str, Any]:
    return {"id": an_id(next(_ids)) if id is None else id, "event": event}


def _record(one: OpenTable, who: Grant, event: Any, id: str | None = None, **more: Any) -> Act:
    return Act("POST", f"/streams/{one.stream}/entries", who, {"entries": [_entry(event, id)], **more})


def _ids_of(situation: Situation, one: OpenTable) -> list[str]:
    """Return the ids of the table's entries, in order."""
    return situation.ids[one.stream]


def _open_deal_entries(one: OpenTable) -> list[tuple[int, Event]]:
    """Return the entries of the open deal, with versions."""
    return [(at, event) for at, event in enumerate(one.events, 1) if at >= one.hidden.version]


def _revealing_entries(one: OpenTable) -> list[tuple[int, Event]]:
    """Return those of them that contain hidden cards."""
    return [(at, event) for at, event in _open_deal_entries(one) if isinstance(event, CardsDealt | CardsExchanged)]


def _entries(situation: Situation) -> Iterator[Act]:
    chance = situation.chance
    for one in situation.club.tables:
        ids = _ids_of(situation, one)
        yield _record(one, RECORDER, {"type": "noted", "text": "a look at the cards"})
        for at, event in chance.sample(_open_deal_entries(one), min(3, len(_open_deal_entries(one)))):
            for who in (RECORDER, DIRECTOR):
                yield _record(one, who, encoded(event), ids[at - 1])
            yield _record(one, VIEWER, encoded(event))
        for at, event in _revealing_entries(one)[-1:]:
            yield _record(one, RECORDER, encoded(event))
            yield _record(one, RECORDER, {"type": "noted", "text": "x"}, ids[at - 1])
        version = chance.randint(0, len(one.events))
        yield _record(one, RECORDER, {"type": "noted", "text": "y"}, expected_version=version)
        yield _record(one, RECORDER, {"type": "noted", "text": 7})
        yield _record(one, RECORDER, {"type": "cards_dealt", "hands": [["SA"], ["SA"]]})


def _corrections(situation: Situation) -> Iterator[Act]:
    chance = situation.chance
    for one in situation.club.tables:
        chosen = (
            chance.sample(_open_deal_entries(one)[1:], min(2, len(_open_deal_entries(one)) - 1))
            + _revealing_entries(one)[-1:]
        )
        for at, event in chosen:
            ways: list[tuple[Grant, dict[str, Any]]] = [
                (DESK, {"action": "replace", "events": [encoded(event)]}),
                (DESK, {"action": "insert_after", "events": [{"type": "noted", "text": "he showed it"}]}),
                (PHONE, {"action": "strike"}),
                (PHONE, {"action": "restore"}),
                (DIRECTOR, {"action": "strike"}),
            ]
            for who, fields in ways:
                for dry_run in (True, False):
                    if dry_run or chance.random() < 0.3:
                        yield _correction(one, who, version=at, dry_run=dry_run, **fields)
        yield _correction(one, PHONE, action="strike", dry_run=True)
        yield _correction(one, DESK, action="replace", deal=1, step=3, words="Ann: SA", dry_run=True)
        yield _correction(one, DESK, action="replace", deal=1, step=4, words="Ann: pass", dry_run=True)


def _correction(one: OpenTable, who: Grant, **fields: Any) -> Act:
    body = {"id": an_id(next(_ids)), "reason": "misread", "expected_version": VERSION, **fields}
    return Act("POST", f"/tables/{one.slug}/corrections", who, body, about=one.stream)


def _disputes(situation: Situation) -> Iterator[Act]:
    for one in situation.club.tables:
        at = situation.chance.randint(1, len(one.events))
        bodies: list[dict[str, Any]] = [
            {"deal": 1, "text": "he had one"}, {"deal": 9, "text": "x"}, {"deal": 1, "text": "this one", "version": at},
        ]  # fmt: skip
        for body in bodies:
            yield Act("POST", f"/tables/{one.slug}/disputes", RECORDER, {"id": an_id(next(_ids)), **body})


def _rulings(situation: Situation) -> Iterator[Act]:
    for one in situation.club.tables:
        deal = max(event.deal for event in one.events if isinstance(event, DealStarted))
        for kind in ("void", "stands", "accept", "adjust"):
            yield _ruling(one, deal=deal, kind=kind, text="so be it", dry_run=True)
        yield _ruling(one, deal=deal, kind="stands", text="it stands", confirm=True)


def _ruling(one: OpenTable, **fields: Any) -> Act:
    body = {"id": an_id(next(_ids)), "expected_version": VERSION, **fields}
    return Act("POST", f"/tables/{one.slug}/rulings", DIRECTOR, body, about=one.stream)


def _imports(situation: Situation) -> Iterator[Act]:
    for one in situation.club.tables:
        ids = _ids_of(situation, one)
        at, event = situation.chance.choice(_revealing_entries(one) or _open_deal_entries(one))
        known = {"stream": one.stream, "id": ids[at - 1], "event": encoded(event)}
        new = {"stream": one.stream, "id": an_id(next(_ids)), "event": {"type": "noted", "text": "imported"}}
        for line, query in ((known, "?dry_run=true"), (known, ""), (new, "?dry_run=true"), (new, "?strict=true")):
            yield Act("POST", f"/import{query}", DIRECTOR, None, msgspec.json.encode(line) + b"\n", NDJSON)
        for query in ("?dry_run=true", "?dry_run=true&strict=true"):
            yield Act("POST", f"/import{query}", DIRECTOR, None, situation.hand_records[one.slug], TOML)


def _batches(situation: Situation) -> Iterator[Act]:
    for one, other in zip(situation.club.tables, situation.club.tables[1:], strict=False):
        batches = [
            {"stream": one.stream, "entries": [_entry({"type": "noted", "text": "both"})]},
            {"stream": other.stream, "entries": [_entry({"type": "noted", "text": "tables"})]},
        ]
        yield Act("POST", "/batches", RECORDER, {"batches": batches})
    one = situation.club.tables[0]
    at, event = situation.chance.choice(_revealing_entries(one) or _open_deal_entries(one))
    for id in (_ids_of(situation, one)[at - 1], an_id(next(_ids))):
        batches = [{"stream": one.stream, "entries": [_entry(encoded(event), id)]}]
        yield Act("POST", "/batches", RECORDER, {"batches": batches})


def plays(situation: Situation) -> Iterator[Act]:
    """Yield requests whose refusal or findings may depend on hidden cards; they may end a deal, and so come last."""
    chance = situation.chance
    for one in situation.club.tables:
        cards = hidden_cards(event for _, event in _open_deal_entries(one))
        seats = range(len(one.events[0].players))  # type: ignore[union-attr]
        calls = sorted({event.call for event in one.events if isinstance(event, BidMade)})
        for card in chance.sample(cards, min(situation.some * 2, len(cards))):
            for seat in chance.sample(seats, 2):
                yield _record(one, RECORDER, {"type": "card_played", "seat": seat, "card": card})
        for call in calls:
            yield _record(one, RECORDER, {"type": "bid_made", "seat": chance.choice(seats), "call": call})
        for card in chance.sample(cards, min(2, len(cards))):
            played = {"type": "card_played", "seat": chance.choice(seats), "card": card}
            yield _record(one, RECORDER, played, as_played=True)
            yield Act("GET", f"/tables/{one.slug}/now", RECORDER)
            yield Act("GET", f"/tables/{one.slug}/audit", VIEWER)


def _opened(situation: Situation) -> Iterator[Act]:
    opened = {"type": "table_opened", "game": "ombre", "players": ["Ann", "Ben", "Cleo"], "session": "s"}
    one = situation.club.tables[0]
    for slug in ("fresh", one.slug, OVER):
        yield Act("POST", "/tables", OPENER, {"id": an_id(next(_ids)), "slug": slug, "event": opened})
    yield Act("POST", "/tables", OPENER, {"id": _ids_of(situation, one)[-1], "slug": "newer", "event": opened})


def _sessions(situation: Situation) -> Iterator[Act]:
    opened = {"type": "session_opened", "title": "Autumn", "date": "2026-09-01"}
    for slug in ("autumn", "s"):
        yield Act("POST", "/sessions", OPENER, {"id": an_id(next(_ids)), "slug": slug, "event": opened})


def _plain_acts() -> dict[str, Acting]:
    """Return the acts of the routes in every_act.txt, which are the same at any club."""
    by_route: dict[str, list[Act]] = {}
    route = ""
    for line in lines_in(Path(__file__).with_suffix(".txt")):
        if line.startswith(" "):
            who, method, path, *body = line.split(maxsplit=3)
            act = Act(method, path, BY_ROLE.get(who), json.loads(body[0]) if body else None)
            by_route.setdefault(route, []).append(act)
        else:
            route = line
    return {route: partial(_each, acts) for route, acts in by_route.items()}


def _each(acts: Sequence[Act], situation: Situation) -> Iterator[Act]:
    return iter(acts)


WRITE: Final[Mapping[str, Acting]] = {
    "POST /streams/{kind}/{slug}/entries": _entries,
    "POST /tables/{table}/corrections": _corrections,
    "POST /tables/{table}/disputes": _disputes,
    "POST /tables/{table}/rulings": _rulings,
    "POST /batches": _batches,
    "POST /import": _imports,
    "POST /tables": _opened,
    "POST /sessions": _sessions,
    **_plain_acts(),
}
"""Routes that change something, as long as no deal ends."""
