"""What a Quadrille deal that has ended came to, from the state of its machine (QUA section 7)."""

from __future__ import annotations

from typing import cast

from ledger.events import Suit
from ledger.games.quadrille import premiers
from ledger.games.quadrille.outcome import QuadrilleOutcome
from ledger.games.quadrille.pack import PREMIERS, SEATS
from ledger.games.quadrille.play import Play
from ledger.games.quadrille.results import Contract, Ending, result_of, tricks_of_side, vole_result
from ledger.games.quadrille.state import QuadrilleState
from ledger.i18n import Words


def facts_of(state: QuadrilleState) -> QuadrilleOutcome | None:
    """The outcome of a complete deal; None where the record does not tell it."""
    play = state.play
    if play is None:
        return QuadrilleOutcome(result="thrown_in", tricks=(0,) * SEATS)  # QUA-4.17
    winners = _winners(play)
    matadors = play.side.matadors(play.ranking)
    has_premiers, is_at_stake = premiers.are_made(play), premiers.is_vole_at_stake(play)
    is_known = None not in winners and play.side.is_settled
    if not is_known or matadors is None or has_premiers is None or is_at_stake is None:
        return None
    assert state.ombre is not None
    tricks = tuple([winners.count(seat) for seat in range(SEATS)])
    won = tricks_of_side(tricks, state.ombre, play.side.partner, play.claimed_for)
    return QuadrilleOutcome(
        result=result_of(won),
        ombre=state.ombre,
        partner=play.side.partner,
        contract=cast(Contract, state.contract),
        trump=cast(Suit, state.trump),
        tricks=tricks,
        ending=cast(Ending, play.ending),
        claimed_for=play.claimed_for,
        premiers=has_premiers,
        vole=vole_result(won) if is_at_stake else None,
        matadors=matadors,
    )


def _winners(play: Play) -> list[int | None]:
    return play.winners[:PREMIERS] if play.ending == "premiers" else play.winners


def untold_of(play: Play) -> list[Words]:
    """What scoring would need besides of a deal whose play has ended."""
    if None in _winners(play):
        return [Words("untold_winners")]
    if not play.side.is_settled:
        return [Words("untold_partner")]
    return [] if play.side.matadors(play.ranking) is not None else [Words("untold_matadors")]
