"""A table as a hand record: the text from which an import makes the same table, and a list of what it cannot express.

The text is read back and compared with the table, so that nothing is lost silently.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from ledger.errors import MalformedError
from ledger.events import (
    MACHINE_TYPES,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    DealStarted,
    DealVoided,
    Event,
    MachineEvent,
    Noted,
    PlayerSeated,
    ResultRecorded,
    ScoreClaimed,
    SessionOpened,
    TableClosed,
    TableOpened,
    TrumpNamed,
)
from ledger.games.kernel.protocol import Game
from ledger.names import folded
from ledger.recording.catalogue import phrase
from ledger.recording.grammar import NOBODY, Names
from ledger.recording.hand.comparison import Differences, LeftOut, differences, moment_of, parts_of
from ledger.recording.hand.deal import LINE_KEYS
from ledger.recording.hand.line_writer import DealSection, LineWriter, arrange_acts
from ledger.recording.hand.record import read_hand_record
from ledger.recording.hand.seats import NOBODY_TYPED, fields_with_names, fields_with_seats, without_none
from ledger.recording.hand.turns import Turns
from ledger.table.corrections import Entry
from ledger.table.fold import TableFold
from ledger.toml import lines_text, pair_text, table_text
from ledger.zones import zone_named

_SITS_OUT: Final = "-"
_ONCE: Final = (ResultRecorded, ScoreClaimed)
"""Events of which a deal of a hand record has at most one."""

_Entries: TypeAlias = Sequence[Entry]


class TableToWrite(Struct, frozen=True, kw_only=True):
    """One reading of a table.

    `moments`: the known moments of entries, by version. `session`: the event that opens the session, if this record is
    to open it. `corrections`: the number of corrections in the reading.
    """

    slug: str
    reading: _Entries
    moments: Mapping[int, str] = {}
    session: SessionOpened | None = None
    zone: str | None = None
    corrections: int = 0


class WrittenRecord(Struct, frozen=True, kw_only=True):
    """A hand record as text, and what it does not express of the table."""

    text: str
    left_out: tuple[LeftOut, ...]


def write_hand_record(table: TableToWrite) -> WrittenRecord:
    """Write the table as a hand record. Raise `MalformedError` if that is impossible, e.g. for players of the same
    name.
    """
    try:
        text, losses = _written(table, ())
        if losses.misread:
            text, losses = _written(table, losses.misread)
    except MalformedError as error:
        raise MalformedError(phrase("written.cannot", table=table.slug, why=error.said)) from None
    corrected = phrase("written.corrections", count=table.corrections)
    return WrittenRecord(
        text=text, left_out=(*([LeftOut(what=corrected)] if table.corrections else ()), *losses.left_out)
    )


def _written(table: TableToWrite, named: Collection[int]) -> tuple[str, Differences]:
    """Return the text and its losses; in the deals `named` each act has its name and a line of its own."""
    text = _RecordWriter(table, named).text()
    again = read_hand_record(text, f"{table.slug}.toml", seeks_slips=False)
    return text, differences(table.reading, again.entries, table.moments)


class _RecordWriter:
    """Writer of one table; `named` as in `_written`. The first two notes before the deals go to the top."""

    def __init__(self, table: TableToWrite, named: Collection[int]) -> None:
        self.table = table
        self.named = named
        self.head, *self.deals = parts_of(table.reading)
        opened = self.head[0][1]
        assert isinstance(opened, TableOpened), "a table's first entry opens it"
        self.opened = opened
        self.notes = [event.text for _, event in self.head if isinstance(event, Noted)]
        self.names = Names(opened.players)
        self.fold = TableFold([(1, opened)], goes_on=True)

    def text(self) -> str:
        blocks = ["\n".join(self._top())]
        if options := {key: value for key, value in self.opened.options.items() if value is not None}:
            blocks.append("\n".join(table_text("options", options)))
        if self.opened.session is not None:
            blocks.append("\n".join(table_text("session", self._session(self.opened.session))))
        seated: list[Event] = [event for _, event in self.head if type(event) is PlayerSeated]
        for place, entries in enumerate(self.deals):
            blocks.extend(self._deal(entries, seated, self.notes[2:] if place == 0 else ()))
            seated = [event for _, event in entries if type(event) is PlayerSeated]
        return "\n\n".join(blocks) + "\n"

    def _top(self) -> list[str]:
        lines = [
            pair_text("game", self.opened.game),
            pair_text("table", self.table.slug),
            pair_text("players", self.opened.players),
        ]
        keys = ("comment",) if len(self.notes) == 1 else ("source", "comment")
        lines += [pair_text(key, note) for key, note in zip(keys, self.notes, strict=False)]
        for _, event in self.table.reading:
            if isinstance(event, TableClosed):
                return [*lines, pair_text("closed", True if event.reason is None else event.reason)]
        return lines

    def _session(self, slug: str) -> dict[str, str]:
        opening = self.table.session
        fields = {} if opening is None else {name: getattr(opening, name) for name in opening.__struct_fields__}
        return {"slug": slug, **{key: value for key, value in fields.items() if value is not None}}

    # Deals

    def _deal(self, entries: _Entries, seated: Sequence[Event], notes: Sequence[str]) -> list[str]:
        self.fold.end_deal()
        new = self._seat(seated)
        started = entries[0][1]
        assert isinstance(started, DealStarted), "a deal begins with its start"
        dealer = self.names.players[started.dealer]
        self._apply(started)
        dealt, lines, pairs = self._acts(started, entries)
        when = moment_of(entries, self.table.moments)
        top = ["[[deal]]", pair_text("dealer", dealer)]
        if when is not None:
            top.append(f"when = {self._local(when)}")
        if self._is_impossible():
            top.append(pair_text("as_typed", True))
        if new:
            top.append(pair_text("seated", new))
        top += [pair_text(key, value) for key, value in self._dealt(dealt)]
        top += lines
        top += [pair_text(key, value) for key, value in pairs]
        voided = next((event for _, event in entries if isinstance(event, DealVoided)), None)
        if voided is not None:
            top.append(pair_text("voided", voided.reason))
            self._apply(voided)
        noted = [*notes, *(event.text for _, event in entries if isinstance(event, Noted))]
        if noted:
            top.append(pair_text("notes", noted[0] if len(noted) == 1 else noted))
        hands = {} if dealt is None else self._hands(dealt)
        return ["\n".join(top), "\n".join(table_text("deal.hands", hands))] if hands else ["\n".join(top)]

    def _seat(self, seated: Sequence[Event]) -> dict[str, str]:
        """Return the substitutions that the format can express, and seat these players."""
        new: dict[str, str] = {}
        for event in seated:
            assert isinstance(event, PlayerSeated)
            leaves = self.names.players[event.seat]
            if leaves not in new and folded(event.player) not in map(folded, (*self.names.players, NOBODY)):
                new[leaves] = event.player
                self.names.replace(event.seat, event.player)
                self._apply(event)
        return new

    def _acts(
        self, started: DealStarted, entries: _Entries
    ) -> tuple[CardsDealt | None, list[str], list[tuple[str, Any]]]:
        """Return the cards dealt, the lines of the acts, and the pairs of the results; all of it is played."""
        turns = Turns(self.fold.game, self.names, self.fold.deals[-1].machine, lambda event, _: self._apply(event))
        lines = LineWriter(turns, started.deal in self.named)
        dealt: CardsDealt | None = None
        pairs: list[tuple[str, Any]] = []
        placed = arrange_acts(_acts_to_write(entries, self.fold.game), self.fold.game)
        lines.names_all = lines.names_all or not placed.is_in_order
        for section, event in placed.acts:
            match event:
                case CardsDealt():
                    dealt = event
                    turns.act(event)
                case ResultRecorded():
                    pairs += self._result(event, started.dealer)
                    turns.act(event)
                case ScoreClaimed():
                    pairs.append(("sheet", self._sheet(event)))
                    turns.act(event)
                case _:
                    if dealt is None:  # as the reader does: without cards nobody would be due
                        dealt = CardsDealt(hands=(None,) * len(self.names.players))
                        turns.act(dealt)
                    lines.write(section, event)
        texts = [
            f"{key} = {lines_text(act_lines)}" for key in LINE_KEYS if (act_lines := lines.of(DealSection[key.upper()]))
        ]
        if lines.turned:
            texts.insert(int(bool(lines.of(DealSection.CALLS))), pair_text("turned", " ".join(lines.turned)))
        return dealt, texts, pairs

    def _is_impossible(self) -> bool:
        """Return whether the deal is impossible as recorded; an import accepts it only with `as_typed`."""
        record = self.fold.deals[-1]
        violations = (*record.violations, *record.machine.late_violations())
        kinds = {type(event) for _, event in self.fold.entries[record.start :]}
        is_both = {TrumpNamed, CardTurned} <= kinds
        return any(is_both or one.code in self.fold.game.impossible for one in violations)

    def _apply(self, event: Event) -> Sequence[Any]:
        return self.fold.take((len(self.fold.entries) + 1, event))

    def _dealt(self, dealt: CardsDealt | None) -> list[tuple[str, str]]:
        if dealt is None:
            return []
        cards = {"stock": dealt.stock, "deck": dealt.deck}
        pairs = [(key, " ".join(row)) for key, row in cards.items() if row is not None]
        return pairs if dealt.cut_by is None else [*pairs, ("cut_by", self.names.players[dealt.cut_by])]

    def _hands(self, dealt: CardsDealt) -> dict[str, str]:
        hands = zip(self.names.players, dealt.hands, strict=True)
        return {name: " ".join(hand) or _SITS_OUT for name, hand in hands if hand is not None}

    def _result(self, event: ResultRecorded, dealer: int) -> list[tuple[str, Any]]:
        fields = self._fields(event.outcome, self.fold.game.outcome_type)
        try:
            outcome = fields_with_seats(fields, self.fold.game.outcome_type, self.names, self.fold.game)
            self.fold.game.check_outcome(outcome, self.fold.options, len(self.names.players), dealer)
        except MalformedError:
            return []
        return [("result", fields)]

    def _sheet(self, event: ScoreClaimed) -> dict[str, Any]:
        players = self.names.players
        amounts = {"deltas": event.deltas, "totals": event.totals}
        sheet: dict[str, Any] = {
            key: dict(zip(players, row, strict=True)) for key, row in amounts.items() if row is not None
        }
        if event.pool is not None:
            sheet["pool"] = event.pool
        return sheet | self._fields(event.sheet or {}, self.fold.game.sheet_type)

    def _fields(self, fields: Mapping[str, Any], struct: type) -> dict[str, Any]:
        """Return the fields with names for seats, if reading them gives the same seats again."""
        named = fields_with_names(fields, struct, self.names.players, self.fold.game.teams)
        plain = without_none(fields, struct)
        numbered = {key: NOBODY_TYPED if value is None else value for key, value in plain.items()}
        try:
            again = fields_with_seats(named, struct, self.names, self.fold.game)
        except MalformedError:
            return numbered
        return named if msgspec.json.encode(again) == msgspec.json.encode(plain) else numbered

    def _local(self, moment: str) -> str:
        """Return a moment as the local clock showed it."""
        utc = datetime.fromisoformat(moment).astimezone(UTC)
        zone = None if self.table.zone is None else zone_named(self.table.zone)
        local = utc if zone is None else utc.astimezone(zone)
        offset = local.utcoffset()
        is_written = offset is not None and not offset.seconds % 60
        return (local if is_written else utc).isoformat()


def _acts_to_write(entries: _Entries, game: Game) -> list[MachineEvent]:
    """Return the acts of a deal that have a place in the file: the first cards dealt, the last result and sheet."""
    acts: list[Any] = [event for _, event in entries if type(event) in MACHINE_TYPES]
    selected = {id(next((act for act in acts if type(act) is CardsDealt), None))}
    selected |= {id(next((act for act in reversed(acts) if type(act) is kind), None)) for kind in _ONCE}
    return [
        act
        for act in acts
        if (type(act) not in (CardsDealt, *_ONCE) or id(act) in selected)
        and not (type(act) is CardsExchanged and act.count > len(game.pack))
    ]
