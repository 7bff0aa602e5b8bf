"""Imports of lines or of a hand record as a whole: written to disk piece by piece, and read outside of the writer."""

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
"""The largest import over HTTP; the command line takes larger ones."""

TOML: Final = "application/toml"

_ATTEMPTS: Final = 5
"""The number of attempts while other clients record at the same tables."""

_IDS: Final = 10_000
"""The number of ids that are looked up at a time."""


class ImportQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`strict`: refuse rule breaks. `as_typed`: record a hand record even if it is impossible. `dry_run`: record
    nothing, and report what would change.
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
    """Record the events of a file, all or none: lines, an export, or a hand record."""
    query: ImportQuery = request.query
    request.service.check_takes()
    with TemporaryFile() as file:
        async with aclosing(body_pieces(request, FILE_BYTES)) as pieces:
            async for piece in pieces:
                await request.service.run_in_thread(partial(file.write, piece))
        async with request.service.importing:
            loop = asyncio.get_running_loop()

            def attempt() -> ImportReport:
                level = request.service.do(lambda store: None)  # the import must see everything recorded before
                asyncio.run_coroutine_threadsafe(level, loop).result()
                file.seek(0)
                return _imported(request, query, file)

            report = await asyncio.to_thread(retry, attempt, _ATTEMPTS)
            await request.service.do(lambda store: None)  # publish the imported entries before answering
    is_new = bool(report.events) and not query.dry_run
    return Response(report, status_code=201 if is_new else 200)


def _imported(request: Request, query: ImportQuery, file: BinaryIO) -> ImportReport:
    service = request.service
    with open_store(service.address) as whole:
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
    """Refuse an export while something is hidden: matching digests would confirm guesses.

    Raise `ConflictError` for the id of a hidden entry, else `DealOpenError` if something is hidden from the client.
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
            continue  # the import reports such a line in detail
        if is_canonical_id(id):
            yield id
