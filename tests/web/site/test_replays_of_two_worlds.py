"""Two ledgers that differ in two hidden cards: no page of a table or a deal tells them apart (contract of HTTP, 4)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.access.grants import Grant
from tests.covering import wider_in_soak
from tests.service.two_worlds import Change
from tests.web.serving import SEER, Served
from tests.web.side_by_side import GAMES_AND_CHANGES, askers, both_served
from tests.web.site.forms import asked


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


def hands_dealt(served: Served) -> list[object]:
    """The hands of each deal as they are read, of who sees them."""
    deals = served.ok("/tables/t", who=SEER)["deals"]
    shown = [served.ok(f"/tables/t/deals/{deal['deal']}/steps/last", who=SEER) for deal in deals]
    return [[sorted(hand or ()) for hand in one["hands"]] for one in shown]


def answered(served: Served, path: str, who: Grant, *, is_part: bool) -> tuple[int, dict[str, str], bytes]:
    served.client.cookies.clear()
    answer = asked(served, "GET", path, who, headers={"hx-request": "true"} if is_part else {})
    return answer.status_code, dict(answer.headers), answer.content


@wider_in_soak
@pytest.mark.parametrize(("game", "change"), GAMES_AND_CHANGES)
def test_no_page_tells_them_apart(game: str, change: Change | None, tmp_path: Path) -> None:
    """In a frame elsewhere not even somebody who sees hands can."""
    differ: list[str] = []
    with both_served(game, change, tmp_path) as (first, second):
        for number, path in enumerate(paths(first)):
            for who in askers(number):
                is_part = number % 2 == 0
                told = answered(first, path, who, is_part=is_part)
                assert told == answered(second, path, who, is_part=is_part), (path, who)
                assert told[0] in (200, 303, 403, 404, 422), told
            is_still_to_differ = path.startswith("/t/t/") and not differ
            if is_still_to_differ or path.startswith("/embed/"):
                of_seer = [answered(served, path, SEER, is_part=False) for served in (first, second)]
                differ += [path] if of_seer[0] != of_seer[1] else []
        if hands_dealt(first) != hands_dealt(second):
            assert differ, "who sees hands can tell them apart"
    assert not any(path.startswith("/embed/") for path in differ), "in a frame nobody can"
