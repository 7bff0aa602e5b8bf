"""One Quadrille deal, as everything else moves it by events and asks for its state (QUA sections 3 to 6, 11).

Which event goes where stands here; what it breaks, in the rules of its phase: `dealing_rules`, `auction_rules`,
`call_rules`, `play_rules`. Scoring is not here: `outcome()` hands over the facts.
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

_BID_MADE: Final = BidMade  # as in `kernel.tricks`: calls are frequent, and through the table they take longer

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
    """The protocol of a deal over its state."""

    __slots__ = ()

    def apply(self, event: Event, version: int) -> Violations:
        """Moves the state by one event and answers what it broke; after a halt nothing is judged (QUA-11.3)."""
        kind = type(event)  # isinstance costs ten times as much on Structs
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
        return legal_of(self, seat)

    def turn(self) -> int | None:
        return turn_of(self, None)

    def view(self, seat: int | None = None) -> DealView:
        return view_of(self, seat)

    def leave(self, last_version: int, last_seat: int | None) -> Violations:
        """The next deal starts or the table closes: unfinished play makes the deal unscorable (QUA-11.36)."""
        return leave_deal(self, last_version, last_seat)

    def void(self, version: int) -> Violations:
        """The deal is faulty or annulled (QUA-3.11)."""
        self.annul()
        return NOTHING

    def late_violations(self) -> Violations:
        """What cards from hidden hands have proven of earlier events."""
        if self.play is None:
            return NOTHING
        return [*late_call_violations(self), *self.play.late_violations()]

    def refuted_violations(self) -> Violations:
        """Of what was found of a card at once, what later cards from a hidden hand have shown to be told amiss."""
        return NOTHING if self.play is None else self.play.refuted_violations()

    def untold(self) -> list[Words]:
        play = self.play
        if play is None:
            return []
        if None in _winners(play):
            return [Words("untold_winners")]
        if not play.side.is_settled:
            return [Words("untold_partner")]
        return [] if play.side.matadors(play.ranking) is not None else [Words("untold_matadors")]

    def laid(self) -> Tricks | None:
        return self.play

    def outcome(self) -> QuadrilleOutcome | None:
        """The facts for scoring; None while the deal is open, and where the record does not tell them."""
        if self.recorded is not None or self.phase != "settled":
            return self.recorded
        play = self.play
        if play is None:
            return QuadrilleOutcome(result="thrown_in", tricks=(0,) * SEATS)  # QUA-4.17
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
