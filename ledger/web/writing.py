"""What is recorded: entries of a table or a session, each request judged and recorded as a whole or not at all."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from ledger.events import EntryId, Event, Time
from ledger.games.kernel.views import Legal
from ledger.log.base import NewEntry
from ledger.service.writer import Act, Entries
from ledger.table.answers import Finding
from ledger.web.asking import Asked
from ledger.web.routes import PREFIX, Answer, route


class EntrySent(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One entry to be recorded; the same `id` again is the same entry. `happened_at`: when it took place."""

    id: EntryId
    event: Event
    happened_at: Time | None = None


class EntriesSent(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Entries for one stream. `expected_version`: of its last entry; nothing is recorded where it has gone on."""

    entries: Annotated[list[EntrySent], Meta(min_length=1, max_length=1_000)]
    expected_version: Annotated[int, Meta(ge=0)] | None = None
    as_played: bool = False


class EntriesRecorded(Struct, frozen=True, kw_only=True):
    """Where the entries stand, and the stream after them: whose turn it is, what may come, and what they broke."""

    stream: str
    first_version: int
    last_version: int
    first_position: int
    last_position: int
    ids: tuple[str, ...]
    already_recorded: bool
    version: int
    turn: int | None
    legal: Legal
    findings: tuple[Finding, ...]


@route(
    "POST",
    "/streams/{kind}/{slug}/entries",
    "recorder",
    body=EntriesSent,
    answers={201: EntriesRecorded, 200: EntriesRecorded},
    problems=("malformed", "against_rules", "wrong_version", "id_used", "partly_recorded", "not_found"),
)
async def record_entries(asked: Asked, kind: str, slug: str) -> Answer:
    """Records what happened, in this order, all of it or nothing."""
    sent: EntriesSent = asked.body
    stream = f"{kind}/{slug}"
    act = Act(
        batches=(
            Entries(
                stream=stream,
                entries=tuple(NewEntry(one.event, one.id, one.happened_at) for one in sent.entries),
                expected_version=sent.expected_version,
            ),
        ),
        by=asked.grant.recorded_by,
        token=asked.grant.token,
        sees_hands=asked.grant.hands,
        as_played=sent.as_played,
        lang=asked.lang,
        size_bytes=asked.body_bytes,
    )
    written = await asked.service.record(act)
    (acknowledged,), (standing,) = written.acknowledged, written.standing
    recorded = EntriesRecorded(
        stream=stream,
        first_version=acknowledged.first_version,
        last_version=acknowledged.last_version,
        first_position=acknowledged.first_position,
        last_position=acknowledged.last_position,
        ids=acknowledged.ids,
        already_recorded=acknowledged.already_recorded,
        version=standing.version,
        turn=standing.turn,
        legal=standing.legal,
        findings=standing.findings,
    )
    return Answer(
        body=recorded,
        status=200 if acknowledged.already_recorded else 201,
        headers={
            "etag": f'"{standing.version}"',
            "location": f"{PREFIX}/streams/{stream}/entries?after_version={acknowledged.first_version - 1}",
        },
    )
