"""The Structs of a hand record's file, which are its published schema, and the other names of its keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta, Struct

from ledger.events import Amount, Name, Slug, Zone
from ledger.events import Text as NoteText
from ledger.games.kernel.views import DealStatus
from ledger.i18n import Text
from ledger.i18n.normalisation import spelt, ways_to_write
from ledger.limits import CARDS_CHARS, HAND_RECORD_DEALS, HAND_RECORD_LINES, NAME_CHARS, SLUG_CHARS, TEXT_CHARS
from ledger.recording.catalogue import phrase
from ledger.recording.hand.page import KeyPath

PlayerName: TypeAlias = Annotated[
    str, Meta(max_length=NAME_CHARS, description="a player's name, or a beginning of it that fits no other player")
]
CardText: TypeAlias = Annotated[
    str, Meta(max_length=CARDS_CHARS, description="cards separated by blanks, e.g. SA, s10, 10♠; ?? for an unknown one")
]
ActLines: TypeAlias = (
    Annotated[str, Meta(max_length=TEXT_CHARS)] | Annotated[list[NoteText], Meta(max_length=HAND_RECORD_LINES)]
)
"""One string of one or more lines, or a list of lines."""

HandSlug: TypeAlias = Annotated[Slug, Meta(extra={"expected": phrase("file.slug", most=SLUG_CHARS)})]

UtcOffset: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^(Z|[+-]([01][0-9]|2[0-3]):?[0-5][0-9])(?!\n)$",
        description="for times without one, e.g. +09:00",
        extra={"expected": phrase("file.offset")},
    ),
]

AmountByName: TypeAlias = Annotated[dict[PlayerName, Amount], Meta(description="an amount for each player")]


class SessionPart(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[session]`: the session of the table. Title and date open it here; a slug alone names a session opened
    elsewhere.
    """

    slug: HandSlug
    title: Name | None = None
    date: Annotated[str, Meta(description="YYYY-MM-DD; the quotes may be left out")] | None = None
    club: Name | None = None
    place: Name | None = None
    zone: Annotated[Zone, Meta(description="IANA name, e.g. Asia/Tokyo; else that of utc_offset")] | None = None


