"""Trick Ledger: the record of a card club as an append-only log, replayed, scored and audited by numbered rules.

The Python API has the verbs of the command line:

    >>> import ledger
    >>> with ledger.create("club.ledger") as store:                     # doctest: +SKIP
    ...     ledger.import_file(store, "evening.toml", ledger.Recording(by="me"))
    ...     print(ledger.score(store, "table-1").totals)
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:
    from ledger.api import *  # noqa: F403 - what `ledger.api.__all__` lists
else:
    # Importing the API takes 0.17 s, which the command line and programs that need one module must not pay.
    # Hidden from type checkers, which would accept any name otherwise.

    def __getattr__(name: str) -> Any:
        if name == "__all__" or not name.startswith("__"):
            if find_spec(f"{__name__}.{name}") is not None:
                return import_module(f"{__name__}.{name}")
            api = import_module(f"{__name__}.api")
            if name in ("__all__", *api.__all__):
                value = globals()[name] = getattr(api, name)
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__getattr__("__all__")})
