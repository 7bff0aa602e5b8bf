"""Any line has a meaning or is refused in words, and reading a line always ends."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import LedgerError
from ledger.events import TableOpened
from ledger.games import registered_games
from ledger.log import MemoryStore, NewEntry
from ledger.recording.live import LiveTable
from ledger.recording.simulate import simulate_table
from ledger.recording.typed.reading import read_next
from ledger.recording.typed.situation import Situation, situation_of
from tests.recording.typed.scripts import recorder_at

SIGNS = "shdcakqjt1023456789?!#/>:;, .-+pzkrwuxyvemn♠♥_１？！スハパ\t\u3000'\""
LINES = st.text(st.sampled_from(SIGNS), max_size=14) | st.text(max_size=8)
GAMES = sorted(set(registered_games()) & {"ombre", "quadrille", "couillon", "kop", "baska"})


@cache
def table(game: str) -> list[LiveTable]:
    """Return a table of that game at each of its acts."""
    players = ("Ada", "Ben", "Cleo", "Dan")[: 3 if game == "ombre" else 4]
    opened, *events = simulate_table(registered_games()[game], players, {}, 2, 3, "t", closed=False)
    assert isinstance(opened, TableOpened)
    live, stages = LiveTable.open(MemoryStore(), "t", opened, by="Ann"), []
    for event in events[:40]:
        stages.append(live.preview([]))
        live.record([NewEntry(event)], by="Ann")
    return stages


@cache
def situation(game: str, place: int) -> Situation:
    live = table(game)[place]
    return situation_of(live, live.fold.players)


@pytest.mark.parametrize("game", GAMES)
@given(place=st.integers(0, 39), line=LINES, is_joined=st.booleans())
def test_any_line_means_something_or_is_refused_and_gets_shorter(
    game: str, place: int, line: str, is_joined: bool
) -> None:
    now = situation(game, min(place, len(table(game)) - 1))
    try:
        _, rest = read_next(line, now, is_joined=is_joined)
    except LedgerError as error:
        assert error.message("en") and error.message("ja")
        return
    assert len(rest) < max(len(line), 1)


@given(lines=st.lists(LINES, max_size=6))
def test_no_line_breaks_a_recorder(lines: list[str]) -> None:
    live = LiveTable.open(MemoryStore(), "t", TableOpened(game="kop", players=("Ada", "Ben", "Cleo", "Dan")), by="Ann")
    recorder = recorder_at(live, lambda notice: None)
    for line in lines:
        recorder.look()
        recorder.type(line)
        assert recorder.seen == live.version
