"""The OpenAPI document: valid, with examples that work; schemathesis generates requests from it and nothing fails."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator, Registry
from openapi_schema_validator import OAS31Validator
from openapi_schema_validator._specifications import REGISTRY
from openapi_spec_validator import validate
from openapi_spec_validator.validation.keywords import OpenAPIV31SchemaValidator

import ledger
from ledger.access.grants import Role
from ledger.access.stores import open_access
from ledger.service.running import Settings
from ledger.web.http.openapi import Example, openapi, path_names, story
from ledger.web.http.routing import PREFIX, ROUTES, Route
from tests.web.conforming import assert_conforms, validator
from tests.web.served import Running, run_story, running, token_for
from tests.web.serving import NOBODY, Served, ledger_of, serving

BY_NAME = {route.name: route for route in ROUTES}


def operations() -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in openapi()["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("story")
    secret = folder / "club.key"
    ledger.make_keys("club", secret, folder / "club.pub")
    path = ledger_of(folder)
    with serving(path, Settings(secret_key=secret), open_access(path)) as one:
        yield one


def test_the_document_is_what_openapi_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check each schema against that of OpenAPI's schemas in a tenth of the time that `validate` takes for it."""
    registry = Registry([(uri, REGISTRY.contents(uri)) for uri in REGISTRY])
    check = Draft202012Validator(OAS31Validator.META_SCHEMA, registry=registry).validate
    monkeypatch.setattr(OpenAPIV31SchemaValidator, "_get_schema_checker", lambda *_: check)
    validate(openapi())


def test_every_route_is_described_with_the_role_it_needs() -> None:
    described = {(one["operationId"], one["description"].partition("\n")[0]) for _, one in operations()}
    assert sorted(name for name, _ in described) == sorted(one.name for one in ROUTES)
    for name, who in described:
        assert BY_NAME[name].who in ("none", "any") or f"`{BY_NAME[name].who}`" in who


@pytest.mark.parametrize("route", [one for one in ROUTES if one.body is not None], ids=lambda one: one.name)
def test_a_body_with_a_field_too_many_is_none(route: Route) -> None:
    pointer = f"/paths/{(PREFIX + route.path).replace('/', '~1').replace('{', '%7B').replace('}', '%7D')}"
    schema = validator(f"{pointer}/{route.method.lower()}/requestBody/content/application~1json/schema")
    bodies = [one.value for one in story() if one.route == route.name]
    assert bodies, f"no example of {route.name}"
    for body in bodies:
        assert schema.is_valid(body), list(schema.iter_errors(body))
        assert not schema.is_valid({**body, "unheard_of": 1})


def test_kinds_of_events_are_discriminated_by_their_type() -> None:
    (entry,) = (one for name, one in openapi()["components"]["schemas"].items() if name == "EntrySent")
    event = entry["properties"]["event"]
    assert event["discriminator"]["propertyName"] == "type"
    assert event["discriminator"]["mapping"]["card_played"] == "#/components/schemas/CardPlayed"
    assert len(event["anyOf"]) == len(event["discriminator"]["mapping"])


def test_parameters_are_of_the_types_that_they_are() -> None:
    schemas = {
        (where.removeprefix(f"GET {PREFIX}"), one["name"]): one["schema"]
        for where, operation in operations()
        for one in operation["parameters"]
    }
    assert schemas["/tables", "open"] == {"type": "boolean"}
    assert schemas["/tables", "limit"] == {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}
    assert schemas["/tables/{table}/score", "reading"] == {"enum": ["corrected", "recorded"], "default": "corrected"}
    assert schemas["/statistics/{name}", "since"] == {"type": "string", "format": "date"}
    assert schemas["/tables/{table}/score", "table"]["pattern"].startswith("^[a-z0-9-]{1,64}")


def test_every_route_that_is_read_or_takes_a_body_has_an_example() -> None:
    with_example = {one.route for one in story()}
    assert with_example == {route.name for route in ROUTES}


def test_an_example_names_its_parameters() -> None:
    for one in story():
        route = BY_NAME[one.route]
        assert set(one.path) == set(path_names(route.path)), one
        assert set(one.query) <= {"lang", *(field.encode_name for field in fields_of(route))}, one


