"""What a reader has chosen for all pages, or for one table: cookies of his browser, else what that says of itself."""

from __future__ import annotations

from typing import Final, cast

from msgspec import structs
from starlette.requests import HTTPConnection

from ledger.access.grants import Grant
from ledger.errors import NotFoundError
from ledger.i18n import LANGUAGES
from ledger.text.letters import LETTERS, CountryLetters, letters_of
from ledger.text.site.cards import THEMES, Look, Theme
from ledger.web.http.auth import cookie_of
from ledger.web.http.reading import TableReading, read_table
from ledger.web.http.request import Request

COOKIE: Final = "look"

_YEAR_S: Final = 365 * 24 * 3600


def chosen_language(connection: HTTPConnection) -> str | None:
    """The language that somebody chose; None where he did not."""
    told = _chosen(connection)[0]
    return told if told in LANGUAGES else None


def look_of(connection: HTTPConnection, lang: str) -> Look:
    """How the pages are to be told; the letters of cards are those of the browser's language unless chosen."""
    _, theme, letters = _chosen(connection)
    return Look(
        lang=lang,
        theme=cast(Theme, theme) if theme in THEMES else "auto",
        letters=cast(CountryLetters, letters)
        if letters in LETTERS
        else _letters_of(connection.headers.get("accept-language")),
    )


def reader_of(request: Request) -> Look:
    """Return how whoever asks reads a page; a page about a table shows the cards of that table's pack."""
    look, table = look_of(request, request.lang), request.path_params.get("table")
    if table is None:
        return look
    try:
        read = read_table(request.replace(query=TableReading()), table, is_shown=True)
    except NotFoundError:
        return look
    return structs.replace(look, letters=letters_of(read.fold.pack, look.letters))


def kept(look: Look) -> str:
    """The cookie that keeps a choice for a year; it is no secret, and is sent after a link from elsewhere, too."""
    return f"{COOKIE}={look.lang}.{look.theme}.{look.letters}; Path=/; Max-Age={_YEAR_S}; SameSite=Lax"


def _chosen(connection: HTTPConnection) -> tuple[str, str, str]:
    lang, theme, letters, *_ = [*(cookie_of(connection, COOKIE) or "").split("."), "", "", ""]
    return lang, theme, letters


def _letters_of(header: str | None) -> CountryLetters:
    first = (header or "").partition(",")[0].partition("-")[0].strip().lower()
    return cast(CountryLetters, first) if first in LETTERS else "en"


_A_YEAR_S: Final = 365 * 24 * 3600
_PREFIX: Final = "below-"


def below_of(request: Request, table: str, seats: int) -> int:
    """Return the seat at the reader's side: as the device has turned the table, else their own, else seat 0."""
    told = cookie_of(request, _PREFIX + table) or ""
    return int(told) if told in map(str, range(seats)) else own_seat(request.grant, table, seats) or 0


def own_seat(grant: Grant, table: str, seats: int) -> int | None:
    """Return the seat of the table that the reader's token is bound to; None without one."""
    is_bound = grant.seat is not None and grant.seat < seats and table in (grant.tables or ())
    return grant.seat if is_bound else None


def kept_below(table: str, seat: int) -> str:
    """The cookie that keeps it; nobody else hears of it."""
    return f"{_PREFIX}{table}={seat}; Path=/; Max-Age={_A_YEAR_S}; SameSite=Lax"
