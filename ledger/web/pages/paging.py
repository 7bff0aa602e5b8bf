"""Lists of pages, a part at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

Row = TypeVar("Row")


def page_of_list(
    rows: Sequence[Row], number: int, per_page: int, filters: Mapping[str, str] | None = None
) -> tuple[Sequence[Row], dict[str, Any]]:
    """Return the rows of one page of a list, and its `page_links`. A number past the end means the last page."""
    links = page_links(len(rows), number, per_page, filters)
    first = (links["number"] - 1) * per_page
    return rows[first : first + per_page], links


def page_links(count: int, number: int, per_page: int, filters: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the number of a page of a list, that of the last one, and the addresses of its neighbours.

    `filters`: parameters that the addresses keep.
    """
    last = max(1, -(-count // per_page))
    number = min(number, last)

    def address(other: int) -> str | None:
        return f"?{urlencode({**(filters or {}), 'page': other})}" if 1 <= other <= last else None

    return {"count": count, "number": number, "last": last, "before": address(number - 1), "after": address(number + 1)}
