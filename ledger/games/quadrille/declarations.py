"""What is said in the play: the choice after six tricks of one side, the vole, claims (QUA-6.14 to 6.29)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ledger.games.kernel.findings import Violation
from ledger.games.kernel.laid_cards import NO_CARD
from ledger.games.quadrille.irregularities import violation
from ledger.games.quadrille.pack import PREMIERS, SEATS, TRICKS, SideName
from ledger.games.quadrille.play_state import Claim, Lead, PlayState


def premiers_are_made(play: PlayState) -> bool | None:
    """Whether the side has won the first six tricks (QUA-6.14, 6.28); None where the record does not tell (yet)."""
    side, first = play.side, play.winners[:PREMIERS]
    if len(first) < PREMIERS and play.claimed_for != "ombre":
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


def must_reveal(play: PlayState) -> bool:
    """Whether the reveal duty surely applies and is not fulfilled (QUA-6.20)."""
    return _is_reveal_due(play) and not play.may_be_public()


def _is_reveal_due(play: PlayState) -> bool:
    """Whether the partner has to reveal himself, if he is not known yet."""
    partner = play.side.partner
    return (
        (play.stage == "due" or play.ending == "premiers")
        and partner is not None
        and partner in play.winners[:PREMIERS]
        and not play.is_reveal_missed
    )


def after_sixth_trick(play: PlayState) -> None:
    """Whether a choice is due, or a forced contract is over (QUA-6.15 to 6.18)."""
    if play.contract == "vole":
        return
    made = premiers_are_made(play)
    if made is None:
        play.doubt_premiers()
    elif made and play.contract == "forced":
        play.end("premiers")  # QUA-6.16
    elif made:
        play.open_choice()  # QUA-6.18
    elif play.stage is not None:
        play.close_choice()


def refresh(play: PlayState) -> None:
    """It has become known who the partner is, or who won the sixth trick."""
    if play.stage == "doubtful":
        after_sixth_trick(play)


def lead_to_seventh(play: PlayState, seat: int, version: int) -> list[Violation]:
    """What it means that the seventh trick is led while the choice stands open; nothing after it is open."""
    is_in_turn = seat == play.turn
    stage, missed = play.stage, _missed_reveal(play, seat, version)
    if stage == "doubtful":
        if play.contract != "forced":
            play.note_doubtful_lead(Lead(version, seat, is_in_turn))
        return missed
    play.close_choice()
    if not is_in_turn:
        return missed  # QUA-11.26: it declares no vole and the choice lapses
    play.declare_vole()  # QUA-6.19
    if stage == "asked":
        return [*missed, violation("lead_before_reply", "QUA-6.22", version, seat)]
    return [*missed, violation("vole_by_lead", "QUA-6.19", version, seat)]


def _missed_reveal(play: PlayState, seat: int | None, version: int) -> list[Violation]:
    """QUA-11.39, once."""
    if not must_reveal(play):
        return []
    play.miss_reveal()
    return [violation("reveal_missing", "QUA-6.20", version, seat, due=play.side.partner)]


def miss_reveal_at_end(play: PlayState, seat: int | None, version: int) -> list[Violation]:
    """QUA-11.39 in a forced contract: before the score sheet, the next deal, the end of the match."""
    return _missed_reveal(play, seat, version) if play.ending == "premiers" else []


# --- what is said -----------------------------------------------------------------------------------------------------


def _believe_partner(play: PlayState, seat: int) -> None:
    """What a seat says shows that it is the partner, who was not known."""
    side = play.side
    if side.is_settled or not side.may_be_partner(seat):
        return
    holdings, called = play.holdings, side.called
    if holdings.hidden[seat] and not holdings.known[seat] & called and not play.has_unknown_of(seat):
        holdings.remove(seat, called)
        holdings.give_known(seat, called)
    side.settle_on(seat)
    refresh(play)


def reveal(play: PlayState, seat: int, version: int) -> Sequence[Violation]:
    """`reveal_partner` (QUA-6.20, 6.26, 11.37, 11.38)."""
    _believe_partner(play, seat)
    if not play.side.is_settled or seat != play.side.partner:
        return (violation("false_reveal", "QUA-5.12", version, seat),)
    if play.is_public():
        return ()
    is_due = play.is_over or play.stage == "doubtful" or _is_reveal_due(play)
    play.side.reveal()
    return () if is_due else (violation("early_reveal", "QUA-5.16", version, seat),)


def choose(play: PlayState, choice: str, seat: int, version: int) -> Sequence[Violation]:
    """`premiers_stop`, `premiers_continue`, `premiers_ask` (QUA-6.18 to 6.22)."""
    _believe_premiers(play, seat)
    rule = _forbidden_choice(play, choice, seat)
    if rule is not None:
        return (violation("bad_premiers", rule, version, seat, choice=choice),)
    if seat == play.side.partner:
        play.side.reveal()  # QUA-6.24
    missed = _missed_reveal(play, seat, version)
    if choice == "ask":
        play.ask(play.side.partner if seat == play.side.ombre else play.side.ombre)
    else:
        _decide(play, choice)
    return missed


def _forbidden_choice(play: PlayState, choice: str, seat: int) -> str | None:
    """The rule that this choice breaks; None where it is allowed (QUA-11.40)."""
    if play.contract == "vole":
        return "QUA-6.15"
    if play.contract == "forced":
        return "QUA-6.16"
    if play.stage != "due" or seat != play.turn:
        return "QUA-6.18"
    return "QUA-6.22" if choice == "ask" and play.side.is_alone else None


def _believe_premiers(play: PlayState, seat: int) -> None:
    """A choice shows that the first six tricks were the side's, and that this seat won the sixth, if that can be."""
    if play.stage != "doubtful" or play.on_table or play.contract == "forced":
        return
    play.believe(seat)
    others = {winner for winner in play.winners if winner is not None} - {play.side.ombre}
    if seat == play.turn and None not in play.winners:
        for other in others:
            _believe_partner(play, other)


