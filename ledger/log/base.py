"""What a log store is: the base class of every store, what it takes and what it answers. No storage in here.

Positions count the entries of a ledger from 1, versions those of one stream from 1, both without gaps. A store may be
shared by threads; a process that forks opens its own.
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
"""What a ledger is opened for. `allowed`: to write where that is allowed, else to read. `sealed` is read, too, by
somebody who knows that nobody can have it open to write, and that all of it is in one file: then nothing appears beside
it.
"""

Clock: TypeAlias = Callable[[], datetime]
"""Tells the time of recording; an aware datetime."""


def utc_now() -> datetime:
    """The clock that stores use unless another is given."""
    return datetime.now(UTC)


class NewEntry(Struct, frozen=True, gc=False):
    """An event to be recorded; without `id` it gets a UUIDv7, and then a retry cannot be told from a second event."""

    event: Event
    id: str | None = None
    happened_at: str | None = None


class Batch(Struct, frozen=True):
    """Entries for one stream that are recorded together or not at all."""

    stream: str
    expected_version: ExpectedVersion
    entries: tuple[NewEntry, ...]


class PreparedEntry(Struct, frozen=True, gc=False):
    """One entry, checked by itself; `is_new_id` where the id was made here and so cannot be known yet."""

    id: str
    happened_at: str | None
    payload: bytes
    is_new_id: bool


class PreparedBatch(NamedTuple):
    """One batch, checked by itself."""

    stream: str
    expected_version: ExpectedVersion
    entries: list[PreparedEntry]


class AppendRequest(Struct, frozen=True):
    """What one recorder wants recorded: batches, all of them or none.

    `goes_on`: it was judged as if those before it in its group were recorded; where one of them in any of its streams
    is not, neither is it (`wrong_version`).
    """

    batches: tuple[Batch, ...]
    recorded_by: str
    goes_on: bool = False


class Acknowledgement(Struct, frozen=True):
    """Where a batch stands in the ledger; `already_recorded` where it stood there before and nothing was changed."""

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

    A Struct without garbage collection is read 15 % faster than a NamedTuple, and millions of them cost the collector
    nothing.
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
        """The event in today's shape; raises `UnreadableError` where the entry is damaged."""
        event = self.event_as_stored()
        return upcast(event) if UPCASTERS else event

    def event_as_stored(self) -> Event:
        """The event in the shape that it was recorded in; errors as for `event`."""
        try:
            return decode_event(self.payload)
        except (msgspec.DecodeError, UnicodeDecodeError, TypeError) as error:
            raise self.damaged(localised(error)) from None

    def damaged(self, why: Text) -> UnreadableError:
        """The refusal of this entry, which is not as it was recorded."""
        entry = {"position": self.position, "stream": self.stream, "version": self.version}
        return UnreadableError("damaged", phrase("damaged_entry", **entry, why=why))

    def has_payload(self, payload: bytes) -> bool:
        """Whether these bytes are the event in today's shape, whatever shape it was recorded in."""
        return self.payload == payload or encode_event(self.event()) == payload

    def envelope(self) -> Envelope:
        """The entry as the contract describes it, in the shape that it was recorded in."""
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
        """The bytes that the digest covers."""
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
        """The entry as a line of a whole export, without line feed: the bytes of msgspec's encoding of the envelope."""
        return with_digest(self.canonical(), self.digest)


