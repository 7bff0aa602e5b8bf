"""Buttons that record: what each sends, all of it or nothing, and how it is told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct, structs, to_builtins

from ledger.cards import UNKNOWN
from ledger.events import Announced, CardPlayed, Event
from ledger.recording.board.offers import ByWhom, Offer
from ledger.text.site.recorder.told import Telling
from ledger.text.site.words import say

_SEAT = "seat"


class Button(Struct, frozen=True, kw_only=True):
    """`acts`: the events as JSON; `told`: how the act is called where it waits, is announced or taken back.

    `cost`: that the deal will have no score after it; empty where it may have one.
    """

    label: str
    note: str = ""
    acts: str
    told: str
    is_as_played: bool = False
    cost: str = ""


class Row(Struct, frozen=True):
    """One thing, and a button for each who may say or do it.

    `note`: what it is played for; `cost`: as of a button, the same for every seat.
    """

    said: str
    note: str
    buttons: tuple[Button, ...]
    cost: str = ""


def button(offer: Offer, telling: Telling) -> Button:
    """What the one who is due may do."""
    return Button(
        label=telling.word(offer.act),
        note=telling.stakes(offer.act),
        acts=acts_of(offer.events),
        told=telling.whole(offer.act),
    )


def of_seat(offer: Offer, telling: Telling) -> Button:
    """The same by the name of who does it."""
    act = offer.act
    seats: Sequence[int] = getattr(act, "seats", None) or ()
    seat = getattr(act, _SEAT, None)
    label = telling.names(seats or ((seat,) if seat is not None else ())) or telling.word(act)
    return Button(label=label, acts=acts_of(offer.events), told=telling.whole(act))


def row(by_whom: ByWhom, telling: Telling) -> Row:
    buttons = tuple(of_seat(offer, telling) for offer in by_whom.offers)
    return Row(telling.word(by_whom.act), telling.stakes(by_whom.act), buttons)


def all_pass(offer: Offer, telling: Telling) -> Button:
    """The run of passes, with the names of who pass."""
    passes = [event for event in offer.events if type(event) is type(offer.act)]
    names = telling.wording.listed(telling.players[getattr(event, _SEAT)] for event in passes)
    return Button(label="", note=names, acts=acts_of(offer.events), told=telling.run(offer.events))


def of_anybody(by_whom: ByWhom, telling: Telling) -> Button:
    """A word that anybody may have said: whose plate is tapped or lit says it."""
    template = [_without_seat(by_whom.act)]
    told = say(telling.lang, "rec.act_of", name="{name}", what=telling.deed(by_whom.act))
    return Button(label=telling.word(by_whom.act), acts=_json(template), told=told)


def unseen_card(telling: Telling) -> Button:
    """A card that nobody saw, played by whoever's card is due."""
    played = of_anybody(ByWhom((Offer((CardPlayed(seat=0, card=UNKNOWN),)),)), telling)
    return structs.replace(played, label=say(telling.lang, "rec.not_seen"))


def started(event: Event, telling: Telling, *, label: str = "", is_as_played: bool = False) -> Button:
    """An act that nobody at the table is due for."""
    return Button(
        label=label or telling.whole(event),
        acts=acts_of((event,)),
        told=telling.whole(event),
        is_as_played=is_as_played,
    )


def acts_of(events: Iterable[Event]) -> str:
    """Events as a button sends them."""
    return _json(list(events))


def _without_seat(event: Event) -> dict[str, object]:
    told: dict[str, object] = to_builtins(event)
    if isinstance(event, Announced):
        told.pop("seats", None)
    return {**told, _SEAT: None}


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
