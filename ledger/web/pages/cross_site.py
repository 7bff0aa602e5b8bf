"""Readers who follow a link from elsewhere: their browser leaves out the cookie by which they are signed in.

The cookie is sent with what our own pages ask for alone (SameSite=Strict). Another one, which is no secret and opens
nothing, is sent after links, too: it says that this browser is signed in. Whoever comes with that one alone is shown a
page of ours that asks once more by itself, by way of the sign-in, which leads him back or takes the mark away.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from ledger.service.running import Service, Settings
from ledger.text.site.frame import page_of
from ledger.web.api.sign_in import FOREVER_S
from ledger.web.http.auth import cookie_name, cookie_of, is_https
from ledger.web.http.request import Headers, language_of
from ledger.web.http.routing import Answer, Route
from ledger.web.pages.frame import frame_for, told_as_html
from ledger.web.pages.preferences import chosen_language, look_of
from ledger.web.pages.redirects import SIGN_IN, address_asked

MARK: Final = "signed-in"
MARKED: Final = f"{MARK}=1; Path=/; Max-Age={FOREVER_S}; HttpOnly; SameSite=Lax"
UNMARKED: Final = f"{MARK}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"


def has_left_its_cookie(settings: Settings, scope: Mapping[str, Any], headers: Headers) -> bool:
    """Whether a browser that is signed in asks without saying as whom."""
    return (
        headers.get("authorization") is None
        and cookie_of(headers, MARK) is not None
        and cookie_of(headers, cookie_name(is_https(settings, scope, headers))) is None
    )


def asks_again(settings: Settings, route: Route, scope: Mapping[str, Any], headers: Headers) -> bool:
    """Whether a whole page is asked for by a browser that has left out who it is; a sign-in needs nobody."""
    return (
        scope["method"] == "GET"
        and route.path != SIGN_IN
        and headers.get("hx-request") is None
        and headers.get("sec-fetch-mode") in (None, "navigate")
        and headers.get("sec-fetch-dest") in (None, "document")
        and has_left_its_cookie(settings, scope, headers)
    )


def once_more(service: Service, scope: Mapping[str, Any], headers: Headers) -> Answer:
    """A page that goes by itself to the one that was asked for, by way of the sign-in."""
    lang = chosen_language(headers) or language_of(headers.get("accept-language"))
    address = address_asked(scope)
    frame = frame_for(service, look_of(headers, lang), scope["path"], None)
    onward = f"{SIGN_IN}?next={quote(address, safe='')}"
    return told_as_html(headers, page_of("once-more.html", frame, onward=onward))
