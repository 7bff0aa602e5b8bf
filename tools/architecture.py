"""Write the picture of the floors in `docs/architecture.md`, from the import contracts and the rooms' docstrings."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import grimp

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "architecture.md"

_PICTURE: Final = re.compile(r"(?<=<!-- picture -->\n)```text\n.*?```\n", re.DOTALL)
_WORDS_WIDTH: Final = 88
_EVERYWHERE: Final = frozenset(("msgspec", "mypy_extensions"))
"""Packages that any room may use; they are left out of the picture."""

_TYPE_ONLY: Final = frozenset(("sqlite3", "subprocess", "socket", "multiprocessing"))
"""Modules of the standard library that are shown, because they reach outside the process."""


def floors() -> list[list[str]]:
    """Return the existing rooms of each floor, highest first, from the import contract."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(contract["layers"] for contract in contracts if contract.get("containers") == ["ledger"])
    named = [re.findall(r"\w+", layer) for layer in layers]
    return [rooms for names in named if (rooms := [name for name in names if _file_of(name).exists()])]


def picture() -> str:
    """Return the floors as text: the purpose of each room, and the outside packages that it uses."""
    uses = _outside()
    lines: list[str] = []
    for rooms in floors():
        for room in rooms:
            outside = ", ".join(sorted(uses.get(room, ())))
            summary = _first_line(room) + (f" [{outside}]" if outside else "")
            lines += _wrapped(room, summary)
        lines.append("-" * (_WORDS_WIDTH + 14))
    return "```text\n" + "\n".join(lines[:-1]) + "\n```\n"


def with_picture(page: str) -> str:
    """Return the page with a current picture."""
    return _PICTURE.sub(lambda _: picture(), page)


def _wrapped(room: str, summary: str) -> Iterator[str]:
    name, line = room, ""
    for word in summary.split():
        if len(line) + len(word) >= _WORDS_WIDTH:
            yield f"  {name:<11} {line}".rstrip()
            name, line = "", ""
        line = f"{line} {word}".strip()
    yield f"  {name:<11} {line}".rstrip()


def _file_of(room: str) -> Path:
    folder = ROOT / "ledger" / room
    return folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")


def _first_line(room: str) -> str:
    """Return the first sentence of a room's docstring as far as its first colon or semicolon."""
    summary = ast.get_docstring(ast.parse(_file_of(room).read_text(encoding="utf-8"))) or ""
    return re.split(r"[:;]\s|\.$", " ".join(summary.split("\n\n")[0].split()))[0]


def _outside() -> dict[str, set[str]]:
    """Return the outside packages that each room imports."""
    graph = grimp.build_graph("ledger", include_external_packages=True, cache_dir=None)
    uses: dict[str, set[str]] = {}
    for module in graph.modules:
        if not module.startswith("ledger."):
            continue
        for imported in graph.find_modules_directly_imported_by(module):
            package = imported.partition(".")[0]
            is_type_only = package in _TYPE_ONLY or package not in sys.stdlib_module_names
            if package != "ledger" and is_type_only and package not in _EVERYWHERE:
                uses.setdefault(module.split(".")[1], set()).add(package)
    return uses


if __name__ == "__main__":
    PAGE.write_text(with_picture(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
