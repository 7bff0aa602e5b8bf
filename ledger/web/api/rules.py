"""The rules of all games, which are public."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, structs

from ledger import api
from ledger.games import game_named
from ledger.games.kernel.rulebook import RuleAnswer
from ledger.text.lists import rules_facts
from ledger.web.http.request import Request
from ledger.web.http.response import Paging, Response, in_languages, linked, page_of
from ledger.web.http.routing import PREFIX, route


class RuleSearch(Paging, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The rules of a game, and those that contain all words of `q`."""

    game: Annotated[str, Meta(min_length=1)] | None = None
    q: Annotated[str, Meta(max_length=200)] | None = None


class RuleDetail(RuleAnswer, frozen=True, kw_only=True):
    """A rule with the ids of the previous and the next rule in its book."""

    previous: str | None
    next: str | None


@route("GET", "/rules", "none", query=RuleSearch, answers={200: list[RuleAnswer]}, rests_on="program")
def rules(request: Request) -> Response:
    """List the rules of a game or of all, or those with some words."""
    wanted: RuleSearch = request.query
    if wanted.game is not None:
        game_named(wanted.game)
    # Games share a book; each rule is listed once.
    matches = {rule.id: rule for rule in api.rules(wanted.game, search=wanted.q, lang=request.lang)}
    page, following = page_of(request, list(matches.values()), lambda rule: rule.id)
    languages = in_languages(*(rule.lang for rule in page)) if page else {}
    return Response(rules_facts(page), headers=linked(request, next=following) | languages)


@route("GET", "/rules/{rule}", "none", answers={200: RuleDetail}, rests_on="program", problems=("not_found",))
def rule(request: Request, rule: str) -> Response:
    """Return the text of one rule, with its neighbours."""
    wanted = api.rule(rule[:100], request.lang)
    book = next(book for book in api.rulebooks(request.lang).values() if book.prefix == wanted.id.partition("-")[0])
    place = book.rules.index(wanted)
    previous = book.rules[place - 1].id if place else None
    following = book.rules[place + 1].id if place + 1 < len(book.rules) else None
    (facts,) = rules_facts([wanted])
    answer = RuleDetail(**structs.asdict(facts), previous=previous, next=following)
    links = linked(request, prev=_path(previous), next=_path(following))
    return Response(answer, headers=links | in_languages(wanted.lang))


def _path(rule: str | None) -> str | None:
    return None if rule is None else f"{PREFIX}/rules/{rule}"
