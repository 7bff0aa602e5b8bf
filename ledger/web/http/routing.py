"""What a route is: declared once, and read by the dispatcher, the guard, OpenAPI, the docs and the tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any, Final, Literal, NamedTuple, TypeAlias
from urllib.parse import unquote

from msgspec import Struct
from starlette.types import Scope

from ledger.access.grants import Role

PREFIX: Final = "/api/v1"
JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
HTML: Final = "text/html; charset=utf-8"
FORM: Final = "application/x-www-form-urlencoded"
BODY_BYTES: Final = 1_000_000
"""The body of a request; an import may have more."""

Method: TypeAlias = Literal["GET", "POST", "PUT", "DELETE"]

Who: TypeAlias = Role | Literal["none", "any"]
"""The least role that may ask; `any`: whoever is signed in; `none`: everybody."""

RestsOn: TypeAlias = Literal["nothing", "program", "head", "table", "entries", "history"]
"""What an answer to a read changes with: the entity tag is made of it. `nothing`: it has no tag."""


class NoQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """No parameters but the language."""


class Route(Struct, frozen=True, kw_only=True):
    """One method of one path. `answers`: the type that is told with each status. `media`: how it can be told.

    `takes`: content types of the body; with `body` None its bytes are the handler's. `problems`: codes besides those
    that any route has. `of_whole_ledger`: it tells of all tables, and so nothing to a token that is bound to some.
    `or_viewers`: they may, too, where the service is run so. `is_stream`: it counts its listeners itself.
    `is_secret`: no refusal quotes what its body says. `is_page`: people read it in a browser, or fill it in there; it
    is told as each likes it, and nobody else is given the same. `guard`: lets in whom the role alone does not tell, or
    raises; it is called beside the event loop, as the handler would be.
    """

    method: Method
    path: str
    who: Who
    handler: Callable[..., Any]
    summary: str
    query: type[Struct] = NoQuery
    body: Any = None
    takes: Sequence[str] = ()
    body_bytes: int = BODY_BYTES
    answers: Mapping[int, Any] = {}
    media: Sequence[str] = (JSON,)
    problems: Sequence[str] = ()
    rests_on: RestsOn = "nothing"
    of_whole_ledger: bool = False
    or_viewers: bool = False
    is_stream: bool = False
    is_secret: bool = False
    is_page: bool = False
    guard: Callable[..., None] | None = None

    @property
    def name(self) -> str:
        return self.handler.__name__


Handler: TypeAlias = "Callable[..., Any]"

ROUTES: Final[list[Route]] = []
"""Every route there is, as the modules that `web.app` loads declare them."""

PAGES: Final[list[Route]] = []
"""What people read in a browser: routes beside `/api/v1`, which are no part of OpenAPI."""


def route(method: Method, path: str, who: Who, **declared: Any) -> Callable[[Handler], Handler]:
    """Declares a handler: `handler(request, **parameters of the path)`. A plain function is run beside the event loop.

    The first paragraph of its docstring is what the documentation says of it.
    """
    if declared.get("body") is not None:
        declared.setdefault("takes", (JSON,))
    return _declared(ROUTES, method, path, who, declared)


def page(path: str, who: Who, **declared: Any) -> Callable[[Handler], Handler]:
    """Declares a page, as `route` does what programs ask; its path is the whole one."""
    return _declared(PAGES, "GET", path, who, {"media": (HTML,), "is_page": True, **declared})


def form(path: str, who: Who, **declared: Any) -> Callable[[Handler], Handler]:
    """Declares what a page's form is sent to; `request.data` has its fields."""
    return _declared(PAGES, "POST", path, who, {"media": (HTML,), "takes": (FORM,), "is_page": True, **declared})


def file(path: str, who: Who, **declared: Any) -> Callable[[Handler], Handler]:
    """Declares what pages load beside themselves, the same for everybody."""
    return _declared(PAGES, "GET", path, who, declared)


def _declared(
    routes: list[Route], method: Method, path: str, who: Who, declared: Mapping[str, Any]
) -> Callable[[Handler], Handler]:
    def declare(handler: Handler) -> Handler:
        summary = " ".join((handler.__doc__ or "").partition("\n\n")[0].split())
        endpoint = _endpoint(handler)
        routes.append(Route(method=method, path=path, who=who, handler=endpoint, summary=summary, **declared))
        return handler

    return declare


def _endpoint(handler: Handler) -> Handler:
    """Return the handler as a coroutine function; a plain one runs on one of the service's own threads, of which there
    are few: Starlette's pool of forty would let that many reads take the processor from the writer.
    """
    if iscoroutinefunction(handler):
        return handler

    @wraps(handler)
    async def endpoint(request: Any, **parameters: str) -> Any:
        return await request.service.run_in_thread(lambda: handler(request, **parameters))

    return endpoint


class RouteMatch(NamedTuple):
    """The routes of a path by method, and the values of its parameters."""

    methods: Mapping[str, Route]
    parameters: Mapping[str, str]


_PARAMETER: Final = re.compile(r"\{(\w+)\}(\.\w+)?")


class Routes:
    """Finds the routes of a path: a tree of its segments. A parameter is a segment, or what stands before `.svg`.

    Starlette's router matches the decoded path, where a slash within a name is one of the path, lets a line break
    after it through, and takes the first route that fits: `Allow` would name the methods of that one alone.
    """

    def __init__(self, routes: Sequence[Route]) -> None:
        self._root = _Node()
        for one in routes:
            node, names = self._root, []
            for segment in _segments(one.path):
                if (parameter := _PARAMETER.fullmatch(segment)) is None:
                    node = node.named.setdefault(segment, _Node())
                else:
                    names.append(parameter[1])
                    node = node.ending.setdefault(parameter[2] or "", _Node())
            if one.method in node.methods:
                raise AssertionError(f"{one.method} {one.path} is declared twice")
            node.methods[one.method] = one
            node.names = names

    def find(self, segments: Sequence[str]) -> RouteMatch | None:
        """None where there is no such path; a segment may hold a slash."""
        return _walk(self._root, segments, [])


class _Node(Struct):
    """What can follow a beginning of paths: segments by name, parameters by their endings, or the end of a path."""

    named: dict[str, _Node] = {}
    ending: dict[str, _Node] = {}
    methods: dict[str, Route] = {}
    names: list[str] = []


def _segments(path: str) -> list[str]:
    return path.split("/")[1:]


def segments_of(scope: Scope, prefix: str) -> list[str]:
    """The parts of the path behind a prefix, each read by itself: a slash may be part of a name."""
    raw: bytes = scope["raw_path"]
    return [unquote(one) for one in _segments(raw.decode("ascii", "replace").removeprefix(prefix))]


def _walk(node: _Node, segments: Sequence[str], values: Sequence[str]) -> RouteMatch | None:
    if not segments:
        return RouteMatch(node.methods, dict(zip(node.names, values, strict=True))) if node.methods else None
    segment, rest = segments[0], segments[1:]
    if segment in node.named and (match := _walk(node.named[segment], rest, values)) is not None:
        return match
    for ending in sorted(node.ending, key=len, reverse=True):
        value = segment.removesuffix(ending)
        if value and segment.endswith(ending) and (match := _walk(node.ending[ending], rest, [*values, value])):
            return match
    return None
