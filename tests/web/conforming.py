"""Answers checked against the OpenAPI description of their routes: status, content type, schema, headers."""

import json
from functools import cache
from typing import Any, Final

import httpx
from jsonschema_rs import Draft202012Validator, Registry

from ledger.web import handlers  # noqa: F401 - each module declares its routes
from ledger.web.http.openapi import openapi
from ledger.web.http.routing import PREFIX, ROUTES, Routes
from tests.schemas.checks import fault_text

DOCUMENT: Final = "urn:openapi"
NDJSON: Final = "application/x-ndjson"


def assert_conforms(answer: httpx.Response) -> None:
    """Fail for an answer that contradicts the OpenAPI description; answers without a route are ignored."""
    request = answer.request
    operation = _operation(request.method, request.url.path)
    if operation is None:
        return
    pointer, operation_object = operation
    status = str(answer.status_code)
    where = f"{request.method} {request.url.path} {status}"
    assert status in operation_object["responses"], f"{where} is not documented: {answer.text[:300]}"
    response = operation_object["responses"][status]
    for name in response.get("headers", {}):
        if name not in ("Location", "Retry-After") or status in ("201", "429"):
            assert name in answer.headers, f"{where}: no {name}"
    if request.method == "HEAD":
        return
    contents = response.get("content")
    if contents is None:
        assert answer.content == b"", f"{where} has a body"
        return
    media = answer.headers["content-type"]
    assert media in contents, f"{where}: {media} is not documented"
    at = f"{pointer}/responses/{status}/content/{_escaped(media)}"
    if media in ("application/json", "application/problem+json"):
        _assert_fits(at + "/schema", answer.json(), where)
    elif media == NDJSON and "x-line" in contents[media]["schema"]:
        for line in answer.text.splitlines():
            _assert_fits(at + "/schema/x-line", json.loads(line), where)


@cache
def _routes() -> Routes:
    return Routes(ROUTES)


def _operation(method: str, path: str) -> tuple[str, dict[str, Any]] | None:
    """Return the operation of a request and its place in the document."""
    match = _routes().find(path.removeprefix(PREFIX)) if path.startswith(f"{PREFIX}/") else None
    route = None if match is None else match.methods.get("GET" if method == "HEAD" else method)
    if route is None:
        return None
    template, name = PREFIX + route.path, route.method.lower()
    return f"/paths/{_escaped(template)}/{name}", openapi()["paths"][template][name]


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D").replace(" ", "%20")


def _assert_fits(pointer: str, value: Any, where: str) -> None:
    faults = [fault_text(fault) for fault in validator(pointer).iter_errors(value)]
    assert not faults, f"{where}: {faults[:3]}"


@cache
def validator(pointer: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"{DOCUMENT}#{pointer}"}, registry=_registry())


@cache
def _registry() -> Registry:
    return Registry([(DOCUMENT, openapi())])
