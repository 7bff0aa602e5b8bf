"""Packages of optional extras, imported when they are used."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from ledger.errors import NotFoundError
from ledger.i18n import Phrase


def module_of_extra(extra: str, name: str) -> ModuleType:
    """Import a module of the extra.

    Raise `NotFoundError` that says how to install it, or which system library it lacks.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        lacking = Phrase("ledger.i18n", "extra.no_package", {"text": error.name, "extra": extra})
        raise NotFoundError("not_installed", lacking) from error
    except OSError as error:  # WeasyPrint without Pango
        first = str(error).strip().splitlines()[0]
        lacking = Phrase("ledger.i18n", "extra.no_library", {"text": name, "why": first})
        raise NotFoundError("not_installed", lacking) from error
