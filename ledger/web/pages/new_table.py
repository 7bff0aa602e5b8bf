"""The page to open a table: its game, players, and evening."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, TypeAlias
from urllib.parse import quote

from msgspec import Struct

from ledger.cards import SYMBOLS
from ledger.errors import LedgerError, MalformedError
from ledger.events import Event, PlayerSeated, Slug, TableOpened
from ledger.games import game_named, registered_games
from ledger.games.kernel.protocol import Game
from ledger.limits import SLUG_CHARS
from ledger.log.base import LogStore
from ledger.names import folded
from ledger.recording.forms import OptionField, TableForm, chosen_options, option_fields, option_text, table_forms
from ledger.recording.new_names import RESERVED_SLUGS, check_new_slug, readable_player
from ledger.recording.sessions import opening
from ledger.recording.typed.opening import validate_slug
from ledger.streams import SESSION, TABLE
from ledger.text.catalogue import Wording, title_of, written_wording_for
from ledger.text.site.catalogue import say
from ledger.validation import converted
from ledger.web.api.entries import may_open
from ledger.web.http.problems import WebError, problem_of, web_error
from ledger.web.http.reading import seen
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import form, page
from ledger.web.pages.forms import as_first_sent, record, refusal_text, sending, slug_of, tables_to_open
from ledger.web.pages.frame import elsewhere, html
from ledger.web.pages.shown_tables import defaults_of, open_evenings
from ledger.web.pages.start_deal import known_names
from ledger.zones import known_zone

_NEW: Final = "new"
"""The value of the field that opens a new evening."""

_OPTION: Final = "o-"
"""The prefix of fields for options."""


_Faults: TypeAlias = dict[str, str]
"""Messages by the name of the field."""

_Batches: TypeAlias = list[tuple[str, list[Event]]]
"""Entries by the stream that they are added to, in this order."""


class NewTableQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The game, its form and number of seats, once chosen; `session`: the evening; `table`: the slug."""

    game: str | None = None
    form: str | None = None
    seats: int | None = None
    session: Slug | None = None
    table: Slug | None = None


@page("/record/new", "recorder", query=NewTableQuery, problems=("not_found",))
def new_table(request: Request) -> Response:
    """Show the games to choose from or, for the chosen one, the form for players and options."""
    _check_may_open(request)
    query: NewTableQuery = request.query
    if (table := _fixed_table(request, query.table)) is None and request.grant.tables is not None:
        return elsewhere("/record" if query.table is None else f"/record/{query.table}")
    table = table or query.table or ""
    if query.game is None:
        return _games(request, query.session, table)
    form_data = {"game": query.game, "session": query.session or "", "seats": str(query.seats or ""), "table": table}
    return _shown(request, form_data | ({} if query.form is None else {"form": query.form}), {})


@form("/record/new", "recorder", body=dict[str, str], problems=("malformed", "not_found"))
async def open_new_table(request: Request) -> Response:
    """Open the table, and its evening if that is new."""
    _check_may_open(request)
    form_data: Mapping[str, str] = request.data
    if request.grant.tables is not None:
        table = _fixed_table(request, form_data.get("table") or None)
        if table is None:  # another phone was faster
            opened_by_others = quote(form_data.get("table", ""), safe="")
            return elsewhere(f"/record/{opened_by_others}/start" if opened_by_others else "/record")
        form_data = {**form_data, "table": table}
    faults: dict[str, str] = {}
    store_of = await request.service.run_in_thread(lambda: _opened(as_first_sent(request), form_data, faults))
    if store_of is not None:
        slug, batches = store_of
        try:
            await record(request, *batches)
        except LedgerError as error:
            faults["table"] = refusal_text(error, request.lang)
        except WebError as error:
            faults["table"] = problem_of(error, "", request.lang).detail
        else:
            return elsewhere(f"/record/{slug}/start")
    return await request.service.run_in_thread(lambda: _shown(request, form_data, faults))


def _check_may_open(request: Request) -> None:
    if not may_open(request.grant):
        raise web_error("forbidden", "may_not_open")


def _fixed_table(request: Request, wanted: str | None) -> str | None:
    """Return the table that a token bound to tables opens here; None if it has to choose or may not open that."""
    own = tables_to_open(request)
    if wanted is None:
        return own[0] if len(own) == 1 else None
    return wanted if wanted in own else None


