"""docs/reference/http.md is complete, its first steps run as written, and files of docs/serve/ start the program."""

import json
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from configparser import RawConfigParser
from pathlib import Path
from typing import Any

import pytest

import ledger
from ledger.cli import main
from ledger.service.hub import ALL_STREAMS, BROWSER_STREAMS, TOKEN_STREAMS
from ledger.service.writer import QUEUE
from ledger.web.api.entries import ENTRIES
from ledger.web.api.imports import FILE_BYTES
from ledger.web.app import IN_FLIGHT
from ledger.web.http.problems import STATUSES, Problem
from ledger.web.http.routing import BODY_BYTES, PAGES, PREFIX, ROUTES, Routes
from ledger.web.server.protocol import Limits
from tests.cli.commands import environment
from tests.patience import PATIENCE_S
from tests.test_several_hosts import parsed
from tests.web.club import REPLAYS
from tests.web.served import running, token_for
from tests.web.serving import encoded, ledger_of
from tools.http import PAGE

TEXT = PAGE.read_text(encoding="utf-8")
DOCS = PAGE.parents[1]
STEPS = (DOCS / "how-to" / "http-first-steps.md").read_text(encoding="utf-8")
LIMITS = TEXT[TEXT.index("| limit | at most |") :]


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", STEPS, re.DOTALL)


def values(text: str) -> Iterator[Any]:
    while text := text.strip():
        value, end = json.JSONDecoder().raw_decode(text)
        yield value
        text = text[end:]


@pytest.mark.parametrize("section", ["General", "Routes", "Problem codes", "Hidden hands", "Live", "Access"])
def test_the_contract_is_whole(section: str) -> None:
    assert re.search(rf"^## \d\. {section}", TEXT, re.MULTILINE)


def test_every_route_is_named_by_the_contract_or_in_the_table() -> None:
    for route in ROUTES:
        assert f"| {route.method} `{route.path}` | {route.who}" in TEXT


def test_every_problem_is_named_with_its_members() -> None:
    table = TEXT[TEXT.index("<!-- problems -->") : TEXT.index("<!-- end of problems -->")]
    for code, status in STATUSES.items():
        (row,) = (line for line in table.splitlines() if line.startswith(f"| `{code}` | {status}"))
        named = set(re.findall(r"`(\w+)`", row.split("|")[5]))
        assert named <= set(Problem.__struct_fields__)


@pytest.mark.parametrize(
    "limit",
    [BODY_BYTES, FILE_BYTES, ENTRIES, Limits().header_bytes, Limits().headers_s, Limits().body_s, IN_FLIGHT, QUEUE,
     ALL_STREAMS, TOKEN_STREAMS, BROWSER_STREAMS],
)  # fmt: skip
def test_every_limit_is_named(limit: float) -> None:
    assert re.search(rf"(?<![\d,]){int(limit):,}(?![\d,])", LIMITS)


def test_the_first_steps_run_as_printed(tmp_path: Path, ci_requires: Callable[[str], str]) -> None:
    ci_requires("curl")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    steps = "set -e\n" + "\n".join(f"{block}\necho" for block in blocks("sh")).replace("8750", port) + "\nkill $!\n"
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    done = subprocess.run(
        ["sh"],
        input=steps,
        cwd=tmp_path,
        env={**environment(), "PATH": path},
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE_S,
    )
    answers = list(values(done.stdout[done.stdout.index("{") :]))
    (score,) = (one for one in answers if "totals" in one)
    assert score["totals"] == [5, 0, -5]
    assert [one["event"]["type"] for one in answers if "position" in one] == [
        "table_opened", "deal_started", "result_recorded",
    ]  # fmt: skip
    assert not [one for one in answers if "status" in one and one.get("code")]


def test_the_program_runs_as_printed(tmp_path: Path) -> None:
    (program,) = blocks("python")
    path = ledger_of(tmp_path)
    with running(path, "--no-loopback") as service:
        token = token_for(path, "director")
        command = [sys.executable, "-c", program, f"{service.address}/api/v1", token, "fri-2"]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE_S)
    assert done.stdout == "[5, 0, -5]\n"


CLIENT = Path(__file__).with_name("client.mjs")


