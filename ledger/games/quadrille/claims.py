"""Claims of all remaining tricks by general consent, where the table has them (QUA-6.27 to 6.29)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ledger.games.kernel.findings import Violation
from ledger.games.kernel.laid_cards import NO_CARD
from ledger.games.quadrille.irregularities import violation
from ledger.games.quadrille.pack import SEATS, TRICKS, SideName
from ledger.games.quadrille.play_state import Claim, PlayState

SIDES: Final[dict[str, SideName]] = {"claim_ombre": "ombre", "claim_opponents": "opponents"}


def may_claim(play: PlayState) -> bool:
    """Whether anybody may claim now (QUA-6.27)."""
    return (
        play.options.claims
        and not play.is_over
        and not play.on_table
        and 0 < len(play.winners) < TRICKS
        and play.claim is None
        and play.stage not in ("due", "asked")
    )


def claim(play: PlayState, what: str, seat: int, version: int) -> Sequence[Violation]:
    """`claim_ombre`, `claim_opponents`."""
    if not may_claim(play):
        rule = "QUA-6.27" if play.options.claims else "QUA-6.29"
        return (violation("claim_not_allowed", rule, version, seat, found="claim"),)
    play.open_claim(Claim(version, seat, SIDES[what], ()))
    return ()


def answer(play: PlayState, what: str, seat: int, version: int) -> Sequence[Violation]:
    """`claim_accept`, `claim_refuse`."""
    claim = play.claim
    if claim is None or seat not in seats_to_answer(claim):
        rule = "QUA-6.27" if play.options.claims else "QUA-6.29"
        return (violation("claim_not_allowed", rule, version, seat, found="reply"),)
    if what == "claim_refuse":
        play.refuse_claim()
        return ()
    claim = play.accept_claim(claim, seat)
    if seats_to_answer(claim):
        return ()
    is_false = cannot_come_true(play, claim)
    play.end_by_claim(claim)
    return (violation("false_claim", "QUA-6.27", claim.version, claim.seat),) if is_false else ()


def seats_to_answer(claim: Claim) -> list[int]:
    """The seats that have still to accept or refuse."""
    return [seat for seat in range(SEATS) if seat != claim.seat and seat not in claim.accepted]


def cannot_come_true(play: PlayState, claim: Claim) -> bool:
    """Whether the other side surely holds the highest trump still in hand, which must win a trick (QUA-11.46)."""
    side, played = play.side, play.played()
    left = [card for card in play.ranking.order if not played >> card & 1]
    if not left or NO_CARD in play.cards:
        return False
    holders = set(side.dealt.holders(1 << left[0]))
    if claim.side == "opponents":
        return holders <= side.members()
    return side.is_settled and not holders & side.members()