def _games(request: Request, session: str | None, table: str) -> Response:
    lang, last = request.lang, defaults_of(request).last
    games = sorted(registered_games().values(), key=lambda game: (last is None or game.name != last.game, game.name))
    return html(
        request,
        "new_table_games.html",
        session=session,
        table=table,
        games=[(title_of(game, lang), [_way(game, one, lang) for one in table_forms(game)]) for game in games],
    )


def _way(game: Game, one: TableForm, lang: str) -> tuple[TableForm, str]:
    """Return a form of a game and its name."""
    named = "" if one.form is None else str(written_wording_for(game, lang).choice("form", one.form))
    return one, named


def _shown(request: Request, form_data: Mapping[str, str], faults: Mapping[str, str]) -> Response:
    game, chosen = _form_of(form_data)
    store, lang = seen(request), request.lang
    wording = written_wording_for(game, lang)
    known = defaults_of(request)
    sessions = open_evenings(store)
    session = form_data.get("session", "")
    if not faults and not session:
        session = known.open_session or next((slug for slug, one in sessions.items() if one.date == _today()), "")
    last_of = sessions.get(known.open_session or "", None)
    return html(
        request,
        "new_table.html",
        status=422 if faults else 200,
        title=title_of(game, lang),
        form=chosen,
        form_called=_way(game, chosen, lang)[1],
        goes_right=game.goes_to_the_right,
        players=[form_data.get(f"p{seat}", "") for seat in range(chosen.seats)],
        known=known_names(request),
        elsewhere={name: value for name in ("session", "table") if (value := form_data.get(name)) and value != _NEW},
        fixed_table=form_data.get("table") if request.grant.tables is not None else None,
        sessions=[(slug, state.title or slug) for slug, state in sessions.items()],
        session=session,
        form_data={"date": _today(), "place": _of(last_of, "place"), "zone": _of(last_of, "zone"), **form_data},
        options=[_option(one, wording, form_data) for one in option_fields(game, chosen)],
        faults=faults,
        labels=_labels(faults, chosen, wording, lang),
        sending=sending(),
    )


def _of(state: Any, name: str) -> str:
    return "" if state is None else getattr(state, name) or ""


def _option(one: OptionField, wording: Wording, form_data: Mapping[str, str]) -> dict[str, Any]:
    default = "" if one.default is None else option_text(one.default)

    def said(value: Any) -> str:
        if isinstance(value, bool):
            return say(wording.lang, "result.yes" if value else "result.no")
        return SYMBOLS.get(str(value)) or str(wording.choice(one.name, value))

    return {
        "name": _OPTION + one.name,
        "said": wording.option(one.name),
        "kind": one.kind,
        "choices": [(option_text(value), said(value)) for value in one.choices],
        "default": default,
        "default_said": "" if one.default is None else said(one.default),
        "chosen": form_data.get(_OPTION + one.name, default),
    }


def _labels(faults: Mapping[str, str], chosen: TableForm, wording: Wording, lang: str) -> dict[str, str]:
    """Return the labels of fields, by name."""
    labels = {f"p{seat}": say(lang, "start.player", number=seat + 1) for seat in range(chosen.seats)}
    labels |= {name: wording.option(name.removeprefix(_OPTION)) for name in faults if name.startswith(_OPTION)}
    keys = {
        "session": "start.session", "title": "start.session_title", "date": "start.date", "place": "start.place",
        "zone": "start.zone", "table": "start.table_name",
    }  # fmt: skip
    return labels | {name: say(lang, key) for name, key in keys.items()}


def _form_of(form_data: Mapping[str, str]) -> tuple[Game, TableForm]:
    """Return the chosen game and form. Raise `MalformedError` or `NotFoundError` if it does not exist."""
    game = game_named(form_data.get("game", ""))
    forms = list(table_forms(game))
    fitting = [
        one
        for one in forms
        if form_data.get("form") in (None, one.form) and form_data.get("seats") in (None, "", str(one.seats))
    ]
    return game, (fitting or forms)[0]


