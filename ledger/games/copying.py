"""Copies of a deal's machinery, so that `check` may try an event and leave the state as it is.

Compiled classes can be copied where they say so by `@mypyc_attr(serializable=True)`.
"""

from __future__ import annotations

from copy import copy
from typing import TypeVar

_Machine = TypeVar("_Machine")


def twin_of(machine: _Machine) -> _Machine:
    """A second machine in the same state: lists are its own, everything else is shared with the first.

    What is itself a machine the caller copies and puts in.
    """
    twin = copy(machine)
    for name in _fields_of(type(machine)):
        value = getattr(machine, name)
        if isinstance(value, list):
            setattr(twin, name, value[:])
    return twin


def _fields_of(kind: type[object]) -> list[str]:
    """The attributes of a class with slots; a compiled class tells them under another name."""
    told_as = "__mypyc_attrs__" if hasattr(kind, "__mypyc_attrs__") else "__slots__"
    return [name for ancestor in kind.__mro__ for name in vars(ancestor).get(told_as, ())]
