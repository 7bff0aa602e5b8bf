"""The reader's preferences: language, theme and letters on the cards, stored by the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import Struct, field

from ledger.i18n import LANGUAGES
from ledger.text.letters import LETTERS, CountryLetters
from ledger.text.site.cards import THEMES, Preferences, Theme
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import form, page
from ledger.web.pages.frame import elsewhere, html, preferences_cookie

_PATH: Final = "/settings"

if TYPE_CHECKING:
    Language: TypeAlias = str
else:
    Language = Literal[LANGUAGES]


class SettingsQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`kept`: the preferences were stored a moment ago."""

    saved: Literal["yes"] | None = field(name="kept", default=None)


class SettingsSent(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fields of the form."""

    language: Language
    theme: Theme
    letters: CountryLetters


@page(_PATH, "none", query=SettingsQuery)
async def settings(request: Request) -> Response:
    """Show the preferences."""
    return html(request, "settings.html", themes=THEMES, letters=LETTERS, was_kept=request.query.saved is not None)


@form(_PATH, "none", body=SettingsSent)
async def keep_settings(request: Request) -> Response:
    """Store the preferences for all pages in this browser."""
    sent: SettingsSent = request.data
    preferences = Preferences(lang=sent.language, theme=sent.theme, letters=sent.letters)
    return elsewhere(f"{_PATH}?kept=yes", preferences_cookie(preferences))
