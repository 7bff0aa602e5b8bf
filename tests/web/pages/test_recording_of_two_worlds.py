"""Two ledgers that differ in two hidden cards: no recorder can distinguish them (contract of HTTP, section 4)."""

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from ledger.access.grants import Grant
from ledger.events import Corrected
from ledger.log.base import LogStore
from ledger.recording.live import LiveTable
from ledger.table.repository import TableAsRead
from ledger.text.site.recorder.acts import Signed
from ledger.text.site.recorder.screen import Recorder, Screen, screen_of
from tests.covering import IS_SOAK, wider_in_soak
from tests.service.two_worlds import GAMES, GAMES_AND_CHANGES, Change, two_worlds
from tests.web.every_page import RECORDING_FORMS
from tests.web.lists import lines_in
from tests.web.pages.forms import answer_to
from tests.web.serving import DIRECTOR, RECORDER, SEER, Served
from tests.web.two_clubs import both_served, worlds_of

PATHS = ("/record/t", "/record/t/now", "/record/t/now?below=1&lang=ja", "/record/t/deal", "/record/t/deal?lang=ja")
FORM_PAGES = ("/record", "/record/new", "/record/t/start", "/record/t/result", "/record/t/sheet", "/record/t/close")
OPENS = frozenset(("POST /record/{table}/close",))
"""Requests that end the deal, which is then open to everybody."""

RANDOM = re.compile(rb'(?<=name="ids" value=")[^"]*')
"""The random ids of entries in forms."""

WRITERS = (RECORDER, DIRECTOR)
NEWEST = "newest"
"""The placeholder for the current version of the table."""


def filled_in(versions: Sequence[int]) -> Mapping[str, Sequence[Mapping[str, str]]]:
    """Return the fields of each form of recording_forms.txt. `versions`: the newest entries of the table."""
    forms: dict[str, list[dict[str, str]]] = {}
    for line in lines_in(Path(__file__).with_name("recording_forms.txt")):
        if line.startswith("POST"):
            forms[line] = []
            continue
        for at in versions if "{up}" in line else reversed(versions) if "{down}" in line else versions[-1:]:
            words = re.sub(r"\{(up|down|last)\}", str(at), line)
            forms[list(forms)[-1]].append(dict(one.split("=", 1) for one in shlex.split(words)))
    return forms


def sent(served: Served, route: str, who: Grant, fields: Mapping[str, str]) -> tuple[int, str | None, bytes]:
    """Send a form and return its status, redirect and page."""
    form_data = dict(fields)
    at = {"table": "t", "session": "s", "dispute": "5", "deal": "1", "version": form_data.pop("at", "")}
    path = route.removeprefix("POST ").format(**at)
    if form_data.get("version") == NEWEST:
        form_data["version"] = str(newest(served))
    answer = answer_to(served, "POST", path, who, data=form_data)
    return answer.status_code, answer.headers.get("location"), RANDOM.sub(b"", answer.content)


def newest(served: Served) -> int:
    version: int = served.ok("/tables/t", who=SEER)["version"]
    return version


def page_of(served: Served, path: str, who: Grant) -> tuple[int, bytes]:
    answer = answer_to(served, "GET", path, who)
    return answer.status_code, RANDOM.sub(b"", answer.content)


def test_every_form_that_records_is_filled_in() -> None:
    assert set(filled_in([1])) == RECORDING_FORMS


@wider_in_soak
@pytest.mark.parametrize(("game", "change"), GAMES_AND_CHANGES)
def test_no_form_distinguishes_them(game: str, change: Change | None, tmp_path: Path) -> None:
    """Nor does a page after a form that has recorded something. Except in a soak run, games share the ways of filling
    in a form, and writers and pages take turns."""
    rows = worlds_of(game, change).first.read_stream("table/t")
    acts = [row.version for row in rows if not isinstance(row.event(), Corrected)][-4:]
    forms = filled_in(acts)
    assert list(forms)[-1] in OPENS
    statuses: dict[str, set[int]] = {}
    with both_served(game, change, tmp_path) as (first, second):
        before = looked_at = newest(first)
        for route, filled in forms.items():
            for number, fields in enumerate(filled if IS_SOAK else filled[GAMES.index(game) % 2 :: 2] or filled):
                for who in WRITERS if IS_SOAK or route in OPENS else (WRITERS[number % len(WRITERS)],):
                    answers = sent(first, route, who, fields)
                    assert answers == sent(second, route, who, fields), (route, fields, who)
                    statuses.setdefault(route, set()).add(answers[0])
            if route not in OPENS and newest(first) != looked_at:
                looked_at = newest(first)
                changes = [f"/record/t/deal/{version}{query}" for version in acts[-2:] for query in ("", "?do=strike")]
                paths = (*PATHS, *FORM_PAGES, *changes)
                for path in paths if IS_SOAK else paths[looked_at % 2 :: 2]:
                    assert page_of(first, path, RECORDER) == page_of(second, path, RECORDER), (route, path)
        for what in ("start", "deal", "deal/{version}", "close"):
            assert 303 in statuses[f"POST /record/{{table}}/{what}"], statuses
        assert newest(first) == newest(second) > before
        assert all(seen <= {200, 303, 403, 404, 409, 422} for seen in statuses.values()), statuses


@wider_in_soak
@pytest.mark.parametrize("game", GAMES)
def test_no_moment_of_a_deal_distinguishes_them(game: str) -> None:
    """At many moments: the offered acts, the fit of each key, the winners, and objections to cards."""
    seeds = 60 if IS_SOAK else 12
    compared = differ = 0
    for seed in range(seeds):
        worlds = two_worlds(game, seed, None)
        if worlds is not None:
            compared += 1
            assert screen(worlds.first) == screen(worlds.second), seed
            differ += screen(worlds.first, sees_hands=True) != screen(worlds.second, sees_hands=True)
    assert compared > seeds // 3
    assert differ > seeds // 12, "clients with hands can distinguish them"


def screen(store: LogStore, *, sees_hands: bool = False) -> Screen:
    live = LiveTable.resume(store, "t")
    signed = {row.version: Signed(row.recorded_by, row.recorded_at) for row in live.recorded_since(0)}
    who = Recorder(by="phone", is_director=True, lang="en")
    fold = live.settled if sees_hands else live.settled_as_seen
    return screen_of(TableAsRead("t", fold), live.version, signed, who)
