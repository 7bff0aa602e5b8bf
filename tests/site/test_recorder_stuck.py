"""An act that is sent and gets no answer: its recorder is told, it is given up after a while and sent again, once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Request, Route, expect

from tests.site.browser import serving
from tests.site.tapping import (
    CALLS,
    CARDS,
    CUT_OFF,
    TABLE,
    all_sent,
    comes_to_stand,
    recorded,
    recording,
    table_of,
    tap,
)

TOLD_MS = 2_000
GIVEN_UP_MS = 10_000


@pytest.mark.parametrize("arrives", [True, False])
def test_an_act_without_an_answer_is_told_of_and_sent_again_and_stands_once(
    chromium: Browser, tmp_path: Path, arrives: bool
) -> None:
    path = table_of(tmp_path, TABLE, *CALLS)
    bodies: list[object] = []
    with serving(path) as site, recording(chromium, site, allowed=CUT_OFF) as page:
        page.clock.install()
        page.reload()
        all_sent(page)
        page.on("request", lambda one: bodies.append(json.loads(one.post_data or "")) if _records(one) else None)
        page.route("**/entries", lambda route: _held(route, arrives=arrives), times=1)
        tap(page, CARDS[0], settle=False)
        if arrives:
            comes_to_stand(page, path, [*CALLS, CARDS[0]])
        page.clock.run_for(TOLD_MS)
        band = page.locator("#trouble")
        expect(band).to_contain_text("Not sent since")
        expect(band).to_contain_text("Nothing is lost; it is tried again by itself.")
        tap(page, CARDS[1], settle=False)
        with page.expect_event("requestfailed", _records):
            page.clock.run_for(GIVEN_UP_MS)
        expect(band).to_contain_text("No connection since")
        page.clock.run_for(TOLD_MS)
        all_sent(page)
        page.clock.run_for(TOLD_MS)
        expect(band).to_be_empty()
    assert bodies[0] == bodies[1]
    assert len(bodies) == 3
    assert recorded(path) == [*CALLS, *CARDS[:2]]


def _records(request: Request) -> bool:
    return request.method == "POST" and request.url.endswith("/entries")


def _held(route: Route, *, arrives: bool) -> None:
    """The service may have it or not: its answer stays on the way."""
    if arrives:
        route.fetch()
