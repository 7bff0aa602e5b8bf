"""The files of docs/serve/ start an existing command with existing options, as a user with few rights."""

from __future__ import annotations

import json
import shlex
from configparser import RawConfigParser
from pathlib import Path
from typing import Any

from ledger.cli import main

FOLDER = Path(__file__).parents[2] / "docs" / "serve"


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


def started_by_unit() -> list[str]:
    return shlex.split(unit()["ExecStart"])


def started_by_container() -> list[str]:
    instructions = containerfile()
    return [*json.loads(instructions["ENTRYPOINT"]), *json.loads(instructions["CMD"])]


def parsed(words: list[str]) -> dict[str, Any]:
    """Return the options of `serve` in these words."""
    program, *rest = words
    assert Path(program).name == "trickledger"
    with main.make_context("trickledger", rest) as context:
        name, command, left = main.resolve_command(context, [*context._protected_args, *context.args])
        assert (name, command) == ("serve", main.commands["serve"])
        assert command is not None
        return command.make_context(name, left, parent=context).params


def test_the_unit_serves_behind_a_proxy_as_a_user_of_its_own() -> None:
    options = parsed(started_by_unit())
    assert (options["proxy"], options["host"]) == (True, "127.0.0.1")
    assert (unit()["User"], unit()["ProtectSystem"], unit()["CapabilityBoundingSet"]) == ("trickledger", "strict", "")


def test_the_unit_lets_the_end_take_its_time() -> None:
    from ledger.web.server.protocol import Limits

    assert int(unit()["TimeoutStopSec"]) > 2 * Limits().grace_s


def test_the_container_runs_as_nobody_and_trusts_nobody() -> None:
    options = parsed(started_by_container())
    assert (options["host"], options["no_loopback"]) == ("0.0.0.0", True)
    assert containerfile()["USER"] == "65534:65534"
    assert int(containerfile()["EXPOSE"]) == options["port"]
