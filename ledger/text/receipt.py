"""What a receipt proves, in words: every entry with all that it says, and nothing that is not in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

import msgspec

from ledger.events import Corrected, DealStarted, PlayerSeated, TableOpened
from ledger.log.answers import VerifyReceiptAnswer
from ledger.log.receipt import DealReceipt
from ledger.log.signed_note import PublicKey, encoded
from ledger.table.lookup import slug_of
from ledger.text.cards import value_text

_SEATS: Final = frozenset(("seat", "dealer", "cut_by"))
_SELF_EXPLAINING: Final = frozenset(("seat", "call", "card", "suit", "what", "text", "player"))


def receipt_facts(receipt: DealReceipt, key: PublicKey) -> VerifyReceiptAnswer:
    """What is proven, for programs."""
    tree = receipt.checkpoint.tree
    return VerifyReceiptAnswer(
        proven=True,
        damage=None,
        table=slug_of(receipt.entries[0].envelope.stream),
        deals=_deals(receipt),
        origin=receipt.checkpoint.origin,
        size=tree.size,
        root=encoded(tree.root),
        key=str(key),
        entries=[entry.envelope for entry in receipt.entries],
    )


def receipt_lines(receipt: DealReceipt, key: PublicKey) -> Iterator[str]:
    """What is proven, for people: an entry a line, with its version in the table."""
    envelopes = [entry.envelope for entry in receipt.entries]
    deals = ", ".join(f"deal {number}" for number in _deals(receipt)) or "no deal"
    checkpoint = receipt.checkpoint
    yield f"Proven: {slug_of(envelopes[0].stream)}, {deals}, in {checkpoint.origin} of {checkpoint.tree.size:,} entries"
    yield f"signed with the key {key.label}"
    first, last = min(one.recorded_at for one in envelopes), max(one.recorded_at for one in envelopes)
    names = ", ".join(dict.fromkeys(one.recorded_by for one in envelopes))
    yield f"recorded {first} to {last} by {names}"
    yield ""
    players: list[str] = []
    for one in envelopes:
        if isinstance(one.event, TableOpened):
            players = list(one.event.players)
        happened = "" if one.happened_at is None else f" (happened {one.happened_at})"
        fields = msgspec.json.decode(msgspec.json.encode(one.event))
        yield f"{one.version:>5}  {_event_text(fields, players)}{happened}"
        if isinstance(one.event, PlayerSeated) and one.event.seat < len(players):
            players[one.event.seat] = one.event.player


def _deals(receipt: DealReceipt) -> list[int]:
    """The deals that its entries start, those of corrections included."""
    recorded = [entry.envelope.event for entry in receipt.entries]
    corrections = [event.events or () for event in recorded if isinstance(event, Corrected)]
    starts = (event.deal for event in chain(recorded, *corrections) if isinstance(event, DealStarted))
    return list(dict.fromkeys(starts))


def _event_text(fields: Mapping[str, Any], players: Sequence[str]) -> str:
    """`card played: Baron, ♥2`; every field that was recorded, seats by the names of who sits there."""
    kind, *rest = (_field(name, value, players) for name, value in fields.items())
    return f"{kind}: {', '.join(rest)}" if rest else kind


def _field(name: str, value: Any, players: Sequence[str]) -> str:
    if name == "type":
        return str(value).replace("_", " ")
    if name == "events":  # of a correction
        return "to be read as " + " / ".join(_event_text(fields, players) for fields in value)
    if name == "players":
        return "players " + ", ".join(map(_value, value))
    text = _player(value, players) if name in _SEATS else _value(value)
    return text if name in _SELF_EXPLAINING else f"{name.replace('_', ' ')} {text}"


def _player(seat: int | None, players: Sequence[str]) -> str:
    if seat is None:
        return "the recorder"
    return players[seat] if seat < len(players) else f"seat {seat}"


def _value(value: Any) -> str:
    match value:
        case None:
            return "–"
        case []:
            return "none"
        case [*items] if all(item is None or isinstance(item, list) for item in items):
            return " | ".join(map(_value, items))
        case [*items] if not any(isinstance(item, dict) for item in items):
            return " ".join(map(_value, items))
        case list() | dict():
            return msgspec.json.encode(value).decode()
    return "".join(sign if sign.isprintable() else " " for sign in value_text(value))
