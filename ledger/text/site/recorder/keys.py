"""The keyboard as it is drawn: each card's class, name and reason; a hole with a name where it has been played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct, to_builtins

from ledger.events import CardTurned, Event, PartnerCalled
from ledger.games.kernel.protocol import Game
from ledger.i18n import sentence
from ledger.recording.board.keyboard import Key, Keyboard
from ledger.text.site.words import say

_CLASSES: Final = {"serves": "", "off": " off", "odd": " odd"}
_KINDS: Final[Mapping[str, type[Event]]] = {"turn": CardTurned, "call": PartnerCalled}


class DrawnKey(Struct, frozen=True, kw_only=True):
    """`hole`: the name of who played it; `why`: what it contradicts, with the rule."""

    card: str
    classes: str = ""
    is_odd: bool = False
    hole: str | None = None
    why: str | None = None
    rule: str | None = None


class DrawnSuit(Struct, frozen=True):
    suit: str
    keys: tuple[DrawnKey, ...]


class DrawnKeyboard(Struct, frozen=True, kw_only=True):
    """`template`: what a tap records where that is no card played, and `told`: how that act is told. `is_high`: it has
    two rows a suit.
    """

    suits: tuple[DrawnSuit, ...]
    keys_in_row: int
    is_high: bool
    seat: int | None
    template: str | None
    told: str | None
    is_of_hand: bool


def drawn(keyboard: Keyboard, players: Sequence[str], game: Game, lang: str) -> DrawnKeyboard:
    suits = tuple(
        DrawnSuit(suit[0].card[0], tuple(_key(key, keyboard, players, game, lang) for key in suit))
        for suit in keyboard.suits
    )
    return DrawnKeyboard(
        suits=suits,
        keys_in_row=keyboard.keys_in_row,
        is_high=any(len(suit) > keyboard.keys_in_row for suit in keyboard.suits),
        seat=keyboard.seat,
        template=_template(keyboard),
        told=None if keyboard.purpose == "play" else card_told(_KINDS[keyboard.purpose], lang),
        is_of_hand=keyboard.is_of_hand,
    )


def card_told(kind: type[Event], lang: str) -> str:
    """How a card that is not played is told, with gaps for the card and for who names it."""
    if kind is CardTurned:
        return say(lang, "rec.has_turned", card="{card}")
    return say(lang, "rec.act_of", name="{name}", what=say(lang, "rec.has_called", card="{card}"))


def _template(keyboard: Keyboard) -> str | None:
    match keyboard.purpose:
        case "turn":
            return _json({"type": CardTurned.__struct_config__.tag})
        case "call":
            return _json({"type": PartnerCalled.__struct_config__.tag, "seat": None})
    return None


def _key(key: Key, keyboard: Keyboard, players: Sequence[str], game: Game, lang: str) -> DrawnKey:
    if key.by is not None:
        return DrawnKey(card=key.card, hole=players[key.by])
    why, rule = None, None
    if key.why is not None:
        why, rule = sentence(game.package, key.why.words, players, lang, is_written=True), key.why.rule
    held = " held" if key.is_held and keyboard.is_of_hand else ""
    lit = " may" if held and key.fit != "odd" else ""
    classes = f"{_CLASSES[key.fit]}{held}{lit}"
    return DrawnKey(card=key.card, classes=classes, is_odd=key.fit == "odd", why=why, rule=rule)


def _json(value: object) -> str:
    return msgspec.json.encode(to_builtins(value)).decode()
