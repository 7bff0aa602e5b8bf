"""The state machine of one Quadrille deal: what may be done, what an event does and breaks (QUA sections 3 to 6, 11).

Scoring is not here: `outcome()` hands over the facts. Play itself, the hot path, stands in `play.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, cast

import msgspec

from ledger.cards import BIT
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
from ledger.games.holdings import Holdings
from ledger.games.matadors import PACK_MASK, SPADILLE, TRUMP_TABLES
from ledger.games.protocol import DealStatus, DealView, Legal, Violation
from ledger.games.quadrille import claims, premiers
from ledger.games.quadrille.auction import SEATS, Auction
from ledger.games.quadrille.calling import callable_sets, possible_calls
from ledger.games.quadrille.dealing import deal_faults, deal_in_full, hands_of
from ledger.games.quadrille.irregularities import violation
from ledger.games.quadrille.options import QuadrilleOptions
from ledger.games.quadrille.outcome import (
    PREMIERS,
    TRICKS,
    WITH_PARTNER,
    Contract,
    QuadrilleOutcome,
    checked_outcome,
    result_of,
    side_tricks,
    vole_result,
)
from ledger.games.quadrille.play import Play
from ledger.games.quadrille.side import HAND, Dealt, Side, next_seat
from ledger.games.quadrille.view import legal_of, turn_of, view_of

Violations: TypeAlias = Sequence[Violation]
NOTHING: Final[Violations] = ()
_SPADILLE: Final = 1 << SPADILLE


class QuadrilleDeal:
    """One deal. `phase`: deal, auction, trump, call, play, settled (QUA-10.1).

    `is_spadille_shown`: the forced Ombre has shown SA (QUA-4.16). `doubtful_call`: the mark of a call of which later
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
        "status",
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
        twin = QuadrilleDeal.__new__(QuadrilleDeal)
        for name in QuadrilleDeal.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.holdings, twin.auction, twin.dealt = self.holdings.copy(), self.auction.copy(), self.dealt.copy()
        twin.play = None if self.play is None else self.play.copy(twin.holdings, twin.dealt, twin._after_play)
        return twin

    # --- the protocol -------------------------------------------------------------------------------------------------

    def apply(self, event: Event, mark: int) -> Violations:
        """Moves the state by one event and answers what it broke; after a halt nothing is judged (QUA-11.3)."""
        kind = type(event)  # isinstance costs ten times as much on Structs
        if self.phase == "unscorable":
            return NOTHING
        if self.phase == "deal":
            if kind is CardsDealt:
                return self._deal_cards(cast(CardsDealt, event), mark)
            if kind in _BEGINS_PLAY:
                self._begin_auction()  # a club often writes down only the calls and the play
        if self.phase == "auction" and kind in _AFTER_AUCTION:
            return self._halt("bidding_incomplete", "QUA-4.13", mark, getattr(event, "seat", None))
        handler = _HANDLERS.get(kind)
        return NOTHING if handler is None else handler(self, event, mark)

    def take_run(self, entries: Sequence[tuple[int, Event]], start: int) -> int:
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

    def leave(self, last_mark: int, last_seat: int | None) -> Violations:
        """The next deal starts or the table closes: unfinished play makes the deal unscorable (QUA-11.36)."""
        if self.play is not None and self.status == "complete":
            return premiers.miss_reveal_at_end(self.play, last_seat, last_mark)
        if self.status != "open":
            return NOTHING
        if self._may_have_ended():
            self.status = self.phase = "unscorable"  # cannot be known from this record
            return NOTHING
        return self._halt("play_incomplete", "QUA-6.13", last_mark, last_seat)

    def _may_have_ended(self) -> bool:
        """Whether cards that nobody wrote down decide that the play had ended."""
        play = self.play
        if play is None or play.on_table:
            return False
        is_forced_six = len(play.winners) == PREMIERS and play.contract == "forced" and play.stage == "doubtful"
        return len(play.winners) == TRICKS or is_forced_six

    def void(self, mark: int) -> Violations:
        """The deal is faulty or annulled (QUA-3.11)."""
        self.status = self.phase = "voided"
        if self.play is not None and not self.play.is_over:
            self.play.break_off()
        return NOTHING

    def late_violations(self) -> Violations:
        """What cards from hidden hands have proven of earlier events."""
        if self.play is None:
            return NOTHING
        return [*self._late_call_violations(), *self.play.late_violations()]

    def outcome(self) -> QuadrilleOutcome | None:
        """The facts for scoring; null while the deal is open, and where the record does not tell them."""
        if self.recorded is not None or self.status != "complete":
            return self.recorded
        play = self.play
        if play is None:
            return QuadrilleOutcome(result="thrown_in", tricks=(0,) * SEATS)  # QUA-4.17
        winners = play.winners[:PREMIERS] if play.ending == "premiers" else play.winners
        matadors = play.side.matadors(play.table)
        has_premiers, is_at_stake = premiers.are_made(play), premiers.is_vole_at_stake(play)
        is_known = None not in winners and play.side.is_settled
        if not is_known or matadors is None or has_premiers is None or is_at_stake is None:
            return None
        assert play.ending is not None
        facts = QuadrilleOutcome(
            ombre=self.ombre,
            partner=play.side.partner,
            contract=cast(Contract, self.contract),
            trump=cast(Suit, self.trump),
            tricks=tuple(winners.count(seat) for seat in range(SEATS)),
            ending=play.ending,
            claimed_for=play.claimed_for,
            premiers=has_premiers,
            matadors=matadors,
        )
        tricks = side_tricks(facts)
        vole = vole_result(tricks) if is_at_stake else None
        return msgspec.structs.replace(facts, result=result_of(tricks), vole=vole)

    # --- one event ----------------------------------------------------------------------------------------------------

    def _halt(self, name: str, rule: str, mark: int, seat: int | None = None, **values: Any) -> Violations:
        """A fault after which the deal cannot be replayed and has no computed result (QUA-11.3)."""
        self.status = self.phase = "unscorable"
        return (violation(name, rule, mark, seat, **values),)

    def _record_result(self, event: ResultRecorded, mark: int) -> Violations:
        if self.status == "voided":
            return NOTHING
        self.recorded = checked_outcome(msgspec.convert(event.outcome, QuadrilleOutcome), self.options)
        self.ombre, self.contract, self.trump = self.recorded.ombre, self.recorded.contract, self.recorded.trump
        self.phase, self.status = "settled", "complete"
        return NOTHING

    # --- deal ---------------------------------------------------------------------------------------------------------

    def _deal_cards(self, event: CardsDealt, mark: int) -> Violations:
        if deal_in_full(event, self.holdings, self.dealt):
            self.phase = "auction"
            return NOTHING
        hands = hands_of(event, self.dealer, self.options)
        faults = deal_faults(event, hands, self.dealer, self.options, mark)
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

    def _deal_again(self, event: CardsDealt, mark: int) -> Violations:
        """Cards dealt a second time in one deal leave no forty different cards (QUA-11.9)."""
        if self.status != "open":
            return NOTHING
        return self._halt("bad_pack", "QUA-2.4", mark, found="again")

    def _begin_auction(self) -> None:
        for seat in range(SEATS):
            self.holdings.give_hidden(seat, HAND)
        self.phase = "auction"

    # --- bidding ------------------------------------------------------------------------------------------------------

    def _bid(self, event: BidMade, mark: int) -> Violations:
        auction, seat, call = self.auction, event.seat, event.call
        if self.phase != "auction":
            return (violation("bid_after_end", "QUA-4.13", mark, seat, call=call),)
        if seat in auction.passed:
            return (violation("bid_after_pass", "QUA-4.8", mark, seat, call=call),)
        if seat != auction.turn:
            return (violation("bid_out_of_turn", "QUA-4.7", mark, seat, call=call, due=auction.turn),)
        if not auction.is_allowed(seat, call):
            rule = "QUA-4.11" if auction.yields_to_bidder(seat) else "QUA-4.12"
            legal = tuple(auction.legal())
            return (violation("insufficient_bid", rule, mark, seat, legal, call=call, standing=auction.standing),)
        if auction.take(seat, call):
            self._end_auction()
        return NOTHING

    def _end_auction(self) -> None:
        auction = self.auction
        self.phase = "trump"
        if not auction.all_passed:
            self.ombre, self.contract = auction.bidder, auction.standing  # QUA-4.13
        elif self.options.all_pass == "throw_in":
            self.phase, self.status = "settled", "complete"  # QUA-4.17
        else:
            self.contract = "forced"  # QUA-4.15
            holders = self.dealt.holders(_SPADILLE)
            self.ombre = holders[0] if len(holders) == 1 else None

    # --- Spadille and trump -------------------------------------------------------------------------------------------

    def may_be_forced(self, seat: int) -> bool:
        """Whether nothing in the record excludes that SA makes this seat the Ombre (QUA-4.15)."""
        return seat in self.dealt.holders(_SPADILLE)

    def _believe_forced(self, seat: int) -> None:
        """What the seat does shows that it was dealt SA."""
        if self.ombre is None and self.contract == "forced" and self.may_be_forced(seat):
            self.ombre = seat
            self.dealt.masks[seat] |= _SPADILLE
            self.holdings.remove(seat, _SPADILLE)
            self.holdings.give_known(seat, _SPADILLE)

    def _show_spadille(self, event: Announced, mark: int) -> Violations:
        seat = cast(int, event.seat)
        if self.phase == "auction":
            return self._halt("bidding_incomplete", "QUA-4.13", mark, seat)
        if self.contract != "forced":
            return (violation("false_spadille", "QUA-4.15", mark, seat),)
        self._believe_forced(seat)
        if seat != self.ombre:
            return (violation("false_spadille", "QUA-4.16", mark, seat),)
        self.is_spadille_shown = True
        return NOTHING

    def _name_trump(self, event: TrumpNamed, mark: int) -> Violations:
        seat, suit = event.seat, event.suit
        if self.phase == "trump":
            self._believe_forced(seat)
        if seat != self.ombre or self.phase in ("deal", "voided"):
            return (violation("wrong_trump_namer", "QUA-5.1", mark, seat, suit=suit, due=self.ombre),)
        if self.phase != "trump":
            return (violation("trump_renamed", "QUA-5.2", mark, seat, suit=suit, trump=self.trump),)
        self.trump = suit
        if self.contract in WITH_PARTNER:
            self.phase = "call"
        else:
            self._begin_play(0)  # QUA-5.3
        if self.contract == "forced" and not self.is_spadille_shown:
            return (violation("spadille_not_shown", "QUA-4.16", mark, seat),)
        return NOTHING

    # --- calling ------------------------------------------------------------------------------------------------------

    def _call_card(self, event: PartnerCalled, mark: int) -> Violations:
        seat, card = event.seat, event.card
        if self.phase == "trump":
            return self._halt("trump_missing", "QUA-5.1", mark, seat)
        if seat != self.ombre or self.contract not in WITH_PARTNER:
            rule = "QUA-5.3" if self.contract in ("solo", "vole") else "QUA-5.4"
            return (violation("wrong_caller", rule, mark, seat, card=card, due=self.ombre),)
        if self.phase != "call":
            return (violation("card_recalled", "QUA-5.4", mark, seat, card=card),)
        found = self._call_faults(card, mark)
        self.called = card
        self._begin_play(0 if card is None else BIT[card])
        return found

    def callable(self) -> list[str | None]:
        """What the Ombre may call, as far as nothing in the record forbids it."""
        return possible_calls(*self._hand_of_ombre(), cast(str, self.trump), self.options)

    def _hand_of_ombre(self) -> tuple[int, int, int]:
        """What the Ombre was dealt: cards known, what the others can be, and how many they are."""
        assert self.ombre is not None
        known = self.dealt.masks[self.ombre]
        elsewhere = 0
        for mask in self.dealt.masks:
            elsewhere |= mask
        return known, PACK_MASK & ~elsewhere, HAND - known.bit_count()

    def _call_faults(self, card: str | None, mark: int) -> Violations:
        """QUA-11.23; where hidden cards decide it, later cards may prove it."""
        sets = list(callable_sets(*self._hand_of_ombre(), cast(str, self.trump), self.options))
        if not any(card in allowed for allowed in sets):
            return (self._illegal_call(card, sets, mark),)
        if not all(card in allowed for allowed in sets):
            self.doubtful_call = mark
        return NOTHING

    def _late_call_violations(self) -> Violations:
        if self.doubtful_call is None:
            return NOTHING
        sets = list(callable_sets(*self._hand_of_ombre(), cast(str, self.trump), self.options))
        if any(self.called in allowed for allowed in sets):
            return NOTHING
        return (self._illegal_call(self.called, sets, self.doubtful_call),)

    def _illegal_call(self, card: str | None, sets: Sequence[Sequence[str | None]], mark: int) -> Violation:
        is_known = all(allowed == sets[0] for allowed in sets)  # else hidden cards decide what was allowed
        legal = tuple(other or "none" for other in sets[0]) if is_known else None
        rule = self._rule_of_call(card)
        return violation("illegal_called_card", rule, mark, self.ombre, legal, card=card or "none")

    def _rule_of_call(self, card: str | None) -> str:
        """Which of QUA-5.5 to 5.11 a call breaks that is not allowed."""
        if card is None:
            return "QUA-5.11"
        if card[0] == self.trump and card[1] in "KQ":
            return "QUA-5.5"
        assert self.ombre is not None
        if card[1] == "K" and self.dealt.masks[self.ombre] & BIT[card]:
            return "QUA-5.9"
        return "QUA-5.10" if card[1] == "Q" and self.options.queen_call == "all_four_kings" else "QUA-5.6"

    # --- play ---------------------------------------------------------------------------------------------------------

    def _begin_play(self, called: int) -> None:
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

    def _play_card(self, event: CardPlayed, mark: int) -> Violations:
        if self.phase == "play" and self.play is not None:
            return self.play.take_card(event, mark)
        if self.phase == "trump":
            return self._halt("trump_missing", "QUA-5.1", mark, event.seat)
        if self.phase == "call":
            return self._halt("call_missing", "QUA-5.4", mark, event.seat)
        rule = "QUA-6.13" if self.play is None else self.play.rule_of_end()
        return (violation("play_after_end", rule, mark, event.seat, card=event.card),)

    def _gather(self, event: TrickGathered, mark: int) -> Violations:
        if self.play is None:
            return (violation("wrong_gather", "QUA-6.10", mark, event.seat, winner=None),)
        return self.play.gather(event, mark)

    def _announce(self, event: Announced, mark: int) -> Violations:
        seat, what = cast(int, event.seat), event.what
        play = self.play
        if what == "show_spadille":
            return self._show_spadille(event, mark)
        if play is None or self.status == "voided":
            return (_outside_play(what, seat, self.options, mark),)
        if what == "reveal_partner":
            return premiers.reveal(play, seat, mark)
        if what in claims.SIDES:
            return claims.claim(play, what, seat, mark)
        if what in ("claim_accept", "claim_refuse"):
            return claims.answer(play, what, seat, mark)
        kind, _, word = what.partition("_")
        return premiers.choose(play, word, seat, mark) if kind == "premiers" else premiers.reply(play, word, seat, mark)

    def _claim_score(self, event: ScoreClaimed, mark: int) -> Violations:
        """A forced partner who has to reveal himself does so before the sheet; its figures are compared elsewhere."""
        return NOTHING if self.play is None else premiers.miss_reveal_at_end(self.play, None, mark)

    def _after_play(self) -> None:
        """Takes over what the play has come to: its end, or a fault that halts it."""
        assert self.play is not None
        if self.status == "voided":
            return
        if self.play.is_broken:
            self.status = self.phase = "unscorable"
        else:
            self.phase, self.status = "settled", "complete"  # QUA-10.1


