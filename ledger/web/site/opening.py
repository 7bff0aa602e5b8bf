"""Which table somebody records, and a new one: its game, who plays, and the evening that it belongs to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from unicodedata import normalize

from msgspec import Struct

from ledger.cards import SYMBOLS
from ledger.errors import LedgerError, MalformedError
from ledger.events import Event, SessionClosed, Slug, TableOpened
from ledger.games import game_named, registered_games
from ledger.games.kernel.protocol import Game
from ledger.limits import SLUG_CHARS
from ledger.log.base import LogStore
from ledger.names import folded
from ledger.recording.canonical import canonical_event
from ledger.recording.sessions import opening, session_state
from ledger.recording.table_forms import OptionAsked, TableForm, chosen_options, option_text, options_asked, table_forms
from ledger.recording.typed.opening import checked_slug, known_in
from ledger.table.corrections import corrected_reading
from ledger.table.listing import table_listed
from ledger.table.lookup import SESSION_PREFIX, TABLE_PREFIX, session_entries
from ledger.text.site.words import say
from ledger.text.words import Wording, title_of, wording_for
from ledger.validation import converted
from ledger.web.asking import Asked
from ledger.web.problems import web_error
from ledger.web.reading import names_for, seen
from ledger.web.routes import Answer, form, page
from ledger.web.site.acting import record, refusal_text, sending
from ledger.web.site.frame import elsewhere, html
from ledger.web.site.starting import known_names
from ledger.zones import known_zone

_LISTED: Final = 60
_SESSIONS: Final = 20
_NEW: Final = "new"
_ANY_GAME: Final = "any"
_OPTION: Final = "o-"
_NO_SIGN_OF_A_SLUG: Final = re.compile(r"[^a-z0-9]+")


@page("/record", "recorder")
def record_which(asked: Asked) -> Answer:
    """The tables that somebody may record, those with the newest entries first."""
    store, grant = seen(asked), asked.grant
    heads = sorted(store.streams(TABLE_PREFIX), key=lambda head: -head.last_position)
    own = [head.stream.removeprefix(TABLE_PREFIX) for head in heads]
    if grant.tables is not None and len(own) == 1 and not grant.may_open:
        return elsewhere(f"/record/{own[0]}")
    names = names_for(store)
    listed = [_listed(store, slug, names, asked.lang) for slug in own[:_LISTED]]
    return html(
        asked,
        "recorder/which.html",
        tables=[one for one in listed if one["is_open"]],
        closed=[one for one in listed if not one["is_open"]],
        may_open=_may_open(asked),
        is_bound=grant.tables is not None,
    )


def _listed(store: LogStore, slug: str, names: Mapping[str, str], lang: str) -> dict[str, Any]:
    row = table_listed(store, slug)
    return {
        "table": row.table,
        "title": title_of(game_named(row.game), lang),
        "players": Wording(lang).listed(names.get(player, player) for player in row.players),
        "deals": row.deals,
        "session": row.session,
        "is_open": row.status == "open",
    }


def _may_open(asked: Asked) -> bool:
    return asked.grant.may_open or asked.grant.at_least("director")


class NewAsked(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The game, its form and how many play, once that is chosen; `session`: the evening of the table."""

    game: str | None = None
    form: str | None = None
    seats: int | None = None
    session: Slug | None = None


@page("/record/new", "recorder", query=NewAsked, problems=("not_found",))
def new_table(asked: Asked) -> Answer:
    """The games to choose from; of the one that is chosen who plays, and what else may be told."""
    _check_may_open(asked)
    query: NewAsked = asked.query
    if query.game is None:
        return _games(asked, query.session)
    told = {"game": query.game, "session": query.session or "", "seats": str(query.seats or "")}
    return _shown(asked, told | ({} if query.form is None else {"form": query.form}), {})


@form("/record/new", "recorder", body=dict[str, str], problems=("malformed", "not_found"))
async def open_new_table(asked: Asked) -> Answer:
    """Opens the table, and its evening where that is new."""
    _check_may_open(asked)
    told: Mapping[str, str] = asked.body
    faults: dict[str, str] = {}
    store_of = await asked.service.beside(lambda: _opened(asked, told, faults))
    if store_of is not None:
        slug, batches = store_of
        try:
            await record(asked, *batches)
        except LedgerError as error:
            faults["table"] = refusal_text(error, asked.lang)
        else:
            return elsewhere(f"/record/{slug}/start")
    return await asked.service.beside(lambda: _shown(asked, told, faults, status=422))


