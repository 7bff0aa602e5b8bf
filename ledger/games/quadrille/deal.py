"""The state machine of one Quadrille deal: what may be done, what an event does and breaks (QUA sections 3 to 6, 11).

Scoring is not here: `outcome()` hands over the facts. The phases have files of their own: `auction_rules`,
`call_rules`, `play`, and what is said during the play, `premiers` and `claims`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

import msgspec
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
    TrickGathered,
    TrumpNamed,
)
from ledger.games.kernel.copying import twin_of
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.holdings import Holdings
from ledger.games.kernel.matadors import PACK_MASK, TRUMP_TABLES
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.kernel.views import DealStatus, DealView, Legal
from ledger.games.quadrille import claims, premiers
from ledger.games.quadrille.auction import Auction
from ledger.games.quadrille.auction_rules import believe_forced, bid, show_spadille
from ledger.games.quadrille.call_rules import call_card, late_call_violations
from ledger.games.quadrille.dealing_rules import deal_faults, deal_in_full, hands_of
from ledger.games.quadrille.facts import facts_of
from ledger.games.quadrille.irregularities import violation
from ledger.games.quadrille.options import QuadrilleOptions
from ledger.games.quadrille.outcome import QuadrilleOutcome, checked_outcome
from ledger.games.quadrille.pack import HAND, PREMIERS, SEATS, TRICKS, next_seat
from ledger.games.quadrille.play import Play
from ledger.games.quadrille.results import WITH_PARTNER
from ledger.games.quadrille.side import Dealt, Side
from ledger.games.quadrille.view import legal_of, turn_of, view_of

_BID_MADE: Final = BidMade  # as in `kernel.tricks`: calls are frequent, and through the table they take longer


@mypyc_attr(allow_interpreted_subclasses=True)
class QuadrilleDeal(Deal):
    """One deal. `phase`: deal, auction, trump, call, play, settled (QUA-10.1).

    `is_spadille_shown`: the forced Ombre has shown SA (QUA-4.16). `doubtful_call`: the version of a call of which later
    cards may prove that it was not allowed. `ombre` is null in a forced contract while nobody knows who holds SA.
    """

    __slots__ = (
        "auction",
        "called",
        "contract",
        "dealer",
        "dealt",
        "doubtful_call",
        "holdings",
        "is_spadille_shown",
        "ombre",
        "options",
        "phase",
        "play",
        "recorded",
        "trump",
    )

    def __init__(self, options: QuadrilleOptions, dealer: int) -> None:
        self.options = options
        self.dealer = dealer
        self.status: DealStatus = "open"
        self.phase = "deal"
        self.holdings = Holdings(SEATS, PACK_MASK)
        self.dealt = Dealt([0] * SEATS)
        self.auction = Auction(dealer)
        self.ombre: int | None = None
        self.contract: str | None = None
        self.is_spadille_shown = False
        self.trump: str | None = None
        self.called: str | None = None
        self.doubtful_call: int | None = None
        self.play: Play | None = None
        self.recorded: QuadrilleOutcome | None = None

    def copy(self) -> QuadrilleDeal:
        twin = twin_of(self)
        twin.holdings, twin.auction = self.holdings.copy(), self.auction.copy()
        twin.play = None if self.play is None else self.play.copy(twin.holdings, twin._after_play)
        twin.dealt = self.dealt.copy() if twin.play is None else twin.play.side.dealt
        return twin

    # --- the protocol -------------------------------------------------------------------------------------------------

    def apply(self, event: Event, version: int) -> Violations:
        """Moves the state by one event and answers what it broke; after a halt nothing is judged (QUA-11.3)."""
        kind = type(event)  # isinstance costs ten times as much on Structs
        if self.phase == "auction" and kind is _BID_MADE:
            return bid(self, cast(BidMade, event), version)
        if self.phase == "unscorable":
            return NOTHING
        if self.phase == "deal":
            if kind is CardsDealt:
                return self._deal_cards(cast(CardsDealt, event), version)
            if kind in _BEGINS_PLAY:
                self._begin_auction()  # a club often writes down only the calls and the play
        if self.phase == "auction" and kind in _AFTER_AUCTION:
            return self.halt("bidding_incomplete", "QUA-4.13", version, getattr(event, "seat", None))
        handler = _HANDLERS.get(kind)
        return NOTHING if handler is None else handler(self, event, version)

    def take_run(self, entries: list[tuple[int, Event]], start: int) -> int:
        """Takes the cards from `start` on that are plainly in order; answers the index of the first entry left."""
        return start if self.play is None or self.phase != "play" else self.play.take_run(entries, start)

    def check(self, event: Event) -> Violations:
        """What the event would break here; the state stays as it is."""
        return self.copy().apply(event, 0)

    def legal(self) -> Legal:
        return legal_of(self, None)

    def turn(self) -> int | None:
        return turn_of(self, None)

    def view(self, seat: int | None = None) -> DealView:
        return view_of(self, seat)

    def leave(self, last_version: int, last_seat: int | None) -> Violations:
        """The next deal starts or the table closes: unfinished play makes the deal unscorable (QUA-11.36)."""
        if self.play is not None and self.status == "complete":
            return premiers.miss_reveal_at_end(self.play, last_seat, last_version)
        if self.status != "open":
            return NOTHING
        if self._may_have_ended():
            self.status = self.phase = "unscorable"  # cannot be known from this record
            return NOTHING
        return self.halt("play_incomplete", "QUA-6.13", last_version, last_seat)

    def _may_have_ended(self) -> bool:
        """Whether cards that nobody wrote down decide that the play had ended."""
        play = self.play
        if play is None or play.on_table:
            return False
        is_forced_six = len(play.winners) == PREMIERS and play.contract == "forced" and play.stage == "doubtful"
        return len(play.winners) == TRICKS or is_forced_six

    def void(self, version: int) -> Violations:
        """The deal is faulty or annulled (QUA-3.11)."""
        self.status = self.phase = "voided"
        if self.play is not None and not self.play.is_over:
            self.play.break_off()
        return NOTHING

    def late_violations(self) -> Violations:
        """What cards from hidden hands have proven of earlier events."""
        if self.play is None:
            return NOTHING
        return [*late_call_violations(self), *self.play.late_violations()]

    def refuted_violations(self) -> Violations:
        """Of what was found of a card at once, what later cards from a hidden hand have shown to be told amiss."""
        return NOTHING if self.play is None else self.play.refuted_violations()

    def outcome(self) -> QuadrilleOutcome | None:
        """The facts for scoring; null while the deal is open, and where the record does not tell them."""
        if self.recorded is not None or self.status != "complete":
            return self.recorded
        return facts_of(self)

    # --- one event ----------------------------------------------------------------------------------------------------

    def halt(self, name: str, rule: str, version: int, seat: int | None = None, **values: Any) -> Violations:
        """A fault after which the deal cannot be replayed and has no computed result (QUA-11.3)."""
        self.status = self.phase = "unscorable"
        return (violation(name, rule, version, seat, **values),)

    def _record_result(self, event: ResultRecorded, version: int) -> Violations:
        if self.status == "voided":
            return NOTHING
        self.recorded = checked_outcome(msgspec.convert(event.outcome, QuadrilleOutcome), self.options)
        self.ombre, self.contract, self.trump = self.recorded.ombre, self.recorded.contract, self.recorded.trump
        self.phase, self.status = "settled", "complete"
        return NOTHING

    # --- deal ---------------------------------------------------------------------------------------------------------

    def _deal_cards(self, event: CardsDealt, version: int) -> Violations:
        if deal_in_full(event, self.holdings, self.dealt):
            self.phase = "auction"
            return NOTHING
        hands = hands_of(event, self.dealer, self.options)
        faults = deal_faults(event, hands, self.dealer, self.options, version)
        if any(fault.severity == "error" for fault in faults):
            self.status = self.phase = "unscorable"
            return faults
        for seat, hand in enumerate(hands):
            if hand is None:
                self.holdings.give_hidden(seat, HAND)
            else:
                self.holdings.give(seat, hand)
            self.dealt.masks[seat] = self.holdings.known[seat]
        self.phase = "auction"
        return faults

    def _deal_again(self, event: CardsDealt, version: int) -> Violations:
        """Cards dealt a second time in one deal leave no forty different cards (QUA-11.9)."""
        if self.status != "open":
            return NOTHING
        return self.halt("bad_pack", "QUA-2.4", version, found="again")

    def _begin_auction(self) -> None:
        for seat in range(SEATS):
            self.holdings.give_hidden(seat, HAND)
        self.phase = "auction"

    # --- Spadille and trump -------------------------------------------------------------------------------------------

    def _name_trump(self, event: TrumpNamed, version: int) -> Violations:
        seat, suit = event.seat, event.suit
        if self.phase == "trump":
            believe_forced(self, seat)
        if seat != self.ombre or self.phase in ("deal", "voided"):
            return (violation("wrong_trump_namer", "QUA-5.1", version, seat, suit=suit, due=self.ombre),)
        if self.phase != "trump":
            return (violation("trump_renamed", "QUA-5.2", version, seat, suit=suit, trump=self.trump),)
        self.trump = suit
        if self.contract in WITH_PARTNER:
            self.phase = "call"
        else:
            self.begin_play(0)  # QUA-5.3
        if self.contract == "forced" and not self.is_spadille_shown:
            return (violation("spadille_not_shown", "QUA-4.16", version, seat),)
        return NOTHING

    # --- play ---------------------------------------------------------------------------------------------------------

    def begin_play(self, called: int) -> None:
        assert self.trump is not None and self.ombre is not None and self.contract is not None
        self.play = Play(
            self.holdings,
            TRUMP_TABLES[self.trump],
            next_seat(self.dealer),  # QUA-6.1
            Side(self.ombre, called, self.dealt),
            self.contract,
            self.options,
            self._after_play,
        )
        self.phase = "play"

    def _play_card(self, event: CardPlayed, version: int) -> Violations:
        if self.phase == "play" and self.play is not None:
            return self.play.take_card(event, version)
        if self.phase == "trump":
            return self.halt("trump_missing", "QUA-5.1", version, event.seat)
        if self.phase == "call":
            return self.halt("call_missing", "QUA-5.4", version, event.seat)
        rule = "QUA-6.13" if self.play is None else self.play.rule_of_end()
        return (violation("play_after_end", rule, version, event.seat, card=event.card),)

    def _gather(self, event: TrickGathered, version: int) -> Violations:
        if self.play is None:
            return (violation("wrong_gather", "QUA-6.10", version, event.seat, winner=None),)
        return self.play.gather(event, version)

    def _announce(self, event: Announced, version: int) -> Violations:
        seat, what = cast(int, event.seat), event.what
        play = self.play
        if what == "show_spadille":
            return show_spadille(self, event, version)
        if play is None or self.status == "voided":
            return (_outside_play(what, seat, self.options, version),)
        if what == "reveal_partner":
            return premiers.reveal(play, seat, version)
        if what in claims.SIDES:
            return claims.claim(play, what, seat, version)
        if what in ("claim_accept", "claim_refuse"):
            return claims.answer(play, what, seat, version)
        kind, _, word = what.partition("_")
        return (
            premiers.choose(play, word, seat, version)
            if kind == "premiers"
            else premiers.reply(play, word, seat, version)
        )

    def _claim_score(self, event: ScoreClaimed, version: int) -> Violations:
        """A forced partner who has to reveal himself does so before the sheet; its figures are compared elsewhere."""
        return NOTHING if self.play is None else premiers.miss_reveal_at_end(self.play, None, version)

    def _after_play(self) -> None:
        """Takes over what the play has come to: its end, or a fault that halts it."""
        assert self.play is not None
        if self.status == "voided":
            return
        if self.play.is_broken:
            self.status = self.phase = "unscorable"
        else:
            self.phase, self.status = "settled", "complete"  # QUA-10.1


def _outside_play(what: str, seat: int, options: QuadrilleOptions, version: int) -> Violation:
    """What is said where there is no play that it could be about."""
    kind, _, word = what.partition("_")
    if kind == "reveal":
        return violation("false_reveal", "QUA-5.12", version, seat)
    if kind == "premiers":
        return violation("bad_premiers", "QUA-6.18", version, seat, choice=word)
    if kind == "reply":
        return violation("bad_premiers_reply", "QUA-6.22", version, seat)
    found = "claim" if what in claims.SIDES else "reply"
    return violation("claim_not_allowed", "QUA-6.27" if options.claims else "QUA-6.29", version, seat, found=found)


_AFTER_AUCTION: Final = frozenset((TrumpNamed, PartnerCalled, CardPlayed))
_BEGINS_PLAY: Final = frozenset((BidMade, Announced, *_AFTER_AUCTION))

_HANDLERS: Final[dict[type, Callable[[QuadrilleDeal, Any, int], Violations]]] = {
    CardsDealt: QuadrilleDeal._deal_again,
    BidMade: bid,
    TrumpNamed: QuadrilleDeal._name_trump,
    PartnerCalled: call_card,
    CardPlayed: QuadrilleDeal._play_card,
    TrickGathered: QuadrilleDeal._gather,
    Announced: QuadrilleDeal._announce,
    ScoreClaimed: QuadrilleDeal._claim_score,
    ResultRecorded: QuadrilleDeal._record_result,
}
