"""Signing in and out, and the tokens and table codes that an admin issues, lists and revokes."""

from __future__ import annotations

from contextlib import suppress
from math import ceil
from time import monotonic
from typing import Annotated, Final, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct, structs

from ledger.access.base import Denial, Issued, NewCode, NewToken, OpenedSession, Tables, TokenFacts, TokenKind
from ledger.access.grants import Grant, Role
from ledger.access.limiter import peer_of
from ledger.access.rules import checked_name
from ledger.access.tokens import is_code
from ledger.errors import LedgerError, MalformedError
from ledger.events import Seat, Slug, Time
from ledger.log.people import new_handle
from ledger.web.catalogue import phrase
from ledger.web.http.auth import Denied, cookie_name, cookie_of, is_https
from ledger.web.http.problems import web_error
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import PREFIX, route

FOREVER_S: Final = 400 * 24 * 3600
"""The longest lifetime that browsers give a cookie; the session itself ends with the token."""


class SignIn(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A sign-in with a `token`, or the eight digits of a table `code`. `name`: the name of the person.

    `GET /me` returns the name as recorded, with a number if it was used before.
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
async def sign_in(request: Request) -> Response:
    """Sign a browser in with a token or a table code."""
    return Response(status_code=204, headers={"set-cookie": (await signed_in(request, request.data)).cookie})


class SignedIn(NamedTuple):
    """The rights of a new session, and the cookie for its browser. `name`: as the client typed it, or its handle."""

    grant: Grant
    cookie: str
    name: str | None


async def signed_in(request: Request, sent: SignIn) -> SignedIn:
    """Sign a client in and return its session.

    With handles, the session gets the handle of the typed name, so that neither the record nor the file of tokens has
    the name. Raise `WebError` for a rejected secret, `MalformedError` unless exactly one of token and code is sent.
    """
    service = request.service
    if not service.has_handles or (name := checked_name(sent.name)) is None:
        return await service.run_in_thread(lambda: _signed_in(request, sent))
    if (handle := await _handle_of(request, name)) is not None:
        return await service.run_in_thread(lambda: _signed_in(request, structs.replace(sent, name=handle)))
    async with service.naming:  # two browsers that sign in with one new name at a time get one handle
        known = await _handle_of(request, name)
        new = known or new_handle()
        session = await service.run_in_thread(lambda: _signed_in(request, structs.replace(sent, name=new)))
        if known is None:
            with suppress(LedgerError):  # e.g. of a ledger that nobody can write to: the handle is shown
                await service.do(lambda store: store.add_display_name(new, name))
    return session


async def _handle_of(request: Request, name: str) -> str | None:
    service = request.service
    return await service.run_in_thread(lambda: service.store().handles_of([name], creates=False).get(name))


def _signed_in(request: Request, sent: SignIn) -> SignedIn:
    if (sent.token is None) == (sent.code is None):
        raise MalformedError(phrase("token_or_code"), field="token")
    service, access = request.service, request.service.access
    peer, now = peer_of(request.peer), monotonic()
    _check_rate(service.sign_ins.attempt(peer, now))
    is_secure = is_https(service.settings, request)
    before = cookie_of(request, cookie_name(is_secure))
    opened: OpenedSession | Denial
    if sent.token is not None:
        granted = access.grant_of(sent.token)
        if not isinstance(granted, Grant):
            raise Denied(granted)
        opened = access.open_session(Grant(token=granted.token, role=granted.role, name=sent.name), before)
    else:
        _check_rate(service.wrong_codes.attempt(peer, now))
        digits = "".join((sent.code or "").split())
        opened = access.redeem(digits if is_code(digits) else "", sent.name, before)
    if not isinstance(opened, OpenedSession):
        raise Denied(opened)
    if sent.token is None:
        service.wrong_codes.take_back(peer, now)
    cookie = _cookie(cookie_name(is_secure), opened.secret, FOREVER_S, is_secure)
    return SignedIn(opened.session.grant, cookie, sent.name)


def _check_rate(wait_s: float) -> None:
    if wait_s:
        raise web_error("too_many_requests", "sign_in_rate", {"retry-after": str(ceil(wait_s))})


@route("POST", "/sign-out", "any", answers={204: None})
def sign_out(request: Request) -> Response:
    """End the session of this browser. The token stays valid."""
    return Response(status_code=204, headers={"set-cookie": signed_out(request)})


def signed_out(request: Request) -> str:
    """End the session and return the header that deletes the browser's cookie."""
    is_secure = is_https(request.service.settings, request)
    name = cookie_name(is_secure)
    secret = cookie_of(request, name)
    if secret is not None:
        request.service.access.close_session(secret)
    return _cookie(name, "", 0, is_secure)


def _cookie(name: str, value: str, seconds: int, is_secure: bool) -> str:
    secure = "; Secure" if is_secure else ""
    return f"{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}"


class TokenWanted(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A token to issue, or a table code, which needs `tables` and `expires_at`.

    `tables`: null means all; `seat`: a seat of its one table. `id`: null lets the service choose one, for a code.
    """

    kind: TokenKind = "token"
    role: Role
    id: Slug | None = None
    tables: Tables | None = None
    seat: Seat | None = None
    hands: bool = False
    may_open: bool = False
    expires_at: Time | None = None


@route("GET", "/tokens", "admin", answers={200: list[TokenFacts]})
def tokens(request: Request) -> Response:
    """List all tokens and codes ever issued, without their secrets."""
    return Response(request.service.access.tokens())


@route("POST", "/tokens", "admin", body=TokenWanted, answers={201: Issued}, problems=("exists", "not_found"))
def add_token(request: Request) -> Response:
    """Issue a token or a table code. Its secret is shown only once."""
    sent: TokenWanted = request.data
    access = request.service.access
    if sent.kind == "code":
        issued = access.add_code(_code(sent))
    elif sent.id is None:
        raise MalformedError(phrase("token_without_id"), field="id")
    else:
        issued = access.add_token(msgspec.convert(sent, NewToken, from_attributes=True))
    return Response(issued, status_code=201, headers={"location": f"{PREFIX}/tokens/{issued.token.id}"})


def _code(sent: TokenWanted) -> NewCode:
    role: Literal["viewer", "recorder"]
    match sent.role:
        case "viewer" | "recorder":
            role = sent.role
        case _:
            raise MalformedError(phrase("role_of_code"), text=sent.role, field="role")
    if sent.tables is None or sent.expires_at is None or sent.seat is not None or sent.hands:
        raise MalformedError(phrase("code_wants"), field="tables" if sent.tables is None else "expires_at")
    return NewCode(tables=sent.tables, role=role, until=sent.expires_at, id=sent.id, may_open=sent.may_open)


@route("DELETE", "/tokens/{id}", "admin", answers={204: None}, problems=("not_found",))
def revoke_token(request: Request, id: str) -> Response:
    """Revoke a token or a code at once, with all sessions that use it."""
    request.service.access.revoke(id)
    return Response(status_code=204)
