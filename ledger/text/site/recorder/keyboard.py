"""Draw the keyboard of a recorder: keys of cards, buttons, and what the page offers without the server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct, structs, to_builtins

from ledger.cards import UNKNOWN
from ledger.events import (
    Announced,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    Event,
    PartnerCalled,
    TrickGathered,
)
from ledger.games.kernel.protocol import Game
from ledger.i18n import sentence
from ledger.recording.board.keyboard import Key, Keyboard, keys_in_row, pack_at
from ledger.recording.board.offers import Offer, OffersBySeat, vocabulary
from ledger.recording.typed.situation import Situation, machine_now
from ledger.table.fold import TableFold
from ledger.text.site.catalogue import say
from ledger.text.site.recorder.acts import ActFormatter

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
    act_text: str | None
    is_of_hand: bool


def drawn_keyboard(keyboard: Keyboard, players: Sequence[str], game: Game, lang: str) -> DrawnKeyboard:
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
        act_text=None if keyboard.purpose == "play" else card_act_text(_KINDS[keyboard.purpose], lang),
        is_of_hand=keyboard.is_of_hand,
    )


def card_act_text(kind: type[Event], lang: str) -> str:
    """How a card that is not played is told, with gaps for the card and for who names it."""
    if kind is CardTurned:
        return say(lang, "rec.has_turned", card="{card}")
    return say(lang, "rec.act_of", name="{name}", what=say(lang, "rec.has_called", card="{card}"))


def _template(keyboard: Keyboard) -> str | None:
    match keyboard.purpose:
        case "turn":
            return as_json({"type": CardTurned.__struct_config__.tag})
        case "call":
            return as_json({"type": PartnerCalled.__struct_config__.tag, "seat": None})
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


def as_json(value: object) -> str:
    return msgspec.json.encode(value).decode()


_SEAT = "seat"


class Button(Struct, frozen=True, kw_only=True):
    """`acts`: the events as JSON; `told`: how the act is called where it waits, is announced or taken back.

    `cost`: that the deal will have no score after it; empty where it may have one.
    """

    label: str
    note: str = ""
    acts: str
    act_text: str
    is_as_played: bool = False
    cost: str = ""


class OfferRow(Struct, frozen=True):
    """One thing, and a button for each who may say or do it.

    `note`: what it is played for; `cost`: as of a button, the same for every seat.
    """

    said: str
    note: str
    buttons: tuple[Button, ...]
    cost: str = ""


def button(offer: Offer, formatter: ActFormatter) -> Button:
    """What the one who is due may do."""
    return Button(
        label=formatter.word(offer.act),
        note=formatter.stakes(offer.act),
        acts=acts_of(offer.events),
        act_text=formatter.with_name(offer.act),
    )


def seat_button(offer: Offer, formatter: ActFormatter) -> Button:
    """The same by the name of who does it."""
    act = offer.act
    seats: Sequence[int] = getattr(act, "seats", None) or ()
    seat = getattr(act, _SEAT, None)
    label = formatter.names(seats or ((seat,) if seat is not None else ())) or formatter.word(act)
    return Button(label=label, acts=acts_of(offer.events), act_text=formatter.with_name(act))


def offer_row(by_whom: OffersBySeat, formatter: ActFormatter) -> OfferRow:
    buttons = tuple(seat_button(offer, formatter) for offer in by_whom.offers)
    return OfferRow(formatter.word(by_whom.act), formatter.stakes(by_whom.act), buttons)


def all_pass(offer: Offer, formatter: ActFormatter) -> Button:
    """The run of passes, with the names of who pass."""
    passes = [event for event in offer.events if type(event) is type(offer.act)]
    names = formatter.wording.listed(formatter.players[getattr(event, _SEAT)] for event in passes)
    return Button(label="", note=names, acts=acts_of(offer.events), act_text=formatter.repeated(offer.events))


def anyones_button(by_whom: OffersBySeat, formatter: ActFormatter) -> Button:
    """A word that anybody may have said: whose plate is tapped or lit says it."""
    template = [_without_seat(by_whom.act)]
    act_text = say(formatter.lang, "rec.act_of", name="{name}", what=formatter.action(by_whom.act))
    return Button(label=formatter.word(by_whom.act), acts=as_json(template), act_text=act_text)


def unseen_card_button(formatter: ActFormatter) -> Button:
    """A card that nobody saw, played by whoever's card is due."""
    played = anyones_button(OffersBySeat((Offer((CardPlayed(seat=0, card=UNKNOWN),)),)), formatter)
    return structs.replace(played, label=say(formatter.lang, "rec.not_seen"))


