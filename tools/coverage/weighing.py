"""How many of the intervals of the candidates hold the true mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tools.coverage.candidates import CLOSED, DRAWN
from tools.coverage.measuring import NEARLY, SAMPLES_TO_BOOTSTRAP, SIZES


def weighed(pooled: Sequence[int], samples: int) -> Iterator[tuple[str, dict[int, float]]]:
    """What the candidates come to, those that draw on fewer samples."""
    pool = np.asarray(pooled, dtype=float)
    truth = pool.mean()
    for methods, count in ((CLOSED, samples), (DRAWN, min(samples, SAMPLES_TO_BOOTSTRAP))):
        chance = np.random.default_rng(0)
        drawn = {size: chance.choice(pool, (count, size)) for size in SIZES}
        for name, method in methods.items():
            bounds = {size: method(sample) for size, sample in drawn.items()}
            yield (
                name,
                {
                    size: float(np.mean((low - NEARLY <= truth) & (truth <= high + NEARLY)))
                    for size, (low, high) in bounds.items()
                },
            )
