"""Write `docs/reference/games.md`, the forms and options of every game: `python -m tools.games`."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

from msgspec import Meta, structs

from ledger.games import BUILT_IN
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.rulebook import load
from ledger.i18n import catalogue
from ledger.recording.forms import option_text, table_forms

PAGE: Final = Path(__file__).parents[1] / "docs" / "reference" / "games.md"

_HEAD: Final = """\
# Forms and options of every game

An option changes a rule for all deals of a table.
It is chosen when the table is opened; others have their defaults.
On the command line:

```sh
trickledger new friday-1 --game ombre --players Ann,Ben,Cleo --option all_pass=spadille_forced --option ante=10
```

In a [hand record](hand-records.md):

```toml
[options]
all_pass = "spadille_forced"
ante = 10
```

In the event [`table_opened`](contract.md), `options` is an object with the same names and values.

After the name of an option are its default and its other values, unless the text names them.
A number without a range may be 0 to 1,000,000.
The text of an option that is `true` or `false` holds if it is `true`.
At the end are its rules; `trickledger rules OMB-7.8` shows one.
"""

_USUAL_RANGE: Final = "0 to 1,000,000"

_NUMBERS: Final = re.compile(r"(?<![\d.-])(?:[A-Z]{3}-)?(\d+\.\d+)(?:[-–](\d+\.\d+))?")


def page() -> str:
    """Return the whole page."""
    return _HEAD + "".join(f"\n{line}" for game in BUILT_IN for line in _section(game)) + "\n"


def option_names(game: Game) -> list[str]:
    """Return the names of a game's options."""
    return [field.encode_name for field in structs.fields(game.option_type)]


def _section(game: Game) -> Iterator[str]:
    words = catalogue(game.package, "en")
    book = f"../../ledger/games/{game.package.rpartition('.')[2]}/rules.md"
    yield f"## {game.title}\n"
    yield f'`game = "{game.name}"`; [rulebook]({book})\n'
    forms = list(table_forms(game))
    if forms[0].form is None:
        yield f"Players: {' or '.join(str(form.seats) for form in forms)}.\n"
    else:
        yield from (f"- form `{form.form}`: {words[f'meaning.form_{form.form}']}" for form in forms)
        yield ""
    first = next(other for other in BUILT_IN if other.package == game.package)
    if first is not game:
        yield f"The options of {game.title} are those of [{first.title}](#{first.name}).\n"
        return
    rules = _rules(game)
    hints = get_type_hints(game.option_type, include_extras=True)
    for field in structs.fields(game.option_type):
        name = field.encode_name
        values = " or ".join(_values(hints[field.name]))
        default = f"`{option_text(field.default)}`" if field.default is not None else _unset(values)
        meaning = words[f"meaning.{name}"].removesuffix(".").removeprefix("The ").removeprefix("Whether ")
        shown = "; ".join(filter(None, (default, _others(values, default, meaning))))
        text = f"- `{name}` ({shown}): {meaning[0].upper()}{meaning[1:]} ({rules[name]})"
        yield textwrap.fill(text, 119, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)
    yield ""


def _others(values: str, default: str, meaning: str) -> str:
    """Return the values besides the default, unless the meaning or the head of the page says them."""
    others = [value for value in values.split(", ") if value != default]
    is_said = values in (_USUAL_RANGE, "`true`, `false`") or all(value in meaning for value in others)
    return "" if is_said else ", ".join(others)


def _unset(values: str) -> str:
    return "`none`" if "`none`" in values else "by form"


def _values(hint: Any) -> Iterator[str]:
    """Yield the allowed values of a type: a range of numbers, then words."""
    words = list(dict.fromkeys(_words(hint)))
    yield from _ranges(hint)
    if words:
        yield ", ".join(f"`{option_text(word)}`" for word in words)


def _words(hint: Any) -> Iterator[Any]:
    if hint is bool:
        yield from (True, False)
    elif get_origin(hint) is Annotated or hint is NoneType:
        return
    else:
        for part in get_args(hint):
            yield from _words(part) if isinstance(part, type) or get_args(part) else (part,)


def _ranges(hint: Any) -> Iterator[str]:
    if get_origin(hint) is Annotated:
        meta = next(extra for extra in hint.__metadata__ if isinstance(extra, Meta))
        step = f", a multiple of {meta.multiple_of}" if meta.multiple_of else ""
        yield f"{meta.ge} to {meta.le:,}{step}"
    else:
        for part in get_args(hint):
            yield from _ranges(part)


def _rules(game: Game) -> Mapping[str, str]:
    """Return the rule ids of each option, from the table of options in the rulebook."""
    section = next(one.text for one in load(game.package, "en").sections if one.title == "9. Options")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if "|" in line]
    heads = [head.lower() for head in rows[0]]
    option = heads.index("option")
    rules = next(place for place, head in enumerate(heads) if head.startswith("rules"))
    return {row[option].strip("`"): _ids(row[rules], game.rule_prefix) for row in rows[2:]}


def _ids(cell: str, prefix: str) -> str:
    """Return a cell with whole rule ids: `OMB-7.1, OMB-7.10 to 7.12`; numbers of sections remain."""

    def named(match: re.Match[str]) -> str:
        return f"{prefix}-{match[1]}" + (f" to {match[2]}" if match[2] else "")

    parts = (part if part.startswith("section") else _NUMBERS.sub(named, part) for part in re.split(r"; |, ", cell))
    return ", ".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
