"""Opening a table: its game, who plays, and the evening that it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from ledger.cards import SYMBOLS
from ledger.errors import LedgerError
from ledger.events import Slug
from ledger.games import registered_games
from ledger.games.kernel.protocol import Game
from ledger.recording.forms import OptionAsked, TableForm, option_text, options_asked, table_forms
from ledger.recording.typed.opening import known_in
from ledger.text.catalogue import Wording, title_of, written_wording_for
from ledger.text.site.catalogue import say
from ledger.web.http.problems import WebError, problem_of, web_error
from ledger.web.http.reading import seen
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import form, page
from ledger.web.pages.forms import may_open, record, refusal_text, sending, tables_to_open
from ledger.web.pages.frame import elsewhere, html
from ledger.web.pages.new_table_form import NEW, OPTION, form_of, opened, today
from ledger.web.pages.shown_tables import open_evenings
from ledger.web.pages.start_deal import known_names


class NewAsked(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The game, its form and how many play, once that is chosen; `session`: the evening of the table; `table`: its
    slug.
    """

    game: str | None = None
    form: str | None = None
    seats: int | None = None
    session: Slug | None = None
    table: Slug | None = None


@page("/record/new", "recorder", query=NewAsked, problems=("not_found",))
def new_table(request: Request) -> Response:
    """The games to choose from; of the one that is chosen who plays, and what else may be told."""
    _check_may_open(request)
    query: NewAsked = request.query
    if (table := _fixed_table(request, query.table)) is None and request.grant.tables is not None:
        return elsewhere("/record" if query.table is None else f"/record/{query.table}")
    table = table or query.table or ""
    if query.game is None:
        return _games(request, query.session, table)
    told = {"game": query.game, "session": query.session or "", "seats": str(query.seats or ""), "table": table}
    return _shown(request, told | ({} if query.form is None else {"form": query.form}), {})


@form("/record/new", "recorder", body=dict[str, str], problems=("malformed", "not_found"))
async def open_new_table(request: Request) -> Response:
    """Opens the table, and its evening where that is new."""
    _check_may_open(request)
    told: Mapping[str, str] = request.data
    if request.grant.tables is not None:
        table = _fixed_table(request, told.get("table") or None)
        if table is None:  # another phone was faster
            opened_by_others = quote(told.get("table", ""), safe="")
            return elsewhere(f"/record/{opened_by_others}/start" if opened_by_others else "/record")
        told = {**told, "table": table}
    faults: dict[str, str] = {}
    store_of = await request.service.beside(lambda: opened(request, told, faults))
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
    return await request.service.beside(lambda: _shown(request, told, faults, status=422))


def _check_may_open(request: Request) -> None:
    if not may_open(request.grant):
        raise web_error("forbidden", "may_not_open")


def _fixed_table(request: Request, wanted: str | None) -> str | None:
    """Return the table that a token bound to tables opens here; None where it has to choose or may not open that."""
    own = tables_to_open(request)
    if wanted is None:
        return own[0] if len(own) == 1 else None
    return wanted if wanted in own else None


def _games(request: Request, session: str | None, table: str) -> Response:
    lang, store = request.lang, seen(request)
    last = known_in(store).last
    games = sorted(registered_games().values(), key=lambda game: (last is None or game.name != last.game, game.name))
    return html(
        request,
        "new_table_games.html",
        session=session,
        table=table,
        games=[(title_of(game, lang), [_way(game, one, lang) for one in table_forms(game)]) for game in games],
    )


def _way(game: Game, one: TableForm, lang: str) -> tuple[TableForm, str]:
    """A form and what it is called."""
    named = "" if one.form is None else str(written_wording_for(game, lang).choice("form", one.form))
    return one, named


def _shown(request: Request, told: Mapping[str, str], faults: Mapping[str, str], status: int = 200) -> Response:
    game, chosen = form_of(told)
    store, lang = seen(request), request.lang
    wording = written_wording_for(game, lang)
    known = known_in(store)
    sessions = open_evenings(store)
    session = told.get("session", "")
    if status == 200 and not session:
        session = known.open_session or next((slug for slug, one in sessions.items() if one.date == today()), "")
    last_of = sessions.get(known.open_session or "", None)
    return html(
        request,
        "new_table.html",
        status=status,
        title=title_of(game, lang),
        form=chosen,
        form_called=_way(game, chosen, lang)[1],
        goes_right=game.goes_to_the_right,
        players=[told.get(f"p{seat}", "") for seat in range(chosen.seats)],
        known=known_names(store, lang),
        elsewhere={name: value for name in ("session", "table") if (value := told.get(name)) and value != NEW},
        fixed_table=told.get("table") if request.grant.tables is not None else None,
        sessions=[(slug, state.title or slug) for slug, state in sessions.items()],
        session=session,
        told={"date": today(), "place": _of(last_of, "place"), "zone": _of(last_of, "zone"), **told},
        options=[_option(one, wording, told) for one in options_asked(game, chosen)],
        faults=faults,
        labels=_labels(faults, chosen, wording, lang),
        sending=sending(),
    )


def _of(state: Any, name: str) -> str:
    return "" if state is None else getattr(state, name) or ""


def _option(one: OptionAsked, wording: Wording, told: Mapping[str, str]) -> dict[str, Any]:
    default = "" if one.default is None else option_text(one.default)

    def said(value: Any) -> str:
        if isinstance(value, bool):
            return say(wording.lang, "result.yes" if value else "result.no")
        return SYMBOLS.get(str(value)) or str(wording.choice(one.name, value))

    return {
        "name": OPTION + one.name,
        "said": wording.option(one.name),
        "kind": one.kind,
        "choices": [(option_text(value), said(value)) for value in one.choices],
        "default": default,
        "default_said": "" if one.default is None else said(one.default),
        "chosen": told.get(OPTION + one.name, default),
    }


def _labels(faults: Mapping[str, str], chosen: TableForm, wording: Wording, lang: str) -> dict[str, str]:
    """What the fields at fault are called."""
    told = {f"p{seat}": say(lang, "start.player", number=seat + 1) for seat in range(chosen.seats)}
    told |= {name: wording.option(name.removeprefix(OPTION)) for name in faults if name.startswith(OPTION)}
    keys = {
        "session": "start.session", "title": "start.session_title", "date": "start.date", "place": "start.place",
        "zone": "start.zone", "table": "start.table_name",
    }  # fmt: skip
    return told | {name: say(lang, key) for name, key in keys.items()}
