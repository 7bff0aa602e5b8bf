"""Probing over HTTP reveals no hidden card: answers to a recorder and reads of a viewer are equal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count, product
from pathlib import Path

import pytest

import ledger
from ledger.events import Corrected, Event, HandsOpened
from tests.contracts.log_builders import an_id
from tests.covering import IS_SOAK, wider_in_soak
from tests.service.probing import Probed
from tests.service.test_probing import LEAKS
from tests.service.two_worlds import GAMES
from tests.web.serving import RECORDER, SEER, VIEWER, Served, encoded, serving

TRIED = 300 if IS_SOAK else 30
"""The number of acts in each game."""

SHOWN = ("/tables/t", "/tables/t/score", "/tables/t/audit", "/tables/t/now", "/streams/table/t/entries")
"""What a viewer reads after each act."""

OF_THIS_MOMENT = re.compile(rb'"(recorded_at|digest)":"[^"]*"')
"""Fields that differ between two services: clocks, and digests of visible contents."""


class ProbedByHttp(Probed):
    """Two tables, each recorded by a service of its own."""

    def __init__(self, game: str, seed: int, served: tuple[Served, Served], opened: ExitStack) -> None:
        self.served = served
        self.ids: tuple[Iterator[int], ...] = (count(1_000), count(1_000))
        super().__init__(game, seed, [opened.enter_context(ledger.open(one.ledger)) for one in served])

    def record_act(self, which: int, event: Event, as_played: bool, by_director: bool) -> str:
        id, table = an_id(next(self.ids[which])), self.tables[which]
        if isinstance(event, Corrected):
            path = "/tables/t/corrections"
            about = {"version": event.version, "action": event.action, "reason": event.reason}
            body = {"id": id, "expected_version": table.version, **about}
        else:
            path = "/streams/table/t/entries"
            body = {"entries": [{"id": id, "event": encoded(event)}], "as_played": as_played}
        answer = self.served[which].post(path, body, who=SEER if by_director else RECORDER)
        table.catch_up()
        if isinstance(event, HandsOpened):
            return ""  # an answer to somebody who sees hands
        return f"{answer.status_code} {OF_THIS_MOMENT.sub(b'', answer.content)!r}"

    def seen(self, which: int) -> bytes:
        answers = [self.served[which].get(path, who=VIEWER) for path in SHOWN]
        assert {answer.status_code for answer in answers} == {200}
        return OF_THIS_MOMENT.sub(b"", b"\n".join(answer.content for answer in answers))


@contextmanager
def probed(folder: Path, game: str, seed: int) -> Iterator[ProbedByHttp]:
    with ExitStack() as opened:
        paths = [folder / f"{game} {seed} {which}" / "club.ledger" for which in range(2)]
        for path in paths:
            path.parent.mkdir(parents=True)
            ledger.create(path).close()
        one, other = (opened.enter_context(serving(path)) for path in paths)
        yield ProbedByHttp(game, seed, (one, other), opened)


@pytest.mark.parametrize("game", GAMES)
@wider_in_soak
def test_no_act_distinguishes_two_served_tables(game: str, tmp_path: Path) -> None:
    acts = 0
    for seed in count():
        if acts >= TRIED:
            return
        with probed(tmp_path, game, seed) as pair:
            pair.play(TRIED)
            acts += pair.acts


@pytest.mark.parametrize("leak", sorted(LEAKS.keys() - {"score and findings are those of the full record"}))
@pytest.mark.soak
def test_a_leak_planted_in_the_service_is_detected(leak: str, tmp_path: Path) -> None:
    plant: Callable[[pytest.MonkeyPatch], None] = LEAKS[leak]
    for seed, game in product(range(40), GAMES):
        with pytest.MonkeyPatch.context() as patch, probed(tmp_path, game, seed) as pair:
            plant(patch)
            try:
                pair.play(60)
            except AssertionError:
                return
    pytest.fail("no act revealed it")
