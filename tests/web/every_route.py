"""The requests of each route to a club with open deals, one line a route, so that none is forgotten."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

from ledger import api
from ledger.access.grants import Grant
from ledger.events import CardsDealt, DealStarted, DisputeRaised
from ledger.history.model.rows import OF_TABLES
from tests.web.lists import section
from tests.web.serving import ADMIN, DIRECTOR, RECORDER, VIEWER
from tests.web.two_clubs import OVER, Club, OpenTable

PHONE: Final = Grant(token="phone", role="recorder")
"""The recorder of most entries."""

DESK: Final = Grant(token="desk", role="director", may_open=True)
EVERYBODY: Final = None
"""A client without a token, at a public service."""

FOR_ALL: Final[Sequence[Grant | None]] = (EVERYBODY, VIEWER, RECORDER, PHONE, DIRECTOR, DESK, ADMIN)
"""Clients that are bound to nothing; none of them may see hands."""

SVG: Final = "image/svg+xml"
NDJSON: Final = "application/x-ndjson"
CSV: Final = "text/csv"
PARQUET: Final = "application/vnd.apache.parquet"


class Way(NamedTuple):
    """One request: path, media type and body. `slow`: sent by one client only, as are `costly` ones in brief runs."""

    path: str
    accept: str | None = None
    body: Any = None
    slow: bool = False
    costly: bool = False


class Situation(NamedTuple):
    """The club, with the `ids` of its streams and `hand_records` of its tables. `some`: how many samples to take."""

    club: Club
    chance: Random
    some: int
    ids: Mapping[str, list[str]]
    hand_records: Mapping[str, bytes]

    def readings(self, one: OpenTable) -> list[str]:
        """Return readings of a table; the first is the plain one."""
        last = len(one.events)
        seat = 0 if one.seat is None else one.seat
        readings = [
            *("lang=ja", "reading=recorded", "without_rulings=true", "reading=recorded&without_rulings=true&lang=ja"),
            *("seat=Ann", "seat=9", f"seat={seat}", f"seat={(seat + 1) % 3}", f"seat={seat}&reading=recorded"),
            *("as_of=0", "as_of=now", f"as_of={self.chance.randint(1, 400)}", f"as_of={last + 40}&seat={seat}"),
            *("as_of=2026-01-05T18:50:00Z", "as_of=2026-01-05T18:51:40Z", "cards=all"),
        ]
        return ["", *self.chance.sample(readings, min(self.some, len(readings)))]

    @property
    def is_brief(self) -> bool:
        return self.some == 1

    def deals(self, one: OpenTable) -> list[int]:
        """Return the table's deals, and a missing one."""
        return [*sorted({event.deal for event in one.events if isinstance(event, DealStarted)}), 99]


RequestMaker: TypeAlias = Callable[[Situation], Iterator[Way]]


def with_query(path: str, query: str) -> str:
    return f"{path}?{query}" if query else path


def plain_routes(name: str, accept: str | None = None) -> dict[str, RequestMaker]:
    """Return the routes of a section of every_route.txt."""
    makers: dict[str, RequestMaker] = {}
    for method, path, *ways in map(str.split, section("every_route.txt", name)):
        makers[f"{method} {path}"] = partial(_each, ways, accept)
    return makers


def _each(paths: Sequence[str], accept: str | None, situation: Situation) -> Iterator[Way]:
    return (Way(path, accept) for path in paths)


def _of_tables(what: str) -> RequestMaker:
    def ask(situation: Situation) -> Iterator[Way]:
        for one in situation.club.tables:
            for query in situation.readings(one):
                yield Way(with_query(f"/tables/{one.slug}{what}", query))
        yield Way(f"/tables/{OVER}{what}")
        yield Way(f"/tables/nowhere{what}")

    return ask


def _of_deals(what: str, *, accept: Sequence[str | None] = (None,), few: bool = False) -> RequestMaker:
    def ask(situation: Situation) -> Iterator[Way]:
        chance = situation.chance
        tables = situation.club.tables
        if few:
            tables = chance.sample(tables, min(len(tables), 2 if situation.is_brief else 5))
        for one in tables:
            for deal in situation.deals(one):
                queries = situation.readings(one) if deal != 99 else [""]
                for query in queries[-1:] if few else queries:
                    path = f"/tables/{one.slug}/deals/{deal}{_at_a_step(what, chance)}"
                    yield Way(with_query(path, query), chance.choice(accept), costly=few)
        yield Way(f"/tables/{OVER}/deals/1{_at_a_step(what, chance)}")

    return ask


def _at_a_step(what: str, chance: Random) -> str:
    return what.replace("{step}", str(chance.choice([*range(1, 24), 999, "last"])))


def _entries(situation: Situation) -> Iterator[Way]:
    for one in situation.club.tables:
        yield Way(f"/streams/{one.stream}/entries?limit=1000", situation.chance.choice([None, NDJSON]))
        after = situation.chance.randrange(len(one.events))
        yield Way(f"/streams/{one.stream}/entries?after_version={after}&limit=5", NDJSON)
    yield Way("/streams/session/s/entries")
    yield Way(f"/streams/table/{OVER}/entries")
    yield Way("/streams/table/nowhere/entries")
    yield Way("/streams/hand/s/entries")


