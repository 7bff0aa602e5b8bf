"""Check whose card comes next when a phone continues a deal by itself: as the rules say, or unknown."""

import json
import subprocess
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.events import Event
from ledger.log import MemoryStore, NewEntry
from ledger.recording.board.keyboard import board_of
from ledger.recording.live import LiveTable
from ledger.recording.typed.situation import situation_in
from ledger.table.repository import TableAsRead
from ledger.text.site.recorder.screen import unchecked_acts
from tests.site.browser import script
from tests.site.tapping import acts_of
from tests.web.lists import section

APART = 9
"""The number of acts between the moments at which the connection is lost; announcements are further moments."""


def lost_moments(replay: str) -> list[dict[str, Any]]:
    """Return the page's state at each loss of the connection, and the acts of the deal that are tapped after it."""
    opened, acts = acts_of(replay)
    live = LiveTable.open(MemoryStore(), "t", msgspec.convert(opened, Event), by="Ann")
    moments = []
    for place, act in enumerate(acts):
        if place % APART == 0 or act["type"] in ("announced", "deal_started"):
            moments.append({"board": _board(live), "acts": _of_deal(acts[place:])})
        live.record([NewEntry(msgspec.convert(act, Event))], by="Ann", as_played=True)
    return moments


def _board(live: LiveTable) -> dict[str, Any]:
    fold = live.settled_as_seen
    now = situation_in(fold, tuple(fold.players))
    deal = fold.deals[-1].number if fold.deals else 1
    board: dict[str, Any] = msgspec.to_builtins(board_of(now, live.slug, live.version, deal, None))
    offline = unchecked_acts(TableAsRead(live.slug, fold), "en")
    return board | {"hand": offline.hand, "playing": offline.playing}


def _of_deal(acts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the acts up to where the next deal is scored, as results are not recorded without a connection."""
    ends = [place for place, act in enumerate(acts) if act["type"] == "result_recorded"]
    return acts[: min(ends, default=len(acts))]


REPLAYS = section(Path(__file__).with_name("deals.txt"), "continued without a connection")


@pytest.fixture(scope="module")
def followed(ci_requires: Callable[[str], str]) -> Mapping[str, list[tuple[dict[str, Any], list[Any]]]]:
    """Return each moment of each deal at which the connection is lost, and the seat shown as due at each later card."""
    lost = {replay: lost_moments(replay) for replay in REPLAYS}
    board = files("ledger.text.site").joinpath("scripts/board.js")
    command = [ci_requires("node"), "--no-warnings", "--input-type=module", "-e", script("followed.mjs"), str(board)]
    done = subprocess.run(command, input=json.dumps(lost), capture_output=True, text=True, check=True)
    dues_by_replay = json.loads(done.stdout)
    return {replay: list(zip(lost[replay], dues_by_replay[replay], strict=True)) for replay in REPLAYS}


def test_a_card_is_never_taken_for_somebody_elses(followed: Any) -> None:
    wrong = [
        (replay, one["board"], act, due)
        for replay, moments in followed.items()
        for one, dues in moments
        for act, due in zip(one["acts"], dues, strict=True)
        if act["type"] == "card_played" and due not in (None, act["seat"])
    ]
    assert wrong == []


def test_who_takes_a_trick_is_known_where_trumps_are(followed: Any) -> None:
    known = [
        (one, dues)
        for one, dues in followed["ombre/14a-defended-saved.toml"]
        if one["board"]["strength"] and one["acts"][0]["type"] == "card_played"
    ]
    assert known
    for one, dues in known:
        cards = [act["seat"] for act in one["acts"] if act["type"] == "card_played"]
        assert [due for act, due in zip(one["acts"], dues, strict=True) if act["type"] == "card_played"] == cards
