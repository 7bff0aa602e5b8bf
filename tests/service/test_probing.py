"""Probing reveals no hidden card: no refusal, finding, score or moment of showing depends on one."""

from collections.abc import Callable, Sequence
from itertools import product

import pytest

from ledger.events import Event
from ledger.games.kernel.findings import Violation
from ledger.recording.live.running import RunningTable
from ledger.recording.live.table import LiveTable
from ledger.table import redaction
from ledger.table.hiding import is_over
from tests.covering import IS_SOAK
from tests.service.probing import Probed
from tests.service.two_worlds import GAMES

ACTS = 60
"""The most acts at one pair of tables."""

TRIED = 1_500 if IS_SOAK else 250
"""The number of acts in each game."""


@pytest.mark.parametrize("game", GAMES)
def test_no_act_distinguishes_two_tables(game: str) -> None:
    acts, seed = 0, 0
    while acts < TRIED:
        pair = Probed(game, seed)
        pair.play(ACTS)
        acts, seed = acts + pair.acts, seed + 1


def _shown_by_the_full_record(self: RunningTable) -> None:
    if self.hidden is not None and self.fold.deals and is_over(self.fold.deals[-1].machine):
        self._hiding.hidden = None
        self._public = None


_BROKEN_BY = RunningTable.broken_by


def _broken_by_the_full_record(self: RunningTable, event: Event, *, as_seen: bool = False) -> Sequence[Violation]:
    return _BROKEN_BY(self, event)


LEAKS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "the full record decides when hands are shown": lambda patch: patch.setattr(
        RunningTable, "_show_what_ended", _shown_by_the_full_record
    ),
    "the full record decides what is refused": lambda patch: patch.setattr(
        RunningTable, "broken_by", _broken_by_the_full_record
    ),
    "the full record decides what is legal": lambda patch: patch.setattr(
        LiveTable, "_machine", lambda table, as_seen: table.machine
    ),
    "score and findings are those of the full record": lambda patch: patch.setattr(
        LiveTable, "settled_as_seen", LiveTable.settled
    ),
    "the cards of an exchange are not hidden": lambda patch: patch.delitem(redaction._SHOWN, redaction.CardsExchanged),
}


@pytest.mark.parametrize("plant", LEAKS.values(), ids=LEAKS)
def test_a_planted_leak_is_detected(plant: Callable[[pytest.MonkeyPatch], None]) -> None:
    """Without the leak the same acts reveal nothing."""
    for seed, game in product(range(200), GAMES):
        with pytest.MonkeyPatch.context() as patch:
            plant(patch)
            try:
                Probed(game, seed).play(ACTS)
            except AssertionError:
                break
    else:
        pytest.fail("no act revealed it")
    Probed(game, seed).play(ACTS)
