"""What a witness did, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from ledger.log.append_rules import timestamp
from ledger.log.signed_note import PublicKey, Witness, encoded
from ledger.text.catalogue import counted, label
from ledger.witness.answers import VerifyEvidenceAnswer, WitnessClub
from ledger.witness.evidence import Evidence
from ledger.witness.folder import ClubStatus, Recovered
from ledger.witness.request import CheckpointRequest
from ledger.witness.signed_list import SignedList
from ledger.zones import moment_text


def witness_keys_text(folder: Path, key: PublicKey, lang: str) -> Iterator[str]:
    """Yield the folder of a new witness, its two public keys, and how to go on."""
    yield label(lang, "witness.made", folder=folder)
    yield label(lang, "witness.key", key=key)
    yield label(lang, "witness.cosigner", witness=Witness.of(key))
    yield label(lang, "witness.next", folder=folder)


def club_facts(clubs: Sequence[ClubStatus], now: datetime) -> list[WitnessClub]:
    """Return the clubs of a witness for programs."""
    return [
        WitnessClub(
            origin=club.origin,
            key=club.key,
            entries=club.entries,
            cosigned_at=None if club.cosigned_at is None else timestamp(club.cosigned_at),
            age_days=None if club.cosigned_at is None else max((now - club.cosigned_at).days, 0),
        )
        for club in clubs
    ]


def clubs_text(clubs: Sequence[WitnessClub], lang: str, tz: str | None) -> Iterator[str]:
    """Yield a line a club: its size, and when it was last cosigned."""
    if not clubs:
        yield label(lang, "witness.no_clubs")
    for club in clubs:
        if club.cosigned_at is None:
            yield label(lang, "witness.club_new", origin=club.origin)
        else:
            moment = moment_text(club.cosigned_at, tz)
            values = {"origin": club.origin, "entries": f"{club.entries:,}", "moment": moment}
            age = counted(lang, club.age_days or 0, "day")
            yield label(lang, "witness.club_aged" if club.age_days else "witness.club", age=age, **values)


def request_text(path: Path, made: CheckpointRequest, lang: str) -> Iterator[str]:
    """Yield the file of a request to a witness, and what it proves."""
    sizes = {"entries": f"{made.checkpoint.tree.size:,}", "since": f"{made.old_size:,}"}
    yield label(lang, "witness.request" if made.old_size else "witness.request_first", path=path, **sizes)


def list_text(path: Path, made: SignedList, lang: str) -> Iterator[str]:
    """Yield the file of a list, its day, and the root over its lines."""
    tree = made.checkpoint.tree
    yield label(lang, "witness.list", path=path, day=made.day, clubs=counted(lang, tree.size, "club"))
    yield label(lang, "witness.list_root", root=encoded(tree.root))


def recovered_text(done: Recovered, lang: str) -> Iterator[str]:
    """Yield what was recovered, and what nobody can know."""
    yield label(lang, "witness.recovered", checkpoints=counted(lang, done.added, "checkpoint"))
    yield label(lang, "witness.recovered_only_shown")
    for origin in done.unknown:
        yield label(lang, "witness.recovered_unknown", origin=origin)


def evidence_facts(evidence: Evidence, key: PublicKey) -> VerifyEvidenceAnswer:
    """Return what evidence proves, for programs."""
    verdict = evidence.verdict(key)
    return VerifyEvidenceAnswer(
        proven=verdict == "equivocation",
        verdict=verdict,
        origin=evidence.other.origin,
        cosigned=evidence.cosigned.tree.size,
        other=evidence.other.tree.size,
    )


def evidence_text(facts: VerifyEvidenceAnswer, key: PublicKey, lang: str) -> Iterator[str]:
    """Yield what evidence proves, for people."""
    sizes = {"cosigned": f"{facts.cosigned:,}", "other": f"{facts.other:,}"}
    yield label(lang, f"evidence.{facts.verdict}", key=key.label, **sizes)
