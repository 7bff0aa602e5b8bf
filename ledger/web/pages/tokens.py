"""Tokens, table codes and links to seats: listed, made and revoked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from ledger.access.base import Issued, NewToken, TokenFacts
from ledger.access.grants import ROLES, Role
from ledger.access.rules import NOT_TOKENS, denial, no_such_token
from ledger.access.tokens import checked_url, sign_in_link
from ledger.errors import MalformedError
from ledger.events import Slug
from ledger.log.append_rules import timestamp
from ledger.log.base import utc_now
from ledger.text.qr import qr_path
from ledger.text.site.catalogue import say
from ledger.web.http.auth import LOOPBACK
from ledger.web.http.problems import STATUSES
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import form, page
from ledger.web.pages.forms import slug_of
from ledger.web.pages.frame import elsewhere, html
from ledger.web.pages.paging import page_of_list
from ledger.web.pages.shown_tables import newest_first, open_tables, sound_table, title_by_slug
from ledger.web.pages.table_cards import phone_address_of
from ledger.zones import moment_text

_PATH: Final = "/tokens"
_PER_PAGE: Final = 25

Lifetime = Literal["hours-8", "days-1", "days-7", "days-30", "days-365", "never"]
_LIFETIMES: Final[dict[Lifetime, timedelta | None]] = {
    "hours-8": timedelta(hours=8),
    "days-1": timedelta(days=1),
    "days-7": timedelta(days=7),
    "days-30": timedelta(days=30),
    "days-365": timedelta(days=365),
    "never": None,
}

Address = Annotated[str, Meta(max_length=300)]


class TokensQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`ended`: list expired and revoked ones instead; `page`: from 1."""

    ended: bool = False
    page: Annotated[int, Meta(ge=1, le=1_000_000)] = 1


