"""Games: rulebooks, empty forms, simulated tables, and the schemas for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

from ledger.events import BareLine
from ledger.games import game_named, registered_games, rules_named
from ledger.games.kernel.rulebook import Rule, Rulebook, load


def rulebooks(lang: str = "en") -> dict[str, Rulebook]:
    """Return the rulebooks of all games, by the name of the game, in the language; in English where a game lacks it."""
    return {name: load(game.package, lang) for name, game in registered_games().items()}


def rules(what: str | None = None, *, search: str | None = None, lang: str = "en") -> list[Rule]:
    """Return the rule of an id, the rules of a number in any rulebook (6.8), or all rules of a game.

    With `search`, only those that contain all its words. `lang`: as for `rulebooks`. Raise `NotFoundError` if there is
    no such rule or game.
    """
    books = rulebooks(lang)
    if what is not None and what not in books:
        return rules_named(what, lang)
    chosen: Iterable[Rulebook] = books.values() if what is None else [books[what]]
    return [rule for book in chosen for rule in (book.rules if search is None else book.search(search))]


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of an answer or a file, e.g. `score`, as in `schemas/score.json`.

    Raise `NotFoundError` naming the schemas that exist.
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
    """Return an empty hand record for a table, to type into, with comments in the language.

    `players` in the order of play; `dealer` deals first, by default the last of them. Raise `MalformedError` for an
    impossible table.
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
    """Yield random tables by legal play as lines to import; the same seed makes the same tables.

    `players`: the number at each table, by default the fewest of the game. If a match ends before this many deals, the
    reason of `table_closed` says so, in the language. Raise `MalformedError` for an unknown game, wrong options or an
    impossible number of players.
    """
    from ledger.recording.simulate import PLAYERS, own_number
    from ledger.recording.simulate import simulate as simulated

    played, chosen = game_named(game), options or {}
    seats = players or own_number(played, chosen) or own_number(played, {})  # wrong options raise below
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
    """Yield the evenings of a club, one a week from the `first` day on, as lines to import; the same for the same seed.

    `players`: a file with one name per line, e.g. `Ben; counting; 0.8` (skill, share of evenings attended); without it
    a club of 24. `games`: default all. `deals`: at each table. Evenings are named `<slug>-<day>`, their tables
    `<slug>-<day>-<n>`; notes and quarrels are in the language. Raise `MalformedError` for a wrong file, game or option,
    and as `outside.opened` if the file cannot be read.
    """
    from ledger.recording.seasons.members import invent_members, read_members
    from ledger.recording.seasons.season import Club, invent_season

    chance = Random(f"{seed} {slug}")
    club = Club(
        members=invent_members(chance) if players is None else read_members(players, chance),
        games=[game_named(name) for name in games or registered_games()],
        first=first,
        deals=deals,
        seed=seed,
        slug=slug,
        options=options or {},
        lang=lang,
    )
    return invent_season(club, evenings)
