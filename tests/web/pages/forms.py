"""Pages and forms requested as a browser does, without one: their contents and redirects."""

import html
import re
from pathlib import Path
from typing import Any

import httpx

from ledger.access.grants import Grant
from tests.web.lists import lines_in
from tests.web.serving import RECORDER, Served


def answer_to(served: Served, method: str, path: str, who: Grant | None = RECORDER, **sent: Any) -> httpx.Response:
    headers = {"accept": "text/html", **sent.pop("headers", {})}
    if who is not None:
        headers["authorization"] = f"Bearer {served._access.secret_of(who)}"
    return served.run(served.client.request(method, path, headers=headers, **sent))


def shown(served: Served, path: str, status: int = 200, who: Grant | None = RECORDER, **how: Any) -> str:
    """Return the page's source; its status must be this one."""
    answer = answer_to(served, "GET", path, who, **how)
    assert answer.status_code == status, answer.text
    return answer.text


def sent(
    served: Served, path: str, fields: dict[str, str], status: int = 303, who: Grant | None = RECORDER
) -> httpx.Response:
    answer = answer_to(served, "POST", path, who, data=fields)
    assert answer.status_code == status, text_of(answer.text)
    return answer


def led_to(answer: httpx.Response) -> str:
    return answer.headers["location"]


def text_of(page: str) -> str:
    """Return the readable text of a page, in one line."""
    text = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", text))).replace("\ufe0e", "")


def hidden_in(page: str, name: str) -> str:
    match = re.search(rf'<input type="hidden" name="{name}" value="([^"]*)">', page)
    assert match is not None, name
    return match[1]


def rows_in(file: str) -> list[list[str]]:
    """Return the words of each line of a file next to this one, without remarks."""
    return [line.split() for line in lines_in(Path(__file__).with_name(file))]