def start_button(event: Event, formatter: ActFormatter, *, label: str = "", is_as_played: bool = False) -> Button:
    """An act that nobody at the table is due for."""
    return Button(
        label=label or formatter.with_name(event),
        acts=acts_of((event,)),
        act_text=formatter.with_name(event),
        is_as_played=is_as_played,
    )


def acts_of(events: Iterable[Event]) -> str:
    """Events as a button sends them."""
    return as_json(list(events))


def _without_seat(event: Event) -> dict[str, object]:
    fields: dict[str, object] = to_builtins(event)
    if isinstance(event, Announced):
        fields.pop("seats", None)
    return {**fields, _SEAT: None}


class Meaning(Struct, frozen=True):
    """What a tapped card may be, besides played. `template`: the event without its card, as JSON; `told`: the act."""

    said: str
    template: str
    act_text: str


class UncheckedActs(Struct, frozen=True):
    """All that may be said, each for whoever is named; how many cards may be exchanged; the cards of the table.

    `unseen`: a card that nobody saw. `means`: what a tapped card may be; `hand`: the cards that each of those `playing`
    gets.
    """

    words: tuple[Button, ...]
    counts: tuple[Button, ...]
    unseen: Button
    means: tuple[Meaning, ...]
    suits: tuple[tuple[str, ...], ...]
    hand: int
    playing: int

    @property
    def keys_in_row(self) -> int:
        return keys_in_row(max(map(len, self.suits)))

    @property
    def is_high(self) -> bool:
        return max(map(len, self.suits)) > self.keys_in_row


def unchecked_acts_of(fold: TableFold, now: Situation, formatter: ActFormatter) -> UncheckedActs:
    offered = [one for one in vocabulary(now) if not isinstance(one.act, TrickGathered)]
    words = tuple(
        anyones_button(one, formatter) for one in (*offered, OffersBySeat((Offer((TrickGathered(seat=0),)),)))
    )
    kinds = fold.game.event_types
    hands = [hand for hand in _hands_of_a_deal(fold) if hand]
    longest = max(hands, default=0)
    return UncheckedActs(
        words,
        tuple(_count(count, formatter) for count in range(longest + 1) if CardsExchanged in kinds),
        unseen_card_button(formatter),
        tuple(_meaning(kind, formatter) for kind in (CardTurned, PartnerCalled) if kind in kinds),
        pack_at(fold.game, fold.options),
        longest,
        len(hands),
    )


def hands_awaited(fold: TableFold) -> str | None:
    """How many cards each seat is dealt, as JSON, where no hands were told yet; else None."""
    machine = machine_now(fold)
    return None if machine is None else as_json([len(hand) for hand in machine.view().hands])


def _hands_of_a_deal(fold: TableFold) -> list[int]:
    """How many cards each seat gets in a deal; whoever deals, there are as many hands of as many cards."""
    machine = fold.game.make_match(fold.options, len(fold.players)).start_deal(0)
    machine.apply(CardsDealt(hands=(None,) * len(fold.players)), 0)
    return [len(hand) for hand in machine.view().hands]


def _meaning(kind: type[Event], formatter: ActFormatter) -> Meaning:
    event: dict[str, object] = {"type": str(kind.__struct_config__.tag)}
    if kind is CardTurned:
        return Meaning(say(formatter.lang, "rec.is_turned"), as_json(event), card_act_text(kind, formatter.lang))
    return Meaning(
        say(formatter.lang, "rec.is_called"), as_json(event | {"seat": None}), card_act_text(kind, formatter.lang)
    )


def _count(count: int, formatter: ActFormatter) -> Button:
    exchanged = anyones_button(OffersBySeat((Offer((CardsExchanged(seat=0, count=count),)),)), formatter)
    return structs.replace(exchanged, label=str(count))
