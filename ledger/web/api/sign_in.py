"""Signing in and out: a browser shows a token or a table's code once, and has a cookie from then on."""

from __future__ import annotations

from math import ceil
from time import monotonic
from typing import Annotated, Final, NamedTuple

from msgspec import Meta, Struct

from ledger.access.base import OpenedSession
from ledger.access.grants import Grant
from ledger.access.limiter import peer_of
from ledger.access.tokens import is_code
from ledger.errors import MalformedError
from ledger.web.catalogue import phrase
from ledger.web.http.auth import Denied, cookie_name, cookie_of, is_https
from ledger.web.http.problems import web_error
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import route

FOREVER_S: Final = 400 * 24 * 3600
"""Browsers keep no cookie longer; the session itself ends when the token does."""


class SignIn(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`token`, or the eight digits of a table's `code`; `name`: of who signs in. `GET /me`
    answers it as it is recorded, with a number where it was used before.
    """

    token: Annotated[str, Meta(max_length=200)] | None = None
    code: Annotated[str, Meta(max_length=40)] | None = None
    name: Annotated[str, Meta(max_length=200)] | None = None


@route(
    "POST",
    "/sign-in",
    "none",
    body=SignIn,
    is_secret=True,
    answers={204: None},
    problems=("unauthenticated", "gone", "too_many_requests", "csrf"),
)
def sign_in(request: Request) -> Response:
    """Signs a browser in by a token or by a table's code; the answer sets its cookie."""
    return Response(status_code=204, headers={"set-cookie": signed_in(request, request.data).cookie})


class SignedIn(NamedTuple):
    """Who has signed in, and the cookie that his browser is to keep."""

    grant: Grant
    cookie: str


def signed_in(request: Request, sent: SignIn) -> SignedIn:
    """Signs in who shows a token or a code. Raises `WebError`, and `MalformedError` for neither, or both, of them."""
    if (sent.token is None) == (sent.code is None):
        raise MalformedError(phrase("token_or_code"), field="token")
    peer, now = peer_of(request.peer), monotonic()
    _check_rate(request.service.sign_ins.attempt(peer, now))
    is_secure = is_https(request.service.settings, request)
    before = cookie_of(request, cookie_name(is_secure))
    if sent.token is None:
        opened = _by_code(request, sent.code, sent.name, before, peer, now)
    else:
        opened = _by_token(request, sent, before)
    return SignedIn(opened.session.grant, _cookie(cookie_name(is_secure), opened.secret, FOREVER_S, is_secure))


def _by_token(request: Request, sent: SignIn, before: str | None) -> OpenedSession:
    access = request.service.access
    grant = access.grant_of(sent.token or "")
    if not isinstance(grant, Grant):
        raise Denied(grant)
    opened = access.open_session(Grant(token=grant.token, role=grant.role, name=sent.name), before)
    if not isinstance(opened, OpenedSession):
        raise Denied(opened)
    return opened


def _by_code(
    request: Request, code: str | None, name: str | None, before: str | None, peer: str, now: float
) -> OpenedSession:
    digits = "".join((code or "").split())
    wrong_codes = request.service.wrong_codes
    _check_rate(wrong_codes.attempt(peer, now))
    opened = request.service.access.redeem(digits if is_code(digits) else "", name, before)
    if not isinstance(opened, OpenedSession):
        raise Denied(opened)
    wrong_codes.take_back(peer, now)
    return opened


def _check_rate(wait_s: float) -> None:
    if wait_s:
        raise web_error("too_many_requests", "sign_in_rate", {"retry-after": str(ceil(wait_s))})


@route("POST", "/sign-out", "any", answers={204: None})
def sign_out(request: Request) -> Response:
    """Ends the session of this browser; a token goes on."""
    return Response(status_code=204, headers={"set-cookie": signed_out(request)})


def signed_out(request: Request) -> str:
    """Ends the session; answers the cookie that takes the browser's away."""
    is_secure = is_https(request.service.settings, request)
    name = cookie_name(is_secure)
    secret = cookie_of(request, name)
    if secret is not None:
        request.service.access.close_session(secret)
    return _cookie(name, "", 0, is_secure)


def _cookie(name: str, value: str, seconds: int, is_secure: bool) -> str:
    secure = "; Secure" if is_secure else ""
    return f"{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}"
