"""What somebody types who records a table that was recorded before: the shortest lines that make the same entries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from ledger.errors import LedgerError
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    DealStarted,
    DealVoided,
    Event,
    Noted,
    PartnerCalled,
    PlayerSeated,
    ResultRecorded,
    ScoreClaimed,
    TableOpened,
    TrickGathered,
    TrumpNamed,
)
from ledger.log import LogStore, MemoryStore, NewEntry
from ledger.recording.live import LiveTable
from ledger.recording.typed.asking import Question
from ledger.recording.typed.meaning import Acts
from ledger.recording.typed.reading import read_next
from ledger.recording.typed.recorder import Recorder
from ledger.recording.typed.situation import Situation, situation_of
from ledger.recording.typed.told import Told
from tests.contracts.log_builders import an_id

TYPED_LATER = ("ruling_given", "table_closed", "corrected", "dispute_raised")
"""What is no act of the game: a director's, and of other commands."""


def without_hands(events: Sequence[Event]) -> list[Event]:
    """The same table where nobody has written down hands."""
    return [_bared(event) for event in events if event.__struct_config__.tag not in TYPED_LATER]


def _bared(event: Event) -> Event:
    if isinstance(event, CardsDealt):
        return CardsDealt(hands=(None,) * len(event.hands))
    if isinstance(event, CardsExchanged):
        return CardsExchanged(seat=event.seat, count=event.count)
    return event


class Scribe:
    """Types events one after the other; `lines` are what was typed, answers to questions among them."""

    def __init__(self, opened: TableOpened) -> None:
        self.live = LiveTable.open(MemoryStore(), "t", opened, by="Ann")
        self.lines: list[str] = []
        self._line = ""
        self._kind: type | None = None

    def type(self, event: Event) -> None:
        now = situation_of(self.live, self.live.fold.players)
        match event:
            case DealStarted():
                self._end_line()
                is_due = event.dealer == now.dealer and self.live.dealer_due() in (None, event.dealer)
                self.lines.append("" if is_due else f"x {now.players[event.dealer]}")
            case CardsDealt():
                self._deal(event, now)
            case ResultRecorded():
                self._end_line()
                self.lines += ["/r", *answers(event, now)]
            case ScoreClaimed():
                self._end_line()
                self.lines += ["/s", *sheet_answers(event, "pool" in self.live.fold.match.state())]
            case Noted():
                self._end_line()
                self.lines.append(f"# {event.text}")
            case DealVoided():
                self._end_line()
                self.lines.append(f"/v {event.reason}")
            case PlayerSeated():
                self._end_line()
                self.lines.append(f"w {now.players[event.seat]}: {event.player}")
            case _:
                self._act(event, now)
        self.live.record([NewEntry(event)], by="Ann", as_played=True)
        deals = self.live.fold.deals
        is_over = bool(deals) and deals[-1].machine.status != "open"
        view = deals[-1].machine.view() if deals and isinstance(event, CardPlayed) else None
        if is_over or (view is not None and view.tricks and view.tricks[-1].winner is not None):
            self._end_line()

    def script(self) -> list[str]:
        self._end_line()
        return self.lines

    def _end_line(self) -> None:
        if self._line:
            self.lines.append(self._line)
        self._line, self._kind = "", None

    def _deal(self, event: CardsDealt, now: Situation) -> None:
        self._end_line()
        if any(event.hands) or event.stock:
            parts = [f"{now.players[seat]}: {glued(hand)}" for seat, hand in enumerate(event.hands) if hand]
            sits_out = [f"{now.players[seat]}: -" for seat, hand in enumerate(event.hands) if hand == ()]
            stock = [f"stock: {glued(event.stock)}"] if event.stock else []
            self.lines.append("h " + " / ".join([*parts, *sits_out, *stock]))
        elif event.hands:
            self.lines.append("")

    def _act(self, event: Event, now: Situation) -> None:
        text = shortest(event, now)
        is_forbidden = bool(self.live.judge([NewEntry(event)], as_played=True).found)
        if is_forbidden:
            text = f"!{text}"
        joins = type(event) in (BidMade, CardPlayed, CardsExchanged) and text.isalnum()
        before = self._line.split(" ")[-1]
        means_one_call = isinstance(event, BidMade) and any(call.startswith(before + text) for call in now.game.calls)
        is_glued = type(event) is self._kind and joins and not means_one_call
        if isinstance(event, CardsExchanged) and event.discarded:
            self._end_line()
        self._line += text if is_glued or not self._line else f" {text}"
        self._kind = type(event) if joins else None
        if isinstance(event, CardsExchanged) and event.discarded:
            self._end_line()


