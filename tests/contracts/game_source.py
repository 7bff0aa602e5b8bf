"""Facts about a game's package that need no run: imports, rule ids, and the words of its sentences."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from string import Formatter

from msgspec import Struct, inspect

from ledger.cards import SUITS

WORD = re.compile(r"[a-z][a-z0-9_]{0,39}")
PREFIX = re.compile(r"[A-Z]{3}")
# What no game may import: no clock, no randomness, no storage, no screen.
IMPURE = frozenset(
    {
        *("asyncio", "click", "datetime", "duckdb", "logging", "os", "random", "rich", "secrets", "socket"),
        *("sqlite3", "subprocess", "tempfile", "threading", "time", "uuid", "uuid_utils"),
    }
)
SHARED = "ledger.games.kernel"
"""The package of what the games share, which has words, too: `ruling_replace`, `final_share`."""


@cache
def sources(package: str) -> tuple[str, ...]:
    """Return the text of every module directly in the package."""
    return tuple(file.read_text(encoding="utf-8") for file in files(package).iterdir() if file.name.endswith(".py"))


@cache
def imports(package: str) -> frozenset[str]:
    """Return the names of all distributions and modules that the package imports, up to the first dot."""
    names: set[str] = set()
    for source in sources(package):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Import):
                names.update(alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module is not None:
                names.add(node.module.partition(".")[0])
    return frozenset(names)


def rule_ids(package: str, prefix: str) -> set[str]:
    """Return every rule id in code and comments."""
    return {rule_id for source in sources(package) for rule_id in re.findall(rf"{prefix}-\d+\.\d+", source)}


@cache
def words(package: str) -> frozenset[str]:
    """Return every string in the code of the package and of what the games share."""
    return frozenset(word for name in (package, SHARED) for source in sources(name) for word in _texts(source))


def _texts(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value.strip("_")  # `paid_{contract}` has the word `paid`


def is_spelt_by(key: str, known: frozenset[str]) -> bool:
    """Return whether a key of the catalogue is one of these words, or made of two of them.

    Two words make `bad_deal_hand` (`bad_deal` with `found="hand"`) and `stakes.zolo` (`stakes.` and `zolo`).
    """
    key = key.removeprefix("words.")
    section, _, word = key.partition(".")
    if key in known or key == "nobody" or (f"{section}." in known and word in known):
        return True
    return any(key[:place] in known and key[place + 1 :] in known for place, sign in enumerate(key) if sign == "_")


def values_of(sentence: str) -> set[str]:
    """Return the names of the values that fill in a sentence."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def options_of(kind: type[Struct], part: str = "options") -> set[str]:
    """Return the keys of the words for options and their choices, or of what they mean (`part`: meaning)."""
    names = set()
    for field in inspect.type_info(kind).fields:
        choices = {word for word in _choices(field.type) if isinstance(word, str)} - set(SUITS)
        names |= {field.encode_name, *(f"{field.encode_name}_{word}" for word in choices)}
    return {f"{part}.{name}" for name in names}


def choices_of(kind: type[Struct]) -> set[str]:
    """Return the words among which fields of a Struct choose, without seats, suits and free texts."""
    return {str(word) for field in inspect.type_info(kind).fields for word in _choices(field.type)} - set(SUITS)


def _choices(kind: inspect.Type) -> Iterator[str]:
    match kind:
        case inspect.LiteralType(values):
            yield from (word for word in values if isinstance(word, str))
        case inspect.UnionType(types):
            for one in types:
                yield from _choices(one)
        case inspect.VarTupleType(item):
            yield from _choices(item)
