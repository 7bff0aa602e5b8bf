"""Copies of state machines: what an event would do is tried on a twin.

Compiled classes can be copied where they say so by `@mypyc_attr(serializable=True)`.
"""

from __future__ import annotations

from copy import copy
from typing import TypeVar

_Machine = TypeVar("_Machine")


def twin_of(machine: _Machine) -> _Machine:
    """A copy. Its lists are copied; everything else is shared, for the caller to replace where it can change."""
    twin = copy(machine)
    for name in (*_fields_of(type(machine)), *getattr(machine, "__dict__", ())):
        value = getattr(machine, name)
        if type(value) is list:
            setattr(twin, name, value[:])
    return twin


def _fields_of(kind: type[object]) -> list[str]:
    """The attributes of classes with slots; compiled ones tell them under another name."""
    names: list[str] = []
    for ancestor in kind.__mro__:
        own = vars(ancestor)
        names.extend(own.get("__mypyc_attrs__", own.get("__slots__", ())))
    return names
