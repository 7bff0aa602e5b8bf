"""Cards, gathered tricks, concessions, and Mit', Kontra and Re: their effects and violations (COU-5, 6).

While it is unknown whether the caller of a Mit' holds SQ, the deal is read both ways (COU-5.2, 5.6, 11.22).
"""

from __future__ import annotations

from collections.abc import Sequence

from ledger.events import Announced, CardPlayed, Event, TrickGathered
from ledger.games.couillon.calls import VoidMit
from ledger.games.couillon.irregularities import halts, violation
from ledger.games.couillon.pack import MIT_CARD, MIT_TABLES, team_of
from ledger.games.couillon.state import CouillonState, DoubtfulMit
from ledger.games.couillon.trump_rules import remember_if_early, rule_without_trumps
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.tricks import NOTHING, Violations


def holder_of_mit_card(state: CouillonState) -> int | None:
    """Return the seat that certainly was dealt SQ, or None."""
    dealt = state.holdings.known if state.play is None else state.play.origin
    return next((seat for seat, mask in enumerate(dealt) if mask & MIT_CARD), None)


def holds_mit_card(state: CouillonState, seat: int) -> bool | None:
    """Return whether SQ was dealt to the seat; None if that is unknown."""
    holder = holder_of_mit_card(state)
    if holder is not None:
        return holder == seat
    if seat in state.without_mit_card:
        return False
    if not state.was_dealt:
        return None if state.recorded is None else False
    if state.holdings.candidates(seat) & MIT_CARD:
        return None
    could_be = state.play is not None and state.play.has_unknown_of(seat) and not state.holdings.placed & MIT_CARD
    return None if could_be else False


def mit_card_is_out(state: CouillonState) -> bool:
    """Return whether SQ certainly was not dealt: it was seen in the stock, or no hand can have had it."""
    if "SQ" in state.stock:
        return True
    return state.was_dealt and all(holds_mit_card(state, seat) is False for seat in range(state.seats))


def apply_to_other_reading(
    state: CouillonState, doubt: DoubtfulMit, event: Event, version: int, violations: Violations
) -> None:
    """Apply the event, with these `violations` in the deal, to the other reading, too.

    The doubt ends when it shows who holds SQ, or when there is no Mit' any more.
    """
    doubt.take(event, version, violations)
    holds = not state.raises or holds_mit_card(state, doubt.caller)
    if holds is None:
        return
    if holds:
        state.confirm_mit(doubt)
    else:
        state.take_back_mit(doubt)


def make_raise(state: CouillonState, event: Announced, version: int) -> Sequence[Violation]:
    """Call `mit`, `kontra` or `re`; after trumps are fixed, this implies a complete deal (COU-5.1, 5.14)."""
    seat, what = event.seat, event.what
    assert seat is not None
    if state.trumps.suit is not None and state.recorded is None:
        remember_if_early(state, event, version)
        state.imply_deal()
        if state.play is None:
            state.begin_play()
    if not state.options.has_mit:
        return (violation("no_mit_here", "COU-2.2", version, seat, call=what),)
    legal = tuple(word for other, word in possible_raises(state) if other == seat)
    if what == "mit":
        return _call_mit(state, seat, version, legal)
    rule = _against_kontra(state, seat) if what == "kontra" else _against_re(state, seat)
    if rule is not None:
        return (violation(f"{what}_not_allowed", rule, version, seat, legal),)
    state.raise_by(seat, version)
    return ()


def _call_mit(state: CouillonState, seat: int, version: int, legal: tuple[str, ...]) -> Sequence[Violation]:
    violations = []
    holds = holds_mit_card(state, seat)
    if holds is False:
        violations.append(violation("mit_without_queen", _rule_without_queen(state), version, seat, legal))
    rule = _against_mit(state, seat)
    if rule is not None:
        violations.append(violation("mit_not_allowed", rule, version, seat, legal))
    if violations:
        _remember(state, seat, version, legal, violations)
        return violations
    otherwise = state.copy() if holds is None else None
    state.raise_by(seat, version)
    play, suit = state.play, state.trumps.suit
    assert play is not None and suit is not None
    play.rank_by(MIT_TABLES[suit])  # SQ is a trump now, in the first trick, too (COU-5.6, 5.17)
    if otherwise is not None:
        state.doubt_mit(seat, otherwise, _deny(otherwise, seat, version))
    return violations


def _deny(state: CouillonState, seat: int, version: int) -> Violation:
    """Mark the call of `mit` as void, because its seat does not hold SQ, and return the violation."""
    state.deny_mit_card(seat)
    denial = violation("mit_without_queen", "COU-5.2", version, seat, found="unseen")
    _remember(state, seat, version, (), [denial])
    return denial


def _remember(
    state: CouillonState, seat: int, version: int, legal: tuple[str, ...], violations: Sequence[Violation]
) -> None:
    if holder_of_mit_card(state) is None and not mit_card_is_out(state):
        played = frozenset() if state.play is None else frozenset(state.play.seats)
        state.remember_void(VoidMit(seat, version, legal, _against_moment(state), played, tuple(violations)))


