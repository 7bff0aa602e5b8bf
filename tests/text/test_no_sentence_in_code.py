"""What answers say stands in a catalogue: no string of two words is left in the code that answers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import ledger

ROOT: Final = Path(ledger.__file__).parent
SENTENCE: Final = re.compile(r"[A-Za-z]{2,}[,:;]? +(?:\{\} *)?[A-Za-z]{2,}")
REFUSING: Final = re.compile(r"^(?:\w*Error|UsageError|BadParameter|refuse|readable_name)$")
"""What tells an error: errors have their own catalogue, and usage errors are click's."""
HELPING: Final = frozenset(("option", "argument", "command", "version_option", "table_options", "group"))
"""What declares commands and options, with their help."""
ALLOWED: Final = {
    "cli/demo.py": "the question in SQL that the demonstration asks",
    "cli/query_shell.py": "the words of SQL that Tab completes",
    "cli/filters.py": "the hint of an error",
    "cli/players.py": "the hint of an error",
    "cli/query.py": "the usage error that says what may be asked",
    "cli/correct.py": "a usage error",
    "cli/which_tables.py": "help of an option",
    "cli/simulate.py": "a usage error",
    "text/demo.py": "commands as they are typed",
    "text/imports.py": "the source of what comes from no file, as JSON has it",
    "text/pages.py": "the keys of a catalogue",
    "text/pdf.py": "font and style sheet of a page",
}


def test_no_sentence_stands_in_the_code_of_answers() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): sentences
        for room in ("text", "cli")
        for path in sorted((ROOT / room).glob("*.py"))
        if (sentences := list(sentences_in(path)))
    }
    assert {name: sentences for name, sentences in found.items() if name not in ALLOWED} == {}
    assert ALLOWED.keys() - found.keys() == set()  # nothing is allowed in vain


def sentences_in(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    left_out = {node for outer in ast.walk(tree) if is_no_answer(outer) for node in ast.walk(outer)}
    for node in ast.walk(tree):
        if node not in left_out and (text := text_of(node)) is not None and SENTENCE.search(text):
            yield text


def is_no_answer(node: ast.AST) -> bool:
    """Docstrings and other strings that are statements, errors, and the help of commands."""
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return bool(REFUSING.match(name)) or name in HELPING
    return False


def text_of(node: ast.AST) -> str | None:
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
    return None
