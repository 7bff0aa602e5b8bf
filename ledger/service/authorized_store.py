"""The ledger for recorders: reads return what they may see, and hidden ids count as used.

Entries are checked and answered by what the recorder may see, so no refusal and no answer depends on hidden cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ledger.errors import ConflictError
from ledger.events import Corrected, DealStarted, Envelope, Event, HandsOpened, decode_event
from ledger.log.append_rules import id_used
from ledger.log.base import Acknowledgement, Batch, Head, LogStore, PreparedBatch, Row
from ledger.recording.live.running import check_not_shown
from ledger.service.catalogue import phrase
from ledger.service.proving import DealOpenError
from ledger.service.visibility import RedactedStore, View, VisibleHead, hidden_from, redaction_of
from ledger.streams import TABLE
from ledger.table.corrections import Entry
from ledger.table.redaction import Viewer


class HandsNotSeenError(ConflictError):
    """The refusal for a recorder without `hands` who tries to open hands."""


class AuthorizedStore(RedactedStore):
    """A ledger up to the visible head, as one recorder sees it. `whole`: the same ledger with nothing hidden."""

    def __init__(self, store: LogStore, visible: VisibleHead, view: View) -> None:
        super().__init__(store, visible, view)
        self.whole = store

    def known_ids(self, ids: Iterable[str]) -> dict[str, Row]:
        """Return the rows with these ids. Raise `ConflictError` for a hidden id, whatever is sent under it.

        The recorder's own rows are returned unredacted, to be compared with a repeated request.
        """
        rows = self.whole.known_ids(ids)
        self.check_ids_visible(rows.values())
        return {id: row if self._is_writer(row) else self.seen(row) for id, row in rows.items()}

    def check_ids_visible(self, rows: Iterable[Row]) -> None:
        """Raise `ConflictError` if one of the rows is hidden now; its id reveals nothing else."""
        for row in rows:
            if self.hides_id(row):
                raise id_used(row.id, row)

    def append_all(self, batches: Sequence[Batch], *, recorded_by: str) -> list[Acknowledgement]:
        self.check_append(batches)
        return self.whole.append_all(batches, recorded_by=recorded_by)

    def check_append(self, batches: Sequence[Batch]) -> None:
        """Raise `ConflictError` if one of the ids is hidden, or as `check_shown`."""
        self.known_ids(entry.id for batch in batches for entry in batch.entries if entry.id is not None)
        self.check_shown(batches)

    def append_prepared(self, groups: Iterable[Sequence[PreparedBatch]], *, recorded_by: str) -> None:
        def checked() -> Iterator[Sequence[PreparedBatch]]:
            for batches in groups:
                self.known_ids(entry.id for batch in batches for entry in batch.entries if not entry.is_new_id)
                for one in () if self._view.hands else batches:
                    self._check_shown(one.stream, [decode_event(entry.payload) for entry in one.entries])
                yield batches

        self.whole.append_prepared(checked(), recorded_by=recorded_by)

    def check_shown(self, batches: Sequence[Batch]) -> None:
        """Refuse a recorder without `hands` who opens hands or continues a shown deal.

        Raise `HandsNotSeenError`, or `ConflictError` (`deal_shown`).
        """
        for batch in () if self._view.hands else batches:
            self._check_shown(batch.stream, [entry.event for entry in batch.entries])

    def _check_shown(self, stream: str, events: Sequence[Event]) -> None:
        if any(isinstance(event, HandsOpened) for event in events):
            raise HandsNotSeenError("deal_shown", phrase("opens_hands"))
        rows = self.whole.read_stream(stream) if TABLE.has(stream) else []
        if rows:
            check_not_shown([(row.version, row.event()) for row in rows], events)

    def append_envelopes(self, envelopes: Iterable[Envelope]) -> Head:
        """Append the entries of an export. Raise `DealOpenError` if its digests would reveal something hidden."""
        self.check_digests_visible()
        return self.whole.append_envelopes(envelopes)

    def check_digests_visible(self) -> None:
        """Raise `DealOpenError` if a matching digest would confirm a guess of hidden cards."""
        if self._hidden:
            raise DealOpenError(self._visible)

    def hides(self, stream: str) -> bool:
        """Return whether something in this stream is hidden from the recorder."""
        return stream in self._hidden

    def shown(self, stream: str, entry: Entry) -> Event:
        """Return a new entry of a stream as it will be shown: cards of an open deal are not sent back."""
        hidden, redaction = self._hidden.get(stream), redaction_of(stream)
        if redaction is None:
            return entry[1]
        if hidden is not None:
            return redaction.redacted(entry, hidden, _ITS_WRITER)
        if self._view.hands or not _starts_a_deal(entry[1]):
            return entry[1]
        entries = [(row.version, row.event()) for row in self.read_stream(stream)]
        return redaction.redacted(entry, redaction.hidden_in([*entries, entry]), _ITS_WRITER)


_ITS_WRITER = Viewer(is_writer=True)


def _starts_a_deal(event: Event) -> bool:
    return type(event) is Corrected and any(type(one) is DealStarted for one in event.events or ())


def authorized(store: LogStore, visible: VisibleHead, view: View, stream: str, id: str | None) -> AuthorizedStore:
    """Return the ledger for recording an entry in a stream.

    Where the entry is recorded already under this id, everything hidden at that time is hidden, so that the same
    request gets the same answer. Raise `ConflictError` for a hidden id.
    """
    now = AuthorizedStore(store, visible, view)
    known = None if id is None else next(iter(now.known_ids([id]).values()), None)
    if known is None or known.stream != stream or view.hands:
        return now
    hidden = hidden_from(store.read_stream(stream, until_position=known.position - 1))
    others = {other: one for other, one in visible.hidden.items() if other != stream}
    then = {} if hidden is None else {stream: hidden}
    return AuthorizedStore(store, VisibleHead(visible.head, {**others, **then}, visible.names, visible.persons), view)