def _cases(situation: Situation) -> Iterator[Way]:
    disputed = [
        (one, version)
        for one in situation.club.tables
        for version, event in enumerate(one.events, 1)
        if isinstance(event, DisputeRaised)
    ]
    for one, version in disputed:
        path = f"/tables/{one.slug}/disputes/{version}/case"
        for query in situation.readings(one)[:2]:
            yield Way(with_query(path, query), situation.chance.choice([None, "text/html"]))
    for one, version in disputed[: situation.some - 1]:
        yield Way(f"/tables/{one.slug}/disputes/{version}/case", "application/pdf", slow=True)
    one = situation.club.tables[0]
    yield Way(f"/tables/{one.slug}/disputes/{one.hidden.version}/case")


def _exports(situation: Situation) -> Iterator[Way]:
    yield Way("/export")
    first = min(_begun(situation))
    for until in (first, first + 1, first - 1, 60, 10_000):
        yield Way(f"/export?until={max(until, 0)}")
    yield Way("/export?after=5&until=30")


def _begun(situation: Situation) -> Iterator[int]:
    """Return the version where hidden entries begin: cards are dealt there first."""
    for one in situation.club.tables:
        yield next(at for at, event in enumerate(one.events, 60) if isinstance(event, CardsDealt))


def _statistics(situation: Situation) -> Iterator[Way]:
    names = [*api.statistics("en")]
    for name in situation.chance.sample(names, min(len(names), situation.some * 3)):
        yield Way(f"/statistics/{name}", situation.chance.choice([None, CSV, PARQUET]))
    one = situation.chance.choice(situation.club.tables)
    for query in (f"game={one.game}", "player=Ann", "session=s", "since=2026-01-01&until=2026-12-31", "game=whist"):
        yield Way(f"/statistics/standings?{query}")
    yield Way("/statistics/hands")


def _plots(form: str) -> RequestMaker:
    """Request plots; all formats have the same figures, so only one is requested with filters."""

    def ask(situation: Situation) -> Iterator[Way]:
        yield Way(f"/plots/standings{form}", costly=True)
        if form == ".json":
            yield Way(f"/plots/cumulative{form}?player=Ann&lang=ja", costly=True)

    return ask


_VIEWS: Final = (
    "hands", "calls", "announcements", "exchanges", "plays", "tricks", "hands_after_exchange", "cards_held",
    "deal_scores", "corrections", "players",
)  # fmt: skip


def _questions(situation: Situation) -> Iterator[Way]:
    names = [*OF_TABLES, *_VIEWS, "card_facts", "entries", "sessions", "held_back", "last_entry", "meta"]
    for name in situation.chance.sample(names, min(len(names), situation.some * 4)):
        yield Way(
            "/query", situation.chance.choice([None, CSV, PARQUET]), {"sql": f"SELECT * FROM {name} ORDER BY ALL"}
        )
    for sql in (
        "SELECT count(*) FROM entries",
        "SELECT table_name, estimated_size FROM duckdb_tables() ORDER BY ALL",
        "SELECT * FROM nothing",
        "SELECT * FROM read_text('club.ledger')",
    ):
        yield Way("/query", None, {"sql": sql}, slow=True)


def _receipts(situation: Situation) -> Iterator[Way]:
    yield Way(f"/proof/receipts/{OVER}/1")
    yield Way(f"/proof/receipts/{OVER}/9")
    yield Way("/proof/receipts/nowhere/1")
    for one in situation.club.tables:
        for deal in situation.deals(one):
            yield Way(f"/proof/receipts/{one.slug}/{deal}")


_OF_DEALS: Final = ("/readings", "/steps/{step}", "/steps/last", "/steps/{step}.svg", ".toml")

READ: Final[Mapping[str, RequestMaker]] = {
    **plain_routes("API"),
    "GET /streams/{kind}/{slug}/entries": _entries,
    **{f"GET /tables/{{table}}{what}": _of_tables(what) for what in ("", "/score", "/audit", "/disputes", "/now")},
    **{f"GET /tables/{{table}}/deals/{{deal}}{what}": _of_deals(what) for what in _OF_DEALS},
    "GET /tables/{table}/deals/{deal}/steps": _of_deals("/steps", accept=(None, "application/json")),
    "GET /tables/{table}/deals/{deal}/steps/{step}.png": _of_deals("/steps/{step}.png", few=True),
    "GET /tables/{table}/disputes/{version}/case": _cases,
    "GET /export": _exports,
    "GET /statistics/{name}": _statistics,
    **{f"GET /plots/{{name}}{form}": _plots(form) for form in (".svg", ".png", ".json")},
    "POST /query": _questions,
    "GET /proof/receipts/{table}/{deal}": _receipts,
}
"""Routes that change nothing."""