def test_a_deal_is_recorded_once_despite_lost_connections(tmp_path: Path, ci_requires: Callable[[str], str]) -> None:
    node = ci_requires("node")
    with ledger.open(ledger_of(tmp_path, REPLAYS / "ombre" / "revoke.toml", name="other.ledger")) as store:
        events = [encoded(row.event()) for row in store.read_stream("table/ombre-revoke")]
        score = encoded(ledger.score(store, "ombre-revoke"))
    path = ledger_of(tmp_path)
    for event in events:
        event.pop("session", None)
    with running(path, "--no-loopback") as service:
        command = [node, str(CLIENT), service.address, token_for(path, "director"), "ombre-revoke"]
        done = subprocess.run(
            command, input=json.dumps(events), capture_output=True, text=True, check=False, timeout=PATIENCE_S
        )
        assert done.returncode == 0, done.stderr
        summary = json.loads(done.stdout)
        assert service.faults() == []
    assert sorted(summary["lost"]) == ["before the answer", "half of the body", "in the middle of the stream"]
    assert set(summary["statuses"]) <= {200, 201}
    with ledger.open(path, access="read") as store:
        rows = store.read_stream("table/ombre-revoke")
        assert [encoded(row.event()) for row in rows] == events
        assert encoded(ledger.score(store, "ombre-revoke")) == score
    assert summary["acknowledged"] == [{"position": it.position, "version": it.version, "id": it.id} for it in rows[1:]]
    assert [(one["position"], one["id"]) for one in summary["heard"]] == [(row.position, row.id) for row in rows]


ADDRESS = re.compile(r"https?://(?:127\.0\.0\.1|localhost|192\.168\.\d+\.\d+)(?::(\d+))?(/[^\s)>'\"`;#?$]*)?")
METRICS = 9750
"""The port in the example of docs/how-to/serving.md; the program has no default."""


@pytest.mark.parametrize("page", sorted([*DOCS.rglob("*.md"), *DOCS.glob("serve/*")]), ids=lambda at: at.name)
def test_the_addresses_in_the_docs_are_those_of_the_program(page: Path) -> None:
    usual = next(option.default for option in main.commands["serve"].params if option.name == "port")
    api, pages = Routes(ROUTES), Routes(PAGES)
    for port, path in ADDRESS.findall(page.read_text(encoding="utf-8")):
        if port == str(METRICS):
            assert path == "/metrics"
            continue
        assert port == str(usual), f"{page.name}: port {port}"
        of_api = path.startswith(PREFIX + "/")
        segments = path.removeprefix(PREFIX).split("/")[1:] if of_api else path.split("/")[1:]
        is_known = (api if of_api else pages).find(segments) is not None
        assert is_known or path in ("", "/", PREFIX), f"{page.name}: {path}"


FOLDER = DOCS / "serve"


def unit() -> dict[str, str]:
    """Return the service section of the unit; the last value of repeated keys."""
    parser = RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(FOLDER / "trickledger.service", encoding="utf-8")
    return dict(parser["Service"])


def containerfile() -> dict[str, str]:
    """Return the last line of each kind, with continuation lines joined."""
    text = (FOLDER / "Containerfile").read_text(encoding="utf-8").replace("\\\n", "")
    return dict(line.split(maxsplit=1) for line in text.splitlines() if line and not line.startswith("#"))


def options_of(words: list[str]) -> dict[str, Any]:
    """Return the options of `serve` in these words."""
    program, *rest = words
    name, options = parsed(rest)
    assert (Path(program).name, name) == ("trickledger", "serve")
    return options


def test_the_unit_serves_behind_a_proxy_as_a_user_of_its_own() -> None:
    options = options_of(shlex.split(unit()["ExecStart"]))
    assert (options["proxy"], options["host"]) == (True, "127.0.0.1")
    assert (unit()["User"], unit()["ProtectSystem"], unit()["CapabilityBoundingSet"]) == ("trickledger", "strict", "")
    assert int(unit()["TimeoutStopSec"]) > 2 * Limits().grace_s


def test_the_container_runs_as_nobody_and_trusts_nobody() -> None:
    options = options_of([*json.loads(containerfile()["ENTRYPOINT"]), *json.loads(containerfile()["CMD"])])
    assert (options["host"], options["no_loopback"]) == ("0.0.0.0", True)
    assert containerfile()["USER"] == "65534:65534"
    assert int(containerfile()["EXPOSE"]) == options["port"]
