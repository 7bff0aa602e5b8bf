"""All message catalogues of rooms and games."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Formatter

from ledger.i18n.languages import CATEGORIES

ROOT = Path(__file__).parent.parent
FOLDERS = sorted(path for place in ("ledger", "examples") for path in (ROOT / place).rglob("messages"))
IDS = [folder.parent.relative_to(ROOT).as_posix() for folder in FOLDERS]


@cache
def sentences(folder: Path, lang: str) -> Mapping[str, str]:
    """Return the texts of one folder in one language by key; keys of a table begin with its name."""
    file = folder / f"{lang}.toml"
    if not file.exists():
        return {}
    texts: dict[str, str] = {}
    for key, value in tomllib.loads(file.read_text(encoding="utf-8")).items():
        if key == "language":  # facts about the language
            continue
        if isinstance(value, dict) and not {"by", *CATEGORIES}.issuperset(value):
            texts |= {f"{key}.{name}": _other(text) for name, text in value.items()}
        else:
            texts[key] = _other(value)
    return texts


def gaps(folder: Path, lang: str) -> list[str]:
    """Return the keys that this folder has in English but not in the language."""
    return [key for key in sentences(folder, "en") if key not in sentences(folder, lang)]


def _other(text: str | Mapping[str, str]) -> str:
    """Return a text, or the form `other` of one with plural forms."""
    return text if isinstance(text, str) else text["other"]


def fields(text: str) -> set[str]:
    """Return the names of the placeholders in a text."""
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}
