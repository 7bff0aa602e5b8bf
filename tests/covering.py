"""The choice of rows that `make test` tries of a product or a search; `make soak` tries the rest.

    @pytest.mark.parametrize(("command", "language"), covering(COMMANDS, LANGUAGES))

The chosen rows put the axes side by side and repeat the shorter ones, so that each value of each axis is in some row.
The choice is the same in every run.
"""

import os
from collections.abc import Callable, Sequence
from itertools import cycle, islice, product
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

IS_SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"


def covering(*axes: Sequence[Any], is_soak: bool = IS_SOAK) -> list[Any]:
    """Return parameter rows in which each value of each axis occurs.

    In a soak run the rest of the product follows, marked `soak`; other runs do not even collect it. Axes whose lengths
    share a factor meet only in some pairs: where a certain pair matters, name it in a test of its own.
    """
    rows = max(map(len, axes))
    chosen = list(zip(*(islice(cycle(range(len(axis))), rows) for axis in axes), strict=True))

    def values(row: tuple[int, ...]) -> tuple[Any, ...]:
        return tuple(axis[index] for axis, index in zip(axes, row, strict=True))

    rest = sorted(set(product(*map(range, map(len, axes)))) - set(chosen)) if is_soak else []
    return [values(row) for row in chosen] + [pytest.param(*values(row), marks=pytest.mark.soak) for row in rest]


def sample(values: Sequence[Any], count: int, *, is_soak: bool = IS_SOAK) -> list[Any]:
    """Return `count` of the values, spread from the first to the last; a soak run adds the rest, marked `soak`."""
    count = min(count, len(values))
    chosen = {round(index * (len(values) - 1) / max(count - 1, 1)) for index in range(count)}
    marked = [pytest.param(value, marks=pytest.mark.soak) for index, value in enumerate(values) if index not in chosen]
    return [values[index] for index in sorted(chosen)] + (marked if is_soak else [])


def wider_in_soak(test: Any) -> Any:
    """Decorate a test that tries more where `IS_SOAK`: it runs in `make soak`, too."""
    return pytest.mark.soak(test) if IS_SOAK else test


def examples(few: int, many: int = 100) -> Callable[[Any], Any]:
    """Decorate a property that tries `few` examples (or as few as the profile says), and `many` in `make soak`."""
    chosen = settings(
        max_examples=many if IS_SOAK else min(few, settings().max_examples),
        # Suites of several games inherit a shared property; the time of an example depends on the machine.
        suppress_health_check=[
            HealthCheck.differing_executors, HealthCheck.function_scoped_fixture, HealthCheck.too_slow
        ],
    )  # fmt: skip
    return lambda test: wider_in_soak(chosen(test))
