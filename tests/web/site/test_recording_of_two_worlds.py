"""Two ledgers that differ in two hidden cards: no recorder's screen tells them apart (contract of HTTP, section 4)."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from ledger.log.base import LogStore
from ledger.recording.live import LiveTable
from ledger.table.lookup import TableAsRead
from ledger.text.site.recorder.screen import Recorder, Screen, screen_of
from ledger.text.site.recorder.undoing import Signed
from tests.service.two_worlds import GAMES, Change, two_worlds
from tests.web.serving import SEER, serving
from tests.web.site.test_replays_of_two_worlds import answered
from tests.web.test_reads_of_two_worlds import BLIND, EACH_WITH_ONE, served_ledger

PATHS = ("/record/t", "/record/t/now", "/record/t/now?below=1&lang=ja", "/record/t/deal", "/record/t/deal?lang=ja")


@pytest.mark.parametrize(("game", "change"), EACH_WITH_ONE)
def test_no_screen_tells_them_apart(game: str, change: Change | None, tmp_path: Path) -> None:
    worlds = next(found for seed in range(100) if (found := two_worlds(game, seed, change)) is not None)
    with ExitStack() as both:
        first, second = (
            both.enter_context(serving(served_ledger(tmp_path / name, store)))
            for name, store in (("first", worlds.first), ("second", worlds.second))
        )
        for path in PATHS:
            for who in BLIND:
                told = answered(first, path, who, is_part=False)
                assert told == answered(second, path, who, is_part=False), (path, who)
                assert told[0] in (200, 403, 404), told
        seen = [answered(first, path, SEER, is_part=False)[0] for path in PATHS]
        assert set(seen) <= {200, 403}


@pytest.mark.parametrize("game", GAMES)
def test_no_moment_of_a_deal_tells_them_apart(game: str) -> None:
    """At many moments: what is offered, how each key fits, who won, and what is said against a card."""
    compared = differ = 0
    for seed in range(60):
        worlds = two_worlds(game, seed, None)
        if worlds is not None:
            compared += 1
            assert screen(worlds.first) == screen(worlds.second), seed
            differ += screen(worlds.first, sees_hands=True) != screen(worlds.second, sees_hands=True)
    assert compared > 20
    assert differ > 5, "who sees hands can tell them apart"


def screen(store: LogStore, *, sees_hands: bool = False) -> Screen:
    live = LiveTable.resume(store, "t")
    signed = {row.version: Signed(row.recorded_by, row.recorded_at) for row in live.recorded_since(0)}
    who = Recorder(by="phone", token="phone", is_director=True, lang="en")
    fold = live.standing if sees_hands else live.standing_as_seen
    return screen_of(TableAsRead("t", fold), live.version, signed, who)
