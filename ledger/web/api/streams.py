"""Streams of the log and their entries, as far as the client may see them."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from ledger.events import Envelope
from ledger.log.base import StreamHead
from ledger.service.visibility import seen_envelope
from ledger.streams import stream_types
from ledger.table.repository import no_stream
from ledger.web.api.deals import encoded_list
from ledger.web.http.problems import web_error
from ledger.web.http.reading import seen
from ledger.web.http.request import Request
from ledger.web.http.response import Limit, Paging, Response, further, linked, paged
from ledger.web.http.routing import JSON, NDJSON, route

_VERSION_MAX: Final = 2**53 - 1
"""The largest integer that every JSON parser reads exactly."""


class StreamSearch(Paging, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Streams whose name begins with `prefix`."""

    prefix: Annotated[str, Meta(max_length=100)] = ""


class EntriesQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Entries after the version `after_version`, at most `limit`."""

    after_version: Annotated[int, Meta(ge=0, le=_VERSION_MAX)] = 0
    limit: Limit = 100


class EntrySeen(Envelope, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False, kw_only=True):
    """One entry. `digest`: null while hidden cards could be guessed by it, until all earlier deals are open."""

    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")] | None  # type: ignore[assignment]


@route("GET", "/streams", "viewer", query=StreamSearch, answers={200: list[StreamHead]}, rests_on="head")
def streams(request: Request) -> Response:
    """List the streams with their last entries, oldest first."""
    heads = seen(request).streams(request.query.prefix)
    return paged(request, heads, lambda head: head.stream)


@route(
    "GET",
    "/streams/{kind}/{slug}/entries",
    "viewer",
    query=EntriesQuery,
    answers={200: list[EntrySeen]},
    media=(JSON, NDJSON),
    rests_on="entries",
    problems=("not_found",),
)
def entries(request: Request, kind: str, slug: str) -> Response:
    """Return the entries of a stream, as a list or one a line."""
    query: EntriesQuery = request.query
    store = seen(request)
    stream = f"{kind}/{slug}"
    rows = store.read_stream(stream, query.after_version)[: query.limit + 1]
    if not rows and not store.read_stream(stream):
        check_kind(kind)
        raise no_stream(store, stream)
    envelopes = [seen_envelope(row) for row in rows[: query.limit]]
    more = further(request, after_version=rows[query.limit - 1].version) if len(rows) > query.limit else None
    before = None  # for the page that begins with the first entry
    if query.after_version:
        before = further(request, after_version=max(0, query.after_version - query.limit))
    here = further(request)
    other = JSON if request.media == NDJSON else NDJSON
    return Response(
        encoded_list(request.media, envelopes),
        media_type=request.media,
        headers=linked(request, (here, other), next=more, prev=before),
    )


def check_kind(name: str) -> None:
    """Raise `WebError` if no kind of stream has this name."""
    known = tuple(kind.name for kind in stream_types())
    if name not in known:
        raise web_error("not_found", "no_kind_of_stream", text=name[:100], known=known)
