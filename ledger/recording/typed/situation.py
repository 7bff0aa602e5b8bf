"""The situation of a table for its recorder: what is awaited, who is due, what may come next, what has happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from ledger.errors import LedgerError, MalformedError
from ledger.events import (
    GAME_ACTION_TYPES,
    MACHINE_TYPES,
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    Event,
    PartnerCalled,
    TrumpNamed,
)
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.moves import includes, other_speaker, shown, value_of
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.views import Moves, TrickView
from ledger.i18n import Text, phrases
from ledger.log.base import Row
from ledger.recording.catalogue import either, phrase
from ledger.recording.live import LiveTable
from ledger.recording.vocabulary import game_words
from ledger.table.fold import TableFold
from ledger.table.steps import machine_before

Stage: TypeAlias = Literal["closed", "between", "cards", "acts"]
"""The next thing awaited: nothing, a deal, its cards (which may stay unknown), or acts of the deal."""


class Situation(Struct, frozen=True, kw_only=True):
    """The context in which a line is read.

    `dealt`: the events to record before the first act if no cards are dealt yet. `machine`: that of the deal, after
    `dealt`, with the cards that the viewer may know. `next_deal`, `dealer`: the number and dealer of the coming deal.
    """

    stage: Stage
    game: Game
    players: Sequence[str]
    legal: Moves
    turn: int | None
    dealt: tuple[Event, ...]
    machine: Deal | None
    next_deal: int
    dealer: int

    def may(self, kind: type[Event]) -> bool:
        """Return whether an event of this type may come next."""
        return includes(self.legal, kind)


def situation_of(live: LiveTable, players: Sequence[str], *, is_hidden: bool = False) -> Situation:
    """Return the situation of a table. `players`: the names shown. `is_hidden`: only public cards are known."""
    fold = live.fold
    stage = stage_of(fold)
    dealt: tuple[Event, ...] = ()
    table = live
    if stage == "cards":
        dealt = (CardsDealt(hands=(None,) * len(players)),)
        table = live.preview(dealt)
    shown = table.seen_by_all if is_hidden else table.fold
    machine = shown.deals[-1].machine if stage in ("cards", "acts") else None
    return _situation(fold, players, dealt, machine, live.dealer_due() if stage == "between" else None)


def situation_in(fold: TableFold, players: Sequence[str]) -> Situation:
    """Return the situation of a table as its entries up to now leave it; its last deal is settled so far.

    `dealt` is empty: players who act have been dealt cards.
    """
    machine = machine_now(fold)
    due = fold.match.expected_dealer() if machine is None else (fold.deals[-1].dealer + 1) % len(players)
    return _situation(fold, players, (), machine, due)


def _situation(
    fold: TableFold, players: Sequence[str], dealt: tuple[Event, ...], machine: Deal | None, due: int | None
) -> Situation:
    return Situation(
        stage=stage_of(fold),
        game=fold.game,
        players=players,
        legal=() if machine is None else machine.legal(),
        turn=None if machine is None else machine.turn(),
        dealt=dealt,
        machine=machine,
        next_deal=fold.deals[-1].number + 1 if fold.deals else 1,
        dealer=len(players) - 1 if due is None else due,
    )


def machine_now(fold: TableFold) -> Deal | None:
    """Return a new machine of the open deal. Cards that were not recorded count as dealt unknown."""
    if stage_of(fold) not in ("cards", "acts"):
        return None
    record = fold.deals[-1]
    entries = fold.entries[record.start + 1 :]
    if any(type(event) is CardsDealt for _, event in entries):
        return machine_before(fold, record, len(fold.entries))
    machine = machine_before(fold, record, record.start + 1)
    machine.apply(CardsDealt(hands=(None,) * len(fold.players)), 0)
    for version, event in entries:
        if type(event) in MACHINE_TYPES:
            machine.apply(event, version)
    return machine


def stage_of(fold: TableFold) -> Stage:
    """Return what is awaited at the table."""
    if fold.is_closed:
        return "closed"
    if not fold.deals or fold.deals[-1].machine.status != "open":
        return "between"
    entries = fold.entries[fold.deals[-1].start + 1 :]
    return "acts" if any(type(event) in GAME_ACTION_TYPES for _, event in entries) else "cards"


Due: TypeAlias = Literal["call", "trump", "exchange", "turn", "partner", "lead", "card", "word"]
"""The act awaited of the player who is due. `word`: only an announcement, e.g. a reply."""

_DUE_BY_TYPE: Final[dict[type[Event], Due]] = {
    TrumpNamed: "trump",
    BidMade: "call",
    CardsExchanged: "exchange",
    CardTurned: "turn",
    PartnerCalled: "partner",
}
"""In order of priority: trumps come first, whatever else may be called."""
_LATER: Final = (CardPlayed, CardsExchanged, CardTurned, PartnerCalled, TrumpNamed)
_MOST_PASSES: Final = 8
_of_all_rooms: Final = phrases("ledger.i18n")


def due_in(now: Situation) -> Due | None:
    """Return what is due; None if nothing is, e.g. between deals."""
    kind = next((kind for kind in _DUE_BY_TYPE if now.may(kind)), None)
    if kind is not None:
        return _DUE_BY_TYPE[kind]
    if now.machine is not None and now.machine.status == "open" and _may_be_turned(now):
        return "turn"
    if now.may(CardPlayed):
        tricks = now.machine.view().tricks if now.machine is not None else []
        return "card" if tricks and tricks[-1].winner is None else "lead"
    return "word" if now.may(Announced) else None


def _may_be_turned(now: Situation) -> bool:
    """Return whether a card of an unknown stock is to be turned up: none of its cards is known to be legal."""
    return not now.legal and CardTurned in now.game.event_types and now.turn is not None


def words_due(now: Situation) -> list[str]:
    """Return the recorded words that the due player may say besides the due act."""
    legal = shown(now.legal, now.turn)
    said = [*legal.get(BidMade, {}).values()] if TrumpNamed in legal else []
    said += legal.get(Announced, {}).values()
    return [value_of(move) for move in said if other_speaker(move, now.turn) is None]


def early_act(live: LiveTable, now: Situation, event: Event, typed: str) -> MalformedError | None:
    """Return the refusal of an act that skips the due one, with the player who is due; None if the act may come."""
    due = due_in(now)
    is_early = isinstance(event, _LATER) and not now.may(type(event))
    if not is_early or now.turn is None or now.machine is None or due in (None, "lead", "card"):
        return None
    broken = [violation for violation in now.machine.check(event) if violation.severity != "info"]
    if due != "call" and not broken:
        return None
    what = phrase(f"recorder.has_to_{due}", name=now.players[now.turn])
    if broken:
        what = _of_all_rooms("refusal.rule", what=what, found=broken[0].code, broken=broken[0].rule)
    words = [*shown(now.legal, now.turn)[BidMade]] if due == "call" else words_due(now)
    expected: Text | None = either(game_words(now.game, words)) if words else None
    if expected is not None and due == "call" and (passes := _passes_to_end(live, now)):
        expected = phrase(f"recorder.calls_and_{'end' if passes > 1 else 'last'}", calls=expected, passes=passes)
    return MalformedError(what, expected, typed)


def _passes_to_end(live: LiveTable, now: Situation) -> int:
    """Return the number of passes in a row that would end the auction now; 0 if passes do not."""
    ahead = live.preview(now.dealt)
    for passes in range(1, _MOST_PASSES + 1):
        machine = ahead.fold.deals[-1].machine
        turn = machine.turn()
        if turn is None:
            return 0
        ahead = ahead.preview([BidMade(seat=turn, call=now.game.passing)])
        if not includes(ahead.fold.deals[-1].machine.legal(), BidMade):
            return passes
    return 0


# Notices for the recorder


class ActRecorded(Struct, frozen=True):
    """An act that is stored. `violations`: the rules that it broke. `trick`: number and cards of the trick that it
    ended.

    `exposed`: earlier violations that this card proves.
    """

    version: int
    event: Event
    violations: Sequence[Violation] = ()
    trick: tuple[int, TrickView] | None = None
    exposed: Sequence[Violation] = ()


class OthersRecorded(Struct, frozen=True):
    """The entries that others have recorded since this recorder looked last."""

    rows: tuple[Row, ...]


class ActRefused(Struct, frozen=True):
    """The error of a refused act. `left`: the text behind it in the line. `can_insist`: `!` records the act."""

    error: LedgerError
    left: str = ""
    can_insist: bool = False


class DealEnded(Struct, frozen=True):
    """The end of the deal with this number."""

    number: int


class ActUndone(Struct, frozen=True):
    """An act that was undone or, if `is_again`, restored."""

    version: int
    events: tuple[Event, ...]
    is_again: bool = False


class SheetAgrees(Struct, frozen=True):
    """The score sheet agrees with the rules."""


class FormLeft(Struct, frozen=True):
    """A form was left before its end; nothing of it is recorded."""


class HelpRequested(Struct, frozen=True):
    """The recorder wants to see what may be typed now."""

    now: Situation


Notice: TypeAlias = (
    ActRecorded | OthersRecorded | ActRefused | DealEnded | ActUndone | SheetAgrees | FormLeft | HelpRequested
)
