"""A table as a hand record or the ledger tells it, with the line and word of each entry, and what an import of it would
record and find.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import Struct

from ledger import limits
from ledger.cards import Pack, parse_card_or_unknown, parse_suit
from ledger.errors import MalformedError, NotFoundError, line_of
from ledger.events import Announced, BidMade, CardPlayed, CardTurned, Event, PartnerCalled, TrumpNamed
from ledger.games.kernel.protocol import Game
from ledger.log.base import LogStore
from ledger.outside import opened
from ledger.recording.catalogue import phrase
from ledger.recording.hand.record import SlipMessage, read_hand_record, slip_messages
from ledger.recording.hand.slips import Slip
from ledger.recording.ndjson import not_utf8
from ledger.recording.new_names import check_new_names
from ledger.recording.vocabulary import forms, parts_of
from ledger.streams import TABLE
from ledger.table.answers import Finding, PlayerPoints, ScoreAnswer
from ledger.table.audit import audit_answer
from ledger.table.fold import TableFold
from ledger.table.repository import fold_table
from ledger.table.score import is_substituted, score_answer, substitutes_points

_MOST_BYTES: Final = 4 * limits.HAND_RECORD_CHARS + 4
"""A hand record of the allowed length has at most four bytes a character; one byte more is read, to see that."""

_BETWEEN_WORDS: Final = re.compile(r"""[\s,;·|/"'\[\]=、；｜]+""")


class TableSource(Struct, frozen=True):
    """One table. `lines`: of a file, in which line each version stands; `page` are these lines, from the first, and
    `slips` what cannot be as it was typed there.
    """

    source: str
    slug: str
    fold: TableFold
    lines: Mapping[int, int] = {}
    page: Sequence[str] = ()
    slips: Sequence[Slip] = ()

    def line(self, version: int) -> int | None:
        return self.lines.get(version)

    def word(self, version: int, event: Event) -> str | None:
        """The word of the line that tells the event, as it was typed; None where it cannot be told from others."""
        line = self.line(version)
        if line is None or line > len(self.page):
            return None
        words = _BETWEEN_WORDS.split(self.page[line - 1].partition("#")[0])
        return next((typed for typed in words if _means_event(typed, event, self.fold.game)), None)


def _means_event(typed: str, event: Event, game: Game) -> bool:
    with suppress(MalformedError):
        match event:
            case CardPlayed(card=card) | CardTurned(card=card):
                return parse_card_or_unknown(typed) == card
            case PartnerCalled(card=str(card)):
                return parse_card_or_unknown(typed) == card
            case BidMade(call=word) | Announced(what=word):
                return bool(typed) and (word.startswith(typed.casefold()) or parts_of([typed]) in forms(game, word))
            case TrumpNamed(suit=suit):
                return parse_suit(typed) == suit
    return False


def table_from_file(file: str | Path | BinaryIO, name: str) -> TableSource:
    """The table of a hand record; `name` is what messages call it. Raises `MalformedError` with file and line."""
    text = text_of_file(file, name)
    record = read_hand_record(text, name, refuses_slips=True)
    entries = [item for item in record.entries if item.stream == record.stream]
    lines = {version: item.line for version, item in enumerate(entries, start=1) if item.line is not None}
    page = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    return TableSource(name, TABLE.slug(record.stream), record.table, lines, page, record.slips)


def table_from_file_or_ledger(named: str | Path, store: LogStore | None) -> TableSource:
    """The table of a hand record, where there is a file of that name, else that of the ledger.

    Raises as `told_by_file`, and `NotFoundError` where there is neither.
    """
    if Path(named).is_file():
        return table_from_file(named, str(named))
    if store is None:
        raise NotFoundError("not_found", phrase("neither_file_nor_table", text=named))
    return TableSource(TABLE.slug(str(named)), TABLE.slug(str(named)), fold_table(store, str(named)))


def text_of_file(file: str | Path | BinaryIO, name: str) -> str:
    """The text of a file that may be a hand record; raises `MalformedError` where it is none in UTF-8."""
    if isinstance(file, str | Path):
        with opened(Path(file), may_be_pipe=True) as stream:
            content = stream.read(_MOST_BYTES)
    else:
        content = file.read(_MOST_BYTES)
    try:
        return getincrementaldecoder("utf-8")().decode(content, final=len(content) < _MOST_BYTES)
    except UnicodeDecodeError as error:
        raise not_utf8(content, error.start, line_of(name, content[: error.start].count(b"\n") + 1)) from None


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
    slips: tuple[SlipMessage, ...]
    findings: list[FindingInFile]
    pack: Pack = "french"
    seated: list[list[str]] = []
    points: list[PlayerPoints] = []


def check_hand_record(table: TableSource, lang: str = "en") -> HandRecordCheck:
    """Judges a hand record as the import would, and records nothing."""
    events = dict(table.fold.entries)
    try:
        check_new_names(TABLE.stream(table.slug), (), list(events.values()))
    except MalformedError as error:
        raise error.at(line_of(table.source, table.line((error.entry or 0) + 1) or 1)) from None
    return HandRecordCheck(
        source=table.source,
        table=table.slug,
        pack=table.fold.pack,
        events=len(events),
        score=score_answer(table.slug, table.fold, lang),
        slips=slip_messages(table.slips, lang),
        findings=[
            FindingInFile(
                line=table.line(finding.version) or 1,
                word=table.word(finding.version, events[finding.version]),
                finding=finding,
            )
            for finding in audit_answer(table.slug, table.fold, lang).findings
        ],
        seated=[record.players for record in table.fold.deals] if is_substituted(table.fold) else [],
        points=substitutes_points(table.fold),
    )
