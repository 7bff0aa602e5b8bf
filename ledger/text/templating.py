"""How templates are read, those of printed pages and those of the service: what they show is escaped, or they fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined


def templates_of(package: str, **filters: Callable[..., Any]) -> Environment:
    """The templates of a package. One that asks for what nobody gave it fails."""
    environment = Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(filters)
    return environment
