"""Copies of state machines: what an event would do is tried on a twin.

Compiled classes can be made without `__init__`, and so copied, where `@mypyc_attr` allows interpreted subclasses.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar, cast

_Machine = TypeVar("_Machine")


def twin_of(machine: _Machine) -> _Machine:
    """A copy. Its lists are copied; everything else is shared, for the caller to replace where it can change."""
    kind = type(machine)
    twin = kind.__new__(kind)
    for name in (*_fields_of(cast(Any, kind)), *getattr(machine, "__dict__", ())):
        value = getattr(machine, name)
        setattr(twin, name, value[:] if type(value) is list else value)
    return twin


def become(machine: _Machine, other: _Machine) -> None:
    """Takes over all that another one of its kind is, which is not to be used any more."""
    kind: Any = type(other)
    for name in (*_fields_of(kind), *getattr(other, "__dict__", ())):
        setattr(machine, name, getattr(other, name))


@cache  # a fifth of what judging an act takes
def _fields_of(kind: type[Any]) -> tuple[str, ...]:
    """The attributes of classes with slots; compiled ones tell them under another name."""
    names: list[str] = []
    for ancestor in kind.__mro__:
        own = vars(ancestor)
        names.extend(name for name in own.get("__mypyc_attrs__", own.get("__slots__", ())) if name != "__dict__")
    return tuple(names)
