"""The application: it finds the route, checks access, reads the request, and sends the answer or a problem.

Every request passes these steps in order: headers of all answers, access log, problems, host, route, client, origin,
role, parameters, cached answers of the client, body, handler. Undeclared routes do not exist. `serve_ledger` serves a
ledger by this process until it is stopped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final

from starlette.types import Receive, Scope, Send

from ledger import __version__
from ledger.access.stores import open_access
from ledger.errors import LedgerError
from ledger.log.open_files import ReplacedError
from ledger.service.running import Service, Settings
from ledger.service.visibility import VisibleHead
from ledger.streams import TABLE
from ledger.web.http import auth, problems
from ledger.web.http.access_log import LOGGED, AccessLog, LineLog, Logged
from ledger.web.http.etags import is_any, tag_of
from ledger.web.http.middleware import AccessLogMiddleware, HeadersMiddleware
from ledger.web.http.problems import PROBLEM, WebError, redacted_for, web_error
from ledger.web.http.reading import check_table
from ledger.web.http.request import Request, media_of, query_of, read_data
from ledger.web.http.response import Response, StreamResponse, linked
from ledger.web.http.routing import PAGES, PREFIX, ROUTES, RouteMatch, Routes, segments_of
from ledger.web.pages.frame import chosen_language
from ledger.web.pages.problem import is_for_people, refusal_page
from ledger.web.pages.redirects import asks_again, once_more
from ledger.web.server.metrics import Metrics
from ledger.web.server.server import Hosted, serve
from ledger.web.server.sockets import Listening

PERSONAL: Final = {"cache-control": "private, no-cache"}
"""Headers of pages, which contain the reader's name and session token."""

NO_STORE: Final = {"cache-control": "no-store"}

IN_FLIGHT: Final = 32
"""The most requests of one client that are answered at the same time."""


