"""The players: a list to search, and a year of each on one page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Annotated, Any, Final, NamedTuple

from msgspec import Meta, Struct, structs

from ledger.errors import LedgerError, NotFoundError
from ledger.games import registered_games
from ledger.history import Answer, Filters, History, list_queries, statistic_named
from ledger.history.questions.display_names import DisplayNames
from ledger.history.questions.facets import Facets, PlayedTogether, count_facets
from ledger.history.questions.filters import check_season, normalise_filters
from ledger.history.questions.statements import without_intervals
from ledger.names import name_key
from ledger.text.site.answer_table import AnswerTable, ordered, page_of, table_of
from ledger.text.site.catalogue import as_sentence, phrase, say
from ledger.text.site.listing import matches_query
from ledger.text.site.player_page import GameCourse, best_and_worst, columns_of, courses, totals_at_tables
from ledger.text.site.statistics import described, facet_fields, statistic_title
from ledger.web.api.people import check_signed_in, listed_names
from ledger.web.http.problems import STATUSES
from ledger.web.http.reading import seen
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import page
from ledger.web.pages.frame import html
from ledger.web.pages.paging import page_of_list
from ledger.web.pages.statistics import (
    address,
    from_read_model,
    has_plots,
    names_shown,
    plot_address,
    reader_of_answers,
)

_PER_PAGE: Final = 50
_TABLES: Final = 12
_OPPONENTS: Final = 12


class PlayersQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`q`: words of a name; `page`: from 1."""

    q: Annotated[str, Meta(max_length=200)] = ""
    page: Annotated[int, Meta(ge=1, le=1_000_000)] = 1


class PlayerQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`season`: by default the latest one of the player, empty for all; `game`: empty for all."""

    season: Annotated[str, Meta(max_length=20)] | None = None
    game: Annotated[str, Meta(max_length=50)] = ""


class PlayerListed(Struct, frozen=True, kw_only=True):
    """A player in the list. `name`: as shown; `player`: by the name in the record, None if their page is
    closed to the reader. `texts`: what a search may match.
    """

    name: str
    player: str | None
    tables: int
    deals: int
    last_played_on: str
    texts: Sequence[str]


@page("/players", "viewer", query=PlayersQuery, rests_on="history", of_whole_ledger=True, guard=check_signed_in)
async def list_players(request: Request) -> Response:
    """Show the players whose names match a search."""
    query: PlayersQuery = request.query
    everybody = await from_read_model(request, "players", lambda history: _everybody(request, history))

    def shown() -> Response:
        matching = [one for one in everybody if matches_query(query.q, one.texts)]
        rows, links = page_of_list(matching, query.page, _PER_PAGE, {"q": query.q} if query.q else {})
        return html(
            request,
            "players.html",
            query=query.q,
            is_empty=not everybody,
            players=rows,
            **links,
        )

    return await request.service.run_in_thread(shown)


def _everybody(request: Request, history: History) -> list[PlayerListed]:
    """Return all players by the names that this reader sees, in their order."""
    listed, shown = listed_names(request, history), names_shown(request, history)
    spellings: dict[str, list[str]] = {}
    for spelling, person in listed.persons.items():
        spellings.setdefault(person, []).append(spelling)
    rows = [
        _listed(row, listed, shown, spellings) for row in history.answer_to(list_queries()["players"]).answer.objects()
    ]
    return sorted(rows, key=lambda one: name_key(one.name, request.lang))


def _listed(
    row: Mapping[str, Any], listed: DisplayNames, shown: DisplayNames, spellings: Mapping[str, Sequence[str]]
) -> PlayerListed:
    player = row["player"]
    name = listed.names.get(player, player)
    is_hidden = player in listed.initials
    return PlayerListed(
        name=name,
        player=None if player in shown.initials else player,
        tables=row["tables"],
        deals=row["deals"],
        last_played_on=row["last_played_on"],
        texts=(name,) if is_hidden else (name, player, *spellings.get(player, ())),
    )


class Career(Struct, frozen=True, kw_only=True):
    """All tables and complete deals of a player, with the days of the first and the last table."""

    tables: int
    deals: int
    first: date
    last: date


class _Year(Struct, frozen=True):
    """The content of a player's page for one reader. `season`: empty for all. `wrong`: the messages of filters that
    cannot be used; then there is no answer.
    """

    player: str
    name: str
    career: Career
    season: str
    facets: Facets
    shown: DisplayNames
    wrong: Mapping[str, str]
    courses: Sequence[GameCourse] = ()
    best_and_worst: tuple[Answer, Answer] = (Answer([], [], []), Answer([], [], []))
    answers: Mapping[str, Answer] = {}


_COLUMNS: Final[Mapping[str, Sequence[str]]] = {
    "standings": ("game", "place", "points", "deals", "tables", "points_per_deal", "mean_low", "mean_high"),
    "roles": ("game", "role", "deals", "won", "share_won", "low", "high", "mean_points"),
    "partners": ("game", "partner_player", "deals", "won", "share_won", "low", "high", "mean_points"),
    "head-to-head": (
        "opponent_player", "tables", "ahead", "level", "behind", "share_ahead", "low", "high", "received", "paid",
    ),
    "cumulative": ("played_on", "table_name", "game", "gained", "total"),
}  # fmt: skip
"""The statistics of the page, each with the columns that it shows."""

_MORE: Final = (
    "player-contracts",
    "opening-leads",
    "swings",
    "streaks",
    "standings-by-day",
    "rating-history",
    "player-findings",
)
"""Further statistics that the page links to."""


@page(
    "/players/{name}", "viewer", query=PlayerQuery, rests_on="history", of_whole_ledger=True, guard=check_signed_in,
    problems=("not_found", "busy"),
)  # fmt: skip
async def show_player(request: Request, name: str) -> Response:
    """Show a year of a player."""
    query: PlayerQuery = request.query
    year = await from_read_model(request, ("player", name, query), _find(request, name, query))
    return await request.service.run_in_thread(lambda: _shown(request, year))


class _Own(Struct, frozen=True):
    """What depends only on the tables at which a player sat, by the names in the record. `answers`: the statistics of
    the page without those that compare all players.
    """

    career: Career
    season: str
    facets: Facets
    wrong: Mapping[str, str]
    deals: Answer = Answer([], [], [])
    answers: Mapping[str, Answer] = {}


class _Basis(NamedTuple):
    """The rows of `player-tables` and the persons of linked spellings: a player's own answers change only with them."""

    tables: tuple[tuple[Any, ...], ...]
    persons: frozenset[tuple[str, str]]


