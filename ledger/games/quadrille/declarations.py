"""What is said in the play: the choice after six tricks of one side, the vole, claims (QUA-6.14 to 6.29)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mypy_extensions import mypyc_attr

from ledger.games.kernel.findings import Violation
from ledger.games.kernel.laid_cards import NO_CARD
from ledger.games.quadrille.irregularities import violation
from ledger.games.quadrille.pack import PREMIERS, SEATS, TRICKS, SideName
from ledger.games.quadrille.play_state import Claim, Lead, PlayState

SIDES: Final[dict[str, SideName]] = {"claim_ombre": "ombre", "claim_opponents": "opponents"}


def seats_to_answer(claim: Claim) -> list[int]:
    """The seats that have still to accept or refuse."""
    return [seat for seat in range(SEATS) if seat != claim.seat and seat not in claim.accepted]


@mypyc_attr(allow_interpreted_subclasses=True)
class Declarations(PlayState):
    """The tricks, and what may be said between them: it judges that, and moves what the play has come to."""

    __slots__ = ()

    def premiers_are_made(self) -> bool | None:
        """Whether the side has won the first six tricks (QUA-6.14, 6.28); None where the record does not tell (yet)."""
        side, first = self.side, self.winners[:PREMIERS]
        if len(first) < PREMIERS and self.claimed_for != "ombre":
            return False
        other: int | None = None
        for seat in first:
            if seat is not None and seat not in (side.ombre, other):
                if other is not None or not side.may_be_partner(seat):
                    return False
                other = seat
        if None in first or (other is not None and not side.is_settled):
            return None
        return True

    def must_reveal(self) -> bool:
        """Whether the reveal duty surely applies and is not fulfilled (QUA-6.20)."""
        return self._is_reveal_due() and not self.may_be_public()

    def _is_reveal_due(self) -> bool:
        """Whether the partner has to reveal himself, if he is not known yet."""
        partner = self.side.partner
        return (
            (self.stage == "due" or self.ending == "premiers")
            and partner is not None
            and partner in self.winners[:PREMIERS]
            and not self.is_reveal_missed
        )

    def after_sixth_trick(self) -> None:
        """Whether a choice is due, or a forced contract is over (QUA-6.15 to 6.18)."""
        if self.contract == "vole":
            return
        made = self.premiers_are_made()
        if made is None:
            self.stage = "doubtful"
        elif made and self.contract == "forced":
            self.end("premiers")  # QUA-6.16
        elif made:
            self.stage = "due"  # QUA-6.18
        elif self.stage is not None:
            self.stage = self.responder = None

    def refresh(self) -> None:
        """It has become known who the partner is, or who won the sixth trick."""
        if self.stage == "doubtful":
            self.after_sixth_trick()

    def lead_to_seventh(self, seat: int, version: int) -> list[Violation]:
        """What it means that the seventh trick is led while the choice stands open; nothing after it is open."""
        is_in_turn = seat == self.turn
        stage, missed = self.stage, self._missed_reveal(seat, version)
        if stage == "doubtful":
            if self.contract != "forced":
                self.stage, self.doubtful_lead = None, Lead(version, seat, is_in_turn)
            return missed
        self.stage = self.responder = None
        if not is_in_turn:
            return missed  # QUA-11.26: it declares no vole and the choice lapses
        self.is_declared = True  # QUA-6.19
        if stage == "reply_due":
            return [*missed, violation("lead_before_reply", "QUA-6.22", version, seat)]
        return [*missed, violation("vole_by_lead", "QUA-6.19", version, seat)]

    def _missed_reveal(self, seat: int | None, version: int) -> list[Violation]:
        """QUA-11.39, once."""
        if not self.must_reveal():
            return []
        self.is_reveal_missed = True
        return [violation("reveal_missing", "QUA-6.20", version, seat, due=self.side.partner)]

    def miss_reveal_at_end(self, seat: int | None, version: int) -> list[Violation]:
        """QUA-11.39 in a forced contract: before the score sheet, the next deal, the end of the match."""
        return self._missed_reveal(seat, version) if self.ending == "premiers" else []

    # --- what is said -------------------------------------------------------------------------------------------------

    def _believe_partner(self, seat: int) -> None:
        """What a seat says shows that it is the partner, who was not known."""
        side = self.side
        if side.is_settled or not side.may_be_partner(seat):
            return
        holdings, called = self.holdings, side.called
        if holdings.hidden[seat] and not holdings.known[seat] & called and not self.has_unknown_of(seat):
            holdings.remove(seat, called)
            holdings.give_known(seat, called)
        side.settle_on(seat)
        self.refresh()

    def reveal(self, seat: int, version: int) -> Sequence[Violation]:
        """`reveal_partner` (QUA-6.20, 6.26, 11.37, 11.38)."""
        self._believe_partner(seat)
        if not self.side.is_settled or seat != self.side.partner:
            return (violation("false_reveal", "QUA-5.12", version, seat),)
        if self.is_public():
            return ()
        is_due = self.is_over or self.stage == "doubtful" or self._is_reveal_due()
        self.side.reveal()
        return () if is_due else (violation("early_reveal", "QUA-5.16", version, seat),)

    def choose(self, choice: str, seat: int, version: int) -> Sequence[Violation]:
        """`premiers_stop`, `premiers_continue`, `premiers_ask` (QUA-6.18 to 6.22)."""
        self._believe_premiers(seat)
        rule = self._forbidden_choice(choice, seat)
        if rule is not None:
            return (violation("bad_premiers", rule, version, seat, choice=choice),)
        if seat == self.side.partner:
            self.side.reveal()  # QUA-6.24
        missed = self._missed_reveal(seat, version)
        if choice == "ask":
            self.stage = "reply_due"
            self.responder = self.side.partner if seat == self.side.ombre else self.side.ombre
        else:
            self._decide(choice)
        return missed

    def _forbidden_choice(self, choice: str, seat: int) -> str | None:
        """The rule that this choice breaks; None where it is allowed (QUA-11.40)."""
        if self.contract == "vole":
            return "QUA-6.15"
        if self.contract == "forced":
            return "QUA-6.16"
        if self.stage != "due" or seat != self.turn:
            return "QUA-6.18"
        return "QUA-6.22" if choice == "ask" and self.side.is_alone else None

    def _believe_premiers(self, seat: int) -> None:
        """A choice shows that the first six tricks were the side's and this seat won the sixth, if that can be."""
        if self.stage != "doubtful" or self.on_table or self.contract == "forced":
            return
        self.believe(seat)
        others = {winner for winner in self.winners if winner is not None} - {self.side.ombre}
        if seat == self.turn and None not in self.winners:
            for other in others:
                self._believe_partner(other)

    def reply(self, answer: str, seat: int, version: int) -> Sequence[Violation]:
        """`reply_stop`, `reply_continue` (QUA-6.22, 6.23)."""
        side = self.side
        if self.stage == "reply_due" and self.responder is None:
            self._believe_partner(seat)
            self.responder = side.partner
        if self.stage != "reply_due" or seat != self.responder:
            return (violation("bad_premiers_reply", "QUA-6.22", version, seat),)
        if seat == side.partner:
            side.reveal()  # QUA-6.24
        self._decide(answer)
        return ()

    def _decide(self, choice: str) -> None:
        self.stage = self.responder = None
        if choice == "stop":
            self.end("stopped")  # QUA-6.21
        else:
            self.is_declared = True  # QUA-6.19

    # --- what shows later ---------------------------------------------------------------------------------------------

    def is_vole_at_stake(self) -> bool | None:
        """QUA-7.4; None where the record does not tell whether a lead declared it."""
        if self.contract == "vole" or self.is_declared:
            return True
        lead = self.doubtful_lead
        return self.premiers_are_made() if lead is not None and lead.is_in_turn else False

    def late_violations(self) -> list[Violation]:
        """What hands that were hidden have shown, and the called card of what was done after the sixth trick."""
        lead = self.doubtful_lead
        violations = super().late_violations()
        if (lead is None and not self.after_sixth) or not self.premiers_are_made():
            return violations
        for version, seat, card in self.after_sixth:
            violations.append(violation("play_after_end", "QUA-6.16", version, seat, card=card))
        if lead is not None:
            is_surely_hidden = bool(self.side.called & self.played()) or not self.may_be_public()
            if is_surely_hidden and self.side.partner in self.winners[:PREMIERS]:
                violations.append(
                    violation("reveal_missing", "QUA-6.20", lead.version, lead.seat, due=self.side.partner)
                )
            if lead.is_in_turn:
                violations.append(violation("vole_by_lead", "QUA-6.19", lead.version, lead.seat))
        return violations

    # --- claims -------------------------------------------------------------------------------------------------------

    def may_claim(self) -> bool:
        """Whether anybody may claim now (QUA-6.27)."""
        return (
            self.options.claims
            and not self.is_over
            and not self.on_table
            and 0 < len(self.winners) < TRICKS
            and self.claim is None
            and self.stage not in ("due", "reply_due")
        )

    def make_claim(self, what: str, seat: int, version: int) -> Sequence[Violation]:
        """`claim_ombre`, `claim_opponents`."""
        if not self.may_claim():
            rule = "QUA-6.27" if self.options.claims else "QUA-6.29"
            return (violation("claim_not_allowed", rule, version, seat, found="claim"),)
        self.claim = Claim(version, seat, SIDES[what], ())
        return ()

    def answer_claim(self, what: str, seat: int, version: int) -> Sequence[Violation]:
        """`claim_accept`, `claim_refuse`."""
        claim = self.claim
        if claim is None or seat not in seats_to_answer(claim):
            rule = "QUA-6.27" if self.options.claims else "QUA-6.29"
            return (violation("claim_not_allowed", rule, version, seat, found="reply"),)
        if what == "claim_refuse":
            self.claim = None
            return ()
        self.claim = claim = claim._replace(accepted=(*claim.accepted, seat))
        if seats_to_answer(claim):
            return ()
        is_false = self.cannot_come_true(claim)
        self.claimed_for = claim.side
        self.end("claimed")
        return (violation("false_claim", "QUA-6.27", claim.version, claim.seat),) if is_false else ()

    def cannot_come_true(self, claim: Claim) -> bool:
        """Whether the other side surely holds the highest trump still in hand, which must win a trick (QUA-11.46)."""
        side, played = self.side, self.played()
        left = [card for card in self.ranking.order if not played >> card & 1]
        if not left or NO_CARD in self.cards:
            return False
        holders = set(side.dealt.holders(1 << left[0]))
        if claim.side == "opponents":
            return holders <= side.members()
        return side.is_settled and not holders & side.members()