def _check_may_open(asked: Asked) -> None:
    if not _may_open(asked):
        raise web_error("forbidden", "may_not_open")


# --- which game -------------------------------------------------------------------------------------------------------


def _games(asked: Asked, session: str | None) -> Answer:
    lang, store = asked.lang, seen(asked)
    last = known_in(store).last
    games = sorted(registered_games().values(), key=lambda game: (last is None or game.name != last.game, game.name))
    return html(
        asked,
        "recorder/games.html",
        session=session,
        games=[(title_of(game, lang), [_way(game, one, lang) for one in table_forms(game)]) for game in games],
    )


def _way(game: Game, one: TableForm, lang: str) -> tuple[TableForm, str]:
    """A form and what it is called."""
    named = "" if one.form is None else str(wording_for(game, lang).choice("form", one.form))
    return one, named


# --- the table --------------------------------------------------------------------------------------------------------


def _form_of(told: Mapping[str, str]) -> tuple[Game, TableForm]:
    """The form of the game that is meant. Raises `MalformedError`, `NotFoundError` for one that there is not."""
    game = game_named(told.get("game", ""))
    forms = list(table_forms(game))
    fitting = [
        one for one in forms if told.get("form") in (None, one.form) and told.get("seats") in (None, "", str(one.seats))
    ]
    return game, (fitting or forms)[0]


def _opened(
    asked: Asked, told: Mapping[str, str], faults: dict[str, str]
) -> tuple[str, list[tuple[str, list[Event]]]] | None:
    """What is to be recorded, as batches; None where something is wrong, which `faults` then tell by field."""
    game, chosen = _form_of(told)
    store, lang = seen(asked), asked.lang
    players = _players(store, told, chosen.seats, faults, lang)
    options = chosen_options(game, chosen, _prefixed(told))
    try:
        game.make_options(options, chosen.seats)
    except MalformedError as error:
        field = (error.faulty_field or "").removeprefix("options.").partition("[")[0].partition(".")[0]
        faults[_OPTION + field if field in {one.name for one in options_asked(game, chosen)} else "table"] = (
            refusal_text(error, lang)
        )
    session, batches = _session(store, told, faults, lang)
    slug = _slug(store, told, session, faults, lang)
    if faults:
        return None
    event = TableOpened(game=game.name, players=tuple(players), options=options, session=session)
    return slug, [*batches, (TABLE_PREFIX + slug, [event])]


def _prefixed(told: Mapping[str, str]) -> dict[str, str]:
    return {name.removeprefix(_OPTION): value for name, value in told.items() if name.startswith(_OPTION)}


def _players(store: LogStore, told: Mapping[str, str], seats: int, faults: dict[str, str], lang: str) -> list[str]:
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
                told_of_one = {"type": "table_opened", "game": _ANY_GAME, "players": [name]}
                canonical_event(converted(told_of_one, TableOpened, "table"))
            except MalformedError as error:
                faults[field] = refusal_text(error, lang)
        players.append(name)
    return players


def _session(
    store: LogStore, told: Mapping[str, str], faults: dict[str, str], lang: str
) -> tuple[str | None, list[tuple[str, list[Event]]]]:
    """The evening of the table, and what opens it where it is new."""
    chosen = told.get("session", "")
    if chosen != _NEW:
        if chosen and not store.read_stream(SESSION_PREFIX + chosen):
            faults["session"] = say(lang, "start.no_session")
        return chosen or None, []
    title = told.get("title") or told.get("date") or _today()
    fields = {"title": title, "date": told.get("date") or _today()}
    fields |= {name: told[name] for name in ("place", "zone") if told.get(name)}
    slug = _free(store, SESSION_PREFIX, slugged(title) or fields["date"])
    try:
        event = opening(fields)([])
        if "zone" in fields:
            known_zone("zone", fields["zone"])
    except MalformedError as error:
        field = (error.faulty_field or "").rpartition(".")[2]
        faults[field if field in ("title", "date", "place", "zone") else "title"] = refusal_text(error, lang)
        return slug, []
    return slug, [(SESSION_PREFIX + slug, [event])]


