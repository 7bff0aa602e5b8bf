"""What is asked: who asks, in which language, with which parameters and body, and in which form he takes the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, Final, TypeVar, get_origin
from urllib.parse import parse_qsl, unquote

import msgspec
from msgspec import Struct, structs

from ledger.access.grants import Grant
from ledger.errors import MalformedError, listed
from ledger.i18n import LANGUAGES
from ledger.service.running import Service
from ledger.service.visibility import Horizon
from ledger.validation import malformed
from ledger.web.catalogue import phrase
from ledger.web.http.problems import WebError, web_error
from ledger.web.http.routing import Route

Query = TypeVar("Query", bound=Struct)

_LANGUAGE: Final = "lang"
_NUMBER: Final = re.compile(r"[0-9](\.[0-9]*)?")


class Headers:
    """The headers of a request, by lower-case name; of several of one name the first, unless all are asked for."""

    __slots__ = ("_first", "_raw")

    def __init__(self, raw: Sequence[tuple[bytes, bytes]]) -> None:
        self._raw = raw
        self._first = dict(reversed(raw))

    def get(self, name: str) -> str | None:
        value = self._first.get(name.encode())
        return None if value is None else value.decode("latin-1")

    @property
    def names(self) -> Iterator[str]:
        return (name.decode("latin-1") for name in self._first)

    def all(self, name: str) -> list[str]:
        key = name.encode()
        return [value.decode("latin-1") for found, value in self._raw if found == key]


class Asked(Struct, kw_only=True):
    """One request, as far as it has been understood. `peer`: the address that it comes from.

    `horizon`: how far everybody may see; it stays the same for the whole answer. `rests_on`: the counts of what the
    answer changes with, as of that horizon; empty where it has no entity tag. `told_lang`: the language that the query
    names.
    """

    service: Service
    route: Route
    headers: Headers
    path: str
    query_string: bytes
    grant: Grant
    lang: str
    horizon: Horizon
    peer: str
    scope: Mapping[str, Any]
    csrf: str | None = None
    parameters: Mapping[str, str] = {}
    query: Any = None
    body: Any = None
    body_bytes: int = 0
    media: str = "application/json"
    rests_on: str = ""
    receive: Any = None
    told_lang: str | None = None


def query_of(route: Route, query_string: bytes) -> tuple[Any, str | None]:
    """The parameters as the route declares them, and the language asked for. Raises `WebError`, `MalformedError`."""
    if not query_string and not route.query.__struct_fields__:
        return _NO_QUERY, None
    try:
        pairs = parse_qsl(
            query_string.decode("ascii"), keep_blank_values=True, strict_parsing=bool(query_string), errors="strict"
        )
    except ValueError:
        raise web_error("malformed", "query_unreadable", where="query") from None
    names = _names_of(route.query)
    several = _lists_of(route.query)
    told: dict[str, Any] = {}
    lang = None
    for name, value in pairs:
        if name == _LANGUAGE:
            if value not in LANGUAGES:
                raise MalformedError(_LANGUAGE, listed(list(LANGUAGES)), value)
            lang = value
        elif name not in names:
            known = (*sorted(names), _LANGUAGE)
            raise web_error("unknown_parameter", "unknown_parameter", where=name[:200], known=known)
        elif name in several:
            told.setdefault(name, []).append(value)
        elif name in told:
            raise MalformedError(phrase("twice", where=name), text=value, field=name)
        else:
            told[name] = value
    if not told and not route.query.__struct_fields__:
        return _NO_QUERY, lang
    try:
        query = msgspec.convert(told, route.query, strict=False)
    except msgspec.ValidationError as error:
        raise malformed(error, told, route.query) from None
    for told_as, name in names.items():
        if told_as in told and getattr(query, name) is None:
            raise MalformedError(phrase("null"), text=told[told_as], field=told_as)
    return query, lang


@cache  # the fields of a struct are worked out anew each time they are asked for, and routes are few
def _names_of(query: type[Struct]) -> dict[str, str]:
    """The names of a query's parameters, each with that of its field."""
    return {field.encode_name: field.name for field in structs.fields(query)}


@cache
def _lists_of(query: type[Struct]) -> frozenset[str]:
    """The parameters that may stand there several times."""
    return frozenset(field.encode_name for field in structs.fields(query) if get_origin(field.type) is tuple)


class _NoQuery(Struct, frozen=True):
    pass


_NO_QUERY: Final = _NoQuery()


