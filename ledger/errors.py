"""The few exception classes of the package, one for each kind of trouble; no module raises anything else on purpose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

SECRET_KEY_MARK: Final = "PRIVATE+KEY+"
"""What the text of a private key begins with (Go's package `note`)."""


class LedgerError(Exception):
    """Base of all errors that a user may see; `exit_status` is that of contract section 7."""

    exit_status = 3


@dataclass
class MalformedError(LedgerError):
    """Something that cannot be an entry at all: says what, where, the offending text and what was expected."""

    what: str
    expected: str | None = None
    text: str | None = None
    where: str | None = None

    exit_status = 3

    def at(self, where: str) -> MalformedError:
        """The same error with its place (file and line, or stream and version); a place known before is kept."""
        return replace(self, where=where if self.where is None else f"{where}, {self.where}")

    def __str__(self) -> str:
        message = self.what if self.text is None else f"{self.what}: {self._shown()}"
        if self.where is not None:
            message = f"{self.where}: {message}"
        return message if self.expected is None else f"{message}; expected {self.expected}"

    def _shown(self) -> str:
        """The text, unless it is what its owner must show to nobody."""
        return "a private key" if SECRET_KEY_MARK in str(self.text) else repr(self.text)


@dataclass
class AgainstRulesError(LedgerError):
    """Possible at a table, but forbidden: names the rule and what would be legal."""

    what: str
    code: str
    rule: str
    legal: Sequence[str] = ()
    where: str | None = None

    exit_status = 3

    def __str__(self) -> str:
        place = "" if self.where is None else f"{self.where}: "
        allowed = f"; legal here: {' '.join(self.legal)}" if self.legal else ""
        return f"{place}{self.what} ({self.code}, against {self.rule}){allowed}"


class ConflictError(LedgerError):
    """The log says no: wrong expected version, an id used for something else, the ledger is locked."""

    exit_status = 4


class UnreadableError(LedgerError):
    """The ledger cannot be read: missing, damaged, or not a ledger."""

    exit_status = 5


class NotFoundError(LedgerError):
    """A table, deal, step or rule was asked for that does not exist."""

    exit_status = 2


class QueryError(LedgerError):
    """A question that is not answered: faulty SQL, more than reading, or a bound that it hit."""

    exit_status = 2
