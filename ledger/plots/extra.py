"""The packages of the extra `plots`, which are loaded when a plot is drawn and may be missing until then."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

from ledger.errors import NotFoundError
from ledger.plots.words import phrase


def extra_module(name: str) -> ModuleType:
    """A module of the extra; raises `NotFoundError` that says how it is installed, or which library it lacks."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise NotFoundError("not_installed", phrase("error.no_package", text=error.name)) from error
    except OSError as error:  # WeasyPrint without Pango
        first = str(error).strip().splitlines()[0]
        raise NotFoundError("not_installed", phrase("error.no_library", text=name, why=first)) from error


def font_file() -> Path:
    """The font that all text is set in: Noto Sans JP, which has Latin and Japanese signs and the suits of cards."""
    path: Path = extra_module("pylopdf_fonts_jp").sans_path()
    return path
