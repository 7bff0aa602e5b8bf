"""What can be sent to each route, as examples: shown by OpenAPI, and run by the tests against a real ledger."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec
from msgspec import Struct

from ledger.web.http.routing import JSON


class Example(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One request: parameters of path and query, and the body, of this content type. `route`: its name."""

    route: str
    name: str
    path: Mapping[str, str] = {}
    query: Mapping[str, str] = {}
    body: str | None = None
    content_type: str = JSON
    status: int = 200

    @property
    def value(self) -> Any:
        """The body as a value where it is JSON, else its text."""
        return msgspec.json.decode(self.body) if self.body is not None and self.content_type == JSON else self.body


@cache
def story() -> tuple[Example, ...]:
    """All examples in an order in which they can be run, from an empty ledger on."""
    written = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return msgspec.convert(written["example"], tuple[Example, ...])


_FILE: Final = files("ledger.web.http") / "examples.toml"


def examples_of(route: str) -> dict[str, Example]:
    """The examples of a route by their names."""
    return {one.name: one for one in story() if one.route == route}
