"""No input causes a traceback: random words on the command line, random files, random damage to a sound file."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cli.commands import FIRST_DEAL, OPENED, REVOKE, CommandLine, empty_ledger, lines
from tests.covering import IS_SOAK

pytestmark = [pytest.mark.soak] if IS_SOAK else []
"""A soak run repeats these with more records, steps or examples."""

STATUSES = {0, 1, 2, 3, 4, 5}
SOUND = Path(__file__).with_name("sound.ndjson").read_bytes()

FEWER = settings() if IS_SOAK else settings(max_examples=25)
"""Settings with fewer examples, for tests that import a ledger and query all of it."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CommandLine]:
    """Return a ledger that no command here changes."""
    cli = CommandLine(tmp_path_factory.mktemp("fuzz"))
    cli.ok("init")
    cli.ok("import", "-", stdin=SOUND)
    yield cli


WORDS = st.sampled_from(
    [
        *("tables", "replay", "score", "audit", "verify", "rules", "simulate", "export"),
        *("t", "table/t", "ombre", "OMB-6.8", "OMB-", "-", "--", "0", "1", "2", "-1", "999999999999999999999999"),
        *("--all", "--as-recorded", "--as-of", "--deal", "--step", "--all-steps", "--seat", "--format", "json", "text"),
        *("--bare", "--anonymous", "--table", "--search", "--list", "--help", "--lang", "ja", "2026-01-05"),
        "2026-01-05T18:30:00Z",
        *("--deals", "--tables", "--players", "--seed", "--option", "ante=1", "ante", "=", "players=4"),
    ]
)
ANYTHING = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
COMMANDS = st.sampled_from(["tables", "replay", "score", "audit", "rules", "simulate", "export", "verify"])


def is_small(words: list[str]) -> bool:
    return not any(word.isdecimal() and len(word) > 4 for word in words) or "simulate" not in words


@given(st.lists(WORDS | ANYTHING, max_size=8).filter(is_small))
def test_no_words_make_a_traceback(home: CommandLine, words: list[str]) -> None:
    words = [word for word in words if word not in ("-o", "--output")]
    assert home.run(*words).exit_code in STATUSES


@given(COMMANDS, st.lists(WORDS, max_size=6))
def test_no_options_of_a_command_make_a_traceback(home: CommandLine, command: str, words: list[str]) -> None:
    if is_small([command, *words]):
        assert home.run(command, *words).exit_code in STATUSES


def offered(content: bytes) -> None:
    """Import the content into a ledger of its own and run every query on the result."""
    with tempfile.TemporaryDirectory() as folder:
        cli = CommandLine(Path(folder)).made_by(empty_ledger)
        taken = cli.run("import", "-", stdin=content)
        assert taken.exit_code in {0, 3, 4}
        if taken.exit_code:
            assert cli.json("verify")["entries"] == 0
        else:
            for command in ("score", "audit", "replay"):
                assert cli.run(command, "--all", "--format", "json").exit_code in {0, 1}
                assert cli.run(command, "--all").exit_code in {0, 1}
        assert cli.run("verify").exit_code == 0


@FEWER
@given(st.binary(max_size=200))
def test_no_bytes_make_a_traceback(content: bytes) -> None:
    offered(content)


@FEWER
@given(st.lists(st.tuples(st.integers(0, len(SOUND) - 1), st.integers(0, 255)), max_size=4))
def test_no_damage_to_a_sound_file_makes_a_traceback(changes: list[tuple[int, int]]) -> None:
    content = bytearray(SOUND)
    for place, byte in changes:
        content[place] = byte
    offered(bytes(content))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-10, 60) | st.sampled_from(["SA", "??", "H10", "t", "", "ombre", "void"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["seat", "card", "tricks"]), inner),
    max_leaves=6,
)
EVENTS = [json.loads(line)["event"] for line in SOUND.splitlines()]


@FEWER
@given(st.lists(st.tuples(st.integers(0, len(EVENTS) - 1), st.integers(0, 5), VALUES), min_size=1, max_size=3))
def test_no_value_of_a_field_makes_a_traceback(changes: list[tuple[int, int, object]]) -> None:
    events = [dict(event) for event in EVENTS]
    for number, field, value in changes:
        names = list(events[number])
        events[number][names[field % len(names)]] = value
    offered(lines(*events))


@FEWER
@given(st.lists(st.integers(0, len(EVENTS) - 1), max_size=12))
def test_no_order_of_events_makes_a_traceback(order: list[int]) -> None:
    offered(lines(OPENED, FIRST_DEAL, *(EVENTS[number] for number in order)))


@FEWER
@given(st.lists(st.tuples(st.integers(0, 8191), st.integers(0, 255)), min_size=1, max_size=6))
def test_no_damage_to_a_ledger_makes_a_traceback(home: CommandLine, changes: list[tuple[int, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        damaged = CommandLine(Path(folder))
        shutil.copyfile(home.ledger, damaged.ledger)
        content = bytearray(damaged.ledger.read_bytes())
        for place, byte in changes:
            content[place % len(content)] = byte
        damaged.ledger.write_bytes(content)
        for words in (["verify"], ["tables"], ["score", "t"], ["export"], ["audit", "--all"]):
            assert damaged.run(*words).exit_code in STATUSES


def test_a_hand_record_with_any_line_missing_makes_no_traceback() -> None:
    record_lines = REVOKE.read_bytes().splitlines(keepends=True)
    for left_out in range(0, len(record_lines), 1 if IS_SOAK else 4):
        offered(b"".join(record_lines[:left_out] + record_lines[left_out + 1 :]))
