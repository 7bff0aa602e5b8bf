"""A read model is made without the database's comments where no test asks for them: they take most of an empty one's
time, and each service that a test starts makes one.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ledger.history.model import schema


@pytest.fixture(autouse=True, scope="module")
def bare_history() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "_comments", lambda connection, statements: ())
        yield
