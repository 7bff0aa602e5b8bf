"""The rulebooks, which are public: one book on a page with an anchor for each rule, and a search."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import groupby
from typing import Annotated, Any

from msgspec import Meta, Struct, convert

from ledger import api
from ledger.errors import LedgerError, NotFoundError
from ledger.games.kernel.rulebook import Rule
from ledger.history import History, list_queries
from ledger.log.base import StreamHead
from ledger.streams import TABLE
from ledger.text.catalogue import rules_note
from ledger.text.site.replay.table_page import step_address_of
from ledger.text.site.replay.viewpoint import Viewpoint
from ledger.text.site.rulebook import Book, book_of, books, rendered_rule, sections_of
from ledger.web.http.auth import admits
from ledger.web.http.problems import web_error
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import PAGES, Route, page
from ledger.web.pages.frame import html
from ledger.web.pages.shown_tables import newest_first, sound_table, title_by_slug


class RulesQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`q`: a rule number, or words of a rule."""

    q: Annotated[str, Meta(max_length=200)] = ""


@page("/rules", "none", query=RulesQuery)
def all_rules(request: Request) -> Response:
    """Show the list of rulebooks, or the rules of all of them that match a search."""
    listed = books(request.lang)
    return html(request, "rulebook_list.html", books=listed, **_search(request, listed))


@page("/rules/{game}", "none", query=RulesQuery, problems=("not_found",))
async def rulebook(request: Request, game: str) -> Response:
    """Show one rulebook, or its rules that match a search."""
    book = _book(request, game)
    broken: Mapping[str, Sequence[BrokenRule]] = {}
    if admits(request.service, _broken_page(), request.grant) and request.service.history.position:
        with suppress(LedgerError):  # the rules are shown even while the read model is busy
            broken = await _broken_rules(request)
    return await request.service.run_in_thread(
        lambda: html(
            request,
            "rulebook.html",
            books=books(request.lang),
            book=book,
            game=game,
            sections=sections_of(game, request.lang),
            broken={rule: places[0].count for rule, places in broken.items()},
            **_search(request, [book], game),
        )
    )


class BrokenRule(Struct, frozen=True, kw_only=True):
    """A place where a rule was broken. `count`: of all places of that rule."""

    rule: str
    table_name: str
    deal: int
    version: int
    played_on: str | None
    count: int


class BrokenAt(Struct, frozen=True, kw_only=True):
    """A link to the step at which a rule was broken. `date`: of the deal, empty if unknown."""

    address: str
    title: str
    deal: int
    date: str


@page("/rules/{game}/{rule}", "viewer", of_whole_ledger=True, problems=("not_found", "busy"))
async def broken_rule(request: Request, game: str, rule: str) -> Response:
    """Show one rule with the newest places where it was broken."""
    book = _book(request, game)
    known = next((one for one in book.book.rules if one.id == rule), None)
    if known is None:
        raise web_error("not_found", "no_route", text=request.path[:200])
    places = (await _broken_rules(request)).get(rule, ())

    def make() -> Response:
        heads = {head.stream: head for head in newest_first(request)} if places else {}
        return html(
            request,
            "rulebook_broken.html",
            book=book,
            game=game,
            rule=rendered_rule(known),
            count=places[0].count if places else 0,
            places=[_broken_at(request, one, heads.get(TABLE.stream(one.table_name))) for one in places],
        )

    return await request.service.run_in_thread(make)


async def _broken_rules(request: Request) -> Mapping[str, Sequence[BrokenRule]]:
    """Return the newest places where rules were broken, by rule; equal until the read model moves on."""

    def find(history: History) -> Mapping[str, Sequence[BrokenRule]]:
        rows = history.answer_to(list_queries()["broken-rules"]).answer.objects()
        places = convert(rows, list[BrokenRule])
        return {rule: list(of_rule) for rule, of_rule in groupby(places, lambda one: one.rule)}

    return await asyncio.wrap_future(request.service.history.query(find, "broken-rules"))


def _broken_at(request: Request, place: BrokenRule, head: StreamHead | None) -> BrokenAt:
    fold = None if head is None else sound_table(request, head)
    at = Viewpoint(table=place.table_name, deal=place.deal)
    is_there = fold is not None and any(record.number == place.deal for record in fold.deals)
    address = step_address_of(fold, at, {place.version}) if fold is not None and is_there else f"/t/{place.table_name}"
    title = title_by_slug(request, place.table_name)
    return BrokenAt(address=address, title=title, deal=place.deal, date=place.played_on or "")


@cache
def _broken_page() -> Route:
    return next(one for one in PAGES if one.path == "/rules/{game}/{rule}")


def _book(request: Request, game: str) -> Book:
    book = book_of(game, request.lang)
    if book is None:
        raise web_error("not_found", "no_route", text=request.path[:200])
    return book


def _search(request: Request, searched: Sequence[Book], game: str | None = None) -> dict[str, Any]:
    """Return the matches in these books, and the note on rules that are in English for lack of the language."""
    words: str = request.query.q
    matches = _matches(words, game, request.lang) if words.strip() else None
    shown = matches or [rule for one in searched for rule in one.book.rules]
    return {
        "words": words,
        "matches": None if matches is None else [rendered_rule(rule) for rule in matches],
        "note": rules_note(shown, request.lang),
    }


def _matches(words: str, game: str | None, lang: str) -> list[Rule]:
    """Return the rules with that number, else those with the words; each once, though games share a book."""
    rules: list[Rule] = []
    if any(sign.isdigit() for sign in words):
        try:
            rules = api.rules(words.strip(), lang=lang)
        except NotFoundError:
            rules = []
        if game is not None:
            known = {rule.id for rule in api.rules(game)}
            rules = [rule for rule in rules if rule.id in known]
    rules = rules or api.rules(game, search=words, lang=lang)
    return list({rule.id: rule for rule in rules}.values())
