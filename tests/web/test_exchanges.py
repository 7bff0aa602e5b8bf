"""The exchanges of exchanges.txt: requests in their order, and what the answer to each contains."""

import json
import re
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from msgspec import structs, to_builtins

from ledger.access.grants import Grant
from tests.contracts.log_builders import an_id
from tests.table.test_hiding import WHOLE
from tests.web.lists import lines_in, section
from tests.web.serving import OMBRE, RECORDER, Served
from tests.web.test_refusals import DEFAULTS, WHO

FILE: Final = Path(__file__).with_name("exchanges.txt")
EVENTS: Final = dict(line.split(maxsplit=1) for line in section(FILE, "events")) | {
    f"{game}-{number}": json.dumps(to_builtins(event))
    for game, events in (("ombre", OMBRE), ("kop", WHOLE))
    for number, event in enumerate(events, 1)
}
CLIENTS: Final = {
    **WHO,
    "ann": structs.replace(RECORDER, name="Ann"),
    "at-open": structs.replace(RECORDER, tables=("open",)),
    "opener": structs.replace(RECORDER, may_open=True),
    "other-recorder": structs.replace(RECORDER, token="other"),
    "named-player": structs.replace(WHO["player"], name="Ben"),
    "other-seat": structs.replace(WHO["player"], token="seat-0", seat=0),
    "seat-2": structs.replace(WHO["player"], token="seat-2", seat=2),
    "other-token": structs.replace(WHO["player"], token="other-1"),
}


def exchanges() -> dict[str, list[str]]:
    by_title: dict[str, list[str]] = {}
    for line in lines_in(FILE):
        if line.startswith("== "):
            by_title[line.removeprefix("== ")] = lines = []
        elif line.startswith("after "):
            lines += by_title[line.removeprefix("after ")]
        elif by_title:
            lines.append(line)
    return by_title


EXCHANGES: Final = exchanges()


@pytest.mark.parametrize("title", EXCHANGES)
def test_an_exchange_takes_its_course(own: Served, title: str) -> None:
    answers: list[httpx.Response] = []
    for line in EXCHANGES[title]:
        request, _, expected = line.rpartition(" | ")
        status, _, content = expected.partition(" ")
        code, _, pattern = content.partition(" ") if content[:1].isalpha() else ("", "", content)
        again = re.fullmatch(r"again (\d+)", request)
        answer = sent(own, EXCHANGES[title][int(again[1]) - 1].rpartition(" | ")[0] if again else request)
        assert (answer.status_code, answer.json().get("code", "") if code else "") == (int(status), code), (
            f"{line}\n{answer.text}"
        )
        if again and answer.status_code == 200:
            assert answer.json() == {**answers[int(again[1]) - 1].json(), "already_recorded": True}, line
        if pattern.startswith('"'):
            assert json.loads(pattern) in answer.text, f"{line}\n{answer.text}"
        elif pattern:
            assert_contains(answer.json(), json.loads(in_full(pattern)), line)
        answers.append(answer)


def sent(served: Served, request: str) -> httpx.Response:
    who, method, path, *rest = request.split(" ", 3)
    text, headers, body = "".join(rest), {}, None
    if text.startswith("{"):
        text = re.sub(r"<(\d+) ([\w-]+)>", lambda entry: f'{{"id": {entry[1]}, "event": {EVENTS[entry[2]]}}}', text)
        body, end = json.JSONDecoder().raw_decode(in_full(text))
        body, text = {**DEFAULTS.get(path.rpartition("/")[2], {}), **body}, in_full(text)[end:]
    if text:
        name, _, value = text.strip().partition(":")
        headers[name.lower()] = value.strip()
    grant: Grant | None = CLIENTS[who]
    return served.ask(method, path, who=grant, headers=headers, **({} if body is None else {"json": body}))


def in_full(text: str) -> str:
    """Return JSON with its events and ids in full."""
    text = re.sub(r"<([\w-]+)>", lambda name: EVENTS[name[1]], text)
    return re.sub(r'("id": )(\d+)', lambda id: f'{id[1]}"{an_id(int(id[2]))}"', text)


def assert_contains(answer: Any, pattern: Any, line: str) -> None:
    """Check that an answer has all members of a pattern; its lists have as many items, or go on after `"..."`."""
    if isinstance(pattern, dict):
        for name, value in pattern.items():
            assert name in answer, f"{line}\n{answer}"
            assert_contains(answer[name], value, line)
    elif isinstance(pattern, list):
        items = pattern[:-1] if pattern[-1:] == ["..."] else pattern
        assert len(answer) == len(pattern) or (items != pattern and len(answer) >= len(items)), f"{line}\n{answer}"
        for one, other in zip(answer, items, strict=False):
            assert_contains(one, other, line)
    else:
        assert answer == pattern, f"{line}\n{answer}"
