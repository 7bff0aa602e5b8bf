"""What a card, a trick taken in or a concession does to one Couillon deal, and what it breaks there (COU section 6)."""

from __future__ import annotations

from ledger.events import CardPlayed, TrickGathered
from ledger.games.couillon.irregularities import halts, violation
from ledger.games.couillon.state import CouillonState
from ledger.games.couillon.trump_rules import rule_without_trumps
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.tricks import NOTHING, Violations


def play_card(state: CouillonState, event: CardPlayed, version: int) -> Violations:
    """A card; the first one may come before trumps were fixed, others after the end."""
    found: list[Violation] = []
    if state.recorded is not None:
        found.append(violation("card_played_twice", "COU-6.14", version, event.seat, (), card=event.card, found="all"))
        state.halt()  # COU-11.4
        return found
    if state.play is None:
        if state.trumps.suit is None:
            found.append(violation("trumps_not_fixed", rule_without_trumps(state), version, event.seat))
        state.imply_deal()
        state.begin_play()
    assert state.play is not None
    found.extend(state.play.take_card(event, version))
    if found and halts(found):
        state.halt()
    return found


def gather_trick(state: CouillonState, event: TrickGathered, version: int) -> Violations:
    """A trick taken in, perhaps for a partner, or by somebody who has not won it."""
    if state.recorded is not None:
        return NOTHING
    if state.play is None:
        return (violation("wrong_gather", "COU-6.12", version, event.seat, winner=None),)
    return state.play.gather(event, version)


def concede(state: CouillonState, seat: int, version: int) -> Violations:
    """A team gives up the rest, where the table allows that (COU-6.15 to 6.17)."""
    if state.options.concession == "none":
        return (violation("concession_not_allowed", "COU-6.15", version, seat),)
    if state.recorded is not None or state.play is None or not state.play.may_concede():
        return (violation("concession_not_allowed", "COU-6.16", version, seat),)
    state.play.concede(seat)
    return NOTHING
