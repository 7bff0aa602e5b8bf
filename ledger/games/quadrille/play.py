"""The play of a Quadrille deal, ten tricks judged card by card (QUA-6.1 to 6.13).

Announcements during the play are in `declarations`.
"""

from __future__ import annotations

from typing import ClassVar

from mypy_extensions import mypyc_attr

from ledger.cards import cards_in
from ledger.events import CardPlayed
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.matadors import MatadorRuleIds
from ledger.games.kernel.tricks import Violations
from ledger.games.quadrille.declarations import Declarations
from ledger.games.quadrille.irregularities import violation
from ledger.games.quadrille.pack import PREMIERS, TRICKS


@mypyc_attr(allow_interpreted_subclasses=True)
class Play(Declarations):
    """The tricks, judged card by card."""

    __slots__ = ()

    rule_ids: ClassVar[MatadorRuleIds] = MatadorRuleIds(
        violation=violation,
        first_lead="QUA-6.1",
        lead="QUA-6.11",
        turn="QUA-6.2",
        hold="QUA-6.3",
        follow="QUA-6.4",
        follow_trumps="QUA-6.6",
        exempt_from_small="QUA-6.7",
        exempt_from_matador="QUA-6.7",
        no_exemption="QUA-6.8",
        end="QUA-6.13",
        gather="QUA-6.10",
    )

    def is_plain(self) -> bool:
        """Return whether cards may be taken without judging each one."""
        return self.stage is None and self.claim is None and super().is_plain()

    def judge(self, event: CardPlayed, card: int, version: int) -> Violations:
        """Judge a card that is not plainly in order by the rows of section 11, in their order (QUA-11.6)."""
        seat = event.seat
        if not self.on_table and self.turn is None and len(self.winners) < TRICKS:
            self.believe(seat)  # the lead shows who won the last trick
        if self.is_over or len(self.winners) == TRICKS:
            return (violation("play_after_end", self.rule_of_end(), version, seat, card=event.card),)
        is_second = seat in self.seats_on_table()
        violations = self.order_faults(event, version)
        bit = 1 << card if card >= 0 else 0
        fault = self._halting_fault(seat, bit)
        if fault is not None:
            legal = tuple(self.playable(seat))
            self.halt()
            return [*violations, violation(fault[0], fault[1], version, seat, legal, card=event.card)]
        if is_second:
            return violations
        violations.extend(self.following_faults(event, bit, version))
        if not self.on_table and self.stage is not None:
            violations.extend(self.lead_to_seventh(seat, version))
        if self.claim is not None:
            self.claim = None  # QUA-11.45: playing on refuses the claim
            violations.append(violation("claim_not_allowed", "QUA-6.27", version, seat, found="played"))
        if self.stage == "doubtful" and self.contract == "forced":
            self.after_sixth.append((version, seat, event.card))
        self.take_from_hand(seat, bit)
        if self.side.settle():
            self.refresh()
        if not self.is_over:  # the called card may prove that premiers had ended a forced contract
            self.lay(seat, card)
        return violations

    def rule_of_end(self) -> str:
        """Return the rule that ended the play."""
        return {"premiers": "QUA-6.16", "stopped": "QUA-6.21"}.get(self.ending or "", "QUA-6.13")

    def order_faults(self, event: CardPlayed, version: int) -> list[Violation]:
        """Return the fault if the wrong seat leads or plays (QUA-11.26 to 11.28)."""
        if event.seat in self.seats_on_table():
            return [violation("second_card_in_trick", "QUA-6.2", version, event.seat, card=event.card)]
        return super().order_faults(event, version)

    def _halting_fault(self, seat: int, bit: int) -> tuple[str, str] | None:
        """Return the name and the rule of a fault that halts the deal (QUA-11.29, 11.30)."""
        if not bit:
            return None
        if bit & self.played():
            return "card_played_twice", "QUA-2.4"
        if seat not in self.side.dealt.holders(bit) or not self.holdings.may_hold(seat, bit):
            return "card_not_held", "QUA-6.4" if self.on_table else "QUA-6.3"
        return None

    def take_from_hand(self, seat: int, bit: int) -> None:
        """Remove the card from the hand and note that the seat was dealt it."""
        if bit:
            self.holdings.remove(seat, bit)
            self.side.dealt.add(seat, bit)
        else:
            self.holdings.remove_hidden(seat, min(1, self.holdings.size(seat)))  # any card of the hand counts

    def can_have_played(self, seat: int, mask: int) -> bool:
        """Return whether the seat can have been dealt one of these cards."""
        return any(seat in self.side.dealt.holders(1 << card) for card in cards_in(mask))

    def after_trick(self) -> None:
        """Handle the end of a trick: premiers after the sixth, the end of play after the tenth (QUA-6.13)."""
        if len(self.winners) == PREMIERS:
            self.after_sixth_trick()
        else:
            super().after_trick()
