"""The exception classes of the package, one for each kind of trouble; no module raises others on purpose.

An error carries a stable code and values. It is put into words last, in the reader's language: programs use `code` and
`values`, people read `message`. `docs/reference/errors.md` explains each code.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Final, Literal, TypeAlias, get_args

from msgspec import Struct

from ledger.i18n import Phrase, Text, in_words, phrases, with_signs

SECRET_KEY_MARK: Final = "PRIVATE+KEY+"
"""The beginning of a private key's text (Go's package `note`)."""

UsageCode: TypeAlias = Literal[
    "usage", "not_found", "confirm_required", "unknown_parameter", "query_refused", "not_installed", "file",
]  # fmt: skip
RefusalCode: TypeAlias = Literal["malformed", "not_json", "too_large", "against_rules"]
ConflictCode: TypeAlias = Literal[
    "wrong_version", "id_used", "partly_recorded", "locked", "busy", "read_only", "exists", "changed", "not_next",
    "forked", "rolled_back", "other_past", "still_unscorable", "deal_open", "deal_shown",
]  # fmt: skip
UnreadableCode: TypeAlias = Literal[
    "no_ledger", "not_a_ledger", "too_new", "damaged", "no_space", "forbidden", "disk", "unreachable", "closed"
]
Code: TypeAlias = Literal[UsageCode, RefusalCode, ConflictCode, UnreadableCode]

EXIT_STATUSES: Final[Mapping[str, int]] = {
    **dict.fromkeys(get_args(UsageCode), 2),
    **dict.fromkeys(get_args(RefusalCode), 3),
    **dict.fromkeys(get_args(ConflictCode), 4),
    **dict.fromkeys(get_args(UnreadableCode), 5),
}
"""The exit status of each code (contract 7)."""

_phrase = phrases("ledger.i18n")
ERRORS_SHOWN: Final = 20
"""The most errors of one file that a message lists; it counts the rest."""

_LISTED: Final = 10
"""The most known names that a message lists."""

_FIELD: Final = re.compile(r"[a-z_]+(\.\w+|\[\d+\])*")


class ErrorDetail(Struct, frozen=True, omit_defaults=True):
    """The details of an error; members that do not apply are left out.

    `where` is the field at fault or, without one, the place; `text` is what was there. `file`, `line`, `stream`,
    `version` and `position` identify the entry. `known`: valid values. `actual`: the number found instead of the
    `expected` one. `limit`: the limit that was exceeded. `finding`, `rule`, `seat` and `legal` are those of an audit.
    """

    code: Code
    where: str | None = None
    text: str | None = None
    expected: str | int | None = None
    actual: int | None = None
    file: str | None = None
    line: int | None = None
    stream: str | None = None
    version: int | None = None
    position: int | None = None
    id: str | None = None
    known: tuple[str, ...] = ()
    limit: int | None = None
    finding: str | None = None
    rule: str | None = None
    seat: int | None = None
    legal: tuple[str, ...] = ()
    message: str = ""


class ErrorAnswer(Struct, frozen=True):
    """An error as programs receive it (contract 5)."""

    error: ErrorDetail


MEMBERS: Final = frozenset(ErrorDetail.__struct_fields__) - {"code", "message"}
"""The names of the values that an error may have."""


class LedgerError(Exception):
    """The base of all errors shown to users: a stable code, a message, and values.

    Values that occur in the message are taken from it, by their names; `values` adds the others.
    """

    code: Code

    def __init__(self, code: Code, said: Text, **values: Any) -> None:
        super().__init__(code, said)
        self.code = code
        self._said = said
        self._unsaid = values

    @property
    def said(self) -> Text:
        """The message, not yet in a language."""
        return self._said

    @property
    def exit_status(self) -> int:
        return EXIT_STATUSES[self.code]

    @property
    def values(self) -> dict[str, Any]:
        """The values by the names of `ErrorDetail`, without empty ones."""
        return _members(self.said) | _present(self._unsaid)

    def message(self, lang: str = "en") -> str:
        """Return the message in a language."""
        return in_words(self.said, lang)

    def answer(self, lang: str = "en") -> ErrorAnswer:
        """Return the error for programs, with its message in a language."""
        values: dict[str, Any] = {
            name: _writable(value) if type(value) is str else value for name, value in self.values.items()
        }
        return ErrorAnswer(ErrorDetail(self.code, **values, message=self.message(lang)))

    def __str__(self) -> str:
        return self.message()


@dataclass
class MalformedError(LedgerError):
    """Input that cannot be an entry: what is wrong, where, the offending text, and what was expected.

    `what` may be just the name of a field; otherwise `field` names it. `entry` and `batch`: the index of the entry
    among those sent together, and of its batch among several, from 0. `others`: further errors of the same file in the
    order of lines; the message lists them, the values are those of the first.
    """

    what: Text
    expected: Text | None = None
    text: Text | None = None
    where: Text | None = None
    field: str | None = None
    limit: int | None = None
    code: RefusalCode = "malformed"
    entry: int | None = None
    batch: int | None = None
    others: Sequence[MalformedError] = ()

    def at(self, where: Text) -> MalformedError:
        """Return the same error with its place (file and line, or stream and version); a known place is kept."""
        return replace(self, where=where if self.where is None else within(where, self.where))

    @property
    def values(self) -> dict[str, Any]:
        expected = None if self.expected is None else in_words(self.expected)
        text = None if self.text is None or SECRET_KEY_MARK in str(self.text) else str(self.text)
        return _placed(self.where, self.faulty_field) | _present(
            {"text": text, "expected": expected, "limit": self.limit}
        )

    @property
    def said(self) -> Text:
        words = self._said_alone()
        for other in self.others[: ERRORS_SHOWN - 1]:
            words = _phrase("refusal.another", what=words, another=other.said)
        if (left := len(self.others) + 1 - ERRORS_SHOWN) > 0:
            words = _phrase("refusal.more", what=words, count=left)
        return words

    def _said_alone(self) -> Text:
        words: Text = self.what
        if self.text is not None:
            words = _phrase("refusal.text", what=words, text=self._shown())
        if self.where is not None:
            words = _phrase("refusal.where", where=self.where, what=words)
        if self.expected is not None:
            is_act = isinstance(self.expected, Phrase) and self.expected.key.startswith("act.")
            key = "refusal.needed" if self.text is None or is_act else "refusal.expected"
            words = _phrase(key, what=words, expected=self.expected)
        return words

    @property
    def faulty_field(self) -> str | None:
        """The path of the field at fault, e.g. `event.seat`; None if the error is about something else."""
        if self.field is None and isinstance(self.what, str) and _FIELD.fullmatch(self.what):
            return self.what
        return self.field

    def _shown(self) -> Text:
        """Return the text, or a placeholder if it is a secret key."""
        if SECRET_KEY_MARK in str(self.text):
            return _phrase("refusal.private_key")
        return repr(self.text) if isinstance(self.text, str) else _phrase("refusal.quoted", text=self.text)


@dataclass
class AgainstRulesError(LedgerError):
    """A possible but forbidden action: names the irregularity, the rule, and what would be legal.

    `entry`, `batch`: as in `MalformedError`.
    """

    what: Text
    finding: str
    rule: str
    legal: Sequence[str] = ()
    where: Text | None = None
    seat: int | None = None
    code: RefusalCode = "against_rules"
    entry: int | None = None
    batch: int | None = None

    @property
    def values(self) -> dict[str, Any]:
        present = {"finding": self.finding, "rule": self.rule, "seat": self.seat, "legal": tuple(self.legal)}
        return _placed(self.where, None) | _present(present)

    @property
    def said(self) -> Text:
        words: Text = self.what
        if self.where is not None:
            words = _phrase("refusal.where", where=self.where, what=words)
        words = _phrase("refusal.rule", what=words, found=self.finding, broken=self.rule)
        if self.legal:
            words = _phrase("refusal.legal", what=words, allowed=" ".join(map(with_signs, self.legal)))
        return words


def together(errors: Sequence[MalformedError]) -> MalformedError:
    """Return one error for all errors of a file: the first, with the others."""
    first, *others = errors
    return replace(first, others=tuple(others)) if others else first


class ConflictError(LedgerError):
    """A conflict with the log: wrong expected version, an id used for something else, a locked ledger."""

    def __init__(self, code: ConflictCode, said: Text, **values: Any) -> None:
        super().__init__(code, said, **values)


class UnreadableError(LedgerError):
    """A ledger that cannot be read: missing, damaged, or not a ledger."""

    def __init__(self, code: UnreadableCode, said: Text, **values: Any) -> None:
        super().__init__(code, said, **values)


class SkippingDamage:
    """A context that suppresses `UnreadableError` for one member of a list, so that the others still count."""

    def __enter__(self) -> None:
        """Nothing is prepared."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        return isinstance(error, UnreadableError) and error.code == "damaged"


