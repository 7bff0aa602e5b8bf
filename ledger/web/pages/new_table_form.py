"""What a form says of a new table: the entries that open it and its evening, or what is wrong, field by field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final, TypeAlias
from unicodedata import normalize

from ledger.errors import MalformedError
from ledger.events import Event, PlayerSeated, TableOpened
from ledger.games import game_named
from ledger.games.kernel.protocol import Game
from ledger.limits import SLUG_CHARS
from ledger.log.base import LogStore
from ledger.names import folded
from ledger.recording.forms import TableForm, chosen_options, options_asked, table_forms
from ledger.recording.new_names import RESERVED_SLUGS, check_new_slug, readable_player
from ledger.recording.sessions import opening
from ledger.recording.typed.opening import checked_slug
from ledger.streams import SESSION, TABLE
from ledger.text.site.catalogue import say
from ledger.validation import converted
from ledger.web.http.reading import names_for, seen
from ledger.web.http.request import Request
from ledger.web.pages.forms import refusal_text
from ledger.zones import known_zone

NEW: Final = "new"
"""The value of the field that opens a new evening."""

OPTION: Final = "o-"
"""What fields of options begin with."""

_NO_SIGN_OF_A_SLUG: Final = re.compile(r"[^a-z0-9]+")

Faults: TypeAlias = dict[str, str]
"""What is wrong, by the name of the field."""

Batches: TypeAlias = list[tuple[str, list[Event]]]
"""Entries by the stream that they are added to, in this order."""


def form_of(told: Mapping[str, str]) -> tuple[Game, TableForm]:
    """The form of the game that is meant. Raises `MalformedError`, `NotFoundError` for one that there is not."""
    game = game_named(told.get("game", ""))
    forms = list(table_forms(game))
    fitting = [
        one for one in forms if told.get("form") in (None, one.form) and told.get("seats") in (None, "", str(one.seats))
    ]
    return game, (fitting or forms)[0]


def opened(request: Request, told: Mapping[str, str], faults: Faults) -> tuple[str, Batches] | None:
    """What is to be recorded, as batches; None where something is wrong, which `faults` then tell by field."""
    game, chosen = form_of(told)
    store, lang = seen(request), request.lang
    players = _players(store, told, chosen.seats, faults, lang)
    options = chosen_options(game, chosen, _prefixed(told))
    try:
        game.make_options(options, chosen.seats)
    except MalformedError as error:
        field = (error.faulty_field or "").removeprefix("options.").partition("[")[0].partition(".")[0]
        faults[OPTION + field if field in {one.name for one in options_asked(game, chosen)} else "table"] = (
            refusal_text(error, lang)
        )
    session, batches = _session(store, told, faults, lang)
    slug = _slug(store, told, session, faults, lang)
    if faults:
        return None
    event = TableOpened(game=game.name, players=tuple(players), options=options, session=session)
    return slug, [*batches, (TABLE.stream(slug), [event])]


def _prefixed(told: Mapping[str, str]) -> dict[str, str]:
    return {name.removeprefix(OPTION): value for name, value in told.items() if name.startswith(OPTION)}


def _players(store: LogStore, told: Mapping[str, str], seats: int, faults: Faults, lang: str) -> list[str]:
    """The names of the record: of somebody who is shown by another name, his own."""
    meant = {shown: player for player, shown in names_for(store).items()}
    players: list[str] = []
    for seat in range(seats):
        field = f"p{seat}"
        name = meant.get(told.get(field, ""), told.get(field, ""))
        if not name:
            faults[field] = say(lang, "start.no_name")
        elif folded(name) in map(folded, players):
            faults[field] = say(lang, "start.same_name")
        else:
            try:
                told_of_one = {"type": "player_seated", "seat": seat, "player": name}
                readable_player("player", converted(told_of_one, PlayerSeated, "table").player)
            except MalformedError as error:
                faults[field] = refusal_text(error, lang)
        players.append(name)
    return players


def _session(store: LogStore, told: Mapping[str, str], faults: Faults, lang: str) -> tuple[str | None, Batches]:
    """The evening of the table, and what opens it where it is new."""
    chosen = told.get("session", "")
    if chosen != NEW:
        if chosen and not store.read_stream(SESSION.stream(chosen)):
            faults["session"] = say(lang, "start.no_session")
        return chosen or None, []
    title = told.get("title") or told.get("date") or today()
    fields = {"title": title, "date": told.get("date") or today()}
    fields |= {name: told[name] for name in ("place", "zone") if told.get(name)}
    slug = _free(store, SESSION.prefix, slugged(title) or fields["date"])
    try:
        event = opening(fields)([])
        if "zone" in fields:
            known_zone("zone", fields["zone"])
    except MalformedError as error:
        field = (error.faulty_field or "").rpartition(".")[2]
        faults[field if field in ("title", "date", "place", "zone") else "title"] = refusal_text(error, lang)
        return slug, []
    return slug, [(SESSION.stream(slug), [event])]


def _slug(store: LogStore, told: Mapping[str, str], session: str | None, faults: Faults, lang: str) -> str:
    """The name of the table: as it is told, else the next one of its evening, or of today."""
    slug = told.get("table", "")
    if not slug:
        return _free(store, TABLE.prefix, session or today(), from_first=True)
    try:
        checked_slug(slug)
        check_new_slug(slug)
    except MalformedError as error:
        faults["table"] = refusal_text(error, lang)
    else:
        if store.read_stream(TABLE.stream(slug)):
            faults["table"] = say(lang, "start.table_is_there", table=slug)
    return slug


def slugged(text: str) -> str:
    """A title as part of an address; empty where nothing of it can stand there."""
    plain = normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return _NO_SIGN_OF_A_SLUG.sub("-", plain).strip("-")[: SLUG_CHARS - 4].strip("-")


def _free(store: LogStore, prefix: str, name: str, *, from_first: bool = False) -> str:
    """The name, or the first with a number behind it that nobody has taken."""
    taken = {head.stream for head in store.streams(prefix + name[: SLUG_CHARS - 5])}
    taken |= {prefix + reserved for reserved in RESERVED_SLUGS}
    name = name[: SLUG_CHARS - 5]
    if not from_first and prefix + name not in taken:
        return name
    number = 1 if from_first else 2
    while f"{prefix}{name}-{number}" in taken:
        number += 1
    return f"{name}-{number}"


def today() -> str:
    return datetime.now().astimezone().date().isoformat()