def test_the_examples_run_in_their_order(served: Served) -> None:
    for one in story():
        if BY_NAME[one.route].is_stream:
            continue  # it does not end: tests/web/test_live.py follows streams
        answer = served.ask(BY_NAME[one.route].method, path_of(one), who=NOBODY, **sent(one))
        assert answer.status_code == one.status, f"{one.route}, {one.name}: {answer.text[:500]}"
        assert_conforms(answer)


def fields_of(route: Route) -> Any:
    from msgspec import structs

    return structs.fields(route.query)


def path_of(example: Example) -> str:
    return BY_NAME[example.route].path.format(**example.path)


def sent(example: Example) -> dict[str, Any]:
    request: dict[str, Any] = {"params": dict(example.query)} if example.query else {}
    if example.body is not None:
        request["content"] = example.body.encode()
        request["headers"] = {"content-type": example.content_type}
    return request


ROOT = Path(__file__).parents[2]
CONFIG = str(Path(__file__).with_name("schemathesis.toml"))

CHECKS = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "negative_data_rejection", "unsupported_method", "allow_header_conformance",
)  # fmt: skip
"""Without the check that valid data is accepted: valid ids and table names may not exist."""

ROLES: tuple[Role | None, ...] = (None, "viewer", "recorder", "director", "admin")
"""The roles in `make soak`; otherwise only the one that may do everything."""

LEFT_OUT = ("live", "revoke_token")
"""A stream does not end by itself (test_live.py follows it), and who may revoke soon revokes its own token."""


@pytest.fixture(scope="module")
def schemathesis(ci_requires: Callable[[str], str]) -> str:
    """The program that is installed with Python."""
    return ci_requires(str(Path(sys.executable).with_name("schemathesis")))


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Running]:
    """A service with the tables of the examples, where every client needs a token."""
    path, secret = ledger_of(tmp_path), tmp_path / "club.key"
    ledger.make_keys("club", secret, tmp_path / "club.pub")
    with running(path, "--sign", secret, "--no-loopback") as one:
        run_story(one, token_of(one, "admin"))
        yield one


def run_phases(program: str, service: Running, role: Role | None, phases: str, examples: int) -> str:
    """Run it and return its final output. `examples`: the most generated requests for each operation."""
    token = None if role is None else token_of(service, role)
    who = () if token is None else ("--header", f"Authorization: Bearer {token}")
    left_out = [word for name in LEFT_OUT for word in ("--exclude-operation-id", name)]
    command = [
        program, "--config-file", CONFIG, "run", f"{service.address}/api/v1/openapi.json",
        "--checks", ",".join(CHECKS), *who, *left_out,
        "--max-examples", str(examples), "--phases", phases, "--continue-on-failure",
        "--suppress-health-check", "all", "--warnings", "off", "--seed", "1", "--generation-database", "none",
    ]  # fmt: skip
    hooks = {"SCHEMATHESIS_HOOKS": "tests.web.schemathesis_hooks", "PYTHONPATH": str(ROOT)}
    environment = {**os.environ, **hooks, "NO_COLOR": "1", "COLUMNS": "200"}
    done = subprocess.run(
        command, cwd=service.ledger.parent, env=environment, capture_output=True, text=True, check=False
    )
    output = done.stdout + done.stderr
    assert re.search(r"(\d+) generated|Test cases", output), output
    assert done.returncode == 0, output[-20_000:]
    return output


def token_of(service: Running, role: Role) -> str:
    path = service.ledger.parent / f"{role}.token"
    if not path.exists():
        path.write_text(token_for(service.ledger, role), encoding="utf-8")
    return path.read_text(encoding="utf-8")


def test_nothing_fails_and_every_answer_is_declared(schemathesis: str, service: Running) -> None:
    """The examples of the document are sent by a test above."""
    run_phases(schemathesis, service, "admin", "fuzzing", examples=1)
    assert service.faults() == []


@pytest.mark.soak
@pytest.mark.parametrize("role", ROLES)
def test_nothing_fails_however_much_is_requested(schemathesis: str, service: Running, role: Role | None) -> None:
    print(run_phases(schemathesis, service, role, "examples,coverage,fuzzing", examples=8)[-2_000:])
    assert service.faults() == []
