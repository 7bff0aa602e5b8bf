"""The rules of appending, the same for every store: which entries are accepted, and as which rows. Pure, except for new
ids.

An append runs in two steps. `prepare` does not need the ledger, so it runs before the store takes its lock. `admit`
reads the ledger (`LedgerState`) within the store's transaction and returns the rows to write.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final, NamedTuple, Protocol
from unicodedata import is_normalized, normalize

import msgspec
import uuid_utils

from ledger import limits
from ledger.errors import ConflictError, LedgerError, MalformedError, at_position, in_stream, within
from ledger.events import Envelope, Event, Name, StreamName, Time, decode_event, encode_event, upcast
from ledger.i18n.library_errors import localised
from ledger.limits import exceeded
from ledger.log.base import (
    Acknowledgement,
    AppendRequest,
    Batch,
    Clock,
    ExpectedVersion,
    Head,
    NewEntry,
    PreparedBatch,
    PreparedEntry,
    Row,
)
from ledger.log.catalogue import phrase
from ledger.log.chain import canonical, digest_after

CHUNK: Final = 1000
"""The number of imported entries held in memory at once."""

_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class PreparedRequest(NamedTuple):
    """An append request of one recorder, validated on its own."""

    batches: list[PreparedBatch]
    recorded_by: str
    goes_on: bool = False


class LedgerState(Protocol):
    """The ledger as read within the transaction of an append."""

    def head(self) -> Head:
        """Return the last entry."""
        ...

    def version_of(self, stream: str) -> int:
        """Return the last version of a stream, 0 for an unknown one."""
        ...

    def recorded(self, ids: Collection[str]) -> dict[str, Row]:
        """Return the recorded entries with these ids, by id."""
        ...


def new_id() -> str:
    """Return a new id for an entry (UUIDv7: ids sort by time)."""
    return str(uuid_utils.uuid7())


def timestamp(moment: datetime) -> str:
    """Return a time in the form of the contract: UTC, microseconds, Z."""
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def canonical_id(text: str) -> str:
    """Return the id in lower case. Raise `MalformedError` if it is no UUID."""
    id = str(text).lower()
    if not is_canonical_id(id):
        raise MalformedError(phrase("form.not_id"), phrase("form.id"), str(text))
    return id


def is_canonical_id(text: str) -> bool:
    """Return whether the text is a UUID in lower case."""
    return _UUID.fullmatch(text) is not None


def checked_time(text: str) -> str:
    """Return the time unchanged. Raise `MalformedError` unless it is UTC with microseconds on an existing day."""
    try:
        msgspec.convert(text, Time)
        datetime.fromisoformat(text)
    except (msgspec.ValidationError, ValueError):
        raise MalformedError(phrase("form.not_time"), phrase("form.time"), str(text)) from None
    return text


def check_moments(envelope: Envelope) -> None:
    """Raise `MalformedError` unless `recorded_at` and, if present, `happened_at` are valid times."""
    checked_time(envelope.recorded_at)
    if envelope.happened_at is not None:
        checked_time(envelope.happened_at)


@lru_cache(maxsize=1024)  # there are few recorders, and msgspec takes 3 µs to analyse an annotated type
def recorder_name(text: str) -> str:
    """Return the recorder's name as NFC. Raise `MalformedError` unless it has 1 to 200 characters without U+0000."""
    if len(text) > limits.NAME_CHARS:
        raise exceeded("recorder", len(text), limits.NAME_CHARS, "characters")
    try:
        name = msgspec.convert(normalize("NFC", text), Name)  # NFC may be longer than its source
        name.encode()
    except (msgspec.ValidationError, UnicodeEncodeError):
        expected = phrase("form.recorder", most=limits.NAME_CHARS)
        raise MalformedError(phrase("form.not_recorder"), expected, str(text)) from None
    if "\0" in name:  # other programs end a text there; ledgers that contain one stay readable
        raise MalformedError(phrase("form.not_recorder"), phrase("form.readable_recorder"), text)
    return name


def wrong_version(stream: str, actual: int, expected: ExpectedVersion) -> ConflictError:
    """Return the error for a stream whose version differs from the expected one."""
    return ConflictError("wrong_version", phrase("wrong_version", stream=stream, actual=actual, expected=expected))


def id_used(id: str, row: Row) -> ConflictError:
    """Return the error for an id that belongs to another entry."""
    used = {"stream": row.stream, "version": row.version, "position": row.position}
    return ConflictError("id_used", phrase("id_used", id=id, **used))


def partly_recorded(stream: str, rows: Sequence[Row]) -> ConflictError:
    """Return the error for a batch of which only these entries are recorded."""
    ids = tuple(phrase("id_and_version", id=row.id, version=row.version) for row in rows)
    only_some = phrase("partly_recorded", stream=stream, ids=ids)
    return ConflictError("partly_recorded", only_some, known=tuple(row.id for row in rows))


