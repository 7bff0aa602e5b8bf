"""Which seat is below in the picture of a table: a choice of the device for each table, else the reader's own."""

from __future__ import annotations

from typing import Final

from ledger.access.grants import Grant
from ledger.web.http.auth import cookie_of
from ledger.web.http.request import Asked

_A_YEAR_S: Final = 365 * 24 * 3600
_PREFIX: Final = "below-"


def below_of(asked: Asked, table: str, seats: int) -> int:
    """Return the seat at the reader's side: as the device has turned the table, else their own, else seat 0."""
    told = cookie_of(asked.headers, _PREFIX + table) or ""
    return int(told) if told in map(str, range(seats)) else own_seat(asked.grant, table, seats) or 0


def own_seat(grant: Grant, table: str, seats: int) -> int | None:
    """Return the seat of the table that the reader's token is bound to; None without one."""
    is_bound = grant.seat is not None and grant.seat < seats and table in (grant.tables or ())
    return grant.seat if is_bound else None


def kept_below(table: str, seat: int) -> str:
    """The cookie that keeps it; nobody else hears of it."""
    return f"{_PREFIX}{table}={seat}; Path=/; Max-Age={_A_YEAR_S}; SameSite=Lax"
