"""Outside input is read or rejected with one of our own errors; the parsers' inputs are made from the real replays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import msgspec
import pytest
from click.testing import CliRunner

from ledger.cards import PACK_52, UNKNOWN, parse_card_or_unknown, parse_suit
from ledger.cli import main
from ledger.errors import LedgerError, MalformedError
from ledger.events import TableOpened, decode_event, encode_event
from ledger.games import game_named
from ledger.log import Batch, MemoryStore, NewEntry
from ledger.log.chain import GENESIS, canonical, digest_after
from ledger.recording.exporting import export_lines
from ledger.recording.hand.page import Page
from ledger.recording.hand.record import HandRecord, is_hand_record, read_hand_record
from ledger.recording.importing import ImportAs, import_content
from tests.cli.commands import REVOKE, CommandLine, revoke_alone
from tests.covering import IS_SOAK
from tests.hand_records import REPLAYS, fold_of

SIGNS: Final = (
    *("", " ", "\n", "\t", "\x00", "\ufeff", "\ud800", "é", "e\u0301", "ß", "İ", "♠", "♤", "🂡", "\u202e", "\u2028"),
    *('"', "'", '"""', "\\", "\\u0000", "{", "}", "[", "]", "[[deal]]", "=", ":", ",", "#", "/", ">", "+", "-", "--"),
    *("0", "1", "-1", "1.5", "1e999", "nan", "true", "null", "9" * 20, "9" * 5_000, "[" * 2_000, "a" * 300),
    *("SA", "S10", "??", "T♠", "H7", "pass", "solo", "ombre", "kop", "none", "table/t", "session/s"),
    *("♠K", "Baron:", "table:", "A+B:", "dealer", "trump", "bids", "[deal.hands]", "sheet = {}", "result = {}", "。"),
    *("voided = ''", "turned = 'S2'", "called = 'SK'", "seated = {}", "花子 = ", "「", "：", "？？", "ＳＡ", "パス"),
    *("2026-01-05", "2026-13-41", "2026-01-05T18:30:00.000000Z", "0001-01-01T00:00:00+14:00"),
)
"""Texts that are difficult for some parser."""

VALUES: Final = (
    *(None, True, False, 0, 1, -1, 3, 8, 99, 2**63, -(2**63) - 1, 10**30, 0.5, -0.0, 1e300),
    *("", "S", "SA", "??", "S10", "x", "a" * 300, "\x00", "e\u0301", "\ud7ff", "pass", "solo", "ombre", "official"),
    *("2026-01-05", "2026-02-30T25:61:00.000000Z", "OMB-6.8", "table/t"),
    *([], [None], [[]], ["SA"], ["SA", "SA"], [0, 0, 0], {}, {"": None}, {"ombre": 0}, {"type": "noted", "text": "x"}),
)
"""JSON values where something else is expected."""


class Mutator:
    """A source of changed inputs that uses only `chance`: the same seed makes the same inputs."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance

    def text(self, seeds: Sequence[str]) -> str:
        """Draw a text with up to four pieces cut out, doubled, moved, swapped with another's or replaced."""
        text = self.chance.choice(seeds)
        for _ in range(self.chance.randint(1, 4)):
            start = self.chance.randint(0, len(text))
            end = min(len(text), start + self.chance.choice((0, 1, 1, 2, 5, 20, 80)))
            text = text[:start] + self._piece(text[start:end], seeds) + text[end:]
        return text

    def _piece(self, old: str, seeds: Sequence[str]) -> str:
        match self.chance.randrange(5):
            case 0:
                return ""
            case 1:
                return old * 2
            case 2:
                other = self.chance.choice(seeds)
                start = self.chance.randint(0, len(other))
                return other[start : start + self.chance.choice((1, 5, 20, 80))]
            case 3:
                return chr(self.chance.choice((self.chance.randrange(128), self.chance.randrange(0xD800))))
            case _:
                return self.chance.choice(SIGNS)

    def value(self, value: Any) -> Any:
        """Change one part of a JSON value: omit, double or replace it."""
        if isinstance(value, dict) and value and self.chance.random() < 0.9:
            key = self.chance.choice(list(value))
            return self._member(value, key)
        if isinstance(value, list) and value and self.chance.random() < 0.8:
            return self._item(value, self.chance.randrange(len(value)))
        if isinstance(value, int) and self.chance.random() < 0.5:
            return value + self.chance.choice((-1, 1, 2, 100))
        return self.chance.choice(VALUES)

    def _member(self, value: dict[str, Any], key: str) -> dict[str, Any]:
        match self.chance.randrange(8):
            case 0:
                return {name: part for name, part in value.items() if name != key}
            case 1:
                return {**value, self.chance.choice(("extra", "seat", "card", "type", "")): self.chance.choice(VALUES)}
            case _:
                return {**value, key: self.value(value[key])}

    def _item(self, value: list[Any], place: int) -> list[Any]:
        match self.chance.randrange(6):
            case 0:
                return value[:place] + value[place + 1 :]
            case 1:
                return [*value, value[place]]
            case _:
                return [*value[:place], self.value(value[place]), *value[place + 1 :]]


