"""Forty tasks of people at the pages, in as many steps as `tasks.txt` says; every shown link leads somewhere."""

from __future__ import annotations

import html
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest

from ledger.events import DisputeRaised
from ledger.i18n import LANGUAGES
from ledger.service.running import Settings
from ledger.web import handlers  # noqa: F401 - each module declares its pages
from ledger.web.http.routing import HTML, PAGES, PREFIX, ROUTES, Routes
from tests.covering import IS_SOAK, covering
from tests.hand_records import REPLAYS
from tests.site.house import house_of
from tests.web.attacking import Attacked, Clients, attacked, clients_by_role
from tests.web.lists import lines_in
from tests.web.pages.visitor import Visitor
from tests.web.serving import OMBRE, ledger_with

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


WHO: Final = (
    "nobody", "viewer", "recorder", "director", "admin", "bound", "seated", "opener", "other", "loopback", "public"
)  # fmt: skip
_LINK: Final = re.compile(r'\b(?:href|src|poster)="([^"]+)"')
UNLINKED: Final = {
    "/embed/{table}/{deal}/{step}", "/problems/{code}", "/record/{table}/now",
    "/t/{table}/disputes/{dispute}/withdraw",
}  # fmt: skip
"""Pages without a link here: for other sites, of errors, a part of a page, and for the person who raised a dispute."""
_OF_A_ROUTE: Final = 12 if IS_SOAK else 1
"""The number of addresses that are followed of each route."""


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clients]:
    records = (REPLAYS / "ombre/revoke.toml", *sorted((REPLAYS / "session").glob("*.toml")))
    streams = {
        "ours": [*OMBRE, DisputeRaised(deal=1, text="a word too much", seat=0)],
        "theirs": OMBRE,
        "ombre-revoke": [DisputeRaised(deal=1, text="the Baron had a diamond")],
    }
    with clients_by_role(*(ledger_with(tmp_path_factory.mktemp(one), streams, *records) for one in "ab")) as one:
        yield one


@pytest.mark.parametrize(("who", "lang"), covering(WHO, LANGUAGES))
def test_every_link_leads_somewhere(clients: Clients, who: str, lang: str) -> None:
    service, how = clients[who]
    routes = {"": Routes(PAGES), PREFIX: Routes(ROUTES)}
    to_do, seen, followed = [("/", f"/?lang={lang}")], {"/"}, Counter[str]()
    while to_do:
        source, address = to_do.pop(0)
        plain, fragment = urldefrag(address)
        path = urlsplit(plain).path
        prefix = PREFIX if path.startswith(f"{PREFIX}/") else ""
        match = routes[prefix].find([unquote(one) for one in path.removeprefix(prefix).split("/")[1:]])
        assert match is not None and "GET" in match.methods, f"{source} leads to {address}"
        route = prefix + match.methods["GET"].path
        followed[route] += 1
        if followed[route] > _OF_A_ROUTE:
            continue
        reply = service.browse(plain, ("cookie", f"look={lang}.auto.en"), **how)
        assert reply.status < 400, f"{source} leads {who} to {address}: {reply.status}"
        if (reply.header("content-type") or "").partition(";")[0] != HTML.partition(";")[0] or reply.status >= 300:
            continue
        page = reply.body.decode()
        if not prefix:
            assert f'<html lang="{lang}"' in page, address
        assert not fragment or f'id="{fragment}"' in page, f"{source} leads to {address}, and nothing has this id"
        for link in map(html.unescape, _LINK.findall(page)):
            to = urljoin(plain, link)
            if "lang=" in to or urlsplit(to).netloc or not to.startswith("/") or to in seen:
                continue
            seen.add(to)
            to_do.append((plain, to))
    assert len(followed) >= 5
    if who == "loopback":
        pages = {one.path for one in PAGES if one.method == "GET" and HTML in one.media}
        assert pages - set(followed) == UNLINKED