class ExpectPart(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[deal.expect]`: the expected results of the deal. Never recorded; tests compare them."""

    status: DealStatus = "complete"
    outcome: Annotated[dict[str, Any], Meta(description="fields of the game's outcome, names for seats")] = {}
    winners: Annotated[list[PlayerName], Meta(description="the winners of tricks 1, 2, 3 …")] | None = None
    payments: (
        Annotated[dict[PlayerName, Amount], Meta(description="changes without the ante; 0 if not named")] | None
    ) = None
    deltas: AmountByName | None = None
    pool: Annotated[Amount, Meta(description="the pool after the deal")] | None = None
    totals: AmountByName | None = None
    state: Annotated[dict[str, Any], Meta(description="what carries over to the next deal")] | None = None
    lines: Annotated[list[str], Meta(description="all payments, e.g. OMB-7.18 Baron > Belinda 4")] | None = None
    findings: Annotated[list[str], Meta(description="all findings, e.g. OMB-11.37 Baron")] = []
    legal: Annotated[list[str], Meta(description="legal acts, e.g. after 5: card_played SA S2")] = []


class TableExpectPart(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[expect]`: the expected results of the table after its last deal. Never recorded; tests compare them."""

    totals: AmountByName | None = None
    pool: Amount | None = None
    state: Annotated[dict[str, Any], Meta(description="what would carry over to a next deal")] | None = None
    closing: Annotated[dict[PlayerName, Amount], Meta(description="what is paid at the end of the match")] | None = None
    closing_lines: list[str] | None = None
    winners: list[PlayerName] | None = None


class DealPart(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[[deal]]`: one deal; its number follows from the order."""

    dealer: Annotated[PlayerName, Meta(description="may be left out after the first deal")] | None = None
    when: Annotated[str, Meta(description="date and time with offset; the quotes may be left out")] | None = None
    as_typed: Annotated[bool, Meta(description="whether to record the deal even if it is impossible")] = False
    seated: Annotated[dict[PlayerName, Name], Meta(description="player who leaves = new player")] = {}
    hands: Annotated[dict[PlayerName, CardText], Meta(description="as dealt; '-' for a player who sits out")] = {}
    stock: CardText | None = None
    deck: CardText | None = None
    cut_by: PlayerName | None = None
    calls: ActLines = []
    turned: CardText | None = None
    trump: ActLines = []
    called: Annotated[str, Meta(max_length=300)] | None = None
    exchange: ActLines = []
    play: ActLines = []
    result: dict[str, Any] | None = None
    sheet: dict[str, Any] | None = None
    voided: NoteText | None = None
    notes: NoteText | list[NoteText] = []
    expect: ExpectPart | None = None


def is_left_empty(part: DealPart) -> bool:
    """Return whether the deal is an empty one of a form: it has its lines, and nothing is typed in any of them."""
    lines = (part.calls, part.trump, part.exchange, part.play)
    filled = (part.seated, part.hands, part.stock, part.deck, part.cut_by, part.turned, part.called, part.result,
            part.sheet, part.voided, part.notes, part.expect)  # fmt: skip
    return any(isinstance(text, str) for text in lines) and not any(filled) and not any(map(_is_filled, lines))


def _is_filled(lines: str | list[str]) -> bool:
    return bool(lines.strip() if isinstance(lines, str) else lines)


class HandRecordFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One table with its deals, as typed from a paper sheet."""

    game: Annotated[str, Meta(max_length=40)]
    table: HandSlug
    players: Annotated[list[Name], Meta(min_length=1, max_length=8, description="by seat, in the order of play")]
    options: dict[str, Any] = {}
    session: SessionPart | None = None
    source: NoteText | None = None
    comment: NoteText | None = None
    utc_offset: UtcOffset | None = None
    closed: bool | NoteText = False
    deal: Annotated[list[DealPart], Meta(max_length=HAND_RECORD_DEALS)] = []
    expect: TableExpectPart | None = None


_OF_WORDS: Final = frozenset(("game", "table", "players", "utc_offset", "slug", "date", "zone", "when", "seated")) | {
    "options",
    "result",
    "sheet",
    "expect",
}
"""Keys whose texts are names and words, which are normalised to half width; acts are read word by word."""

_TOP: Final = HandRecordFile.__struct_fields__
_SESSION: Final = SessionPart.__struct_fields__
_DEAL: Final = DealPart.__struct_fields__

KEYS: Final = frozenset((*_TOP, *_SESSION, *_DEAL))


def holds_words(path: KeyPath) -> bool:
    """Return whether the text at this path consists of names or words, rather than free text."""
    keys = [step for step in path if isinstance(step, str)]
    own = keys[1:] if keys[:1] in (["deal"], ["session"]) else keys
    return bool(own) and own[0] in _OF_WORDS


def holds_lines(key: str) -> bool:
    """Return whether this key has a line for each act."""
    return key in ("calls", "exchange", "play")


def is_moment(key: str) -> bool:
    """Return whether this key has a date or a time."""
    return key in ("when", "date")


def meant_key(typed: str, known: Sequence[str]) -> Text:
    """Return what to type instead of an unknown key.

    This is the key that has the typed name in another language or a similar name, the place of a key of another table,
    or all keys known here.
    """
    key = _compared(typed)
    called = keys_called(key)
    for choice in (key, *called):
        if choice in known:
            return choice
    if key not in KEYS and (close := get_close_matches(key, known, 1, 0.7)):
        return close[0]
    for choice in (key, *called):
        if (place := where_it_belongs(choice)) is not None:
            return place
    return phrase("file.one_of", keys=tuple(known)) if known else phrase("file.known_key")


def where_it_belongs(key: str) -> Text | None:
    """Return where a key of hand records belongs in the file; None for any other."""
    if key == "hands":
        return "[deal.hands]"
    for table, keys in (("top", _TOP), ("session", _SESSION), ("deal", _DEAL)):
        if key in keys:
            return phrase(f"key.in_{table}", key=key, table=f"[{table}]")
    return None


def key_among_hands(data: Mapping[str, Any]) -> tuple[int, str] | None:
    """Return a misplaced key below `[deal.hands]`, where only players belong, and its deal, counted from 0."""
    deals, players = data.get("deal"), data.get("players")
    known = [word for player in players for word in spelt(str(player)).split()] if isinstance(players, list) else []
    for place, deal in enumerate(deals if isinstance(deals, list) else []):
        hands = deal.get("hands") if isinstance(deal, dict) else None
        for key in hands if isinstance(hands, dict) else ():
            if key in _DEAL and not any(word.startswith(key) for word in known):
                return place, key
    return None


def keys_called(typed: str) -> tuple[str, ...]:
    """Return the keys that have this other name, in any language."""
    compared = _compared(typed)
    return tuple(key for key in sorted(KEYS) if compared and compared in _other_names(key))


@cache
def _other_names(key: str) -> frozenset[str]:
    return frozenset(map(_compared, ways_to_write("ledger.recording", f"called.{key}")))


def _compared(key: str) -> str:
    return spelt(key.strip()).replace(" ", "_").replace("-", "_")