def refused_by_system(fault: int | None, said: Text) -> UnreadableError:
    """Return the error for a failed system call, by its errno: no space, no permission, or a faulty disk."""
    match fault:
        case errno.ENOSPC | errno.EDQUOT:
            return UnreadableError("no_space", said)
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return UnreadableError("forbidden", said)
        case _:
            return UnreadableError("disk", said)


class NotFoundError(LedgerError):
    """A table, deal, step or rule that does not exist."""

    def __init__(self, code: UsageCode, said: Text, **values: Any) -> None:
        super().__init__(code, said, **values)


class QueryError(LedgerError):
    """A query that is not answered: faulty SQL, not read-only, or over a limit."""

    def __init__(self, said: Text, **values: Any) -> None:
        super().__init__("query_refused", said, **values)


class UsageError(LedgerError):
    """A command used wrongly, or a file of the command line that cannot be read or written."""

    def __init__(self, code: UsageCode, said: Text, **values: Any) -> None:
        super().__init__(code, said, **values)


def within(outer: Text, inner: Text) -> Phrase:
    """Return a place within another one."""
    return _phrase("place.within", outer=outer, inner=inner)


def listed(known: Sequence[str]) -> Phrase:
    """Return the first few of the known names as a list for a message."""
    return _phrase("list.all" if len(known) <= _LISTED else "list.some", known=tuple(known[:_LISTED]))


