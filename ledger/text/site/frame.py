"""Render pages in their common frame (bar, menu and foot) with the reader's display preferences."""

from __future__ import annotations

from functools import cache, partial
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment
from markupsafe import Markup
from msgspec import Struct

from ledger.i18n import plural_forms
from ledger.i18n.languages import language_names
from ledger.text.cards import signed_amount
from ledger.text.catalogue import label, writer_name
from ledger.text.letters import lettered, spanish_pack
from ledger.text.site.cards import (
    Preferences,
    card_mark,
    card_name,
    card_shapes,
    colour_suits,
    laid_card,
    mark_code,
    suit_name,
    with_aria_text,
)
from ledger.text.site.catalogue import say
from ledger.text.site.files import address_of, modules
from ledger.text.site.rulebook import link_rules
from ledger.text.templating import templates_of


class Frame(Struct, frozen=True, kw_only=True):
    """The surroundings of a page.

    `path`: the path of the page. `query`: its parameters except the language. `club`: the club's name. `name`: the name
    of the signed-in person, None if nobody is signed in. `opens`: the pages of the menu that the reader may open.
    `csrf`: the token that forms send along.
    """

    preferences: Preferences
    path: str
    query: str = ""
    club: str
    name: str | None = None
    opens: frozenset[str] = frozenset()
    csrf: str | None = None

    def address(self, **parameters: str) -> str:
        """Return the address of this page with more parameters. It never leads to another host, whatever `path` is."""
        encoded = "&".join(filter(None, (self.query, urlencode(parameters))))
        return f"/{quote(self.path.lstrip('/'))}?{encoded}"


def page_of(template: str, frame: Frame, **shown: Any) -> str:
    """Render a page, or a part of one if the template has no frame. All values are escaped."""
    preferences = frame.preferences
    return (
        _templates()
        .get_template(template)
        .render(
            frame=frame,
            preferences=preferences,
            lang=preferences.lang,
            languages=language_names(),
            say=partial(_message, preferences),
            forms=partial(plural_forms, "ledger.text.site", preferences.lang),
            label=partial(label, preferences.lang),
            writer_name=partial(writer_name, lang=preferences.lang),
            colour_suits=partial(colour_suits, preferences=preferences),
            named=partial(lettered, letters=preferences.letters, lang=preferences.lang),
            link_rules=partial(link_rules, preferences=preferences),
            mark_code=mark_code,
            with_aria_text=partial(with_aria_text, preferences=preferences),
            card=partial(card_mark, preferences=preferences),
            card_name=partial(card_name, preferences=preferences),
            suit_name=partial(suit_name, preferences=preferences),
            card_shapes=partial(card_shapes, preferences),
            laid_card=partial(laid_card, preferences=preferences),
            address_of=address_of,
            spanish_pack=spanish_pack,
            modules=modules,
            **shown,
        )
    )


def _message(preferences: Preferences, key: str, /, **values: Any) -> Markup:
    """Return a message of the catalogue with its cards in colour."""
    return colour_suits(say(preferences.lang, key, **values), preferences)


@cache
def _templates() -> Environment:
    return templates_of("ledger.text.site", signed=signed_amount)
