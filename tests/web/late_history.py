"""A read model that is built at the first query."""

from collections.abc import Callable, Hashable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from msgspec import structs

from ledger.history import History
from ledger.service.history import DEFAULT_BOUNDS, ServedHistory
from ledger.service.visibility import VisibleHead
from tests.patience import PATIENCE_S

Answer = TypeVar("Answer")


class LateHistory(ServedHistory):
    """A read model that is built at the first query: few tests need one, and building takes longest."""

    _is_begun = False

    def __init__(self, ledger: Path, visible: VisibleHead, *, zone: str) -> None:
        super().__init__(ledger, visible, bounds=structs.replace(DEFAULT_BOUNDS, patience_s=PATIENCE_S), zone=zone)

    def start(self) -> None:
        """Wait for the first query."""

    def _begin(self) -> None:
        if not self._is_begun:
            self._is_begun = True
            super().start()

    def is_level_with(self, *args: Any, **kwargs: Any) -> bool:
        self._begin()
        return super().is_level_with(*args, **kwargs)

    def query(self, work: Callable[[History], Answer], key: Hashable | None = None) -> Future[Answer]:
        self._begin()
        return super().query(work, key)

    def query_sql(self, work: Callable[[History], Answer]) -> Future[Answer]:
        self._begin()
        return super().query_sql(work)
