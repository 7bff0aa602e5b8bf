"""The refused requests of refusals.txt: the problem of each, and that none of them records anything."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from ledger.access.grants import Grant
from tests.contracts.log_builders import an_id
from tests.web.serving import ADMIN, DIRECTOR, NOBODY, RECORDER, SEER, VIEWER, Served

WHO: Final = {
    "nobody": NOBODY, "viewer": VIEWER, "recorder": RECORDER, "director": DIRECTOR, "seer": SEER, "admin": ADMIN,
    "bound": Grant(token="phone-1", role="viewer", tables=("open",)),
    "bound-director": Grant(token="director-3", role="director", tables=("open",)),
    "seated": Grant(token="seat-1", role="recorder", tables=("open",), seat=1),
    "elsewhere": Grant(token="r", role="recorder", tables=("mine",)),
    "opener-at-open": Grant(token="r", role="recorder", tables=("open",), may_open=True),
    "player": Grant(token="seat-1", role="viewer", tables=("ombre-revoke",), seat=1),
    "player-elsewhere": Grant(token="seat-1", role="viewer", tables=("mine",), seat=1),
}  # fmt: skip
DEFAULTS: Final = {
    "corrections": {"id": an_id(1), "action": "strike", "reason": "misread"},
    "disputes": {"id": an_id(1), "deal": 1},
    "rulings": {"id": an_id(1), "deal": 1},
}
"""The members that every body of such a request has."""


class Refusal(NamedTuple):
    who: str
    method: str
    path: str
    body: dict[str, Any] | None
    status: int
    code: str
    part: str


def refusals() -> Iterator[Refusal]:
    entries: dict[str, str] = {}
    section = ""
    for line in Path(__file__).with_name("refusals.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line
        elif section == "[entries]" and line:
            name, event = line.split(maxsplit=1)
            entries[name] = f'{{"id": "{an_id(100 + len(entries))}", "event": {event}}}'
        elif section and line:
            yield from refusals_of(line, entries)


def refusals_of(line: str, entries: dict[str, str]) -> Iterator[Refusal]:
    request, _, refused = line.rpartition(" | ")
    who, method, path, *text = request.split(" ", 3)
    status, code, *part = refused.split(" ", 2)
    body = None
    if text:
        text = [re.sub(r"\.\.\.<([\w-]+)>", lambda match: entries[match[1]].strip("{}") + "}", text[0])]
        body = json.loads(re.sub(r"<([\w-]+)>", lambda match: entries[match[1]], text[0]))
        body = {**DEFAULTS.get(path.rpartition("/")[2], {}), **body}
    for one in expanded(path):
        yield Refusal(who, method, one, body, int(status), code, "".join(part))


def expanded(path: str) -> list[str]:
    before, brace, rest = path.partition("{")
    if not brace:
        return [path]
    choices, _, after = rest.partition("}")
    return [before + choice + end for choice in choices.split(",") for end in expanded(after)]


@pytest.mark.parametrize("refusal", [*refusals()], ids=lambda one: f"{one.who} {one.method} {one.path} {one.code}")
def test_what_is_refused_is_a_problem_and_records_nothing(served: Served, refusal: Refusal) -> None:
    before = served.service.visible
    sent = {} if refusal.body is None else {"json": refusal.body}
    answer = served.ask(refusal.method, refusal.path, who=WHO[refusal.who], **sent)
    assert (answer.status_code, answer.json()["code"]) == (refusal.status, refusal.code), answer.text
    assert refusal.part in answer.text
    after = served.service.visible
    assert (after.head, after.names, after.persons) == (before.head, before.names, before.persons)
    assert served.service.hub.listening == 0
