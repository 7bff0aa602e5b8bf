"""The application: finds the route, lets in who may, reads what is asked, and tells the answer or the problem.

Every request goes through here, in this order: host, route, who asks, where the request comes from, role, parameters,
what the client has already, body, handler. A route that is not declared is not there.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Final

from msgspec import structs

from ledger.errors import LedgerError
from ledger.log.open_files import ReplacedError
from ledger.service.running import Service
from ledger.web.http import auth, problems
from ledger.web.http.bodies import take_body
from ledger.web.http.error_redaction import as_told_to
from ledger.web.http.etags import is_any, tag_of
from ledger.web.http.links import linked
from ledger.web.http.problems import PROBLEM, WebError, web_error
from ledger.web.http.reading import check_table
from ledger.web.http.request import (
    Asked,
    Headers,
    language_of,
    media_of,
    query_of,
    segments_of,
)
from ledger.web.http.request_log import LOGGED, Logged, RequestLog
from ledger.web.http.response import Receive, Scope, Send, Telling, done_with, written_out
from ledger.web.http.routing import PAGES, PREFIX, ROUTES, Answer, Found, Routes
from ledger.web.pages.cross_site import asks_again, once_more
from ledger.web.pages.preferences import chosen_language
from ledger.web.pages.refusal import is_for_people, refusal_page

PERSONAL: Final = {"cache-control": "private, no-cache"}
"""A page has the name of who reads it, and the token of his session."""

NOT_KEPT: Final = {"cache-control": "no-store"}

IN_FLIGHT: Final = 32
"""So many requests of one client are answered at once."""


class App:
    """An ASGI application that serves one ledger."""

    def __init__(self, service: Service, log: RequestLog | None = None) -> None:
        from ledger.web import handlers  # each module declares its routes

        handlers.load_packages()
        self.service = service
        self._log = log or RequestLog()
        self._routes, self._pages = Routes(ROUTES), Routes(PAGES)
        self._in_flight: dict[str, int] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            raise ValueError(scope["type"])

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await self.service.start()
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.service.stop()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        logged = Logged(scope["method"])
        scope.setdefault("state", {})[LOGGED] = logged
        headers = Headers(scope["headers"])
        is_trusted = auth.is_trusted_origin(self.service.settings, scope, headers)
        telling = Telling(send, is_head=scope["method"] == "HEAD", is_trusted=is_trusted, logged=logged)
        path = scope["path"]
        try:
            lang = (is_for_people(path, headers) and chosen_language(headers)) or language_of(
                headers.get("accept-language")
            )
            try:
                answer, extra = await self._asked(scope, receive, headers, path, logged)
                await telling.tell(answer, extra)
            except _InLanguage as told:
                lang = told.lang
                raise told.error from None
        except (LedgerError, WebError) as error:
            await self._refuse(telling, error, scope, lang, headers)
        except (asyncio.CancelledError, ConnectionError):
            raise
        except Exception as error:  # whatever else it is, nobody is shown a traceback
            self._log.fault(logged, error)
            await self._refuse(telling, web_error("internal", "internal"), scope, lang, headers)
        finally:
            self._log.request(logged)

    async def _refuse(
        self,
        telling: Telling,
        error: LedgerError | WebError,
        scope: Scope,
        lang: str,
        headers: Headers,
    ) -> None:
        if telling.has_begun:
            raise ConnectionAbortedError  # the client must not take what it has for the whole
        path = scope["path"]
        problem = problems.problem_of(error, path, lang)
        if is_for_people(path, headers):
            await telling.tell(refusal_page(self.service, problem, error, scope, headers, lang), NOT_KEPT)
            return
        answer = Answer(
            status=problem.status,
            body=problems.encoded(problem),
            media_type=PROBLEM,
            headers={**problems.headers_of(error, problem), "content-language": lang},
        )
        await telling.tell(answer, NOT_KEPT)

    async def _asked(
        self, scope: Scope, receive: Receive, headers: Headers, path: str, logged: Logged
    ) -> tuple[Answer, Mapping[str, str]]:
        service = self.service
        auth.check_host(service.settings, scope, headers)
        found = self._found(scope, path)
        if found is None:
            raise web_error("not_found", "no_route", text=path[:200])
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        route = found.methods.get(method)
        if route is None:
            allow = sorted({*found.methods, *(["HEAD"] if "GET" in found.methods else [])})
            raise web_error("method_not_allowed", "method_not_allowed", text=scope["method"], allow=tuple(allow))
        logged.route = route.path
        if route.is_page and asks_again(service.settings, route, scope, headers):
            return once_more(service, scope, headers), NOT_KEPT
        query, told = None, None
        wrong: LedgerError | WebError | None = None
        try:
            query, told = query_of(route, scope["query_string"])
        except (LedgerError, WebError) as error:
            wrong = error
        lang = told or (route.is_page and chosen_language(headers)) or language_of(headers.get("accept-language"))
        admitted = None
        try:
            admitted = auth.admitted(service, route, scope, headers)
            logged.token = admitted.grant.token
            if wrong is not None:
                raise wrong
            asked = Asked(
                service=service,
                route=route,
                headers=headers,
                path=path,
                query_string=scope["query_string"],
                grant=admitted.grant,
                csrf=admitted.csrf,
                scope=scope,
                lang=lang,
                horizon=service.horizon,
                peer=auth.peer_of(service.settings, scope, headers),
                parameters=found.parameters,
                query=query,
                media=media_of(route, headers.get("accept")),
                receive=receive,
                told_lang=told,
            )
            check_table(asked)
            with self._counted(asked):
                return await self._handled(asked)
        except (LedgerError, WebError) as error:
            raise _InLanguage(error if admitted is None else as_told_to(admitted.grant, error), lang) from None

    def _found(self, scope: Scope, path: str) -> Found | None:
        if path == PREFIX:
            return self._routes.find([""])  # with its slash or without
        if path.startswith(f"{PREFIX}/"):
            return self._routes.find(segments_of(scope, PREFIX))
        return self._pages.find(segments_of(scope, ""))

    def _counted(self, asked: Asked) -> AbstractContextManager[None]:
        if asked.route.is_stream:
            return nullcontext()  # it counts its own
        return _Counted(self._in_flight, _client_of(asked))

    async def _guard(self, asked: Asked) -> None:
        if (guard := asked.route.guard) is not None:
            await self.service.beside(lambda: guard(asked, **asked.parameters))

    async def _handled(self, asked: Asked) -> tuple[Answer, Mapping[str, str]]:
        route = asked.route
        if route.method != "GET":
            await self._guard(asked)
            await take_body(asked)
            return await _run(asked), NOT_KEPT
        if self.service.is_closing and route.who != "none":
            raise web_error("closing", "closing")
        trouble = self.service.writer.trouble
        if isinstance(trouble, ReplacedError) and route.who != "none":
            raise trouble.with_traceback(None)  # or it would grow with every request
        await self._guard(asked)
        tag = tag_of(asked)
        if route.is_page:
            asked.rests_on = "" if tag is None else tag.counts
            return await _run(asked), PERSONAL
        if tag is None:
            return await _run(asked), NOT_KEPT
        headers = {
            "etag": tag.text,
            "cache-control": "private, no-cache",
            "trickledger-position": str(asked.horizon.head.position),
            "content-language": asked.lang,
        }
        known = asked.headers.get("if-none-match")
        if tag.is_known(known):
            return Answer(status=304), headers
        asked.rests_on = tag.counts
        key = (route.path, asked.path, asked.query_string, asked.media, tag.key)
        answer = self.service.kept.get(key)
        if answer is None:
            answer = _with_links(asked, written_out(await _run(asked)))
            if answer.pieces is None and answer.status == 200:
                self.service.kept.keep(key, answer, len(answer.body) + 500)
        if is_any(known) and answer.status == 200:
            await done_with(answer.pieces)
            return Answer(status=304), headers
        return answer, headers


def _client_of(asked: Asked) -> str:
    """The signed-in browser, the program with its token, or whoever asks from this address without one."""
    return asked.csrf or (asked.peer if asked.grant in (auth.PUBLIC, auth.NOBODY) else asked.grant.recorded_by)


class _InLanguage(Exception):
    """A refusal, and the language in which it is to be told."""

    def __init__(self, error: LedgerError | WebError, lang: str) -> None:
        super().__init__(error)
        self.error = error
        self.lang = lang


class _Counted:
    """Counts the requests of one client while they are answered; raises `WebError` where it has too many."""

    def __init__(self, in_flight: dict[str, int], who: str) -> None:
        self._in_flight = in_flight
        self._who = who

    def __enter__(self) -> None:
        count = self._in_flight.get(self._who, 0)
        if count >= IN_FLIGHT:
            raise web_error("too_many_requests", "in_flight", {"retry-after": "1"}, limit=IN_FLIGHT)
        self._in_flight[self._who] = count + 1

    def __exit__(self, *_: object) -> None:
        count = self._in_flight[self._who] - 1
        if count:
            self._in_flight[self._who] = count
        else:
            del self._in_flight[self._who]


async def _run(asked: Asked) -> Answer:
    handler = asked.route.handler
    if inspect.iscoroutinefunction(handler):
        answer: Answer = await handler(asked, **asked.parameters)
        return answer
    return await asked.service.beside(lambda: handler(asked, **asked.parameters))


def _with_links(asked: Asked, answer: Answer) -> Answer:
    """The answer with a `Link` header; the handler says more there than where the answer itself is."""
    if "link" in answer.headers:
        return answer
    return structs.replace(answer, headers={**answer.headers, **linked(asked)})
