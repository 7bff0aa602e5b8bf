"""Deals as they are read: every state, one of them with what was done, what is due now, and both readings."""

from __future__ import annotations

from typing import Final

from msgspec import json

from ledger import api
from ledger.events import Slug
from ledger.table.answers import NowAnswer, ReplayAnswer, StepAnswer
from ledger.table.repository import TableAsRead
from ledger.table.steps import fields_of, last_step, seat_named, step_answer
from ledger.table.two_readings import TwoReadings
from ledger.web.api.pictures import PNG, SVG
from ledger.web.http.links import beside, linked
from ledger.web.http.numbers import number_of
from ledger.web.http.reading import TableReading, check_seat, read_table, seen, table_asked, version_of
from ledger.web.http.request import Asked
from ledger.web.http.routing import JSON, NDJSON, Answer, route

TOML: Final = "application/toml"

_ENCODER: Final = json.Encoder()


@route(
    "GET",
    "/tables/{table}/deals/{deal}/readings",
    "viewer",
    query=TableReading,
    answers={200: TwoReadings},
    rests_on="table",
    problems=("not_found",),
)
def readings(asked: Asked, table: str, deal: str) -> Answer:
    """A deal as first written and as corrected, entry by entry; whatever reading is asked for, it tells both."""
    number = number_of(deal, "deal")
    check_seat(asked, table, number)
    read = read_table(asked, table)
    return Answer(body=api.readings(seen(asked), read, number, lang=asked.lang), headers=linked(asked))


@route(
    "GET",
    "/tables/{table}/deals/{deal}/steps",
    "viewer",
    query=TableReading,
    answers={200: list[ReplayAnswer]},
    media=(NDJSON, JSON),
    rests_on="table",
    problems=("not_found",),
)
def steps(asked: Asked, table: str, deal: str) -> Answer:
    """Every state of a deal, from before it started: one a line, or as a list."""
    number = number_of(deal, "deal")
    check_seat(asked, table, number)
    read = read_table(asked, table)
    states = [_ENCODER.encode(one) for one in api.replay_all(seen(asked), read, number, asked.query.seat)]
    at = f"/tables/{table}/deals/{number}"
    other = JSON if asked.media == NDJSON else NDJSON
    links = linked(asked, (beside(asked, f"{at}/steps"), other), latest=beside(asked, f"{at}/steps/last"))
    return Answer(body=told_as(asked.media, states), media_type=asked.media, headers=links)


def told_as(media: str, values: list[bytes]) -> bytes:
    """Values as JSON, one a line or as a list."""
    if media == NDJSON:
        return b"".join(value + b"\n" for value in values)
    return b"[" + b",".join(values) + b"]"


@route(
    "GET",
    "/tables/{table}/deals/{deal}/steps/{step}",
    "viewer",
    query=TableReading,
    answers={200: StepAnswer},
    rests_on="table",
    problems=("not_found",),
)
def step(asked: Asked, table: str, deal: str, step: str) -> Answer:
    """One state of a deal, with what led to it, what that broke, and what could lawfully have been done instead."""
    return _step(asked, table, number_of(deal, "deal"), number_of(step, "step"))


@route(
    "GET",
    "/tables/{table}/deals/{deal}/steps/last",
    "viewer",
    query=TableReading,
    answers={200: StepAnswer},
    rests_on="table",
    problems=("not_found",),
)
def step_last(asked: Asked, table: str, deal: str) -> Answer:
    """The last state of a deal, told as every other one."""
    return _step(asked, table, number_of(deal, "deal"), None)


def _step(asked: Asked, table: str, deal: int, step: int | None) -> Answer:
    check_seat(asked, table, deal)
    read = read_table(asked, table)
    answer = step_answer(read.slug, read.fold, deal, step, _seat(read, deal, asked.query.seat), asked.lang)
    at = f"/tables/{table}/deals/{deal}/steps"
    last = last_step(read.fold, read.fold.deal(deal))
    links = linked(
        asked,
        (beside(asked, f"{at}/{answer.step}.svg"), SVG),
        (beside(asked, f"{at}/{answer.step}.png"), PNG),
        prev=None if not answer.step else beside(asked, f"{at}/{answer.step - 1}"),
        next=None if answer.step == last else beside(asked, f"{at}/{answer.step + 1}"),
        latest=beside(asked, f"{at}/last"),
    )
    return Answer(body=answer, headers=links)


def _seat(read: TableAsRead, deal: int, told: str | None) -> int | None:
    return seat_named(read.fold.deal(deal).players, deal, told)


@route(
    "GET",
    "/tables/{table}/now",
    "viewer",
    query=TableReading,
    answers={200: NowAnswer},
    rests_on="table",
    problems=("not_found",),
)
def now(asked: Asked, table: str) -> Answer:
    """The state after the last act, and the version of the table; who records is told what may come next."""
    read = table_asked(asked, table)
    standing = {
        "table": read.slug,
        "version": version_of(asked, read),
        "status": "closed" if read.fold.is_closed else "open",
    }
    if read.fold.deals:
        state = fields_of(api.replay(seen(asked), read, seat=asked.query.seat))
        deal = f"/tables/{table}/deals/{state['deal']}"
        picture = (beside(asked, f"{deal}/steps/last.svg"), SVG)
        links = linked(asked, picture, latest=beside(asked, f"{deal}/steps/last"))
    else:
        state, links = {"legal": {}}, linked(asked)
    if not asked.grant.at_least("recorder"):
        del state["legal"]
    return Answer(body=NowAnswer(**{**state, **standing}), headers=links)


@route(
    "GET",
    "/tables/{table}/deals/{deal}.toml",
    "viewer",
    query=TableReading,
    answers={200: str},
    media=(TOML,),
    rests_on="table",
    problems=("not_found",),
)
def hand_record(asked: Asked, table: Slug, deal: str) -> Answer:
    """A deal as a hand record: a file that people read and type in."""
    number = number_of(deal, "deal")
    check_seat(asked, table, number)
    record = api.export_hand_record(seen(asked), read_table(asked, table), number)
    name = {"content-disposition": f'attachment; filename="{table}-{number}.toml"'}
    return Answer(body=record.text.encode(), media_type=TOML, headers={**linked(asked), **name})
