"""Redirects to our own pages: after signing in, and after a link from elsewhere.

Browsers send the session cookie only with requests from our own pages (SameSite=Strict). A second cookie, which is no
secret and grants nothing, is also sent after links; it marks a signed-in browser. A client with that cookie alone gets
a page of ours that repeats the request by way of the sign-in, which leads back or removes the mark.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

from starlette.requests import HTTPConnection

from ledger.access.grants import Grant
from ledger.text.site.frame import page_of
from ledger.web.api.access import FOREVER_S
from ledger.web.http.auth import cookie_name, cookie_of, is_https
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import PREFIX
from ledger.web.pages.frame import chosen_language, frame_for, html_response, preferences_of

SIGN_IN: Final = "/sign-in"

_OURS: Final = re.compile(r"/(?![/\\])[!-\[\]-~]*")
"""A path as it is sent; one that begins with two slashes names a host."""

_LONGEST: Final = 1_000


def own_address(address: str | None) -> str | None:
    """Return an address of our pages; None for any other one, and for the sign-in itself."""
    if address is None or len(address) > _LONGEST or _OURS.fullmatch(address) is None:
        return None
    path = address.partition("?")[0].partition("#")[0]
    is_page = path not in (SIGN_IN, PREFIX) and not path.startswith(f"{PREFIX}/")
    return address if is_page else None


def requested_address(connection: HTTPConnection) -> str:
    """Return the address of a request as it was sent, without its host."""
    path: str = connection.scope["raw_path"].decode("ascii", "replace")
    query: str = connection.scope["query_string"].decode("ascii", "replace")
    return f"{path}?{query}" if query else path


def sign_in_and_back(address: str) -> str:
    """Return the address of the sign-in that leads back to an address."""
    next_address = own_address(address)
    return SIGN_IN if next_address in (None, "/") else f"{SIGN_IN}?next={quote(str(next_address), safe='')}"


def first_page_of(grant: Grant) -> str:
    """Return the first page after signing in; for the recorder of one table, that table."""
    if not grant.at_least("recorder") or grant.at_least("director"):
        return "/"
    if grant.tables is not None and len(grant.tables) == 1:
        return f"/record/{quote(grant.tables[0], safe='')}"
    return "/record"


MARK: Final = "signed-in"
MARKED: Final = f"{MARK}=1; Path=/; Max-Age={FOREVER_S}; HttpOnly; SameSite=Lax"
UNMARKED: Final = f"{MARK}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"


def has_left_its_cookie(request: Request) -> bool:
    """Return whether a signed-in browser sent only its mark and no session."""
    return (
        request.headers.get("authorization") is None
        and cookie_of(request, MARK) is not None
        and cookie_of(request, cookie_name(is_https(request.service.settings, request))) is None
    )


def asks_again(request: Request) -> bool:
    """Return whether to repeat a request for a whole page because its session was not sent. The sign-in needs none."""
    headers = request.headers
    return (
        request.method == "GET"
        and request.route.path != SIGN_IN
        and headers.get("hx-request") is None
        and headers.get("sec-fetch-mode") in (None, "navigate")
        and headers.get("sec-fetch-dest") in (None, "document")
        and has_left_its_cookie(request)
    )


def once_more(request: Request) -> Response:
    """Return a page that repeats the request by way of the sign-in."""
    lang = chosen_language(request) or request.accepted_language
    frame = frame_for(request.service, preferences_of(request, lang), request.path, None)
    next_address = f"{SIGN_IN}?next={quote(requested_address(request), safe='')}"
    return html_response(request.headers, page_of("redirects.html", frame, next_address=next_address))
