"""What a line may mean: acts of the game, or something that the recorder wants done."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

from ledger.events import Event

CommandName: TypeAlias = Literal[
    "help",
    "undo",
    "redo",
    "as_played",
    "result",
    "sheet",
    "note",
    "dispute",
    "dealer",
    "hands",
    "seat",
    "void",
    "leave",
]

LETTERS: Final[dict[str, CommandName]] = {
    "u": "undo", "y": "redo", "r": "result", "s": "sheet", "d": "dispute", "x": "dealer", "h": "hands",
    "w": "seat", "v": "void", "q": "leave",
}  # fmt: skip
WORDS: Final[dict[str, CommandName]] = {name: name for name in get_args(CommandName) if name != "as_played"}
_WITH_WORDS: Final = frozenset(("result", "sheet", "note", "dispute", "dealer", "hands", "seat", "void"))
"""Commands that take the rest of the line."""


class Acts(Struct, frozen=True):
    """What happened; `as_played`: though a rule was broken."""

    events: tuple[Event, ...]
    as_played: bool = False


class Command(Struct, frozen=True):
    """What the recorder wants done; `words`: the rest of the line, for commands that take it."""

    name: CommandName
    words: str = ""


class Nothing(Struct, frozen=True):
    """Enter alone, where several things may come."""


Meaning: TypeAlias = Acts | Command | Nothing


def commanded(name: CommandName, rest: str) -> tuple[Meaning, str]:
    """The command, and what is left of the line for those after it."""
    return (Command(name, rest.strip()), "") if name in _WITH_WORDS else (Command(name), rest)