def _outside_play(what: str, seat: int, options: QuadrilleOptions, mark: int) -> Violation:
    """What is said where there is no play that it could be about."""
    kind, _, word = what.partition("_")
    if kind == "reveal":
        return violation("false_reveal", "QUA-5.12", mark, seat)
    if kind == "premiers":
        return violation("bad_premiers", "QUA-6.18", mark, seat, choice=word)
    if kind == "reply":
        return violation("bad_premiers_reply", "QUA-6.22", mark, seat)
    found = "claim" if what in claims.SIDES else "reply"
    return violation("claim_not_allowed", "QUA-6.27" if options.claims else "QUA-6.29", mark, seat, found=found)


_AFTER_AUCTION: Final = frozenset((TrumpNamed, PartnerCalled, CardPlayed))
_BEGINS_PLAY: Final = frozenset((BidMade, Announced, *_AFTER_AUCTION))

_HANDLERS: Final[dict[type, Callable[[QuadrilleDeal, Any, int], Violations]]] = {
    CardsDealt: QuadrilleDeal._deal_again,
    BidMade: QuadrilleDeal._bid,
    TrumpNamed: QuadrilleDeal._name_trump,
    PartnerCalled: QuadrilleDeal._call_card,
    CardPlayed: QuadrilleDeal._play_card,
    TrickGathered: QuadrilleDeal._gather,
    Announced: QuadrilleDeal._announce,
    ScoreClaimed: QuadrilleDeal._claim_score,
    ResultRecorded: QuadrilleDeal._record_result,
}
