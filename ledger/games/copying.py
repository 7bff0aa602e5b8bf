"""Copies of a deal's machinery, so that `check` may try an event and leave the state as it is."""

from __future__ import annotations

from typing import TypeVar

_Machine = TypeVar("_Machine")


def twin_of(machine: _Machine) -> _Machine:
    """A second machine in the same state: lists are its own, everything else is shared with the first.

    What is itself a machine the caller copies and puts in.
    """
    kind = type(machine)
    twin = kind.__new__(kind)
    for name in _fields_of(kind):
        value = getattr(machine, name)
        setattr(twin, name, value[:] if isinstance(value, list) else value)
    return twin


def _fields_of(kind: type[object]) -> tuple[str, ...]:
    """The attributes of a class with slots; a compiled class tells them under another name."""
    told_as = "__mypyc_attrs__" if hasattr(kind, "__mypyc_attrs__") else "__slots__"
    return tuple({name: None for ancestor in kind.__mro__ for name in vars(ancestor).get(told_as, ())})
