"""Short ways to send entries, and a table whose deal is open."""

from pathlib import Path
from typing import Any, Final

import httpx

from ledger.access.grants import Grant
from tests.contracts.log_builders import an_id
from tests.web.serving import OMBRE, RECORDER, Served, ledger_with

OPEN: Final = "/streams/table/open/entries"
"""The address for entries of the open table."""

PASS: Final = {"type": "bid_made", "seat": 1, "call": "pass"}
"""A legal event there."""


def an_open_table(folder: Path) -> Path:
    """Return a ledger with a table whose first deal is open, as `recorder-1` recorded it: four entries."""
    return ledger_with(folder, {"open": OMBRE})


def entry(number: int, event: Any, **more: Any) -> dict[str, Any]:
    return {"id": an_id(number), "event": event, **more}


def noted(number: int, text: str = "a cup was spilled") -> dict[str, Any]:
    return entry(number, {"type": "noted", "text": text})


def send(
    served: Served, *entries: dict[str, Any], to: str = OPEN, who: Grant | None = RECORDER, **more: Any
) -> httpx.Response:
    """Send entries. `more`: other members of the body, and `headers`."""
    headers = more.pop("headers", None)
    return served.post(to, {"entries": entries, **more}, who=who, headers=headers)


def problem_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]
