"""What answers say stands in a catalogue: no string of two words is left in the code that answers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import ledger
from ledger.cli.commands import SUMMARIES

ROOT: Final = Path(ledger.__file__).parent
SENTENCE: Final = re.compile(r"[A-Za-z]{2,}[,:;]? +(?:\{\} *)?[A-Za-z]{2,}")
REFUSING: Final = re.compile(r"^(?:\w*Error|UsageError|BadParameter|refuse|readable_name)$")
"""What tells an error: errors have their own catalogue, and usage errors are click's."""
HELPING: Final = frozenset(("option", "argument", "command", "version_option", "table_options", "group"))
"""What declares commands and options, with their help."""
ALLOWED: Final = {
    r"trickledger [a-z]+ [\w.-]+( [\w.|-]+)*": "a command as it is typed",
    r"export TRICKLEDGER_LEDGER=.*": "the same",
    r"\s*SELECT .*": "SQL, and the words of it that Tab completes",
    r".*; src: url.*": "the style sheet of a page",
    r"standard input|in all": "sources and forms as JSON has them; the catalogue has them under these words",
    r"All tables; JSON: one table a line\.": "help of an option",
    r"needs the events or their words|takes no words|Ask a question in SQL.*|.* is no slug of.*": "usage errors",
    r"there is.*|trickledger players lists them": "hints of errors",
}
"""What may stand in the code, and why."""


def test_no_sentence_stands_in_the_code_of_answers() -> None:
    allowed = re.compile("|".join(f"(?:{text})" for text in ALLOWED), re.DOTALL)
    found = [
        f"{path.relative_to(ROOT)}: {sentence}"
        for room in ("text", "cli")
        for path in sorted((ROOT / room).rglob("*.py"))
        if path.name != "errors.py"  # it reads what click says in English
        for sentence in sentences_in(path)
        if sentence not in SUMMARIES.values() and not allowed.fullmatch(sentence)
    ]
    assert found == []


def test_a_sentence_in_the_code_is_found(tmp_path: Path) -> None:
    code = tmp_path / "code.py"
    code.write_text('"""Not this."""\nsay(f"Wrote {path}, as told.")\nraise LedgerError("nor this one")\n')
    assert list(sentences_in(code)) == ["Wrote {}, as told.", ", as told."]


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
