"""Pages that are made from the code, or have parts that are, are as `make reference` writes them now."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from ledger.history import statistics
from tools import architecture, commands, errors, games, glossary, hand_records, http, man, reference
from tools.coverage import page as coverage
from tools.coverage.summary import read

PAGES: Final[list[tuple[Path, Callable[[str], str]]]] = [
    (architecture.PAGE, architecture.with_picture),
    (commands.PAGE, lambda text: commands.page()),
    (coverage.PAGE, lambda text: coverage.with_coverage(text, read())),
    (errors.PAGE, lambda text: errors.page()),
    (games.PAGE, lambda text: games.page()),
    (glossary.PAGE, lambda text: glossary.page()),
    (glossary.JAPANESE_PAGE, lambda text: glossary.japanese_page()),
    (hand_records.PAGE, hand_records.with_types),
    (http.PAGE, http.with_tables),
    (man.PAGE, lambda text: man.page()),
    (reference.PAGE, lambda text: reference.with_reference(text, reference.tables_of_schema())),
    (reference.STATISTICS_PAGE, lambda text: reference.with_statistics(text, list(statistics().values()))),
]


@pytest.mark.parametrize(("path", "written"), PAGES, ids=["/".join(path.parts[-3:]) for path, _ in PAGES])
def test_a_page_is_what_its_tool_writes(path: Path, written: Callable[[str], str]) -> None:
    text = path.read_text(encoding="utf-8")
    assert written(text) == text, "write it anew: make reference"
