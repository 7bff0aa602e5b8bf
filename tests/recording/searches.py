"""How many examples a search draws where each is a table or a hand record; the profile of `make soak` draws more."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from tests.covering import IS_SOAK


def examples(count: int) -> settings:
    return settings() if IS_SOAK else settings(max_examples=count, suppress_health_check=[HealthCheck.too_slow])


FEW = examples(8)
SOME = examples(25)
