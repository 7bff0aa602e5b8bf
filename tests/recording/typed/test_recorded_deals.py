"""Every recorded deal of `replays/` can be typed during the game, and makes the same entries."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ledger.events import CardsDealt, DealStarted, Event, ResultRecorded, ScoreClaimed, TableOpened
from ledger.games import game_named
from ledger.log import MemoryStore
from ledger.recording.typed.forms import without_defaults
from ledger.recording.typed.situation import ActRefused
from tests.hand_records import REPLAYS, record_in, some_records, table_events
from tests.recording.typed.scripts import TYPED_LATER, Scribe, typed_in, without_hands


def typed(events: list[Event]) -> tuple[list[str], list[Event], list[str]]:
    """Return the lines typed for these events, the entries that they made, and the refusals."""
    opened, *acts = events
    assert isinstance(opened, TableOpened)
    scribe = Scribe(opened)
    for act in acts:
        scribe.type(act)
    lines, store = scribe.script(), MemoryStore()
    notices = typed_in(lines, store, opened)
    refused = [str(one.error) for one in notices if isinstance(one, ActRefused)]
    return lines, [row.event() for row in store.read()], refused


def plain(event: Event) -> Event:
    """Return the event with the fields that a line at the table can have."""
    if isinstance(event, CardsDealt):
        return CardsDealt(hands=event.hands, stock=event.stock)
    if isinstance(event, ScoreClaimed):
        return ScoreClaimed(deltas=event.deltas, pool=event.pool, totals=event.totals)
    return event


def made_by_lines(events: list[Event]) -> list[Event]:
    opened = events[0]
    assert isinstance(opened, TableOpened)
    outcome_type = game_named(opened.game).outcome_type
    selected = [plain(event) for event in events if event.__struct_config__.tag not in TYPED_LATER]
    selected = [
        ResultRecorded(outcome=without_defaults(event.outcome, outcome_type))
        if isinstance(event, ResultRecorded)
        else event
        for event in selected
    ]
    return [event for event in selected if event != ScoreClaimed()]


@pytest.mark.parametrize("as_known", [list, without_hands], ids=["with its hands", "without hands"])
@pytest.mark.parametrize("path", some_records(2))
def test_a_recorded_table_is_typed(path: Path, as_known: Callable[[list[Event]], list[Event]]) -> None:
    events = as_known(made_by_lines(table_events(record_in(path))))
    _, recorded, refused = typed(events)
    assert (refused, recorded) == ([], events)


@pytest.mark.parametrize(("name", "most"), [
    ("kop/01-exactly-53", 60),
    ("ombre/rape-of-the-lock", 120),
    ("quadrille/01-alliance-won", 120),
    ("couillon/31-match-mit4-points", 60),
])  # fmt: skip
def test_a_deal_takes_few_keystrokes_without_hands(name: str, most: int) -> None:
    events = without_hands(made_by_lines(table_events(record_in(REPLAYS / f"{name}.toml"))))
    starts = [place for place, event in enumerate(events) if isinstance(event, DealStarted)]
    first = events[:1] + events[starts[0] : (starts[1:] or [len(events)])[0]]
    lines, recorded, _ = typed(first)
    assert recorded == first
    assert sum(len(line) + 1 for line in lines) < most, lines
