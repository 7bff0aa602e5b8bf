"""The state machine of one Ombre deal (OMB sections 3 to 6, 11).

The rules of each phase are in the modules `opening_rules` and `play_rules`, the state in `state`. Scoring is in
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
    CardsExchanged,
    CardTurned,
    Event,
    ResultRecorded,
    ScoreClaimed,
    Suit,
    TrickGathered,
    TrumpNamed,
)
from ledger.games.kernel.tricks import NOTHING, Tricks, Violations
from ledger.games.kernel.views import DealView, Moves
from ledger.games.ombre.irregularities import violation
from ledger.games.ombre.opening_rules import (
    bid,
    deal_again,
    deal_cards,
    deal_unseen,
    halt_auction,
    name_trump,
    settle_forced,
    settle_owed_pass,
    turn_card,
)
from ledger.games.ombre.outcome import OmbreOutcome
from ledger.games.ombre.pack import TRICKS, Contract, Ending, Result, result_of
from ledger.games.ombre.play import Play
from ledger.games.ombre.play_rules import announce, claim, exchange_cards, gather, play_card, record_result
from ledger.games.ombre.scoring import may_pay_estuches
from ledger.games.ombre.state import OmbreState
from ledger.games.ombre.view import legal_of, turn_of, view_of
from ledger.i18n import Words

_BID_MADE: Final = BidMade  # fast when compiled (see `kernel.tricks`), as calls are frequent
_CARDS_EXCHANGED: Final = CardsExchanged

_HANDLERS: Final[dict[type, Callable[[OmbreState, Any, int], Violations]]] = {
    CardsDealt: deal_again,
    BidMade: bid,
    TrumpNamed: name_trump,
    CardTurned: turn_card,
    CardsExchanged: exchange_cards,
    CardPlayed: play_card,
    TrickGathered: gather,
    Announced: announce,
    ScoreClaimed: claim,
    ResultRecorded: record_result,
}


@mypyc_attr(allow_interpreted_subclasses=True)
class OmbreDeal(OmbreState):
    """One Ombre deal behind the interface that all games share."""

    __slots__ = ()

    def apply(self, event: Event, version: int) -> Violations:
        """Apply an event and return the rules it broke. After a halt, events are not judged (OMB-11.5)."""
        kind = type(event)  # isinstance takes ten times as long on Structs
        if self.phase == "auction" and kind is _BID_MADE:
            return bid(self, cast(BidMade, event), version)
        if self.phase == "exchange" and kind is _CARDS_EXCHANGED:
            return exchange_cards(self, cast(CardsExchanged, event), version)
        if self.phase == "unscorable":
            return NOTHING
        if self.phase == "deal":
            if kind is CardsDealt:
                return deal_cards(self, cast(CardsDealt, event), version)
            if kind is ScoreClaimed:
                return claim(self, cast(ScoreClaimed, event), version)
            if kind is not ResultRecorded:
                deal_unseen(self)
        if self.phase == "auction" and kind is not BidMade and kind is not ResultRecorded:
            settle_owed_pass(self)
            if self.auction.turn is not None:
                return halt_auction(self, version, getattr(event, "seat", None))
        handler = _HANDLERS.get(kind)
        return NOTHING if handler is None else handler(self, event, version)

    def legal(self, seat: int | None = None) -> Moves:
        """Return the legal moves; with `seat`, those that this seat can know."""
        return legal_of(self, seat)

    def turn(self) -> int | None:
        """Return the seat that is due, if any."""
        return turn_of(self)

    def view(self, seat: int | None = None) -> DealView:
        """Return the state for display; with `seat`, only what this seat can know."""
        return view_of(self, seat)

    def leave(self, last_version: int, last_seat: int | None) -> Violations:
        """End the deal because the next one starts or the table closes; unfinished play makes it unscorable
        (OMB-11.43).

        A halted deal stays halted, even if all had passed before (OMB-11.5).
        """
        if self.status == "open":
            settle_owed_pass(self)
            settle_forced(self)
        if self.status != "open":
            return NOTHING
        self.halt()
        if self.play is not None and len(self.play.winners) == TRICKS:
            return NOTHING  # the record cannot show who won the last trick
        return (violation("incomplete_play", "OMB-6.16", last_version, last_seat),)

    def void(self, version: int) -> Violations:
        """Void the deal by the director's decision (OMB-3.12)."""
        was_halted = self.status == "unscorable"
        self.annul()
        return NOTHING if was_halted else (violation("deal_voided", "OMB-3.12", version),)

    def late_violations(self) -> Violations:
        """Return the revokes and exemptions that cards from hidden hands have proven since."""
        return NOTHING if self.play is None else self.play.late_violations()

    def refuted_violations(self) -> Violations:
        """Return the findings that later cards from a hidden hand have proven wrong."""
        return NOTHING if self.play is None else self.play.refuted_violations()

    def untold(self) -> list[Words]:
        """Return the missing facts that keep an ended deal from being scored."""
        play = self.play
        if play is None:
            return []
        if None in play.winners:
            return [Words("untold_winners")]
        return [Words("untold_estuches")] if self.phase == "settled" and self._needs_estuches(play) else []

    def laid(self) -> Tricks | None:
        """Return the cards played so far, with their ranking."""
        return self.play

    def outcome(self) -> OmbreOutcome | None:
        """Return the facts for scoring, or None while the deal is open or the record lacks some of them."""
        if self.recorded is not None or self.phase != "settled":
            return self.recorded
        if self.ombre is None:
            return OmbreOutcome(result="ALL_PASS", tricks=(0,) * self.seats)
        play = self.play
        assert play is not None
        if None in play.winners:
            return None
        if self._needs_estuches(play):
            return None
        fewest, most = play.estuches()
        return OmbreOutcome(
            result=self._result(play),
            ombre=self.ombre,
            contract=cast(Contract, self.contract),
            trump=cast(Suit, self.trump),
            tricks=tuple(play.counts),
            estuches=fewest if fewest == most else None,
            primeras=play.has_primeras(),
            ending=cast(Ending, play.ending),
            defender=play.defender,
        )

    def _needs_estuches(self, play: Play) -> bool:
        """Return whether a run of trumps that the record leaves open would change the payments."""
        fewest, most = play.estuches()
        return fewest != most and may_pay_estuches(self._result(play), most, self.options)

    def _result(self, play: Play) -> Result:
        assert self.ombre is not None
        ending = cast(Ending, play.ending)
        return result_of(self.active, self.ombre, play.counts, ending, play.has_primeras(), play.defender)