LINES_MAX: Final = 60
"""The number of lines of a table sent at once: most faults occur in the first deal."""


class Parser(NamedTuple):
    """A parser: `make` draws an input, `read` parses it."""

    name: str
    make: Callable[[Mutator], Any]
    read: Callable[[Any], object]


@cache
def record_texts() -> Sequence[str]:
    """Return all records in a soak run, otherwise every fourth."""
    return [path.read_text(encoding="utf-8") for path in sorted(REPLAYS.rglob("*.toml"))[:: 1 if IS_SOAK else 4]]


@cache
def _records() -> Sequence[HandRecord]:
    return [read_hand_record(text, "seed.toml") for text in record_texts()]


@cache
def _bare() -> Sequence[Sequence[Any]]:
    """Return the first lines of each record as JSON values."""
    return [
        [{"stream": stream, "event": msgspec.to_builtins(event)} for stream, event, _ in record.events[:LINES_MAX]]
        for record in _records()
    ]


@cache
def _whole() -> Sequence[Sequence[Any]]:
    """Return an export of the first lines of each record as JSON values."""
    exports = []
    for record in _records():
        store = MemoryStore()
        for stream, event, _ in record.events[:LINES_MAX]:
            store.append(Batch(stream, "any", (NewEntry(event),)), recorded_by="fuzz")
        exports.append([msgspec.json.decode(line) for line in export_lines(store)])
    return exports


@cache
def _options() -> Sequence[tuple[str, int, dict[str, Any]]]:
    """Return games with their number of players and all of their options."""
    opened = [event for record in _records() for _, event, _ in record.events if isinstance(event, TableOpened)]
    options = []
    for event in opened:
        made = game_named(event.game).make_options(event.options, len(event.players))
        options.append((event.game, len(event.players), event.options))
        options.append((event.game, len(event.players), msgspec.to_builtins(made)))
    return options


_CARDS: Final = (*PACK_52, UNKNOWN, "10♠", "♥T", "as", "s10", "Spades", "hearts", " D7 ", "♦️K")


def _some_options(mutator: Mutator) -> tuple[str, int, Any]:
    game, players, options = mutator.chance.choice(_options())
    if mutator.chance.random() < 0.1:
        players = mutator.chance.choice((0, 1, 2, 3, 4, 5, 6, 8, 9))
    for _ in range(mutator.chance.randint(1, 3)):
        changed = mutator.value(options)
        options = changed if isinstance(changed, dict) else options
    return game, players, options


def _bare_lines(mutator: Mutator) -> bytes:
    return _as_lines(mutator, _some_changed(mutator, mutator.chance.choice(_bare())))


def _whole_lines(mutator: Mutator) -> bytes:
    """Draw an export with changed entries, in two of three cases with digests that fit them."""
    lines = _some_changed(mutator, mutator.chance.choice(_whole()))
    if mutator.chance.random() < 2 / 3:
        lines = list(_with_digests(lines))
    return _as_lines(mutator, lines)


def _with_digests(lines: Sequence[Any]) -> Iterator[Any]:
    digest = GENESIS
    for line in lines:
        try:
            event = encode_event(decode_event(msgspec.json.encode(line["event"])))
            fields = ("position", "stream", "version", "id", "recorded_at", "recorded_by")
            digest = digest_after(digest, canonical(*(line[name] for name in fields), line.get("happened_at"), event))
            yield {**line, "digest": digest.hex()}
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError, msgspec.MsgspecError):
            yield line


def _some_changed(mutator: Mutator, lines: Sequence[Any]) -> list[Any]:
    """Draw some of the first lines, with up to three changed, omitted or doubled."""
    chosen = list(lines[: mutator.chance.randint(1, len(lines))])
    for _ in range(mutator.chance.randint(1, 3)):
        place = mutator.chance.randrange(len(chosen))
        match mutator.chance.randrange(8):
            case 0 if len(chosen) > 1:
                del chosen[place]
            case 1:
                chosen.insert(place, mutator.chance.choice(mutator.chance.choice(_bare())))
            case 2:
                chosen.insert(place, chosen[mutator.chance.randrange(len(chosen))])
            case _:
                chosen[place] = mutator.value(chosen[place])
    return chosen


def _as_lines(mutator: Mutator, values: Sequence[Any]) -> bytes:
    """Write values as JSON, in one of eight cases with text that no JSON writer would write."""
    text = "\n".join(msgspec.json.encode(value).decode() for value in values)
    if mutator.chance.random() < 1 / 8:
        text = mutator.text([text])
    return text.encode("utf-8", "surrogatepass")


