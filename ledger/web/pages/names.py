"""The names of players: what is shown for them, which spellings are one person, and who is shown by initials."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Final, Literal
from urllib.parse import quote

from msgspec import Meta, Struct

from ledger.errors import ConflictError, LedgerError, MalformedError, NotFoundError
from ledger.log.people import People, is_handle
from ledger.names import fold_name, meant, name_key
from ledger.table.people import no_such_player
from ledger.text.site.catalogue import as_sentence, say
from ledger.text.site.listing import matches_query
from ledger.web.api import people as acts
from ledger.web.api.tables import listed
from ledger.web.http.problems import STATUSES
from ledger.web.http.reading import seen
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import form, page
from ledger.web.pages.frame import elsewhere, html
from ledger.web.pages.paging import page_of_list
from ledger.web.pages.shown_tables import newest_first

_PATH: Final = "/names"
_PER_PAGE: Final = 25

Act = Literal["name", "erase", "link", "unlink", "hide", "show"]


class NamesQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`q`: words of a name; `page`: from 1."""

    q: Annotated[str, Meta(max_length=200)] = ""
    page: Annotated[int, Meta(ge=1, le=1_000_000)] = 1


class NameSent(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A form of the page of a player. `value`: the display name, or the person that the player is linked to."""

    do: Act
    value: Annotated[str, Meta(max_length=1_000)] = ""


class PersonLine(Struct, frozen=True, kw_only=True):
    """A person in the list, by the name in the record that represents all `spellings`.

    `alike`: other persons whose names differ only by accents, blanks or case.
    """

    player: str
    address: str
    name: str
    spellings: Sequence[str]
    is_hidden: bool
    tables: int
    alike: Sequence[str]


@page(_PATH, "director", query=NamesQuery, of_whole_ledger=True)
def names(request: Request) -> Response:
    """Show the players with their display names, linked spellings, and who is hidden."""
    people = seen(request).people()
    lines = sorted(_persons(request, people), key=lambda line: name_key(line.name or line.player, request.lang))
    query: NamesQuery = request.query
    if query.q.strip():
        lines = [one for one in lines if matches_query(query.q, (one.player, one.name, *one.spellings))]
    shown, links = page_of_list(lines, query.page, _PER_PAGE)
    return html(
        request,
        "names.html",
        lines=shown,
        words=query.q,
        **links,
    )


@page(f"{_PATH}/{{player}}", "director", of_whole_ledger=True, problems=("not_found",))
def name_page(request: Request, player: str) -> Response:
    """Show what is known of a player's names, and a form for each change."""
    return _player(request, player)


@form(f"{_PATH}/{{player}}", "director", body=NameSent, of_whole_ledger=True, problems=("not_found", "busy"))
async def name_submitted(request: Request, player: str) -> Response:
    """Change a name, a link or what others see; another form undoes it."""
    sent: NameSent = request.data
    try:
        match sent.do:
            case "name":
                await acts.show_name(request.replace(data=acts.NameSent(sent.value)), player)
            case "erase":
                await acts.erase_name(request, player)
            case "link":
                await acts.link_player(request.replace(data=acts.LinkSent(sent.value)), player)
            case "unlink":
                await acts.unlink_player(request, player)
            case "hide":
                await acts.hide_player(request, player)
            case "show":
                await acts.show_player(request, player)
    except (MalformedError, ConflictError, NotFoundError) as error:
        if isinstance(error, ConflictError) and error.code != "exists":
            raise
        refusal = error
        return await request.service.run_in_thread(lambda: _player(request, player, refusal))
    is_left = await request.service.run_in_thread(lambda: player in _known(request))
    return elsewhere(_address(player) if is_left else _PATH)


def _player(request: Request, name: str, refusal: LedgerError | None = None) -> Response:
    people, known = seen(request).people(), _known(request)
    if name not in known:
        raise no_such_player(name, known)
    called = {one: people.names.get(one, one) if is_handle(one) else one for one in {*known, *people.links}}
    others = [called[one] for one in known if people.person(one) != people.person(name)]
    person = people.person(name)
    sent = request.data if isinstance(request.data, NameSent) else None
    return html(
        request,
        "names_player.html",
        status=200 if refusal is None else STATUSES["malformed"],
        player=called[name],
        address=_address(name),
        tables=known[name],
        name=people.names.get(name, ""),
        person=called.get(person, person),
        person_address=_address(person),
        is_linked=name in people.links,
        spellings=[(called[one], _address(one)) for one in sorted(people.links) if people.links[one] == name],
        is_hidden=person in people.hidden_persons(),
        others=others,
        alike=meant(called[name], others) if name not in people.links else [],
        sent=sent,
        faults=_faults(request, sent, refusal),
    )


def _faults(request: Request, sent: NameSent | None, refusal: LedgerError | None) -> dict[str, str]:
    if sent is None or refusal is None:
        return {}
    if not sent.value and sent.do in ("name", "link"):
        return {sent.do: say(request.lang, "names.nothing_typed")}
    if isinstance(refusal, MalformedError):
        refusal.where = None
    return {sent.do: as_sentence(request.lang, refusal.message(request.lang))}


def _persons(request: Request, people: People) -> list[PersonLine]:
    known, hidden, shown = _known(request), people.hidden_persons(), people.shown()
    spellings: dict[str, list[str]] = {}
    for player in known:
        spellings.setdefault(people.person(player), []).append(player)
    alike: dict[str, list[str]] = {}
    for person in spellings:
        alike.setdefault("".join(fold_name(person).split()), []).append(person)
    return [
        PersonLine(
            player=person,
            address=_address(person),
            name=shown.get(person, ""),
            spellings=[one for one in players if one != person],
            is_hidden=person in hidden,
            tables=sum(known[one] for one in players),
            alike=[one for one in alike["".join(fold_name(person).split())] if one != person],
        )
        for person, players in spellings.items()
    ]


def _known(request: Request) -> dict[str, int]:
    """Return the players of all tables by the name in the record, with their numbers of tables.

    With handles, also recorders who have a name.
    """
    store = seen(request)
    rows = listed(request, store, newest_first(request))
    named = dict.fromkeys(store.display_names() if store.has_handles else (), 0)
    return dict(sorted({**named, **Counter(player for row in rows for player in set(row.players))}.items()))


def _address(name: str) -> str:
    return f"{_PATH}/{quote(name, safe='')}"
