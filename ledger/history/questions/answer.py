"""What a question to the read model is answered with."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Answer(Struct, frozen=True):
    """Rows under the names of their columns, of which no two are the same; `types` are those of SQL."""

    columns: list[str]
    types: list[str]
    rows: list[tuple[Any, ...]]

    def objects(self) -> list[dict[str, Any]]:
        """The rows with the names of their columns."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]
