"""The verification of a ledger or a receipt, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import Any, Final

import msgspec
from msgspec import UNSET

from ledger.events import Corrected, DealStarted, PlayerSeated, TableOpened
from ledger.games import registered_games
from ledger.i18n import in_words
from ledger.log import answers
from ledger.log.answers import Continued, Cosigned, VerifyAnswer, VerifyReceiptAnswer
from ledger.log.append_rules import timestamp
from ledger.log.checkpoint import Checkpoint
from ledger.log.receipt import DealReceipt
from ledger.log.rollback_detection import Rollback
from ledger.log.signed_note import Cosignature, PublicKey, encoded
from ledger.log.verify import Damage, Verification
from ledger.streams import TABLE
from ledger.text.cards import value_text
from ledger.text.catalogue import Wording, label, wording_for
from ledger.zones import moment_text

_SEATS: Final = frozenset(("seat", "dealer", "cut_by"))
_SELF_EXPLAINING: Final = frozenset(("seat", "call", "card", "suit", "what", "text", "player"))
_TYPED: Final = frozenset(("text", "player", "reason", "session", "title", "club", "place"))
"""Text that people wrote; it is no word of the game, even if spelled like one."""


def _receipt_lines(receipt: DealReceipt, key: PublicKey, lang: str, tz: str | None) -> Iterator[str]:
    """Yield what is proven: an entry per line with its version in the table; times in `tz`, by default the machine's
    zone.
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
    """Return the words of a game, or none if it is not installed: a receipt can be checked without it."""
    known = registered_games().get(game)
    return Wording(lang) if known is None else wording_for(known, lang)


def _deals(receipt: DealReceipt) -> list[int]:
    """Return the deals that the entries start, including those in corrections."""
    recorded = [entry.envelope.event for entry in receipt.entries]
    corrections = [event.events or () for event in recorded if isinstance(event, Corrected)]
    starts = (event.deal for event in chain(recorded, *corrections) if isinstance(event, DealStarted))
    return list(dict.fromkeys(starts))


def _event_text(fields: Mapping[str, Any], players: Sequence[str], wording: Wording) -> str:
    """Return `card played: Baron, ♥2`: every recorded field, with players' names for seats."""
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
    """Return a table's options; as recorded if its game has no words for them in the language."""
    as_recorded = Wording(wording.lang)
    if all(wording.option(name) == name for name in chosen):
        return f"{wording.known('field', 'options')} {_value(chosen, as_recorded)}"
    parts = (
        wording.say("receipt.option", name=wording.option(name), value=_value(wording.choice(name, value), as_recorded))
        for name, value in chosen.items()
    )
    return wording.say("receipt.options", options=wording.listed(parts))


def _in_words(value: Any, wording: Wording) -> Any:
    """Return a nested value with the words of the language; values that choose a game's rules stay as they are."""
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


_LAST: Final = 253_402_300_799
"""The last second of a calendar with four-digit years, in POSIX time."""


def verification_facts(
    verification: Verification, old: Checkpoint | None, cosigned: Sequence[Cosignature], lang: str
) -> VerifyAnswer:
    """Return the verification of a ledger for programs. `old`: the checkpoint that an undamaged ledger continues."""
    return VerifyAnswer(
        undamaged=verification.damage is None,
        entries=verification.entries,
        digest=verification.head.digest.hex(),
        damage=None if verification.damage is None else _damage_facts(verification.damage, lang),
        growth_checked=verification.is_growth_checked,
        consistent_with=UNSET if old is None else Continued(origin=old.origin, entries=old.tree.size),
        rollbacks=verification.rollbacks or UNSET,
        cosigned=_cosigned_facts(cosigned) or UNSET,
    )


def verification_text(
    verification: Verification,
    old: Checkpoint | None,
    cosigned: Sequence[Cosignature],
    lang: str,
    tz: str | None = None,
) -> Iterator[str]:
    """Yield the verification of a ledger for people; times in `tz`, by default the machine's zone."""
    if verification.damage is not None:
        yield _damage_sentence("verify.damaged", verification.damage, lang)
        yield label(lang, "verify.put_back" if verification.is_rolled_back else "verify.restore")
        return
    yield label(lang, "verify.undamaged", entries=f"{verification.entries:,}", digest=verification.head.digest.hex())
    for rollback in verification.rollbacks:
        yield _rollback_sentence(rollback, lang, tz)
    if old is not None:
        yield _continuation(old, lang)
    yield from _cosigned_sentences(cosigned, lang, tz)
    if not verification.is_growth_checked:
        yield label(lang, "verify.growth_not_checked")


def _rollback_sentence(rollback: Rollback, lang: str, tz: str | None) -> str:
    return label(
        lang,
        f"verify.{rollback.how}",
        moment=moment_text(rollback.at, tz),
        before=f"{rollback.entries_before:,}",
        entries=f"{rollback.entries:,}",
        reason=rollback.reason,
    )


def proof_facts(
    receipt: DealReceipt,
    key: PublicKey,
    damage: Damage | None,
    old: Checkpoint | None,
    cosigned: Sequence[Cosignature],
    lang: str,
) -> VerifyReceiptAnswer:
    """Return what a receipt proves, for programs; nothing if it has a `damage`. `old`: as in `proof_text`."""
    if damage is not None:
        return VerifyReceiptAnswer(proven=False, damage=_damage_facts(damage, lang))
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
        cosigned=_cosigned_facts(cosigned) or UNSET,
    )


def proof_text(
    receipt: DealReceipt,
    key: PublicKey,
    damage: Damage | None,
    old: Checkpoint | None,
    cosigned: Sequence[Cosignature],
    lang: str,
    tz: str | None = None,
) -> Iterator[str]:
    """Yield what a receipt proves, for people. `old`: the checkpoint that its own one continues."""
    if damage is not None:
        yield _damage_sentence("verify.not_proven", damage, lang)
        return
    yield from _receipt_lines(receipt, key, lang, tz)
    yield label(lang, "verify.growth_not_proven") if old is None else _continuation(old, lang)
    yield from _cosigned_sentences(cosigned, lang, tz)


def _cosigned_facts(cosigned: Sequence[Cosignature]) -> list[Cosigned]:
    return [Cosigned(witness=one.witness.label, at=timestamp(_moment(one))) for one in cosigned]


def _cosigned_sentences(cosigned: Sequence[Cosignature], lang: str, tz: str | None) -> Iterator[str]:
    for one in cosigned:
        yield label(lang, "verify.cosigned", witness=one.witness.label, moment=moment_text(timestamp(_moment(one)), tz))


def _moment(cosignature: Cosignature) -> datetime:
    """Return the time by the witness's clock; a time beyond the calendar becomes its last moment."""
    return datetime.fromtimestamp(min(cosignature.at, _LAST), UTC)


def _continuation(old: Checkpoint, lang: str) -> str:
    return label(lang, "verify.continues", entries=f"{old.tree.size:,}", origin=old.origin)


def _damage_facts(damage: Damage, lang: str) -> answers.Damage:
    return answers.Damage(damage.position, in_words(damage.what, lang))


def _damage_sentence(key: str, damage: Damage, lang: str) -> str:
    where = "" if damage.position is None else label(lang, "verify.at", position=damage.position)
    return label(lang, key, where=where, what=in_words(damage.what, lang))
