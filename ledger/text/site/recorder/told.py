"""Acts as a recorder reads them on a button: in a word, with the name of who does it, and what is taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from ledger.cards import SYMBOLS
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    DealStarted,
    DealVoided,
    DisputeRaised,
    Event,
    Noted,
    PartnerCalled,
    ResultRecorded,
    ScoreClaimed,
    TableClosed,
    TrickGathered,
    TrumpNamed,
)
from ledger.games.kernel.protocol import Game
from ledger.i18n import sentence
from ledger.table.fold import TableFold
from ledger.text.cards import card_text
from ledger.text.events import event_text
from ledger.text.site.words import begun, say
from ledger.text.words import Wording, written_wording_for

_NOBODY = -1
"""The viewer who sees no hand."""


class Telling(Struct, frozen=True):
    """In whose words acts are told: those of the game as this table plays it, with the names that are shown."""

    wording: Wording
    players: Sequence[str]
    game: Game
    options: Any

    @property
    def lang(self) -> str:
        return self.wording.lang

    def word(self, event: Event) -> str:
        """What is done, without who does it: `Pass`, `♥`, `3`, `♣J`."""
        match event:
            case BidMade(card=None):
                return begun(self.wording.spoken(event.call))
            case BidMade():
                return f"{begun(self.wording.spoken(event.call))} {card_text(event.card or '')}"
            case Announced():
                return begun(self.wording.spoken(event.what))
            case TrumpNamed():
                return SYMBOLS[event.suit]
            case CardPlayed() | CardTurned():
                return card_text(event.card)
            case PartnerCalled():
                return say(self.lang, "rec.no_card") if event.card is None else card_text(event.card)
            case CardsExchanged():
                return str(event.count)
            case CardsDealt():
                return say(self.lang, "rec.the_hands")
            case ResultRecorded():
                return self.wording.say("result")
            case ScoreClaimed():
                return say(self.lang, "rec.sheet_told")
            case Noted():
                return say(self.lang, "rec.note_told")
            case DisputeRaised():
                return say(self.lang, "rec.dispute_told")
            case DealStarted():
                return say(self.lang, "rec.start_told", deal=event.deal)
            case TableClosed():
                return say(self.lang, "rec.closing_told")
            case DealVoided():
                return say(self.lang, "rec.void_told")
            case TrickGathered():
                return begun(say(self.lang, "rec.takes_trick"))
        return event_text(event, self.players, self.wording, _NOBODY)

    def whole(self, event: Event) -> str:
        """Who did what: `Cleo: pass`."""
        seats: Sequence[int] = getattr(event, "seats", None) or ()
        seat = getattr(event, "seat", None)
        if isinstance(event, DealStarted) or (seat is None and not seats):
            return event_text(event, self.players, self.wording, _NOBODY)
        name = self.names(seats) if seats else self.players[seat if seat is not None else 0]
        return say(self.lang, "rec.act_of", name=name, what=self.deed(event))

    def deed(self, event: Event) -> str:
        """What was done, where a number or a card alone would not say it: `3 exchanged`, `♥K called`."""
        match event:
            case CardsExchanged():
                return say(self.lang, "rec.has_exchanged", count=event.count)
            case CardTurned():
                return say(self.lang, "rec.has_turned", card=card_text(event.card))
            case PartnerCalled(card=str(card)):
                return say(self.lang, "rec.has_called", card=card_text(card))
        return self.word(event)

    def stakes(self, event: Event) -> str:
        """What an act is played for, as the game says; empty where it says nothing."""
        words = None if self.game.stakes is None else self.game.stakes(event, self.options)
        return "" if words is None else sentence(self.game.package, words, self.players, self.lang)

    def names(self, seats: Sequence[int]) -> str:
        """Several who do it together."""
        return self.wording.say("and").join(self.players[seat] for seat in seats)

    def run(self, events: Sequence[Event]) -> str:
        """Several acts that are taken back together: the last of them, how often where it is one."""
        same = [event for event in events if type(event) is type(events[-1])]
        word = self.deed(events[-1])
        return say(self.lang, "rec.times", what=word, count=len(same)) if len(same) > 1 else word


def telling_of(fold: TableFold, lang: str) -> Telling:
    """In the words of a table that was read with the names that are shown."""
    return Telling(written_wording_for(fold.game, lang), tuple(fold.players), fold.game, fold.options)