_OF_ALL: Final = "standings"
"""The statistic of the page that compares all players."""

_OWN_BYTES: Final = 50_000
_ROW_BYTES: Final = 300
"""The size of a cached `_Own`, and that of a row in it, roughly."""


def _find(request: Request, name: str, query: PlayerQuery) -> Callable[[History], _Year]:
    def find(history: History) -> _Year:
        shown = names_shown(request, history)
        person = _person(request, name, shown)
        own = _own(request, history, name, person, shown)
        name_shown = shown.names.get(person, person)
        if own.wrong:
            return _Year(person, name_shown, own.career, own.season, own.facets, shown, own.wrong)
        of_all = history.statistic(_OF_ALL, _filters(request, person, query, own.season)).answer
        recorded = {**own.answers, _OF_ALL: of_all}
        answers = {one: _first_rows(one, shown.shown(recorded[one])) for one in _COLUMNS}
        deals = shown.shown(own.deals)
        of_games = courses(deals, request.lang)
        return _Year(
            person, name_shown, own.career, own.season, own.facets, shown, {}, of_games, best_and_worst(deals), answers
        )  # fmt: skip

    return find


def _own(request: Request, history: History, name: str, person: str, shown: DisplayNames) -> _Own:
    """Return what depends only on the player's own tables.

    It is computed again only after one of them has changed: it takes five queries, and most entries concern others.
    """
    tables = history.answer_to(list_queries()["player-tables"], Filters(player=person)).answer.rows
    if not tables:
        raise _no_player(name)
    query, basis = request.query, _Basis(tuple(tables), frozenset(shown.persons.items()))
    key = ("player", person, query, basis, request.service.settings.season_from, request.lang)
    own: _Own | None = request.service.answers.get(key)
    if own is None:
        own = _read_own(request, history, person, basis)
        request.service.answers.keep(key, own, _OWN_BYTES + _ROW_BYTES * len(own.deals.rows))
    return own


def _read_own(request: Request, history: History, person: str, basis: _Basis) -> _Own:
    query: PlayerQuery = request.query
    played = [
        PlayedTogether(game, None, None, day, "{}", (person,), deals)
        for game, day, deals in history.answer_to(list_queries()["player-days"], Filters(player=person)).answer.rows
    ]
    facets = count_facets(played, _filters(request, person, query, ""))
    days = [day for _, day, *_ in basis.tables]
    career = Career(tables=len(days), deals=sum(one.deals for one in played), first=min(days), last=max(days))
    season = max(facets.counts["season"], default="") if query.season is None else query.season
    filters = _filters(request, person, query, season)
    if wrong := _wrong(filters, request.lang):
        return _Own(career, season, facets, wrong)
    deals = history.answer_to(list_queries()["player-deals"], filters).answer
    return _Own(
        career=career,
        season=season,
        facets=count_facets(played, normalise_filters(filters)),
        wrong={},
        deals=deals,
        answers={
            "roles": _without_intervals(history, "roles", filters),
            "partners": _without_intervals(history, "partners", filters),
            "head-to-head": _opponents(request, history, filters, basis),
            "cumulative": totals_at_tables(deals),
        },
    )


