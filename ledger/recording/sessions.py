"""Events of sessions: open, amend, close, reopen, note, and correct.

The first entry describes the session; amending it corrects that entry, and reopening a session corrects its closing.
Recorded entries never change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct, structs

from ledger.errors import ConflictError, MalformedError, UsageError, listed
from ledger.events import SESSION_TYPES, Corrected, Event, Noted, SessionClosed, SessionOpened, Slug, TableClosed
from ledger.log.append_rules import wrong_version
from ledger.log.base import Acknowledgement, Batch, LogStore, NewEntry, Row
from ledger.recording.adding import Recording, known_entry
from ledger.recording.canonical import canonical_event
from ledger.recording.catalogue import phrase
from ledger.recording.commands import Command, Decision, execute
from ledger.recording.correcting import CorrectionAction, as_correction, check_changes, check_is_original, read_after
from ledger.recording.directing import check_remark
from ledger.recording.event_text import events_from_json
from ledger.recording.hands import opening_after
from ledger.recording.validator import next_entries, type_name
from ledger.streams import SESSION
from ledger.table.corrections import Entry, corrected_reading
from ledger.table.repository import entries_of_tables, no_session, opening_of
from ledger.validation import converted

EventFactory: TypeAlias = Callable[[Sequence[Entry]], Event]
"""A function that returns the event to add, given the entries of the session."""

_OPENING: Final = 1
"""The version of the entry that opens a session, which is always the first."""


class SessionState(Struct, frozen=True, kw_only=True):
    """A session as it is read; title and date are null if its opening was struck."""

    title: str | None
    date: str | None
    club: str | None
    place: str | None
    zone: str | None
    closed: bool


class SessionAddition(Struct, frozen=True, kw_only=True):
    """The answer of `session`, and of `note` and `correct` for a session: the added event, and the session after it.

    `version`: the event's version, also in a dry run. `position`, `id`: null in a dry run. `already_recorded`: the
    ledger already had the event under this id; nothing was added. `before`: null if the event opened the session.
    `open_tables`: the open tables of a session that was closed.
    """

    session: str
    version: int
    position: int | None
    id: str | None
    already_recorded: bool
    event: Event
    before: SessionState | None
    after: SessionState
    open_tables: tuple[str, ...]


class AddToSession(Command[SessionAddition], frozen=True, kw_only=True):
    """The command that adds the event that `make` returns for the session; fields as of `add_to_session`."""

    store: LogStore
    session: str
    make: EventFactory
    recording: Recording
    is_opening: bool
    open_tables: tuple[str, ...]

    def decide(self, states: object, known: Mapping[str, Row]) -> Decision[SessionAddition]:
        """Decide which event is appended. Raise the errors of `add_to_session`."""
        store, recording = self.store, self.recording
        slug = converted(SESSION.slug(self.session), Slug, "session")
        stream = SESSION.stream(slug)
        first = None if recording.id is None else known_entry(store, recording.id, stream)
        rows = store.read_stream(stream, until_position=None if first is None else first.position - 1)
        entries = [(row.version, row.event()) for row in rows]
        if not entries and not self.is_opening:
            if first is not None:
                raise ConflictError("id_used", phrase("id_opened_the_session", stream=stream))
            raise no_session(store, slug)
        if first is None and recording.expected_version not in (None, len(entries)):
            raise wrong_version(stream, len(entries), recording.expected_version)
        ((_, event),) = next_entries(stream, entries, [canonical_event(self.make(entries))])
        if not recording.dry_run:
            yield Batch(stream, len(entries) if first is None else "any", (NewEntry(event, recording.id),))
            if first is None and isinstance(event, SessionClosed):
                yield from opening_after(store, [stream])

        def added(acknowledged: Sequence[Acknowledgement]) -> SessionAddition:
            at = acknowledged[0] if acknowledged else None
            version = len(entries) + 1 if at is None else at.first_version
            return SessionAddition(
                session=slug,
                event=event,
                version=version,
                position=None if at is None else at.first_position,
                id=None if at is None else at.ids[0],
                already_recorded=at is not None and at.already_recorded,
                before=session_state(entries) if entries else None,
                after=session_state([*entries, (version, event)]),
                open_tables=self.open_tables,
            )

        return added


def add_to_session(
    store: LogStore,
    session: str,
    make: EventFactory,
    recording: Recording,
    *,
    is_opening: bool = False,
    open_tables: tuple[str, ...] = (),
) -> SessionAddition:
    """Record the event that `make` returns for the session, if the session has not changed meanwhile.

    A request with a known id is decided again on the entries before that id. Raise `NotFoundError` for an unknown
    session, `MalformedError` for an event that cannot be an entry, and `ConflictError` for another version than
    expected or an id used for something else.
    """
    command = AddToSession(
        by=recording.by,
        store=store,
        session=session,
        make=make,
        recording=recording,
        is_opening=is_opening,
        open_tables=open_tables,
    )
    return execute(store, command)


def session_state(entries: Sequence[Entry]) -> SessionState:
    """Return the state of a session after its entries and their corrections."""
    reading = corrected_reading(entries)
    opened = opening_of(reading)
    fields = {name: getattr(opened, name, None) for name in ("title", "date", "club", "place", "zone")}
    return SessionState(**fields, closed=any(isinstance(event, SessionClosed) for _, event in reading))


def opening(fields: Mapping[str, str | None]) -> EventFactory:
    """Return the factory of the event that opens a session; an empty optional field is null."""
    return lambda _: converted({"type": "session_opened", **_with_nulls(fields)}, SessionOpened, "session")


def amendment(fields: Mapping[str, str | None], reason: str) -> EventFactory:
    """Return the factory of the correction that changes fields of a session; None keeps a field, an empty text clears
    it.
    """

    def made(entries: Sequence[Entry]) -> Event:
        original, read = _read_at(entries, _OPENING)
        now = tuple(_with_fields(event, fields) if isinstance(event, SessionOpened) else event for event in read)
        return _correction(entries, _OPENING, now or (_with_fields(original, fields),), reason)

    return made


def closing(session: str, left_open: Sequence[str], *, is_meant: bool) -> EventFactory:
    """Return the factory of the event that closes a session.

    The factory raises `UsageError` if tables are `left_open` and `is_meant` is not set.
    """

    def made(entries: Sequence[Entry]) -> Event:
        if left_open and not is_meant and not session_state(entries).closed:
            words = phrase("session.tables_open", session=SESSION.slug(session), tables=listed(left_open))
            raise UsageError("confirm_required", words)
        return SessionClosed()

    return made


def reopening(reason: str) -> EventFactory:
    """Return the factory of the correction that removes the closing.

    The factory raises `MalformedError` if the session is open.
    """

    def made(entries: Sequence[Entry]) -> Event:
        reading = corrected_reading(entries)
        closed = [version for version, event in reading if isinstance(event, SessionClosed)]
        if not closed:
            raise MalformedError(phrase("session.is_open"), phrase("session.closed_one"))
        _, read = _read_at(entries, closed[-1])
        now = tuple(event for event in read if not isinstance(event, SessionClosed))
        return _correction(entries, closed[-1], now, reason)

    return made


def noting(text: str) -> EventFactory:
    """Return the factory of a note about the session. Raise `MalformedError` if the note has no words."""
    check_remark(text)
    return lambda _: converted({"type": "noted", "text": text}, Noted, "note")


def correcting(
    action: CorrectionAction, content: str | Sequence[Event] | None, version: int | None, reason: str
) -> EventFactory:
    """Return the factory of the correction of an entry, by default of the last one that is read.

    `content`: events, JSON of events, or the new words of a note.
    """

    def made(entries: Sequence[Entry]) -> Event:
        place = corrected_reading(entries)[-1][0] if version is None else version
        check_is_original(entries, place, "session.no_entry")
        original, read = _read_at(entries, place)
        now = read_after(action, original, read, None, lambda _, replaced: _events_of_content(content, replaced))
        return _correction(entries, place, now, reason)

    return made


def open_tables(store: LogStore, session: str) -> tuple[str, ...]:
    """Return the slugs of the open tables of a session, in the order of their opening."""
    slug = SESSION.slug(session)
    return tuple(
        table
        for table, entries in entries_of_tables(store)
        if getattr(entries[0][1], "session", None) == slug
        and not any(type(event) is TableClosed for _, event in entries)
    )


def _with_nulls(fields: Mapping[str, str | None]) -> dict[str, str | None]:
    """Return the fields, with null for empty optional ones."""
    return {name: None if text == "" and name not in ("title", "date") else text for name, text in fields.items()}


def _with_fields(event: Event, fields: Mapping[str, str | None]) -> Event:
    given = {name: text for name, text in fields.items() if text is not None}
    now = structs.asdict(event) | _with_nulls(given)
    return converted({"type": "session_opened", **now}, SessionOpened, "session")


def _read_at(entries: Sequence[Entry], version: int) -> tuple[Event, tuple[Event, ...]]:
    """Return the original entry and the events that are read in its place."""
    read = tuple(event for place, event in corrected_reading(entries) if place == version)
    return entries[version - 1][1], read


def _events_of_content(content: str | Sequence[Event] | None, replaced: Event | None) -> tuple[Event, ...]:
    if not isinstance(content, str):
        return tuple(content or ())
    if isinstance(replaced, Noted) and not content.lstrip().startswith(("{", "[")):
        return (structs.replace(replaced, text=content),)
    return events_from_json(content)


def _correction(entries: Sequence[Entry], version: int, now: tuple[Event, ...], reason: str) -> Corrected:
    """Return the correction after which `now` is read at that version.

    Raise `MalformedError` if it changes nothing or the stream would not begin with an opening.
    """
    if not reason.strip():
        raise MalformedError(phrase("correction.no_reason"), phrase("correction.reason"))
    original, read = _read_at(entries, version)
    now = tuple(map(canonical_event, now))
    check_changes(version, read, now)
    for event in now:
        if type(event) not in SESSION_TYPES:
            raise MalformedError("type", phrase("entry.session_types"), type_name(event))
    correction = as_correction(version, original, now, reason)
    reading = corrected_reading([*entries, (len(entries) + 1, correction)])
    if not reading or not isinstance(reading[0][1], SessionOpened):
        raise MalformedError(phrase("session.opens", version=version), phrase("session.another_entry"))
    return correction
