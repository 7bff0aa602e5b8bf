"""On which day of the year the seasons of a club begin."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from ledger.history.words import phrase

SEASON_FROM: Final = "season_from"
"""The parameter for that day; without it seasons are calendar years."""

SeasonFrom: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^(?!02-29|02-3|0[469]-31|11-31)(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(?!\n)$",
        description="MM-DD, a day that every year has",
        extra={"expected": phrase("statistic.season_from")},
    ),
]
