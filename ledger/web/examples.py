"""What can be sent to each route, as examples: shown by OpenAPI, and run by the tests against a real ledger."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct


class Example(Struct, frozen=True, kw_only=True):
    """One request: the parameters of the path and the query, and the body."""

    path: Mapping[str, str] = {}
    query: Mapping[str, str] = {}
    body: Any = None
    status: int = 200


EXAMPLES: Final[Mapping[str, Mapping[str, Example]]] = {}
"""By the name of the route, and by a name for each."""
