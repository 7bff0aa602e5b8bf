"""The first page: a real deal to step through at once, and the ways in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ledger.access.grants import Role
from ledger.log.base import StreamHead
from ledger.streams import SESSION, TABLE
from ledger.text.site.listing import FeaturedDeal, featured_deal, last_finished_deal
from ledger.web.api.entries import may_open
from ledger.web.http.auth import NOBODY
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import page
from ledger.web.pages.frame import html, reader_of
from ledger.web.pages.shown_tables import newest_first, sound_table, titled

_FAMOUS: Final = "rape-of-the-lock"
_FAMOUS_STEP: Final = 34

_TOUR: Final[tuple[tuple[str, str, Role, str], ...]] = (
    (TABLE.stream(_FAMOUS), f"/t/{_FAMOUS}/1/1", "viewer", "replay"),
    (TABLE.stream("ombre-revoke"), "/t/ombre-revoke/1/25", "viewer", "revoke"),
    (TABLE.stream("ombre-revoke"), "/t/ombre-revoke/disputes/39", "viewer", "dispute"),
    (SESSION.stream("kop-night"), "/sessions/kop-night", "viewer", "evening"),
    (TABLE.stream("kop-night-1"), "/t/kop-night-1", "viewer", "score"),
    (SESSION.stream("kop-night"), "/statistics", "viewer", "statistics"),
    (SESSION.stream("kop-night"), "/record/new", "recorder", "record"),
)
"""What to look at in the demonstration, in this order: the stream that it needs, the page, and who may open it."""

_TRIED: Final = 20
"""The number of tables that are searched for a finished deal; on an evening there is one sooner."""


@page("/", "none")
def home(request: Request) -> Response:
    """Show the club's latest deal and the ways in; clients without access see nothing of the record."""
    grant = request.grant
    if grant is NOBODY:
        return html(request, "home_closed.html")
    heads = newest_first(request)
    return html(
        request,
        "home.html",
        deal=_deal_to_show(request, heads),
        is_empty=not heads,
        may_open=may_open(grant),
        tour=_tour(request) if request.service.settings.is_demo else (),
        records=grant.at_least("recorder"),
        gives_codes=grant.at_least("admin"),
    )


def _tour(request: Request) -> list[tuple[str, str]]:
    """Return the pages of the demonstration that the client may open, each with the name of its text."""
    streams, grant = request.service.versions, request.grant
    return [(page, name) for stream, page, role, name in _TOUR if stream in streams and grant.at_least(role)]


def _deal_to_show(request: Request, heads: Sequence[StreamHead]) -> FeaturedDeal | None:
    """Return the famous deal of the demonstration if it is there, else the last finished one."""
    preferences = reader_of(request)
    for head in heads:
        if head.stream == TABLE.stream(_FAMOUS):
            famous = sound_table(request, head)
            deal = (
                None if famous is None else featured_deal(_FAMOUS, _FAMOUS, famous, 1, preferences, step=_FAMOUS_STEP)
            )
            if deal is not None:
                return deal
    for head in sorted(heads, key=lambda one: one.last_position, reverse=True)[:_TRIED]:
        fold = sound_table(request, head)
        number = None if fold is None else last_finished_deal(fold)
        if fold is not None and number is not None:
            slug = TABLE.slug(head.stream)
            return featured_deal(slug, titled(request, slug, fold.opened.session), fold, number, preferences)
    return None
