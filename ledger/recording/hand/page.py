"""The text of a hand record and the line of each of its values, so that an error can name the line.

Places are computed on demand, after the text was parsed as TOML. They may therefore be less exact than those of a
parser, and deep paths, which would fill the memory, are cut off.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final, NamedTuple, TypeAlias, TypeVar

from ledger.errors import MalformedError, line_of, together
from ledger.i18n import Phrase, Text, in_words

KeyPath: TypeAlias = tuple[str | int, ...]
Answer = TypeVar("Answer")

_BLANKS: Final = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_KEY: Final = re.compile(r"""[ \t]*([A-Za-z0-9_-]+|"(?:\\.|[^"\\\n])*"|'[^'\n]*')[ \t]*""")
_BARE: Final = re.compile(r"[^,\]}#\n]*")
QUOTED: Final = re.compile(r'''"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*\'''', re.DOTALL)
_SHOWN: Final = 80
"""Characters of an offending text that a message shows."""
_STEPS_MAX: Final = 10
"""The longest path that is stored. Nothing in a hand record lies so deep, and 1 MB of it, nested 400 times, took 1.6
GB.
"""


class Span(NamedTuple):
    """The places where a statement begins, its value begins (None for a header), and the statement ends."""

    start: int
    value: int | None
    end: int


