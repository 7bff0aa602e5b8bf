"""Two ledgers that differ in two hidden cards: no page of a table or a deal tells them apart (contract of HTTP, 4)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from ledger.access.grants import Grant
from tests.service.two_worlds import Change, two_worlds
from tests.web.serving import SEER, Served, serving
from tests.web.test_reads_of_two_worlds import BLIND, EACH_WITH_ONE, served_ledger


def paths(served: Served) -> Iterator[str]:
    """Every page of the table, in every reading; steps all along in the plain one, two in each other."""
    detail = served.ok("/tables/t", who=SEER)
    readings = ("", "reading=recorded", "without_rulings=true", "lang=ja", f"as_of={detail['version']}", "seat=0")
    for reading in readings:
        yield f"/t/t?{reading}"
        for deal in detail["deals"]:
            at = f"{deal['deal']}"
            yield f"/t/t/{at}?{reading}"
            yield f"/t/t/{at}/readings?{reading}"
            for step in ("2", "last", "0", str(deal["steps"] // 2), "999", "1?to=last")[: 2 if reading else None]:
                sign = "&" if "?" in step else "?"
                yield f"/t/t/{at}/{step}{sign}{reading}"
                if reading != "seat=0":
                    yield f"/embed/t/{at}/{step}{sign}{reading}&below=1"


def answered(served: Served, path: str, who: Grant, *, is_part: bool) -> tuple[int, dict[str, str], bytes]:
    told = {"accept": "text/html", "authorization": f"Bearer {served._access.secret_of(who)}"}
    if is_part:
        told["hx-request"] = "true"
    served.client.cookies.clear()
    answer = served.run(served.client.get(path, headers=told))
    return answer.status_code, dict(answer.headers), answer.content


@pytest.mark.parametrize(("game", "change"), EACH_WITH_ONE)
def test_no_page_tells_them_apart(game: str, change: Change | None, tmp_path: Path) -> None:
    worlds = next(found for seed in range(100) if (found := two_worlds(game, seed, change)) is not None)
    with ExitStack() as both:
        first, second = (
            both.enter_context(serving(served_ledger(tmp_path / name, store)))
            for name, store in (("first", worlds.first), ("second", worlds.second))
        )
        differ: list[Any] = []
        for number, path in enumerate(paths(first)):
            for who in BLIND:
                is_part = number % 2 == 0
                told = answered(first, path, who, is_part=is_part)
                assert told == answered(second, path, who, is_part=is_part), (path, who)
                assert told[0] in (200, 303, 403, 404, 422), told
            if answered(first, path, SEER, is_part=False) != answered(second, path, SEER, is_part=False):
                differ.append(path)
        assert any(path.startswith("/t/t/") for path in differ), "who sees hands can tell them apart"
        assert not any(path.startswith("/embed/") for path in differ), "in a frame nobody can"
