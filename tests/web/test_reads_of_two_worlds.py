"""Two ledgers that differ in two hidden cards: every read over HTTP answers the same, headers and all, to who may not
see hands (contract of HTTP, section 4).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.access.grants import Grant
from tests.covering import wider_in_soak
from tests.service.two_worlds import Change
from tests.web.serving import SEER, Served
from tests.web.side_by_side import GAMES_AND_CHANGES, askers, both_served

WRITTEN_IN = ("application/json", "application/x-ndjson", "text/html")


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


@wider_in_soak
@pytest.mark.parametrize(("game", "change"), GAMES_AND_CHANGES)
def test_no_read_tells_them_apart(game: str, change: Change | None, tmp_path: Path) -> None:
    with both_served(game, change, tmp_path) as (first, second):
        for number, path in enumerate(paths(first)):
            forms = WRITTEN_IN if path.endswith(("/case", "/entries")) else WRITTEN_IN[:1]
            for who in askers(number):
                for media in forms:
                    assert answered(first, path, who, media) == answered(second, path, who, media), (path, who)
        entries = [served.get("/streams/table/t/entries", who=SEER).content for served in (first, second)]
        assert entries[0] != entries[1], "who sees hands can tell them apart, or nothing is proven"
