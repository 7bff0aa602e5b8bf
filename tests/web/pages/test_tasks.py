"""Forty tasks of people at the pages, done as `tasks.txt` says, in as many steps as it says."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from ledger.service.running import Settings
from tests.site.house import house_of
from tests.web.attacking import attacked
from tests.web.lists import lines_in
from tests.web.pages.visitor import Visitor

_HEAD: Final = re.compile(r"\[(\w+), (\d+): (.+)\]")
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
    "player": {"role": "viewer", "tables": ("ombre-revoke",), "seat": 1},
    "director": {"role": "director", "hands": True},
    "statistician": {"role": "viewer"},
}
"""A player has the link to their seat; the service lets viewers ask in SQL."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return house_of(tmp_path_factory.mktemp("house"))


@pytest.mark.parametrize("task", TASKS, ids=[f"{one.who}: {one.name}" for one in TASKS])
def test_a_task_is_done_in_so_many_steps(task: Task, house: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(house, tmp_path / "club.ledger"))
    with attacked(path, Settings(viewers_query=True)) as service:
        visitor = Visitor(service, token=service.token(f"{task.who}-1", **RIGHTS[task.who]))
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