def _without_intervals(history: History, name: str, filters: Filters) -> Answer:
    return history.answer_to(without_intervals(statistic_named(name)), filters).answer


def _opponents(request: Request, history: History, filters: Filters, basis: _Basis) -> Answer:
    """Return the opponents of a player at tables that are over, which a deal of another table does not change."""
    key = ("opponents", filters, tuple(table for table in basis.tables if table[-1]), basis.persons)
    opponents: Answer | None = request.service.answers.get(key)
    if opponents is None:
        opponents = history.statistic("head-to-head", filters).answer
        request.service.answers.keep(key, opponents, _ROW_BYTES * (1 + len(opponents.rows)))
    return opponents


def _filters(request: Request, person: str, query: PlayerQuery, season: str) -> Filters:
    season_from = request.service.settings.season_from
    return Filters(player=person, season_from=season_from, game=query.game or None, season=season or None)


def _wrong(filters: Filters, lang: str) -> dict[str, str]:
    """Return the message of each filter that cannot be used."""
    wrong = {}
    try:
        check_season(filters)
    except LedgerError as error:
        wrong["season"] = as_sentence(lang, error.message(lang))
    if filters.game not in (None, *registered_games()):
        wrong["game"] = as_sentence(lang, say(lang, "players.no_game", text=filters.game))
    return wrong


def _person(request: Request, name: str, shown: DisplayNames) -> str:
    """Return the person of a recorded or a displayed name. Raise `NotFoundError` for one that the reader sees only by
    initials.
    """
    displayed = seen(request).people().names
    recorded = next(
        (player for player, words in displayed.items() if words == name and player not in shown.initials), name
    )
    if recorded in shown.initials or name in shown.initials.values():
        raise _no_player(name)
    return shown.persons.get(recorded, recorded)


def _no_player(name: str) -> NotFoundError:
    return NotFoundError("not_found", phrase("players.nobody", text=name), text=name)


def _shown(request: Request, year: _Year) -> Response:
    lang, query = request.lang, request.query
    if year.wrong:
        fields = facet_fields(("game", "season"), year.facets, structs.asdict(query), year.shown, lang)
        return html(request, "players_year.html", status=STATUSES["malformed"], year=year, fields=fields)
    typed = {"season": year.season, "game": query.game}
    filters = {name: value for name, value in {"player": year.player, **typed}.items() if value}
    best, worst = year.best_and_worst
    return html(
        request,
        "players_year.html",
        year=year,
        fields=facet_fields(("game", "season"), year.facets, typed, year.shown, lang),
        courses=year.courses,
        tables={name: _table(request, year, name, one) for name, one in year.answers.items() if one.rows},
        best=_table(request, year, "swings", best) if best.rows else None,
        worst=_table(request, year, "swings", worst) if worst.rows else None,
        titles={name: statistic_title(name, lang) for name in (*_COLUMNS, *_MORE)},
        addresses={name: address(f"/statistics/{name}", filters) for name in (*_COLUMNS, *_MORE)},
        more=_MORE,
        picture=plot_address("year", {key: value for key, value in filters.items() if key != "game"}, lang)
        if has_plots() and year.season
        else "",
        everything=address(request.path, {"season": ""}),
    )


def _first_rows(name: str, answer: Answer) -> Answer:
    """Return the columns and the rows of a statistic that the page shows."""
    answer = columns_of(answer, _COLUMNS[name])
    match name:
        case "cumulative":
            rows = answer.rows[: -_TABLES - 1 : -1]
        case "partners":
            rows = list(ordered(answer, "-deals"))[:_OPPONENTS]
        case "head-to-head":
            rows = answer.rows[:_OPPONENTS]
        case _:
            rows = answer.rows
    return structs.replace(answer, rows=rows)


def _table(request: Request, year: _Year, name: str, answer: Answer) -> AnswerTable:
    statistic = described(statistic_named(name), request.lang)
    return table_of(page_of(answer), statistic, reader_of_answers(request, year.shown))
