"""Two clubs that differ in hidden cards alone: without `hands`, no answer and no stream distinguishes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

import pytest

import ledger
from ledger.access.grants import Grant
from ledger.table.answers import AuditAnswer
from ledger.web import handlers  # noqa: F401 - it declares the routes
from ledger.web.http.routing import FORM, PAGES, ROUTES
from tests.contracts.log_builders import an_id
from tests.covering import IS_SOAK
from tests.service.two_worlds import GAMES
from tests.web.every_act import VERSION, WRITE, Act, plays
from tests.web.every_page import EVERY_PAGE, FORMS, RECORDING_FORMS
from tests.web.every_route import FOR_ALL, NDJSON, READ, RequestMaker, Situation
from tests.web.following import Listeners, OpenStream
from tests.web.lists import section
from tests.web.serving import DIRECTOR, SEER, VIEWER, Served
from tests.web.two_clubs import Club, OpenTable, a_club, served_alike

OF_MODEL: Final = ("GET /players/", "GET /standings", "GET /statistics/")
"""Routes whose answers take as long as 20 others; those of plots as long as 500."""


def test_every_route_has_its_line() -> None:
    """A new route is requested, too: it needs a line in `READ` or `WRITE`."""
    declared = [f"{one.method} {one.path}" for one in ROUTES]
    assert sorted(declared) == sorted([*READ, *WRITE, "GET /live"])


def test_every_page_has_its_line() -> None:
    """A new page is requested, too: it needs a line in `EVERY_PAGE`, a form one of its lists."""
    declared = [f"{one.method} {one.path}" for one in PAGES]
    assert sorted(declared) == sorted([*EVERY_PAGE, *FORMS, *RECORDING_FORMS])


class PlannedRequest(NamedTuple):
    """One request and its route. `is_page`: outside of `/api/v1`."""

    route: str
    act: Act
    accept: str | None = None
    slow: bool = False
    is_page: bool = False


class Answered(NamedTuple):
    status: int
    headers: list[tuple[str, str]]
    content: bytes


class Shown(NamedTuple):
    """The answers to a client that may see everything, by route, and the audits of the tables with all cards."""

    answers: Sequence[tuple[str, Answered]]
    audits: Sequence[AuditAnswer]


class ClubAnswers(NamedTuple):
    """All answers of one club: `alike` for everybody, to a client that may see hands, and when all deals had ended."""

    alike: Sequence[tuple[object, object]]
    to_seer: Shown
    opened: Shown


def bound_to(one: OpenTable) -> list[Grant]:
    """Return the clients that see only this table, and those at its seats."""
    link = Grant(token=f"link-{one.slug}", role="recorder", tables=(one.slug,))
    if one.seat is None:
        return [link]
    return [link, Grant(token=f"seat-{one.slug}", role="viewer", tables=(one.slug,), seat=one.seat)]


def situation_of(club: Club, seed: int, some: int) -> Situation:
    with ledger.open(club.first) as store:
        ids = {one.stream: [row.id for row in store.read_stream(one.stream)] for one in club.tables}
        records = {one.slug: ledger.export_hand_record(store, one.slug).text.encode() for one in club.tables}
    return Situation(club, Random(seed), some, ids, records)


def reads(situation: Situation) -> Iterator[PlannedRequest]:
    """Yield the requests of all reading routes, each by some clients; those of routes with few requests by all."""
    yield from reads_of(situation, READ)
    yield from reads_of(situation, EVERY_PAGE, is_page=True)


def reads_of(
    situation: Situation, every: Mapping[str, RequestMaker], *, is_page: bool = False
) -> Iterator[PlannedRequest]:
    chance, tables = situation.chance, situation.club.tables
    for place, (route, make_requests) in enumerate(every.items()):
        ways = list(make_requests(situation))
        for number, way in enumerate(ways):
            is_slow = way.slow or (way.costly and situation.is_brief)
            about = [one for one in tables if f"/{one.slug}/" in f"{way.path.partition('?')[0]}/"]
            others = [grant for one in about or tables[:2] for grant in bound_to(one)]
            everybody = [*FOR_ALL, *others]
            if is_slow:
                whos = [chance.choice([VIEWER, DIRECTOR]) if way.body else DIRECTOR]
            elif route.startswith("GET /plots/") or (situation.is_brief and route.startswith(OF_MODEL)):
                whos = chance.sample(everybody, situation.some)
            elif len(ways) < 5:
                whos = everybody[(place + number) % 2 :: 2 * len(ways)] if situation.is_brief else everybody
            else:
                whos = chance.sample(everybody, situation.some)
                whos += others[1:] if about or not situation.is_brief else []
            for who in whos:
                method = route.partition(" ")[0]
                act = Act(method, way.path, who, way.body)
                if is_page and way.body is not None:
                    act = Act(method, way.path, who, content=urlencode(way.body).encode(), media=FORM)
                yield PlannedRequest(route, act, way.accept, is_slow, is_page)
        if route.startswith("GET") and not (ways[0].costly and situation.is_brief):
            yield PlannedRequest(route, Act("HEAD", ways[0].path, VIEWER), ways[0].accept, is_page=is_page)


def answer_to(served: Served, request: PlannedRequest, who: Grant | None) -> Answered:
    act = request.act
    headers = {**act.headers, "accept": request.accept or "*/*"}
    sent: dict[str, Any] = {}
    if act.content is not None:
        sent["content"] = act.content
        headers["content-type"] = act.media
    elif act.json is not None:
        sent["json"] = {
            name: served.service.versions[act.about] if value == VERSION else value for name, value in act.json.items()
        }
    answer = served.ask(act.method, act.path, who=who, headers=headers, is_page=request.is_page, **sent)
    assert answer.status_code < 500, (request, answer.text)
    return Answered(answer.status_code, answer.headers.multi_items(), answer.content)


class Plan(NamedTuple):
    """The requests to both clubs, in this order; `plays` may end a deal, and some may need the read model."""

    reads: Sequence[PlannedRequest]
    acts: Sequence[PlannedRequest]
    later: Sequence[PlannedRequest]
    plays: Sequence[PlannedRequest]
    listening: Sequence[OpenStream]
    asks_model: bool = True


def plan_of(situation: Situation) -> Plan:
    first = list(reads(situation))
    done = [PlannedRequest(route, act) for route, acting in WRITE.items() for act in acting(situation)]
    later = [one for one in reads(situation) if situation.chance.random() < (0.1 if situation.is_brief else 0.2)]
    return Plan(
        first, done, later, [PlannedRequest("plays", act) for act in plays(situation)], list(listening(situation))
    )


def listening(situation: Situation) -> Iterator[OpenStream]:
    tables = situation.club.tables
    for who in (*FOR_ALL, *(grant for one in tables[:3] for grant in bound_to(one))):
        chosen = situation.chance.choice([one for one in tables if who is None or who.sees(one.slug)])
        for form in ("text/event-stream", NDJSON):
            yield OpenStream("/live?after=0", who, form)
            yield OpenStream("/live", who, form)
            yield OpenStream(f"/live?after=40&streams=session/s,{chosen.stream}", who, form)


def with_its_tag(request: PlannedRequest, answered: Answered) -> PlannedRequest | None:
    tag = dict(answered.headers).get("etag")
    if tag is None or request.act.method != "GET":
        return None
    return request._replace(act=request.act._replace(headers={"if-none-match": tag}))


def all_answers(path: Path, plan: Plan, tables: Sequence[OpenTable]) -> ClubAnswers:
    with served_alike(path) as (served, account):
        listeners = Listeners(served)
        served.run(listeners.join(plan.listening))
        if plan.asks_model:
            served.level()
        once = [
            one
            for number, one in enumerate(each_once(plan.reads))
            if IS_SOAK or number % 6 == 0 or name_of(one) in {AUDIT, FRAMED, *REVEALING, *REVEALING_LATER}
        ]
        to_seer = shown(served, once, tables, SEER)  # first, so that these answers are cached
        alike = list(answers(served, plan.reads))
        for request in plan.acts:
            alike.append((request, answer_to(served, request, request.act.who)))
            if plan.asks_model:
                served.level()
        assert are_hidden(served, tables), "an act has opened a deal"
        for request in each_once(plan.later):
            answer_to(served, request, SEER)
        alike += answers(served, plan.later)
        alike += zip(plan.listening, served.run(listeners.heard()), strict=True)
        alike += [("account", line) for line in account()]
        for request in plan.plays:
            answered = answer_to(served, request, request.act.who)
            if not are_hidden(served, tables):
                break
            alike.append((request, answered))
        close_all(served, tables)
        if plan.asks_model:
            served.level()
        revealing = [one for one in once if name_of(one) in {AUDIT, *REVEALING_LATER}]
        return ClubAnswers(alike, to_seer, shown(served, revealing, tables, VIEWER))


def shown(served: Served, planned: Sequence[PlannedRequest], tables: Sequence[OpenTable], who: Grant) -> Shown:
    with ledger.open(served.ledger) as store:
        audits = [ledger.audit(store, one.slug) for one in tables]
    return Shown([(name_of(one), answer_to(served, one, who)) for one in planned], audits)


def name_of(request: PlannedRequest) -> str:
    return f"page {request.route}" if request.is_page else request.route


def each_once(planned: Sequence[PlannedRequest]) -> list[PlannedRequest]:
    """Return the quick requests; of several that differ only by client the first."""
    return list(
        {str((one.act._replace(who=None), one.accept)): one for one in reversed(planned) if not one.slow}.values()
    )


def answers(served: Served, questions: Sequence[PlannedRequest]) -> Iterator[tuple[PlannedRequest, Answered]]:
    """Yield each answer, and check of some that a repeated request is answered with 304."""
    for number, request in enumerate(questions):
        answered = answer_to(served, request, request.act.who)
        yield request, answered
        if number % 7 == 0 and (again := with_its_tag(request, answered)) is not None:
            yield again, answer_to(served, again, again.act.who)


def are_hidden(served: Served, tables: Sequence[OpenTable]) -> bool:
    return all(one.stream in served.service.visible.hidden for one in tables)


def close_all(served: Served, tables: Sequence[OpenTable]) -> None:
    for number, one in enumerate(tables, 950_000):
        entries = [{"id": an_id(number), "event": {"type": "table_closed"}}]
        served.post(f"/streams/{one.stream}/entries", {"entries": entries, "as_played": True}, who=SEER)
        assert one.stream not in served.service.visible.hidden


REVEALING: Final = {*section("every_route.txt", "revealing cards")}
"""Routes whose answers contain cards, for clients that may see them."""

PART: Final = {"hx-request": "true"}
FRAMED: Final = "page GET /embed/{table}/{deal}/{step}"
"""The page for frames on other sites, which shows everybody the same public contents."""

AUDIT: Final = "GET /tables/{table}/audit"
"""The audit, which reveals a card only after a possible rule break."""

REVEALING_LATER: Final = REVEALING | {"GET /statistics/{name}", "GET /proof/receipts/{table}/{deal}"}


def assert_distinguishes(first: Shown, second: Shown, revealing: set[str]) -> None:
    """Fail unless the answers of each of these routes differ somewhere, and the audits if they should."""
    differ = {route for (route, left), (_, right) in zip(first.answers, second.answers, strict=True) if left != right}
    assert differ >= revealing
    assert (AUDIT in differ) >= (first.audits != second.audits)
    assert FRAMED not in differ


@pytest.mark.parametrize(
    ("seed", "games", "each", "some"),
    [(3, (GAMES[0], GAMES[3]), 1, 1), *(pytest.param(seed, GAMES, 2, 2, marks=pytest.mark.soak) for seed in (5, 7))],
)
def test_two_clubs_are_indistinguishable(seed: int, games: Sequence[str], each: int, some: int, tmp_path: Path) -> None:
    """Each route is requested about some games here, about all in a soak run."""
    club = a_club(tmp_path, seed, games, each)
    first, second = answers_alike(club, plan_of(situation_of(club, seed, some)))
    assert_distinguishes(first.to_seer, second.to_seer, REVEALING)
    assert_distinguishes(first.opened, second.opened, REVEALING_LATER)


def answers_alike(club: Club, plan: Plan) -> tuple[ClubAnswers, ClubAnswers]:
    """Return the answers of both clubs; they must be equal except to clients that may see hands."""
    first, second = (all_answers(path, plan, club.tables) for path in club[:2])
    for (request, answered), (_, other) in zip(first.alike, second.alike, strict=True):
        assert answered == other, request
    return first, second