class TokenSent(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fields of the form for a new token. `tables`: slugs on lines of their own; none means all."""

    name: Annotated[str, Meta(max_length=200)] = ""
    role: Role = "viewer"
    tables: Annotated[str, Meta(max_length=5_000)] = ""
    hands: Literal["", "yes"] = ""
    may_open: Literal["", "yes"] = ""
    ends: Lifetime = "days-30"
    address: Address = ""


class SeatsSent(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fields of the form for links to the seats of a table."""

    table: Annotated[str, Meta(max_length=200)] = ""
    ends: Lifetime = "days-1"
    address: Address = ""


class TokenLine(Struct, frozen=True, kw_only=True):
    """A row of the list. `tables`: titles by slug, empty for all; `player`: at the seat; `is_own`: the reader's."""

    facts: TokenFacts
    tables: dict[str, str]
    player: str
    until: str
    ended: Literal["", "expired", "revoked"]
    is_own: bool


class TokenCard(Struct, frozen=True, kw_only=True):
    """A new token to hand over. `size` and `path`: of the QR code of its `link`."""

    title: str
    facts: TokenFacts
    tables: Sequence[str]
    secret: str
    link: str
    size: int
    path: str


@page(_PATH, "admin", query=TokensQuery)
def list_tokens(request: Request) -> Response:
    """Show the tokens and codes that work, and the forms that make new ones."""
    return _listed(request)


@form(_PATH, "admin", body=TokenSent)
def make_token(request: Request) -> Response:
    """Make a token and show its secret, this once."""
    sent: TokenSent = request.data
    name, tables = slug_of(sent.name), tuple(sent.tables.split())
    access, lang = request.service.access, request.lang
    faults: dict[str, str] = {}
    if not name or name in NOT_TOKENS:
        faults["name"] = say(lang, "access.name_missing")
    elif any(facts.id == name for facts in access.tokens()):
        faults["name"] = say(lang, "access.name_used", name=name)
    if sent.role == "admin" and tables:
        faults["tables"] = say(lang, "access.admin_of_all")
    elif unknown := set(tables) - set(open_tables(request)):
        faults["tables"] = say(lang, "access.no_such_table", table=min(unknown))
    if faults := {**faults, **_wrong_address(sent.address, "address", lang)}:
        return _listed(request, faults, token=sent)
    issued = access.add_token(
        NewToken(
            id=name,
            role=sent.role,
            tables=tables or None,
            hands=bool(sent.hands),
            may_open=bool(sent.may_open),
            expires_at=_end_of(sent.ends),
        )
    )
    return _handed_over(request, [_card(request, issued, name, sent.address)])


@form(f"{_PATH}/seats", "admin", body=SeatsSent)
def make_seat_links(request: Request) -> Response:
    """Make a link to each seat of a table and show the sheet with them, this once."""
    sent: SeatsSent = request.data
    players = _players_at(request, sent.table)
    faults = {} if players else {"table": say(request.lang, "access.choose_table")}
    if faults := {**faults, **_wrong_address(sent.address, "seats-address", request.lang)}:
        return _listed(request, faults, seats=sent)
    cards = [
        _card(request, _seat_token(request, sent, seat), player, sent.address) for seat, player in enumerate(players)
    ]
    return _handed_over(request, cards, title_by_slug(request, sent.table))


def _seat_token(request: Request, sent: SeatsSent, seat: int) -> Issued:
    """Issue a token for a seat; its id is new, because no id is used twice."""
    access = request.service.access
    used = {facts.id for facts in access.tokens()}
    name = slug_of(f"{sent.table[-40:]}-seat-{seat}")
    numbered = (f"{name}-{number}" for number in range(2, len(used) + 3))
    free = next(id for id in (name, *numbered) if id not in used)
    return access.add_token(
        NewToken(id=free, role="viewer", tables=(sent.table,), seat=seat, expires_at=_end_of(sent.ends))
    )


@page(f"{_PATH}/{{id}}/revoke", "admin", problems=("not_found",))
def revoke_token_page(request: Request, id: Slug) -> Response:
    """Show what stops working, and the button that revokes the token or code."""
    facts = request.service.access.tokens()
    shown = next((one for one in facts if one.id == id), None)
    if shown is None:
        raise no_such_token(id, {one.id for one in facts})
    made_by_it = [one.id for one in facts if one.made_by == id and denial(one, utc_now()) is None]
    return html(request, "tokens_revoke.html", line=_line(request, shown), codes=made_by_it)


@form(f"{_PATH}/{{id}}/revoke", "admin", body=dict[str, str], problems=("not_found",))
def revoke_token_submitted(request: Request, id: Slug) -> Response:
    """Revoke a token or code with all browsers that are signed in by it."""
    request.service.access.revoke(id)
    return elsewhere("/" if id == request.grant.token else _PATH)


def _listed(
    request: Request,
    faults: dict[str, str] | None = None,
    token: TokenSent | None = None,
    seats: SeatsSent | None = None,
) -> Response:
    query = request.query if isinstance(request.query, TokensQuery) else TokensQuery()
    now = utc_now()
    facts = [one for one in request.service.access.tokens() if (denial(one, now) is not None) == query.ended]
    facts.reverse()
    shown, links = page_of_list(facts, query.page, _PER_PAGE)
    address = phone_address_of(request)
    return html(
        request,
        "tokens.html",
        status=STATUSES["malformed"] if faults else 200,
        lines=[_line(request, one) for one in shown],
        is_ended=query.ended,
        **links,
        faults=faults or {},
        token=token or TokenSent(address=address),
        seats=seats or SeatsSent(address=address),
        tables=open_tables(request),
        roles=ROLES,
        lifetimes=tuple(_LIFETIMES),
        is_reached=bool(address),
    )


def _handed_over(request: Request, cards: Sequence[TokenCard], table: str | None = None) -> Response:
    until = cards[0].facts.expires_at
    return html(
        request, "tokens_made.html", cards=cards, table=table, until=None if until is None else _moment(request, until)
    )


def _card(request: Request, issued: Issued, title: str, address: str) -> TokenCard:
    link = sign_in_link(address, issued.secret)
    size, path = qr_path(link)
    tables = [title_by_slug(request, table) for table in issued.token.tables or ()]
    return TokenCard(
        title=title, facts=issued.token, tables=tables, secret=issued.secret, link=link, size=size, path=path
    )


def _line(request: Request, facts: TokenFacts) -> TokenLine:
    tables = {table: title_by_slug(request, table) for table in facts.tables or ()}
    players = [] if facts.seat is None else _players_at(request, next(iter(tables)))
    ended = denial(facts, utc_now())
    return TokenLine(
        facts=facts,
        tables=tables,
        player=players[facts.seat] if facts.seat is not None and facts.seat < len(players) else "",
        until="" if facts.expires_at is None else _moment(request, facts.expires_at),
        ended=ended if ended in ("expired", "revoked") else "",
        is_own=request.grant is not LOOPBACK and facts.id == request.grant.token,
    )


def _players_at(request: Request, table: str) -> list[str]:
    """Return the display names at the seats of a table; none if it does not exist."""
    head = next((one for one in newest_first(request) if one.stream == f"table/{table}"), None)
    fold = None if head is None else sound_table(request, head)
    return [] if fold is None else list(fold.players)


def _wrong_address(address: str, field: str, lang: str) -> dict[str, str]:
    try:
        checked_url(address)
    except MalformedError:
        return {field: say(lang, "doors.address_wrong")}
    return {}


def _end_of(ends: Lifetime) -> str | None:
    lifetime = _LIFETIMES[ends]
    return None if lifetime is None else timestamp(utc_now() + lifetime)


def _moment(request: Request, moment: str) -> str:
    return moment_text(moment, request.service.settings.zone)
