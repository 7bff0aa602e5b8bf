"""The games: their rulebooks, empty forms and simulated tables; and the schemas of what other programs exchange."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

from ledger.events import BareLine
from ledger.games import game_named, registered_games, rules_named
from ledger.games.kernel.rulebook import Rule, Rulebook, load


def rulebooks() -> dict[str, Rulebook]:
    """The rulebooks of all games, by the name of the game."""
    return {name: load(game.package) for name, game in registered_games().items()}


def rules(what: str | None = None, *, search: str | None = None) -> list[Rule]:
    """The rule of an id, those of a number in any rulebook (6.8), or those of a game; with `search` those of them, or
    of all games, that hold all these words.

    Raises `NotFoundError` for what is neither a rule nor a game.
    """
    books = rulebooks()
    if what is not None and what not in books:
        return rules_named(what)
    chosen: Iterable[Rulebook] = books.values() if what is None else [books[what]]
    return [rule for book in chosen for rule in (book.rules if search is None else book.search(search))]


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of what other programs send or receive, for example `score`: as in `schemas/score.json`.

    Raises `NotFoundError` naming those that there are.
    """
    from ledger import schemas

    return schemas.schema(name)


def form(
    table: str,
    *,
    game: str,
    players: Sequence[str],
    deals: int = 1,
    dealer: str | None = None,
    options: Mapping[str, Any] | None = None,
    session: str | None = None,
    lang: str = "en",
) -> str:
    """An empty hand record for a table, to type into; comments are in the language.

    `players` in the order of play; `dealer` deals first, by default the last of them. Raises `MalformedError` for what
    no table can have.
    """
    from ledger.recording.hand.form import empty_form

    return empty_form(table, game, players, deals=deals, options=options, dealer=dealer, session=session, lang=lang)


def simulate(
    game: str = "ombre",
    *,
    tables: int = 1,
    deals: int = 9,
    players: int | None = None,
    seed: int = 1,
    options: Mapping[str, Any] | None = None,
    slug: str = "simulated",
    session: str | None = None,
    lang: str = "en",
) -> Iterator[BareLine]:
    """Random tables by legal play, as lines to import; the same seed makes the same tables.

    `players`: how many sit at each table; by default the fewest of the game. Where a match was over before so many
    deals, the reason of `table_closed` says so, in the language. Raises `MalformedError` for a game, for
    options and for a number of players that there are not.
    """
    from ledger.recording.simulate import PLAYERS, own_number
    from ledger.recording.simulate import simulate as simulated

    played, chosen = game_named(game), options or {}
    seats = players or own_number(played, chosen) or own_number(played, {})  # of wrong options it is told below
    made = simulated(
        played, PLAYERS[:seats], chosen,
        tables=tables, deals=deals, seed=seed, slug=slug, session=session, lang=lang,
    )  # fmt: skip
    return (BareLine(stream=stream, event=event) for stream, event in made)


def simulate_evenings(
    evenings: int,
    first: date,
    *,
    players: Path | None = None,
    games: Sequence[str] | None = None,
    deals: int = 9,
    seed: int = 1,
    options: Mapping[str, Any] | None = None,
    slug: str = "simulated",
    lang: str = "en",
) -> Iterator[BareLine]:
    """Years of a club, an evening a week from the `first` day on, as lines to import; the same for a seed.

    `players`: a file with one name a line, as `Ben; counting; 0.8` (how he plays, on which share of evenings); without
    it a club of 24. `games`: all that there are unless named; `deals`: at each table. Evenings are named
    `<slug>-<day>`, their tables `<slug>-<day>-<n>`. What people say in it is in the language. Raises `MalformedError`
    for a file, a game and options that there are not, or as `outside.opened` where the file cannot be read.
    """
    from ledger.recording.seasons.members import invented, read_members
    from ledger.recording.seasons.season import Club, season_of

    chance = Random(f"{seed} {slug}")
    club = Club(
        members=invented(chance) if players is None else read_members(players, chance),
        games=[game_named(name) for name in games or registered_games()],
        first=first,
        deals=deals,
        seed=seed,
        slug=slug,
        options=options or {},
        lang=lang,
    )
    return season_of(club, evenings)