class App:
    """An ASGI application that serves one ledger."""

    def __init__(self, service: Service, log: AccessLog) -> None:
        from ledger.web import handlers  # each module declares its routes

        handlers.load_packages()

        self.service = service
        self._log = log
        self._routes, self._pages = Routes(ROUTES), Routes(PAGES)
        self._in_flight: dict[str, int] = {}
        self._app = HeadersMiddleware(AccessLogMiddleware(self._answer, log), service.settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response, or a problem for an error, but never a traceback."""
        request = Request(scope, receive, self.service)
        logged: Logged = scope["state"][LOGGED]
        try:
            response = await self._response(request, logged)
            await response(scope, receive, send)
            return
        except (LedgerError, WebError) as error:
            refused = error
        except (asyncio.CancelledError, ConnectionError):
            raise
        except Exception as error:
            self._log.fault(logged, error)
            refused = web_error("internal", "internal")
        if logged.status is not None:
            raise ConnectionAbortedError  # the client must not mistake a part for the whole answer
        await self._refusal(refused, request)(scope, receive, send)

    def _refusal(self, error: LedgerError | WebError, request: Request) -> Response:
        """Return the answer to a refused request: a page for a browser, else a problem."""
        is_page = is_for_people(request)
        lang = request.lang or (is_page and chosen_language(request)) or request.accepted_language
        problem = problems.problem_of(error, request.path, lang)
        if is_page:
            return refusal_page(problem, error, request, lang).with_headers(NO_STORE)
        headers = {**NO_STORE, **problems.headers_of(error, problem), "content-language": lang}
        return Response(problem, problem.status, headers, PROBLEM)

    async def _response(self, request: Request, logged: Logged) -> Response:
        service, scope, path = self.service, request.scope, request.path
        auth.check_host(service.settings, request)
        match = self._match(scope, path)
        if match is None:
            raise web_error("not_found", "no_route", text=path[:200])
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        route = match.methods.get(method)
        if route is None:
            allow = sorted({*match.methods, *(["HEAD"] if "GET" in match.methods else [])})
            raise web_error("method_not_allowed", "method_not_allowed", text=scope["method"], allow=tuple(allow))
        request.route, scope["path_params"] = route, match.parameters
        logged.route = route.path
        if route.is_page and asks_again(request):
            return once_more(request).with_headers(NO_STORE)
        wrong: LedgerError | WebError | None = None
        try:
            request.query, request.query_lang = query_of(route, request.query_string)
        except (LedgerError, WebError) as error:
            wrong = error  # reported only after the access check
        request.lang = request.query_lang or (route.is_page and chosen_language(request)) or request.accepted_language
        admitted = await service.ask_access(lambda: auth.admitted(service, route, request))
        request.grant, request.csrf = admitted.grant, admitted.csrf
        logged.token = admitted.grant.token
        try:
            if wrong is not None:
                raise wrong
            request.peer = auth.peer_of(service.settings, request)
            request.media = media_of(route.media, request.headers.get("accept"))
            check_table(request)
            await _look_for_stream(request)
            request.visible = service.visible  # the newest, after all waits
            return await (_answered(request) if route.is_stream else self._counted(request))
        except (LedgerError, WebError) as error:
            raise redacted_for(admitted.grant, error) from None

    def _match(self, scope: Scope, path: str) -> RouteMatch | None:
        if path == PREFIX:
            return self._routes.find([""])  # with or without its slash
        if path.startswith(f"{PREFIX}/"):
            return self._routes.find(segments_of(scope, PREFIX))
        return self._pages.find(segments_of(scope, ""))

    async def _counted(self, request: Request) -> Response:
        """Answer, unless the client has too many requests in flight. A stream counts its listeners itself."""
        who = _client_of(request)
        count = self._in_flight.get(who, 0)
        if count >= IN_FLIGHT:
            raise web_error("too_many_requests", "in_flight", {"retry-after": "1"}, limit=IN_FLIGHT)
        self._in_flight[who] = count + 1
        try:
            return await _answered(request)
        finally:
            self._in_flight[who] -= 1
            if not self._in_flight[who]:
                del self._in_flight[who]


def _client_of(request: Request) -> str:
    """Return the client that is limited: the signed-in browser, the token, or the address of a client without one."""
    return request.csrf or (request.peer if request.grant in (auth.PUBLIC, auth.NOBODY) else request.grant.recorded_by)


async def _answered(request: Request) -> Response:
    service, route = request.service, request.route
    if route.method != "GET":
        await _guard(request)
        await read_data(request)
        return (await _handled(request)).with_headers(NO_STORE)
    if service.is_closing and route.who != "none":
        raise web_error("closing", "closing")
    trouble = service.writer.trouble
    if isinstance(trouble, ReplacedError) and route.who != "none":
        raise trouble.with_traceback(None)  # a shared traceback would grow with every request
    tag = tag_of(request)  # of `visible`, so before anything waits
    await _guard(request)
    if route.is_page:
        request.rests_on = "" if tag is None else tag.counts
        return (await _handled(request)).with_headers(PERSONAL)
    if tag is None:
        return (await _handled(request)).with_headers(NO_STORE)
    headers = {
        "etag": tag.text,
        "cache-control": "private, no-cache",
        "trickledger-position": str(request.visible.head.position),
    }
    known = request.headers.get("if-none-match")
    if tag.is_known(known):
        return Response(status_code=304, headers=headers)
    request.rests_on = tag.counts
    key = (route.path, request.path, request.query_string, request.media, tag.key)
    response: Response | None = service.answers.get(key)
    if response is None:
        response = (await _handled(request)).with_headers(linked(request))
        if response.status_code == 200 and not isinstance(response, StreamResponse):
            service.answers.keep(key, response, len(response.body) + 500)
    if is_any(known) and response.status_code == 200:
        await response.aclose()
        return Response(status_code=304, headers=headers)
    return response.with_headers({**headers, "content-language": request.lang})


async def _look_for_stream(request: Request) -> None:
    """Look for a stream that is unknown here: another service may just have opened it for this client."""
    service, named = request.service, request.path_params
    stream = TABLE.stream(named["table"]) if "table" in named else f"{named.get('kind')}/{named.get('slug')}"
    if service.is_in_database and not named.keys().isdisjoint({"table", "slug"}) and stream not in service.versions:
        await service.look()


async def _guard(request: Request) -> None:
    if (guard := request.route.guard) is not None:
        await request.service.run_in_thread(lambda: guard(request, **request.path_params))


async def _handled(request: Request) -> Response:
    response: Response = await request.route.handler(request, **request.path_params)
    return response


def serve_ledger(
    ledger: str | Path, settings: Settings, listening: Listening, *, announce: Callable[[VisibleHead], None]
) -> None:
    """Serve until SIGTERM or Ctrl-C. `announce` is called with the visible head before the first request.

    Raise `UnreadableError` if there is no ledger, or its tokens cannot be read.
    """
    access = open_access(ledger)
    access.tokens()  # report a damaged or edited file now, not to the first phone
    service = Service(ledger, settings, access)
    metrics = _measured(service) if listening.metrics_sockets else None
    log = LineLog()
    service.rescued = lambda rescue: log.write("rescued", file=str(rescue or ""))

    async def started() -> None:
        await service.start()
        log.write("started", version=__version__, ports=[one.getsockname()[1] for one in listening.sockets])
        announce(service.visible)

    app = App(service, AccessLog(log.write, None if metrics is None else metrics.answered))
    hosted = Hosted(app=app, started=started, closing=service.begin_closing, drained=service.stop)
    try:
        serve(hosted, listening, log=log, metrics=metrics)
    finally:
        log.write("stopped")
        log.close()


def _measured(service: Service) -> Metrics:
    metrics = Metrics()
    metrics.watch("entries", lambda: service.visible.head.position)
    metrics.watch("writer_queue", lambda: service.writer.waiting)
    metrics.watch("listeners", lambda: service.hub.listening)
    metrics.watch("answers_kept", lambda: len(service.answers))
    metrics.watch("folds_kept", lambda: len(service.folds))
    metrics.watch("history_lag", lambda: service.visible.reaches - service.history.position)
    service.committed = metrics.committed
    return metrics
