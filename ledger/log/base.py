"""The base class of all log stores, with the types of their arguments and results. No storage here.

Positions count the entries of a ledger from 1, versions those of one stream from 1, both without gaps. Threads may
share a store; a process that forks opens its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from types import TracebackType
from typing import Final, Literal, NamedTuple, Self, TypeAlias

import msgspec
from msgspec import Struct

from ledger.errors import LedgerError, UnreadableError
from ledger.events import UPCASTERS, Envelope, Event, decode_event, encode_event, upcast
from ledger.i18n import Text
from ledger.i18n.library_errors import localised
from ledger.log import people as rules
from ledger.log.catalogue import phrase
from ledger.log.chain import GENESIS, canonical, with_digest
from ledger.log.people import People

ExpectedVersion: TypeAlias = int | Literal["any"]
"""The version that the stream must have before the append (0: the stream must be new), or `any`."""

Access: TypeAlias = Literal["write", "read", "allowed", "sealed"]
"""How a ledger is opened. `allowed`: for writing if permitted, else for reading. `sealed`: for reading a file that no
other program can write to and that has no write-ahead log; no file is created beside it.
"""

Clock: TypeAlias = Callable[[], datetime]
"""A function that returns the time of recording, an aware datetime."""


def utc_now() -> datetime:
    """Return the current time: the default clock of stores."""
    return datetime.now(UTC)


class NewEntry(Struct, frozen=True, gc=False):
    """An event to record. Without `id` it gets a UUIDv7, and then a retry counts as a second event."""

    event: Event
    id: str | None = None
    happened_at: str | None = None


class Batch(Struct, frozen=True):
    """Entries of one stream, recorded together or not at all."""

    stream: str
    expected_version: ExpectedVersion
    entries: tuple[NewEntry, ...]


class PreparedEntry(Struct, frozen=True, gc=False):
    """One entry, validated on its own; `is_new_id` if the id was created here and so cannot be recorded yet."""

    id: str
    happened_at: str | None
    payload: bytes
    is_new_id: bool


class PreparedBatch(NamedTuple):
    """One batch, validated on its own."""

    stream: str
    expected_version: ExpectedVersion
    entries: list[PreparedEntry]


class AppendRequest(Struct, frozen=True):
    """The batches of one recorder, recorded together or not at all.

    `goes_on`: the request assumes that those before it in its group are recorded; if one of them in any of its streams
    is rejected, it is rejected too (`wrong_version`).
    """

    batches: tuple[Batch, ...]
    recorded_by: str
    goes_on: bool = False


class Acknowledgement(Struct, frozen=True):
    """The place of a batch in the ledger; `already_recorded` if it was recorded before and nothing changed."""

    stream: str
    first_version: int
    last_version: int
    first_position: int
    last_position: int
    ids: tuple[str, ...]
    already_recorded: bool = False


class StreamHead(Struct, frozen=True, gc=False):
    """The last entry of one stream."""

    stream: str
    version: int
    last_position: int


class Head(Struct, frozen=True, gc=False):
    """The last entry of a ledger: its position and its digest (32 bytes)."""

    position: int
    digest: bytes


EMPTY: Final = Head(0, GENESIS)
"""The head of a ledger without entries."""


class Row(Struct, frozen=True, gc=False):
    """One entry as stored, flat; the event stays JSON until `event()` is called.

    A Struct without garbage collection is read 15 % faster than a NamedTuple, and the collector never visits it.
    """

    position: int
    stream: str
    version: int
    id: str
    recorded_at: str
    recorded_by: str
    happened_at: str | None
    payload: bytes
    digest: bytes

    def event(self) -> Event:
        """Return the event in its current shape. Raise `UnreadableError` if the entry is damaged."""
        event = self.event_as_stored()
        return upcast(event) if UPCASTERS else event

    def event_as_stored(self) -> Event:
        """Return the event in the shape in which it was recorded. Raise as `event`."""
        try:
            return decode_event(self.payload)
        except (msgspec.DecodeError, UnicodeDecodeError, TypeError) as error:
            raise self.damaged(localised(error)) from None

    def damaged(self, why: Text) -> UnreadableError:
        """Return the error for this entry if it was altered after it was recorded."""
        entry = {"position": self.position, "stream": self.stream, "version": self.version}
        return UnreadableError("damaged", phrase("damaged_entry", **entry, why=why))

    def has_payload(self, payload: bytes) -> bool:
        """Return whether these bytes are the event in its current shape, whatever shape it was recorded in."""
        return self.payload == payload or encode_event(self.event()) == payload

    def envelope(self) -> Envelope:
        """Return the entry as the contract describes it, in the shape in which it was recorded."""
        return Envelope(
            position=self.position,
            stream=self.stream,
            version=self.version,
            id=self.id,
            recorded_at=self.recorded_at,
            recorded_by=self.recorded_by,
            happened_at=self.happened_at,
            event=self.event_as_stored(),
            digest=self.digest.hex(),
        )

    def canonical(self) -> bytes:
        """Return the bytes that the digest covers."""
        return canonical(
            self.position,
            self.stream,
            self.version,
            self.id,
            self.recorded_at,
            self.recorded_by,
            self.happened_at,
            self.payload,
        )

    def line(self) -> bytes:
        """Return the entry as a line of a full export, without line feed: msgspec's encoding of the envelope."""
        return with_digest(self.canonical(), self.digest)


