"""Every event of the contract and its envelope, as frozen msgspec Structs in one tagged union (contract 2, 3).

This is the wire contract in code: field names, tags and defaults are fixed. The games define what an event means.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta, Struct

from ledger.i18n import phrases
from ledger.limits import AMOUNT_MAX, NAME_CHARS, SLUG_CHARS, TEXT_CHARS

_phrase: Final = phrases("ledger.i18n")

CONTRACT_VERSION: Final = 1

MAX_SEATS: Final = 8
"""The largest table of the rulebooks (COU-2.1, `eight32`)."""

_END = r"(?!\n)$"
"""The end of a text; in Python `$` alone also matches before a final line feed."""

# `expected` is the meaning of a pattern, for the message of `ledger.validation` about a text that does not match.

_SLUG = f"^[a-z0-9-]{{1,{SLUG_CHARS}}}"
_CARD = "^[SHDC][AKQJT98765432]" + _END
_CARD_OR_UNKNOWN = "^([SHDC][AKQJT98765432]|[?][?])" + _END

Seat: TypeAlias = Annotated[int, Meta(ge=0, lt=MAX_SEATS, description="seat, numbered in the order of play")]
Suit: TypeAlias = Literal["S", "H", "D", "C"]
Card: TypeAlias = Annotated[
    str, Meta(extra_json_schema={"pattern": _CARD}, description="suit then rank, for example SA")
]
CardOrUnknown: TypeAlias = Annotated[
    str, Meta(extra_json_schema={"pattern": _CARD_OR_UNKNOWN}, description="a card, or ?? where it is not known")
]
Slug: TypeAlias = Annotated[
    str,
    Meta(
        pattern=_SLUG + _END,
        description="lower-case letters, digits, -",
        extra={"expected": _phrase("value.slug", most=SLUG_CHARS)},
    ),
]
STREAM_PATTERN: Final = "^[a-z]+/" + _SLUG[1:] + _END
"""The form of all stream names; `ledger.streams` knows the kinds of streams."""

STREAM_EXPECTED: Final = _phrase("value.stream", most=SLUG_CHARS)
StreamName: TypeAlias = Annotated[str, Meta(pattern=STREAM_PATTERN, extra={"expected": STREAM_EXPECTED})]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=NAME_CHARS)]
Text: TypeAlias = Annotated[str, Meta(max_length=TEXT_CHARS)]
Word: TypeAlias = Annotated[
    str, Meta(pattern="^[a-z][a-z0-9_]{0,39}" + _END, extra={"expected": _phrase("value.word")})
]
RuleId: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^[A-Z]{3}-[0-9]+[.][0-9]+" + _END,
        description="for example OMB-6.8",
        extra={"expected": _phrase("value.rule_id")},
    ),
]
DealNumber: TypeAlias = Annotated[int, Meta(ge=1)]
Version: TypeAlias = Annotated[int, Meta(ge=1, description="place of an entry in its stream, from 1 without gaps")]
Time: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z" + _END,
        description="RFC 3339, UTC, microseconds",
        extra={"expected": _phrase("value.moment")},
    ),
]
Date: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}" + _END,
        description="YYYY-MM-DD",
        extra={"expected": _phrase("value.day")},
    ),
]
Zone: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^[A-Za-z][A-Za-z0-9_+/-]{0,63}" + _END,
        description="a time zone by its IANA name, for example Asia/Tokyo",
        extra={"expected": _phrase("value.zone")},
    ),
]
EntryId: TypeAlias = Annotated[
    str,
    Meta(
        extra_json_schema={"format": "uuid", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}" + _END},
        description="UUID, the idempotency key of the event",
    ),
]
Amount: TypeAlias = Annotated[int, Meta(ge=-AMOUNT_MAX, le=AMOUNT_MAX, description="counters or points, whole")]
Amounts: TypeAlias = tuple[Amount, ...]


class EventBase(
    Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="type", gc=False, kw_only=True
):
    """The base of all events; events with equal content are equal."""


# Session stream


class SessionOpened(EventBase, frozen=True, tag="session_opened"):
    title: Name
    date: Date
    club: Name | None = None
    place: Name | None = None
    zone: Zone | None = None


class SessionClosed(EventBase, frozen=True, tag="session_closed"):
    pass


# Table stream: the sitting


class TableOpened(EventBase, frozen=True, tag="table_opened"):
    game: Word
    players: tuple[Name, ...]
    session: Slug | None = None
    options: dict[str, Any] = {}


class PlayerSeated(EventBase, frozen=True, tag="player_seated"):
    seat: Seat
    player: Name


class TableClosed(EventBase, frozen=True, tag="table_closed"):
    reason: Text | None = None


# Table stream: one deal


class DealStarted(EventBase, frozen=True, tag="deal_started"):
    deal: DealNumber
    dealer: Seat


class CardsDealt(EventBase, frozen=True, tag="cards_dealt"):
    hands: tuple[tuple[CardOrUnknown, ...] | None, ...]
    stock: tuple[CardOrUnknown, ...] | None = None
    deck: tuple[CardOrUnknown, ...] | None = None
    cut_by: Seat | None = None


class BidMade(EventBase, frozen=True, tag="bid_made"):
    seat: Seat
    call: Word
    card: Card | None = None


class CardTurned(EventBase, frozen=True, tag="card_turned"):
    card: Card


class TrumpNamed(EventBase, frozen=True, tag="trump_named"):
    seat: Seat
    suit: Suit


class PartnerCalled(EventBase, frozen=True, tag="partner_called"):
    seat: Seat
    card: Card | None


class CardsExchanged(EventBase, frozen=True, tag="cards_exchanged"):
    seat: Seat
    count: Annotated[int, Meta(ge=0, le=52)]
    discarded: tuple[CardOrUnknown, ...] | None = None
    drawn: tuple[CardOrUnknown, ...] | None = None


class Announced(EventBase, frozen=True, tag="announced"):
    seat: Seat | None
    what: Word
    seats: tuple[Seat, ...] | None = None


class CardPlayed(EventBase, frozen=True, tag="card_played"):
    seat: Seat
    card: CardOrUnknown


class TrickGathered(EventBase, frozen=True, tag="trick_gathered"):
    seat: Seat


class ResultRecorded(EventBase, frozen=True, tag="result_recorded"):
    outcome: dict[str, Any]


class ScoreClaimed(EventBase, frozen=True, tag="score_claimed"):
    deltas: Amounts | None = None
    pool: Amount | None = None
    totals: Amounts | None = None
    sheet: dict[str, Any] | None = None


class DealVoided(EventBase, frozen=True, tag="deal_voided"):
    reason: Text


# After the fact


class Award(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A Couillon award (COU-10.3): with bars the first four fields, with points `winner`, `v` and `plus_one`."""

    winner: Annotated[int, Meta(ge=0, le=1)]
    strength: Annotated[int, Meta(ge=1)] | None = None
    circle: bool | None = None
    draw_mark: Annotated[int, Meta(ge=0)] | None = None
    v: Annotated[int, Meta(ge=0)] | None = None
    plus_one: bool | None = None


