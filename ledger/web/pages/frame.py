"""Pages as responses: in the reader's preferences, with the common frame, and compressed."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Final, cast
from urllib.parse import parse_qsl, urlencode

from msgspec import structs
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from ledger.access.grants import Grant
from ledger.errors import LedgerError, NotFoundError
from ledger.i18n import LANGUAGES
from ledger.log.people import HANDLE, with_shown_names
from ledger.service.running import Service
from ledger.text.letters import LETTERS, CountryLetters, letters_of
from ledger.text.site.cards import THEMES, Preferences, Theme
from ledger.text.site.frame import Frame, page_of
from ledger.web.http.auth import LOOPBACK, NOBODY, PUBLIC, Admitted, admits, cookie_of
from ledger.web.http.reading import read_now
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import HTML, PAGES, Route

VARY: Final = {"vary": "Accept, Accept-Encoding, Accept-Language, Authorization, Cookie"}

_WORTH_PACKING: Final = 1_000
_LEVEL: Final = 5
"""The compression level: half the time of level 6, and 2 % larger."""

_COOKIE: Final = "look"
_BELOW: Final = "below-"
_YEAR_S: Final = 365 * 24 * 3600


def chosen_language(connection: HTTPConnection) -> str | None:
    """Return the language that the reader chose; None if they did not choose."""
    lang = _chosen(connection)[0]
    return lang if lang in LANGUAGES else None


def preferences_of(connection: HTTPConnection, lang: str) -> Preferences:
    """Return the reader's preferences; by default the letters of cards follow the browser's language."""
    _, theme, letters = _chosen(connection)
    return Preferences(
        lang=lang,
        theme=cast(Theme, theme) if theme in THEMES else "auto",
        letters=cast(CountryLetters, letters)
        if letters in LETTERS
        else _letters_of(connection.headers.get("accept-language")),
    )


def reader_of(request: Request) -> Preferences:
    """Return the reader's preferences for a page; pages about a table use the cards of that table's pack."""
    preferences, table = preferences_of(request, request.lang), request.path_params.get("table")
    if table is None:
        return preferences
    try:
        read = read_now(request, table)
    except NotFoundError:
        return preferences
    return structs.replace(preferences, letters=letters_of(read.fold.pack, preferences.letters))


def preferences_cookie(preferences: Preferences) -> str:
    """Return the cookie that stores the preferences for a year; it is no secret, and also sent after links from
    elsewhere.
    """
    value = f"{preferences.lang}.{preferences.theme}.{preferences.letters}"
    return f"{_COOKIE}={value}; Path=/; Max-Age={_YEAR_S}; SameSite=Lax"


def _chosen(connection: HTTPConnection) -> tuple[str, str, str]:
    lang, theme, letters, *_ = [*(cookie_of(connection, _COOKIE) or "").split("."), "", "", ""]
    return lang, theme, letters


def _letters_of(header: str | None) -> CountryLetters:
    first = (header or "").partition(",")[0].partition("-")[0].strip().lower()
    return cast(CountryLetters, first) if first in LETTERS else "en"


def below_of(request: Request, table: str, seats: int) -> int:
    """Return the seat at the reader's side: as the device has turned the table, else their own, else seat 0."""
    text = cookie_of(request, _BELOW + table) or ""
    return int(text) if text in map(str, range(seats)) else own_seat(request.grant, table, seats) or 0


def own_seat(grant: Grant, table: str, seats: int) -> int | None:
    """Return the seat of the table that the reader's token is bound to; None without one."""
    is_bound = grant.seat is not None and grant.seat < seats and table in (grant.tables or ())
    return grant.seat if is_bound else None


def below_cookie(table: str, seat: int) -> str:
    """Return the cookie that stores the seat at the reader's side on this device."""
    return f"{_BELOW}{table}={seat}; Path=/; Max-Age={_YEAR_S}; SameSite=Lax"


def frame_of(request: Request) -> Frame:
    """Return the frame of a page for the client."""
    parameters = parse_qsl(request.query_string.decode("ascii"), keep_blank_values=True)
    query = urlencode([(name, value) for name, value in parameters if name != "lang"])
    look = reader_of(request)
    return frame_for(request.service, look, request.path, Admitted(request.grant, request.csrf), query)


def frame_for(service: Service, preferences: Preferences, path: str, who: Admitted | None, query: str = "") -> Frame:
    """Return the frame of a page. `who`: None for an unidentified client."""
    grant = NOBODY if who is None else who.grant
    is_somebody = grant not in (PUBLIC, NOBODY)
    return Frame(
        preferences=preferences,
        path=path,
        query=query,
        club=club_of(service),
        name=(_name_of(service, grant) or ("" if grant is LOOPBACK else grant.token)) if is_somebody else None,
        opens=frozenset(
            one.path
            for one in _plain_pages()
            if admits(service, one, grant) and (grant is not PUBLIC or one.guard is None)
        ),
        csrf=None if who is None else who.csrf,
    )


def _name_of(service: Service, grant: Grant) -> str | None:
    return grant.name and shown_names(service, grant.name)


def shown_names(service: Service, text: str) -> str:
    """Return a text with the display names of the handles in it; unchanged if they cannot be read."""
    with suppress(LedgerError):
        return with_shown_names(text, service.store().display_names()) if HANDLE.search(text) else text
    return text


@cache
def _plain_pages() -> tuple[Route, ...]:
    """Return the pages without parameters in their paths, to which a menu can link."""
    return tuple(one for one in PAGES if one.is_page and one.method == "GET" and "{" not in one.path)


def club_of(service: Service) -> str:
    """Return the name of the club: the value of `--club`, else the name of the ledger."""
    return service.settings.club or service.ledger.stem


def html(
    request: Request, template: str, /, *, status: int = 200, cookies: Sequence[str] = (), **shown: Any
) -> Response:
    """Return a page, or a part of one. A language in its address is stored for later pages."""
    frame = frame_of(request)
    page = html_response(request.headers, page_of(template, frame, **shown), status)
    if request.query_lang is not None:
        cookies = (*cookies, preferences_cookie(preferences_of(request, request.lang)))
    return page.with_headers({"content-language": request.lang}, cookies)


def html_response(headers: Headers, text: str, status: int = 200) -> Response:
    """Return a response with a rendered page."""
    content = text.encode()
    fields = dict(VARY)
    if len(content) > _WORTH_PACKING and takes_gzip(headers):
        content = gzip.compress(content, _LEVEL, mtime=0)
        fields["content-encoding"] = "gzip"
    return Response(content, status_code=status, media_type=HTML, headers=fields)


def takes_gzip(headers: Headers) -> bool:
    """Return whether the browser accepts gzip."""
    accepted = (headers.get("accept-encoding") or "").lower()
    return any(
        one.partition(";")[0].strip() == "gzip" and "q=0" not in one.replace(" ", "").split(";")
        for one in accepted.split(",")
    )


def elsewhere(address: str, *cookies: str) -> Response:
    """Redirect a browser after a form, to a page that may be reloaded."""
    return Response(status_code=303, media_type=HTML, headers={"location": address, **VARY}, cookies=cookies)
