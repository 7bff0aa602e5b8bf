"""The words that CONTRIBUTING retires stand nowhere, and public functions say what they do by a verb first."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from tests.web.lists import lines_in

ROOT: Final = Path(__file__).parents[1]
FILES: Final = [
    path
    for folder in ("ledger", "tests", "examples", "tools", "bench")
    for path in sorted((ROOT / folder).rglob("*.py"))
]
CATALOGUES: Final = sorted((ROOT / "ledger").rglob("messages/en.toml"))

IN_NAMES: Final = {
    *("aloud", "amended", "asked", "asking", "belongings", "beside", "companions", "errand", "found", "guarding"),
    *("judging", "keeping", "kept", "lifted", "lifts", "mending", "mistyped", "onward", "shelf", "standing"),
    *("stands", "tell", "telling", "tellings", "tells", "told", "whoever"),
}
"""Parts of identifiers that have a standard word instead (CONTRIBUTING, Names)."""

STANDARD: Final = re.compile(r"not_?found", re.IGNORECASE)
"""HTTP's own name of a status."""

IN_PROSE: Final = re.compile(
    r"\b(told|tell|tells|telling|whoever|whosoever|stands|stood|be it|thereof|he|him|his|she)\b", re.IGNORECASE
)
"""Words of a dialect that no reader expects."""

ALLOWED: Final = tomllib.loads(Path(__file__).with_name("allowed_words.toml").read_text("utf-8"))
"""Files and keys of messages that may have a retired word, and why."""

VERBS: Final = frozenset(lines_in(Path(__file__).with_name("verbs.txt")))

PROSE: Final = re.compile(r'"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|#.*')
"""Strings and comments, which bind no name."""


def _trees(room: str, words: re.Pattern[str], seen: Callable[[str], str] = str) -> Iterator[tuple[Path, ast.Module]]:
    """Yield the files of a room that mention one of the words; parsing all of them takes most of the time."""
    for path in FILES:
        if _room(path) == room and words.search(seen(text := path.read_text("utf-8"))):
            yield path.relative_to(ROOT), ast.parse(text)


def _room(path: Path) -> str:
    parts = path.relative_to(ROOT).parts
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def _parts(name: str) -> list[str]:
    return [part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", STANDARD.sub("", name))]


def _names(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name, node.lineno
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, node.lineno
            case ast.alias(name=name, asname=other):
                yield other or name, node.lineno


def _public(path: Path) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield the functions of a module and of its public classes, without properties, overloads and overrides."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            bases = getattr(import_module(_module(path)), node.name).__mro__[1:]
            for one in node.body:
                is_method = isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
                if is_method and not any(hasattr(base, one.name) for base in bases):
                    yield f"{node.name}.{one.name}", one


def _module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _says_first_what_it_does(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    decorators = " ".join(map(ast.unparse, node.decorator_list))
    if node.name.startswith("_") or re.search("property|setter|overload", decorators):
        return True
    return (ast.get_docstring(node) or "none").split()[0].rstrip(",.;:") in VERBS


def _docstrings(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for one in body if isinstance(body, list) else ():
            if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) and isinstance(one.value.value, str):
                yield one.value.value, one.lineno


ROOMS: Final = sorted({_room(path) for path in FILES})


@pytest.mark.parametrize("room", ROOMS)
def test_no_name_has_a_retired_word(room: str) -> None:
    retired = [
        f"{path}:{line} {name}"
        for path, tree in _trees(room, re.compile("|".join(IN_NAMES), re.IGNORECASE), lambda text: PROSE.sub("", text))
        for name, line in _names(tree)
        if not IN_NAMES.isdisjoint(_parts(name))
    ]
    assert retired == [], "\n".join(retired)


@pytest.mark.parametrize("room", [room for room in ROOMS if room.startswith("ledger")])
def test_no_docstring_has_a_retired_word(room: str) -> None:
    retired = [
        f"{path}:{line} {match[0]}"
        for path, tree in _trees(room, IN_PROSE)
        if str(path) not in ALLOWED
        for text, line in _docstrings(tree)
        for match in IN_PROSE.finditer(text)
    ]
    assert retired == [], "\n".join(retired)


@pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_message_has_a_retired_word(catalogue: Path) -> None:
    def sentences(table: dict[str, object], key: str = "") -> Iterator[tuple[str, str]]:
        for name, value in table.items():
            if isinstance(value, dict):
                yield from sentences(value, f"{key}{name}.")
            else:
                yield f"{key}{name}", str(value)

    messages = sentences(tomllib.loads(catalogue.read_text("utf-8")))
    assert [(key, text) for key, text in messages if key not in ALLOWED and IN_PROSE.search(text)] == []


@pytest.mark.parametrize("room", [room for room in ROOMS if room.startswith("ledger")])
def test_a_public_function_says_first_what_it_does(room: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno} {name}: {(ast.get_docstring(node) or 'no docstring').splitlines()[0]}"
        for path in FILES
        if _room(path) == room
        for name, node in _public(path)
        if not _says_first_what_it_does(node)
    ]
    assert wrong == [], "\n".join(wrong)