def reply(play: PlayState, answer: str, seat: int, version: int) -> Sequence[Violation]:
    """`reply_stop`, `reply_continue` (QUA-6.22, 6.23)."""
    side = play.side
    if play.stage == "asked" and play.asked is None:
        _believe_partner(play, seat)
        play.ask(side.partner)
    if play.stage != "asked" or seat != play.asked:
        return (violation("bad_premiers_reply", "QUA-6.22", version, seat),)
    if seat == side.partner:
        side.reveal()  # QUA-6.24
    _decide(play, answer)
    return ()


def _decide(play: PlayState, choice: str) -> None:
    play.close_choice()
    if choice == "stop":
        play.end("stopped")  # QUA-6.21
    else:
        play.declare_vole()  # QUA-6.19


# --- what shows later -------------------------------------------------------------------------------------------------


def is_vole_at_stake(play: PlayState) -> bool | None:
    """QUA-7.4; None where the record does not tell whether a lead declared it."""
    if play.contract == "vole" or play.is_declared:
        return True
    lead = play.doubtful_lead
    return premiers_are_made(play) if lead is not None and lead.is_in_turn else False


def late_violations(play: PlayState) -> list[Violation]:
    """What the called card, when it appeared, has shown of what was done after the sixth trick."""
    lead = play.doubtful_lead
    if (lead is None and not play.after_sixth) or not premiers_are_made(play):
        return []
    rule = "QUA-6.16"
    found = [violation("play_after_end", rule, version, seat, card=card) for version, seat, card in play.after_sixth]
    if lead is not None:
        is_surely_hidden = bool(play.side.called & play.played()) or not play.may_be_public()
        if is_surely_hidden and play.side.partner in play.winners[:PREMIERS]:
            found.append(violation("reveal_missing", "QUA-6.20", lead.version, lead.seat, due=play.side.partner))
        if lead.is_in_turn:
            found.append(violation("vole_by_lead", "QUA-6.19", lead.version, lead.seat))
    return found


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


def answer_claim(play: PlayState, what: str, seat: int, version: int) -> Sequence[Violation]:
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
