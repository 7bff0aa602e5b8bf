"""OpenAPI 3.1 of all routes, made of their declarations and of the types that are used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from inspect import cleandoc
from typing import Annotated, Any, Final

import msgspec
from msgspec import NODEFAULT, Meta, structs

from ledger import __version__
from ledger.events import DealNumber, Name, RuleId, Slug, Version
from ledger.schemas import CONDITIONS
from ledger.web.asking import Asked
from ledger.web.examples import EXAMPLES
from ledger.web.problems import PROBLEM, STATUSES, Problem
from ledger.web.routes import JSON, PREFIX, ROUTES, Answer, Route, route

_REF: Final = "#/components/schemas/{name}"

_OF_PATHS: Final[Mapping[str, Any]] = {
    "table": Slug,
    "session": Slug,
    "slug": Slug,
    "kind": Annotated[str, Meta(pattern="^(table|session)$")],
    "deal": DealNumber,
    "step": Annotated[int, Meta(ge=0)],
    "version": Version,
    "name": Name,
    "rule": RuleId,
    "id": Annotated[str, Meta(min_length=1)],
    "code": Annotated[str, Meta(pattern="^[a-z_]+$")],
}
"""What the parameters of paths are, by name."""

_ALWAYS: Final = ("misdirected", "internal", "request_timeout", "too_many_requests", "headers_too_large")
_WITH_ROLE: Final = ("unauthenticated", "gone", "forbidden", "csrf")
_OF_READS: Final = ("unknown_parameter", "malformed", "closing", "damaged", "rolled_back", "not_acceptable")
_OF_WRITES: Final = (
    "unknown_parameter", "malformed", "not_json", "too_large", "unsupported_media_type", "busy", "locked", "closing",
    "read_only", "no_space", "rolled_back", "damaged", "not_acceptable",
)  # fmt: skip

_LANGUAGE: Final[Mapping[str, Any]] = {
    "name": "lang",
    "in": "query",
    "description": "In which language sentences are told; without it by Accept-Language.",
    "schema": {"enum": ["en", "ja"]},
}


def problems_of(one: Route) -> tuple[str, ...]:
    """The codes of all problems that a route can answer with."""
    of_role = () if one.who == "none" else _WITH_ROLE
    of_method = _OF_READS if one.method == "GET" else _OF_WRITES
    return tuple(sorted({*_ALWAYS, *of_role, *of_method, *one.problems}))


@cache
def openapi() -> dict[str, Any]:
    """The document, as JSON values."""
    routes = sorted(ROUTES, key=lambda one: (one.path, one.method))
    types = list(_types(routes))
    schemas, components = msgspec.json.schema_components(types, ref_template=_REF)
    by_type = {_key(kind): schema for kind, schema in zip(types, schemas, strict=True)}
    for name, component in components.items():
        component.update(CONDITIONS.get(name, {}))
        if "description" in component:
            component["description"] = cleandoc(component["description"])
    paths: dict[str, dict[str, Any]] = {}
    for one in routes:
        paths.setdefault(PREFIX + one.path, {})[one.method.lower()] = _operation(one, by_type)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Trick Ledger",
            "version": __version__,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
            "description": "The record of a card club: what is told here is explained in docs/http.md.",
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(components.items())),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "A token, trk_…"},
                "signedIn": {"type": "apiKey", "in": "cookie", "name": "trickledger"},
            },
        },
    }


@route("GET", "/openapi.json", "none", answers={200: dict[str, Any]}, rests_on="program")
async def openapi_document(asked: Asked) -> Answer:
    """This description of all routes, as OpenAPI 3.1."""
    return Answer(body=openapi())


def _types(routes: Iterable[Route]) -> Iterable[Any]:
    """Every type that has a place in the document, once."""
    found = {_key(Problem): Problem} | {_key(kind): kind for kind in _OF_PATHS.values()}
    for one in routes:
        kinds = [one.body, *one.answers.values(), *(field.type for field in structs.fields(one.query))]
        found |= {_key(kind): kind for kind in kinds if kind is not None}
    return found.values()


def _key(kind: Any) -> str:
    return repr(kind)


def _operation(one: Route, schemas: Mapping[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": one.name,
        "summary": one.summary,
        "tags": [_tag(one)],
        "description": _role(one),
        "parameters": [*_path_parameters(one, schemas), *_query_parameters(one, schemas), _LANGUAGE],
        "responses": _responses(one, schemas),
        "security": [{}] if one.who == "none" else [{"token": []}, {"signedIn": []}, {}],
    }
    if one.takes:
        schema = {"type": "string"} if one.body is None else schemas[_key(one.body)]
        content: dict[str, Any] = {media: {"schema": schema} for media in one.takes}
        if (examples := EXAMPLES.get(one.name)) and one.body is not None:
            content[JSON]["examples"] = {name: {"value": example.body} for name, example in examples.items()}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _tag(one: Route) -> str:
    return one.path.strip("/").partition("/")[0].partition(".")[0] or "root"


def _role(one: Route) -> str:
    match one.who:
        case "none":
            return "Needs no token."
        case "any":
            return "For whoever is signed in."
        case role:
            return f"Needs the role `{role}`."


def _path_parameters(one: Route, schemas: Mapping[str, Any]) -> list[dict[str, Any]]:
    names = [part[1:].partition("}")[0] for part in one.path.split("/") if part.startswith("{")]
    return [{"name": name, "in": "path", "required": True, "schema": schemas[_key(_OF_PATHS[name])]} for name in names]


def _query_parameters(one: Route, schemas: Mapping[str, Any]) -> list[dict[str, Any]]:
    parameters = []
    for field in structs.fields(one.query):
        schema = dict(schemas[_key(field.type)])
        if field.default not in (NODEFAULT, None):
            schema["default"] = field.default
        parameters.append(
            {
                "name": field.encode_name,
                "in": "query",
                "required": field.default is NODEFAULT and field.default_factory is NODEFAULT,
                "schema": schema,
            }
        )
    return parameters


def _responses(one: Route, schemas: Mapping[str, Any]) -> dict[str, Any]:
    responses: dict[str, Any] = {}
    for status, kind in one.answers.items():
        schema = None if kind is None else schemas[_key(kind)]
        responses[str(status)] = _response(one.summary, one.media, schema)
    if one.rests_on != "nothing":
        responses["304"] = {"description": "The client has this answer already."}
    codes: dict[int, list[str]] = {}
    for code in problems_of(one):
        codes.setdefault(STATUSES[code], []).append(code)
    if "wrong_version" in one.problems:
        codes.setdefault(412, []).append("wrong_version")
    for status, those in codes.items():
        responses[str(status)] = _problem(status, those, schemas)
    return dict(sorted(responses.items()))


def _response(summary: str, media: Sequence[str], schema: Any) -> dict[str, Any]:
    if schema is None:
        return {"description": summary}
    told = {one: {"schema": schema if one == JSON else {"type": "string"}} for one in media}
    return {"description": summary, "content": told}


def _problem(status: int, codes: Sequence[str], schemas: Mapping[str, Any]) -> dict[str, Any]:
    narrowed = {"properties": {"code": {"enum": sorted(codes)}, "status": {"const": status}}}
    schema = {"allOf": [schemas[_key(Problem)], narrowed]}
    return {"description": ", ".join(sorted(codes)), "content": {PROBLEM: {"schema": schema}}}
