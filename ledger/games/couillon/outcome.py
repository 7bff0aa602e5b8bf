"""The outcome of one deal: the facts that scoring needs, and the form that asks for them (COU-7.1 to 7.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from ledger.events import Seat, Suit
from ledger.games.couillon.options import CouillonOptions, phrase
from ledger.games.couillon.pack import (
    ALL_POINTS,
    MOST_TRICKS,
    TEAMS,
    CouillonForm,
    Result,
    Team,
    result_of,
    team_of,
    winner_of,
)
from ledger.games.kernel.protocol import DealSummary
from ledger.games.kernel.refusals import bad_outcome, contradicting_outcome, seat_up_to, tricks_in_all
from ledger.games.kernel.result_form import ResultForm, ResultFormBuilder
from ledger.i18n import Words

CardPoints: TypeAlias = Annotated[int, Meta(ge=0, le=ALL_POINTS)]
TrickCount: TypeAlias = Annotated[int, Meta(ge=0, le=MOST_TRICKS)]


class CouillonOutcome(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, gc=False):
    """The outcome of a deal. `result` and `winner` follow from the other fields and may be omitted when recorded.

    `winner`: the team, null for a draw. `card_points` and `tricks` per team; after a concession the rest counts for the
    other team (COU-6.17). `maker`: the seat whose call decided trumps, null if a turned card did (COU-4.1). `mit`,
    `kontra`, `re`: whether each was lawfully called.
    """

    result: Result | None = None
    winner: Team | None = None
    card_points: tuple[CardPoints, CardPoints]
    tricks: tuple[TrickCount, TrickCount]
    maker: Seat | None = None
    trump: Suit | None = None
    mit: bool = False
    kontra: bool = False
    re: bool = False


MarkCount = Annotated[int, Meta(ge=0, le=1_000_000)]


class CouillonSheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The game's own fields of a score sheet (contract 6), per team; only those given are compared.

    `winner` null: a draw. `bars` and `circles`: the number of each on a side of the board. `draw_mark`: whether it is
    on the board, or the number of draws that it counts.
    """

    card_points: tuple[CardPoints, CardPoints] | None = None
    tricks: tuple[TrickCount, TrickCount] | None = None
    winner: Team | UnsetType | None = UNSET
    bars: tuple[MarkCount, MarkCount] | None = None
    circles: tuple[MarkCount, MarkCount] | None = None
    draw_mark: bool | MarkCount | None = None
    gp: tuple[int, int] | None = None


def completed(outcome: CouillonOutcome, options: CouillonOptions) -> CouillonOutcome:
    """Return the outcome with the result that its facts make."""
    winner = winner_of(outcome.card_points, outcome.maker, options.tie_rule)
    return structs.replace(outcome, winner=winner, result=result_of(winner, outcome.tricks))


def checked_outcome(outcome: CouillonOutcome, options: CouillonOptions, seats: int) -> CouillonOutcome:
    """Return the complete outcome. Raise `MalformedError` if its facts contradict each other or the form."""
    form = options.form
    _check_points(outcome, form)
    if outcome.maker is not None and outcome.maker >= seats:
        raise bad_outcome("maker", seat_up_to(seats - 1), outcome.maker)
    if outcome.mit and not options.has_mit:
        raise bad_outcome("mit", phrase("refusal.no_mit", value="false", rule="COU-2.2"), "true")
    if outcome.kontra and not outcome.mit:
        raise bad_outcome("kontra", phrase("refusal.no_kontra", value="false", rule="COU-5.8"), "true")
    if outcome.re and not outcome.kontra:
        raise bad_outcome("re", phrase("refusal.no_re", value="false", rule="COU-5.10"), "true")
    full = completed(outcome, options)
    if outcome.winner is not None and outcome.winner != full.winner:
        raise contradicting_outcome("winner", full.winner, outcome.winner)
    if outcome.result not in (None, full.result):
        raise contradicting_outcome("result", full.result, outcome.result)
    return full


def _check_points(outcome: CouillonOutcome, form: CouillonForm) -> None:
    """Check COU-7.37, 7.38 and 7.43 as far as they hold for any cards."""
    points, tricks = outcome.card_points, outcome.tricks
    if sum(tricks) != form.hand:
        raise bad_outcome("tricks", tricks_in_all(form.hand), list(tricks))
    if not form.points_min <= sum(points) <= ALL_POINTS:
        key = "refusal.card_points_from" if form.stock else "refusal.card_points"
        raise bad_outcome("card_points", phrase(key, least=form.points_min, points=ALL_POINTS), list(points))
    for team in TEAMS:
        if points[team] and not tricks[team]:
            raise bad_outcome("card_points", phrase("refusal.no_card_points"), list(points))


def contract_of(mit: bool, kontra: bool, re: bool) -> str:
    """Return the highest raise of the deal: `plain`, `mit`, `kontra` or `re`."""
    return "re" if re else "kontra" if kontra else "mit" if mit else "plain"


def summarise(outcome: CouillonOutcome) -> DealSummary:
    """Return the facts for statistics. The declarer is the maker of trumps; the contract, the highest raise."""
    maker, winner = outcome.maker, outcome.winner
    return DealSummary(
        result=outcome.result,
        contract=contract_of(outcome.mit, outcome.kontra, outcome.re),
        declarer=maker,
        partner=None,
        trump=outcome.trump,
        won=None if maker is None or winner is None else winner == team_of(maker),
    )


def result_form(answers: Mapping[str, str], options: CouillonOptions, seats: int, dealer: int) -> ResultForm:
    """Ask for maker, trumps, raises, card points and tricks; those of the second team follow."""
    builder = ResultFormBuilder(answers)
    form = options.form
    maker = builder.seat("maker", Words("result.maker"), range(seats), none_words=Words("result.turned_card"))
    trump = builder.suit("trump", Words("result.trump"), none_words=Words("result.not_known"))
    mit = options.has_mit and builder.truth("mit", Words("result.mit"))
    kontra = mit and builder.truth("kontra", Words("result.kontra"))
    re = kontra and builder.truth("re", Words("result.re"))
    teams = [list(range(team, seats, len(TEAMS))) for team in TEAMS]
    own = builder.number("tricks.0", Words("result.tricks", {"players": _names(teams[0])}), range(form.hand + 1))
    tricks = [own, form.hand - own if isinstance(own, int) else own]
    points = [builder.amount("card_points.0", Words("result.points", {"players": _names(teams[0])}), 0, ALL_POINTS)]
    if form.points_min < ALL_POINTS:  # COU-7.43: some cards are not in play
        points.append(
            builder.amount("card_points.1", Words("result.points", {"players": _names(teams[1])}), 0, ALL_POINTS)
        )
        builder.follows(Words("result.rest", {"players": _names(teams[1]), "tricks": tricks[1]}))
    else:
        points.append(_rest(points[0]))
        values = {"players": _names(teams[1]), "tricks": tricks[1], "points": points[1]}
        builder.follows(Words("result.rest_and_points", values))
    return builder.build(
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
    """Return the players of a team."""
    return [Words("sheet_player", {"seat": seat}) for seat in seats]
