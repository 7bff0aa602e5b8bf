"""Cards of a page: keys to tap, cards that lie on the table, and what each is called where it is not seen.

The keys are text beside a suit, so that they grow with a reader's letters; a card that lies is drawn as in the pictures
of the table, from the shapes that the page has once (`card_shapes`).
"""

from __future__ import annotations

from typing import Final

from markupsafe import Markup, escape

from ledger.cards import PACK_52, SUITS, UNKNOWN
from ledger.text.pictures.cards import CARD_HEIGHT, CARD_WIDTH, card_body, parts_of
from ledger.text.pictures.moment import spoken, suit_spoken
from ledger.text.site.look import Look
from ledger.text.words import label

_VIEW: Final = f"0 0 {CARD_WIDTH} {CARD_HEIGHT}"


def card_face(card: str, look: Look) -> str:
    """What stands on it: `10`, `R`; one that is not known has `??`."""
    return UNKNOWN if card == UNKNOWN else look.rank(card[1])


def card_name(card: str, look: Look) -> str:
    """What it is called: `ace of hearts`."""
    return spoken(card, look.lang, look.letters)


def suit_name(suit: str, look: Look) -> str:
    return suit_spoken(suit, look.lang, look.letters)


def card_shapes(look: Look) -> Markup:
    """What all cards of a page are drawn of; it stands there once, before them, and is not seen."""
    parts = parts_of((*PACK_52, UNKNOWN), SUITS, look.letters)
    return Markup(f'<svg class="hide" aria-hidden="true" focusable="false">{parts}</svg>')


def laid_card(card: str, look: Look, name: str = "") -> Markup:
    """A card that lies on the table, face up. `name`: what it is called where it is not seen, by default its own."""
    suit = "back" if card == UNKNOWN else f"k{card[0]}"
    named = escape(name or card_name(card, look))
    return Markup(
        f'<svg class="card one {suit}" viewBox="{_VIEW}" role="img" aria-label="{named}">{card_body(card)}</svg>'
    )


def card_key(card: str, look: Look, *, fit: str = "", note: str = "") -> Markup:
    """A key that records the card. `fit`: its class, as `off` where it does not follow; `note`: words beneath it."""
    name, face = card_name(card, look), card_face(card, look)
    beneath = Markup("<small>{}</small>").format(note) if note else ""
    return Markup(
        '<button class="{}" id="key-{}" name="card" value="{}" aria-label="{}"><b>{}</b>'
        '<svg viewBox="0 0 100 100" aria-hidden="true"><use href="#{}"/></svg>{}</button>'
    ).format(
        " ".join(filter(None, ("key", f"k{card[0]}", fit))),
        card,
        card,
        label(look.lang, "list").join((name, note)) if note else name,
        face,
        card[0],
        beneath,
    )


def card_hole(card: str, by: str) -> Markup:
    """The place of a card that is gone: who played it."""
    return Markup('<span class="hole" id="key-{}">{}</span>').format(card, by)
