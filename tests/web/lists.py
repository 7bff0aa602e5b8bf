"""Lists in text files next to the tests; some are in sections like `[queries]`, each ended by an empty line."""

import json
from pathlib import Path
from typing import Any


def lines_in(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


def section(file: str | Path, name: str) -> list[str]:
    """Return the lines of a section. `file`: next to this module, or a path of its own."""
    text = Path(__file__).parent.joinpath(file).read_text(encoding="utf-8")
    assert f"[{name}]\n" in text
    return text.partition(f"[{name}]\n")[2].partition("\n\n")[0].splitlines()


def rows_of(name: str) -> list[Any]:
    """Return the arguments of a test, as JSON in a section of cases.txt."""
    return [json.loads(line) for line in section("cases.txt", name)]
