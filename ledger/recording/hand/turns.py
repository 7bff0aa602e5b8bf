"""Who acts, where a hand record does not say it: asked of the game's state machine, which every action moves on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from ledger.cards import UNKNOWN
from ledger.errors import MalformedError
from ledger.events import Announced, BidMade, CardPlayed, CardsDealt, CardsExchanged, Event
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.views import DealView
from ledger.i18n import LANGUAGES, Finished, Phrase, sentence
from ledger.recording.hand.vocabulary import spoken
from ledger.recording.hand.words import Names, Speaker
from ledger.recording.words import either, phrase

_NAME_IT: Final = phrase("turn.name_it")

Tell: TypeAlias = Callable[[Event, int], Sequence[Violation]]
"""Records an event that a line tells, and plays it; answers what it broke."""


class Turns:
    """The actions of one deal in their order. `line` is the line of the next one, `speaker` the name written before it.

    `tell` plays each of them on the `machine`.
    """

    def __init__(self, game: Game, names: Names, machine: Deal, tell: Tell) -> None:
        self.game = game
        self.names = names
        self.machine = machine
        self.line = 1
        self.speaker: Speaker | None = None
        self._tell = tell
        self._halt: tuple[Violation, int] | None = None
        self.is_misdealt = False
        self._first_error: tuple[Violation, int] | None = None
        self._unclear: Phrase | None = None

    def act(self, event: Event) -> None:
        """Records the action and plays it."""
        found = self._tell(event, self.line)
        if self._first_error is None:
            self._first_error = next(((one, self.line) for one in found if one.severity == "error"), None)
        if found and self._halt is None and self.machine.status in ("unscorable", "voided"):
            self._halt = found[-1], self.line
            self.is_misdealt = isinstance(event, CardsDealt)
        self._unclear = self._unclear_after(event, found) if isinstance(event, BidMade) else None

    def _unclear_after(self, call: BidMade, found: Sequence[Violation]) -> Phrase | None:
        """After a forbidden call the next word may be the same player's, mending it, or the next player's."""
        if not any(violation.severity == "error" for violation in found) or self.machine.view().turn != call.seat:
            return None
        name = self.names.players[call.seat]
        return phrase("turn.forbidden_call", name=name, call=call.call)

    def player(self, kind: str, text: str) -> int:
        """The seat that does this: the one named before, else the one due by the rules for an event of that type."""
        if self.speaker is not None:
            seat, self.speaker = self.speaker.seat, None
            if seat is None:
                raise MalformedError(phrase("turn.only_player"), either(self.names.players), text)
            return seat
        if self._unclear is not None and kind == "bid_made":
            raise MalformedError(self._unclear, _NAME_IT, text)
        due = self.machine.turn()
        if due is not None and kind in self.machine.legal():
            return due
        view = self.machine.view()
        seat = view.declarer if kind in ("trump_named", "partner_called") else self._least_wrong(kind)
        if seat is None:
            raise self._nobody_due(view, text, kind)
        return seat

    def announce(self, what: str) -> None:
        """Records what somebody says: a player, a side together, or the recorder."""
        speaker = self.speaker
        if speaker is None:
            self.act(Announced(seat=self.announcer(what), what=what))
            return
        self.speaker = None
        self.act(Announced(seat=speaker.seat, what=what, seats=speaker.seats if len(speaker.seats) > 1 else None))

    def announcer(self, what: str) -> int:
        """Who may say this now; `legal` writes what another than the seat in turn may say as `2:word`."""
        view = self.machine.view()
        said = view.legal.get("announced", [])
        if what in said and view.turn is not None:
            return view.turn
        others = [text.partition(":")[0] for text in said if text.endswith(f":{what}")]
        if len(others) != 1:
            raise self._nobody_due(view, what)
        return int(others[0])

    def _least_wrong(self, kind: str) -> int | None:
        """For what is not expected now: the only seat for which it breaks fewer rules than for any other."""
        if kind not in ("card_played", "cards_exchanged"):
            return None
        faults = []
        for seat in range(len(self.names.players)):
            event = CardPlayed(seat=seat, card=UNKNOWN) if kind == "card_played" else CardsExchanged(seat=seat, count=0)
            faults.append(len(self.machine.check(event)))
        least = min(faults)
        return faults.index(least) if faults.count(least) == 1 else None

    def misdeal(self) -> tuple[MalformedError, int] | None:
        """What is wrong with the cards dealt, after which nothing can be done, and its line; None where nothing is."""
        if self._halt is None or not self.is_misdealt:
            return None
        violation, line = self._halt
        what = phrase("slip.found", fault=self._told(violation))
        return MalformedError(what, phrase("turn.other_cards")), line

    def _answer_due(self, view: DealView, text: str) -> MalformedError | None:
        """The error for what comes before an answer that is due, as to a surrender; None where none is."""
        if set(view.legal) != {"announced"}:
            return None
        said = [str(one).rpartition(":") for one in view.legal["announced"]]
        seats = [int(seat) if colon else view.turn for seat, colon, _ in said]
        answers = [
            phrase("turn.answer", name=self.names.players[seat], answer=spoken(self.game, [word])[0])
            for seat, (*_, word) in zip(seats, said, strict=True)
            if seat is not None
        ]
        return MalformedError(phrase("turn.answer_due"), either(answers), text) if answers else None

    def _nobody_due(self, view: DealView, text: str, kind: str = "announced") -> MalformedError:
        cause = self._halt
        if cause is None and self.machine.status == "open" and not view.tricks:
            cause = self._first_error  # a call or suit that does not count leaves it open who comes next
        if cause is not None:
            violation, line = cause
            what = phrase("turn.halted", line=line, fault=self._told(violation), finding=violation.code)
            return MalformedError(what, _NAME_IT, text)
        if self.machine.status != "open":
            return MalformedError(phrase("turn.deal_over"), _NAME_IT, text)
        if view.tricks and view.tricks[-1].winner is None and view.turn is None:
            return MalformedError(phrase("turn.no_winner"), phrase("turn.winner_or_name"), text)
        if (error := self._answer_due(view, text)) is not None:
            return error
        if "bid_made" in view.legal and view.turn is not None:
            calls = spoken(self.game, view.legal["bid_made"])
            return MalformedError(phrase("turn.has_to_call", name=self.names.players[view.turn]), either(calls), text)
        if kind == "cards_exchanged" and "card_played" in view.legal:
            return MalformedError(phrase("turn.all_exchanged"), phrase("turn.one_exchange"), text)
        return MalformedError(phrase("turn.unclear"), _NAME_IT, text)

    def _told(self, violation: Violation) -> Finished:
        package, words, players = self.game.package, violation.words, self.names.players
        return Finished(package, words.key, {lang: sentence(package, words, players, lang) for lang in LANGUAGES})

    # --- tricks -------------------------------------------------------------------------------------------------------

    def cards_in_trick(self) -> int:
        """How many cards lie on the table; 0 between tricks and where the rules cannot say."""
        view = self.machine.view()
        if self.machine.status != "open" or not view.tricks or view.turn is None:
            return 0
        return len(view.tricks[-1].cards) if view.tricks[-1].winner is None else 0


class SilentTurns(Turns):
    """Takes every action for anybody's, and acts none out: for words that are only read."""

    def act(self, event: Event) -> None:
        """Nothing is recorded."""

    def player(self, kind: str, text: str) -> int:
        self.speaker = None
        return 0

    def announce(self, what: str) -> None:
        self.speaker = None

    def cards_in_trick(self) -> int:
        return 0
