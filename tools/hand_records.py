"""Write the types of fields in `docs/reference/hand-records.md`: `python -m tools.hand_records`."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct, UnsetType, structs

from ledger.events import Amount, CardsExchanged, CardTurned, PartnerCalled, TrumpNamed, Zone
from ledger.games import BUILT_IN
from ledger.games.kernel.protocol import Game
from ledger.recording.forms import option_text
from ledger.recording.hand import file as hand_file
from ledger.recording.hand.file import ActLines, CardText, HandSlug, PlayerName, UtcOffset, is_moment
from ledger.recording.hand.seats import is_of_teams, is_seat

PAGE: Final = Path(__file__).parents[1] / "docs" / "reference" / "hand-records.md"

TABLES: Final[Mapping[str, type[Struct]]] = {
    "file": hand_file.HandRecordFile,
    "session": hand_file.SessionPart,
    "deal": hand_file.DealPart,
    "deal.expect": hand_file.ExpectPart,
    "expect": hand_file.TableExpectPart,
}
"""The Struct of each table of keys on the page, by the name in its marker."""

_EVENTS: Final[Mapping[str, type]] = {
    "turned": CardTurned,
    "trump": TrumpNamed,
    "called": PartnerCalled,
    "exchange": CardsExchanged,
}
"""The event type that a key of a deal records, if not every game has it."""

_NAMED: Final[tuple[tuple[Any, str], ...]] = (
    (CardText, "cards"),
    (PlayerName, "player"),
    (HandSlug, "slug"),
    (UtcOffset, "offset"),
    (Zone, "time zone"),
    (Amount, "number"),
)
_KEY: Final = re.compile(r"^- `(?P<key>\w+)` \(.*?\): (?P<meaning>.*?)(?=\n- `|\n*\Z)", re.MULTILINE | re.DOTALL)


def with_types(page: str) -> str:
    """Return the page with the current types of all keys and fields."""
    for name, struct in TABLES.items():
        page = _replaced(page, f"keys of {name}", partial(_with_types, struct))
    return _replaced(page, "fields of games", lambda _: "\n".join(_fields()) + "\n")


def _replaced(page: str, marker: str, change: Callable[[str], str]) -> str:
    begin, end = f"<!-- {marker} -->\n", f"<!-- end of {marker} -->\n"
    assert page.count(begin) == page.count(end) == 1, f"the page has no place for the {marker}"
    before, _, rest = page.partition(begin)
    table, _, after = rest.partition(end)
    return before + begin + change(table) + end + after


def _with_types(struct: type[Struct], listed: str) -> str:
    """Return the list with a type after each key. Every key must be there once, in the order of the Struct."""
    items = list(_KEY.finditer(listed))
    hints = get_type_hints(struct, include_extras=True)
    fields = {field.encode_name: hints[field.name] for field in structs.fields(struct)}
    assert [item["key"] for item in items] == list(fields), f"{[item['key'] for item in items]} are not {[*fields]}"
    lines = [
        _bullet(f"`{item['key']}` ({_of(item['key'], fields[item['key']])}): {' '.join(item['meaning'].split())}")
        for item in items
    ]
    return "\n" + "\n".join(lines) + "\n\n"


def _bullet(text: str) -> str:
    return textwrap.fill(f"- {text}", 119, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)


def _of(key: str, hint: Any) -> str:
    if is_moment(key):
        return "date" if key == "date" else "date and time"
    event = _EVENTS.get(key)
    games = [game.title for game in BUILT_IN if event in game.event_types]
    return " or ".join(_types(hint)) + (f"; {', '.join(games)}" if event else "")


def _fields() -> Iterator[str]:
    for game in BUILT_IN:
        others = [other for other in BUILT_IN if other.package == game.package]
        if others[0] is not game:
            continue
        titles = " and ".join(other.title for other in others)
        for key, struct in (("result", game.outcome_type), ("sheet", game.sheet_type)):
            hints = get_type_hints(struct, include_extras=True)
            types = {
                field.encode_name: " or ".join(_types(hints[field.name], game)) for field in structs.fields(struct)
            }
            yield from ("", f"{titles}, `{key}`:", "")
            for shared, group in groupby(types.items(), key=itemgetter(1)):
                names = ", ".join(f"`{name}`" for name, _ in group)
                yield _bullet(f"{names}: {shared}")
    yield ""


def _types(hint: Any, game: Game | None = None) -> Iterator[str]:
    """Yield each alternative of a type in words."""
    notes = getattr(hint, "__metadata__", ())
    named = next((words for known, words in _NAMED if all(note in notes for note in known.__metadata__)), None)
    origin, parts = get_origin(hint), get_args(hint)
    if hint == ActLines:
        yield "lines"
    elif named is not None:
        yield named
    elif origin in (Union, UnionType):
        yield from (words for part in parts for words in _types(part, game))
        is_team = game is not None and any(is_of_teams({*get_args(part)}, game) for part in parts)
        if NoneType in parts and (is_team or UnsetType in parts):
            yield "`none`"
    elif hint is NoneType or hint is UnsetType:
        return
    elif origin is Annotated:
        yield from _annotated(hint, parts[0], next(extra for extra in parts[1:] if isinstance(extra, Meta)), game)
    elif origin is Literal:
        is_team = game is not None and is_of_teams(set(parts), game)
        yield "player of the team" if is_team else ", ".join(f"`{option_text(part)}`" for part in parts)
    elif origin in (list, tuple):
        yield _list_of(parts, game)
    elif origin is dict:
        (key,) = _types(parts[0], game)
        yield "table" if parts[1] is Any else f"{' or '.join(_types(parts[1], game))} by {key}"
    elif isinstance(hint, type) and issubclass(hint, Struct):
        yield _struct(hint, game)
    else:
        yield {bool: "`true`, `false`", str: "text", int: "number"}[hint]


def _annotated(hint: Any, kind: Any, meta: Meta, game: Game | None) -> Iterator[str]:
    if is_seat(hint):
        yield "player"
    elif kind is int:
        yield f"{meta.ge or 0} to {meta.le:,}"
    elif kind is str and meta.max_length:
        yield "text"
    elif get_origin(kind) is list and meta.max_length:
        yield f"{_list_of(get_args(kind), game)}, at most {meta.max_length:,}"
    else:
        yield from _types(kind, game)


def _list_of(parts: tuple[Any, ...], game: Game | None) -> str:
    (words,) = _types(parts[0], game)
    is_by_seat = parts[-1] is Ellipsis and (words == "number" or " to " in words)
    if is_by_seat:
        return f"{words} by player"
    if len(parts) == 1 or parts[-1] is Ellipsis:
        return f"list of {words}s" if words in ("player", "table", "text") else f"list of {words}"
    return f"list of {len(parts)}, each {words}"


def _struct(struct: type[Struct], game: Game | None) -> str:
    if struct in TABLES.values():
        return "table"
    hints = get_type_hints(struct, include_extras=True)
    fields = (
        f"`{field.encode_name}` {' or '.join(_types(hints[field.name], game))}" for field in structs.fields(struct)
    )
    return f"tables of {', '.join(fields)}"


if __name__ == "__main__":
    PAGE.write_text(with_types(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