def glued(cards: Sequence[str]) -> str:
    return "".join(cards).lower()


def shortest(event: Event, now: Situation) -> str:
    """The least that is read as this event alone."""
    for text in spellings(event, now):
        try:
            meaning, rest = read_next(text, now)
        except LedgerError:
            continue
        if isinstance(meaning, Acts) and meaning.events[-1] == event and not rest.strip():
            return text
    raise AssertionError(f"{event} cannot be typed here: {now.legal}")


def spellings(event: Event, now: Situation) -> Iterator[str]:
    names = now.players
    match event:
        case BidMade():
            card = f" {event.card.lower()}" if event.card else ""
            yield from (f"{begin}{card}" for begin in beginnings(event.call))
            yield from (f"{names[event.seat]}: {begin}{card}" for begin in beginnings(event.call))
        case Announced():
            yield from beginnings(event.what)
            seats = event.seats or (() if event.seat is None else (event.seat,))
            speaker = "+".join(names[seat] for seat in seats) or "table"
            yield from (f"{speaker}: {begin}" for begin in beginnings(event.what))
        case TrumpNamed():
            yield from beginnings({"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}[event.suit])
            yield f"{names[event.seat]}: {event.suit.lower()}"
        case CardPlayed(card="??"):
            yield "?"
        case CardPlayed() | CardTurned() | PartnerCalled():
            card = (event.card or "none").lower()
            hidden = now.machine is not None and not any(set(hand) - {"??"} for hand in now.machine.view().hands)
            yield from ([] if hidden else [card[1:]])
            yield card
            yield f"{names[getattr(event, 'seat', 0)]}: {card}"
        case CardsExchanged(discarded=None):
            yield str(event.count)
            yield f"{names[event.seat]}: {event.count}"
        case CardsExchanged(count=0):
            yield "-"
            yield f"{names[event.seat]}: -"
        case CardsExchanged():
            drawn = f" > {glued(event.drawn)}" if event.drawn else ""
            yield f"{glued(event.discarded or ()) or event.count}{drawn}"
            yield f"{names[event.seat]}: {glued(event.discarded or ()) or event.count}{drawn}"
        case TrickGathered():
            yield f"> {names[event.seat]}"


def beginnings(word: str) -> Iterator[str]:
    if "_" in word:
        yield "".join(part[0] for part in word.split("_"))
    yield from (word[:end] for end in range(1, len(word) + 1))


def answers(event: ResultRecorded, now: Situation) -> Iterator[str]:
    """The answers to what is asked of a result."""
    for field in msgspec.structs.fields(now.game.outcome_type):
        value = event.outcome.get(field.encode_name, msgspec.UNSET)
        yield "" if value is msgspec.UNSET else answered(value)


def answered(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "y" if value else "n"
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def sheet_answers(event: ScoreClaimed, has_pool: bool) -> Iterator[str]:
    yield " ".join(map(str, event.deltas or ()))
    if has_pool:
        yield "" if event.pool is None else str(event.pool)
    yield " ".join(map(str, event.totals or ()))


def typed_in(lines: Sequence[str], store: LogStore, opened: TableOpened, **how: Any) -> list[Told]:
    """Types the lines at a new table of the ledger; answers all that was told."""
    told: list[Told] = []
    rest = list(lines)
    recorder = recorder_at(LiveTable.open(store, "t", opened, by="Ann"), told.append, lambda _: rest.pop(0), **how)
    while rest and not recorder.is_over:
        recorder.look()
        recorder.type(rest.pop(0))
    return told


def recorder_at(
    live: LiveTable,
    tell: Callable[[Told], None],
    ask: Callable[[Question], str] = lambda question: question.default,
    **how: Any,
) -> Recorder:
    ids = iter(range(1, 1_000_000))
    return Recorder(
        live,
        by=how.pop("by", "Ann"),
        players=lambda names: names,
        new_id=lambda: an_id(next(ids)),
        ask=ask,
        tell=tell,
        lang="en",
        **how,
    )
