"""Signing in and out in a browser: by the card on the table, its eight digits, or a personal token."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Final, NamedTuple
from unicodedata import normalize
from urllib.parse import urlencode

from msgspec import Meta, Struct, structs

from ledger.access.base import Denial
from ledger.errors import MalformedError
from ledger.text.site.catalogue import say
from ledger.web.api.access import SignIn, signed_in, signed_out
from ledger.web.http.auth import LOOPBACK, NOBODY, PUBLIC, Denied
from ledger.web.http.problems import STATUSES, WebError
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import form, page
from ledger.web.pages.frame import elsewhere, html, shown_names
from ledger.web.pages.redirects import MARKED, SIGN_IN, UNMARKED, first_page_of, has_left_its_cookie, own_address
from ledger.web.pages.shown_tables import title_by_slug

Next = Annotated[str, Meta(max_length=1_000)]

_BETWEEN: Final = re.compile(r"[\s.\-\u2010-\u2015\u30fc]")
_DENIED: Final[Mapping[str, Mapping[Denial, str]]] = {
    "code": {"unknown": "doors.code_unknown", "expired": "doors.code_over", "revoked": "doors.code_revoked"},
    "token": {"unknown": "doors.token_unknown", "expired": "doors.token_over", "revoked": "doors.token_revoked"},
}


class SigningIn(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`next`: the page of ours to go on to."""

    next: Next | None = None


class SignInShown(SigningIn, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`numbered`: the browser has just signed in, and its name got a number."""

    numbered: bool = False


class SignInForm(SignIn, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fields of the sign-in form."""

    next: Next | None = None


class FieldError(NamedTuple):
    """The wrong field of a form, and its message."""

    field: str
    text: str


@page(SIGN_IN, "none", query=SignInShown)
async def sign_in_page(request: Request) -> Response:
    """Show the sign-in; redirect a client that is signed in already."""
    next_address = own_address(request.query.next)
    cookies = [UNMARKED] if has_left_its_cookie(request) else []
    if next_address is not None and request.grant not in (NOBODY, PUBLIC) and not request.query.numbered:
        return elsewhere(next_address, *cookies)
    return _page(request, next_address, cookies=cookies, is_numbered=request.query.numbered)


@form(SIGN_IN, "none", body=SignInForm, is_secret=True)
async def sign_in_typed(request: Request) -> Response:
    """Sign in and redirect, or show the page again with a message at the wrong field."""
    sent: SignInForm = request.data
    next_address = own_address(sent.next)
    try:
        session = await signed_in(request, structs.replace(sent, code=_digits(sent.code)))
    except (WebError, MalformedError) as error:
        wrong, status = _wrong(request, sent, error), STATUSES[error.code]
        answer = await request.service.run_in_thread(lambda: _page(request, next_address, wrong, sent, status=status))
        return answer.with_headers(error.headers) if isinstance(error, WebError) else answer
    there = next_address or first_page_of(session.grant)
    name = session.name
    if name is not None and session.grant.name not in (normalize("NFC", name), request.grant.name):
        there = f"{SIGN_IN}?{urlencode({'next': there, 'numbered': 'true'})}"
    return elsewhere(there, session.cookie, MARKED)


@form("/sign-out", "any", body=SigningIn)
def sign_out_typed(request: Request) -> Response:
    """End the session of this browser."""
    return elsewhere("/", signed_out(request), UNMARKED)


def _digits(code: str | None) -> str | None:
    """Return the code without separators; full-width digits are accepted, too."""
    return None if code is None else _BETWEEN.sub("", normalize("NFKC", code))


def _page(
    request: Request,
    next_address: str | None,
    wrong: FieldError | None = None,
    typed: SignInForm | None = None,
    *,
    status: int = 200,
    cookies: Sequence[str] = (),
    is_numbered: bool = False,
) -> Response:
    grant = request.grant
    return html(
        request,
        "login.html",
        status=status,
        cookies=cookies,
        next_address=next_address,
        wrong=wrong,
        typed_name=(typed and typed.name) or "",
        typed_code=(typed and typed.code) or "",
        tables=[title_by_slug(request, table) for table in grant.tables or ()],
        grant=None if grant in (NOBODY, PUBLIC) else grant,
        name=shown_names(request.service, grant.name or grant.token),
        is_at_the_machine=grant is LOOPBACK,
        is_numbered=is_numbered,
        first_page=first_page_of(grant),
        everybody_looks_on=request.service.settings.public,
    )


def _wrong(request: Request, sent: SignInForm, error: WebError | MalformedError) -> FieldError:
    field = "token" if sent.token is not None and sent.code is None else "code"
    if isinstance(error, Denied):
        return FieldError(field, say(request.lang, _DENIED[field][error.denial]))
    if isinstance(error, WebError):
        return FieldError(field, say(request.lang, "doors.too_often"))
    if error.faulty_field == "name":
        return FieldError("name", say(request.lang, "doors.name_unreadable"))
    return FieldError("code", say(request.lang, "doors.nothing_typed"))
