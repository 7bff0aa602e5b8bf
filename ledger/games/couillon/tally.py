"""Card points and tricks of both teams in a Couillon deal (COU-6.17, 7.1, 7.2), as far as the record tells."""

from __future__ import annotations

from ledger.cards import UNKNOWN, cards_in, mask_of_known
from ledger.games.couillon.pack import ALL_POINTS, POINTS, points_in
from ledger.games.couillon.play import Play
from ledger.games.couillon.state import CouillonState
from ledger.games.kernel.laid_cards import NO_CARD


def points_and_tricks(state: CouillonState) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """cp and tr; None where cards that nobody wrote down leave them open."""
    play = state.play
    assert play is not None
    if not play.holdings.has_unknown and play.conceded_by is None and None not in play.winners:
        return _of_known_play(play)
    teams = play.trick_teams()
    if teams is None:
        return None
    points, tricks, unknown, told = [0, 0], [0, 0], [0, 0], 0
    for number, team in enumerate(teams):
        tricks[team] += 1
        trick = play.trick(number)
        for seat, laid in zip(trick.seats, trick.cards, strict=True):
            card = play.unwritten(seat) if laid == NO_CARD else laid
            if card is None:
                unknown[team] += 1
            else:
                points[team] += POINTS[card]
                told |= 1 << card
    if any(unknown):
        hidden = _points_of_unknown(play, unknown, told)
        if hidden is None:
            return None
        points = [known + more for known, more in zip(points, hidden, strict=True)]
    if play.conceded_by is not None:
        rest = _points_in_hands(state, play, any(unknown))
        if rest is None:
            return None
        other = 1 - play.conceded_by
        points[other] += rest
        tricks[other] += play.course.length - len(teams)
    return (points[0], points[1]), (tricks[0], tricks[1])


def _of_known_play(play: Play) -> tuple[tuple[int, int], tuple[int, int]]:
    """The same for a play in which every card is known, which is nearly every one."""
    worth, counts = play.worth_by_seat(POINTS), play.counts
    points = tricks = other_points = other_tricks = 0
    for seat in range(0, len(worth), 2):  # the teams by turns (COU-2.7)
        points += worth[seat]
        tricks += counts[seat]
        other_points += worth[seat + 1]
        other_tricks += counts[seat + 1]
    return (points, other_points), (tricks, other_tricks)


def _points_of_unknown(play: Play, unknown: list[int], told: int) -> tuple[int, int] | None:
    """What the cards that nobody wrote down are worth to each team, where that follows from the others."""
    unseen = [POINTS[card] for card in cards_in(play.unseen() & ~told)]
    if len(set(unseen)) == 1:
        return unseen[0] * unknown[0], unseen[0] * unknown[1]
    if len(unseen) == sum(unknown) and 0 in unknown:
        return (sum(unseen), 0) if unknown[0] else (0, sum(unseen))
    return None


def _points_in_hands(state: CouillonState, play: Play, has_unknown: bool) -> int | None:
    """What the cards still in hand are worth after a concession."""
    if not any(state.holdings.hidden):
        return sum(points_in(hand & ~play.foreign) for hand in state.holdings.known)
    if has_unknown or UNKNOWN in state.stock:
        return None
    played = sum(POINTS[card] for card in play.cards)
    return ALL_POINTS - played - points_in(mask_of_known(state.stock))


def points_out(state: CouillonState) -> int | None:
    """What the cards are worth that nobody was dealt; None where the record does not tell."""
    if state.pack_is_bad:
        return None
    if UNKNOWN not in state.stock:
        return points_in(mask_of_known(state.stock))
    dealt = [hand for hand in state.hands if hand is not None and UNKNOWN not in hand]
    if len(dealt) == state.seats:
        return ALL_POINTS - sum(points_in(mask_of_known(hand)) for hand in dealt)
    return None
