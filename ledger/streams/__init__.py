"""The kinds of stream: a prefix, and the events of the contract that streams of the kind accept.

Each package above has its own registry of kinds: `recording.validator.VALIDATORS` (valid next events),
`service.visibility.REDACTIONS` (visibility of entries), `history.model.projections.PROJECTIONS` (rows of the read
model) and the routes of `web`. Installed packages add their entries in a function that they name as an entry point in
the group `ledger.streams`; `tests/streams/survey` is one.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Annotated, Any, Final

from msgspec import Meta, Struct, structs

from ledger.events import SESSION_TYPES, STREAM_EXPECTED, STREAM_PATTERN, TABLE_TYPES
from ledger.validation import converted


class StreamType(Struct, frozen=True):
    """A kind of stream. `name`: the word before the slash in the names of its streams; `events`: the accepted types."""

    name: str
    events: frozenset[type]
    prefix: str = ""

    def __post_init__(self) -> None:
        structs.force_setattr(self, "prefix", self.name + "/")

    def stream(self, slug: str) -> str:
        """Return the name of the stream with this slug."""
        return self.prefix + slug

    def slug(self, text: str) -> str:
        """Return the slug in `table/ombre-1`, or in `ombre-1` alone."""
        return text.removeprefix(self.prefix)

    def has(self, stream: str) -> bool:
        """Return whether a stream is of this kind."""
        return stream.startswith(self.prefix)


TABLE: Final = StreamType("table", TABLE_TYPES)
SESSION: Final = StreamType("session", SESSION_TYPES)

STREAM_TYPES: Final[dict[str, StreamType]] = {kind.name: kind for kind in (TABLE, SESSION)}
"""The registry of kinds by name, in the order in which messages and schemas list them."""


def stream_types() -> list[StreamType]:
    """Return all kinds: the built-in ones, and those of installed packages."""
    load_packages()
    return list(STREAM_TYPES.values())


def stream_type(stream: str, field: str = "stream") -> StreamType:
    """Return the kind of a stream. Raise `MalformedError` about `field` if its prefix belongs to no kind."""
    name = stream.partition("/")[0]
    if name not in STREAM_TYPES:
        load_packages()
        known: Any = Annotated[str, Meta(pattern=name_pattern(), extra={"expected": STREAM_EXPECTED})]
        converted(stream, known, field)
    return STREAM_TYPES[name]


def name_pattern() -> str:
    """Return the pattern of stream names with the prefixes of all known kinds."""
    return STREAM_PATTERN.replace("[a-z]+", f"({'|'.join(kind.name for kind in stream_types())})", 1)


def with_prefixes(schema: Any) -> Any:
    """Return a JSON Schema in which names of streams have the prefixes of all known kinds."""
    if isinstance(schema, dict):
        return {key: with_prefixes(value) for key, value in schema.items()}
    if isinstance(schema, list):
        return [with_prefixes(value) for value in schema]
    return name_pattern() if schema == STREAM_PATTERN else schema


@cache
def load_packages() -> None:
    """Call the functions by which installed packages register their kinds."""
    for point in sorted(entry_points(group="ledger.streams"), key=lambda point: (point.name, point.value)):
        point.load()()
