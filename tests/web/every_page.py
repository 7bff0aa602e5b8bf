"""The requests of each page to a club with open deals, one line a page, so that none is forgotten."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ledger.events import DisputeRaised
from tests.web.every_route import RequestMaker, Situation, Way, plain_routes, with_query
from tests.web.lists import section
from tests.web.two_clubs import OVER

HTML: Final = "text/html"
"""The `Accept` header of a browser."""
ANYTHING: Final = "text/html, image/*, */*;q=0.8"
"""The `Accept` header of a browser that follows a link to a file."""


def _of_tables(before: str, after: str = "") -> RequestMaker:
    """Request the page of every table, plainly and in another reading; of a finished and an open one."""

    def ask(situation: Situation) -> Iterator[Way]:
        for one in situation.club.tables:
            for query in ("", situation.chance.choice(situation.readings(one))):
                yield Way(with_query(f"{before}/{one.slug}{after}", query), HTML)
        yield Way(f"{before}/{OVER}{after}", HTML)
        yield Way(f"{before}/nowhere{after}", HTML)

    return ask


def _of_deals(before: str, after: str = "", accept: str = HTML, *, costly: bool = False) -> RequestMaker:
    """Request the page of every deal, at some step if it has steps, as seen by all and by some seat."""

    def ask(situation: Situation) -> Iterator[Way]:
        chance = situation.chance
        for one in situation.club.tables[: 1 if costly and situation.is_brief else None]:
            for deal in situation.deals(one):
                at = after.replace("{step}", str(chance.choice([1, 2, 5, 12, 30, 999])))
                for query in ("", chance.choice(situation.readings(one))):
                    yield Way(with_query(f"{before}/{one.slug}/{deal}{at}", query), accept, costly=costly)
        yield Way(f"{before}/{OVER}/1{after.replace('{step}', '3')}", accept)

    return ask


def _of_acts(situation: Situation) -> Iterator[Way]:
    """Request the page that changes an act: without a choice, with each kind of choice, and for missing acts."""
    chance = situation.chance
    for one in situation.club.tables:
        for query in ("", "do=strike", "do=restore", "seat=1", "card=SA&seat=0", "word=x", "lang=ja&do=strike"):
            yield Way(with_query(f"/record/{one.slug}/deal/{chance.randint(1, len(one.events) + 1)}", query), HTML)
    yield Way(f"/record/{OVER}/deal/5?do=strike", HTML)
    yield Way("/record/nowhere/deal/5", HTML)


def _in_some_language(situation: Situation, path: str) -> Way:
    return Way(with_query(path, situation.chance.choice(["", "lang=ja"])), HTML)


def _of_cases(situation: Situation) -> Iterator[Way]:
    """Request the case of each dispute, in a language, and of an entry that is none."""
    for one in situation.club.tables:
        for version, event in enumerate(one.events, 1):
            if isinstance(event, DisputeRaised):
                yield _in_some_language(situation, f"/t/{one.slug}/disputes/{version}")
    yield Way(f"/t/{OVER}/disputes/2", HTML)


def _of_rulings(situation: Situation) -> Iterator[Way]:
    """Request the form for a ruling on each deal, also about some entry."""
    for one in situation.club.tables:
        for deal in situation.deals(one):
            about = situation.chance.choice(["", f"about={situation.chance.randint(1, len(one.events))}", "lang=ja"])
            yield Way(with_query(f"/t/{one.slug}/{deal}/ruling", about), HTML)


def _of_entries(situation: Situation) -> Iterator[Way]:
    """Request the form that corrects an entry, for some entries of each table."""
    for one in situation.club.tables:
        for version in situation.chance.sample(range(1, len(one.events) + 1), 3):
            yield _in_some_language(situation, f"/t/{one.slug}/entries/{version}/correct")


def _questions(situation: Situation) -> Iterator[Way]:
    """Ask in SQL for all rows of some tables; each takes as long as a hundred pages."""
    for name in situation.chance.sample(["plays", "hands", "entries", "deals", "cards_held", "deal_moves"], 2):
        yield Way("/sql", HTML, {"sql": f"SELECT * FROM {name} ORDER BY ALL"}, slow=True)


_OF_TABLES: Final = ("", "/now", "/start", "/deal", "/close", "/result", "/sheet")

EVERY_PAGE: Final[Mapping[str, RequestMaker]] = {
    **plain_routes("pages", HTML),
    **plain_routes("files", ANYTHING),
    **{f"GET /record/{{table}}{what}": _of_tables("/record", what) for what in _OF_TABLES},
    **{f"GET /t/{{table}}/{{deal}}{what}": _of_deals("/t", what) for what in ("", "/{step}", "/readings", "/entries")},
    "GET /statistics/{name}.parquet": lambda _: iter([Way("/statistics/roles.parquet", ANYTHING, costly=True)]),
    "GET /rules": lambda _: iter([Way("/rules?q=trump", HTML, costly=True)]),
    "POST /sql": _questions,
    "GET /t/{table}": _of_tables("/t"),
    "GET /t/{table}/{deal}/{step}.svg": _of_deals("/t", "/{step}.svg", ANYTHING),
    "GET /t/{table}/{deal}/{step}.png": _of_deals("/t", "/{step}.png", ANYTHING, costly=True),
    "GET /t/{table}/{deal}/ruling": _of_rulings,
    "GET /t/{table}/entries/{version}/correct": _of_entries,
    "GET /t/{table}/disputes/{version}": _of_cases,
    "GET /embed/{table}/{deal}/{step}": _of_deals("/embed", "/{step}"),
    "GET /t/{table}/{deal}/dispute": _of_deals("/t", "/dispute?step={step}"),
    "GET /t/{table}/disputes/{dispute}/withdraw": _of_tables("/t", "/disputes/39/withdraw"),
    "GET /record/{table}/deal/{version}": _of_acts,
}
"""Pages, and the files and fragments that they load."""

FORMS: Final = {
    "POST /sign-in", "POST /sign-out", "POST /settings", "POST /table-cards",
    "POST /tokens", "POST /tokens/seats", "POST /tokens/{id}/revoke", "POST /names/{player}", "POST /room/checkpoint",
}  # fmt: skip
"""Forms that change the client or its preferences, and reveal nothing of the record."""

RECORDING_FORMS: Final = frozenset(section("every_route.txt", "forms that record"))
"""Forms that record: test_page_roles checks their roles, test_recording_of_two_worlds that they reveal no hidden card.
"""
