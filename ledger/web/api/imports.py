"""A file of lines or a hand record, recorded as a whole: taken to the disk piece by piece, read beside the writer."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from functools import partial
from itertools import islice
from tempfile import TemporaryFile
from typing import BinaryIO, Final

from msgspec import DecodeError, Struct, json

from ledger import api
from ledger.errors import ConflictError
from ledger.log.append_rules import is_canonical_id
from ledger.log.stores import open_store
from ledger.recording.commands import lost_race, retry
from ledger.recording.importing import ImportReport
from ledger.recording.ndjson import is_whole
from ledger.service.authorized_store import AuthorizedStore
from ledger.web.catalogue import phrase
from ledger.web.http.reading import view_of
from ledger.web.http.request import Request, body_pieces
from ledger.web.http.response import Response
from ledger.web.http.routing import NDJSON, route

FILE_BYTES: Final = 64_000_000
"""One import over HTTP; a larger one is for the command line."""

TOML: Final = "application/toml"

_ATTEMPTS: Final = 5
"""So often an import is checked where acts at its tables are faster."""

_IDS: Final = 10_000
"""So many ids are looked up at once."""


class ImportQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`strict`: refuse what is against the rules. `as_typed`: record a hand record though it cannot have been so.
    `dry_run`: store nothing, and tell what would change.
    """

    strict: bool = False
    as_typed: bool = False
    dry_run: bool = False


@route(
    "POST",
    "/import",
    "director",
    query=ImportQuery,
    takes=(NDJSON, TOML),
    body_bytes=FILE_BYTES,
    answers={201: ImportReport, 200: ImportReport},
    of_whole_ledger=True,
    problems=(
        "malformed", "not_json", "too_large", "unsupported_media_type", "against_rules", "wrong_version", "id_used",
        "not_next", "forked", "deal_open",
    ),
)  # fmt: skip
async def import_file(request: Request) -> Response:
    """Records the events of a file, all or nothing: lines, an export, or a hand record; acts go on meanwhile."""
    query: ImportQuery = request.query
    request.service.check_takes()
    with TemporaryFile() as file:
        async with aclosing(body_pieces(request, FILE_BYTES)) as pieces:
            async for piece in pieces:
                await request.service.run_in_thread(partial(file.write, piece))
        async with request.service.importing:
            loop = asyncio.get_running_loop()

            def attempt() -> ImportReport:
                level = request.service.do(lambda store: None)  # it shall see all that was recorded before
                asyncio.run_coroutine_threadsafe(level, loop).result()
                file.seek(0)
                return _imported(request, query, file)

            report = await asyncio.to_thread(retry, attempt, _ATTEMPTS)
            await request.service.do(lambda store: None)  # what it recorded is published before it is answered
    is_new = bool(report.events) and not query.dry_run
    return Response(report, status_code=201 if is_new else 200)


def _imported(request: Request, query: ImportQuery, file: BinaryIO) -> ImportReport:
    service = request.service
    with open_store(service.ledger) as whole:
        store = AuthorizedStore(whole, service.visible, view_of(request))
        if service.visible.hidden:
            _check_export(store, file)
        recording = api.Recording(by=request.grant.recorded_by, dry_run=query.dry_run)
        options = api.ImportOptions(
            strict=query.strict,
            as_typed=query.as_typed,
            name=phrase("the_body").in_words(request.lang),
            shows_hands=request.grant.hands,
        )
        try:
            return api.import_file(store, file, recording, options, lang=request.lang)
        except ConflictError as error:
            raise lost_race(error) from None


class _Id(Struct):
    id: str = ""


def _check_export(store: AuthorizedStore, file: BinaryIO) -> None:
    """Refuses an export while something is hidden: whether its digests fit would tell whether a guess is right.

    Raises `ConflictError` for the id of a hidden entry, else `DealOpenError` for who does not see it.
    """
    first = next((line for line in file if line.strip()), b"")
    file.seek(0)
    if not is_whole(first):
        return
    ids = _ids(file)
    while some := list(islice(ids, _IDS)):
        store.known_ids(some)
    file.seek(0)
    store.check_digests_visible()


def _ids(file: BinaryIO) -> Iterator[str]:
    for line in file:
        try:
            id = json.decode(line, type=_Id).id.lower()
        except (DecodeError, UnicodeDecodeError):
            continue  # of such a line the import tells more
        if is_canonical_id(id):
            yield id