class LogStore(ABC):
    """An append-only log.

    Raises `MalformedError`, `ConflictError`, `NotFoundError` and `UnreadableError`, and no error of its database.
    """

    @property
    @abstractmethod
    def address(self) -> str | None:
        """What `open_store` takes to open this ledger again, in any process; None where it is in this one alone."""

    @property
    @abstractmethod
    def ledger_id(self) -> str | None:
        """The UUID that this ledger got when it was made, and that copies keep; None where it ends with the program."""

    # --- recording ----------------------------------------------------------------------------------------------------

    def append(self, batch: Batch, *, recorded_by: str) -> Acknowledgement:
        """Record one batch durably; an answer means that it is on disk.

        A batch whose ids are all recorded already with the same content gets the first acknowledgement, whatever
        version it expects. Raises `ConflictError` for another version than expected, an id used for something else, or
        a locked ledger, and `MalformedError` for what cannot be an entry.
        """
        return self.append_all((batch,), recorded_by=recorded_by)[0]

    @abstractmethod
    def append_all(self, batches: Sequence[Batch], *, recorded_by: str) -> list[Acknowledgement]:
        """Record batches in this order, all of them or none; each is judged as `append` would after those before it."""

    @abstractmethod
    def append_group(self, requests: Sequence[AppendRequest]) -> list[list[Acknowledgement] | LedgerError]:
        """Record requests in this order with one commit; each is judged as `append_all` would after those before it.

        The answers stand in the order of the requests: what was acknowledged, or the error for which this one alone was
        refused. Raises what keeps them all from being recorded (a locked ledger, a full disk); then none of them is.
        """

    @abstractmethod
    def append_prepared(self, groups: Iterable[Sequence[PreparedBatch]], *, recorded_by: str) -> None:
        """Record batches as `append_all`, any number of them; only one group is held in memory at once."""

    @abstractmethod
    def append_envelopes(self, envelopes: Iterable[Envelope]) -> Head:
        """Take entries of another ledger as they are, all of them or none, and answer the new head.

        Raises `ConflictError` where they do not begin right after the head, `MalformedError` where a digest, version or
        id is wrong.
        """

    # --- reading ------------------------------------------------------------------------------------------------------

    @abstractmethod
    def read(self, after: int = 0, until: int | None = None, *, verified: bool = True) -> Iterator[Row]:
        """Return the entries with `after` < position <= `until` in order; entries recorded meanwhile are left out.

        Raises `UnreadableError` (`damaged`) at an entry that does not fit its digest, unless `verified` is false.
        """

    @abstractmethod
    def read_stream(
        self, stream: str, after_version: int = 0, until_position: int | None = None, *, verified: bool = True
    ) -> list[Row]:
        """Return the entries of one stream in order, none for an unknown stream; raises as `read`."""

    @abstractmethod
    def streams(self, prefix: str = "") -> list[StreamHead]:
        """The streams whose name begins so, in order of first appearance."""

    @abstractmethod
    def head(self) -> Head:
        """The last entry; `EMPTY` where there is none."""

    @abstractmethod
    def known_ids(self, ids: Iterable[str]) -> dict[str, Row]:
        """Return the entries recorded under these ids, by id in canonical form; raises as `read`."""

    def check_growth(self) -> None:  # noqa: B027 - nothing can roll back a ledger in memory
        """Raise `ConflictError` where the ledger lacks an entry that was seen in it: it was rolled back."""

    def remember_head(self) -> None:  # noqa: B027
        """Write down how far the ledger has come, where that is possible, so that nobody takes an older copy for it."""

    # --- who is who: beside the log, so that all of it can be taken back ----------------------------------------------

    @abstractmethod
    def people(self) -> People:
        """Who is who among the players of the record, as of one moment."""

    @abstractmethod
    def names_version(self) -> int:
        """A count that is another one after each change of who is who, by any process."""

    @abstractmethod
    def _change_people(self, change: Callable[[People], People]) -> None:
        """Put what the change makes of these facts in their place.

        Raises what `change` raises, and `ConflictError` where another program reads the ledger and does not end.
        """

    def display_names(self) -> dict[str, str]:
        """The names to show for players, by their names in the record."""
        return dict(self.people().names)

    def set_display_name(self, player: str, name: str) -> None:
        """Show `name` for a player from now on; a name shown before is erased. Raises as `people.named`."""
        shown = rules.checked_display_name(name)
        self._change_people(lambda people: rules.named(people, player, shown))

    def erase_display_name(self, player: str) -> None:
        """Erase the name shown for a player from all that the store keeps; raises as `people.unnamed`."""
        self._change_people(lambda people: rules.unnamed(people, player))

    def link_player(self, spelling: str, player: str) -> None:
        """From now on a spelling of the record is the same person as another one; raises as `people.linked`."""
        self._change_people(lambda people: rules.linked(people, spelling, player))

    def unlink_player(self, spelling: str) -> None:
        """Take that back; raises as `people.unlinked`."""
        self._change_people(lambda people: rules.unlinked(people, spelling))

    def hide_player(self, player: str) -> None:
        """From now on others see initials in the place of a player; raises as `people.hiding`."""
        self._change_people(lambda people: rules.hiding(people, player))

    def show_player(self, player: str) -> None:
        """Take that back; raises as `people.showing`."""
        self._change_people(lambda people: rules.showing(people, player))

    @abstractmethod
    def close(self) -> None:
        """Let go of files and connections; a second call does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
