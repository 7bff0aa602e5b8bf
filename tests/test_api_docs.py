"""docs/reference/api.md: its examples run, and its tables match commands with functions."""

import doctest
import inspect
import re
from collections.abc import Iterator, Mapping
from contextlib import chdir
from pathlib import Path

import click
import msgspec

import ledger
from ledger.cli import main

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "reference" / "api.md"
TEXT = PAGE.read_text(encoding="utf-8")

FOR_PEOPLE = {"demo", "help", "record", "serve"}
"""Interactive commands; the functions of other commands do their work."""
PRINTING = {"--help", "--format", "--lang", "--output", "--tz"}
FOR_ALL = "–"


def rows(name: str) -> list[list[str]]:
    """Return the cells of the table after the comment of this name."""
    table = TEXT.split(f"<!-- {name} -->\n")[1].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


FUNCTIONS = {name: [name.replace("-", "_")] for name in main.commands if name not in FOR_PEOPLE} | {
    quoted(command)[0]: quoted(functions) for command, functions in rows("commands")
}
OPTIONS = {
    (command, option) for cells, cell, _ in rows("options") for command in quoted(cells) for option in quoted(cell)
}
PARAMETERS = {
    (function, parameter)
    for cells, cell, _ in rows("parameters")
    for function in quoted(cells) or [cells]
    for parameter in quoted(cell)
}


def public_functions() -> set[str]:
    return {name for name in ledger.__all__ if not isinstance(getattr(ledger, name), type)}


def parameters(function: str) -> set[str]:
    return set(inspect.signature(getattr(ledger, function)).parameters)


def said_by(command: str) -> set[str]:
    """Return the parameters of a command's functions, including the fields of structs."""
    accepted = [
        one
        for function in FUNCTIONS[command]
        for one in inspect.signature(getattr(ledger, function)).parameters.values()
    ]
    fields = {
        name for one in accepted if isinstance(one.default, msgspec.Struct) for name in one.default.__struct_fields__
    }
    recording = ledger.Recording.__struct_fields__ if any(one.name == "recording" for one in accepted) else ()
    return {one.name for one in accepted} | fields | {*recording}


def spellings(given: click.Parameter) -> Mapping[str, str]:
    """Map each spelling of an option or argument to the name of its parameter."""
    if isinstance(given, click.Argument):
        return {str(given.name).upper(): str(given.name)}
    return {name: name.removeprefix("--").replace("-", "_") for name in given.opts if name.startswith("--")}


def unanswered_options(commands: Mapping[str, click.Command]) -> Iterator[tuple[str, str]]:
    """Yield the options of commands that their functions lack."""
    for command in commands.keys() & FUNCTIONS.keys():
        written = [spellings(given) for given in commands[command].params]
        printing = PRINTING | ({"--overwrite"} if any("--output" in names for names in written) else set())
        for names in written:
            if not printing & names.keys() and not said_by(command) & set(names.values()):
                yield command, next(iter(names))


def unasked_parameters(commands: Mapping[str, click.Command]) -> Iterator[tuple[str, str]]:
    """Yield the parameters of functions that their commands lack."""
    for function in {function for functions in FUNCTIONS.values() for function in functions}:
        of_commands = {
            name
            for command, functions in FUNCTIONS.items()
            if function in functions
            for given in commands[command].params
            for name in spellings(given).values()
        }
        yield from ((function, parameter) for parameter in parameters(function) - of_commands)


WITHOUT_A_COMMAND = {"open", "schema", "table_picture", "picture_png"}
"""`--ledger` opens, the schemas are files beside the documentation, and only pages show the picture of the table."""


def test_every_command_that_answers_or_records_is_a_function() -> None:
    assert FUNCTIONS.keys() == main.commands.keys() - FOR_PEOPLE


def test_every_function_is_a_command() -> None:
    assert {name for names in FUNCTIONS.values() for name in names} == public_functions() - WITHOUT_A_COMMAND


def test_every_option_is_a_parameter_of_its_name_or_has_a_reason() -> None:
    assert set(unanswered_options(main.commands)) == OPTIONS


def test_every_parameter_is_an_option_of_its_name_or_has_a_reason() -> None:
    for_all = {parameter for function, parameter in PARAMETERS if function == FOR_ALL}
    unasked = {(function, name) for function, name in unasked_parameters(main.commands) if name not in for_all}
    assert unasked == {named for named in PARAMETERS if named[0] != FOR_ALL}


def test_every_reason_is_given() -> None:
    assert all(row[-1] for name in ("commands", "options", "parameters") for row in rows(name))


def test_a_new_command_or_option_is_missed() -> None:
    """Test the comparison itself: additions on one side only are reported."""
    dice = click.Command("tables", params=[click.Option(["--by-dice"])])
    assert set(unanswered_options({"tables": dice})) == {("tables", "--by-dice")}
    assert ("score", "as_of") in unasked_parameters({**main.commands, "score": click.Command("score")})


def test_no_room_has_the_name_of_a_verb() -> None:
    """Check that no room hides a function: `import ledger` finds a room first."""
    rooms = {path.stem for path in (ROOT / "ledger").iterdir()}
    assert rooms & set(ledger.__all__) == set()


def test_every_example_prints_what_it_shows(tmp_path: Path) -> None:
    (tmp_path / "replays").symlink_to(ROOT / "replays")
    examples = "".join(re.findall(r"```pycon\n(.*?)```", TEXT, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "docs/reference/api.md", str(PAGE), 0)
    failed: list[str] = []
    with chdir(tmp_path):
        doctest.DocTestRunner(verbose=False).run(test, out=failed.append)
    assert not failed, "".join(failed)
