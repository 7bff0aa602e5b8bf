"""Pages of lists: so many at a time, and the way to the next ones (contract of HTTP, section 1)."""

from __future__ import annotations

from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from typing import Annotated, TypeVar

from msgspec import Meta, Struct

from ledger.errors import MalformedError
from ledger.web.catalogue import phrase
from ledger.web.http.links import further, linked
from ledger.web.http.request import Asked
from ledger.web.http.routing import Answer

Row = TypeVar("Row")

Limit = Annotated[int, Meta(ge=1, le=1_000)]


class Paging(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`limit`: so many at most. `after`: what the link to the next page says."""

    limit: Limit = 100
    after: str | None = None


def paged(asked: Asked, rows: Sequence[Row], key: Callable[[Row], str]) -> Answer:
    """One page of a list, whose rows have different keys."""
    page, following = page_of(asked, rows, key)
    return Answer(body=list(page), headers=linked(asked, next=following))


def page_of(asked: Asked, rows: Sequence[Row], key: Callable[[Row], str]) -> tuple[Sequence[Row], str | None]:
    """The rows of the page that is asked for, and the address of the next one, where there are more.

    After an `after` that there is not any more nothing comes.
    """
    query = asked.query
    first = 0
    if query.after is not None:
        last = _decoded(query.after)
        first = next((place + 1 for place, row in enumerate(rows) if key(row) == last), len(rows))
    end = first + query.limit
    page = rows[first:end]
    return page, further(asked, after=_encoded(key(page[-1]))) if end < len(rows) else None


def _encoded(key: str) -> str:
    return urlsafe_b64encode(key.encode()).decode().rstrip("=")


def _decoded(after: str) -> str:
    try:
        return b64decode(after + "=" * (-len(after) % 4), altchars=b"-_", validate=True).decode()
    except ValueError:
        raise MalformedError(phrase("not_after"), text=after[:200], field="after") from None