def prepare(batches: Sequence[Batch], recorded_by: str) -> tuple[list[PreparedBatch], str]:
    """Return the batches and the recorder's name, validated as far as possible without the ledger."""
    name = recorder_name(recorded_by)
    events = sum(len(batch.entries) for batch in batches)
    if events > limits.EVENTS_PER_APPEND:
        raise exceeded("together", events, limits.EVENTS_PER_APPEND, "events")
    prepared: list[PreparedBatch] = []
    ids: set[str] = set()
    for batch in batches:
        stream = _stream_name(batch.stream)
        if not batch.entries:
            raise MalformedError(phrase("form.no_entries"), phrase("form.entries"), where=in_stream(stream))
        entries = [_prepared(entry, stream, number) for number, entry in enumerate(batch.entries, start=1)]
        for entry in entries:
            if entry.id in ids:
                raise ConflictError("id_used", phrase("id_twice", stream=stream, id=entry.id))
            ids.add(entry.id)
        prepared.append(PreparedBatch(stream, _expected(batch), entries))
    return prepared, name


def prepare_each(requests: Iterable[AppendRequest]) -> list[PreparedRequest | LedgerError]:
    """Return each request, validated as far as possible without the ledger, or the error that rejects it."""
    prepared: list[PreparedRequest | LedgerError] = []
    for request in requests:
        try:
            prepared.append(PreparedRequest(*prepare(request.batches, request.recorded_by), request.goes_on))
        except LedgerError as error:
            prepared.append(error)
    return prepared


@lru_cache(maxsize=1024)
def _stream_name(text: str) -> str:
    try:
        return msgspec.convert(text, StreamName)
    except msgspec.ValidationError:
        expected = phrase("form.stream", most=limits.SLUG_CHARS)
        raise MalformedError(phrase("form.not_stream"), expected, str(text)) from None


def _expected(batch: Batch) -> ExpectedVersion:
    expected = batch.expected_version
    if expected == "any" or (type(expected) is int and expected >= 0):
        return expected
    where = in_stream(batch.stream)
    raise MalformedError(phrase("form.not_version"), phrase("form.versions"), str(expected), where)


def _prepared(entry: NewEntry, stream: str, number: int) -> PreparedEntry:
    try:
        id = new_id() if entry.id is None else canonical_id(entry.id)
        happened_at = None if entry.happened_at is None else checked_time(entry.happened_at)
        return PreparedEntry(id, happened_at, payload_of(entry.event), entry.id is None)
    except MalformedError as error:
        raise error.at(within(in_stream(stream), phrase("entry_of_append", number=number))) from None


def payload_of(event: Event) -> bytes:
    """Return the event's JSON, verified to be readable (0.5 µs): constructors of Structs do not validate their
    arguments.
    """
    try:
        payload = encode_event(upcast(event))
        if not payload.isascii() and not is_normalized("NFC", payload.decode()):
            payload = encode_event(msgspec.convert(_nfc(msgspec.to_builtins(event)), Event))
        decoded = decode_event(payload)
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        what = phrase("form.not_event", why=localised(error))
        raise MalformedError(what, phrase("form.event"), type(event).__name__) from None
    if encode_event(decoded) != payload:
        raise MalformedError(phrase("form.reads_back"), phrase("form.json_values"), type(event).__name__)
    return payload