def _slug(store: LogStore, told: Mapping[str, str], session: str | None, faults: dict[str, str], lang: str) -> str:
    """The name of the table: as it is told, else the next one of its evening, or of today."""
    slug = told.get("table", "")
    if not slug:
        return _free(store, TABLE_PREFIX, session or _today(), from_first=True)
    try:
        checked_slug(slug)
    except MalformedError as error:
        faults["table"] = refusal_text(error, lang)
    else:
        if slug == _NEW or store.read_stream(TABLE_PREFIX + slug):
            faults["table"] = say(lang, "start.table_is_there", table=slug)
    return slug


def slugged(text: str) -> str:
    """A title as part of an address; empty where nothing of it can stand there."""
    plain = normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return _NO_SIGN_OF_A_SLUG.sub("-", plain).strip("-")[: SLUG_CHARS - 4].strip("-")


def _free(store: LogStore, prefix: str, name: str, *, from_first: bool = False) -> str:
    """The name, or the first with a number behind it that nobody has taken."""
    taken = {head.stream for head in store.streams(prefix + name[: SLUG_CHARS - 5])}
    name = name[: SLUG_CHARS - 5]
    if not from_first and prefix + name not in taken:
        return name
    number = 1 if from_first else 2
    while f"{prefix}{name}-{number}" in taken:
        number += 1
    return f"{name}-{number}"


def _today() -> str:
    return datetime.now().astimezone().date().isoformat()


# --- the form ---------------------------------------------------------------------------------------------------------


def _shown(asked: Asked, told: Mapping[str, str], faults: Mapping[str, str], status: int = 200) -> Answer:
    game, chosen = _form_of(told)
    store, lang = seen(asked), asked.lang
    wording = wording_for(game, lang)
    known = known_in(store)
    sessions = _open_sessions(store)
    session = told.get("session", "")
    if status == 200 and not session:
        session = known.open_session or ""
    last_of = sessions.get(known.open_session or "", None)
    return html(
        asked,
        "recorder/new.html",
        status=status,
        title=title_of(game, lang),
        form=chosen,
        form_called=_way(game, chosen, lang)[1],
        goes_right=game.goes_to_the_right,
        players=[told.get(f"p{seat}", "") for seat in range(chosen.seats)],
        known=known_names(store),
        sessions=[(slug, state.title or slug) for slug, state in sessions.items()],
        session=session,
        told={"date": _today(), "place": _of(last_of, "place"), "zone": _of(last_of, "zone"), **told},
        options=[_option(one, wording, told) for one in options_asked(game, chosen)],
        faults=faults,
        labels=_labels(faults, chosen, wording, lang),
        sending=sending(),
    )


def _of(state: Any, name: str) -> str:
    return "" if state is None else getattr(state, name) or ""


def _open_sessions(store: LogStore) -> dict[str, Any]:
    """The newest evenings that are not closed, by slug."""
    heads = sorted(store.streams(SESSION_PREFIX), key=lambda head: -head.last_position)[:_SESSIONS]
    slugs = [head.stream.removeprefix(SESSION_PREFIX) for head in heads]
    found = {}
    for slug in slugs:
        entries = session_entries(store, slug)
        if not any(isinstance(event, SessionClosed) for _, event in corrected_reading(entries)):
            found[slug] = session_state(entries)
    return found


def _option(one: OptionAsked, wording: Wording, told: Mapping[str, str]) -> dict[str, Any]:
    default = "" if one.default is None else option_text(one.default)

    def said(value: Any) -> str:
        if isinstance(value, bool):
            return say(wording.lang, "result.yes" if value else "result.no")
        return SYMBOLS.get(str(value)) or str(wording.choice(one.name, value)).replace("_", " ")

    return {
        "name": _OPTION + one.name,
        "said": wording.option(one.name).replace("_", " "),
        "kind": one.kind,
        "choices": [(option_text(value), said(value)) for value in one.choices],
        "default": default,
        "default_said": "" if one.default is None else said(one.default),
        "chosen": told.get(_OPTION + one.name, default),
    }


def _labels(faults: Mapping[str, str], chosen: TableForm, wording: Wording, lang: str) -> dict[str, str]:
    """What the fields at fault are called."""
    told = {f"p{seat}": say(lang, "start.player", number=seat + 1) for seat in range(chosen.seats)}
    told |= {name: wording.option(name.removeprefix(_OPTION)) for name in faults if name.startswith(_OPTION)}
    keys = {
        "session": "start.session", "title": "start.session_title", "date": "start.date", "place": "start.place",
        "zone": "start.zone", "table": "start.table_name",
    }  # fmt: skip
    return told | {name: say(lang, key) for name, key in keys.items()}
