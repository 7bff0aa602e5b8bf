"""Tokens of the service and the codes of its tables."""

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
    """Gives out a token for the service of a ledger, shown this once; with `url` also the link to sign in by.

    `tables`: None means all; `expires`: None means never. Raises `MalformedError` for rights that no token can have,
    `ConflictError` for an id that was used before.
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
    """Gives out a code of eight digits, by which the phones at these tables sign in until a moment.

    Without an `id` it is called `code-1`, `code-2`, …. Raises as `add_token`.
    """

    new = NewCode(id=id, tables=tuple(tables), until=timestamp(until), role=role, may_open=may_open)
    with closing(open_access(ledger)) as access:
        return _linked(lambda: access.add_code(new), url)


def _linked(issue: Callable[[], Issued], url: str | None) -> Issued:
    """What is given out, with its link; an address that is none is told before."""

    if url is None:
        return issue()
    checked_url(url)
    issued = issue()
    return replace(issued, link=sign_in_link(url, issued.secret))


def list_tokens(ledger: str | Path) -> list[TokenFacts]:
    """All tokens and codes that were given out, revoked ones, too; the oldest first, and none with its secret."""

    with closing(open_access(ledger)) as access:
        return access.tokens()


def revoke_token(ledger: str | Path, id: str) -> TokenFacts:
    """Ends a token or code at once, with all who signed in by it; raises `NotFoundError` where there is none."""

    with closing(open_access(ledger)) as access:
        return access.revoke(id)


def token_clock_ahead(ledger: str | Path) -> str | None:
    """Return the moment that the ends of tokens are counted from where this machine's clock is well behind it.

    The clock once showed that moment. None where both agree.
    """

    with closing(open_access(ledger)) as access:
        return access.clock_ahead()


def reset_token_clock(ledger: str | Path) -> list[TokenFacts]:
    """Count the ends of tokens by this machine's clock again; return what `list_tokens` returns.

    What ended only because the clock once showed a later moment opens again, also for a service that is running.
    """

    with closing(open_access(ledger)) as access:
        access.reset_clock()
        return access.tokens()


def qr_picture(text: str, form: Literal["text", "svg", "png"] = "text") -> bytes:
    """A QR code of a text, such as a link to sign in by; as text to be shown dark on light.

    Raises `NotFoundError` where the extra `serve` is missing."""
    from ledger.text.qr import qr_file, qr_lines

    return "".join(f"{line}\n" for line in qr_lines(text)).encode() if form == "text" else qr_file(text, form)
