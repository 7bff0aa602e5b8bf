"""The files of examples/several-hosts/ and the commands of docs/scaling.md fit the program and each other."""

import re
import shlex
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from ledger.cli import main
from ledger.log.postgres_roles import grants

ROOT: Final = Path(__file__).parent.parent
FOLDER: Final = ROOT / "examples" / "several-hosts"
COMPOSE: Final = yaml.safe_load((FOLDER / "compose.yaml").read_text("utf-8"))
SERVICES: Final[dict[str, dict[str, Any]]] = COMPOSE["services"]
PROXY: Final = (FOLDER / "proxy.conf").read_text("utf-8")
STEPS: Final = (FOLDER / "README.md").read_text("utf-8")
OURS: Final = {name: service for name, service in SERVICES.items() if service["image"] == "trickledger"}


def parsed(words: list[str]) -> tuple[str | None, dict[str, Any]]:
    """Return the command in the words after `trickledger`, and its options. Raise where there is none."""
    with main.make_context("trickledger", words) as context:
        name, command, rest = main.resolve_command(context, [*context._protected_args, *context.args])
        assert command is not None
        while rest and (deeper := getattr(command, "commands", {}).get(rest[0])):
            command, rest = deeper, rest[1:]
        return name, command.make_context(name, rest).params


def written() -> list[list[str]]:
    """Return the commands of the page and of the steps, without `trickledger`."""
    page = (ROOT / "docs" / "scaling.md").read_text("utf-8")
    lines = re.findall(r"^(?:docker compose exec \w+ )?trickledger (.*?)(?: &)?$", f"{page}\n{STEPS}", re.MULTILINE)
    return [shlex.split(line) for line in lines]


@pytest.mark.parametrize("words", [*written(), *(service["command"] for service in OURS.values())], ids=" ".join)
def test_every_command_exists(words: list[str]) -> None:
    name, _ = parsed(words)
    assert name in main.commands


def test_the_proxy_reaches_each_service_and_nothing_else() -> None:
    served = [options for name, options in (parsed(one["command"]) for one in OURS.values()) if name == "serve"]
    behind = re.findall(r"^ +server (\S+) ", PROXY, re.MULTILINE)
    assert [f"{one['host']}:{one['port']}" for one in served] == behind
    assert all(one["proxy"] and [*one["allow_host"]] == re.findall(r"server_name (\S+);", PROXY) for one in served)
    assert SERVICES["proxy"]["ports"] == [f"{port}:{port}" for port in re.findall(r"listen (\d+) ", PROXY)]
    assert len(served) == sum(one.get("network_mode") == "service:proxy" for one in OURS.values()) == 2
    assert "proxy_buffering off;" in PROXY


def test_every_file_and_volume_is_there_and_each_service_has_its_own_home() -> None:
    mounts = [mount.split(":")[:2] for one in SERVICES.values() for mount in one.get("volumes", ())]
    files = {name for name, _ in mounts if name.startswith(".")} - {"./tls"}  # made by the operator
    assert all((FOLDER / name).is_file() for name in files)
    assert {name for name, _ in mounts if not name.startswith(".")} == COMPOSE["volumes"].keys()
    homes = [name for name, place in mounts if place == OURS["one"]["environment"]["TRICKLEDGER_HOME"]]
    assert len(homes) == len(set(homes)) == 2


def test_the_steps_name_services_of_the_file() -> None:
    assert set(re.findall(r"(?:exec|--rm|--wait) (\w+)", STEPS)) == {"database", "owner", "one"} <= SERVICES.keys()


def test_the_roles_are_those_of_the_program() -> None:
    lines = (FOLDER / "roles.sql").read_text("utf-8").splitlines()
    granted = [line.removesuffix(";") for line in lines if line and not line.startswith("--")]
    assert granted == [line for role in ("service", "recorder", "viewer") for line in grants(role, role)]
