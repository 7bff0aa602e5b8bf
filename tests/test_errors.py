"""Errors: each has a documented code, and texts in every language."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from ledger import errors
from ledger.errors import (
    EXIT_STATUSES,
    AgainstRulesError,
    LedgerError,
    MalformedError,
    NotFoundError,
    in_stream,
    line_of,
)
from ledger.i18n import LANGUAGES, Phrase, catalogue, in_words
from ledger.log.append_rules import wrong_version
from tests.catalogues import fields
from tools.errors import PAGE

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "ledger"

CODES_OF = {
    "ConflictError": get_args(errors.ConflictCode),
    "UnreadableError": get_args(errors.UnreadableCode),
    "NotFoundError": get_args(errors.UsageCode),
    "UsageError": get_args(errors.UsageCode),
}
"""The errors whose code is given where they are raised; others have a fixed code."""


NAMED = re.compile("|".join(("phrase", "wrong_use", *CODES_OF)))


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """Return the nodes of a file that raises such an error or names a phrase; of another one none."""
    text = path.read_text(encoding="utf-8")
    return list(ast.walk(ast.parse(text))) if NAMED.search(text) else []


def calls() -> Iterator[tuple[str, str, ast.Call]]:
    """Yield every place in the package where such an error is raised."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in nodes_of(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CODES_OF:
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node.func.id, node


def test_every_error_is_raised_with_a_code_of_its_class() -> None:
    raised = list(calls())
    assert len(raised) > 100
    for place, name, call in raised:
        code = call.args[0]
        if isinstance(code, ast.Constant):
            assert code.value in CODES_OF[name], place
        else:
            assert ast.unparse(code) == "error.code", f"{place}: an error handed on keeps its code"


def test_a_code_has_the_exit_status_of_its_class() -> None:
    statuses = {errors.UsageCode: 2, errors.RefusalCode: 3, errors.ConflictCode: 4, errors.UnreadableCode: 5}
    expected = {code: status for codes, status in statuses.items() for code in get_args(codes)}
    assert expected == EXIT_STATUSES
    assert set(get_args(errors.Code)) == set(EXIT_STATUSES)


def test_every_code_is_used() -> None:
    text = "\n".join(one.read_text(encoding="utf-8") for one in PACKAGE.rglob("*.py") if one != PACKAGE / "errors.py")
    text += "".join((PACKAGE / "errors.py").read_text(encoding="utf-8").partition("class LedgerError")[1:])
    assert [code for code in EXIT_STATUSES if f'"{code}"' not in text] == []


def test_the_page_has_every_code() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \| (\d) \|", text, re.MULTILINE) == [
        (code, str(status)) for code, status in EXIT_STATUSES.items()
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_is_explained_in_every_language(lang: str) -> None:
    words = catalogue("ledger.i18n", lang)
    for part in ("when", "what_to_do"):
        assert {key.removeprefix(f"{part}.") for key in words if key.startswith(f"{part}.")} == set(EXIT_STATUSES)


def test_every_phrase_that_the_code_names_is_in_its_catalogue() -> None:
    phrases = [named for path in PACKAGE.rglob("*.py") for named in phrases_named(path)]
    assert len(phrases) > 200
    for place, package, key, given in phrases:
        assert key in catalogue(package, "en"), f"{place}: {package} has no {key}"
        assert given is None or fields(catalogue(package, "en")[key]) <= given, place


def phrases_named(path: Path) -> Iterator[tuple[str, str, str, set[str] | None]]:
    """Yield the phrases of a file: place, package, key, and the names of the values if all are named."""
    makers = {"wrong_use": ("ledger.cli", "usage.")}
    for node in nodes_of(path):
        match node:
            case ast.ImportFrom(module=str() as module, names=names) if module.endswith((".catalogue", ".words")):
                package = module.rpartition(".")[0]
                makers |= {one.asname or one.name: (package, "") for one in names if one.name == "phrase"}
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Call(func=ast.Name(id="phrases"), args=[argument])):
                makers[name] = ast.literal_eval(argument), ""
    for node in nodes_of(path):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=key)]) if name in makers:
                package, table = makers[name]
                given = {keyword.arg for keyword in node.keywords if keyword.arg is not None}
                yield (
                    f"{path}:{node.lineno}",
                    package,
                    f"{table}{key}",
                    given if len(given) == len(node.keywords) else None,
                )


def values_of(error: LedgerError) -> dict[str, Any]:
    assert error.values.keys() <= errors.MEMBERS
    return error.values


def test_an_error_names_its_field_and_line() -> None:
    error = MalformedError("event.seat: not allowed, str", "int", "x", field="event.seat").at(line_of("a.ndjson", 3))
    assert str(error) == "a.ndjson, line 3: event.seat: not allowed, str: 'x'; expected int"
    assert values_of(error) == {
        "where": "event.seat", "text": "x", "expected": "int", "file": "a.ndjson", "line": 3,
    }  # fmt: skip


def test_the_subject_of_an_error_may_name_the_field() -> None:
    assert values_of(MalformedError("options.ante", "a number"))["where"] == "options.ante"
    assert "where" not in values_of(MalformedError("nothing is told"))


def test_the_text_of_a_private_key_is_in_no_value() -> None:
    error = MalformedError("not a public key", "a key", "PRIVATE+KEY+club+secret")
    assert "secret" not in str(error.answer("en")) + str(error.answer("ja"))


def test_a_wrong_version_names_both_versions_and_the_stream() -> None:
    error = wrong_version("table/t", 8, 7)
    assert values_of(error) == {"stream": "table/t", "expected": 7, "actual": 8}
    assert (error.code, error.exit_status) == ("wrong_version", 4)


def test_an_illegal_move_names_finding_rule_and_legal_moves() -> None:
    error = AgainstRulesError("out of turn", "OMB-11.15", "OMB-4.8", ("pass",), in_stream("table/t", 3), seat=1)
    assert str(error) == "table/t, version 3: out of turn (OMB-11.15, against OMB-4.8); legal here: pass"
    assert values_of(error) == {
        "finding": "OMB-11.15", "rule": "OMB-4.8", "seat": 1, "legal": ("pass",), "stream": "table/t", "version": 3,
    }  # fmt: skip


def test_an_error_is_put_into_the_language_of_its_reader() -> None:
    error = wrong_version("table/t", 8, 7)
    assert error.message("en") == str(error) == "table/t is at version 8, not at the expected version 7"
    assert error.message("ja") == "table/tのバージョンは8で、指定の7と違います"


def test_an_error_may_still_come_as_a_finished_sentence() -> None:
    error = NotFoundError("not_found", "there is no such thing", known=("this", "that"))
    assert (error.message("ja"), values_of(error)) == ("there is no such thing", {"known": ("this", "that")})
    assert isinstance(errors.ConflictError("exists", "it is there"), LedgerError)
    assert in_words(error.said) == "there is no such thing"


def test_missing_values_are_left_out() -> None:
    error = errors.UnreadableError(
        "damaged", Phrase("ledger.log", "copy.damaged", {"file": "a", "position": None, "what": "x"})
    )
    assert values_of(error) == {"file": "a"}
