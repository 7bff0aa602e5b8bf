"""Pages as answers: the frame of who asks around them, packed where the browser takes it."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers

from ledger.service.running import Service
from ledger.text.site.cards import Look
from ledger.text.site.frame import Frame, page_of
from ledger.web.http.auth import LOOPBACK, NOBODY, PUBLIC, Admitted
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import HTML
from ledger.web.pages.preferences import kept, look_of, reader_of

VARY: Final = {"vary": "Accept, Accept-Encoding, Accept-Language, Authorization, Cookie"}

_WORTH_PACKING: Final = 1_000
_LEVEL: Final = 5
"""Half the time of level 6, and 2 % larger."""


def frame_of(request: Request) -> Frame:
    """What stands around a page for whoever asks."""
    told = parse_qsl(request.query_string.decode("ascii"), keep_blank_values=True)
    query = urlencode([(name, value) for name, value in told if name != "lang"])
    look = reader_of(request)
    return frame_for(request.service, look, request.path, Admitted(request.grant, request.csrf), query)


def frame_for(service: Service, look: Look, path: str, who: Admitted | None, query: str = "") -> Frame:
    """The frame of a page. `who`: None where that was not found out."""
    grant = NOBODY if who is None else who.grant
    is_somebody = grant not in (PUBLIC, NOBODY)
    return Frame(
        look=look,
        path=path,
        query=query,
        club=club_of(service),
        name=(grant.name or ("" if grant is LOOPBACK else grant.token)) if is_somebody else None,
        may_look=grant is not NOBODY,
        may_record=grant.at_least("recorder"),
        csrf=None if who is None else who.csrf,
    )


def club_of(service: Service) -> str:
    """Whose pages these are: what `--club` says, else the ledger's own name."""
    return service.settings.club or service.ledger.stem


def html(
    request: Request, template: str, /, *, status: int = 200, cookies: Sequence[str] = (), **shown: Any
) -> Response:
    """A page, or a part of one. A language that its address names is kept for the pages after it."""
    frame = frame_of(request)
    page = told_as_html(request.headers, page_of(template, frame, **shown), status)
    if request.query_lang is not None:
        cookies = (*cookies, kept(look_of(request, request.lang)))
    return page.with_headers({"content-language": request.lang}, cookies)


def told_as_html(headers: Headers, text: str, status: int = 200) -> Response:
    """A page that is written already."""
    content = text.encode()
    told = dict(VARY)
    if len(content) > _WORTH_PACKING and takes_gzip(headers):
        content = gzip.compress(content, _LEVEL, mtime=0)
        told["content-encoding"] = "gzip"
    return Response(content, status_code=status, media_type=HTML, headers=told)


def takes_gzip(headers: Headers) -> bool:
    """Whether the browser unpacks what is packed by gzip."""
    told = (headers.get("accept-encoding") or "").lower()
    return any(
        one.partition(";")[0].strip() == "gzip" and "q=0" not in one.replace(" ", "").split(";")
        for one in told.split(",")
    )


def elsewhere(address: str, *cookies: str) -> Response:
    """Leads a browser on after a form: what it shows then may be asked for again."""
    return Response(status_code=303, media_type=HTML, headers={"location": address, **VARY}, cookies=cookies)
