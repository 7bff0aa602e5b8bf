"""OpenAPI 3.1 of all routes, made of their declarations and of the types that are used."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from inspect import cleandoc
from typing import Any, Final

import msgspec
from msgspec import structs

from ledger import __version__
from ledger.schemas import CONDITIONS
from ledger.streams import with_prefixes
from ledger.web.http.openapi import OF_PATHS, TOLD, headers, key_of, operation
from ledger.web.http.problems import Problem
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import PREFIX, ROUTES, Route, route

_REF: Final = "#/components/schemas/{name}"

_GROUPS: Final = {
    "me": "root", "health": "root", "ready": "root", "openapi": "root", "batches": "streams", "players": "history",
    "statistics": "history", "plots": "history", "query": "history", "queries": "history", "import": "files",
    "export": "files", "proof": "files", "tokens": "access", "sign-in": "access", "sign-out": "access",
}  # fmt: skip
"""By the first word of their paths; sessions are read from the history and opened as streams."""


@cache
def openapi() -> dict[str, Any]:
    """The document, as JSON values."""
    routes = sorted(ROUTES, key=lambda one: (one.path, one.method))
    types = list(_types(routes))
    schemas, components = map(with_prefixes, msgspec.json.schema_components(types, ref_template=_REF))
    by_type = {key_of(kind): schema for kind, schema in zip(types, schemas, strict=True)}
    for name, component in components.items():
        component.update(CONDITIONS.get(name, {}))
        if "description" in component:  # older versions of Python leave the docstring's indentation in
            component["description"] = cleandoc(component["description"])
    paths: dict[str, dict[str, Any]] = {}
    for one in routes:
        paths.setdefault(PREFIX + one.path, {})[one.method.lower()] = operation(one, group_of(one), by_type)
    return _as_read(
        {
            "openapi": "3.1.0",
            "info": {
                "title": TOLD["title"],
                "version": __version__,
                "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
                "description": TOLD["about"],
            },
            "servers": [{"url": "/"}],
            "tags": [{"name": name, "description": told} for name, told in TOLD["tag"].items()],
            "paths": paths,
            "components": {
                "schemas": dict(sorted(components.items())),
                "headers": headers(),
                "securitySchemes": {
                    "token": {"type": "http", "scheme": "bearer", "description": TOLD["security"]["token"]},
                    "signedIn": {
                        "type": "apiKey",
                        "in": "cookie",
                        "name": "trickledger",
                        "description": TOLD["security"]["signedIn"],
                    },
                },
            },
        }
    )


def _as_read(document: dict[str, Any]) -> dict[str, Any]:
    """The document as a client reads it: lists instead of tuples, and nothing that is shared."""
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(document))
    return told


@route("GET", "/openapi.json", "none", answers={200: dict[str, Any]}, rests_on="program")
async def openapi_document(request: Request) -> Response:
    """This description of all routes, as OpenAPI 3.1."""
    return Response(openapi())


def group_of(one: Route) -> str:
    """The tag of a route."""
    word = one.path.strip("/").partition("/")[0].partition(".")[0] or "root"
    if word == "sessions":
        return "history" if one.method == "GET" else "streams"
    if one.path.startswith("/players/") and one.method != "GET":
        return "access"
    return _GROUPS.get(word, word)


def _types(routes: Iterable[Route]) -> Iterable[Any]:
    """Every type that has a place in the document, once."""
    found = {key_of(Problem): Problem} | {key_of(kind): kind for kind in OF_PATHS.values()}
    for one in routes:
        kinds = [one.body, *one.answers.values(), *(field.type for field in structs.fields(one.query))]
        found |= {key_of(kind): kind for kind in kinds if kind is not None}
    return found.values()