class Page:
    """A hand record as text. `source`: its name in messages. `errors`: those collected so far. `lost_keys`: the keys of
    lines that had to be left out.
    """

    def __init__(self, text: str, source: Text) -> None:
        self.source = source
        self.errors: list[MalformedError] = []
        self.lost_keys: set[str] = set()
        self._raised: MalformedError | None = None
        self._places: dict[KeyPath, int] = {}
        self._contents: dict[KeyPath, int] = {}
        self.read_as(text)

    def read_as(self, text: str) -> None:
        """Replace the text by one that can be read and has as many lines."""
        self.text = text
        self._places.clear()
        self._contents.clear()
        self._statements: list[Span] = []
        self._line_starts = [0, *(newline.end() for newline in re.finditer("\n", text))]
        self._is_scanned = False

    def attempt(self, read: Callable[[], Answer], otherwise: Answer) -> Answer:
        """Return the result of `read`; if it fails, collect its error and return `otherwise`."""
        try:
            return read()
        except MalformedError as error:
            self.errors.append(error)
            return otherwise

    def attempt_at(self, path: KeyPath, read: Callable[[], Answer], otherwise: Answer) -> Answer:
        """Call `read` as `attempt` does, and give its error the line of that path."""
        return self.attempt(lambda: self.at(path, read), otherwise)

    def raise_errors(self) -> None:
        """Raise all errors collected as one, if there are any."""
        if self.errors:
            raise self._together()

    def with_others(self, error: MalformedError) -> MalformedError:
        """Return one error of all collected before this one, which ended the reading, and this one itself."""
        if error is not self._raised:
            self.errors.append(error)
        return self._together()

    def _together(self) -> MalformedError:
        """Return all errors as one, in the order of their lines."""
        by_message: dict[str, MalformedError] = {}
        for error in self.errors:
            by_message.setdefault(str(error), error)
        self._raised = together(sorted(by_message.values(), key=lambda error: error.values.get("line", 0)))
        return self._raised

    def refuse(self, line: int, what: Text, expected: Text | None = None, text: object = None) -> MalformedError:
        """Return the error for something on that line."""
        shown = None if text is None else str(text)
        if shown is not None and len(shown) > _SHOWN:
            shown = shown[:_SHOWN] + "…"
        return MalformedError(what, expected, shown, self.where(line))

    def keep(self, line: int, what: Text, expected: Text | None = None, text: object = None) -> None:
        """Collect the error for something on that line."""
        self.errors.append(self.refuse(line, what, expected, text))

    def where(self, line: int) -> Phrase:
        """Return the line as a place for messages."""
        return line_of(self.source, line)

    def placed(self, error: MalformedError, line: int) -> MalformedError:
        """Return the error with its place in the file, unless it already has one."""
        return error if self.has_place_of(error) else error.at(self.where(line))

    def has_place_of(self, error: MalformedError) -> bool:
        """Return whether the error already has a place in this text."""
        return error.values.get("file") == in_words(self.source)

    def at(self, path: KeyPath, read: Callable[[], Answer]) -> Answer:
        """Return the result of `read`; an error gets the line of that path."""
        try:
            return read()
        except MalformedError as error:
            raise self.placed(error, self.line_of(*path)) from None

    def line_of(self, *path: str | int) -> int:
        """Return the line of a value, or of the innermost table around it whose place is known."""
        self._find_places()
        while path and path not in self._places:
            path = path[:-1]
        return self._places.get(path, 1)

    @property
    def statements(self) -> Sequence[Span]:
        """The headers and pairs of the text, which is known to be TOML."""
        self._find_places()
        return self._statements

    def lines_of(self, value: str | Sequence[str], *path: str | int) -> Iterator[tuple[int, str]]:
        """Yield the lines of a text value with their numbers in the file, without empty ones and comments."""
        self._find_places()
        if isinstance(value, str):
            first = self._contents.get(path, self.line_of(*path))
            last = len(self._line_starts)
            for place, line in enumerate(value.split("\n")):
                for part in re.split("[/／]", re.split("[#＃]", line, maxsplit=1)[0]):
                    if part.strip():
                        yield min(first + place, last), part
        else:
            for place, item in enumerate(value):
                yield from self.lines_of(item, *path, place)

    # Finding places

    def _find_places(self) -> None:
        if not self._is_scanned:
            self._is_scanned = True
            # A value without a place has that of its table.
            with suppress(IndexError, RecursionError, ValueError):
                self._scan()

    def _scan(self) -> None:
        position, prefix = 0, KeyPath()
        counts: dict[KeyPath, int] = {}
        while (position := self._after_blanks(position)) < len(self.text):
            start, value = position, None
            if self.text[position] == "[":
                is_array = self.text.startswith("[[", position)
                keys, position = self._keys(position + 1 + is_array)
                position += 1 + is_array
                prefix = self._header(keys, is_array, counts, start)
                self._places.setdefault(prefix, self._line_at(start))
            else:
                value, position = self._pair(position, prefix)
            self._statements.append(Span(start, value, position))

    def _header(self, keys: Sequence[str], is_array: bool, counts: dict[KeyPath, int], start: int) -> KeyPath:
        """Return the path of a table header; below an array of tables it belongs to the array's last table."""
        path: KeyPath = ()
        for place, key in enumerate(keys):
            path = _below(path, key)
            if is_array and place == len(keys) - 1:
                counts[path] = counts.get(path, -1) + 1
                self._places.setdefault(path, self._line_at(start))
            if path in counts:
                path = _below(path, counts[path])
        return path

    def _pair(self, position: int, prefix: KeyPath) -> tuple[int, int]:
        """Return where the value of a pair begins, and where it ends."""
        start = position
        keys, position = self._keys(position)
        path = _below(prefix, *keys)
        for length in range(len(prefix) + 1, len(path) + 1):
            self._places.setdefault(path[:length], self._line_at(start))
        value = self._after_blanks(position + 1)
        return value, self._value(value, path)

    def _keys(self, position: int) -> tuple[list[str], int]:
        keys = []
        while match := _KEY.match(self.text, position):
            key, position = match[1], match.end()
            keys.append(tomllib.loads(f"k = {key}")["k"] if key[0] in "\"'" else key)
            if not self.text.startswith(".", position):
                break
            position += 1
        return keys, position

    def _value(self, position: int, path: KeyPath) -> int:
        self._places.setdefault(path, self._line_at(position))
        opening = self.text[position]
        if opening in "\"'":
            match = QUOTED.match(self.text, position)
            if match is None:
                raise IndexError
            is_long = match[0][:3] in ('"""', "'''") and len(match[0]) > 5
            starts_below = is_long and self.text.startswith("\n", position + 3)
            self._contents[path] = self._line_at(position) + starts_below
            return match.end()
        if opening == "[":
            return self._items(position + 1, path)
        if opening == "{":
            return self._inline_table(position + 1, path)
        bare = _BARE.match(self.text, position)
        if bare is None or bare.end() == position:
            raise IndexError
        return bare.end()

    def _items(self, position: int, path: KeyPath) -> int:
        place = 0
        while self.text[position := self._after_blanks(position)] != "]":
            if self.text[position] == ",":
                position += 1
                continue
            position = self._value(position, _below(path, place))
            place += 1
        return position + 1

    def _inline_table(self, position: int, path: KeyPath) -> int:
        while self.text[position := self._after_blanks(position)] != "}":
            position = position + 1 if self.text[position] == "," else self._pair(position, path)[1]
        return position + 1

    def _after_blanks(self, position: int) -> int:
        match = _BLANKS.match(self.text, position)
        assert match is not None
        return match.end()

    def _line_at(self, position: int) -> int:
        return bisect_right(self._line_starts, position)


def _below(path: KeyPath, *steps: str | int) -> KeyPath:
    return (path + steps)[:_STEPS_MAX]
