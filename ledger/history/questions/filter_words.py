"""Which filters hold, in words: below a table, and above a plot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from ledger.games import registered_games
from ledger.history.questions.seasons import SEASON, SEASON_FROM, season_named
from ledger.i18n import labels

_label: Final = labels("ledger.history")


def filters_told(filters: Mapping[str, Any], names: Mapping[str, str], lang: str) -> str:
    """The filters that hold, each in few words; empty where none does. `names`: what is shown for players."""
    held = _with_season_named(filters)
    told = [words for key, value in held.items() for words in _told(key, value, names, lang)]
    return _label(lang, "filter.and").join(told)


def _with_season_named(filters: Mapping[str, Any]) -> Mapping[str, Any]:
    """When seasons begin leaves out nothing by itself; a season is told by its own name."""
    held = {key: value for key, value in filters.items() if key != SEASON_FROM}
    return held | {key: season_named(held[key], filters.get(SEASON_FROM)) for key in (SEASON,) if key in held}


def _told(key: str, value: Any, names: Mapping[str, str], lang: str) -> Iterator[str]:
    match key:
        case "since" | "until" | "place" | "season" | "seat":
            yield _label(lang, f"filter.{key}", **{key: value})
        case "player":
            yield names.get(value, value)
        case "weekday":
            yield _label(lang, f"filter.{value}")
        case "game":
            known = registered_games().get(value)
            yield value if known is None else known.called.in_words(lang)
        case "option":
            yield from (f"{name}={_option_value(chosen)}" for name, chosen in value.items())
        case _:
            yield str(value)


def _option_value(value: Any) -> str:
    """As it is typed after `--option NAME=`."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
