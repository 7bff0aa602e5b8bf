"""What a form for the result of a Couillon deal asks (COU-7.1 to 7.6)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import UnsetType

from ledger.games.couillon.options import CouillonOptions
from ledger.games.couillon.pack import ALL_POINTS, TEAMS
from ledger.games.kernel.result_form import Asking, ResultForm
from ledger.i18n import Words


def result_form(told: Mapping[str, str], options: CouillonOptions, seats: int, dealer: int) -> ResultForm:
    """Who made trumps, what was said, and what each team took; the tricks of the second one follow."""
    ask = Asking(told)
    form = options.form
    maker = ask.seat("maker", Words("result.maker"), range(seats), not_told=Words("result.turned_card"))
    trump = ask.suit("trump", Words("result.trump"), not_told=Words("result.not_known"))
    mit = options.has_mit and ask.truth("mit", Words("result.mit"))
    kontra = mit and ask.truth("kontra", Words("result.kontra"))
    re = kontra and ask.truth("re", Words("result.re"))
    teams = [list(range(team, seats, len(TEAMS))) for team in TEAMS]
    own = ask.number("tricks.0", Words("result.tricks", {"players": _names(teams[0])}), range(form.hand + 1))
    tricks = [own, form.hand - own if isinstance(own, int) else own]
    points = [ask.amount("card_points.0", Words("result.points", {"players": _names(teams[0])}), 0, ALL_POINTS)]
    if form.points_min < ALL_POINTS:  # COU-7.43: some cards are not in play
        points.append(ask.amount("card_points.1", Words("result.points", {"players": _names(teams[1])}), 0, ALL_POINTS))
        ask.follows(Words("result.rest", {"players": _names(teams[1]), "tricks": tricks[1]}))
    else:
        points.append(_rest(points[0]))
        values = {"players": _names(teams[1]), "tricks": tricks[1], "points": points[1]}
        ask.follows(Words("result.rest_and_points", values))
    return ask.form(
        {
            "maker": maker,
            "trump": trump,
            "card_points": points,
            "tricks": tricks,
            "mit": mit,
            "kontra": kontra,
            "re": re,
        }
    )


def _rest(points: int | UnsetType) -> int | UnsetType:
    return ALL_POINTS - points if isinstance(points, int) else points


def _names(seats: list[int]) -> list[Words]:
    """The players of a team."""
    return [Words("sheet_player", {"seat": seat}) for seat in seats]
