"""OpenAPI 3.1 of all routes, generated from their declarations and types, with examples that the tests run."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from inspect import cleandoc
from typing import Annotated, Any, Final

import msgspec
from msgspec import NODEFAULT, Meta, Struct, structs

from ledger import __version__
from ledger.events import DealNumber, Name, RuleId, Slug, Version
from ledger.i18n import LANGUAGES
from ledger.schemas import CONDITIONS
from ledger.streams import STREAM_TYPES, with_prefixes
from ledger.web.http.problems import PROBLEM, REPLACED, RETRY_AFTER_S, STATUSES, Problem
from ledger.web.http.routing import JSON, NDJSON, PREFIX, ROUTES, NoQuery, Route


class Example(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An example request: parameters of path and query, and a body of this content type. `route`: the route's name."""

    route: str
    name: str
    path: Mapping[str, str] = {}
    query: Mapping[str, str] = {}
    body: str | None = None
    content_type: str = JSON
    status: int = 200

    @property
    def value(self) -> Any:
        """The decoded body if it is JSON, else its text."""
        return msgspec.json.decode(self.body) if self.body is not None and self.content_type == JSON else self.body


def _written(name: str) -> Mapping[str, Any]:
    return tomllib.loads((files("ledger.web.http") / name).read_text(encoding="utf-8"))


@cache
def story() -> tuple[Example, ...]:
    """Return all examples in an order in which they can be run, starting with an empty ledger."""
    return msgspec.convert(_written("examples.toml")["example"], tuple[Example, ...])


_OF_PATHS: Final[Mapping[str, Any]] = {
    "table": Slug,
    "session": Slug,
    "slug": Slug,
    "kind": Annotated[str, Meta(pattern=f"^({'|'.join(STREAM_TYPES)})$", description=" or ".join(STREAM_TYPES))],
    "deal": DealNumber,
    "step": Annotated[int, Meta(ge=0, description="so many actions into the deal")],
    "version": Version,
    "name": Name,
    "rule": RuleId,
    "id": Annotated[str, Meta(min_length=1)],
}
"""The types of path parameters, by name."""

_STEP_OR_LAST: Final = {"anyOf": [{"type": "integer", "minimum": 0}, {"const": "last"}]}
"""The step of a picture, which may be `last`; the last state itself has a path of its own."""

_TEXTS: Final[Mapping[str, Any]] = _written("openapi.toml")
"""The English texts of the document."""

_HEADERS: Final[Mapping[str, Any]] = {
    "ETag": {"type": "string"},
    "Link": {"type": "string"},
    "Location": {"type": "string"},
    "Retry-After": {"type": "integer", "minimum": 0},
    "Trickledger-Position": {"type": "integer", "minimum": 0},
    "WWW-Authenticate": {"const": "Bearer"},
}
"""Headers of answers, with their schemas."""

_PARAMETERS: Final[Mapping[str, tuple[str, Any]]] = {
    "lang": ("query", {"enum": list(LANGUAGES)}),
    "If-Match": ("header", {"type": "string", "pattern": r'^(\*|"[0-9]{1,15}([-.][^"]*)?")$'}),
    "If-None-Match": ("header", {"type": "string"}),
    "Last-Event-ID": ("header", {"type": "integer", "minimum": 0}),
}
"""Parameters that many routes have, with their places and schemas."""


_ALWAYS: Final = (
    "misdirected", "internal", "request_timeout", "too_many_requests", "headers_too_large", "unknown_parameter",
    "malformed", "csrf", "not_acceptable",
)  # fmt: skip
_WITH_ROLE: Final = ("unauthenticated", "gone", "forbidden", "closing")
_OF_READS: Final = ("damaged", "rolled_back")
_OF_WRITES: Final = ("locked", "busy", "read_only", "no_space", "rolled_back", "damaged")
_OF_BODIES: Final = ("too_large", "unsupported_media_type")

_OF_MANY: Final = ("/import", "/batches")
"""Routes whose results have no single location."""

_MALFORMED_PRECONDITION: Final = 400
"""The status if If-Match and expected_version are sent and differ."""
_PRECONDITION_FAILED: Final = 412


def problems_of(one: Route) -> Mapping[int, Sequence[str]]:
    """Return the codes of all problems of a route, by status."""
    codes = {*_ALWAYS, *one.problems, *(_OF_READS if one.method == "GET" else _OF_WRITES)}
    if one.who != "none":
        codes |= {*_WITH_ROLE}
    if one.takes:
        codes |= {*_OF_BODIES}
    if one.body is not None:
        codes.add("not_json")
    by_status: dict[int, list[str]] = {}
    for code in sorted(codes):
        by_status.setdefault(STATUSES[code], []).append(code)
    if one.who != "none" or "rolled_back" in one.problems:
        by_status[REPLACED] = sorted({*by_status.get(REPLACED, ()), "damaged"})
    if takes_version(one):
        by_status[_MALFORMED_PRECONDITION] = sorted({*by_status.get(_MALFORMED_PRECONDITION, ()), "malformed"})
        by_status[_PRECONDITION_FAILED] = ["wrong_version"]
    return dict(sorted(by_status.items()))


