"""Judges new events of any source after what the ledger holds of their streams: what is refused, what is found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from ledger import limits
from ledger.errors import AgainstRulesError, MalformedError
from ledger.events import Event
from ledger.limits import exceeded
from ledger.log.base import LogStore
from ledger.recording.admissible import SessionSoFar, TableSoFar
from ledger.table.audit import audit_answer
from ledger.table.corrections import Entry, corrected_reading
from ledger.table.fold import TableFold


class Told(Struct, frozen=True, gc=False):
    """One event as a file tells it. `line` is its place for messages; null where the source names a place itself."""

    source: str
    line: int | None
    stream: str
    event: Event
    id: str | None = None
    happened_at: str | None = None

    @property
    def where(self) -> str:
        return self.source if self.line is None else f"{self.source}, line {self.line}"


class Checked(Struct, frozen=True):
    """Streams that were judged: the version each had before, and how many findings the new entries bring."""

    versions: dict[str, int]
    findings: int


def check_streams(store: LogStore, told: Iterable[Told], strict: bool) -> Checked:
    """Judges new events after what the ledger holds of their streams.

    Raises `MalformedError` for what cannot be an entry; with `strict`, `AgainstRulesError` for what breaks a rule.
    """
    streams: dict[str, SessionSoFar | TableSoFar] = {}
    versions: dict[str, int] = {}
    for item in told:
        stream = item.stream
        so_far = streams.get(stream)
        if so_far is None:
            so_far = streams[stream] = _recorded_so_far(store, stream)
            if len(streams) > limits.STREAMS_PER_FILE:
                what = "too many tables and sessions in one file"
                raise exceeded(what, len(streams), limits.STREAMS_PER_FILE, "streams", item.where)
            versions[stream] = len(so_far.entries)
        try:
            so_far.take(item.event)
        except MalformedError as error:
            raise error.at(f"{item.where}, {stream}") from None
    findings = 0
    for stream, so_far in streams.items():
        if isinstance(so_far, TableSoFar):
            findings += _new_findings(stream, so_far.entries, versions[stream], strict)
    return Checked(versions, findings)


def _recorded_so_far(store: LogStore, stream: str) -> SessionSoFar | TableSoFar:
    so_far = TableSoFar() if stream.startswith("table/") else SessionSoFar()
    for row in store.read_stream(stream):
        so_far.take(row.event())
    return so_far


def _new_findings(stream: str, entries: Sequence[Entry], old_version: int, strict: bool) -> int:
    """How many findings above `info` the entries after `old_version` bring; with `strict` the first one is raised."""
    before = Counter(_fault_keys(stream, entries[:old_version]))
    slug = stream.removeprefix("table/")
    found = audit_answer(slug, TableFold(corrected_reading(entries))).findings
    count = 0
    for finding in found:
        if finding.severity == "info":
            continue
        key = (finding.deal, finding.version, finding.code, finding.seat)
        if before[key]:
            before[key] -= 1
            continue
        count += 1
        if strict:
            raise AgainstRulesError(
                finding.message, finding.code, finding.rule, finding.legal or (), f"{stream}, version {finding.version}"
            )
    return count


def _fault_keys(stream: str, entries: Sequence[Entry]) -> list[tuple[int | None, int, str, int | None]]:
    if not entries:
        return []
    answer = audit_answer(stream, TableFold(corrected_reading(entries)))
    return [
        (finding.deal, finding.version, finding.code, finding.seat)
        for finding in answer.findings
        if finding.severity != "info"
    ]
