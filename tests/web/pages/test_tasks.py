"""Forty tasks of people at the pages, done as `tasks.txt` says, in as many steps as it says."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from ledger.service.running import Settings
from tests.site.house import house_of
from tests.web.attacking import Attacked, attacked
from tests.web.lists import lines_in
from tests.web.pages.visitor import Visitor

_HEAD: Final = re.compile(r"\[([\w ]+), (\d+): (.+)\]")
_SEEN: Final = re.compile(r"[\s\xa0\u2060]+")


class Task(NamedTuple):
    who: str
    steps: int
    name: str
    lines: Sequence[str]


def _tasks() -> Iterator[Task]:
    lines: list[str] = []
    for line in lines_in(Path(__file__).with_name("tasks.txt")):
        if (head := _HEAD.fullmatch(line)) is not None:
            lines = []
            yield Task(head[1], int(head[2]), head[3], lines)
        else:
            lines.append(line)


TASKS: Final = tuple(_tasks())

RIGHTS: Final[dict[str, dict[str, Any]]] = {
    "recorder": {"role": "recorder", "may_open": True},
    "player at home": {"role": "viewer"},
    "player at the table": {"role": "viewer", "tables": ("ombre-revoke",), "seat": 1},
    "director": {"role": "director", "hands": True},
    "statistician": {"role": "viewer"},
}
"""At the table a player has the link to a seat, at home the club's link; the service lets viewers query."""


READERS: Final = ("player at home", "statistician")
"""They change nothing, and share a service."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return house_of(tmp_path_factory.mktemp("house"))


@pytest.fixture(scope="module")
def library(house: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    path = Path(shutil.copy(house, tmp_path_factory.mktemp("library") / "club.ledger"))
    with attacked(path, Settings(viewers_query=True)) as service:
        yield service


@pytest.fixture
def service(request: pytest.FixtureRequest, task: Task, tmp_path: Path) -> Iterator[Attacked]:
    if task.who in READERS:
        yield request.getfixturevalue("library")
        return
    path = Path(shutil.copy(request.getfixturevalue("house"), tmp_path / "club.ledger"))
    with attacked(path, Settings()) as service:
        yield service


@pytest.mark.parametrize("task", TASKS, ids=[f"{one.who}: {one.name}" for one in TASKS])
def test_a_task_is_done_in_so_many_steps(task: Task, service: Attacked) -> None:
    name = f"reader-{TASKS.index(task)}" if task.who in READERS else "recorder-1"  # recorded the house's entries
    visitor = Visitor(service, token=service.token(name, **RIGHTS[task.who]))
    visitor.open("/")
    for line in task.lines:
        verb, _, words = line.partition(" ")
        if verb == "see":
            assert words in _SEEN.sub(" ", visitor.text), f"{visitor.path} shows {visitor.text}"
        elif verb == "fill":
            visitor.fill(*words.split(" = ", 1))
        else:
            {"go": visitor.go, "choose": visitor.choose, "press": visitor.press}[verb](words)
    assert visitor.steps == task.steps


def test_there_are_ten_tasks_of_each() -> None:
    assert Counter(one.who.partition(" ")[0] for one in TASKS) == dict.fromkeys(
        ("recorder", "player", "director", "statistician"), 10
    )
