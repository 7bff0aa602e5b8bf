"""Takes the body of a request, as long as it may be."""

from __future__ import annotations

from ledger.web.http.auth import CSRF_HEADER, check_csrf
from ledger.web.http.problems import WebError, web_error
from ledger.web.http.request import Asked, body_of, check_content_type, check_not_packed, form_of
from ledger.web.http.response import Receive


async def take_body(asked: Asked) -> None:
    """What the route takes, as it declares it. Raises `WebError`, and `MalformedError` for what it is not."""
    route = asked.route
    if not route.takes:
        return
    check_content_type(route, asked.headers.get("content-type"))
    check_not_packed(asked.headers.get("content-encoding"))
    length = asked.headers.get("content-length")
    if length is not None and length.isdecimal() and int(length) > route.body_bytes:
        raise too_large(route.body_bytes)
    if route.body is None:
        return  # the handler takes it piece by piece
    content = await whole_body(asked.receive, route.body_bytes)
    asked.body_bytes = len(content)
    if route.is_page:
        told, asked.body = form_of(route, content)
        if asked.csrf is not None and route.who != "none":
            check_csrf(asked.csrf, asked.headers, told or asked.headers.get(CSRF_HEADER))
    else:
        asked.body = body_of(route, content)


def too_large(limit: int) -> WebError:
    return web_error("too_large", "body_too_large", limit=limit)


async def whole_body(receive: Receive, limit: int) -> bytes:
    """The body of a request; raises `WebError` where it is larger than may be."""
    pieces: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionResetError
        piece = message.get("body", b"")
        size += len(piece)
        if size > limit:
            raise too_large(limit)
        pieces.append(piece)
        if not message.get("more_body", False):
            return pieces[0] if len(pieces) == 1 else b"".join(pieces)
