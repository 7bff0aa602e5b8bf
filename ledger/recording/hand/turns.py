"""The player of each act whose line names none, according to the game's machine, which every act moves on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from ledger.cards import UNKNOWN
from ledger.errors import MalformedError
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    Event,
    PartnerCalled,
    TrumpNamed,
)
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.moves import includes, of_type, shown
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.views import DealView
from ledger.i18n import Phrase
from ledger.recording.catalogue import either, finished, phrase
from ledger.recording.grammar import Names, Speaker
from ledger.recording.vocabulary import game_words

_NAME_IT: Final = phrase("turn.name_it")

RecordEvent: TypeAlias = Callable[[Event, int], Sequence[Violation]]
"""Callback that records and plays the event of a line, and returns the rules that it broke."""


def least_wrong(machine: Deal, events: Sequence[Event]) -> int | None:
    """Return the index of the event that breaks fewer rules than every other; None if there is no single one."""
    faults = [len(machine.check(event)) for event in events]
    least = min(faults)
    return faults.index(least) if faults.count(least) == 1 else None


class Turns:
    """The acts of one deal in their order. `line`: the line of the next act. `speaker`: the name before it.

    `record` plays each act on the `machine`.
    """

    def __init__(self, game: Game, names: Names, machine: Deal, record: RecordEvent) -> None:
        self.game = game
        self.names = names
        self.machine = machine
        self.line = 1
        self.speaker: Speaker | None = None
        self._record = record
        self._halt: tuple[Violation, int] | None = None
        self.is_misdealt = False
        self._first_error: tuple[Violation, int] | None = None
        self._unclear: Phrase | None = None

    def act(self, event: Event) -> None:
        """Record the act and play it."""
        violations = self._record(event, self.line)
        if self._first_error is None:
            self._first_error = next(((one, self.line) for one in violations if one.severity == "error"), None)
        if violations and self._halt is None and self.machine.status in ("unscorable", "voided"):
            self._halt = violations[-1], self.line
            self.is_misdealt = isinstance(event, CardsDealt)
        self._unclear = self._unclear_after(event, violations) if isinstance(event, BidMade) else None

    def _unclear_after(self, call: BidMade, violations: Sequence[Violation]) -> Phrase | None:
        """Return why the next call's player is unclear: after a forbidden call the same player may correct it."""
        if not any(violation.severity == "error" for violation in violations) or self.machine.view().turn != call.seat:
            return None
        name = self.names.players[call.seat]
        return phrase("turn.forbidden_call", name=name, call=call.call)

    def player(self, kind: type[Event], text: str) -> int:
        """Return the seat that acts: the one named before, else the one that is due for an event of this type.

        Raise `MalformedError` if the rules do not say who acts.
        """
        if self.speaker is not None:
            seat, self.speaker = self.speaker.seat, None
            if seat is None:
                raise MalformedError(phrase("turn.only_player"), either(self.names.players), text)
            return seat
        if self._unclear is not None and kind is BidMade:
            raise MalformedError(self._unclear, _NAME_IT, text)
        due = self.machine.turn()
        if due is not None and includes(self.machine.legal(), kind):
            return due
        view = self.machine.view()
        seat = view.declarer if kind in (TrumpNamed, PartnerCalled) else self._least_wrong(kind)
        if seat is None:
            raise self._nobody_due(view, text, kind)
        return seat

    def announce(self, what: str) -> None:
        """Record an announcement of a player, of a side together, or of the recorder."""
        speaker = self.speaker
        if speaker is None:
            self.act(Announced(seat=self.announcer(what), what=what))
            return
        self.speaker = None
        self.act(Announced(seat=speaker.seat, what=what, seats=speaker.seats if len(speaker.seats) > 1 else None))

    def announcer(self, what: str) -> int:
        """Return the seat that may announce this now: the one in turn, else the only one."""
        view = self.machine.view()
        seats = {move.seat for move in of_type(view.legal, Announced) if move.what == what}
        if view.turn is not None and not seats.isdisjoint((view.turn, None)):
            return view.turn
        others = [seat for seat in seats if seat is not None]
        if len(others) != 1:
            raise self._nobody_due(view, what)
        return others[0]

    def _least_wrong(self, kind: type[Event]) -> int | None:
        """Return the seat of an unexpected act, if the rules show it."""
        seats = range(len(self.names.players))
        if kind is CardPlayed:
            return least_wrong(self.machine, [CardPlayed(seat=seat, card=UNKNOWN) for seat in seats])
        if kind is CardsExchanged:
            return least_wrong(self.machine, [CardsExchanged(seat=seat, count=0) for seat in seats])
        return None

    def misdeal(self) -> tuple[MalformedError, int] | None:
        """Return the error of an impossible deal that nobody can play, and its line; None if the deal is possible."""
        if self._halt is None or not self.is_misdealt:
            return None
        violation, line = self._halt
        what = phrase("slip.found", fault=finished(self.game.package, violation.words, self.names.players))
        return MalformedError(what, phrase("turn.other_cards")), line

    def _answer_due(self, view: DealView, text: str) -> MalformedError | None:
        """Return the error for an act before an answer that is due, e.g. to a surrender; None if none is due."""
        legal = shown(view.legal, view.turn)
        if set(legal) != {Announced}:
            return None
        said = of_type(legal[Announced].values(), Announced)
        answers = [
            phrase("turn.answer", name=self.names.players[seat], answer=game_words(self.game, [move.what])[0])
            for move in said
            if (seat := view.turn if move.seat is None else move.seat) is not None
        ]
        return MalformedError(phrase("turn.answer_due"), either(answers), text) if answers else None

    def _nobody_due(self, view: DealView, text: str, kind: type[Event] = Announced) -> MalformedError:
        cause = self._halt
        if cause is None and self.machine.status == "open" and not view.tricks:
            cause = self._first_error  # after an invalid call or suit it is unclear who comes next
        if cause is not None:
            violation, line = cause
            what = phrase(
                "turn.halted",
                line=line,
                fault=finished(self.game.package, violation.words, self.names.players),
                finding=violation.code,
            )
            return MalformedError(what, _NAME_IT, text)
        if self.machine.status != "open":
            return MalformedError(phrase("turn.deal_over"), _NAME_IT, text)
        if view.tricks and view.tricks[-1].winner is None and view.turn is None:
            return MalformedError(phrase("turn.no_winner"), phrase("turn.winner_or_name"), text)
        if (error := self._answer_due(view, text)) is not None:
            return error
        calls = list(shown(view.legal, view.turn).get(BidMade, ()))
        if calls and view.turn is not None:
            what = phrase("turn.has_to_call", name=self.names.players[view.turn])
            return MalformedError(what, either(game_words(self.game, calls)), text)
        if kind is CardsExchanged and includes(view.legal, CardPlayed):
            return MalformedError(phrase("turn.all_exchanged"), phrase("turn.one_exchange"), text)
        return MalformedError(phrase("turn.unclear"), _NAME_IT, text)

    # Tricks

    def cards_in_trick(self) -> int:
        """Return the number of cards on the table; 0 between tricks, and if the rules do not show it."""
        view = self.machine.view()
        if self.machine.status != "open" or not view.tricks or view.turn is None:
            return 0
        return len(view.tricks[-1].cards) if view.tricks[-1].winner is None else 0


class SilentTurns(Turns):
    """Turns that accept every act and play none, for reading words alone."""

    def act(self, event: Event) -> None:
        """Ignore the act."""

    def player(self, kind: type[Event], text: str) -> int:
        """Return seat 0, without regard to the rules."""
        self.speaker = None
        return 0

    def announce(self, what: str) -> None:
        """Ignore the announcement."""
        self.speaker = None

    def cards_in_trick(self) -> int:
        """Return 0."""
        return 0
