"""Draw a recorder's keyboard: card keys, buttons, and all that the page offers without the server."""

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
    """A key of a card. `hole`: the player who played it. `why`: what it contradicts, with its `rule`."""

    card: str
    classes: str = ""
    is_odd: bool = False
    hole: str | None = None
    why: str | None = None
    rule: str | None = None


class DrawnSuit(Struct, frozen=True):
    """The keys of a suit."""

    suit: str
    keys: tuple[DrawnKey, ...]


class DrawnKeyboard(Struct, frozen=True, kw_only=True):
    """A keyboard of cards.

    `template`: the event that a tap records if that is not a card played, as JSON, and `act_text`: its text. `is_high`:
    each suit has two rows.
    """

    suits: tuple[DrawnSuit, ...]
    keys_in_row: int
    is_high: bool
    seat: int | None
    template: str | None
    act_text: str | None
    is_of_hand: bool


def drawn_keyboard(keyboard: Keyboard, players: Sequence[str], game: Game, lang: str) -> DrawnKeyboard:
    """Return a keyboard with the players' names and the classes of its keys."""
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
    """Return the text of a card that is turned up or called, with placeholders for the card and the player."""
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
    """Return a value as JSON."""
    return msgspec.json.encode(value).decode()


_SEAT = "seat"


class Button(Struct, frozen=True, kw_only=True):
    """A button that records events.

    `acts`: the events as JSON. `act_text`: the name of the act while it waits, when it is announced and when it is
    undone. `cost`: the warning that the deal will have no score after it; else empty.
    """

    label: str
    note: str = ""
    acts: str
    act_text: str
    is_as_played: bool = False
    cost: str = ""


class OfferRow(Struct, frozen=True):
    """An act and a button for each player who may do it. `note`: its stake. `cost`: as for a button."""

    said: str
    note: str
    buttons: tuple[Button, ...]
    cost: str = ""


def button(offer: Offer, formatter: ActFormatter) -> Button:
    """Return the button of an act of the seat that is due."""
    return Button(
        label=formatter.word(offer.act),
        note=formatter.stakes(offer.act),
        acts=acts_of(offer.events),
        act_text=formatter.with_name(offer.act),
    )


def seat_button(offer: Offer, formatter: ActFormatter) -> Button:
    """Return the button of an act, labelled with its player."""
    act = offer.act
    seats: Sequence[int] = getattr(act, "seats", None) or ()
    seat = getattr(act, _SEAT, None)
    label = formatter.names(seats or ((seat,) if seat is not None else ())) or formatter.word(act)
    return Button(label=label, acts=acts_of(offer.events), act_text=formatter.with_name(act))


def offer_row(by_whom: OffersBySeat, formatter: ActFormatter) -> OfferRow:
    """Return an act with the buttons of its players."""
    buttons = tuple(seat_button(offer, formatter) for offer in by_whom.offers)
    return OfferRow(formatter.word(by_whom.act), formatter.stakes(by_whom.act), buttons)


def all_pass(offer: Offer, formatter: ActFormatter) -> Button:
    """Return the button that records the remaining passes, with the players' names."""
    passes = [event for event in offer.events if type(event) is type(offer.act)]
    names = formatter.wording.listed(formatter.players[getattr(event, _SEAT)] for event in passes)
    return Button(label="", note=names, acts=acts_of(offer.events), act_text=formatter.repeated(offer.events))


def anyones_button(by_whom: OffersBySeat, formatter: ActFormatter) -> Button:
    """Return the button of an act without a seat; the plate that is tapped or lit says whose act it is."""
    template = [_without_seat(by_whom.act)]
    act_text = say(formatter.lang, "rec.act_of", name="{name}", what=formatter.action(by_whom.act))
    return Button(label=formatter.word(by_whom.act), acts=as_json(template), act_text=act_text)


def unseen_card_button(formatter: ActFormatter) -> Button:
    """Return the button of a card that nobody saw, played by the seat whose turn it is."""
    played = anyones_button(OffersBySeat((Offer((CardPlayed(seat=0, card=UNKNOWN),)),)), formatter)
    return structs.replace(played, label=say(formatter.lang, "rec.not_seen"))


def start_button(event: Event, formatter: ActFormatter, *, label: str = "", is_as_played: bool = False) -> Button:
    """Return the button of an act that no player is due for."""
    return Button(
        label=label or formatter.with_name(event),
        acts=acts_of((event,)),
        act_text=formatter.with_name(event),
        is_as_played=is_as_played,
    )


def acts_of(events: Iterable[Event]) -> str:
    """Return events as the JSON that a button sends."""
    return as_json(list(events))


def _without_seat(event: Event) -> dict[str, object]:
    fields: dict[str, object] = to_builtins(event)
    if isinstance(event, Announced):
        fields.pop("seats", None)
    return {**fields, _SEAT: None}


class Meaning(Struct, frozen=True):
    """A meaning of a tapped card other than being played. `template`: the event without its card, as JSON."""

    said: str
    template: str
    act_text: str


class UncheckedActs(Struct, frozen=True):
    """All acts that can be recorded at a table without the server, each for the player who is named.

    `counts`: the possible sizes of an exchange. `unseen`: a card that nobody saw. `means`: the meanings of a tapped
    card. `suits`: the table's pack. `hand`: the cards that each of the `playing` players gets.
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
    """Return all acts that can be recorded at the table without the server."""
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


def hand_sizes(fold: TableFold) -> str | None:
    """Return the number of cards that each seat is dealt, as a JSON list, None if no deal is in progress."""
    machine = machine_now(fold)
    return None if machine is None else as_json([len(hand) for hand in machine.view().hands])


def _hands_of_a_deal(fold: TableFold) -> list[int]:
    """Return the number of cards that each seat gets in a deal. The dealer does not matter."""
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
