"""What a hand record would come to: what an import would record, and what in it is against the rules."""

from __future__ import annotations

from msgspec import Struct

from ledger.cards import Pack
from ledger.errors import MalformedError, line_of
from ledger.recording.hand.sides import ToldTable
from ledger.recording.new_names import check_new_names
from ledger.recording.slips import ToldSlip, told_slips
from ledger.streams import TABLE
from ledger.table.answers import Finding, PlayerPoints, ScoreAnswer
from ledger.table.audit import audit_answer
from ledger.table.score import is_substituted, score_answer, substitutes_points


class FindingInFile(Struct, frozen=True, kw_only=True):
    """An irregularity with the line of the file that tells it, and the word there; null where it is no single word."""

    line: int
    word: str | None
    finding: Finding


class HandRecordCheck(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Answer of `check`. `events` of the table would be recorded; `score` is what they come to.

    `slips`: what cannot be as it was typed, said before the findings that follow from it. `pack`: that of the table's
    cards. Where somebody was substituted, `seated` are the players deal by deal, and `points` what each has of the
    deals that they played.
    """

    source: str
    table: str
    events: int
    score: ScoreAnswer
    slips: tuple[ToldSlip, ...]
    findings: list[FindingInFile]
    pack: Pack = "french"
    seated: list[list[str]] = []
    points: list[PlayerPoints] = []


def checked(told: ToldTable, lang: str = "en") -> HandRecordCheck:
    """Judges a hand record as the import would, and records nothing."""
    events = dict(told.fold.entries)
    try:
        check_new_names(TABLE.stream(told.slug), (), list(events.values()))
    except MalformedError as error:
        raise error.at(line_of(told.source, told.line((error.entry or 0) + 1) or 1)) from None
    return HandRecordCheck(
        source=told.source,
        table=told.slug,
        pack=told.fold.pack,
        events=len(events),
        score=score_answer(told.slug, told.fold, lang),
        slips=told_slips(told.slips, lang),
        findings=[
            FindingInFile(
                line=told.line(finding.version) or 1,
                word=told.word(finding.version, events[finding.version]),
                finding=finding,
            )
            for finding in audit_answer(told.slug, told.fold, lang).findings
        ],
        seated=[record.players for record in told.fold.deals] if is_substituted(told.fold) else [],
        points=substitutes_points(told.fold),
    )
