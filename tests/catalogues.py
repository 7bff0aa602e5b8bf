"""All message catalogues there are, found by their folders, whichever room or game they belong to."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Formatter

ROOT = Path(__file__).parent.parent
FOLDERS = sorted(path for place in ("ledger", "tests/thirdparty") for path in (ROOT / place).rglob("messages"))
IDS = [folder.parent.relative_to(ROOT).as_posix() for folder in FOLDERS]


@cache
def sentences(folder: Path, lang: str) -> Mapping[str, str]:
    """The texts of one folder in one language by key, those of a table with its name before them."""
    found: dict[str, str] = {}
    for key, value in tomllib.loads((folder / f"{lang}.toml").read_text(encoding="utf-8")).items():
        found |= {f"{key}.{name}": text for name, text in value.items()} if isinstance(value, dict) else {key: value}
    return found


def fields(text: str) -> set[str]:
    """What is put into a text."""
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}
