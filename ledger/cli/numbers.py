"""Number types of options, whose limits read as words in help and errors."""

from __future__ import annotations

import click


class _LimitsInWords:
    name = "number"
    min: float | None
    max: float | None

    def _describe_range(self) -> str:
        return f"{self.min} or more" if self.max is None else f"{self.min} to {self.max}"


class WholeNumber(_LimitsInWords, click.IntRange):
    """A whole number; both limits are included."""


class Decimal(_LimitsInWords, click.FloatRange):
    """A number with a fraction; both limits are included."""
