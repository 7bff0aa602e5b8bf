"""The frame of the command line: choice of ledger and language, help, and the names of commands."""

import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import click
from click.testing import CliRunner

import ledger
from ledger.cli import main
from ledger.cli.commands import SUMMARIES, module_of
from tests.cli.commands import ROOT, CommandLine, environment, process

COMMANDS = [
    *("init", "import", "export", "tables", "replay", "score", "audit", "verify", "checkpoint", "receipt"),
    *("backup", "restore", "players", "query", "stats", "rules", "simulate", "demo", "close", "note", "session"),
]


def test_every_command_is_a_function_of_its_module_called_like_it() -> None:
    for name, command in main.commands.items():
        assert command.callback is not None
        assert command.callback.__module__ == module_of(name)
        assert command.callback.__name__.removesuffix("_") == name.replace("-", "_")


def test_what_one_command_needs_is_not_loaded_by_all() -> None:
    """With a database, plots, progress bars and a prompt, every command would take half as long again to start."""
    heavy = {"duckdb", "ledger.history", "openskill", "prompt_toolkit", "rich.progress"}
    heavy |= {"altair", "vl_convert", "weasyprint"}
    code = f"import sys, ledger.cli; list(ledger.cli.main.commands.values()); print(sorted({heavy} & {{*sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=environment(), timeout=60)
    assert done.stdout.decode() == "[]\n"


def test_the_list_of_all_commands_needs_none_of_them() -> None:
    code = """
import sys
from ledger.cli import main
main(["--help"], standalone_mode=False)
print(sorted(name for name in sys.modules if name.startswith("ledger")), file=sys.stderr)"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=environment(), timeout=60)
    frame = {f"ledger.cli.{name}" for name in ("commands", "errors", "language", "translated")}
    loaded = sorted(
        {"ledger", "ledger.cli", "ledger.errors", "ledger.i18n", "ledger.i18n.languages", "ledger.interrupts"} | frame
    )
    assert done.stderr.decode() == f"{loaded}\n"


def test_every_command_is_listed_with_the_beginning_of_its_help() -> None:
    for name, summary in SUMMARIES.items():
        command, listed = main.commands[name], click.Command(name, help=summary)
        assert (command.name, command.hidden, command.deprecated, command.short_help) == (name, False, False, None)
        for width in range(10, 200):
            assert listed.get_short_help_str(width) == command.get_short_help_str(width), name


def test_every_module_that_holds_a_command_is_listed() -> None:
    folder = Path(ledger.cli.__file__).parent
    holding = {path.stem for path in folder.glob("*.py") if "@command(" in path.read_text(encoding="utf-8")}
    assert {f"ledger.cli.{name}" for name in holding} == set(map(module_of, SUMMARIES))


def test_every_command_that_a_module_holds_is_listed() -> None:
    held = [one for module in set(map(module_of, SUMMARIES)) for one in vars(import_module(module)).values()]
    assert {one.name for one in held if isinstance(one, click.Command) and one is not main} == SUMMARIES.keys()


def test_every_command_explains_itself(bare_cli: CommandLine) -> None:
    for command in COMMANDS:
        assert bare_cli.ok(command, "--help").startswith(f"Usage: trickledger {command}")


def test_every_command_that_answers_takes_the_format() -> None:
    for command in set(COMMANDS) - {"export", "simulate", "demo"}:
        formats = next(option for option in main.commands[command].params if "--format" in option.opts)
        assert isinstance(formats.type, click.Choice)
        assert {"text", "json"} <= set(formats.type.choices)
        assert command in {"query", "stats"} or formats.default == "text"  # these two follow the ending of --output


def test_a_call_without_a_command_shows_the_first_steps_and_is_wrong_use(bare_cli: CommandLine) -> None:
    answered = process(folder=bare_cli.folder)
    assert answered.returncode == 2
    assert b"First steps:" in answered.stderr


def test_the_version_is_that_of_the_package(bare_cli: CommandLine) -> None:
    assert bare_cli.ok("--version").strip() == f"trickledger, version {ledger.__version__}"


def test_the_ledger_may_stand_in_the_environment(club: CommandLine) -> None:
    answered = process("tables", folder=club.elsewhere().folder, TRICKLEDGER_LEDGER=str(club.ledger))
    assert (answered.returncode, answered.stderr) == (0, b"")
    assert b"ombre-revoke" in answered.stdout


def test_the_option_goes_before_the_environment(club: CommandLine) -> None:
    args = ["--ledger", str(club.ledger), "tables"]
    assert CliRunner().invoke(main, args, env={"TRICKLEDGER_LEDGER": "nowhere.ledger"}).exit_code == 0


def test_without_either_it_is_club_ledger_in_the_current_folder(tmp_path: Path) -> None:
    assert process("init", folder=tmp_path).returncode == 0
    assert (tmp_path / "club.ledger").is_file()


def test_the_entry_point_is_this_command() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"trickledger": "ledger.__main__:run"}
