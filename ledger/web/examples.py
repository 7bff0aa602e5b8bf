"""What can be sent to each route, as examples: shown by OpenAPI, and run by the tests against a real ledger."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from ledger.web.routes import JSON

TOML: Final = "application/toml"


class Example(Struct, frozen=True, kw_only=True):
    """One request: parameters of path and query, and the body, of this content type. `route`: its name."""

    route: str
    name: str
    path: Mapping[str, str] = {}
    query: Mapping[str, str] = {}
    body: Any = None
    content_type: str = JSON
    status: int = 200


def _id(number: int) -> str:
    return f"0198f6a0-0000-7000-8000-{number:012d}"


_SPRING: Final = """\
game = "ombre"
table = "spring-1"
players = ["Margit", "Paulo", "Ines"]

[session]
slug = "spring"
title = "Spring evening"
date = 2026-03-20

[[deal]]
dealer = "Paulo"
stock = "H5 H3 S2 CA CK CQ C2 S5 SJ C6 D3 D2 H7"
calls = "pass entrada pass"
trump = "H"
exchange = ["DQ D5 > H5 H3", "SQ D4 CJ C3 > S2 CA CK CQ", "S7 DA DJ D7 C7 C5 C4"]
play = [
  "C2 H6 CQ", "SA HJ HQ", "HA CA HK", "CK C6 H5", "H2 S2 H7", "S5 SK S3", "DK D6 D3", "H4 S4 D2", "H3 S6 SJ",
]

