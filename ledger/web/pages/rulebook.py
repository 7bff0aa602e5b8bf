"""The rulebooks, which are public: one book on a page with an anchor for each rule, and a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from ledger import api
from ledger.errors import NotFoundError
from ledger.games.kernel.rulebook import Rule
from ledger.text.catalogue import rules_note
from ledger.text.site.rulebook import Book, book_of, books, rendered_rule, sections_of
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
    listed = books(request.lang)
    return html(request, "rulebook_list.html", books=listed, **_search(request, listed))


@page("/rules/{game}", "none", query=RulesQuery, problems=("not_found",))
def rulebook(request: Request, game: str) -> Response:
    """Show one rulebook, or its rules that match a search."""
    book = book_of(game, request.lang)
    if book is None:
        raise web_error("not_found", "no_route", text=request.path[:200])
    return html(
        request,
        "rulebook.html",
        books=books(request.lang),
        book=book,
        game=game,
        sections=sections_of(game, request.lang),
        **_search(request, [book], game),
    )


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