def _against_moment(state: CouillonState) -> str | None:
    """Return the rule that a Mit' called now breaks no matter who holds SQ (COU-11.23), or None."""
    if state.raises:
        return "COU-5.2"
    if state.recorded is not None:
        return "COU-5.12"
    return "COU-5.1" if state.play is None or state.trumps.suit is None else None


def _against_mit(state: CouillonState, seat: int) -> str | None:
    """Return the rule that a Mit' called now breaks by its moment (COU-11.23), or None."""
    rule = _against_moment(state)
    if rule is not None or state.play is None:
        return rule
    holder = holder_of_mit_card(state)
    if holder is None and holds_mit_card(state, seat) is False:
        return None  # no holder of SQ is known to have played
    return "COU-5.12" if (seat if holder is None else holder) in state.play.seats else None


def _window_is_open(state: CouillonState) -> bool:
    """Return whether the caller of the valid Mit' has still to play a first card (COU-5.1, 5.12)."""
    play = state.play
    return bool(state.raises) and play is not None and state.raises[0][0] not in play.seats


def _against_kontra(state: CouillonState, seat: int) -> str | None:
    raises = state.raises
    if not raises or team_of(seat) == team_of(raises[0][0]):
        return "COU-5.8"
    if len(raises) > 1:
        return "COU-5.9"
    return None if _window_is_open(state) else "COU-5.12"


def _against_re(state: CouillonState, seat: int) -> str | None:
    raises = state.raises
    if len(raises) < 2 or team_of(seat) != team_of(raises[0][0]):
        return "COU-5.10"
    if len(raises) > 2:
        return "COU-5.11"
    return None if _window_is_open(state) else "COU-5.12"


def possible_raises(state: CouillonState) -> list[tuple[int, str]]:
    """Return the calls that each seat may make now; every seat that may hold SQ may call `mit`."""
    if not state.options.has_mit or state.play is None or state.play.is_over:
        return []
    seats = range(state.seats)
    if not state.raises:
        return [
            (seat, "mit")
            for seat in seats
            if holds_mit_card(state, seat) is not False and _against_mit(state, seat) is None
        ]
    said = [(seat, "kontra") for seat in seats if _against_kontra(state, seat) is None]
    return said or [(seat, "re") for seat in seats if _against_re(state, seat) is None]


def late_raise_faults(state: CouillonState) -> list[Violation]:
    """Return violations by void calls of `mit` that the cards have shown since."""
    return [one for call in state.void_mits for one in _in_hindsight(state, call) if one not in call.violations]


def refuted_raise_faults(state: CouillonState) -> list[Violation]:
    """Return violations by void calls of `mit` that the cards have disproved since."""
    return [one for call in state.void_mits for one in call.violations if one not in _in_hindsight(state, call)]


def _in_hindsight(state: CouillonState, call: VoidMit) -> list[Violation]:
    """Return COU-11.22 and 11.23 for a void call of `mit`, by what is known now about SQ."""
    holder, holds = holder_of_mit_card(state), holds_mit_card(state, call.seat)
    if holds is None:
        return list(call.violations)
    rule = "COU-5.12" if call.rule is None and holder in call.played else call.rule
    legal = tuple(word for word in call.legal if word != "mit")
    right: list[Violation] = []
    if not holds:
        missing = _rule_without_queen(state)
        right.append(violation("mit_without_queen", missing, call.version, call.seat, legal, found="unseen"))
    if rule is not None:
        right.append(violation("mit_not_allowed", rule, call.version, call.seat, legal))
    at_once = {(one.code, one.rule): one for one in call.violations}
    return [at_once.get((one.code, one.rule), one) for one in right]


def _rule_without_queen(state: CouillonState) -> str:
    return "COU-5.3" if mit_card_is_out(state) else "COU-5.2"


def play_card(state: CouillonState, event: CardPlayed, version: int) -> Violations:
    """Play a card and return the violations; it may come before trumps were fixed or after the end."""
    violations: list[Violation] = []
    if state.recorded is not None:
        violations.append(
            violation("card_played_twice", "COU-6.14", version, event.seat, (), card=event.card, found="all")
        )
        state.halt()  # COU-11.4
        return violations
    if state.play is None:
        if state.trumps.suit is None:
            violations.append(violation("trumps_not_fixed", rule_without_trumps(state), version, event.seat))
        state.imply_deal()
        state.begin_play()
    assert state.play is not None
    violations.extend(state.play.take_card(event, version))
    if violations and halts(violations):
        state.halt()
    return violations


def gather_trick(state: CouillonState, event: TrickGathered, version: int) -> Violations:
    """Note who gathered a trick, perhaps for a partner or wrongly; return the violations."""
    if state.recorded is not None:
        return NOTHING
    if state.play is None:
        return (violation("wrong_gather", "COU-6.12", version, event.seat, winner=None),)
    return state.play.gather(event, version)


def concede(state: CouillonState, seat: int, version: int) -> Violations:
    """Concede the rest if the table allows that (COU-6.15 to 6.17); return the violations."""
    if state.options.concession == "none":
        return (violation("concession_not_allowed", "COU-6.15", version, seat),)
    if state.recorded is not None or state.play is None or not state.play.may_concede():
        return (violation("concession_not_allowed", "COU-6.16", version, seat),)
    state.play.concede(seat)
    return NOTHING
