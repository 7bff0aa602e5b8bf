"""Read the style sheet as a browser does: the value of a colour in each theme, and the contrast of two colours.

A custom property is resolved as CSS does: `initial` has no usable value, so a fallback applies.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

from ledger.text.site.files import STYLES, site_files

_TOKEN: Final = re.compile(r"(--[\w-]+):([^;{}]*);")
_VAR: Final = re.compile(r"var\(\s*(--[\w-]+)\s*(,)?")
_HEX: Final = re.compile(r"#(?:[0-9a-f]{6}|[0-9a-f]{3})")
_OFF: Final = ""
_ON: Final = "initial"


class Reading(NamedTuple):
    """A theme: light or dark, with normal or high contrast."""

    is_dark: bool
    is_strong: bool

    @property
    def name(self) -> str:
        return f"{'dark' if self.is_dark else 'light'}{'-strong' if self.is_strong else ''}"


READINGS: Final[Sequence[Reading]] = tuple(Reading(*one) for one in product((False, True), repeat=2))


def tokens(reading: Reading) -> Mapping[str, str]:
    """Return all custom properties on a screen as they are written."""
    switches = {
        "--light": _OFF if reading.is_dark else _ON,
        "--dark": _ON if reading.is_dark else _OFF,
        "--plain": _OFF if reading.is_strong else _ON,
        "--strong": _ON if reading.is_strong else _OFF,
    }
    text = site_files()[STYLES].content.decode().partition("@media print")[0]
    declared = {name: value.strip() for name, value in _TOKEN.findall(re.sub(r"/\*.*?\*/", "", text, flags=re.S))}
    return {**declared, **switches}


def colour(name: str, reading: Reading) -> tuple[int, int, int]:
    value = _resolved(f"var(--{name})", tokens(reading)).strip()
    assert _HEX.fullmatch(value), f"--{name} is {value!r} where it is {reading.name}"
    return rgb(value)


def rgb(value: str) -> tuple[int, int, int]:
    digits = value[1:] if len(value) == 7 else "".join(2 * digit for digit in value[1:])
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    """Return the contrast ratio of two colours (WCAG 2.2)."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(rgb: tuple[int, int, int]) -> float:
    parts = (part / 255 for part in rgb)
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _resolved(value: str, values: Mapping[str, str]) -> str:
    while (match := _VAR.search(value)) is not None:
        end = _end_of(value, match.start())
        named = values.get(match[1], _ON)
        if named == _ON:
            assert match[2], f"{match[1]} is nothing that could be used"
            put = _resolved(value[match.end() : end - 1], values)
        else:
            put = named
        value = value[: match.start()] + put + value[end:]
    return value


def _end_of(value: str, start: int) -> int:
    """Return the position after the bracket that closes the one opened at `start`."""
    depth = 0
    for place, sign in enumerate(value[start:], start):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and sign == ")":
            return place + 1
    raise AssertionError(f"not closed: {value[start:]}")
