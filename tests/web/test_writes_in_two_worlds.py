"""What a writer without `hands` is told depends on no hidden card: two ledgers apart by two of them answer the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import httpx
import pytest

import ledger
from ledger.access.grants import Grant
from ledger.events import CardsDealt, CardsExchanged
from ledger.log import MemoryStore
from tests.contracts.log_builders import an_id
from tests.covering import wider_in_soak
from tests.service.two_worlds import STREAM, Change
from tests.web.serving import DIRECTOR, Served, encoded
from tests.web.side_by_side import GAMES_AND_CHANGES, both_served, worlds_of

PHONE: Final = Grant(token="phone", role="recorder")
"""Who recorded most of it."""

OTHER: Final = Grant(token="other", role="recorder")
ENTRIES: Final = f"/streams/{STREAM}/entries"


class Asked(NamedTuple):
    """One request; `json` or `content`."""

    path: str
    who: Grant
    json: Any = None
    content: bytes | None = None
    media: str = "application/json"

    def of(self, served: Served) -> httpx.Response:
        headers = {"content-type": self.media}
        if self.content is not None:
            return served.ask("POST", self.path, content=self.content, headers=headers, who=self.who)
        return served.ask("POST", self.path, json=self.json, headers=headers, who=self.who)


def requests(world: MemoryStore, chance: Random) -> Iterator[tuple[str, Asked]]:
    """What anybody might try to hear of hidden cards by; `{version}` in a body is that of the table as it stands."""
    rows = world.read_stream(STREAM)
    telling = [row for row in rows if isinstance(row.event(), CardsDealt | CardsExchanged)]
    cards = sorted({card for row in telling for hand in getattr(row.event(), "hands", ()) for card in hand or ()})
    ids = iter(range(20_000, 30_000))

    def entries(who: Grant, event: Any, id: int | None = None, **more: Any) -> Asked:
        entry = {"id": an_id(next(ids) if id is None else id), "event": event}
        return Asked(ENTRIES, who, {"entries": [entry], **more})

    def correction(who: Grant, **told: Any) -> Asked:
        body = {"id": an_id(next(ids)), "reason": "misread", "expected_version": "{version}", **told}
        return Asked("/tables/t/corrections", who, body)

    for card in chance.sample(cards, min(8, len(cards))):
        for seat in range(3):
            yield f"seat {seat} plays {card}", entries(OTHER, {"type": "card_played", "seat": seat, "card": card})
    for row in telling[-3:]:
        guess = encoded(row.event())
        for who in (OTHER, DIRECTOR):
            yield f"{row.version} once more", entries(who, guess, int(row.id[-12:], 16))
            yield "the id for a note", entries(who, {"type": "noted", "text": "x"}, int(row.id[-12:], 16))
        line = f'{{"stream":"{STREAM}","id":"{row.id}","event":{row.payload.decode()}}}\n'.encode()
        for query in ("", "?dry_run=true"):
            yield (
                f"{row.version} imported{query}",
                Asked(f"/import{query}", DIRECTOR, None, line, "application/x-ndjson"),
            )
        yield f"{row.version} told anew", entries(OTHER, guess)
        for dry_run in (True, False):
            yield (
                f"{row.version} is {guess}?",
                correction(DIRECTOR, action="replace", version=row.version, events=[guess], dry_run=dry_run),
            )
            yield "more after it", correction(
                DIRECTOR, action="insert_after", version=row.version, events=[{"type": "noted", "text": "x"}],
                dry_run=dry_run,
            )  # fmt: skip
            for action in ("strike", "restore"):
                for who in (PHONE, DIRECTOR):
                    yield action, correction(who, action=action, version=row.version, dry_run=dry_run)
    with_hands = ledger.export_hand_record(world, "t").text.encode()
    for query in ("?dry_run=true", "", "?strict=true"):
        yield f"hand record{query}", Asked(f"/import{query}", DIRECTOR, None, with_hands, "application/toml")
    for kind in ("void", "stands", "accept"):
        ruling = {"deal": 1, "kind": kind, "text": "so be it", "expected_version": "{version}", "dry_run": True}
        yield kind, Asked("/tables/t/rulings", DIRECTOR, {"id": an_id(next(ids)), **ruling})
    yield "dispute", Asked("/tables/t/disputes", OTHER, {"id": an_id(next(ids)), "deal": 1, "text": "he had one"})
    yield "undo", correction(PHONE, action="strike")
    for card in chance.sample(cards, min(4, len(cards))):
        played = {"type": "card_played", "seat": chance.randrange(3), "card": card}
        yield f"{played} as it was", entries(OTHER, played, as_played=True)
        yield "what may follow", entries(OTHER, {**played, "seat": (played["seat"] + 1) % 3})


def answer_to(served: Served, asked: Asked) -> tuple[int, list[tuple[str, str]], str]:
    body = asked.json
    if body is not None and body.get("expected_version") == "{version}":
        body = {**body, "expected_version": served.service.versions[STREAM]}
    answer = asked._replace(json=body).of(served)
    assert answer.status_code < 500, answer.text
    return answer.status_code, answer.headers.multi_items(), answer.text


def is_open(served: Served) -> bool:
    return STREAM in served.service.horizon.hidden


@wider_in_soak
@pytest.mark.parametrize(("game", "change"), GAMES_AND_CHANGES)
def test_two_worlds_answer_writers_the_same(game: str, change: Change | None, tmp_path: Path) -> None:
    """As long as the deal is open."""
    compared = 0
    with both_served(game, change, tmp_path) as (first, second):
        for what, one in requests(worlds_of(game, change).first, Random(game)):
            assert is_open(first) == is_open(second)
            if not is_open(first):
                break
            assert answer_to(first, one) == answer_to(second, one), what
            compared += 1
    assert compared > 10
