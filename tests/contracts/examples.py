"""How many examples a property is tried with: few in `make test`, many in `make soak`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.covering import IS_SOAK

MANY = 200
SUPPRESSED = (HealthCheck.differing_executors, HealthCheck.too_slow)
"""The first, as every game inherits the shared properties with strategies of its own; the other measures wall time."""


def examples(few: int, many: int = MANY) -> Callable[[Any], Any]:
    """Decorate a property: `few` examples (or as few as the profile says); in a soak run `many`."""

    def decorated(test: Any) -> Any:
        count = many if IS_SOAK else min(few, settings().max_examples)
        chosen = settings(max_examples=count, suppress_health_check=SUPPRESSED)(test)
        return pytest.mark.soak(chosen) if IS_SOAK else chosen

    return decorated
