"""Lists in text files beside the tests, in sections like `[queries]`, each ended by an empty line."""

from __future__ import annotations

from pathlib import Path


def section(file: str, name: str) -> list[str]:
    """Return the lines of a section."""
    text = Path(__file__).with_name(file).read_text(encoding="utf-8")
    assert f"[{name}]\n" in text
    return text.partition(f"[{name}]\n")[2].partition("\n\n")[0].splitlines()
