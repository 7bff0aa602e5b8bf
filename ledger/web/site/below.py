"""Which seat is below in the picture of a table: a choice of the device, for each table."""

from __future__ import annotations

from typing import Final

from ledger.web.admitting import cookie_of
from ledger.web.asking import Asked

_A_YEAR_S: Final = 365 * 24 * 3600
_PREFIX: Final = "below-"


def below_of(asked: Asked, table: str, seats: int) -> int:
    """The seat at the side of whoever asks; 0 unless the picture was turned."""
    told = cookie_of(asked.headers, _PREFIX + table) or ""
    return int(told) if told in map(str, range(seats)) else 0


def kept_below(table: str, seat: int) -> str:
    """The cookie that keeps it; nobody else hears of it."""
    return f"{_PREFIX}{table}={seat}; Path=/; Max-Age={_A_YEAR_S}; SameSite=Lax"
