"""Whether a ledger or a receipt is what it should be, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from msgspec import UNSET

from ledger.i18n import in_words
from ledger.log import answers
from ledger.log.answers import Continued, Cosigned, VerifyAnswer, VerifyReceiptAnswer
from ledger.log.append_rules import timestamp
from ledger.log.checkpoint import Checkpoint
from ledger.log.cosignature import Cosignature
from ledger.log.receipt import DealReceipt
from ledger.log.rollback_detection import Rollback
from ledger.log.signed_note import PublicKey
from ledger.log.verify import Damage, Verification
from ledger.text.receipt import receipt_facts, receipt_lines
from ledger.text.words import label
from ledger.zones import moment_text

_LAST: Final = 253_402_300_799
"""The last second that a calendar of four digits for the year holds, in POSIX time."""


def verification_facts(
    found: Verification, old: Checkpoint | None, cosigned: Sequence[Cosignature], lang: str
) -> VerifyAnswer:
    """What was found in a ledger, for programs; `old`: what it was found to continue, if it is undamaged."""
    return VerifyAnswer(
        undamaged=found.damage is None,
        entries=found.entries,
        digest=found.head.digest.hex(),
        damage=None if found.damage is None else _damage_facts(found.damage, lang),
        growth_checked=found.is_growth_checked,
        consistent_with=UNSET if old is None else Continued(origin=old.origin, entries=old.tree.size),
        rollbacks=found.rollbacks or UNSET,
        cosigned=_cosigned_facts(cosigned) or UNSET,
    )


def verification_text(
    found: Verification,
    old: Checkpoint | None,
    cosigned: Sequence[Cosignature],
    lang: str,
    tz: str | None = None,
) -> Iterator[str]:
    """What was found in a ledger, for people; times of the zone `tz`, by default the machine's."""
    if found.damage is not None:
        yield _damage_sentence("verify.damaged", found.damage, lang)
        yield label(lang, "verify.put_back" if found.is_rolled_back else "verify.restore")
        return
    yield label(lang, "verify.undamaged", entries=f"{found.entries:,}", digest=found.head.digest.hex())
    for rollback in found.rollbacks:
        yield _rollback_sentence(rollback, lang, tz)
    if old is not None:
        yield _continuation(old, lang)
    yield from _cosigned_sentences(cosigned, lang, tz)
    if not found.is_growth_checked:
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
    """What a receipt proves, for programs; nothing, where it has a `damage`. `old`: as in `proof_text`."""
    if damage is None:
        return receipt_facts(receipt, key, old, _cosigned_facts(cosigned))
    return VerifyReceiptAnswer(proven=False, damage=_damage_facts(damage, lang))


def proof_text(
    receipt: DealReceipt,
    key: PublicKey,
    damage: Damage | None,
    old: Checkpoint | None,
    cosigned: Sequence[Cosignature],
    lang: str,
    tz: str | None = None,
) -> Iterator[str]:
    """What a receipt proves, for people; `old`: the checkpoint that its own was found to continue."""
    if damage is not None:
        yield _damage_sentence("verify.not_proven", damage, lang)
        return
    yield from receipt_lines(receipt, key, lang, tz)
    yield label(lang, "verify.growth_not_proven") if old is None else _continuation(old, lang)
    yield from _cosigned_sentences(cosigned, lang, tz)


def _cosigned_facts(cosigned: Sequence[Cosignature]) -> list[Cosigned]:
    return [Cosigned(witness=one.witness.label, at=timestamp(_moment(one))) for one in cosigned]


def _cosigned_sentences(cosigned: Sequence[Cosignature], lang: str, tz: str | None) -> Iterator[str]:
    for one in cosigned:
        yield label(lang, "verify.cosigned", witness=one.witness.label, moment=moment_text(timestamp(_moment(one)), tz))


def _moment(cosignature: Cosignature) -> datetime:
    """By the clock of the witness; what no calendar holds is the last moment that there is."""
    return datetime.fromtimestamp(min(cosignature.at, _LAST), UTC)


def _continuation(old: Checkpoint, lang: str) -> str:
    return label(lang, "verify.continues", entries=f"{old.tree.size:,}", origin=old.origin)


def _damage_facts(damage: Damage, lang: str) -> answers.Damage:
    return answers.Damage(damage.position, in_words(damage.what, lang))


def _damage_sentence(key: str, damage: Damage, lang: str) -> str:
    where = "" if damage.position is None else label(lang, "verify.at", position=damage.position)
    return label(lang, key, where=where, what=in_words(damage.what, lang))