def takes_version(one: Route) -> bool:
    """Return whether a write accepts an expected version, for the one stream that it changes."""
    fields = getattr(one.body, "__struct_fields__", ())
    return one.body is not None and "wrong_version" in one.problems and "batches" not in fields


def _key_of(kind: Any) -> str:
    """Return the key of a type; not all types are hashable."""
    return repr(kind)


def _operation(one: Route, group: str, schemas: Mapping[str, Any]) -> dict[str, Any]:
    """Return the OpenAPI operation of a route. `schemas`: those of all types, by key."""
    examples = {example.name: example for example in story() if example.route == one.name}
    operation: dict[str, Any] = {
        "operationId": one.name,
        "summary": one.summary,
        "tags": [group],
        "description": _description(one),
        "parameters": [
            *_path_parameters(one, schemas, examples),
            *_query_parameters(one, schemas, examples),
            *map(_shared, ("lang", *_headers(one))),
        ],
        "responses": _responses(one, schemas),
        "security": [{}] if one.who == "none" else [{"token": []}, {"signedIn": []}, {}],
    }
    if one.takes:
        operation["requestBody"] = {"required": True, "content": _body(one, schemas, examples)}
    return operation


def _description(one: Route) -> str:
    parts = [_TEXTS["role"][one.who]]
    parts += [
        _TEXTS[key] for key, is_so in (("or_viewers", one.or_viewers), ("whole_ledger", one.of_whole_ledger)) if is_so
    ]
    more = cleandoc(one.handler.__doc__ or "").partition("\n\n")[2]
    about = "" if one.query is NoQuery else cleandoc(one.query.__doc__ or "")
    return "\n\n".join(part for part in (*parts, more, about) if part)


def path_names(path: str) -> list[str]:
    """Return the names of the parameters of a path, in order."""
    return [part[1:].partition("}")[0] for part in path.split("/") if part.startswith("{")]


def _path_parameters(one: Route, schemas: Mapping[str, Any], examples: Mapping[str, Example]) -> list[dict[str, Any]]:
    parameters = []
    for name in path_names(one.path):
        schema = schemas[_key_of(_OF_PATHS[name])]
        if name == "step" and not one.path.endswith("{step}"):
            schema = _STEP_OR_LAST
        values = {title: example.path[name] for title, example in examples.items()}
        parameters.append(_parameter(name, "path", schema, values, required=True))
    return parameters


def _query_parameters(one: Route, schemas: Mapping[str, Any], examples: Mapping[str, Example]) -> list[dict[str, Any]]:
    parameters = []
    for field in structs.fields(one.query):
        schema = _without_null(schemas[_key_of(field.type)])
        if isinstance(field.default, str | int | bool):
            schema["default"] = field.default
        name = field.encode_name
        values = {title: example.query[name] for title, example in examples.items() if name in example.query}
        is_required = field.default is NODEFAULT and field.default_factory is NODEFAULT
        parameters.append(_parameter(name, "query", schema, values, required=is_required))
    return parameters


def _without_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema without null: a parameter is present or left out."""
    kinds = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    rest = {name: value for name, value in schema.items() if name != "anyOf"}
    if not kinds:
        return rest
    return {**kinds[0], **rest} if len(kinds) == 1 else {"anyOf": kinds, **rest}


def _parameter(
    name: str, place: str, schema: Mapping[str, Any], examples: Mapping[str, str], *, required: bool
) -> dict[str, Any]:
    parameter: dict[str, Any] = {"name": name, "in": place, "required": required, "schema": schema}
    if examples:
        parameter["examples"] = {title: {"value": _typed(value, schema)} for title, value in examples.items()}
    return parameter


def _typed(text: str, schema: Mapping[str, Any]) -> str | int | bool:
    kinds = {schema.get("type"), *(kind.get("type") for kind in schema.get("anyOf", ()))}
    if "integer" in kinds and text.isdecimal():
        return int(text)
    return text == "true" if "boolean" in kinds else text


def _shared(name: str) -> dict[str, Any]:
    place, schema = _PARAMETERS[name]
    return {"name": name, "in": place, "description": _TEXTS["parameter"][name], "schema": schema}


def _headers(one: Route) -> list[str]:
    """Return the request headers that a route uses."""
    names = ["If-Match"] if takes_version(one) else []
    names += ["If-None-Match"] if one.rests_on != "nothing" else []
    return [*names, "Last-Event-ID"] if one.is_stream else names


def _body(one: Route, schemas: Mapping[str, Any], examples: Mapping[str, Example]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for media in one.takes:
        described: dict[str, Any] = {"schema": {"type": "string"} if one.body is None else schemas[_key_of(one.body)]}
        of_media = {title: {"value": one.value} for title, one in examples.items() if one.content_type == media}
        if of_media:
            described["examples"] = of_media
        content[media] = described
    return content


def _responses(one: Route, schemas: Mapping[str, Any]) -> dict[str, Any]:
    responses: dict[str, Any] = {}
    headers = _headers_of_answer(one)
    for status, kind in one.answers.items():
        response: dict[str, Any] = {"description": one.summary}
        if kind is not None:
            response["content"] = {media: {"schema": _form(media, kind, schemas)} for media in one.media}
        is_made = status == 201 and one.method == "POST" and one.path not in _OF_MANY
        names = [*headers, *(["Location"] if is_made else [])]
        responses[str(status)] = _with_headers(response, names)
    if one.rests_on != "nothing":
        tag = [name for name in headers if name != "Link"]
        responses["304"] = _with_headers({"description": _TEXTS["known"]}, tag)
    for status, codes in problems_of(one).items():
        responses[str(status)] = _problem(status, codes, schemas)
    return dict(sorted(responses.items()))


def _headers_of_answer(one: Route) -> list[str]:
    if one.method != "GET":
        return []
    with_tag = ["ETag", "Link", "Trickledger-Position"]
    return with_tag if one.rests_on != "nothing" else with_tag[2:] if one.is_stream else []


def _with_headers(response: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    if names:
        response["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in sorted(names)}
    return response


def _form(media: str, kind: Any, schemas: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an answer in one media type. OpenAPI 3.1 cannot describe lines of JSON: `x-line` describes
    each.
    """
    schema: dict[str, Any] = schemas[_key_of(kind)]
    if media == JSON:
        return schema
    if media == NDJSON:
        lines = {"type": "string", "description": _TEXTS["lines"]}
        return {**lines, "x-line": schema["items"]} if "items" in schema else lines
    if kind is bytes or (media.startswith("application/") and media != "application/toml"):
        return {"contentMediaType": media.partition(";")[0]}
    return {"type": "string"}


