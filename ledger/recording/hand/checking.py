"""A table from a hand record or from the ledger, with the line and word of each entry, and a check of a hand record
that records nothing.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, Final

from msgspec import Struct, structs

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
from ledger.recording.vocabulary import forms, word_parts
from ledger.streams import TABLE
from ledger.table.answers import Finding, PlayerPoints, ScoreAnswer
from ledger.table.audit import audit_answer
from ledger.table.corrections import with_names
from ledger.table.fold import TableFold
from ledger.table.repository import ReadAs, fold_table
from ledger.table.score import is_substituted, score_answer, substitutes_points

_MOST_BYTES: Final = 4 * limits.HAND_RECORD_CHARS + 4
"""The bytes read of a file: four for each allowed character, and four more so that a longer file is noticed."""

_BETWEEN_WORDS: Final = re.compile(r"""[\s,;·|/"'\[\]=、；｜]+""")


class TableSource(Struct, frozen=True):
    """A table and its source.

    `lines`: the line of the file for each version. `page`: all lines of the file, from the first. `slips`: the probable
    typos in it. All three are empty for a table of the ledger.
    """

    source: str
    slug: str
    fold: TableFold
    lines: Mapping[int, int] = {}
    page: Sequence[str] = ()
    slips: Sequence[Slip] = ()

    def line(self, version: int) -> int | None:
        """Return the line of the entry, counted from 1; None in the ledger."""
        return self.lines.get(version)

    def word(self, version: int, event: Event) -> str | None:
        """Return the word of the line that the event was read from; None if it is not a single word."""
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
                return bool(typed) and (word.startswith(typed.casefold()) or word_parts([typed]) in forms(game, word))
            case TrumpNamed(suit=suit):
                return parse_suit(typed) == suit
    return False


def table_from_file(file: str | Path | BinaryIO, name: str) -> TableSource:
    """Read the table of a hand record. `name`: the file in messages. Raise `MalformedError` with file and line."""
    text = text_of_file(file, name)
    record = read_hand_record(text, name, refuses_slips=True)
    entries = [item for item in record.entries if item.stream == record.stream]
    lines = {version: item.line for version, item in enumerate(entries, start=1) if item.line is not None}
    page = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    return TableSource(name, TABLE.slug(record.stream), record.table, lines, page, record.slips)


def table_from_file_or_ledger(
    named: str | Path, store: LogStore | None, names: Mapping[str, str] = MappingProxyType({})
) -> TableSource:
    """Read the hand record of that name or, if there is no such file, the table of the ledger.

    `names`: the displayed names of players. Raise as `table_from_file`, and `NotFoundError` if neither exists.
    """
    if Path(named).is_file():
        table = table_from_file(named, str(named))
        return structs.replace(table, fold=TableFold(with_names(table.fold.entries, names))) if names else table
    if store is None:
        raise NotFoundError("not_found", phrase("neither_file_nor_table", text=named))
    slug = TABLE.slug(str(named))
    return TableSource(slug, slug, fold_table(store, slug, ReadAs(names=names)))


def text_of_file(file: str | Path | BinaryIO, name: str) -> str:
    """Return the text of a file that may be a hand record. Raise `MalformedError` if it is not UTF-8."""
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
    """An irregularity with its line in the file and the word at fault; null if it is not about a single word."""

    line: int
    word: str | None
    finding: Finding


class HandRecordCheck(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Answer of `check`: what an import of the file would record and find.

    `events`: the number of events of the table. `score`: the score by the rules. `slips`: probable typos, which come
    before the findings that follow from them. `pack`: the pack of the table. After a substitution, `seated` are the
    players of each deal, and `points` the points of each player in the deals that they played.
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
    """Judge a hand record as an import would, and record nothing. Raise `MalformedError` for a name that cannot be
    recorded.
    """
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
