"""Routes: declared once, and used by dispatch, access checks, OpenAPI, docs and tests."""

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
"""The default limit of a body; imports may be larger."""

Method: TypeAlias = Literal["GET", "POST", "PUT", "DELETE"]

Who: TypeAlias = Role | Literal["none", "any"]
"""The lowest role that is admitted; `any`: any signed-in client; `none`: everybody."""

RestsOn: TypeAlias = Literal["nothing", "program", "head", "table", "entries", "history"]
"""The sources of an answer, of which its entity tag is made. `nothing`: it has no tag."""


class NoQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """No parameters but the language."""


class Route(Struct, frozen=True, kw_only=True):
    """One method of one path. `answers`: the type of the answer for each status. `media`: its media types.

    `takes`: content types of the body; if `body` is None the handler reads its bytes. `problems`: codes besides those
    of all routes. `of_whole_ledger`: it covers all tables, and so refuses tokens bound to some. `or_viewers`: open to
    viewers, too, with that setting. `is_stream`: it counts its listeners itself. `is_secret`: no refusal quotes the
    body. `is_page`: a page or form for browsers, in the reader's preferences, and not cached for others. `guard`: a
    further access check, which raises; it runs in a thread.
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
"""All routes, as declared by the modules that `web.app` loads."""

PAGES: Final[list[Route]] = []
"""All pages for browsers: routes outside of `/api/v1`, which are not in OpenAPI."""


def route(method: Method, path: str, who: Who, **declared: Any) -> Callable[[Handler], Handler]:
    """Declare a handler: `handler(request, **parameters of the path)`. Plain functions run in a thread.

    The first paragraph of its docstring becomes its summary in the documentation.
    """
    if declared.get("body") is not None:
        declared.setdefault("takes", (JSON,))
    return _declared(ROUTES, method, path, who, declared)


def page(path: str, who: Who, **declared: Any) -> Callable[[Handler], Handler]:
    """Declare a page, as `route` does for programs; its path is complete."""
    return _declared(PAGES, "GET", path, who, {"media": (HTML,), "is_page": True, **declared})


def form(path: str, who: Who, **declared: Any) -> Callable[[Handler], Handler]:
    """Declare the target of a page's form; `request.data` has its fields."""
    return _declared(PAGES, "POST", path, who, {"media": (HTML,), "takes": (FORM,), "is_page": True, **declared})


def file(path: str, who: Who, **declared: Any) -> Callable[[Handler], Handler]:
    """Declare a file that pages load, the same for everybody."""
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
    """Return the handler as a coroutine function. Plain handlers run in the service's few threads: Starlette's pool of
    forty would let that many reads take the processor from the writer.
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
    """A tree of path segments that finds routes. A parameter is a segment, or the part before an ending such as `.svg`.

    Starlette's router matches the decoded path, so that a slash within a name separates segments; it accepts a line
    break at the end, and takes the first matching route, so that `Allow` would name only its methods.
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
        """Return the match of a path; None if there is none. A segment may contain a slash."""
        return _walk(self._root, segments, [])


class _Node(Struct):
    """The continuations of a path prefix: segments by name, parameters by ending, or its methods."""

    named: dict[str, _Node] = {}
    ending: dict[str, _Node] = {}
    methods: dict[str, Route] = {}
    names: list[str] = []


def _segments(path: str) -> list[str]:
    return path.split("/")[1:]


def segments_of(scope: Scope, prefix: str) -> list[str]:
    """Return the segments of the path after a prefix, decoded one by one: a slash may be part of a name."""
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
