"""Methods for the 95 % interval of a mean that were weighed against each other, each for many samples at once.

A sample is a row; answered are the lower and the upper bounds. Statistics use none of this, but `mean_interval` in SQL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from statistics import NormalDist
from typing import Any, Final, TypeAlias

import numpy as np

Samples: TypeAlias = Any
Bounds: TypeAlias = tuple[Any, Any]

DRAWS: Final = 400
"""How often a bootstrap draws from each sample."""

_LOW, _HIGH = int(0.025 * DRAWS), int(0.975 * DRAWS) - 1
_AT_ONCE: Final = 200
_NORMAL: Final = NormalDist()
_Z: Final = _NORMAL.inv_cdf(0.975)


def student_t(freedom: int) -> float:
    """Half of the 95 % interval of Student's t, for four degrees of freedom or more (Fisher and Cornish 1960)."""
    z = _Z
    terms: tuple[float, ...] = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / freedom**power for power, term in enumerate(terms, 1)))


def plain_t(samples: Samples) -> Bounds:
    return t_with_more(samples, 0)


def t_with_more(samples: Samples, squares: int) -> Bounds:
    """Student's t, to whose sum of squares something is added."""
    size = samples.shape[1]
    mean = samples.mean(1)
    spread = ((samples - mean[:, None]) ** 2).sum(1) + squares
    half = student_t(size - 1) * np.sqrt(spread / (size - 1) / size)
    return mean - half, mean + half


def johnson(samples: Samples) -> Bounds:
    """Student's t, moved by the skewness (Johnson 1978)."""
    size = samples.shape[1]
    variance, third = _variance(samples), _third_moment(samples)
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = np.where(variance > 0, third / (6 * variance * size), 0)
    low, high = plain_t(samples)
    return low + shift, high + shift


def hall(samples: Samples) -> Bounds:
    """Student's t under a cubic transformation that takes the skewness out (Hall 1992)."""
    size = samples.shape[1]
    mean, deviation = samples.mean(1), np.sqrt(_variance(samples))
    with np.errstate(divide="ignore", invalid="ignore"):
        skew = np.where(deviation > 0, _third_moment(samples) / deviation**3, 0) / np.sqrt(size)
        by = np.where(np.abs(skew) > 1e-9, skew, 1e-9)
        ends = [3 / by * (np.cbrt(1 + by * (side * student_t(size - 1) - by / 6)) - 1) for side in (1, -1)]
    low, high = (mean - end * deviation / np.sqrt(size) for end in ends)
    return low, high


def bootstrap_t(samples: Samples) -> Bounds:
    """Bounds by the quantiles that t has among samples of the sample (Efron 1979)."""
    found = [_bootstrap_t(part, drawn) for part, drawn in _resampled(samples)]
    return np.concatenate([low for low, _ in found]), np.concatenate([high for _, high in found])


def _bootstrap_t(samples: Samples, drawn: Samples) -> Bounds:
    size = samples.shape[1]
    mean, error = samples.mean(1), np.sqrt(_variance(samples) / size)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (drawn.mean(2) - mean[:, None]) / (drawn.std(2, ddof=1) / np.sqrt(size))
    t = np.sort(np.where(np.isnan(t), 0, t), 1)  # as if all equal amounts were just the mean
    with np.errstate(invalid="ignore"):
        return mean - np.nan_to_num(t[:, _HIGH] * error), mean - np.nan_to_num(t[:, _LOW] * error)


def bca(samples: Samples) -> Bounds:
    """The bootstrap's quantiles, corrected for bias and acceleration (Efron 1987)."""
    found = [_bca(part, drawn) for part, drawn in _resampled(samples)]
    return np.concatenate([low for low, _ in found]), np.concatenate([high for _, high in found])


def _bca(samples: Samples, drawn: Samples) -> Bounds:
    mean, means = samples.mean(1)[:, None], np.sort(drawn.mean(2), 1)
    below = ((means < mean - 1e-9).mean(1) + (means <= mean + 1e-9).mean(1)) / 2
    bias = np.array([_NORMAL.inv_cdf(min(max(share, 1 / DRAWS), 1 - 1 / DRAWS)) for share in below])
    off = samples - mean
    with np.errstate(divide="ignore", invalid="ignore"):
        acceleration = np.nan_to_num((off**3).sum(1) / (6 * (off**2).sum(1) ** 1.5))
    bounds = []
    for side in (-_Z, _Z):
        moved = bias + (bias + side) / (1 - acceleration * (bias + side))
        at = [min(int(_NORMAL.cdf(z) * DRAWS), DRAWS - 1) for z in moved]
        bounds.append(means[np.arange(len(means)), at])
    return bounds[0], bounds[1]


def bayesian_bootstrap(samples: Samples) -> Bounds:
    """Quantiles of the means under random weights (Rubin 1981)."""
    chance = np.random.default_rng(2)
    lows, highs = [], []
    for part in _parts(samples):
        weights = chance.exponential(size=(len(part), DRAWS, part.shape[1]))
        means = np.sort((weights * part[:, None, :]).sum(2) / weights.sum(2), 1)
        lows.append(means[:, _LOW])
        highs.append(means[:, _HIGH])
    return np.concatenate(lows), np.concatenate(highs)


def _resampled(samples: Samples) -> Iterator[tuple[Samples, Samples]]:
    """Some samples at a time, and `DRAWS` samples of each."""
    chance = np.random.default_rng(1)
    for part in _parts(samples):
        count, size = part.shape
        chosen = chance.integers(0, size, (count, DRAWS * size))
        yield part, np.take_along_axis(part, chosen, 1).reshape(count, DRAWS, size)


def _parts(samples: Samples) -> Iterator[Samples]:
    for start in range(0, len(samples), _AT_ONCE):
        yield samples[start : start + _AT_ONCE]


def _variance(samples: Samples) -> Any:
    return samples.var(1, ddof=1)


def _third_moment(samples: Samples) -> Any:
    size = samples.shape[1]
    return ((samples - samples.mean(1)[:, None]) ** 3).sum(1) * size / ((size - 1) * (size - 2))


CLOSED: Final[Mapping[str, Callable[[Samples], Bounds]]] = {
    "Student's t": plain_t,
    "t, skewness after Johnson": johnson,
    "t, skewness after Hall": hall,
    "t with two squares more": lambda samples: t_with_more(samples, 2),
    "t with four squares more": lambda samples: t_with_more(samples, 4),
}
"""What formulas answer."""

DRAWN: Final[Mapping[str, Callable[[Samples], Bounds]]] = {
    "bootstrap-t": bootstrap_t,
    "BCa bootstrap": bca,
    "Bayesian bootstrap": bayesian_bootstrap,
}
"""What takes draws."""
