"""schemathesis generates requests from OpenAPI: nothing fails, and every answer is described."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import ledger
from ledger.access.grants import Role
from tests.web.outside import Running, run_story, running, token_for
from tests.web.serving import ledger_of

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
"""A stream does not end by itself (tests/web/test_live.py follows it), and a client that may revoke soon revokes its
own token.
"""


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
    run_phases(schemathesis, service, "admin", "examples,fuzzing", examples=1)
    assert service.faults() == []


@pytest.mark.soak
@pytest.mark.parametrize("role", ROLES)
def test_nothing_fails_however_much_is_requested(schemathesis: str, service: Running, role: Role | None) -> None:
    print(run_phases(schemathesis, service, role, "examples,coverage,fuzzing", examples=8)[-2_000:])
    assert service.faults() == []
