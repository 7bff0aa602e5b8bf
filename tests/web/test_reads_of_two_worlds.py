"""Two ledgers that differ in two hidden cards: every read over HTTP answers the same, headers and all, to who may not
see hands (contract of HTTP, section 4).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import ledger
from ledger.access.grants import Grant
from ledger.log import MemoryStore
from tests.service.two_worlds import Change, against_the_rules, dealt_anew, disturbed, two_worlds
from tests.web.serving import ADMIN, DIRECTOR, RECORDER, SEER, VIEWER, Served, serving

AT_THE_TABLE = Grant(token="phone-1", role="recorder", tables=("t",))
BLIND = (VIEWER, RECORDER, AT_THE_TABLE, DIRECTOR, ADMIN)

WRITTEN_IN = ("application/json", "application/x-ndjson", "text/html")
GAMES = ("ombre", "quadrille", "couillon", "kop", "baska")
CHANGES = (against_the_rules, disturbed, dealt_anew, None, disturbed)
EACH_WITH_ONE = list(zip(GAMES, CHANGES, strict=True))
OTHERS = [pair for pair in product(GAMES, dict.fromkeys(CHANGES)) if pair not in EACH_WITH_ONE]


def served_ledger(folder: Path, store: MemoryStore) -> Path:
    folder.mkdir()
    path = folder / "club.ledger"
    with ledger.create(path) as made:
        made.append_envelopes(row.envelope() for row in store.read())
    return path


def paths(served: Served) -> Iterator[str]:
    """Every read of the table, in every reading."""
    detail = served.ok("/tables/t", who=SEER)
    yield from ("/streams", "/streams/table/t/entries", "/streams/session/s/entries", "/tables", "/export")
    readings = ("", "reading=recorded", "without_rulings=true", "lang=ja", f"as_of={detail['version']}", "seat=0")
    whole = ("", "/score", "/audit", "/disputes", "/now")
    of_deals = ("/readings", "/steps", "/steps/last", "/steps/2", "/steps/last.svg", ".toml")
    for reading in readings:
        for what in whole:
            yield f"/tables/t{what}?{reading}"
        for deal in detail["deals"]:
            for what in of_deals:
                yield f"/tables/t/deals/{deal['deal']}{what}?{reading}"
    for dispute in served.ok("/tables/t/disputes", who=SEER):
        yield f"/tables/t/disputes/{dispute['version']}/case"


def answered(served: Served, path: str, who: Grant, media: str) -> tuple[int, dict[str, str], bytes]:
    answer = served.get(path, who=who, headers={"accept": f"{media}, */*;q=0.1"})
    return answer.status_code, dict(answer.headers), answer.content


@pytest.mark.parametrize(
    ("game", "change"), [*EACH_WITH_ONE, *(pytest.param(*pair, marks=pytest.mark.soak) for pair in OTHERS)]
)
def test_no_read_tells_them_apart(game: str, change: Change | None, tmp_path: Path) -> None:
    worlds = next(found for seed in range(100) if (found := two_worlds(game, seed, change)) is not None)
    with ExitStack() as both:
        first, second = (
            both.enter_context(serving(served_ledger(tmp_path / name, store)))
            for name, store in (("first", worlds.first), ("second", worlds.second))
        )
        differ: dict[str, Any] = {}
        for path in paths(first):
            forms = WRITTEN_IN if path.endswith(("/case", "/entries")) else WRITTEN_IN[:1]
            for who in BLIND:
                for media in forms:
                    assert answered(first, path, who, media) == answered(second, path, who, media), (path, who)
            differ[path] = first.get(path, who=SEER).content != second.get(path, who=SEER).content
        assert differ["/streams/table/t/entries"], "who sees hands can tell them apart, or nothing is proven"
