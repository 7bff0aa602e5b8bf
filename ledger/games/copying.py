"""Copies of state machines: what an event would do is tried on a twin."""

from __future__ import annotations

from functools import cache
from typing import TypeVar

_Machine = TypeVar("_Machine")


def twin_of(machine: _Machine) -> _Machine:
    """A copy. Its lists are copied; everything else is shared, for the caller to replace where it can change."""
    kind: type = type(machine)
    twin = object.__new__(type(machine))
    for name in (*_slots_of(kind), *getattr(machine, "__dict__", ())):
        value = getattr(machine, name)
        object.__setattr__(twin, name, value[:] if type(value) is list else value)
    return twin


@cache
def _slots_of(kind: type) -> tuple[str, ...]:
    return tuple(name for base in kind.__mro__ for name in getattr(base, "__slots__", ()))
