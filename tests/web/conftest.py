"""Fixtures of all tests in this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.history.quick_sandbox import forked_answers, quick_queries  # noqa: F401 - pytest finds them here
from tests.quick_history import quick_history  # noqa: F401 - pytest finds it here
from tests.web.club import club_of
from tests.web.sending import an_open_table
from tests.web.serving import Served, serving


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The club of club.py, for the tests of a file that only read."""
    with serving(club_of(tmp_path_factory.mktemp("club"))) as made:
        yield made


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Served]:
    """The club for one test, which may record."""
    with serving(club_of(tmp_path)) as made:
        yield made


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[Served]:
    """A table whose only deal is open, for one test, which may record."""
    with serving(an_open_table(tmp_path)) as made:
        yield made
