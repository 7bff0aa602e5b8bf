"""The state machine of one deal: the effects of events, violations and legal moves (KOP sections 3 to 6, 11).

The rules are in modules named after the phases; `outcome()` returns the facts for scoring. If hands are not recorded,
the deal is judged as it happens, and again in hindsight with the hands that the cards have shown since.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

from mypy_extensions import mypyc_attr

from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    Event,
    ResultRecorded,
    TrickGathered,
)
from ledger.games.kernel.tricks import NOTHING, Tricks, Violations
from ledger.games.kernel.views import DealView, Moves
from ledger.games.kop.facts import facts_of, in_hindsight, late_violations, refuted_violations, untold_of
from ledger.games.kop.irregularities import violation
from ledger.games.kop.opening_rules import ask, close_auction, deal_cards, deal_hidden, make_call
from ledger.games.kop.outcome import KopOutcome
from ledger.games.kop.play_rules import concede, gather, play_card, record_result, show_baska, stop
from ledger.games.kop.state import ENDED, KopState
from ledger.games.kop.view import legal_of, turn_of, view_of
from ledger.i18n import Words

_BID_MADE: Final = BidMade  # as in `kernel.tricks`: calls are frequent, and the table is slower


@mypyc_attr(allow_interpreted_subclasses=True)
class KopDeal(KopState):
    """One deal, moved by events."""

    __slots__ = ()

    def apply(self, event: Event, version: int) -> Violations:
        """Apply one event and return the violations; after a void deal nothing is judged."""
        kind = type(event)  # isinstance takes ten times as long on Structs
        if self.phase == "auction" and kind is _BID_MADE:
            self.log.append((version, event))
            return make_call(self, cast(BidMade, event), version)
        handler = _HANDLERS.get(kind)
        if handler is None or self.phase == "voided":
            return NOTHING
        if self.phase == "deal" and kind is not CardsDealt and kind is not ResultRecorded:
            deal_hidden(self)  # clubs often record only the calls and the play
        if kind is not CardPlayed:
            self.log.append((version, event))
        return handler(self, event, version)

    def legal(self, seat: int | None = None) -> Moves:
        """Return the events that are legal; with `seat`, those that this seat could know."""
        return legal_of(self, seat)

    def turn(self) -> int | None:
        """Return the seat that has to act, or None."""
        return turn_of(self)

    def view(self, seat: int | None = None) -> DealView:
        """Return the state for display; with `seat`, only what that seat could know."""
        return view_of(self, seat)

    def leave(self, last_version: int, last_seat: int | None) -> Violations:
        """End the deal because another starts or the table is closed; missing plays make it unscorable (KOP-11.48)."""
        self.left = (last_version, last_seat)
        if self.phase in ENDED:
            return NOTHING
        self.phase = "left_complete" if in_hindsight(self).status == "complete" else "left"
        return (violation("play_missing", "KOP-6.13", last_version, last_seat),)

    def void(self, version: int) -> Violations:
        """Void the deal (KOP-8.4)."""
        self.annul()
        return NOTHING

    def late_violations(self) -> Violations:
        """Return the violations that unrecorded hands have shown since."""
        return late_violations(self)

    def refuted_violations(self) -> Violations:
        """Return the violations that hands shown since have disproved."""
        return refuted_violations(self)

    def untold(self) -> list[Words]:
        """Return the facts that scoring needs and that the record lacks."""
        if self.play is not None and self.play.is_unscorable:
            return [Words("untold_cards")]
        return untold_of(in_hindsight(self))

    def laid(self) -> Tricks | None:
        """Return the cards laid so far, or None before the play."""
        return self.play

    def outcome(self) -> KopOutcome | None:
        """Return the facts for scoring; None while the deal is open, and if the record does not show them."""
        if self.recorded is not None or self.status != "complete":
            return self.recorded
        return facts_of(in_hindsight(self))


def _announce(state: KopState, event: Announced, version: int) -> Violations:
    return _WORDS[event.what](state, event, version)


_WORDS: Final[dict[str, Callable[[KopState, Announced, int], Violations]]] = {
    "ask": ask,
    "close_auction": close_auction,
    "show_baska": show_baska,
    "stop": stop,
    "concede": concede,
}

_HANDLERS: Final[dict[type, Callable[[KopState, Any, int], Violations]]] = {
    CardsDealt: deal_cards,
    BidMade: make_call,
    CardPlayed: play_card,
    TrickGathered: gather,
    Announced: _announce,
    ResultRecorded: record_result,
}