RulingKind: TypeAlias = Literal["adjust", "replace", "void", "accept", "award", "stands"]


class DisputeRaised(EventBase, frozen=True, tag="dispute_raised"):
    deal: DealNumber
    text: Text
    seat: Seat | None = None
    version: Version | None = None


class RulingGiven(EventBase, frozen=True, tag="ruling_given"):
    deal: DealNumber
    text: Text
    kind: RulingKind
    rule: RuleId | None = None
    deltas: Amounts | None = None
    pool: Amount | None = None
    award: Award | None = None
    dispute: Version | None = None


class HandsOpened(EventBase, frozen=True, tag="hands_opened"):
    """From now on everybody may see the hands of this deal and those before it; no score changes."""

    deal: DealNumber
    reason: Text | None = None


class Noted(EventBase, frozen=True, tag="noted"):
    """A remark on a session or table; `seat` and `version` only at a table."""

    text: Text
    seat: Seat | None = None
    version: Version | None = None


class Corrected(EventBase, frozen=True, tag="corrected"):
    version: Version
    action: Literal["replace", "strike", "insert_after"]
    reason: Text
    events: tuple[Recordable, ...] | None = None


# Families of events, each as a type and as the set of its members

GameAction: TypeAlias = (
    CardsDealt | BidMade | CardTurned | TrumpNamed | PartnerCalled | CardsExchanged | Announced | CardPlayed
)
"""The actions of the rulebooks (contract 6), which the game judges; each game uses some of them."""

