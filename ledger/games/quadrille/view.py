"""The view of a Quadrille deal (contract 5), for everyone or for one seat, and the legal moves.

A seat knows the partner once all do, or from the start if it was dealt the called card (QUA-5.15). Views for a seat
show no more than that.
"""

from __future__ import annotations

from typing import NamedTuple

from ledger.cards import SUITS, UNKNOWN
from ledger.events import PartnerCalled
from ledger.games.kernel.moves import announcements, calls_of, namings, plays
from ledger.games.kernel.views import DealView, Moves
from ledger.games.quadrille import declarations
from ledger.games.quadrille.opening_rules import may_be_forced
from ledger.games.quadrille.pack import PREMIERS, SEATS
from ledger.games.quadrille.play import Play
from ledger.games.quadrille.play_rules import callable_by_ombre, possible_calls
from ledger.games.quadrille.state import QuadrilleState


class PartnerKnowledge(NamedTuple):
    """What a seat, or the record, knows about the Ombre's partner.

    `knows_premiers`: it knows that a choice is due, or that a forced contract has ended.
    """

    is_settled: bool
    partner: int | None
    knows_premiers: bool


def partner_knowledge(play: Play, seat: int | None) -> PartnerKnowledge:
    """Return what the seat knows about the partner; with None, what the record shows."""
    side = play.side
    if seat is None:
        return PartnerKnowledge(side.is_settled, side.partner, True)
    if play.is_public():
        is_settled, partner = side.is_settled, side.partner
    elif side.dealt.masks[seat] & side.called:
        is_settled, partner = True, seat if seat != side.ombre else None
    else:
        is_settled, partner = False, None
    winners = set(play.winners[:PREMIERS])
    return PartnerKnowledge(
        is_settled, partner, winners <= {side.ombre, partner} if is_settled else winners == {side.ombre}
    )


def hides_end(state: QuadrilleState, seat: int | None) -> bool:
    """Return whether the seat cannot know yet that premiers have ended a forced contract (QUA-6.16)."""
    play = state.play
    if play is None or play.ending != "premiers" or state.phase != "settled" or seat is None:
        return False
    return not partner_knowledge(play, seat).knows_premiers


def legal_of(state: QuadrilleState, seat: int | None) -> Moves:
    """Return the legal moves; with `seat`, as far as that seat could know."""
    if state.phase == "auction":
        caller = state.auction.turn
        return () if caller is None else calls_of(caller, state.auction.legal())
    if state.phase == "trump":
        return _trump_moves(state, seat)
    if state.phase == "call":
        return _partner_calls(state, seat)
    if state.play is not None and (state.phase == "play" or hides_end(state, seat)):
        return _play_moves(state.play, seat)
    return ()


def _trump_moves(state: QuadrilleState, seat: int | None) -> Moves:
    if state.ombre is not None and (state.contract != "forced" or state.is_spadille_shown):
        return namings([state.ombre], SUITS)  # QUA-5.1
    if state.ombre is None and seat is None:
        return announcements((other, "show_spadille") for other in range(SEATS) if may_be_forced(state, other))
    return announcements([(turn_of(state, seat), "show_spadille")])  # QUA-4.16


def _partner_calls(state: QuadrilleState, seat: int | None) -> Moves:
    ombre = state.ombre
    if ombre is None or seat not in (None, ombre):
        return ()
    cards = callable_by_ombre(state) if seat is None else _callable_as_seen(state, ombre)
    return tuple([PartnerCalled(seat=ombre, card=card) for card in cards])


def _callable_as_seen(state: QuadrilleState, seat: int) -> list[str | None]:
    """Return the cards that the seat may call as far as its own hand shows (QUA-5.6 to 5.11)."""

    known = state.dealt.masks[seat]
    hidden = state.holdings.size(seat) - known.bit_count()
    return possible_calls(known, state.holdings.pack & ~known, hidden, state.trump or "", state.options)


def _play_moves(play: Play, seat: int | None) -> Moves:
    known = partner_knowledge(play, seat)
    turn = _turn_in_play(play, known)
    choices: list[tuple[int | None, str]] = []
    may_play = play.claim is None
    if play.stage == "reply_due":
        choices = [(play.responder if known.is_settled else turn, f"reply_{word}") for word in ("continue", "stop")]
        if seat is None and play.responder is None:
            choices = [(who, word) for _, word in choices for who in range(SEATS) if play.side.may_be_partner(who)]
        may_play = False
    elif play.stage == "due" and known.knows_premiers:
        choices, may_play = _choices(play, known)
    elif play.stage == "doubtful" and seat is None and not play.on_table and len(play.winners) == PREMIERS:
        choices = _doubtful_choices(play)
    if play.claim is not None:
        choices.extend(_claim_answers(play, seat))
    elif _may_claim(play, known):
        choices.extend((who, word) for who in range(SEATS) for word in declarations.SIDES)
    if not may_play or turn is None or seat not in (None, turn):
        return announcements(choices)
    cards = play.playable(turn) if seat is None else play.playable_as_seen(turn, 0)
    return announcements(choices) + plays(turn, cards)


