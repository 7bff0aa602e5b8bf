"""Cards to print for the tables: each signs phones in at one table, until the evening is over."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from ledger.access.base import NewCode
from ledger.access.tokens import checked_url, sign_in_link
from ledger.errors import MalformedError
from ledger.limits import SLUG_CHARS
from ledger.log.append_rules import timestamp
from ledger.log.base import utc_now
from ledger.streams import TABLE
from ledger.text.qr import qr_path
from ledger.text.site.catalogue import say
from ledger.web.http.auth import LOOPBACK
from ledger.web.http.problems import STATUSES
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import form, page
from ledger.web.pages.frame import html
from ledger.web.pages.redirects import SIGN_IN
from ledger.web.pages.replay import origin_of
from ledger.web.pages.shown_tables import newest_first, open_tables, title_by_slug
from ledger.zones import moment_text

_PATH: Final = "/table-cards"
_CARDS_MAX: Final = 40

_HOURS: Final = (4, 6, 8, 12, 24)
_USUAL_HOURS: Final = 8

_SLUG: Final = re.compile(r"[a-z0-9-]+")


class CardsSent(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fields of the form. `tables`: names, separated by blanks. `address`: of the service for phones."""

    tables: Annotated[str, Meta(max_length=5_000)] = ""
    role: Literal["recorder", "viewer"] = "recorder"
    hours: Annotated[int, Meta(ge=1, le=48)] = _USUAL_HOURS
    address: Annotated[str, Meta(max_length=300)] = ""


class Card(Struct, frozen=True, kw_only=True):
    """A printed card. `digits`: in two groups; `size` and `path`: of the QR code of its `link`."""

    title: str
    digits: str
    link: str
    size: int
    path: str


@page(_PATH, "admin")
def choose_cards(request: Request) -> Response:
    """Show the form for the tables that need cards."""
    return _form(request, CardsSent(address=phone_address_of(request)), None)


@form(_PATH, "admin", body=CardsSent)
def make_cards(request: Request) -> Response:
    """Show the cards; their codes are shown only once."""
    wanted: CardsSent = request.data
    tables = list(dict.fromkeys(wanted.tables.split()))
    wrong = _wrong(request, tables, wanted.address)
    if wrong is not None:
        return _form(request, wanted, wrong)
    until = utc_now() + timedelta(hours=wanted.hours)
    opened = {TABLE.slug(head.stream) for head in newest_first(request)}
    cards = [_card(request, wanted, table, timestamp(until), table in opened) for table in tables]
    return html(
        request,
        "table_cards.html",
        cards=cards,
        until=moment_text(timestamp(until)),
        address=f"{wanted.address.rstrip('/')}{SIGN_IN}",
    )


def _card(request: Request, wanted: CardsSent, table: str, until: str, is_opened: bool) -> Card:
    """Return a card. A recorder's card for a table that is not open yet allows opening it, and no other."""
    grant = request.grant
    issued = request.service.access.add_code(
        NewCode(
            tables=(table,),
            role=wanted.role,
            until=until,
            may_open=wanted.role == "recorder" and not is_opened,
            made_by=None if grant is LOOPBACK else grant.token,
        )
    )
    link = sign_in_link(wanted.address, issued.secret)
    size, path = qr_path(link)
    digits = f"{issued.secret[:4]} {issued.secret[4:]}"
    return Card(title=title_by_slug(request, table), digits=digits, link=link, size=size, path=path)


def _form(request: Request, wanted: CardsSent, wrong: tuple[str, str] | None) -> Response:
    return html(
        request,
        "table_cards_choose.html",
        status=200 if wrong is None else STATUSES["malformed"],
        open_tables=open_tables(request),
        wanted=wanted,
        typed=wanted.tables.split(),
        hours=_HOURS,
        wrong=wrong,
        is_reached=bool(phone_address_of(request)),
    )


def _wrong(request: Request, tables: Sequence[str], address: str) -> tuple[str, str] | None:
    """Return the wrong field and its message; None if all is well."""
    lang = request.lang
    if not tables:
        return "tables", say(lang, "doors.no_table_chosen")
    if len(tables) > _CARDS_MAX:
        return "tables", say(lang, "doors.too_many_tables", count=_CARDS_MAX)
    for table in tables:
        if len(table) > SLUG_CHARS or _SLUG.fullmatch(table) is None:
            return "tables", say(lang, "doors.name_of_table", text=table[:SLUG_CHARS], count=SLUG_CHARS)
    try:
        checked_url(address)
    except MalformedError:
        return "address", say(lang, "doors.address_wrong")
    return None


def phone_address_of(request: Request) -> str:
    """Return the address for phones: the client's own or, for a client on this machine, that of the settings."""
    if request.grant is LOOPBACK:
        return request.service.settings.reached_at.rstrip("/")
    return origin_of(request)
