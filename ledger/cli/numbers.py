"""Number types of options, whose limits read as words in help and errors."""

from __future__ import annotations

import click


class WholeNumber(click.IntRange):
    """A whole number; both limits are included."""

    name = "number"

    def _describe_range(self) -> str:
        return _limits(self.min, self.max)


class Decimal(click.FloatRange):
    """A number with a fraction; both limits are included."""

    name = "number"

    def _describe_range(self) -> str:
        return _limits(self.min, self.max)


def _limits(least: float | None, most: float | None) -> str:
    return f"{least} or more" if most is None else f"{least} to {most}"