def _problem(status: int, codes: Sequence[str], schemas: Mapping[str, Any]) -> dict[str, Any]:
    narrowed = {"properties": {"code": {"enum": list(codes)}, "status": {"const": status}}}
    schema = {"allOf": [schemas[_key_of(Problem)], narrowed]}
    response = {"description": ", ".join(codes), "content": {PROBLEM: {"schema": schema}}}
    headers = ["Retry-After"] if any(code in RETRY_AFTER_S for code in codes) else []
    return _with_headers(response, [*headers, *(["WWW-Authenticate"] if "unauthenticated" in codes else [])])


_REF: Final = "#/components/schemas/{name}"

_GROUPS: Final = {
    "me": "root", "health": "root", "ready": "root", "openapi": "root", "batches": "streams", "players": "history",
    "statistics": "history", "plots": "history", "query": "history", "queries": "history", "import": "files",
    "export": "files", "proof": "files", "tokens": "access", "sign-in": "access", "sign-out": "access",
}  # fmt: skip
"""Tags by the first segment of the path; sessions are read from the history and opened as streams."""


@cache
def openapi() -> dict[str, Any]:
    """Return the OpenAPI document, as JSON values."""
    routes = sorted(ROUTES, key=lambda one: (one.path, one.method))
    types = list(_types(routes))
    schemas, components = map(with_prefixes, msgspec.json.schema_components(types, ref_template=_REF))
    by_type = {_key_of(kind): schema for kind, schema in zip(types, schemas, strict=True)}
    for name, component in components.items():
        component.update(CONDITIONS.get(name, {}))
        if "description" in component:  # older versions of Python leave the docstring's indentation in
            component["description"] = cleandoc(component["description"])
    paths: dict[str, dict[str, Any]] = {}
    for one in routes:
        paths.setdefault(PREFIX + one.path, {})[one.method.lower()] = _operation(one, _group_of(one), by_type)
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": _TEXTS["title"],
            "version": __version__,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
            "description": _TEXTS["about"],
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": description} for name, description in _TEXTS["tag"].items()],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(components.items())),
            "headers": {
                name: {"description": _TEXTS["header"][name], "schema": schema} for name, schema in _HEADERS.items()
            },
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": _TEXTS["security"]["token"]},
                "signedIn": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "trickledger",
                    "description": _TEXTS["security"]["signedIn"],
                },
            },
        },
    }
    # as a client reads it: lists instead of tuples, and no shared objects
    read: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(document))
    return read


def _group_of(one: Route) -> str:
    """Return the tag of a route."""
    word = one.path.strip("/").partition("/")[0].partition(".")[0] or "root"
    if word == "sessions":
        return "history" if one.method == "GET" else "streams"
    if one.path.startswith("/players/") and one.method != "GET":
        return "access"
    return _GROUPS.get(word, word)


def _types(routes: Iterable[Route]) -> Iterable[Any]:
    """Return every type in the document, once."""
    types = {_key_of(Problem): Problem} | {_key_of(kind): kind for kind in _OF_PATHS.values()}
    for one in routes:
        kinds = [one.body, *one.answers.values(), *(field.type for field in structs.fields(one.query))]
        types |= {_key_of(kind): kind for kind in kinds if kind is not None}
    return types.values()
