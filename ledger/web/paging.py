"""Lists by the page (contract of HTTP, section 1): so many of them, from behind the last one that the client has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Final, TypeVar

from msgspec import Meta, Struct

from ledger.errors import MalformedError
from ledger.web.asking import Asked
from ledger.web.links import further
from ledger.web.words import phrase

LIMIT: Final = 100
LIMIT_MAX: Final = 1_000

Limit = Annotated[int, Meta(ge=1, le=LIMIT_MAX)]

Item = TypeVar("Item")


class Page(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`limit`: at most so many. `after`: as the link to the next page says it."""

    limit: Limit = LIMIT
    after: str | None = None


def page_of(asked: Asked, items: Sequence[Item], name: Callable[[Item], str]) -> tuple[Sequence[Item], str | None]:
    """The items of the page that is asked for, and where the next one is, if there is one. `name`: of each another.

    Raises `MalformedError` for an `after` that no page ended with.
    """
    start = 0
    if asked.query.after is not None:
        start = _place_after([name(item) for item in items], asked.query.after)
    end = start + asked.query.limit
    page = items[start:end]
    return page, further(asked, after=name(page[-1])) if end < len(items) else None


def _place_after(names: Sequence[str], last: str) -> int:
    try:
        return names.index(last) + 1
    except ValueError:
        raise MalformedError("after", phrase("after_of_link"), last) from None
