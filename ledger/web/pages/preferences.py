"""What a reader has chosen for all pages: a cookie of his browser, else what that says of itself."""

from __future__ import annotations

from typing import Final, cast

from msgspec import structs

from ledger.errors import NotFoundError
from ledger.i18n import LANGUAGES
from ledger.text.letters import LETTERS, CountryLetters, letters_of
from ledger.text.site.look import THEMES, Look, Theme
from ledger.web.http.auth import cookie_of
from ledger.web.http.reading import TableReading, read_table
from ledger.web.http.request import Asked, Headers

COOKIE: Final = "look"

_YEAR_S: Final = 365 * 24 * 3600


def chosen_language(headers: Headers) -> str | None:
    """The language that somebody chose; None where he did not."""
    told = _chosen(headers)[0]
    return told if told in LANGUAGES else None


def look_of(headers: Headers, lang: str) -> Look:
    """How the pages are to be told; the letters of cards are those of the browser's language unless chosen."""
    _, theme, letters = _chosen(headers)
    return Look(
        lang=lang,
        theme=cast(Theme, theme) if theme in THEMES else "auto",
        letters=cast(CountryLetters, letters) if letters in LETTERS else _letters_of(headers.get("accept-language")),
    )


def reader_of(asked: Asked) -> Look:
    """Return how whoever asks reads a page; a page about a table shows the cards of that table's pack."""
    look, table = look_of(asked.headers, asked.lang), asked.parameters.get("table")
    if table is None:
        return look
    try:
        read = read_table(structs.replace(asked, query=TableReading()), table, is_shown=True)
    except NotFoundError:
        return look
    return structs.replace(look, letters=letters_of(read.fold.pack, look.letters))


def kept(look: Look) -> str:
    """The cookie that keeps a choice for a year; it is no secret, and is sent after a link from elsewhere, too."""
    return f"{COOKIE}={look.lang}.{look.theme}.{look.letters}; Path=/; Max-Age={_YEAR_S}; SameSite=Lax"


def _chosen(headers: Headers) -> tuple[str, str, str]:
    lang, theme, letters, *_ = [*(cookie_of(headers, COOKIE) or "").split("."), "", "", ""]
    return lang, theme, letters


def _letters_of(header: str | None) -> CountryLetters:
    first = (header or "").partition(",")[0].partition("-")[0].strip().lower()
    return cast(CountryLetters, first) if first in LETTERS else "en"
