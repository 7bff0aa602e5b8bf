"""The state machine of one Quadrille deal (QUA sections 3 to 6, 11).

This module dispatches events to the rules of the current phase, in `opening_rules` and `play_rules`. Scoring is in
`scoring`; it starts from `outcome()`.
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
    PartnerCalled,
    ResultRecorded,
    ScoreClaimed,
    Suit,
    TrickGathered,
    TrumpNamed,
)
from ledger.games.kernel.tricks import NOTHING, Tricks, Violations
from ledger.games.kernel.views import DealView, Moves
from ledger.games.quadrille.opening_rules import (
    bid,
    deal_again,
    deal_cards,
    deal_unseen,
    leave_auction_open,
    name_trump,
)
from ledger.games.quadrille.outcome import QuadrilleOutcome
from ledger.games.quadrille.pack import PREMIERS, SEATS, Contract, Ending, result_of, tricks_of_side, vole_result
from ledger.games.quadrille.play import Play
from ledger.games.quadrille.play_rules import (
    announce,
    call_card,
    claim_score,
    gather,
    late_call_violations,
    leave_deal,
    play_card,
    record_result,
)
from ledger.games.quadrille.state import QuadrilleState
from ledger.games.quadrille.view import legal_of, turn_of, view_of
from ledger.i18n import Words

_BID_MADE: Final = BidMade  # fast when compiled (see `kernel.tricks`), as calls are frequent

_AFTER_AUCTION: Final = frozenset((TrumpNamed, PartnerCalled, CardPlayed))
_BEGINS_PLAY: Final = frozenset((BidMade, Announced, *_AFTER_AUCTION))

_HANDLERS: Final[dict[type, Callable[[QuadrilleState, Any, int], Violations]]] = {
    CardsDealt: deal_again,
    BidMade: bid,
    TrumpNamed: name_trump,
    PartnerCalled: call_card,
    CardPlayed: play_card,
    TrickGathered: gather,
    Announced: announce,
    ScoreClaimed: claim_score,
    ResultRecorded: record_result,
}


@mypyc_attr(allow_interpreted_subclasses=True)
class QuadrilleDeal(QuadrilleState):
    """One Quadrille deal behind the interface that all games share."""

    __slots__ = ()

    def apply(self, event: Event, version: int) -> Violations:
        """Apply an event and return the rules it broke. After a halt, events are not judged (QUA-11.3)."""
        kind = type(event)  # isinstance takes ten times as long on Structs
        if self.phase == "auction" and kind is _BID_MADE:
            return bid(self, cast(BidMade, event), version)
        if self.phase == "unscorable":
            return NOTHING
        if self.phase == "deal":
            if kind is CardsDealt:
                return deal_cards(self, cast(CardsDealt, event), version)
            if kind in _BEGINS_PLAY:
                deal_unseen(self)
        if self.phase == "auction" and kind in _AFTER_AUCTION:
            return leave_auction_open(self, getattr(event, "seat", None), version)
        handler = _HANDLERS.get(kind)
        return NOTHING if handler is None else handler(self, event, version)

    def legal(self, seat: int | None = None) -> Moves:
        """Return the legal moves; with `seat`, those that this seat can know."""
        return legal_of(self, seat)

    def turn(self) -> int | None:
        """Return the seat that is due, if any."""
        return turn_of(self, None)

    def view(self, seat: int | None = None) -> DealView:
        """Return the state for display; with `seat`, only what this seat can know."""
        return view_of(self, seat)

    def leave(self, last_version: int, last_seat: int | None) -> Violations:
        """End the deal because the next one starts or the table closes; unfinished play makes it unscorable
        (QUA-11.36).
        """
        return leave_deal(self, last_version, last_seat)

    def void(self, version: int) -> Violations:
        """Void a faulty or annulled deal (QUA-3.11)."""
        self.annul()
        return NOTHING

    def late_violations(self) -> Violations:
        """Return the violations that cards from hidden hands have proven since."""
        if self.play is None:
            return NOTHING
        return [*late_call_violations(self), *self.play.late_violations()]

    def refuted_violations(self) -> Violations:
        """Return the findings that later cards from a hidden hand have proven wrong."""
        return NOTHING if self.play is None else self.play.refuted_violations()

    def untold(self) -> list[Words]:
        """Return the missing facts that keep an ended deal from being scored."""
        play = self.play
        if play is None:
            return []
        if None in _winners(play):
            return [Words("untold_winners")]
        if not play.side.is_settled:
            return [Words("untold_partner")]
        return [] if play.side.matadors(play.ranking) is not None else [Words("untold_matadors")]

    def laid(self) -> Tricks | None:
        """Return the cards played so far, with their ranking."""
        return self.play

    def outcome(self) -> QuadrilleOutcome | None:
        """Return the facts for scoring, or None while the deal is open or the record lacks some of them."""
        if self.recorded is not None or self.phase != "settled":
            return self.recorded
        play = self.play
        if play is None:
            return QuadrilleOutcome(result="thrown_in", tricks=(0,) * SEATS, vole=None)  # QUA-4.17
        winners = _winners(play)
        matadors = play.side.matadors(play.ranking)
        has_premiers, is_at_stake = play.premiers_are_made(), play.is_vole_at_stake()
        is_known = None not in winners and play.side.is_settled
        if not is_known or matadors is None or has_premiers is None or is_at_stake is None:
            return None
        assert self.ombre is not None
        tricks = tuple([winners.count(seat) for seat in range(SEATS)])
        won = tricks_of_side(tricks, self.ombre, play.side.partner, play.claimed_for)
        return QuadrilleOutcome(
            result=result_of(won),
            ombre=self.ombre,
            partner=play.side.partner,
            contract=cast(Contract, self.contract),
            trump=cast(Suit, self.trump),
            tricks=tricks,
            ending=cast(Ending, play.ending),
            claimed_for=play.claimed_for,
            premiers=has_premiers,
            vole=vole_result(won) if is_at_stake else None,
            matadors=matadors,
        )


def _winners(play: Play) -> list[int | None]:
    return play.winners[:PREMIERS] if play.ending == "premiers" else play.winners