_NEVER_ENDING: Final = frozenset({"demo", "serve"})
_WORDS: Final = (
    *("ombre-revoke", "table/ombre-revoke", "none", "standings", "contracts", "OMB-6.2", "ombre", "kop", "SELECT 1"),
    *("text", "json", "csv", "en", "ja", "1", "0", "-1", "2", "38", "99", "x=1", "ante=5", "=", "file", ".", "-"),
    *(sign for sign in SIGNS if len(sign) < 30 and sign != "\x00"),  # arguments never contain a zero byte
)


def _command_line(mutator: Mutator) -> list[str]:
    """Draw a command with some of its options and words that may fit them."""
    chance = mutator.chance
    name = chance.choice([name for name in main.commands if name not in _NEVER_ENDING])
    options = [option for parameter in main.commands[name].params for option in parameter.opts if option[0] == "-"]
    words = [name]
    for _ in range(chance.randint(0, 5)):
        words.append(chance.choice([*options, "--format", "json"] if chance.random() < 0.4 else _WORDS))
    before = chance.choice(([], [], [], ["--lang", "ja"], ["--lang", "x"], ["--ledger", chance.choice(_WORDS)]))
    return [*before, *words]


def _read_card(text: str) -> None:
    assert parse_card_or_unknown(text) in (*PACK_52, UNKNOWN)


def _read_suit(text: str) -> None:
    assert parse_suit(text) in "SHDC"


def _read_options(choice: tuple[str, int, Any]) -> None:
    game, players, options = choice
    made = game_named(game).make_options(options, players)
    assert game_named(game).make_options(msgspec.to_builtins(made), players) == made


def _read_lines(content: bytes) -> None:
    store = MemoryStore()
    import_content(store, content, "fuzz.ndjson", ImportAs(by="fuzz"))
    assert store.head().position == len(list(export_lines(store)))


def _read_record(text: str) -> None:
    is_hand_record(text)
    assert Page(text, "fuzz.toml").line_of("a", "b") >= 1
    try:
        record = read_hand_record(text, "fuzz.toml")
    except MalformedError as error:
        assert str(error.where).startswith("fuzz.toml")
        raise
    assert all(item.line is not None for item in record.entries)
    for _, event, _ in record.events:
        assert decode_event(encode_event(event)) == event
    fold_of(record)


def _run_command(words: Sequence[str]) -> None:
    result = CliRunner().invoke(main, list(words), prog_name="trickledger")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in range(6), result.exit_code


CARDS: Final = Parser("cards", lambda mutator: mutator.text(_CARDS), _read_card)
SUITS: Final = Parser("suits", CARDS.make, _read_suit)
OPTIONS: Final = Parser("options", _some_options, _read_options)
BARE: Final = Parser("bare lines", _bare_lines, _read_lines)
WHOLE: Final = Parser("exports", _whole_lines, _read_lines)
HAND_RECORDS: Final = Parser("hand records", lambda mutator: mutator.text(record_texts()), _read_record)
COMMAND_LINES: Final = Parser("command lines", _command_line, _run_command)

SAMPLE = {CARDS: 8_000, SUITS: 2_000, OPTIONS: 1_500, BARE: 200, WHOLE: 100, HAND_RECORDS: 100, COMMAND_LINES: 40}


@pytest.fixture(autouse=True)
def a_club_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each test in a folder of its own, where commands may write."""
    CommandLine(tmp_path).made_by(revoke_alone)
    (tmp_path / "file").write_bytes(REVOKE.read_bytes())
    monkeypatch.chdir(tmp_path)


def fuzz(parser: Parser, count: int, seed: int) -> int:
    """Read so many inputs; how many were taken."""
    mutator = Mutator(Random(seed))
    taken = 0
    for number in range(count):
        wanted = parser.make(mutator)
        try:
            parser.read(wanted)
            taken += 1
        except LedgerError as error:
            assert str(error)
        except BaseException as error:
            error.add_note(f"{parser.name}, seed {seed}, input {number}: {wanted!r}")
            raise
    return taken


@pytest.mark.parametrize("times", [1, pytest.param(50, marks=pytest.mark.soak)])
@pytest.mark.parametrize("parser", SAMPLE, ids=lambda parser: parser.name)
def test_inputs_are_read_or_refused(parser: Parser, times: int) -> None:
    count, seed = SAMPLE[parser] * times, 20260105 if times == 1 else Random().randrange(2**32)
    taken = fuzz(parser, count, seed)
    print(f"{parser.name}: {count:,} inputs (seed {seed}), {taken:,} taken, the others refused")
    assert taken > 0
    assert taken < count or parser is COMMAND_LINES