def _weighed(header: str) -> Iterator[tuple[str, float]]:
    """What a client takes, in small letters, and how gladly: 1.0 unless a number is told.

    Taken apart without a pattern: one that goes back over blanks takes seconds for 16 kB of them.
    """
    for one in header.split(","):
        name, *parameters = map(str.strip, one.split(";"))
        told = (value.strip() for key, _, value in (part.partition("=") for part in parameters) if key.strip() == "q")
        quality = next(told, "")
        if name:
            yield name.lower(), float(quality) if _NUMBER.fullmatch(quality) else 1.0


@lru_cache(maxsize=256)
def language_of(header: str | None) -> str:
    """The language that a client likes best of ours, by `Accept-Language`."""
    if header is None:
        return "en"
    best, found = 0.0, "en"
    for name, weight in _weighed(header):
        lang = name.partition("-")[0]
        if lang in LANGUAGES and weight > best:
            best, found = weight, lang
    return found


def media_of(route: Route, accept: str | None) -> str:
    """The form in which the client takes the answer; raises `WebError` where there is none that it takes."""
    if accept is None or accept == "*/*":
        return route.media[0]
    chosen = _chosen(tuple(route.media), accept)
    if chosen is None:
        raise web_error("not_acceptable", "not_acceptable", text=accept[:200], known=tuple(route.media))
    return chosen


@lru_cache(maxsize=1024)
def _chosen(media: tuple[str, ...], accept: str) -> str | None:
    """The form that is liked best by an `Accept` header, the first of equals; None where none is taken."""
    if not accept.strip():
        return media[0]
    ranges = dict(_weighed(accept))
    weights = [_weight(ranges, one) for one in media]
    return media[weights.index(max(weights))] if max(weights) else None


def _weight(ranges: Mapping[str, float], media: str) -> float:
    kind = media.partition(";")[0]
    for name in (kind, kind.partition("/")[0] + "/*", "*/*"):
        if name in ranges:
            return ranges[name]
    return 0.0


def body_of(route: Route, content: bytes) -> Any:
    """The body as the route declares it; raises `WebError` for what is no JSON, `MalformedError` for anything else."""
    try:
        return msgspec.json.decode(content, type=route.body)
    except msgspec.ValidationError as error:
        refusal = _refused(error, content, route.body)
        if route.is_secret and isinstance(refusal, MalformedError):
            refusal = replace(refusal, text=None)
        raise refusal from None
    except _NOT_JSON as error:
        raise _not_json(error) from None


def form_of(route: Route, content: bytes) -> tuple[str | None, Any]:
    """The fields of a form as the route declares them, and the token of the session. Raises `MalformedError`.

    Blanks around what somebody typed say nothing; a field that was left empty was not told. Several of one name, as
    boxes that are ticked, are told as lines.
    """
    try:
        pairs = parse_qsl(content.decode("ascii"), errors="strict")
    except ValueError:
        raise MalformedError(phrase("form_unreadable")) from None
    told: dict[str, str] = {}
    for name, value in pairs:
        if value.strip():
            told[name] = f"{told[name]}\n{value.strip()}" if name in told else value.strip()
    csrf = told.pop("csrf", None)
    try:
        return csrf, msgspec.convert(told, route.body, strict=False)
    except msgspec.ValidationError as error:
        refusal = malformed(error, told, route.body)
        raise (replace(refusal, text=None) if route.is_secret else refusal) from None


def _refused(error: msgspec.ValidationError, content: bytes, kind: Any) -> MalformedError | WebError:
    """The refusal of a body that is read only up to where it is wrong: what comes behind may be anything."""
    try:
        return malformed(error, msgspec.json.decode(content), kind)
    except _NOT_JSON as worse:
        return _not_json(worse)


_NOT_JSON: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def _not_json(error: Exception) -> WebError:
    if isinstance(error, RecursionError):
        return web_error("not_json", "too_deep")
    return web_error("not_json", "not_json", why=str(error))


def check_content_type(route: Route, header: str | None) -> None:
    """Raises `WebError` where the body is of a type that the route does not take."""
    told = (header or "").partition(";")[0].strip().lower()
    if told not in route.takes:
        raise web_error(
            "unsupported_media_type", "unsupported_media_type", text=(header or "")[:200], known=tuple(route.takes)
        )


def check_not_packed(encoding: str | None) -> None:
    """Raises `WebError` for a body that is packed (`Content-Encoding`): how large it is would not be known."""
    if encoding is not None and encoding.strip().lower() not in ("", "identity"):
        raise web_error("unsupported_media_type", "packed_body", {"accept-encoding": "identity"}, text=encoding[:200])


def segments_of(scope: Mapping[str, Any], prefix: str) -> list[str]:
    """The parts of the path behind a prefix, each read by itself: a slash may be part of a name."""
    raw: bytes = scope["raw_path"]
    return [unquote(one) for one in raw.decode("ascii", "replace").removeprefix(prefix).split("/")[1:]]
