"""Pages of lists: so many at a time, and the way to the next ones (contract of HTTP, section 1)."""

from __future__ import annotations

from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from typing import Annotated, TypeVar
from urllib.parse import urlencode

from msgspec import Meta, Struct, structs

from ledger.errors import MalformedError
from ledger.web.asking import Asked
from ledger.web.routes import Answer
from ledger.web.words import phrase

Row = TypeVar("Row")

Limit = Annotated[int, Meta(ge=1, le=1_000)]


class Paging(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`limit`: so many at most. `after`: what the link to the next page says."""

    limit: Limit = 100
    after: str | None = None


def paged(asked: Asked, rows: Sequence[Row], key: Callable[[Row], str]) -> Answer:
    """One page of a list, whose rows have different keys; an `after` that there is not any more begins anew."""
    query = asked.query
    first = 0
    if query.after is not None:
        last = _decoded(query.after)
        first = next((place + 1 for place, row in enumerate(rows) if key(row) == last), len(rows))
    page = rows[first : first + query.limit]
    headers = {}
    if first + query.limit < len(rows):
        told = structs.asdict(query) | {"after": _encoded(key(page[-1]))}
        parameters = {name: _written(value) for name, value in told.items() if value is not None}
        headers["link"] = f'<{asked.path}?{urlencode(parameters)}>; rel="next"'
    return Answer(body=list(page), headers=headers)


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _encoded(key: str) -> str:
    return urlsafe_b64encode(key.encode()).decode().rstrip("=")


def _decoded(after: str) -> str:
    try:
        return b64decode(after + "=" * (-len(after) % 4), altchars=b"-_", validate=True).decode()
    except ValueError:
        raise MalformedError(phrase("not_after"), text=after[:200], field="after") from None
