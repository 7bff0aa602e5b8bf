"""The rulebooks, which are public: one book on a page with an anchor for each rule, and a search."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from ledger import api
from ledger.errors import NotFoundError
from ledger.games.kernel.rulebook import Rule
from ledger.text.site.rulebook import RenderedRule, book_of, books, rendered_rule, sections_of
from ledger.web.http.problems import web_error
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import page
from ledger.web.pages.frame import html


class RulesQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`q`: a rule number, or words of a rule."""

    q: Annotated[str, Meta(max_length=200)] = ""


@page("/rules", "none", query=RulesQuery)
def all_rules(request: Request) -> Response:
    """Show the list of rulebooks, or the rules of all of them that match a search."""
    words: str = request.query.q
    return html(
        request,
        "rulebook_list.html",
        books=books(),
        words=words,
        matches=_matches(words, None) if words.strip() else None,
    )


@page("/rules/{game}", "none", query=RulesQuery, problems=("not_found",))
def rulebook(request: Request, game: str) -> Response:
    """Show one rulebook, or its rules that match a search."""
    book = book_of(game)
    if book is None:
        raise web_error("not_found", "no_route", text=request.path[:200])
    words: str = request.query.q
    return html(
        request,
        "rulebook.html",
        books=books(),
        book=book,
        game=game,
        sections=sections_of(game),
        words=words,
        matches=_matches(words, game) if words.strip() else None,
    )


def _matches(words: str, game: str | None) -> list[RenderedRule]:
    """Return the rules with that number, else those with the words; each once, though games share a book."""
    rules: list[Rule] = []
    if any(sign.isdigit() for sign in words):
        try:
            rules = api.rules(words.strip())
        except NotFoundError:
            rules = []
        if game is not None:
            known = {rule.id for rule in api.rules(game)}
            rules = [rule for rule in rules if rule.id in known]
    rules = rules or api.rules(game, search=words)
    return [rendered_rule(rule) for rule in {rule.id: rule for rule in rules}.values()]