def in_file(file: object) -> Phrase:
    """Return the place of a file."""
    return _phrase("place.file", file=file)


def in_stream(stream: str, version: int | None = None) -> Phrase:
    """Return the place of an entry of a stream, or of the whole stream."""
    if version is None:
        return _phrase("place.stream", stream=stream)
    return _phrase("place.version", stream=stream, version=version)


def at_position(position: int) -> Phrase:
    """Return the place of a position in the log."""
    return _phrase("place.position", position=position)


def in_line(line: int) -> Phrase:
    """Return the place of a line."""
    return _phrase("place.line_alone", line=line)


def line_of(file: Text, line: int) -> Phrase:
    """Return the place of a line in a file or other source."""
    return _phrase("place.line", file=file, line=line)


def _placed(place: Text | None, field: str | None) -> dict[str, Any]:
    """Return the members that name a place."""
    members = {} if place is None else _members(place)
    where = field if field is not None else None if place is None or members else in_words(place)
    return members | _present({"where": where})


def _writable(text: str) -> str:
    """Return the text with lone surrogates (invalid bytes of the command line) replaced, so that UTF-8 can hold it."""
    return text.encode("utf-8", "backslashreplace").decode()


def _members(text: Text) -> dict[str, Any]:
    """Return the values inside a phrase that programs receive; its own go before those of phrases inside it."""
    if isinstance(text, str):
        return {}
    own = {name: value for name, value in text.values.items() if name in MEMBERS}
    if own.get("text") is not None:
        own["text"] = str(own["text"])  # as typed, even if it was a number
    inner = [value for value in text.values.values() if isinstance(value, Phrase)]
    return {name: value for part in inner for name, value in _members(part).items()} | _present(own)


def _present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _plain(value) for name, value in values.items() if value is not None}


def _plain(value: Any) -> Any:
    """Return a value as JSON types."""
    if isinstance(value, tuple | list):
        return tuple(map(_plain, value))
    return value if isinstance(value, int | str) else str(value)
