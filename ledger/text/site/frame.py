"""The frame of all pages: bar, menu and foot around what a page has to say, in the look of who reads it."""

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
    Look,
    card_mark,
    card_name,
    card_shapes,
    coded,
    laid_card,
    seen_and_heard,
    suit_name,
    suited,
)
from ledger.text.site.catalogue import say
from ledger.text.site.files import address_of, modules
from ledger.text.site.rulebook import ruled
from ledger.text.templating import templates_of


class Frame(Struct, frozen=True, kw_only=True):
    """What stands around a page. `path`: of the page itself; `query`: its parameters, without the language.

    `club`: whose pages these are. `name`: of who is signed in, None where nobody is. `may_look`, `may_record`: which
    pages the menu leads to. `csrf`: what their forms send along.
    """

    look: Look
    path: str
    query: str = ""
    club: str
    name: str | None = None
    may_look: bool = True
    may_record: bool = False
    csrf: str | None = None

    def address(self, **parameters: str) -> str:
        """This page with other parameters besides its own; never one of another host, whatever its path says."""
        told = "&".join(filter(None, (self.query, urlencode(parameters))))
        return f"/{quote(self.path.lstrip('/'))}?{told}"


def page_of(template: str, frame: Frame, **shown: Any) -> str:
    """A page, or a part of one where the template has no frame; every text that is shown is escaped."""
    look = frame.look
    return (
        _templates()
        .get_template(template)
        .render(
            frame=frame,
            look=look,
            lang=look.lang,
            languages=language_names(),
            say=partial(_said, look),
            forms=partial(plural_forms, "ledger.text.site", look.lang),
            label=partial(label, look.lang),
            writer_name=partial(writer_name, lang=look.lang),
            suited=partial(suited, look=look),
            named=partial(lettered, letters=look.letters, lang=look.lang),
            ruled=partial(ruled, look=look),
            coded=coded,
            seen_and_heard=partial(seen_and_heard, look=look),
            card=partial(card_mark, look=look),
            card_name=partial(card_name, look=look),
            suit_name=partial(suit_name, look=look),
            card_shapes=partial(card_shapes, look),
            laid_card=partial(laid_card, look=look),
            address_of=address_of,
            spanish_pack=spanish_pack,
            modules=modules,
            **shown,
        )
    )


def _said(look: Look, key: str, /, **values: Any) -> Markup:
    """A sentence of the catalogue with its cards in colours."""
    return suited(say(look.lang, key, **values), look)


@cache
def _templates() -> Environment:
    return templates_of("ledger.text.site", signed=signed_amount)