class LogStore(ABC):
    """An append-only log.

    Its methods raise `MalformedError`, `ConflictError`, `NotFoundError` and `UnreadableError`, and no error of the
    database.
    """

    @property
    @abstractmethod
    def address(self) -> str | None:
        """The argument of `open_store` that opens this ledger in any process; None if only this process has it."""

    @property
    @abstractmethod
    def ledger_id(self) -> str | None:
        """The UUID of this ledger, which copies keep; None for a ledger in memory."""

    @property
    def has_handles(self) -> bool:
        """Whether players are recorded under handles, and their names are only display names."""
        return False

    # Recording

    def append(self, batch: Batch, *, recorded_by: str) -> Acknowledgement:
        """Record one batch durably; when this returns, it is on disk.

        A batch whose ids are all recorded with the same content gets the first acknowledgement again, whatever version
        it expects. Raise `ConflictError` for another version than expected, an id that belongs to another entry, or a
        locked ledger, and `MalformedError` for invalid entries.
        """
        return self.append_all((batch,), recorded_by=recorded_by)[0]

    @abstractmethod
    def append_all(self, batches: Sequence[Batch], *, recorded_by: str) -> list[Acknowledgement]:
        """Record batches in this order, all or none; each is validated as if those before it were recorded."""

    @abstractmethod
    def append_group(self, requests: Sequence[AppendRequest]) -> list[list[Acknowledgement] | LedgerError]:
        """Record requests in this order with one commit; each is validated as if those before it were recorded.

        Return one answer for each request in the same order: its acknowledgements, or the error for which it alone was
        rejected. Raise an error that concerns all of them (a locked ledger, a full disk); then none is recorded.
        """

    @abstractmethod
    def append_prepared(self, groups: Iterable[Sequence[PreparedBatch]], *, recorded_by: str) -> None:
        """Record batches as `append_all`, any number of them; only one group is held in memory at once."""

    @abstractmethod
    def append_envelopes(self, envelopes: Iterable[Envelope]) -> Head:
        """Record entries of another ledger unchanged, all or none, and return the new head.

        Raise `ConflictError` if they do not begin right after the head, `MalformedError` for a wrong digest, version or
        id.
        """

    # Reading

    @abstractmethod
    def read(self, after: int = 0, until: int | None = None, *, verified: bool = True) -> Iterator[Row]:
        """Return the entries with `after` < position <= `until` in order; entries recorded meanwhile are left out.

        Raise `UnreadableError` (`damaged`) at an entry that does not match its digest, unless `verified` is false.
        """

    @abstractmethod
    def read_stream(
        self, stream: str, after_version: int = 0, until_position: int | None = None, *, verified: bool = True
    ) -> list[Row]:
        """Return the entries of one stream in order, none for an unknown stream. Raise as `read`."""

    @abstractmethod
    def streams(self, prefix: str = "") -> list[StreamHead]:
        """Return the streams whose names have this prefix, in order of first appearance."""

    @abstractmethod
    def head(self) -> Head:
        """Return the last entry, `EMPTY` if there is none."""

    @abstractmethod
    def known_ids(self, ids: Iterable[str]) -> dict[str, Row]:
        """Return the entries with these ids, by id in canonical form. Raise as `read`."""

    def check_growth(self) -> None:  # noqa: B027 - nothing can roll back a ledger in memory
        """Raise `ConflictError` if the ledger lacks an entry that it had before: it was rolled back."""

    def remember_head(self) -> None:  # noqa: B027
        """Save the current head, if possible, so that an older copy is detected later."""

    # People: stored beside the log, so that they can be erased

    @abstractmethod
    def people(self) -> People:
        """Return the display names, links and hidden players, all of one moment."""

    @abstractmethod
    def names_version(self) -> int:
        """Return a number that differs after each change of `people` by any process."""

    @abstractmethod
    def _change_people(self, change: Callable[[People], People]) -> None:
        """Replace the people by the result of `change`.

        Raise the errors of `change`, and `ConflictError` if another program does not finish reading the ledger.
        """

    def _add_people(self, change: Callable[[People], People]) -> None:
        """Replace the people as `_change_people`, where nothing has to be erased."""
        self._change_people(change)

    def handles_of(self, names: Iterable[str], *, creates: bool = True) -> dict[str, str]:
        """Return the handles of typed names; a new name gets one, and is stored, unless `creates` is false.

        Raise `MalformedError` for an unreadable new name.
        """
        typed = dict.fromkeys(names)
        find = self._find_handle()
        new = [name for name in typed if find(name) is None]
        if new and creates:
            self._add_people(lambda people: rules.with_new_names(people, new))
            find = self._find_handle()
        return {name: handle for name in typed if (handle := find(name)) is not None}

    _handles: tuple[int, Callable[[str], str | None]] | None = None

    def _find_handle(self) -> Callable[[str], str | None]:
        version = self.names_version()
        if self._handles is None or self._handles[0] != version:
            self._handles = version, rules.handle_finder(self.people())
        return self._handles[1]

    def recorder(self, name: str, *, creates: bool = True) -> str:
        """Return what is stored as the recorder of this name: with handles, the handle of the name."""
        if not self.has_handles:
            return name
        token, slash, person = name.rpartition("/")
        return token + slash + self.handles_of([person], creates=creates).get(person, person)

    def replace_people(self, people: People) -> None:
        """Replace the people by those of another copy of the ledger. Raise `ConflictError` as `_change_people`."""
        self._change_people(lambda _: people)

    def display_names(self) -> dict[str, str]:
        """Return the display names of players, by their names in the record."""
        return dict(self.people().names)

    def set_display_name(self, player: str, name: str) -> None:
        """Show `name` for a player and erase the name shown before. Raise as `people.named`."""
        shown = rules.checked_display_name(name)
        self._change_people(lambda people: rules.named(people, player, shown))

    def add_display_name(self, player: str, name: str) -> None:
        """Show `name` for a player who has no display name. Raise as `people.named`."""
        shown = rules.checked_display_name(name)
        self._add_people(lambda people: rules.named(people, player, shown))

    def erase_display_name(self, player: str) -> None:
        """Erase the display name of a player from everything the store holds. Raise as `people.unnamed`."""
        self._change_people(lambda people: rules.unnamed(people, player))

    def link_player(self, spelling: str, player: str) -> None:
        """Link a spelling in the record to another one of the same person. Raise as `people.linked`."""
        self._change_people(lambda people: rules.linked(people, spelling, player))

    def unlink_player(self, spelling: str) -> None:
        """Remove the link of a spelling. Raise as `people.unlinked`."""
        self._change_people(lambda people: rules.unlinked(people, spelling))

    def hide_player(self, player: str) -> None:
        """Show initials in place of a player's name to others. Raise as `people.hiding`."""
        self._change_people(lambda people: rules.hiding(people, player))

    def show_player(self, player: str) -> None:
        """Show the name of a hidden player again. Raise as `people.showing`."""
        self._change_people(lambda people: rules.showing(people, player))

    @abstractmethod
    def close(self) -> None:
        """Close files and connections; a second call does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
