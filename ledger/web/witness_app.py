"""A witness over HTTP: add-checkpoint and its newest checkpoints (c2sp.org/tlog-witness), and the daily lists."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from hashlib import sha256
from typing import Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from ledger import __version__, limits
from ledger.errors import LedgerError, MalformedError, NotFoundError, UsageError
from ledger.i18n import Text, in_words
from ledger.limits import exceeded
from ledger.web.catalogue import phrase
from ledger.web.http.access_log import LOGGED, AccessLog, LineLog
from ledger.web.http.middleware import AccessLogMiddleware
from ledger.web.http.request import language_of
from ledger.web.server.server import Hosted, serve
from ledger.web.server.sockets import Listening
from ledger.witness.folder import WitnessFolder, WitnessRefusedError, WrongKeyError
from ledger.witness.request import CheckpointRequest, cosignature_lines

_ADD: Final = "/add-checkpoint"
_LISTS: Final = "/lists/{day}"
_NEWEST: Final = "/{origin_hash}/checkpoint"

_TEXT: Final = "text/plain; charset=utf-8"
_SIZE: Final = "text/x.tlog.size"
_HEADERS: Final = {"cache-control": "no-store", "x-content-type-options": "nosniff"}


def witness_app(folder: WitnessFolder) -> Starlette:
    """Return the app of a witness."""

    async def add_checkpoint(request: Request) -> Response:
        body = b""
        try:
            async for chunk in request.stream():
                body += chunk
                if len(body) > (most := limits.WITNESS_REQUEST_BYTES):
                    return _failed(request, exceeded("witness_request", len(body), most, "bytes"))
        except ClientDisconnect:
            return Response(status_code=400)
        return await _answered(request, _ADD, lambda: _cosigned(folder, body))

    async def newest_checkpoint(request: Request) -> Response:
        return await _answered(request, _NEWEST, lambda: _newest(folder, request.path_params["origin_hash"]))

    async def list_of_day(request: Request) -> Response:
        return await _answered(request, _LISTS, lambda: _list(folder, request.path_params["day"]))

    return Starlette(
        routes=[
            Route(_ADD, add_checkpoint, methods=["POST"]),
            Route(_LISTS, list_of_day, methods=["GET"]),
            Route(_NEWEST, newest_checkpoint, methods=["GET"]),
        ]
    )


def serve_witness(folder: WitnessFolder, listening: Listening, announce: Callable[[], None]) -> None:
    """Serve a witness until SIGTERM or Ctrl-C; `announce` is called before the first request."""
    log = LineLog()

    async def started() -> None:
        log.write("started", version=__version__, ports=[one.getsockname()[1] for one in listening.sockets])
        announce()

    app = AccessLogMiddleware(witness_app(folder), AccessLog(log.write))
    try:
        serve(Hosted(app=app, started=started), listening, log=log)
    finally:
        log.write("stopped")
        log.close()


def _cosigned(folder: WitnessFolder, body: bytes) -> Response:
    request = CheckpointRequest.parse(body)
    try:
        made = folder.cosign(request)
    except WitnessRefusedError as error:
        if request.old_size == error.size and error.reason != "rolled_back":
            raise
        return Response(
            f"{error.size}\n", 409, {**_HEADERS, "content-type": _SIZE}
        )  # with a media type, a charset is added
    return Response(cosignature_lines(made.note, folder.witness), 200, _HEADERS, _TEXT)


def _newest(folder: WitnessFolder, origin_hash: str) -> Response:
    for origin in folder.clubs():
        if sha256(origin.encode()).hexdigest() == origin_hash:
            return Response(str(folder.newest(origin)), 200, _HEADERS, _TEXT)
    raise _nothing_here()


def _list(folder: WitnessFolder, text: str) -> Response:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise _nothing_here() from None
    return Response(folder.list_of(day).content(), 200, _HEADERS, _TEXT)


def _nothing_here() -> NotFoundError:
    return NotFoundError("not_found", phrase("witness.not_found"))


async def _answered(request: Request, route: str, answer: Callable[[], Response]) -> Response:
    logged = request.scope.get("state", {}).get(LOGGED)
    if logged is not None:
        logged.route = route
    try:
        return await run_in_threadpool(answer)
    except LedgerError as error:
        return _failed(request, error)


def _failed(request: Request, error: LedgerError) -> Response:
    """Return the answer for an error; paths of the witness's own files are left out."""
    said: Text = error.said
    match error:
        case WrongKeyError():
            status = 403
        case NotFoundError():
            status = 404
        case MalformedError():
            status = 413 if error.code == "too_large" else 400
        case WitnessRefusedError():
            status, said = 422, error.what
        case UsageError():  # a day that is not over
            status = 404
        case _:
            status, said = 503, phrase("witness.busy")
    lang = language_of(request.headers.get("accept-language"))
    return Response(f"{in_words(said, lang)}\n", status, _HEADERS, _TEXT)