def _nfc(value: Any) -> Any:
    """Return the value with all its texts as NFC (contract 1)."""
    if isinstance(value, str):
        return normalize("NFC", value)
    if isinstance(value, dict):
        return {_nfc(key): _nfc(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_nfc(item) for item in value]
    return value


def admit(
    batches: Sequence[PreparedBatch], recorded_by: str, recorded_at: str, ledger: LedgerState
) -> tuple[list[Row], list[Acknowledgement]]:
    """Return the rows to write and the acknowledgements. Raise `ConflictError` if they contradict the ledger."""
    rows: list[Row] = []
    acknowledgements: list[Acknowledgement] = []
    given = [entry.id for batch in batches for entry in batch.entries if not entry.is_new_id]
    recorded = ledger.recorded(given) if given else {}
    head = ledger.head()
    position, digest = head.position, head.digest
    versions: dict[str, int] = {}
    for batch in batches:
        if recorded and (acknowledgement := _first_acknowledgement(batch, recorded)) is not None:
            acknowledgements.append(acknowledgement)
            continue
        version = versions.get(batch.stream)
        if version is None:
            version = ledger.version_of(batch.stream)
        if batch.expected_version not in ("any", version):
            raise wrong_version(batch.stream, version, batch.expected_version)
        first_position, first_version = position + 1, version + 1
        for entry in batch.entries:
            position, version = position + 1, version + 1
            parts = (
                position,
                batch.stream,
                version,
                entry.id,
                recorded_at,
                recorded_by,
                entry.happened_at,
                entry.payload,
            )
            digest = digest_after(digest, canonical(*parts))
            rows.append(Row(*parts, digest))
        versions[batch.stream] = version
        ids = tuple(entry.id for entry in batch.entries)
        acknowledgements.append(Acknowledgement(batch.stream, first_version, version, first_position, position, ids))
    return rows, acknowledgements


def admit_each(
    requests: Iterable[PreparedRequest | LedgerError],
    clock: Clock,
    ledger: LedgerState,
    write: Callable[[list[Row]], None],
) -> list[list[Acknowledgement] | LedgerError]:
    """Return one answer for each request of a transaction; the rows of each are written before the next is checked."""
    answers: list[list[Acknowledgement] | LedgerError] = []
    refused: set[str] = set()
    for request in requests:
        if isinstance(request, LedgerError):
            answers.append(request)
            continue
        try:
            rows, acknowledgements = admit(request.batches, request.recorded_by, timestamp(clock()), ledger)
            if request.goes_on and refused and rows:
                _check_goes_on(request.batches, refused, ledger)
        except LedgerError as error:
            answers.append(error)
            refused.update(batch.stream for batch in request.batches)
            continue
        write(rows)
        answers.append(acknowledgements)
    return answers


def _check_goes_on(batches: Sequence[PreparedBatch], refused: Collection[str], ledger: LedgerState) -> None:
    """Raise `ConflictError` if a request in the same group was rejected for one of the streams."""
    for batch in batches:
        if batch.stream in refused:
            raise wrong_version(batch.stream, ledger.version_of(batch.stream), batch.expected_version)


def _first_acknowledgement(batch: PreparedBatch, recorded: dict[str, Row]) -> Acknowledgement | None:
    """Return the acknowledgement that this batch got when it was first recorded; None if none of its ids is known."""
    rows: list[Row] = []
    for entry in batch.entries:
        row = recorded.get(entry.id)
        if row is None:
            continue
        if (row.stream, row.happened_at) != (batch.stream, entry.happened_at) or not row.has_payload(entry.payload):
            raise id_used(entry.id, row)
        rows.append(row)
    if not rows:
        return None
    if len(rows) < len(batch.entries):
        raise partly_recorded(batch.stream, rows)
    first, last = rows[0], rows[-1]
    if [row.version for row in rows] != list(range(first.version, first.version + len(rows))):
        raise ConflictError("partly_recorded", phrase("recorded_apart", stream=batch.stream))
    ids = tuple(row.id for row in rows)
    return Acknowledgement(
        batch.stream, first.version, last.version, first.position, last.position, ids, already_recorded=True
    )


def admit_envelopes(envelopes: Iterable[Envelope], ledger: LedgerState) -> Iterator[list[Row]]:
    """Yield the rows of another ledger's entries in chunks; the store writes each chunk before it takes the next."""
    rows: list[Row] = []
    for row in _continuation(envelopes, ledger):
        rows.append(row)
        if len(rows) == CHUNK:
            yield _unused(rows, ledger)
            rows = []
    if rows:
        yield _unused(rows, ledger)


def _continuation(envelopes: Iterable[Envelope], ledger: LedgerState) -> Iterator[Row]:
    """Yield the entries as rows, each verified to continue the one before."""
    head = ledger.head()
    position, digest = head.position, head.digest
    versions: dict[str, int] = {}
    for envelope in envelopes:
        if envelope.position != position + 1:
            continues = phrase("not_next", expected=position + 1, actual=envelope.position)
            raise ConflictError("not_next", continues)
        row = _row(envelope)
        where = at_position(row.position)
        position, digest = row.position, digest_after(digest, row.canonical())
        if row.digest != digest:
            raise MalformedError(phrase("form.unfit"), digest.hex(), envelope.digest, where)
        if row.stream not in versions:
            versions[row.stream] = ledger.version_of(row.stream)
        version = versions[row.stream] + 1
        if row.version != version:
            what = phrase("form.not_next_version", stream=row.stream)
            raise MalformedError(what, str(version), str(row.version), where)
        versions[row.stream] = version
        yield row


def _unused(rows: list[Row], ledger: LedgerState) -> list[Row]:
    """Return the rows. Raise `ConflictError` if one of their ids is already used."""
    recorded = ledger.recorded([row.id for row in rows])
    seen: set[str] = set()
    for row in rows:
        if row.id in recorded or row.id in seen:
            raise ConflictError("id_used", phrase("id_used_already", position=row.position, id=row.id))
        seen.add(row.id)
    return rows


def _row(envelope: Envelope) -> Row:
    """Return the envelope as a row, validated field by field, since the constructor of a Struct validates nothing."""
    where = at_position(envelope.position)
    try:
        line = msgspec.json.encode(envelope)
        checked = msgspec.json.decode(line, type=Envelope)
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        what = phrase("form.not_entry", why=localised(error))
        raise MalformedError(what, phrase("form.envelope"), where=where) from None
    if not is_canonical_id(checked.id):
        raise MalformedError(phrase("form.not_canonical_id"), phrase("form.id"), checked.id, where)
    try:
        check_moments(checked)
        recorder_name(checked.recorded_by)
    except MalformedError as error:
        raise error.at(where) from None
    return Row(
        checked.position,
        checked.stream,
        checked.version,
        checked.id,
        checked.recorded_at,
        checked.recorded_by,
        checked.happened_at,
        encode_event(checked.event),
        bytes.fromhex(checked.digest),
    )
