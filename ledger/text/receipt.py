"""What a receipt proves, in words: every entry with all that it says, and nothing that is not in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

import msgspec
from msgspec import UNSET

from ledger.events import Corrected, DealStarted, PlayerSeated, TableOpened
from ledger.games import registered_games
from ledger.log.answers import Cosigned, VerifyReceiptAnswer
from ledger.log.checkpoint import Checkpoint
from ledger.log.receipt import DealReceipt
from ledger.log.signed_note import PublicKey, encoded
from ledger.streams import TABLE
from ledger.text.cards import value_text
from ledger.text.words import Wording, label, wording_for
from ledger.zones import moment_text

_SEATS: Final = frozenset(("seat", "dealer", "cut_by"))
_SELF_EXPLAINING: Final = frozenset(("seat", "call", "card", "suit", "what", "text", "player"))
_TYPED: Final = frozenset(("text", "player", "reason", "session", "title", "club", "place"))
"""What somebody wrote; it is no word of the game, even where it is spelled like one."""


def receipt_facts(
    receipt: DealReceipt, key: PublicKey, old: Checkpoint | None, cosigned: list[Cosigned]
) -> VerifyReceiptAnswer:
    """What is proven, for programs; `old`: the checkpoint that it was found to continue."""
    tree = receipt.checkpoint.tree
    return VerifyReceiptAnswer(
        proven=True,
        growth_checked=old is not None,
        damage=None,
        table=TABLE.slug(receipt.entries[0].envelope.stream),
        deals=_deals(receipt),
        origin=receipt.checkpoint.origin,
        size=tree.size,
        root=encoded(tree.root),
        key=str(key),
        entries=[entry.envelope for entry in receipt.entries],
        cosigned=cosigned or UNSET,
    )


def receipt_lines(receipt: DealReceipt, key: PublicKey, lang: str, tz: str | None = None) -> Iterator[str]:
    """What is proven, for people: an entry a line, with its version in the table; times of the zone `tz`, by default
    the machine's.
    """
    envelopes = [entry.envelope for entry in receipt.entries]
    comma = label(lang, "list")
    deals = comma.join(label(lang, "receipt.deal", deal=number) for number in _deals(receipt))
    checkpoint = receipt.checkpoint
    yield label(
        lang,
        "receipt.proven",
        table=TABLE.slug(envelopes[0].stream),
        deals=deals or label(lang, "receipt.no_deal"),
        origin=checkpoint.origin,
        size=f"{checkpoint.tree.size:,}",
    )
    yield label(lang, "receipt.signed", key=key.label)
    moments = [one.recorded_at for one in envelopes]
    first, last = (moment_text(moment, tz) for moment in (min(moments), max(moments)))
    names = comma.join(dict.fromkeys(one.recorded_by for one in envelopes))
    yield label(lang, "receipt.recorded", first=first, last=last, names=names)
    yield ""
    players: list[str] = []
    wording = Wording(lang)
    for one in envelopes:
        if isinstance(one.event, TableOpened):
            players = list(one.event.players)
            wording = _wording_of(one.event.game, lang)
        happened = ""
        if one.happened_at is not None:
            happened = label(lang, "receipt.happened", moment=moment_text(one.happened_at, tz))
        fields = msgspec.json.decode(msgspec.json.encode(one.event))
        yield f"{one.version:>5}  {_event_text(fields, players, wording)}{happened}"
        if isinstance(one.event, PlayerSeated) and one.event.seat < len(players):
            players[one.event.seat] = one.event.player


def _wording_of(game: str, lang: str) -> Wording:
    """The words of a game, where this program knows it: a receipt can be checked by whoever does not."""
    known = registered_games().get(game)
    return Wording(lang) if known is None else wording_for(known, lang)


def _deals(receipt: DealReceipt) -> list[int]:
    """The deals that its entries start, those of corrections included."""
    recorded = [entry.envelope.event for entry in receipt.entries]
    corrections = [event.events or () for event in recorded if isinstance(event, Corrected)]
    starts = (event.deal for event in chain(recorded, *corrections) if isinstance(event, DealStarted))
    return list(dict.fromkeys(starts))


def _event_text(fields: Mapping[str, Any], players: Sequence[str], wording: Wording) -> str:
    """`card played: Baron, ♥2`; every field that was recorded, seats by the names of who sits there."""
    kind, *rest = (_field(name, value, players, wording) for name, value in fields.items())
    return wording.say("receipt.entry", kind=kind, fields=wording.listed(rest)) if rest else kind


def _field(name: str, value: Any, players: Sequence[str], wording: Wording) -> str:
    if name == "type":
        return wording.known("kind", str(value)).replace("_", " ")
    if name == "events":  # of a correction
        read = " / ".join(_event_text(fields, players, wording) for fields in value)
        return wording.say("receipt.to_be_read_as", events=read)
    if name == "players":
        return wording.say(
            "receipt.players", players=wording.listed(_value(one, Wording(wording.lang)) for one in value)
        )
    if name == "options":
        return _options(value, wording)
    if name in _TYPED:
        text = _value(value, Wording(wording.lang))
    elif name == "kind":
        text = wording.word(value)
    elif name == "action":
        text = wording.known("action", value)
    else:
        text = _player(value, players, wording) if name in _SEATS else _value(value, wording)
    return text if name in _SELF_EXPLAINING else f"{wording.known('field', name).replace('_', ' ')} {text}"


def _options(chosen: Mapping[str, Any], wording: Wording) -> str:
    """What a table has chosen; as it was recorded where its game has no words for that in the language."""
    as_recorded = Wording(wording.lang)
    if all(wording.option(name) == name for name in chosen):
        return f"{wording.known('field', 'options')} {_value(chosen, as_recorded)}"
    told = (
        wording.say("receipt.option", name=wording.option(name), value=_value(wording.choice(name, value), as_recorded))
        for name, value in chosen.items()
    )
    return wording.say("receipt.options", options=wording.listed(told))


def _in_words(value: Any, wording: Wording) -> Any:
    """What is recorded within a field, with the words of the language; what chooses rules of a game is none of them."""
    match value:
        case dict():
            return {wording.known("field", key): _in_words(item, wording) for key, item in value.items()}
        case list():
            return [_in_words(item, wording) for item in value]
        case str():
            return wording.word(value)
    return value


def _player(seat: int | None, players: Sequence[str], wording: Wording) -> str:
    if seat is None:
        return wording.say("receipt.recorder")
    return players[seat] if seat < len(players) else wording.say("receipt.seat", number=seat)


def _value(value: Any, wording: Wording) -> str:
    match value:
        case None:
            return "–"
        case []:
            return wording.say("receipt.none")
        case [*items] if all(item is None or isinstance(item, list) for item in items):
            return " | ".join(_value(item, wording) for item in items)
        case [*items] if not any(isinstance(item, dict) for item in items):
            return " ".join(_value(item, wording) for item in items)
        case list() | dict():
            return msgspec.json.encode(_in_words(value, wording)).decode()
        case str():
            value = wording.word(value)
    return "".join(sign if sign.isprintable() else " " for sign in value_text(value))
