"""Tokens of the service and codes of its tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from ledger.access.base import Issued, NewCode, NewToken, TokenFacts
from ledger.access.grants import Role
from ledger.access.stores import open_access
from ledger.access.tokens import checked_url, sign_in_link
from ledger.log.append_rules import timestamp


def add_token(
    ledger: str | Path,
    id: str,
    *,
    role: Role,
    tables: Sequence[str] | None = None,
    seat: int | None = None,
    hands: bool = False,
    may_open: bool = False,
    expires: datetime | None = None,
    url: str | None = None,
) -> Issued:
    """Create a token for the service of a ledger, shown only once; with `url` also the link for signing in.

    `tables`: None means all; `expires`: None means never. Raise `MalformedError` for impossible rights, `ConflictError`
    for an id that was used before.
    """

    new = NewToken(
        id=id,
        role=role,
        tables=None if tables is None else tuple(tables),
        seat=seat,
        hands=hands,
        may_open=may_open,
        expires_at=None if expires is None else timestamp(expires),
    )
    with closing(open_access(ledger)) as access:
        return _linked(lambda: access.add_token(new), url)


def add_code(
    ledger: str | Path,
    id: str | None = None,
    *,
    tables: Sequence[str],
    until: datetime,
    role: Literal["viewer", "recorder"] = "recorder",
    may_open: bool = False,
    url: str | None = None,
) -> Issued:
    """Create a code of eight digits with which the phones at these tables sign in until a moment.

    Without an `id` it is named `code-1`, `code-2`, …. Raise as `add_token`.
    """

    new = NewCode(id=id, tables=tuple(tables), until=timestamp(until), role=role, may_open=may_open)
    with closing(open_access(ledger)) as access:
        return _linked(lambda: access.add_code(new), url)


def _linked(issue: Callable[[], Issued], url: str | None) -> Issued:
    """Issue the token with its link; check the address first."""

    if url is None:
        return issue()
    checked_url(url)
    issued = issue()
    return replace(issued, link=sign_in_link(url, issued.secret))


def list_tokens(ledger: str | Path) -> list[TokenFacts]:
    """List all tokens and codes without their secrets, including revoked ones, the oldest first."""

    with closing(open_access(ledger)) as access:
        return access.tokens()


def revoke_token(ledger: str | Path, id: str) -> TokenFacts:
    """Revoke a token or code at once, with everybody who signed in with it; raise `NotFoundError` if there is none."""

    with closing(open_access(ledger)) as access:
        return access.revoke(id)


def token_clock_ahead(ledger: str | Path) -> str | None:
    """Return the moment from which expiry is counted if this machine's clock is well behind it, else None.

    The clock once showed that moment.
    """

    with closing(open_access(ledger)) as access:
        return access.clock_ahead()


def reset_token_clock(ledger: str | Path) -> list[TokenFacts]:
    """Count expiry by this machine's clock again; return what `list_tokens` returns.

    Tokens that expired only because the clock once showed a later moment become valid again, also for a running
    service.
    """

    with closing(open_access(ledger)) as access:
        access.reset_clock()
        return access.tokens()


def qr_picture(text: str, form: Literal["text", "svg", "png"] = "text") -> bytes:
    """Return a QR code of a text, e.g. a link for signing in; the format `text` is for dark modules on a light ground.

    Raise `NotFoundError` if the extra `serve` is missing.
    """
    from ledger.text.qr import qr_file, qr_lines

    return "".join(f"{line}\n" for line in qr_lines(text)).encode() if form == "text" else qr_file(text, form)