Step: TypeAlias = DealStarted | GameAction
"""The steps of a deal (contract 5, `replay`, where they are called actions)."""

MachineEvent: TypeAlias = GameAction | TrickGathered | ResultRecorded | ScoreClaimed
"""The events that the state machine of a started deal applies."""

DealEvent: TypeAlias = DealStarted | MachineEvent | DealVoided
"""The entries of one deal (contract 3, *Table stream: one deal*)."""

SeatingEvent: TypeAlias = TableOpened | PlayerSeated
"""The events that seat players."""

DirectorEvent: TypeAlias = DisputeRaised | RulingGiven
"""The director's entries about a deal (contract 5)."""

Recordable: TypeAlias = SessionOpened | SessionClosed | SeatingEvent | TableClosed | DealEvent | DirectorEvent | Noted
"""The events that a correction may put in place of an entry."""

Event: TypeAlias = Recordable | HandsOpened | Corrected
"""Every event that can be recorded. A correction cannot insert `hands_opened`, since hands that were shown stay shown.
"""

SessionEvent: TypeAlias = SessionOpened | SessionClosed | Noted | Corrected
"""The entries of a session (contract 3, *Session stream*)."""

TableEvent: TypeAlias = SeatingEvent | TableClosed | DealEvent | DirectorEvent | HandsOpened | Noted | Corrected
"""The entries of a table (contract 3, *Table stream*)."""

GAME_ACTION_TYPES: Final[frozenset[type]] = frozenset(get_args(GameAction))
STEP_TYPES: Final[frozenset[type]] = frozenset(get_args(Step))
MACHINE_TYPES: Final[frozenset[type]] = frozenset(get_args(MachineEvent))
DEAL_TYPES: Final[frozenset[type]] = frozenset(get_args(DealEvent))
SEATING_TYPES: Final[frozenset[type]] = frozenset(get_args(SeatingEvent))
DIRECTOR_TYPES: Final[frozenset[type]] = frozenset(get_args(DirectorEvent))
SESSION_TYPES: Final[frozenset[type]] = frozenset(get_args(SessionEvent))
TABLE_TYPES: Final[frozenset[type]] = frozenset(get_args(TableEvent))


class Envelope(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False, kw_only=True):
    """One log entry (contract 2). The order of fields is canonical; the digest covers it."""

    position: Annotated[int, Meta(ge=1)]
    stream: StreamName
    version: Version
    id: EntryId
    recorded_at: Time
    recorded_by: Name
    happened_at: Time | None = None
    event: Event
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}" + _END, extra={"expected": _phrase("value.digest")})]


class BareLine(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False, kw_only=True):
    """One line of a bare import (contract 4), as other programs send it."""

    stream: StreamName
    event: Event
    id: EntryId | None = None
    happened_at: Time | None = None


UPCASTERS: Final[dict[type, Callable[[Any], Event]]] = {}
"""The step from each old shape of an event to the next; none so far.

See "When an event changes its shape" in docs/reference/log-format.md.

An old shape stays a Struct of the union forever, with its original `type`, so that stored entries are read, checked and
exported byte by byte.
"""


def upcast(event: Event) -> Event:
    """Return the event in its present shape, including events inside a correction."""
    if not UPCASTERS:
        return event
    while (lift := UPCASTERS.get(type(event))) is not None:
        event = lift(event)
    if type(event) is Corrected and event.events is not None:
        return msgspec.structs.replace(event, events=tuple(map(upcast, event.events)))
    return event


_encoder = msgspec.json.Encoder()
_event_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def encode_event(event: Event) -> bytes:
    """Return the event as compact JSON: the bytes that the log stores and the digest covers."""
    return _encoder.encode(event)


def decode_event(payload: bytes | str) -> Event:
    """Return the event of bytes written by `encode_event`, in the shape it was written in (see `upcast`).

    Raise `msgspec.ValidationError` for anything else.
    """
    return _event_decoder.decode(payload)
