"""Copies of state machines, on which an event is tried without changing the original.

Compiled classes can be created without `__init__`, and so copied, if `@mypyc_attr` allows interpreted subclasses.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar, cast

_Machine = TypeVar("_Machine")


def twin_of(machine: _Machine) -> _Machine:
    """Return a shallow copy with copied lists. The caller replaces other fields that can change."""
    kind = type(machine)
    twin = kind.__new__(kind)
    for name in (*_fields_of(cast(Any, kind)), *getattr(machine, "__dict__", ())):
        value = getattr(machine, name)
        setattr(twin, name, value[:] if type(value) is list else value)
    return twin


def become(machine: _Machine, other: _Machine) -> None:
    """Give the machine all fields of another of its class. The other one is not to be used any more."""
    kind: Any = type(other)
    for name in (*_fields_of(kind), *getattr(other, "__dict__", ())):
        setattr(machine, name, getattr(other, name))


@cache  # saves a fifth of the time of judging an act
def _fields_of(kind: type[Any]) -> tuple[str, ...]:
    """Return the attributes of a class with slots; compiled classes list them under another name."""
    names: list[str] = []
    for ancestor in kind.__mro__:
        own = vars(ancestor)
        names.extend(name for name in own.get("__mypyc_attrs__", own.get("__slots__", ())) if name != "__dict__")
    return tuple(names)
