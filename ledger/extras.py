"""Packages that an extra installs: loaded when they are used, they may be missing until then."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from ledger.errors import NotFoundError
from ledger.i18n import Phrase


def module_of_extra(extra: str, name: str) -> ModuleType:
    """A module of the extra; raises `NotFoundError` that says how it is installed, or which library it lacks."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        lacking = Phrase("ledger.i18n", "extra.no_package", {"text": error.name, "extra": extra})
        raise NotFoundError("not_installed", lacking) from error
    except OSError as error:  # WeasyPrint without Pango
        first = str(error).strip().splitlines()[0]
        lacking = Phrase("ledger.i18n", "extra.no_library", {"text": name, "why": first})
        raise NotFoundError("not_installed", lacking) from error