def _opened(request: Request, form_data: Mapping[str, str], faults: _Faults) -> tuple[str, _Batches] | None:
    """Return the table and the batches to record; None if something is wrong, with the messages in `faults`."""
    game, chosen = _form_of(form_data)
    store, lang = seen(request), request.lang
    players = _players(store, form_data, chosen.seats, faults, lang)
    typed = {name.removeprefix(_OPTION): value for name, value in form_data.items() if name.startswith(_OPTION)}
    options = chosen_options(game, chosen, typed)
    try:
        game.make_options(options, chosen.seats)
    except MalformedError as error:
        field = (error.faulty_field or "").removeprefix("options.").partition("[")[0].partition(".")[0]
        faults[_OPTION + field if field in {one.name for one in option_fields(game, chosen)} else "table"] = (
            refusal_text(error, lang)
        )
    session, batches = _session(store, form_data, faults, lang)
    slug = _slug(store, form_data, session, faults, lang)
    if faults:
        return None
    event = TableOpened(game=game.name, players=tuple(players), options=options, session=session)
    return slug, [*batches, (TABLE.stream(slug), [event])]


def _players(store: LogStore, form_data: Mapping[str, str], seats: int, faults: _Faults, lang: str) -> list[str]:
    """Return the players' names in the record; display names are translated."""
    meant = {shown: player for player, shown in store.display_names().items()}
    players: list[str] = []
    for seat in range(seats):
        field = f"p{seat}"
        name = meant.get(form_data.get(field, ""), form_data.get(field, ""))
        if not name:
            faults[field] = say(lang, "start.no_name")
        elif folded(name) in map(folded, players):
            faults[field] = say(lang, "start.same_name")
        else:
            try:
                event = {"type": "player_seated", "seat": seat, "player": name}
                readable_player("player", converted(event, PlayerSeated, "table").player)
            except MalformedError as error:
                faults[field] = refusal_text(error, lang)
        players.append(name)
    return players


def _session(store: LogStore, form_data: Mapping[str, str], faults: _Faults, lang: str) -> tuple[str | None, _Batches]:
    """Return the evening of the table, and the batch that opens it if it is new."""
    chosen = form_data.get("session", "")
    if chosen != _NEW:
        if chosen and not store.read_stream(SESSION.stream(chosen)):
            faults["session"] = say(lang, "start.no_session")
        return chosen or None, []
    title = form_data.get("title") or form_data.get("date") or _today()
    fields = {"title": title, "date": form_data.get("date") or _today()}
    fields |= {name: form_data[name] for name in ("place", "zone") if form_data.get(name)}
    slug = _free(store, SESSION.prefix, slug_of(title) or fields["date"])
    try:
        event = opening(fields)([])
        if "zone" in fields:
            known_zone("zone", fields["zone"])
    except MalformedError as error:
        field = (error.faulty_field or "").rpartition(".")[2]
        faults[field if field in ("title", "date", "place", "zone") else "title"] = refusal_text(error, lang)
        return slug, []
    return slug, [(SESSION.stream(slug), [event])]


def _slug(store: LogStore, form_data: Mapping[str, str], session: str | None, faults: _Faults, lang: str) -> str:
    """Return the name of the table: as typed, else the next one of its evening or of the day."""
    slug = form_data.get("table", "")
    if not slug:
        return _free(store, TABLE.prefix, session or _today(), from_first=True)
    try:
        validate_slug(slug)
        check_new_slug(slug)
    except MalformedError as error:
        faults["table"] = refusal_text(error, lang)
    else:
        if store.read_stream(TABLE.stream(slug)):
            faults["table"] = say(lang, "start.table_is_there", table=slug)
    return slug


def _free(store: LogStore, prefix: str, name: str, *, from_first: bool = False) -> str:
    """Return the name, or the first one with a number that is not taken."""
    taken = {head.stream for head in store.streams(prefix + name[: SLUG_CHARS - 5])}
    taken |= {prefix + reserved for reserved in RESERVED_SLUGS}
    name = name[: SLUG_CHARS - 5]
    if not from_first and prefix + name not in taken:
        return name
    number = 1 if from_first else 2
    while f"{prefix}{name}-{number}" in taken:
        number += 1
    return f"{name}-{number}"


def _today() -> str:
    return datetime.now().astimezone().date().isoformat()
