"""Packages that an extra installs: loaded when they are used, they may be missing until then."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from ledger.errors import NotFoundError


def module_of_extra(extra: str, name: str) -> ModuleType:
    """A module of the extra; raises `NotFoundError` that says how it is installed, or which library it lacks."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise NotFoundError(
            f"this needs the package {error.name}, which is not installed: pip install 'trickledger[{extra}]'"
        ) from error
    except OSError as error:  # WeasyPrint without Pango
        first = str(error).strip().splitlines()[0]
        raise NotFoundError(f"this needs a library of the system that {name} did not find: {first}") from error