[deal.hands]
Margit = "SA SK HA H6 H4 H2 DK DQ D5"
Paulo = "SQ S6 S4 S3 HJ D6 D4 CJ C3"
Ines = "S7 HK HQ DA DJ D7 C7 C5 C4"
"""

_HANDS: Final = (
    ("SA", "S2", "S3", "HK", "HQ", "D7", "D6", "CK", "CQ"),
    ("SK", "SQ", "SJ", "H7", "H6", "DK", "DQ", "C7", "C6"),
    ("S7", "S6", "S5", "HJ", "H5", "DJ", "D5", "CJ", "C5"),
)

_RESULT: Final = {"ombre": 0, "contract": "entrada", "trump": "S", "tricks": [5, 2, 2]}
_OTHER_RESULT: Final = {**_RESULT, "tricks": [3, 5, 1]}


def _written() -> tuple[Example, ...]:
    at_friday = {"kind": "table", "slug": "fri-1"}
    return (
        Example(
            route="import_file", name="tried", query={"dry_run": "true"}, body=_SPRING, content_type=TOML, status=200
        ),
        Example(route="import_file", name="hand record", body=_SPRING, content_type=TOML, status=201),
        Example(
            route="open_session",
            name="an evening",
            body={
                "id": _id(1),
                "slug": "friday",
                "event": {"type": "session_opened", "title": "Friday", "date": "2026-04-10", "zone": "Europe/London"},
            },
            status=201,
        ),
        Example(
            route="open_table",
            name="three at Ombre",
            body={
                "id": _id(2),
                "slug": "fri-1",
                "event": {
                    "type": "table_opened",
                    "game": "ombre",
                    "players": ["Ann", "Ben", "Cleo"],
                    "session": "friday",
                },
            },
            status=201,
        ),
        Example(
            route="record_entries",
            name="a deal known by its result",
            path=at_friday,
            body={
                "expected_version": 1,
                "entries": [
                    {"id": _id(3), "event": {"type": "deal_started", "deal": 1, "dealer": 1}},
                    {"id": _id(4), "event": {"type": "result_recorded", "outcome": _RESULT}},
                ],
            },
            status=201,
        ),
        Example(
            route="record_entries",
            name="a deal begins",
            path=at_friday,
            body={
                "entries": [
                    {"id": _id(5), "event": {"type": "deal_started", "deal": 2, "dealer": 2}},
                    {"id": _id(6), "event": {"type": "cards_dealt", "hands": _HANDS}},
                    {"id": _id(7), "event": {"type": "bid_made", "seat": 0, "call": "entrada"}},
                ],
            },
            status=201,
        ),
        Example(
            route="record_entries",
            name="played so, though against the rules",
            path=at_friday,
            body={
                "entries": [{"id": _id(8), "event": {"type": "bid_made", "seat": 1, "call": "entrada"}}],
                "as_played": True,
            },
            status=201,
        ),
        Example(
            route="record_batches",
            name="notes of an evening and of a table",
            body={
                "batches": [
                    {
                        "stream": "session/friday",
                        "entries": [{"id": _id(9), "event": {"type": "noted", "text": "the heating is off"}}],
                    },
                    {
                        "stream": "table/fri-1",
                        "entries": [{"id": _id(10), "event": {"type": "noted", "text": "a cup was spilled"}}],
                    },
                ]
            },
            status=201,
        ),
        Example(
            route="dispute",
            name="about a deal",
            path={"table": "fri-1"},
            body={"id": _id(11), "deal": 1, "seat": 1, "text": "the columns were read the wrong way"},
            status=201,
        ),
        Example(
            route="correct",
            name="tried",
            path={"table": "fri-1"},
            body={
                "id": _id(12),
                "version": 3,
                "action": "replace",
                "events": [{"type": "result_recorded", "outcome": _OTHER_RESULT}],
                "reason": "the columns were read the wrong way",
                "expected_version": 9,
                "dry_run": True,
            },
        ),
        Example(
            route="correct",
            name="a result read wrongly",
            path={"table": "fri-1"},
            body={
                "id": _id(12),
                "version": 3,
                "action": "replace",
                "events": [{"type": "result_recorded", "outcome": _OTHER_RESULT}],
                "reason": "the columns were read the wrong way",
                "expected_version": 9,
            },
            status=201,
        ),
        Example(
            route="rule_on",
            name="two counters change hands",
            path={"table": "fri-1"},
            body={
                "id": _id(13),
                "deal": 1,
                "kind": "adjust",
                "text": "agreed at the table",
                "deltas": [-2, 2, 0],
                "dispute": 9,
                "expected_version": 10,
                "confirm": True,
            },
            status=201,
        ),
        Example(route="show_name", name="a name to be shown", path={"name": "Ben"}, body={"name": "Benedikt"}),
        Example(
            route="save_query",
            name="a question to be kept",
            path={"name": "deals"},
            body={"sql": "SELECT count(*) AS deals FROM deals"},
            status=201,
        ),
        Example(
            route="query", name="how many deals", body={"sql": "SELECT count(*) AS deals FROM deals", "seconds": 5}
        ),
        Example(
            route="add_token",
            name="for whoever looks on",
            body={"id": "friends", "role": "viewer", "expires_at": "2099-12-31T23:00:00.000000Z"},
            status=201,
        ),
        Example(
            route="add_token",
            name="a code for a table",
            body={
                "kind": "code",
                "id": "friday-code",
                "role": "recorder",
                "tables": ["fri-1"],
                "expires_at": "2099-12-31T23:00:00.000000Z",
            },
            status=201,
        ),
        Example(route="sign_in", name="by a code that is wrong", body={"code": "0000 0000", "name": "Ann"}, status=401),
    )


def _read() -> tuple[Example, ...]:
    friday, spring = {"table": "fri-1"}, {"table": "spring-1"}
    deal = {**spring, "deal": "1"}
    return (
        *(
            Example(route=name, name="as it is")
            for name in (
                "root", "health", "ready", "openapi_document", "me", "streams", "tables", "sessions", "players",
                "statistics", "rules", "tokens", "queries", "export", "checkpoint",
            )
        ),
        Example(route="streams", name="of tables, one at a time", query={"prefix": "table/", "limit": "1"}),
        Example(route="entries", name="of a table", path={"kind": "table", "slug": "fri-1"}),
        Example(
            route="entries",
            name="what came since",
            path={"kind": "table", "slug": "fri-1"},
            query={"after_version": "7", "limit": "2"},
        ),
        Example(route="export", name="a part", query={"after": "1", "until": "3"}),
        Example(route="tables", name="of an evening", query={"session": "friday", "game": "ombre", "open": "true"}),
        Example(route="table", name="one", path=friday),
        Example(route="score", name="as corrected", path=friday),
        Example(route="score", name="as first written", path=friday, query={"reading": "recorded"}),
        Example(
            route="score",
            name="without rulings, in Japanese",
            path=friday,
            query={"without_rulings": "true", "lang": "ja"},
        ),
        Example(route="audit", name="one", path=friday),
        Example(route="disputes", name="one", path=friday),
        Example(route="case", name="of a dispute", path={**friday, "version": "9"}),
        Example(route="now", name="one", path=friday),
        Example(route="readings", name="one", path={**friday, "deal": "1"}),
        Example(route="steps", name="all", path=deal),
        Example(route="step", name="the tenth", path={**deal, "step": "10"}, query={"seat": "Margit"}),
        Example(route="step_last", name="the last", path=deal),
        Example(route="picture_svg", name="the last", path={**deal, "step": "last"}),
        Example(route="picture_png", name="twice the size", path={**deal, "step": "10"}, query={"scale": "2"}),
        Example(route="hand_record", name="one", path=deal),
        Example(route="session", name="one", path={"session": "spring"}),
        Example(route="standings", name="one", path={"session": "spring"}),
        Example(route="player", name="one", path={"name": "Margit"}),
        Example(route="statistic", name="standings", path={"name": "standings"}),
        Example(
            route="statistic",
            name="of one player",
            path={"name": "contracts"},
            query={"player": "Margit", "game": "ombre", "since": "2026-01-01", "session": "spring"},
        ),
        *(Example(route=f"plot_{form}", name="one", path={"name": "standings"}) for form in ("svg", "png", "json")),
        Example(route="saved_query", name="one", path={"name": "deals"}),
        Example(route="rules", name="that speak of tricks", query={"game": "ombre", "q": "trick", "limit": "5"}),
        Example(route="rule", name="one", path={"rule": "OMB-6.8"}),
        Example(route="receipt", name="of a deal", path={**spring, "deal": "1"}),
        Example(route="live", name="of one table", query={"streams": "table/fri-1", "after": "40"}),
    )  # fmt: skip


def _ended() -> tuple[Example, ...]:
    return (
        Example(route="erase_name", name="one", path={"name": "Ben"}, status=204),
        Example(route="remove_query", name="one", path={"name": "deals"}, status=204),
        Example(route="revoke_token", name="one", path={"id": "friends"}, status=204),
        Example(route="sign_out", name="this browser", status=204),
    )


STORY: Final = (*_written(), *_read(), *_ended())
"""All examples in the order in which they can be run, from an empty ledger on."""


def examples_of(route: str) -> dict[str, Example]:
    """The examples of a route by their names."""
    return {one.name: one for one in STORY if one.route == route}
