"""Questions that were saved by name: .sql files in a folder beside the ledger, to be edited and shared as they are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from ledger import limits
from ledger.errors import ConflictError, NotFoundError
from ledger.log.companions import questions_of

_NAME: Final = re.compile(rf"[a-z0-9][a-z0-9_-]{{0,{limits.SLUG_CHARS - 1}}}")


def is_name(question: str) -> bool:
    """Whether this names a saved question; no SQL is a single word in small letters."""
    return _NAME.fullmatch(question) is not None


class SavedQuestions:
    """The saved questions of a ledger."""

    def __init__(self, ledger_path: Path) -> None:
        self.folder = questions_of(ledger_path)

    def names(self) -> list[str]:
        return sorted(path.stem for path in self.folder.glob("*.sql") if is_name(path.stem))

    def sql(self, name: str) -> str:
        """The question of that name; raises `NotFoundError` naming those that there are."""
        try:
            return self._path(name).read_text(encoding="utf-8")
        except FileNotFoundError:
            known = ", ".join(self.names()) or "none yet"
            raise NotFoundError(f"there is no saved question {name} in {self.folder}; there are: {known}") from None
        except UnicodeDecodeError:
            raise NotFoundError(f"the saved question {self._path(name)} is not UTF-8") from None

    def refuse_taken(self, name: str) -> None:
        """Raises `NotFoundError` for what cannot be a name, `ConflictError` for one that has a question."""
        if not is_name(name):
            expected = f"small letters, digits, - and _, up to {limits.SLUG_CHARS}"
            raise NotFoundError(f"{name!r} cannot be the name of a question; expected {expected}")
        if self._path(name).exists():
            raise ConflictError(f"{self._path(name)} exists; edit it, remove it, or take another name")

    def save(self, name: str, sql: str) -> Path:
        """Keep the question; raises as `refuse_taken`."""
        self.refuse_taken(name)
        self.folder.mkdir(exist_ok=True)
        path = self._path(name)
        with path.open("x", encoding="utf-8") as file:
            file.write(f"{sql.strip()}\n")
        return path

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.sql"
