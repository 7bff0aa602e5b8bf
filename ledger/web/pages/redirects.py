"""Where a reader is led after he has signed in: pages of ours alone, never another host."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from ledger.access.grants import Grant
from ledger.web.http.routing import PREFIX

SIGN_IN: Final = "/sign-in"

_OURS: Final = re.compile(r"/(?![/\\])[!-\[\]-~]*")
"""A path as it is sent; what begins with two slashes names a host."""

_LONGEST: Final = 1_000


def own_address(told: str | None) -> str | None:
    """A page of ours with its parameters; None for anything else, and for signing in itself."""
    if told is None or len(told) > _LONGEST or _OURS.fullmatch(told) is None:
        return None
    path = told.partition("?")[0].partition("#")[0]
    is_page = path not in (SIGN_IN, PREFIX) and not path.startswith(f"{PREFIX}/")
    return told if is_page else None


def address_asked(scope: Mapping[str, Any]) -> str:
    """The address of a request as it was sent, without its host."""
    path: str = scope["raw_path"].decode("ascii", "replace")
    query: str = scope["query_string"].decode("ascii", "replace")
    return f"{path}?{query}" if query else path


def sign_in_and_back(address: str) -> str:
    """Where one signs in, to come back to this address."""
    onward = own_address(address)
    return SIGN_IN if onward in (None, "/") else f"{SIGN_IN}?next={quote(str(onward), safe='')}"


def first_page_of(grant: Grant) -> str:
    """Where somebody goes who has just signed in: who records at a table to that table."""
    if not grant.at_least("recorder") or grant.at_least("director"):
        return "/"
    if grant.tables is not None and len(grant.tables) == 1:
        return f"/record/{quote(grant.tables[0], safe='')}"
    return "/record"
