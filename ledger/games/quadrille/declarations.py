"""The declarations during the play: the choice after premiers, the vole, claims (QUA-6.14 to 6.29)."""

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
    """Return the seats that have yet to accept or refuse the claim."""
    return [seat for seat in range(SEATS) if seat != claim.seat and seat not in claim.accepted]


@mypyc_attr(allow_interpreted_subclasses=True)
class Declarations(PlayState):
    """The tricks with the rules for declarations between them."""

    __slots__ = ()

    def premiers_are_made(self) -> bool | None:
        """Return whether the Ombre's side has won the first six tricks (QUA-6.14, 6.28); None if the record does not
        show it yet.
        """
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
        """Return whether the partner certainly owes a reveal (QUA-6.20)."""
        return self._is_reveal_due() and not self.may_be_public()

    def _is_reveal_due(self) -> bool:
        """Return whether the partner owes a reveal unless already known."""
        partner = self.side.partner
        return (
            (self.stage == "due" or self.ending == "premiers")
            and partner is not None
            and partner in self.winners[:PREMIERS]
            and not self.is_reveal_missed
        )

    def after_sixth_trick(self) -> None:
        """Begin the choice after premiers or end a forced contract (QUA-6.15 to 6.18)."""
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
        """Decide a doubtful choice once the partner or the winner of the sixth trick is known."""
        if self.stage == "doubtful":
            self.after_sixth_trick()

    def lead_to_seventh(self, seat: int, version: int) -> list[Violation]:
        """Judge the lead to the seventh trick while the choice is open, and close the choice."""
        is_in_turn = seat == self.turn
        stage, missed = self.stage, self._missed_reveal(seat, version)
        if stage == "doubtful":
            if self.contract != "forced":
                self.stage, self.doubtful_lead = None, Lead(version, seat, is_in_turn)
            return missed
        self.stage = self.responder = None
        if not is_in_turn:
            return missed  # QUA-11.26: no vole is declared, and the choice lapses
        self.is_declared = True  # QUA-6.19
        if stage == "reply_due":
            return [*missed, violation("lead_before_reply", "QUA-6.22", version, seat)]
        return [*missed, violation("vole_by_lead", "QUA-6.19", version, seat)]

    def _missed_reveal(self, seat: int | None, version: int) -> list[Violation]:
        """Return the finding that the partner was not revealed in time, once (QUA-11.39)."""
        if not self.must_reveal():
            return []
        self.is_reveal_missed = True
        return [violation("reveal_missing", "QUA-6.20", version, seat, due=self.side.partner)]

    def miss_reveal_at_end(self, seat: int | None, version: int) -> list[Violation]:
        """Return the finding that the partner of a forced contract was not revealed in time (QUA-11.39).

        The reveal is due before the score sheet, the next deal or the end of the match.
        """
        return self._missed_reveal(seat, version) if self.ending == "premiers" else []

    def _believe_partner(self, seat: int) -> None:
        """Take the seat as the unknown partner, as its announcement shows."""
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
        """Apply `reveal_partner` (QUA-6.20, 6.26, 11.37, 11.38)."""
        self._believe_partner(seat)
        if not self.side.is_settled or seat != self.side.partner:
            return (violation("false_reveal", "QUA-5.12", version, seat),)
        if self.is_public():
            return ()
        is_due = self.is_over or self.stage == "doubtful" or self._is_reveal_due()
        self.side.reveal()
        return () if is_due else (violation("early_reveal", "QUA-5.16", version, seat),)

    def choose(self, choice: str, seat: int, version: int) -> Sequence[Violation]:
        """Apply `premiers_stop`, `premiers_continue` or `premiers_ask` (QUA-6.18 to 6.22)."""
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
        """Return the rule that this choice breaks, or None (QUA-11.40)."""
        if self.contract == "vole":
            return "QUA-6.15"
        if self.contract == "forced":
            return "QUA-6.16"
        if self.stage != "due" or seat != self.turn:
            return "QUA-6.18"
        return "QUA-6.22" if choice == "ask" and self.side.is_alone else None

    def _believe_premiers(self, seat: int) -> None:
        """Take premiers as made if possible: a choice shows that the seat won the sixth trick for the Ombre's side."""
        if self.stage != "doubtful" or self.on_table or self.contract == "forced":
            return
        self.believe(seat)
        others = {winner for winner in self.winners if winner is not None} - {self.side.ombre}
        if seat == self.turn and None not in self.winners:
            for other in others:
                self._believe_partner(other)

    def reply(self, answer: str, seat: int, version: int) -> Sequence[Violation]:
        """Apply `reply_stop` or `reply_continue` (QUA-6.22, 6.23)."""
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

    def is_vole_at_stake(self) -> bool | None:
        """Return whether a vole is at stake (QUA-7.4); None if the record does not show whether a lead declared it."""
        if self.contract == "vole" or self.is_declared:
            return True
        lead = self.doubtful_lead
        return self.premiers_are_made() if lead is not None and lead.is_in_turn else False

    def late_violations(self) -> list[Violation]:
        """Return the violations that hidden hands and the called card have proven since."""
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

    def may_claim(self) -> bool:
        """Return whether claims are allowed now (QUA-6.27)."""
        return (
            self.options.claims
            and not self.is_over
            and not self.on_table
            and 0 < len(self.winners) < TRICKS
            and self.claim is None
            and self.stage not in ("due", "reply_due")
        )

    def make_claim(self, what: str, seat: int, version: int) -> Sequence[Violation]:
        """Apply `claim_ombre` or `claim_opponents`."""
        if not self.may_claim():
            rule = "QUA-6.27" if self.options.claims else "QUA-6.29"
            return (violation("claim_not_allowed", rule, version, seat, found="claim"),)
        self.claim = Claim(version, seat, SIDES[what], ())
        return ()

    def answer_claim(self, what: str, seat: int, version: int) -> Sequence[Violation]:
        """Apply `claim_accept` or `claim_refuse`."""
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
        """Return whether the other side certainly holds the highest trump left, which must win a trick (QUA-11.46)."""
        side, played = self.side, self.played()
        left = [card for card in self.ranking.order if not played >> card & 1]
        if not left or NO_CARD in self.cards:
            return False
        holders = set(side.dealt.holders(1 << left[0]))
        if claim.side == "opponents":
            return holders <= side.members()
        return side.is_settled and not holders & side.members()