def _choices(play: Play, known: PartnerKnowledge) -> tuple[list[tuple[int | None, str]], bool]:
    """Return the announcements that a due choice allows (QUA-6.18, 6.20), and whether a mere lead is legal too."""
    must_reveal = play.must_reveal() and known.partner == play.side.partner
    if must_reveal and known.partner != play.turn:
        return [(known.partner, "reveal_partner")], False
    words = ["premiers_continue", "premiers_stop"]
    if not known.is_settled or known.partner is not None:
        words.append("premiers_ask")  # QUA-6.22
    if must_reveal:
        words.append("reveal_partner")
    return [(play.turn, word) for word in words], not must_reveal


def _doubtful_choices(play: Play) -> list[tuple[int | None, str]]:
    """Return the possible announcements while only the holder of the called card knows whether premiers were made."""
    others = {winner for winner in play.winners if winner is not None} - {play.side.ombre}
    choices: list[tuple[int | None, str]] = [(other, "reveal_partner") for other in others]
    if play.turn is not None and play.contract != "forced":
        choices.extend((play.turn, f"premiers_{word}") for word in ("ask", "continue", "stop"))
    return choices


def _may_claim(play: Play, known: PartnerKnowledge) -> bool:
    if play.stage == "due" and not known.knows_premiers:
        return play.options.claims
    return play.may_claim() or (play.is_over and play.options.claims)


def _claim_answers(play: Play, seat: int | None) -> list[tuple[int | None, str]]:
    """Return the legal answers to a claim. For the record, a last acceptance that would be wrong is not legal
    (QUA-11.46).
    """
    assert play.claim is not None
    left = declarations.seats_to_answer(play.claim)
    is_wrong = seat is None and len(left) == 1 and play.cannot_come_true(play.claim)
    words = ("claim_refuse",) if is_wrong else ("claim_accept", "claim_refuse")
    return [(who, word) for who in left for word in words]


def turn_of(state: QuadrilleState, seat: int | None) -> int | None:
    """Return the seat that is due; None if there is none or if `seat` cannot know it."""
    if state.phase == "auction":
        return state.auction.turn
    if state.phase == "trump":
        return state.ombre if knows_ombre(state, seat) else None
    if state.phase == "call":
        return state.ombre
    if state.play is not None and (state.phase == "play" or hides_end(state, seat)):
        return _turn_in_play(state.play, partner_knowledge(state.play, seat))
    return None


def knows_ombre(state: QuadrilleState, seat: int | None) -> bool:
    """Return whether the seat knows the Ombre. A forced one becomes known by showing Spadille or naming trumps
    (QUA-4.15, 4.16).
    """
    is_hidden = state.phase == "trump" and state.contract == "forced" and not state.is_spadille_shown
    return not is_hidden or seat in (None, state.ombre)


def _turn_in_play(play: Play, known: PartnerKnowledge) -> int | None:
    if play.stage == "reply_due":
        return play.responder if known.is_settled or play.responder == play.side.ombre else None
    return play.winners[PREMIERS - 1] if play.ending == "premiers" else play.turn


def view_of(state: QuadrilleState, seat: int | None) -> DealView:
    """Return the state of the deal; with `seat`, cards that this seat has not seen are `??`."""
    play, holdings = state.play, state.holdings
    hands = [holdings.shown(other) for other in range(SEATS)]
    counts = play.counts if play is not None else state.recorded.tricks if state.recorded is not None else ()
    if seat is not None:
        hands = [hand if other == seat else _as_seen(state, other, hand) for other, hand in enumerate(hands)]
    return DealView(
        phase="play" if hides_end(state, seat) else state.phase,
        turn=turn_of(state, seat),
        dealer=state.dealer,
        hands=hands,
        stock=[],  # QUA-3.10
        auction=[{"seat": caller, "call": call} for caller, call in state.auction.made],
        trump=state.trump,
        contract=state.contract,
        declarer=state.ombre if knows_ombre(state, seat) else None,
        partner=_partner(state, seat),
        tricks=[] if play is None else play.views(),
        trick_counts=list(counts or [0] * SEATS),
        card_points=[0] * SEATS,  # QUA-2.6
        legal=legal_of(state, seat),
    )


def _partner(state: QuadrilleState, seat: int | None) -> int | None:
    if state.recorded is not None:
        return state.recorded.partner
    return None if state.play is None else partner_knowledge(state.play, seat).partner


def _as_seen(state: QuadrilleState, seat: int, hand: list[str]) -> list[str]:
    """Return another seat's hand: only Spadille is known to all, once the forced Ombre has shown it (QUA-4.16)."""
    seen = ["SA"] if state.is_spadille_shown and seat == state.ombre and "SA" in hand else []
    return seen + [UNKNOWN] * (len(hand) - len(seen))
