"""The tables of a log, folded: as corrected, as first written, or as of a position or moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final, TypeVar

from msgspec import Struct, structs

from ledger.errors import NotFoundError, UnreadableError, listed
from ledger.events import Corrected, PlayerSeated, SessionClosed, SessionOpened, TableOpened
from ledger.log.base import LogStore, Row
from ledger.log.people import is_handle, with_shown_names
from ledger.names import hint
from ledger.streams import SESSION, TABLE, StreamType
from ledger.table.catalogue import phrase
from ledger.table.corrections import Entry, Signature, corrected_reading, with_names
from ledger.table.corrections import as_recorded as first_written
from ledger.table.fold import TableFold, without_rulings

Read = TypeVar("Read")

NO_NAMES: Final[Mapping[str, str]] = MappingProxyType({})


class ReadAs(Struct, frozen=True):
    """The reading of a table: `recorded` leaves corrections out, `until` everything after that position.

    `names`: display names, by names in the record. `without_rulings` leaves the director's rulings out.
    """

    recorded: bool = False
    until: int | None = None
    names: Mapping[str, str] = {}
    without_rulings: bool = False


AS_CORRECTED = ReadAs()


class TableAsRead(Struct, frozen=True):
    """A table in one reading of its record, folded once for all its answers."""

    slug: str
    fold: TableFold

    def deal_or_last(self, deal: int | None) -> int:
        """Return the number of that deal, or of the last one. Raise `NotFoundError` if the table has none yet."""
        if deal is not None:
            return deal
        if not self.fold.deals:
            raise NotFoundError("not_found", phrase("table_without_deals", text=self.slug))
        return self.fold.deals[-1].number


def requested_reading(
    store: LogStore,
    *,
    as_recorded: bool = False,
    as_of: str | int | datetime | None = None,
    without_rulings: bool = False,
    names: Mapping[str, str] | None = None,
) -> ReadAs:
    """Return the reading for these options; `as_of` is a position or a moment, as in `position_at`."""
    until = None if as_of is None else position_at(store, str(as_of))
    return ReadAs(as_recorded, until, {} if names is None else names, without_rulings)


def table_slugs(store: LogStore) -> list[str]:
    """Return the slugs of all tables, in the order in which they were opened."""
    return [TABLE.slug(head.stream) for head in store.streams(TABLE.prefix)]


def fold_table(store: LogStore, table: str, read_as: ReadAs = AS_CORRECTED) -> TableFold:
    """Return the table with all its deals. Raise `NotFoundError` naming the existing tables."""
    fold = _fold_or_none(store, table, read_as)
    if fold is not None:
        return fold
    slugs = table_slugs(store)
    if TABLE.slug(table) in slugs:
        raise NotFoundError("not_found", phrase("table_opened_later", text=TABLE.slug(table), position=read_as.until))
    raise no_table(store, table)


def no_table(store: LogStore, table: str) -> NotFoundError:
    """Return the error for a table that does not exist, with a similar name or all names."""
    return _no_such(store, TABLE, table, "no_table", "no_table_yet")


def no_session(store: LogStore, session: str) -> NotFoundError:
    """Return the error for a session that does not exist, as `no_table`."""
    return _no_such(store, SESSION, session, "no_session", "no_session_yet")


def _no_such(store: LogStore, kind: StreamType, text: str, key: str, key_of_none: str) -> NotFoundError:
    slug, slugs = kind.slug(text), [kind.slug(head.stream) for head in store.streams(kind.prefix)]
    if not slugs:
        return NotFoundError("not_found", phrase(key_of_none, text=slug))
    advice = hint(slug, slugs, phrase("the_ledger_has", names=listed(slugs)))
    return NotFoundError("not_found", phrase(key, text=slug, hint=advice))


def no_stream(store: LogStore, stream: str) -> NotFoundError:
    """Return the error for a stream that does not exist, in the words of its kind."""
    if TABLE.has(stream):
        return no_table(store, stream)
    if SESSION.has(stream):
        return no_session(store, stream)
    return NotFoundError("not_found", phrase("no_stream", text=stream))


def known_session(store: LogStore, session: str) -> str:
    """Return the slug of a session that was opened or that a table names. Raise `NotFoundError` for another one."""
    slug = SESSION.slug(session)
    is_known = bool(store.read_stream(SESSION.stream(slug))) or any(
        type(opened) is TableOpened and opened.session == slug
        for _, reading in entries_of_tables(store)
        for _, opened in reading[:1]
    )
    if not is_known:
        raise no_session(store, session)
    return slug


def fold_tables(store: LogStore, read_as: ReadAs = AS_CORRECTED) -> Iterator[tuple[str, TableFold]]:
    """Yield all tables with their slugs; those opened after the requested position are left out.

    Raise `UnreadableError` for damaged tables only after all sound ones.
    """
    return _sound_first(store, lambda slug: _fold_or_none(store, slug, read_as))


def entries_of_tables(store: LogStore, read_as: ReadAs = AS_CORRECTED) -> Iterator[tuple[str, Sequence[Entry]]]:
    """Yield the entries of all tables as they are read, with their slugs, unfolded. Raise as `fold_tables`."""

    def reading(slug: str) -> Sequence[Entry] | None:
        entries = _entries_of(_rows(store, slug, read_as), read_as)
        return _reading(slug, entries, read_as) if entries else None

    return _sound_first(store, reading)


def _sound_first(store: LogStore, read: Callable[[str], Read | None]) -> Iterator[tuple[str, Read]]:
    damaged: dict[str, UnreadableError] = {}
    for slug in table_slugs(store):
        try:
            table = read(slug)
        except UnreadableError as error:
            if error.code != "damaged":
                raise
            damaged[slug] = error
            continue
        if table is not None:
            yield slug, table
    if not damaged:
        return
    first = next(iter(damaged.values()))
    if len(damaged) == 1:
        raise first
    several = phrase("damaged_tables", tables=listed(list(damaged)), first=first.said)
    raise UnreadableError("damaged", several, **first.values)


def _rows(store: LogStore, table: str, read_as: ReadAs) -> list[Row]:
    return store.read_stream(TABLE.stream(TABLE.slug(table)), until_position=read_as.until)


def _entries_of(rows: Sequence[Row], read_as: ReadAs) -> list[Entry]:
    entries = [(row.version, row.event()) for row in rows]
    return with_names(entries, read_as.names) if read_as.names else entries


def recorders_shown(rows: Sequence[Row], names: Mapping[str, str]) -> Sequence[Row]:
    """Return the rows with the display names of recorders who have handles."""
    if not any(map(is_handle, names)):
        return rows
    return [structs.replace(row, recorded_by=with_shown_names(row.recorded_by, names)) for row in rows]


def signatures(
    rows: Sequence[Row], entries: Iterable[Entry], names: Mapping[str, str] = NO_NAMES
) -> dict[int, Signature]:
    """Return the recorders of the corrections of a table, by their versions. `rows`: all of the table; `names`: the
    display names of handles.
    """
    return {
        version: Signature(with_shown_names(rows[version - 1].recorded_by, names), rows[version - 1].recorded_at)
        for version, event in entries
        if type(event) is Corrected
    }


def _reading(slug: str, entries: list[Entry], read_as: ReadAs) -> Sequence[Entry]:
    """Return the entries as they are read. Raise `UnreadableError` if they do not begin with the opening."""
    reading = first_written(entries) if read_as.recorded else corrected_reading(entries)
    if not reading or type(reading[0][1]) is not TableOpened:
        raise not_opened(slug)
    return reading


def not_opened(slug: str) -> UnreadableError:
    """Return the error for a table whose first entry is not its opening."""
    return UnreadableError("damaged", phrase("not_opened", stream=TABLE.stream(slug)))


def _fold_or_none(store: LogStore, table: str, read_as: ReadAs) -> TableFold | None:
    rows = _rows(store, table, read_as)
    if not rows:
        return None
    entries = _entries_of(rows, read_as)
    reading = _reading(TABLE.slug(table), entries, read_as)
    recorded, signed = (None, {}) if read_as.recorded else (entries, signatures(rows, entries, read_as.names))
    fold = TableFold(reading, recorded, signed=signed, is_redacted=not rows[-1].digest)
    session = fold.opened.session
    fold.opened_too_late = session is not None and _was_closed(store, session, rows[0].position, read_as)
    return without_rulings(fold) if read_as.without_rulings else fold


def _was_closed(store: LogStore, session: str, position: int, read_as: ReadAs) -> bool:
    """Return whether the session had been closed before that position, in this reading."""
    rows = store.read_stream(SESSION.stream(session), until_position=read_as.until)
    entries = [(row.version, row.event()) for row in rows]
    reading = first_written(entries) if read_as.recorded else corrected_reading(entries)
    before = {row.version for row in rows if row.position < position}
    return not before.isdisjoint(closings(reading))


def closings(reading: Iterable[Entry]) -> Iterator[int]:
    """Return the versions at which a session is closed, from its entries as they are read."""
    return (version for version, event in reading if type(event) is SessionClosed)


def session_entries(store: LogStore, session: str, until: int | None = None) -> list[Entry]:
    """Return the entries of a session by its slug, corrections included; none if it was never opened."""
    rows = store.read_stream(SESSION.stream(session), until_position=until)
    return [(row.version, row.event()) for row in rows]


def opening_of(reading: Iterable[Entry]) -> SessionOpened | None:
    """Return the opening of a session; None if it was not opened, or its opening was struck."""
    return next((event for _, event in reading if isinstance(event, SessionOpened)), None)


def players_of(store: LogStore) -> dict[str, int]:
    """Return the players of the record as corrected, by name, with the number of tables that each sat at."""
    tables: Counter[str] = Counter()
    for head in store.streams(TABLE.prefix):
        seated: set[str] = set()
        for _, event in corrected_reading((row.version, row.event()) for row in store.read_stream(head.stream)):
            if type(event) is TableOpened:
                seated.update(event.players)
            elif type(event) is PlayerSeated:
                seated.add(event.player)
        tables.update(seated)
    return dict(sorted(tables.items()))


def no_such_position(text: str, last: int) -> NotFoundError:
    """Return the error for a position that the ledger has not reached."""
    return NotFoundError(
        "not_found", phrase("no_position_but_first" if last == 1 else "no_position", text=text, last=last)
    )


def position_at(store: LogStore, text: str) -> int:
    """Return the position meant by `--as-of`: a position, or the last entry recorded by a moment (RFC 3339, UTC by
    default).

    Raise `NotFoundError` for other texts, and for a position that the ledger has not reached.
    """
    last = store.head().position
    if text.isdecimal():
        if len(text) > len(str(last)) or not 1 <= int(text) <= last:
            raise no_such_position(text, last)
        return int(text)
    try:
        moment = datetime.fromisoformat(text)
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise NotFoundError("usage", phrase("no_position_or_moment", text=text)) from None
    until = moment.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
    # Merged entries have earlier times than the entries before them: reading ends at the first entry that is too late,
    # or later merged ones would count as already recorded.
    position = next((row.position - 1 for row in store.read(verified=False) if row.recorded_at > until), last)
    next(store.read(position, position + 1), None)  # raises if the deciding entry was altered
    if not position:
        raise NotFoundError("not_found", phrase("nothing_recorded_by", text=until))
    return position
