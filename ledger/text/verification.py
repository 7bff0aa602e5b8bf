"""Whether a ledger or a receipt is what it should be, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from ledger.i18n import in_words
from ledger.log import answers
from ledger.log.answers import Continued, VerifyAnswer, VerifyReceiptAnswer
from ledger.log.checkpoint import Checkpoint
from ledger.log.receipt import DealReceipt
from ledger.log.signed_note import PublicKey
from ledger.log.verify import Damage, Verification
from ledger.text.receipt import receipt_facts, receipt_lines
from ledger.text.words import label


def verification_facts(found: Verification, old: Checkpoint | None, lang: str) -> VerifyAnswer:
    """What was found in a ledger, for programs; `old`: what it was found to continue, if it is undamaged."""
    return VerifyAnswer(
        undamaged=found.damage is None,
        entries=found.entries,
        digest=found.head.digest.hex(),
        damage=None if found.damage is None else _damage_facts(found.damage, lang),
        consistent_with=UNSET if old is None else Continued(origin=old.origin, entries=old.tree.size),
    )


def verification_text(found: Verification, old: Checkpoint | None, lang: str) -> Iterator[str]:
    """What was found in a ledger, for people."""
    if found.damage is not None:
        yield _damage_sentence("verify.damaged", found.damage, lang)
        yield label(lang, "verify.restore")
        return
    yield label(lang, "verify.undamaged", entries=f"{found.entries:,}", digest=found.head.digest.hex())
    if old is not None:
        yield _continuation(old, lang)


def proof_facts(receipt: DealReceipt, key: PublicKey, damage: Damage | None, lang: str) -> VerifyReceiptAnswer:
    """What a receipt proves, for programs; nothing, where it has a `damage`."""
    if damage is None:
        return receipt_facts(receipt, key)
    return VerifyReceiptAnswer(proven=False, damage=_damage_facts(damage, lang))


def proof_text(
    receipt: DealReceipt,
    key: PublicKey,
    damage: Damage | None,
    old: Checkpoint | None,
    lang: str,
    tz: str | None = None,
) -> Iterator[str]:
    """What a receipt proves, for people; `old`: the checkpoint that its own was found to continue."""
    if damage is not None:
        yield _damage_sentence("verify.not_proven", damage, lang)
        return
    yield from receipt_lines(receipt, key, lang, tz)
    if old is not None:
        yield _continuation(old, lang)


def _continuation(old: Checkpoint, lang: str) -> str:
    return label(lang, "verify.continues", entries=f"{old.tree.size:,}", origin=old.origin)


def _damage_facts(damage: Damage, lang: str) -> answers.Damage:
    return answers.Damage(damage.position, in_words(damage.what, lang))


def _damage_sentence(key: str, damage: Damage, lang: str) -> str:
    where = "" if damage.position is None else label(lang, "verify.at", position=damage.position)
    return label(lang, key, where=where, what=in_words(damage.what, lang))
