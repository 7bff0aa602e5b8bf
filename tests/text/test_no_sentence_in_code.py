"""Sentences are in catalogues: the code has no string of two words, neither in answers nor in errors."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import ledger
from ledger.cli.commands import SUMMARIES

ROOT: Final = Path(ledger.__file__).parent
SENTENCE: Final = re.compile(r"(?:\b[Aa]|[A-Za-z]{2,})[,:;]? +(?:\{\} *)?[A-Za-z]{2,}")
HELPING: Final = frozenset(
    ("option", "Option", "argument", "command", "version_option", "table_options", "group", "single_option")
)
"""Calls that declare commands and options, with their help."""
NOT_SAID: Final = frozenset(("AttributeError", "AssertionError", "compile", "search"))
"""Calls with texts for programmers, and patterns."""
ALLOWED: Final = dict(
    line.split("\t")
    for line in Path(__file__).with_name("allowed_in_code.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
)
"""Texts that are allowed in the code, with their reasons."""


def test_no_sentence_is_in_the_code() -> None:
    allowed = re.compile("|".join(f"(?:{text})" for text in ALLOWED), re.DOTALL)
    sentences = [
        f"{path.relative_to(ROOT)}: {sentence}"
        for path in sorted(ROOT.rglob("*.py"))
        for sentence in sentences_in(path)
        if sentence not in SUMMARIES.values() and not allowed.fullmatch(sentence)
    ]
    assert sentences == []


def test_a_sentence_in_the_code_is_reported(tmp_path: Path) -> None:
    code = tmp_path / "code.py"
    said = 'say(f"Wrote {path}, as told.")\nraise MalformedError("a name", 3)\n'
    code.write_text(f'"""Not this."""\nassert said, "nor this"\n{said}')
    assert list(sentences_in(code)) == ["Wrote {}, as told.", "a name"]


def sentences_in(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    left_out = {node for outer in ast.walk(tree) for part in unsaid(outer) for node in ast.walk(part)}
    for node in ast.walk(tree):
        if node not in left_out and (text := text_of(node)) is not None and SENTENCE.search(text):
            yield text


def unsaid(node: ast.AST) -> list[ast.AST]:
    """Return strings that are no sentences: docstrings, assertions, help, types, parts of a longer text."""
    match node:
        case ast.Expr(value=ast.Constant(value=str())) | ast.Assert() | ast.keyword(arg="description"):
            return [node]
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in HELPING | NOT_SAID:
            return [node]
        case ast.JoinedStr(values=parts):
            return [part for part in parts if isinstance(part, ast.Constant)]
    return []


def text_of(node: ast.AST) -> str | None:
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
    return None
