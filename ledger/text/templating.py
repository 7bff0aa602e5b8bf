"""Templates of printed pages and of the service: values are escaped, and missing ones are errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined


def templates_of(package: str, **filters: Callable[..., Any]) -> Environment:
    """Return the template environment of a package; a missing value raises an error."""
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
