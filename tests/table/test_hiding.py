"""The entry from which a table is hidden while its last deal is open, and the hidden parts of its entries."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from ledger.events import (
    CardsDealt,
    Corrected,
    DealStarted,
    DealVoided,
    Event,
    HandsOpened,
    Noted,
    ResultRecorded,
    RulingGiven,
    TableClosed,
    TableOpened,
    decode_event,
    encode_event,
)
from ledger.recording.live.running import RunningTable
from ledger.table.corrections import Signature
from ledger.table.fold import TableFold
from ledger.table.hiding import hidden_deals_in, hidden_in
from ledger.table.redaction import Hidden, redacted, redacted_entries
from tests.games.kop.tables import ORDINARY_PLAY, ordinary

OPENED = TableOpened(game="kop", players=("Ann", "Ben", "Cleo", "Dan"))
WHOLE = tuple(event for _, event in ordinary().tricks(ORDINARY_PLAY).entries[1:])
"""A deal from version 2 to 23: its start, the cards dealt, four passes, sixteen cards played."""
RESULT = ResultRecorded(outcome={"contract": "normal", "declarers": [0, 1], "card_points": [61, 43], "tricks": [2, 2]})


def start(deal: int) -> DealStarted:
    return DealStarted(deal=deal, dealer=(deal + 2) % 4)


def of_deal(number: int, version: int) -> Hidden:
    return Hidden(version, version, number)


ROWS = Path(__file__).with_name("hiding.txt").read_text(encoding="utf-8").partition("\n[ended]\n")
LINES, ENDED = ([line for line in part.splitlines() if line and line[0] != "#"] for part in (ROWS[0], ROWS[2]))

EVENTS: dict[str, Callable[[int], Event]] = {
    "start": start,
    "strike": lambda version: Corrected(version=version, action="strike", reason="x"),
    "open": lambda deal: HandsOpened(deal=deal),
    "dealt": lambda _: WHOLE[1],
    "last_card": lambda _: WHOLE[-1],
    "result": lambda _: RESULT,
    "voided": lambda _: DealVoided(reason="misdealt"),
    "closed": lambda _: TableClosed(),
    "note": lambda _: Noted(text="a quiet evening"),
    "ruled_void": lambda _: RulingGiven(deal=1, text="x", kind="void"),
}


def events_of(steps: str) -> Iterator[Event]:
    """Yield the events of steps as `hiding.txt` writes them."""
    for step in steps.split(", ") if steps else ():
        word, *given = step.split(" ", 2)
        if word == "whole":
            yield from WHOLE[: int(given[0].removeprefix(":")) if given else None]
        elif word == "put_in":
            events = tuple(events_of(given[1].replace(" & ", ", ")))
            yield Corrected(version=int(given[0]), action="insert_after", events=events, reason="x")
        else:
            first, _, last = (given[0] if given else "0").partition("-")
            for number in range(int(first), int(last or first) - 1, -1):
                yield EVENTS[word](number)


def running(events: Iterable[Event]) -> RunningTable:
    """Return a table of these entries, after checking after each that the answers at once are the same."""
    table = RunningTable([(1, OPENED)], {})
    for event in events:
        table.take(event, Signature("Ann"))
        assert hidden_in(table.entries) == table.hidden
        assert hidden_deals_in(table.entries) == [one.deal for one in table.to_open()]
    return table


@pytest.mark.parametrize("line", LINES)
def test_hidden(line: str) -> None:
    steps, hidden, *waiting = re.split(r"\s*\| ?", line)
    table = running(events_of(steps))
    assert table.hidden == (None if hidden == "nothing" else Hidden(*map(int, hidden.split())))
    for deals in waiting:
        assert [one.deal for one in table.to_open()] == [int(deal) for deal in deals.split()]


@pytest.mark.parametrize("steps", ENDED)
def test_a_deal_that_ends_before_its_last_card_is_shown_when_a_later_one_is_played_out_or_by_intent(steps: str) -> None:
    events = list(events_of(steps))
    assert running(events).hidden == of_deal(1, 2)
    started = [at for at, event in enumerate(events, 2) if isinstance(event, DealStarted) and event.deal == 2]
    by_intent = of_deal(2, started[0]) if started and events[-1] != RESULT else None
    assert running([*events, HandsOpened(deal=1)]).hidden == by_intent
    if isinstance(events[-1], TableClosed):
        events.append(EVENTS["strike"](len(events) + 1))
    number = 1 + max(event.deal for event in events if isinstance(event, DealStarted))
    assert running([*events, start(number), *WHOLE[1:-1]]).hidden == of_deal(1, 2)
    assert running([*events, start(number), *WHOLE[1:]]).hidden is None


def test_a_deal_that_cannot_be_scored_any_more_goes_on_being_hidden() -> None:
    """Whether it was halted may depend on the cards."""
    opened = TableOpened(game="ombre", players=("Ann", "Ben", "Cleo"))
    halted = [opened, DealStarted(deal=1, dealer=2), CardsDealt(hands=(("SA", "SA"), None, None))]
    entries = list(enumerate(halted, 1))
    assert TableFold(entries, goes_on=True).deals[0].machine.status == "unscorable"
    assert hidden_in(entries) == RunningTable(entries, {}).hidden == of_deal(1, 2)
    assert hidden_in([*entries, (4, DealStarted(deal=2, dealer=0))]) == of_deal(1, 2)


DATA = tomllib.loads(Path(__file__).with_name("hiding.toml").read_text(encoding="utf-8"))


def shown(event: str) -> str:
    """Return what is shown of an event of a hidden deal."""
    return encode_event(redacted((4, decode_event(event.encode())), Hidden(3, 3, 1))).decode()


@pytest.mark.parametrize(("event", "seen"), DATA["redacted"].items())
def test_hidden_cards_are_counted_but_not_named(event: str, seen: str) -> None:
    assert shown(event) == seen


@pytest.mark.parametrize("event", DATA["shown"]["events"])
def test_what_everybody_saw_stays(event: str) -> None:
    assert shown(event) == event


def test_only_the_open_deal_is_redacted_and_what_corrects_it() -> None:
    dealt = CardsDealt(hands=(("SA", "S7"), None, None))
    of_first = Corrected(version=3, action="replace", events=(dealt,), reason="x")
    of_open = Corrected(version=5, action="replace", events=(dealt,), reason="x")
    entries = [
        (2, DealStarted(deal=1, dealer=0)),
        (3, dealt),
        (4, DealStarted(deal=2, dealer=1)),
        (5, dealt),
        (6, of_first),
        (7, of_open),
    ]
    seen = dict(redacted_entries(entries, Hidden(4, 4, 2)))
    assert (seen[3], seen[6]) == (dealt, of_first)
    assert seen[5] == CardsDealt(hands=(("??", "??"), None, None))
    assert seen[7] == Corrected(version=5, action="replace", events=(seen[5],), reason="??")
