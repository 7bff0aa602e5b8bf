"""The shortest lines that make the entries of a recorded table, as a recorder would type them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from ledger import events as ev
from ledger.errors import LedgerError
from ledger.games.kernel.result_form import answers_of
from ledger.log import LogStore, MemoryStore, NewEntry
from ledger.recording.forms import result_form
from ledger.recording.live import LiveTable
from ledger.recording.typed.choices import Acts
from ledger.recording.typed.forms import Prompt
from ledger.recording.typed.reading import read_next
from ledger.recording.typed.recorder import Recorder
from ledger.recording.typed.situation import Notice, Situation, early_act, situation_of
from tests.contracts.log_builders import an_id

ACTS = (ev.GAME_ACTION_TYPES | {ev.TrickGathered}) - {ev.CardsDealt}
TYPED_LATER = ("ruling_given", "table_closed", "corrected", "dispute_raised")
"""Events that are no acts of the game: those of directors and of other commands."""


def without_hands(events: Sequence[ev.Event]) -> list[ev.Event]:
    return [_bared(event) for event in events if event.__struct_config__.tag not in TYPED_LATER]


def _bared(event: ev.Event) -> ev.Event:
    if isinstance(event, ev.CardsDealt):
        return ev.CardsDealt(hands=(None,) * len(event.hands))
    if isinstance(event, ev.CardsExchanged):
        return ev.CardsExchanged(seat=event.seat, count=event.count)
    return event


class Scribe:
    """Typist of events. `lines`: the lines typed so far, answers to questions included."""

    def __init__(self, opened: ev.TableOpened) -> None:
        self.live = LiveTable.open(MemoryStore(), "t", opened, by="Ann")
        self.lines: list[str] = []
        self._line = ""
        self._kind: type | None = None

    def type(self, event: ev.Event) -> None:
        now = situation_of(self.live, self.live.fold.players)
        if type(event) in ACTS:
            self._act(event, now)
        else:
            self._end_line()
            self.lines += self._lines_of(event, now)
        self.live.record([NewEntry(event)], by="Ann", as_played=True)
        deals = self.live.fold.deals
        is_over = bool(deals) and deals[-1].machine.status != "open"
        view = deals[-1].machine.view() if deals and isinstance(event, ev.CardPlayed) else None
        if is_over or (view is not None and view.tricks and view.tricks[-1].winner is not None):
            self._end_line()

    def script(self) -> list[str]:
        self._end_line()
        return self.lines

    def _end_line(self) -> None:
        if self._line:
            self.lines.append(self._line)
        self._line, self._kind = "", None

    def _lines_of(self, event: ev.Event, now: Situation) -> Iterator[str]:
        """Yield the lines of an event that needs lines of its own."""
        match event:
            case ev.DealStarted(dealer=dealer):
                is_due = dealer == now.dealer and self.live.dealer_due() in (None, dealer)
                yield "" if is_due else f"x {now.players[dealer]}"
            case ev.CardsDealt(hands=hands, stock=stock) if any(hands) or stock:
                parts = [f"{now.players[seat]}: {glued(hand)}" for seat, hand in enumerate(hands) if hand]
                parts += [f"{now.players[seat]}: -" for seat, hand in enumerate(hands) if hand == ()]
                yield "h " + " / ".join(parts + ([f"stock: {glued(stock)}"] if stock else []))
            case ev.CardsDealt():
                yield ""
            case ev.ResultRecorded():
                yield from ("/r", *self._answers(event))
            case ev.ScoreClaimed():
                yield from ("/s", *sheet_answers(event, "pool" in self.live.fold.match.state()))
            case ev.Noted(text=text):
                yield f"# {text}"
            case ev.DealVoided(reason=reason):
                yield f"/v {reason}"
            case ev.PlayerSeated(seat=seat, player=player):
                yield f"w {now.players[seat]}: {player}"

    def _answers(self, event: ev.ResultRecorded) -> list[str]:
        """Return the answers to the questions about a result."""
        fold = self.live.fold
        dealer, seats = fold.deals[-1].dealer, len(fold.players)
        outcome = fold.game.check_outcome(dict(event.outcome), fold.options, seats, dealer)
        known, answers = answers_of(msgspec.to_builtins(outcome)), dict[str, str]()
        while True:
            questions = result_form(fold.game, answers, fold.options, seats, dealer).questions
            question = next((one.name for one in questions if one.name not in answers), None)
            if question is None:
                return list(answers.values())
            answers[question] = known[question]

    def _act(self, event: ev.Event, now: Situation) -> None:
        violations = self.live.judge([NewEntry(event)], as_played=True).violations
        is_forbidden = bool(violations) or early_act(self.live, now, event, "") is not None
        text = "!" * is_forbidden + shortest(event, now)
        joins = type(event) in (ev.BidMade, ev.CardPlayed, ev.CardsExchanged) and text.isalnum()
        before = self._line.split(" ")[-1]
        means_one_call = isinstance(event, ev.BidMade) and any(
            call.startswith(before + text) for call in now.game.calls
        )
        is_glued = type(event) is self._kind and joins and not means_one_call
        is_alone = isinstance(event, ev.CardsExchanged) and event.discarded
        if is_alone:
            self._end_line()
        self._line += text if is_glued or not self._line else f" {text}"
        self._kind = type(event) if joins else None
        if is_alone:
            self._end_line()


def glued(cards: Sequence[str]) -> str:
    return "".join(cards).lower()


def shortest(event: ev.Event, now: Situation) -> str:
    """Return the shortest text that is read as this event alone: without a name if possible."""
    seat = getattr(event, "seat", None)
    seats = getattr(event, "seats", None) or (() if seat is None else (seat,))
    speaker = "+".join(now.players[seat] for seat in seats) or "table"
    for text in [*spellings(event, now), *(f"{speaker}: {text}" for text in spellings(event, now))]:
        try:
            meaning, rest = read_next(text, now)
        except LedgerError:
            continue
        if isinstance(meaning, Acts) and meaning.events[-1] == event and not rest.strip():
            return text
    raise AssertionError(f"{event} cannot be typed here: {now.legal}")


def spellings(event: ev.Event, now: Situation) -> Iterator[str]:
    match event:
        case ev.BidMade(call=call, card=card):
            yield from (f"{begin} {card.lower()}" if card else begin for begin in beginnings(call))
        case ev.Announced(what=what):
            yield from beginnings(what)
        case ev.TrumpNamed(suit=suit):
            yield from beginnings({"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}[suit])
        case ev.CardPlayed(card="??"):
            yield "?"
        case ev.CardPlayed() | ev.CardTurned() | ev.PartnerCalled():
            card = (event.card or "none").lower()
            hidden = now.machine is not None and not any(set(hand) - {"??"} for hand in now.machine.view().hands)
            yield from ([] if hidden else [card[1:]])
            yield from (card, card.replace("t", "10"))
        case ev.CardsExchanged(discarded=None, count=count):
            yield str(count)
        case ev.CardsExchanged(count=0):
            yield "-"
        case ev.CardsExchanged(discarded=discarded, drawn=drawn):
            yield glued(discarded or ()) + (f" > {glued(drawn)}" if drawn else "")
        case ev.TrickGathered(seat=seat):
            yield f"> {now.players[seat]}"


def beginnings(word: str) -> Iterator[str]:
    if "_" in word:
        yield "".join(part[0] for part in word.split("_"))
    yield from (word[:end] for end in range(1, len(word) + 1))


def sheet_answers(event: ev.ScoreClaimed, has_pool: bool) -> Iterator[str]:
    yield " ".join(map(str, event.deltas or ()))
    if has_pool:
        yield "" if event.pool is None else str(event.pool)
    yield " ".join(map(str, event.totals or ()))


def typed_in(lines: Sequence[str], store: LogStore, opened: ev.TableOpened, **how: Any) -> list[Notice]:
    """Type the lines at a new table of the ledger, and return all notices."""
    notices: list[Notice] = []
    rest = list(lines)
    recorder = recorder_at(LiveTable.open(store, "t", opened, by="Ann"), notices.append, lambda _: rest.pop(0), **how)
    while rest and not recorder.is_over:
        recorder.look()
        recorder.type(rest.pop(0))
    return notices


def recorder_at(
    live: LiveTable,
    notify: Callable[[Notice], None],
    ask: Callable[[Prompt], str] = lambda question: question.default,
    **how: Any,
) -> Recorder:
    ids = iter(range(1, 1_000_000))
    return Recorder(
        live,
        by=how.pop("by", "Ann"),
        players=lambda names: names,
        new_id=lambda: an_id(next(ids)),
        ask=ask,
        notify=notify,
        lang="en",
        **how,
    )
