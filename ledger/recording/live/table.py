"""A live table: each act is judged after the recorded entries, recorded, and then played.

Several recorders and programs may record at one table; their entries are taken in before each act. No act is played
before the ledger has acknowledged it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from msgspec import Struct, structs

from ledger.cards import UNKNOWN
from ledger.errors import AgainstRulesError, ConflictError, MalformedError, in_stream
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardTurned,
    Event,
    PartnerCalled,
    TableClosed,
    TableOpened,
    TrumpNamed,
)
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.moves import as_json
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.views import Legal
from ledger.i18n import Text, with_signs
from ledger.log.append_rules import id_used, wrong_version
from ledger.log.base import Acknowledgement, Batch, LogStore, NewEntry, Row
from ledger.recording.adding import Recording
from ledger.recording.canonical import canonical_event
from ledger.recording.catalogue import finished, phrase
from ledger.recording.commands import AppendBatches, Command, Decision, execute
from ledger.recording.correcting import (
    CorrectionAction,
    CorrectionTarget,
    check_confirmed,
    correction,
    last_act,
    last_undone,
)
from ledger.recording.live.running import RunningTable, machine_of
from ledger.recording.new_names import check_new_names
from ledger.recording.vocabulary import game_words
from ledger.streams import TABLE
from ledger.table.corrections import Entry, Signature
from ledger.table.redaction import is_hidden
from ledger.table.repository import fold_table, recorders_shown, signatures


class Judged(Struct, frozen=True):
    """Valid acts as the next entries of the table, and the violations that they would add."""

    batch: Batch
    violations: tuple[Violation, ...]


class Recorded(Struct, frozen=True, kw_only=True):
    """Recorded acts and their violations. A repeated request with known ids is not judged again."""

    acknowledged: Acknowledgement
    violations: tuple[Violation, ...] = ()


class LiveTable(RunningTable):
    """A table in a ledger, opened by `resume` or `open`. Threads that share it need a lock."""

    def __init__(
        self, store: LogStore, table: str, entries: Sequence[Entry], signed: dict[int, Signature] | None = None
    ) -> None:
        self.slug = TABLE.slug(table)
        self.stream = TABLE.stream(self.slug)
        self._store = store
        super().__init__(entries, signed or {})

    @classmethod
    def resume(cls, store: LogStore, table: str) -> LiveTable:
        """Open a recorded table. Raise `NotFoundError` naming the known tables."""
        rows = store.read_stream(TABLE.stream(TABLE.slug(table)))
        if not rows:
            fold_table(store, table)
        entries = [(row.version, row.event()) for row in rows]
        return cls(store, table, entries, signatures(rows, entries))

    @classmethod
    def open(cls, store: LogStore, table: str, opened: TableOpened, *, by: str, id: str | None = None) -> LiveTable:
        """Open a new table. Raise `MalformedError` for an invalid opening, `ConflictError` if the table exists."""
        begun = cls.begun(store, table, opened)
        entry = NewEntry(begun.entries[0][1], id)
        execute(store, AppendBatches(by=by, batches=(Batch(begun.stream, 0, (entry,)),)))
        return cls.resume(store, table)

    @classmethod
    def begun(cls, store: LogStore, table: str, opened: TableOpened) -> LiveTable:
        """Return a new table whose opening the caller has still to record. Raise `MalformedError` for an invalid
        opening.
        """
        stream = TABLE.stream(TABLE.slug(table))
        event = canonical_event(opened)
        with _of_stream(stream):
            begun = cls(store, table, [(1, event)])
        check_new_names(stream, (), [event])
        return begun

    # Reading

    @property
    def hidden_from(self) -> int | None:
        """The version of the first entry with hidden parts; None if everything is public."""
        return None if self.hidden is None else self.hidden.version

    def turn(self, *, as_seen: bool = False) -> int | None:
        """Return the seat in turn; None if there is none. `as_seen`: by the public entries."""
        machine = self._machine(as_seen)
        return None if machine is None else machine.turn()

    def legal(self, *, as_seen: bool = False) -> Legal:
        """Return the legal events of the deal. `as_seen`: by the public entries."""
        machine = self._machine(as_seen)
        return {} if machine is None else as_json(machine.legal(), machine.turn())

    def _machine(self, as_seen: bool) -> Deal | None:
        return machine_of(self.seen_by_all if as_seen else self.fold)

    def dealer_due(self) -> int | None:
        """Return the seat that deals next; None if anyone may."""
        return self.settled.match.expected_dealer()

    # Recording

    def catch_up(self) -> Sequence[Row]:
        """Take in the entries that others have recorded, and return them."""
        rows = self._store.read_stream(self.stream, self.version)
        for row in rows:
            self.take(row.event(), Signature(row.recorded_by, row.recorded_at))
        return rows

    def recorded_since(self, version: int) -> Sequence[Row]:
        """Return the recorded entries after a version, with recorders and ids."""
        return self._store.read_stream(self.stream, version)

    def preview(self, events: Sequence[Event]) -> LiveTable:
        """Return the table after these events without recording them. Raise `MalformedError` for an invalid event."""
        other = self.copy()
        with _of_stream(self.stream):
            for event in events:
                other.take(canonical_event(event))
        return other

    def judge(self, entries: Sequence[NewEntry], *, as_played: bool = False, as_seen: bool = False) -> Judged:
        """Return the acts as the next entries. `as_seen`: errors reveal nothing that rests on hidden cards.

        Raise `MalformedError` for an invalid act and, unless `as_played` is set, `AgainstRulesError` for one against
        the rules, each with the index of the act; then nothing has changed.
        """
        accepted: list[NewEntry] = []
        broken: list[Violation] = []
        running = self if len(entries) == 1 else self.copy()
        for number, entry in enumerate(entries):
            try:
                event = canonical_event(entry.event)
                running.check(event, as_seen=as_seen)
                if as_seen:
                    running.check_not_shown(event)
            except MalformedError as error:
                error.entry = number
                raise error.at(in_stream(self.stream)) from None
            violations = running.broken_by(event, as_seen=as_seen)
            if violations and not as_played:
                raise self._refused(running, number, violations[0])
            broken += violations
            accepted.append(entry if event is entry.event else structs.replace(entry, event=event))
            if number < len(entries) - 1:
                running.take(event)
        check_new_names(self.stream, self.entries, [entry.event for entry in accepted])
        return Judged(Batch(self.stream, self.version, tuple(accepted)), tuple(broken))

    def record(
        self,
        entries: Sequence[NewEntry],
        *,
        by: str,
        as_played: bool = False,
        as_seen: bool = False,
        expected_version: int | None = None,
    ) -> Recorded:
        """Record acts, all of them or none; they are on disk when this returns.

        A request with known ids and the same content gets the first answer. `expected_version`: the version that the
        recorder has seen; without it, the acts are judged after all entries. `as_seen`: as of `judge`; the answer has
        the violations that are public afterwards. Raise the errors of `judge`, and `ConflictError`.
        """
        command = _RecordActs(
            by=by, table=self, entries=entries, as_played=as_played, as_seen=as_seen, expected_version=expected_version
        )
        return execute(self._store, command)

    def with_hands(self, judged: Judged) -> Judged:
        """Add `hands_opened` for the ended deals if an entry closes the table."""
        entries = judged.batch.entries
        if not any(type(entry.event) is TableClosed for entry in entries):
            return judged
        more = self.preview([entry.event for entry in entries]).to_open()
        return structs.replace(judged, batch=structs.replace(judged.batch, entries=(*entries, *map(NewEntry, more))))

    def take_up(self, batch: Batch, by: str, *, as_seen: bool = False) -> list[Violation]:
        """Play judged entries that are recorded now, and return their violations. `as_seen`: as of `record`."""
        take, signature = self.take, Signature(by)
        return [violation for entry in batch.entries for violation in take(entry.event, signature, as_seen=as_seen)]

    def check_writer(self, row: Row, by: str) -> None:
        """Raise `ConflictError` for the id of another recorder's hidden entry, whose content a retry could otherwise
        guess.
        """
        is_others = row.stream == self.stream and row.recorded_by != by
        if is_others and is_hidden(row.version, row.event(), self.hidden):
            raise id_used(row.id, row)

    def _refused(self, running: RunningTable, number: int, violation: Violation) -> AgainstRulesError:
        names = self._shown()
        players = [names.get(player, player) for player in running.fold.players]
        what = finished(running.fold.game.package, violation.words, players)
        where = in_stream(self.stream, running.version + 1)
        return AgainstRulesError(
            what, violation.code, violation.rule, violation.legal or (), where, violation.seat, entry=number
        )

    def _shown(self) -> Mapping[str, str]:
        """Return the display names of handles, for messages."""
        return self._store.display_names() if self._store.has_handles else {}

    # Corrections

    def undo(self, recording: Recording, reason: str) -> Recorded:
        """Strike the last act that is read by a correction.

        Raise `NotFoundError` if no act is left, `UsageError` for a director's entry, and `ConflictError` if the
        recorder has not seen the last act.
        """
        self.catch_up_to(recording.expected_version)
        place = last_act(self.fold)
        check_confirmed(self.fold, place, self.slug)
        return self._correct(place, "strike", None, recording, reason)

    def redo(self, recording: Recording, reason: str) -> Recorded:
        """Restore the act that was undone last. Raise `NotFoundError` if none was, or acts followed."""
        self.catch_up_to(recording.expected_version)
        return self._correct(CorrectionTarget(last_undone(self.entries)), "restore", None, recording, reason)

    def replace(self, place: CorrectionTarget, events: Sequence[Event], recording: Recording, reason: str) -> Recorded:
        """Replace an entry with these events by a correction. Raise `MalformedError` if it is read so already."""
        self.catch_up_to(recording.expected_version)
        return self._correct(place, "replace", events, recording, reason)

    def catch_up_to(self, expected_version: int | None) -> None:
        """Take in the entries of others. Raise `ConflictError` for another version than expected."""
        self.catch_up()
        if expected_version not in (None, self.version):
            raise self.conflict(expected_version)

    def conflict(self, expected_version: int | None) -> ConflictError:
        """Return the error for an act on another version, with what others have recorded since."""
        assert expected_version is not None
        rows = self.recorded_since(expected_version) if expected_version < self.version else ()
        if not rows:
            return wrong_version(self.stream, self.version, expected_version)
        return recorded_meanwhile(self.fold.game, recorders_shown(rows, self._shown()), expected_version)

    def _correct(
        self,
        place: CorrectionTarget,
        action: CorrectionAction,
        events: Sequence[Event] | None,
        recording: Recording,
        reason: str,
    ) -> Recorded:
        event = correction(self.settled, place, action, events, reason)
        return self.record([NewEntry(event, recording.id)], by=recording.by, expected_version=self.version)


class _RecordActs(Command[Recorded], frozen=True, kw_only=True):
    """The command that records acts at a live table; fields as of `LiveTable.record`."""

    table: LiveTable
    entries: Sequence[NewEntry]
    as_played: bool
    as_seen: bool
    expected_version: int | None
    attempts: int = 1_000

    @property
    def ids(self) -> Sequence[str]:
        return [entry.id for entry in self.entries if entry.id is not None]

    def decide(self, states: object, known: Mapping[str, Row]) -> Decision[Recorded]:
        table = self.table
        if known:
            table.catch_up()
            for row in known.values():
                table.check_writer(row, self.by)
            entries = [structs.replace(entry, event=canonical_event(entry.event)) for entry in self.entries]
            yield Batch(table.stream, "any", tuple(entries))
            return self._again
        table.catch_up_to(self.expected_version)
        judged = table.judge(self.entries, as_played=self.as_played, as_seen=self.as_seen)
        if not self.as_seen:
            judged = table.with_hands(judged)
        batch = (yield judged.batch) or judged.batch

        def recorded(acknowledged: Sequence[Acknowledgement]) -> Recorded:
            played = table.take_up(batch, self.by, as_seen=self.as_seen)
            codes = {
                violations.code for violations in played
            }  # e.g. a wrong dealer or score sheet shows when the deal is settled
            violations = (*played, *(one for one in judged.violations if one.code not in codes))
            return Recorded(acknowledged=acknowledged[0], violations=violations)

        return recorded

    def _again(self, acknowledged: Sequence[Acknowledgement]) -> Recorded:
        self.table.catch_up()
        return Recorded(acknowledged=acknowledged[0])


@contextmanager
def _of_stream(stream: str) -> Iterator[None]:
    try:
        yield
    except MalformedError as error:
        raise error.at(in_stream(stream)) from None


def recorded_meanwhile(game: Game, rows: Sequence[Row], expected: int) -> ConflictError:
    """Return the error that names the recorder and the events since the version `expected`.

    Hands, exchanges and corrections are only mentioned, because their cards may be hidden.
    """
    first, last = rows[0], rows[-1]
    what = _what(first.event(), game)
    if len(rows) > 1:
        what = phrase("meanwhile.more", what=what, count=len(rows) - 1)
    said = phrase("meanwhile.recorded", name=first.recorded_by, what=what)
    return ConflictError("wrong_version", said, stream=last.stream, actual=last.version, expected=expected)


def _what(event: Event, game: Game) -> Text:
    match event:
        case CardPlayed(card=card) | CardTurned(card=card) | PartnerCalled(card=str(card)) if card != UNKNOWN:
            return with_signs(card)
        case TrumpNamed(suit=suit):
            return with_signs(suit)
        case BidMade(call=said) | Announced(what=said):
            return game_words(game, [said])[0]
    return phrase(f"meanwhile.{event.__struct_config__.tag}")
