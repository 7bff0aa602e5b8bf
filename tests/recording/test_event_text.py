"""An event in the words of a hand record: so a conflict between a file and the ledger shows it, so it is understood."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from ledger.events import GAME_ACTION_TYPES, Announced, CardsDealt, Event, decode_event
from ledger.recording.event_text import hand_words, told_events
from ledger.table.fold import TableFold
from tests.hand_records import REPLAYS, record_in, table_events

PLAYERS = ("Ann", "Ben", "Cleo", "Dan")
SAID = tomllib.loads(Path(__file__).with_name("event_text.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("event", "words"), SAID.items())
def test_an_event_is_said_as_it_would_be_typed(event: str, words: str) -> None:
    assert hand_words(decode_event(event.encode()), PLAYERS) == words


def words_for(event: Event, players: Sequence[str]) -> str | None:
    """How a hand record would tell an action, without a name; null for what it tells otherwise."""
    is_said_by_one = not isinstance(event, Announced) or (event.seats is None and event.seat is not None)
    if type(event) not in GAME_ACTION_TYPES - {CardsDealt} or not is_said_by_one:
        return None
    return re.sub(r'^\w+ = "|"$', "", hand_words(event, players)).rpartition(": ")[2]


@pytest.mark.parametrize(
    "path",
    [
        *("ombre/revoke.toml", "ombre/11a-surrender-in-vuelta.toml", "couillon/36-match-six32-upcard-bars.toml"),
        *("quadrille/06-partner-reveals-himself-and-stop.toml", "quadrille/match-of-four-deals.toml"),
        *("kop/09-wesele-cancels-kontra.toml", "kop/20-kontra-on-the-own-wesele.toml"),
    ],
)
def test_every_action_of_a_recorded_game_is_understood_in_its_own_words(path: str) -> None:
    events = table_events(record_in(REPLAYS / path))
    fold = TableFold(list(enumerate(events, 1)))
    told = [(index, event, words_for(event, fold.players)) for index, event in enumerate(events[:120])]
    told = [one for one in told if one[2] is not None]
    assert len(told) > 5
    for index, event, words in told:
        assert told_events(fold, index, event, words) == (event,)
